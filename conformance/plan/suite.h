// A suite: cases under a common name, known by their ids and read one by one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/case.h"

namespace touchstone::conformance {

/// A case that is not in memory yet: what is wrong with it is its own affair, not that of the others.
struct PlannedCase {
  std::string id;
  std::function<Case()> read;  ///< throws FileError
};

/// How much of a generated suite.
enum class Tier {
  smoke,     ///< every pair of lattice dimensions of every version meets
  standard,  ///< every cell, every clause, every rule
};

/// A tier by its name; nothing if there is none.
std::optional<Tier> find_tier(std::string_view name);

struct SuiteOptions {
  std::filesystem::path data = {};  ///< of suites that read files
  Tier tier = Tier::standard;       ///< of suites that are generated
  std::uint64_t seed = 0;           ///< of suites that are generated: deals other values over the same cases
};

struct SuiteInfo {
  std::string_view name;
  std::string_view description;
  bool reads_files;
  /// All cases, with unique ids, always in the same order. Throws FileError if they cannot be found.
  std::vector<PlannedCase> (*plan)(const SuiteOptions& options);
};

std::span<const SuiteInfo> suites();

/// A suite by its name; null if there is none.
const SuiteInfo* find_suite(std::string_view name);

/// The one that a case is of, by its id.
const SuiteInfo& suite_of(std::string_view id);

/// 16 hex digits that differ where ids, tier or seed do.
std::string plan_hash(const std::vector<PlannedCase>& cases, std::string_view tier, std::uint64_t seed);

}  // namespace touchstone::conformance
