// Planned cases, which are identified by ids and read one by one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/plan/code_interval.h"
#include "conformance/plan/form_limits.h"

namespace touchstone::conformance {

struct Sweep;

/// The prefix of the ids of controls, and of no others.
inline constexpr std::string_view control_prefix = "control/";

/// Receives a case. Returns true if it needs no more of them.
using TakeCase = std::function<bool(const Case&)>;

/// A case that is not in memory yet. An error in reading it does not affect other cases.
struct PlannedCase {
  std::string id;
  std::function<Case()> read;  ///< throws FileError
  bool is_from_files = false;  ///< its content may change between two runs
  /// A sweep, of which `read` gives only a sample. Null for all other cases.
  std::shared_ptr<const Sweep> sweep = nullptr;
  /// The value space that a case of the tier exhaustive covers completely.
  CodeIntervals codes = {};
  /// Builds a case of only these elements, if the whole case would be a large reproducer; otherwise null.
  std::function<Case(const std::vector<ChosenElement>&)> reduce = nullptr;
  /// The form that replaces the dealt one because the backend does not support that; empty: the dealt one.
  std::string_view other_form = {};
  /// Offers legal cases similar to this one, nearest first. The first one that no permitted reading rejects is the
  /// control: a backend must accept it for its refusal of this case to count. Null: there is none.
  std::function<void(const TakeCase& take)> offer_control_candidates = nullptr;
};

/// The extent of a generated suite.
enum class Tier {
  smoke,       ///< every pair of values of two lattice dimensions for every version, and every kind of case once
  standard,    ///< every cell, every clause, every rule
  exhaustive,  ///< only complete value spaces
};

/// A tier by its name, or std::nullopt.
std::optional<Tier> find_tier(std::string_view name);

struct SuiteOptions {
  std::filesystem::path data = {};  ///< for suites that read files
  bool follow_symlinks = false;     ///< for suites that read files: also through links that lead out of `data`
  Tier tier = Tier::standard;       ///< for generated suites
  std::uint64_t seed = 0;           ///< for generated suites: deals other values to the same cases
  FormLimits limits = {};           ///< for generated suites: cases beyond the limits get another form if possible
};

/// The SHA-256 of tier and seed; of the settings that decide verdicts, as texts; and of all cases: their ids, the forms
/// that replace others, and the content of those from files. Generated cases follow from the rest and from the version
/// of Touchstone.
std::string plan_hash(const std::vector<PlannedCase>& cases, std::string_view tier, std::uint64_t seed,
                      std::span<const std::string> settings = {});

}  // namespace touchstone::conformance
