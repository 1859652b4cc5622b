// What people ask about a runtime: the columns of the page that compares runtimes, and the badges for them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/compact_result.h"

namespace touchstone::conformance {

/// Cases that are counted together: those with all of its properties, of which empty ones do not matter.
struct ResultColumn {
  std::string_view id;  ///< for URLs and paths
  std::string_view label;
  std::string_view title;
  std::string_view part;  ///< operators, float_types, uses, graphs, or illegal: all illegal models
  std::vector<std::string_view> types = {};
  std::string_view op = {};  ///< of ai.onnx; or a use
  std::string_view granularity = {};
  int since = 0;  ///< the oldest version of the operator
};

std::span<const ResultColumn> result_columns();

/// [{"id":"int8","label":"int8","title":"int8 and uint8, ...","part":"operators","types":["int8","uint8"],...}]
Json columns_json();

Counts counts_in(const ResultColumn& column, const CompactResult& result);

/// What an endpoint badge of shields.io reads.
struct Badge {
  std::string path;  ///< "ort-optimized/int8.json"
  Json content;      ///< schemaVersion, label, message, color
};

/// A badge for each column and each configuration of a runtime, of its newest version. The path has the values of
/// --backend and --cpu, with "-" for other characters than letters, digits, "." and "_".
std::vector<Badge> badges(std::span<const CompactResult* const> results);

}  // namespace touchstone::conformance
