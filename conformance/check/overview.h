// The results of all backends for a user's model, as JSON and JUnit, and as an HTML page that draws the
// model.
#pragma once

#include <string>
#include <vector>

#include "conformance/check/legality.h"
#include "conformance/judge/verdict.h"
#include "conformance/units/unit_cases.h"

namespace touchstone::conformance {

/// What a backend makes of the parts of a model.
struct CheckedBackend {
  std::string name;
  std::string version;
  std::vector<AnswerClass> results;  ///< one for each part
  std::vector<std::string> reasons;  ///< for each part, what the report says of its result
  std::vector<std::string> causes;   ///< sentences on what it does differently
  std::vector<std::string> fixes;    ///< settings that were tried, and with which wrong parts are right
  std::string report;                ///< the directory of its reports, relative to that of the overview
};

struct Overview {
  std::string path;  ///< of the model
  const ModelParts& parts;
  const std::vector<ExaminedNode>& nodes;
  std::vector<CheckedBackend> backends;
  std::uint64_t seed = 0;
  std::vector<std::string> assumptions = {};  ///< sentences on what ONNX does not say, and results rest on

  bool is_legal() const;
};

/// An object with "format": 1, documented in conformance/README.md.
std::string overview_json(const Overview& overview);

/// A suite for the model, which fails if it is illegal, and a suite for each backend with a test case for each part.
/// What is refused, not asked or undecided is skipped, and so are the nodes that are in no part.
std::string overview_junit(const Overview& overview);

/// A page without scripts and without references to other hosts. Each node of the model is a row, from its first to its
/// last one; lines connect it with the nodes whose outputs it reads, and its color is the worst result of a part that
/// has it.
std::string overview_html(const Overview& overview);

}  // namespace touchstone::conformance
