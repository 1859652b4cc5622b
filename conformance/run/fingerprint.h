// The fingerprint of a backend: for each ambiguity, the reading that the backend follows, with the evidence.
//
// The right cases show which readings explain their answers. A backend may follow different readings in different kinds
// of cases, for example for different types. Then the fingerprint names the property that decides, if a single one
// does.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/planned_case.h"
#include "conformance/run/inconsistencies.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// What the right cases show of an ambiguity.
enum class Following {
  one_reading,     ///< one reading explains all examined cases, and no other permitted one does
  not_determined,  ///< several permitted readings explain all examined cases
  several,         ///< no reading explains all examined cases
  inconsistent,    ///< the same, in two cases of the same version, types and form: see Inconsistency
};

struct FollowingInfo {
  Following following;
  std::string_view id;  ///< in JSON
};

inline constexpr std::array following_rows{
    FollowingInfo{Following::one_reading, "follows"},
    FollowingInfo{Following::not_determined, "not_determined"},
    FollowingInfo{Following::several, "differs"},
    FollowingInfo{Following::inconsistent, "inconsistent"},
};

/// The properties of a case that may decide which reading a backend follows. `type` is the quantized one.
inline constexpr std::array<std::string_view, 6> kind_properties{"operator", "version", "x", "scale", "type", "form"};

struct FingerprintRow {
  std::string_view ambiguity;
  Following following = Following::not_determined;
  /// For `several`: one of kind_properties, whose values divide the cases into parts. Empty if no single one does.
  std::string_view property = {};

  /// Cases that have a reading in common: all cases, except for `several` and `inconsistent`.
  struct Part {
    std::vector<std::string> values;         ///< of the property
    std::vector<std::string_view> readings;  ///< that explain all of these cases; not empty
    std::size_t cases = 0;                   ///< of those examined, the cases that not all permitted readings explain
    std::string id;                          ///< the first of them; empty if there is none

    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts = {};  ///< not empty

  bool operator==(const FingerprintRow&) const = default;
};

/// The number of cases of an operator version to examine for each clause, form, type, granularity and named reading
/// that they have, if there are so many. They are spread evenly over the plan. In addition, one case of each purpose
/// (the last part of an id, up to a digit) and quantized type is examined.
///
/// It is also the number of cases of an operator version that must exclude all readings but one, so that no more are
/// examined for the ambiguity, except cases that name a reading.
inline constexpr std::size_t most_alike = 8;

/// The number of cases of an operator version after which an ambiguity is not examined any further, whatever they show,
/// except in cases that name a reading.
inline constexpr std::size_t most_examined_alike = 64;

/// A row for each ambiguity that has several permitted readings and that an examined case depends on, in the order of
/// the register. `inconsistencies` are those of the same run. Examines the same kinds of cases as find_inconsistencies,
/// and throws the same exceptions. The result does not depend on the number of threads.
std::vector<FingerprintRow> find_fingerprint(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                             std::span<const Inconsistency> inconsistencies,
                                             const ExaminationOptions& options = {});

}  // namespace touchstone::conformance
