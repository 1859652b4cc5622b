// Planned cases: known by their ids, and read one by one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/plan/code_interval.h"
#include "conformance/plan/form_limits.h"

namespace touchstone::conformance {

struct Sweep;

/// What the ids of controls begin with, and no others.
inline constexpr std::string_view control_prefix = "control/";

/// Takes a case, and returns whether it needs no more of them.
using TakeCase = std::function<bool(const Case&)>;

/// A case that is not in memory yet: what is wrong with it is its own affair, not that of the others.
struct PlannedCase {
  std::string id;
  std::function<Case()> read;  ///< throws FileError
  /// A sweep: then `read` gives only a sample of it. Null for all other cases.
  std::shared_ptr<const Sweep> sweep = nullptr;
  /// What a case of the tier exhaustive covers without gaps.
  CodeIntervals codes = {};
  /// A case of these elements alone, where the whole would be a large reproducer; null elsewhere.
  std::function<Case(const std::vector<ChosenElement>&)> reduce = nullptr;
  /// The form that the case has as the backend cannot take the one that it was dealt; empty: it has that.
  std::string_view other_form = {};
  /// Offers legal cases like this one, the nearest first. The first that no permitted reading rejects is the control: a
  /// backend must accept it for its refusal of this case to show anything. Null: none.
  std::function<void(const TakeCase& take)> offer_control_candidates = nullptr;
};

/// How much of a generated suite.
enum class Tier {
  smoke,       ///< every pair of lattice dimensions of every version meets
  standard,    ///< every cell, every clause, every rule
  exhaustive,  ///< value spaces without gaps, and nothing else
};

/// A tier by its name; nothing if there is none.
std::optional<Tier> find_tier(std::string_view name);

struct SuiteOptions {
  std::filesystem::path data = {};  ///< of suites that read files
  Tier tier = Tier::standard;       ///< of suites that are generated
  std::uint64_t seed = 0;           ///< of suites that are generated: deals other values over the same cases
  FormLimits limits = {};           ///< of suites that are generated: cases that can have another form get one
};

/// 16 hex digits that differ where ids, tier or seed do, or the forms that cases have in place of others.
std::string plan_hash(const std::vector<PlannedCase>& cases, std::string_view tier, std::uint64_t seed);

}  // namespace touchstone::conformance
