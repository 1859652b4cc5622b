// Where a backend follows one permitted reading in one case, and another one in a case of the same kind.
//
// A permitted reading may be followed if that is done throughout. One case shows which readings explain its answers,
// and passes. Two cases of the same operator version, types and form whose answers no one reading of an ambiguity
// explains, whatever the readings of the other ambiguities, show that the backend follows no reading throughout.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/planned_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// What cases have in common that must follow the same readings.
struct ReadingGroup {
  const spec::OperatorVersion* version;
  spec::ElementType x;
  spec::ElementType scale;
  spec::ElementType zero_point;  ///< where there is none, the quantized type
  spec::ElementType y;
  std::optional<spec::ElementType> precision;  ///< the attribute, if the model sets it
  std::string form;                            ///< of generated cases; otherwise empty

  auto operator<=>(const ReadingGroup&) const = default;
};

struct Inconsistency {
  std::string_view ambiguity;
  ReadingGroup group;

  /// Cases whose answers are explained by these readings of the ambiguity, and by no other.
  struct Evidence {
    std::vector<std::string_view> readings;
    std::size_t cases;  ///< of those that were examined
    std::string id;     ///< the first of them

    bool operator==(const Evidence&) const = default;
  };
  std::array<Evidence, 2> evidence;  ///< without a reading in common

  bool operator==(const Inconsistency&) const = default;
};

/// The most cases to examine for each group and ambiguity: for each reading that cases name, and of the other cases
/// that depend on the ambiguity. They are the first ones of the plan.
inline constexpr std::size_t most_examined = 16;

/// The most cases of a group to generate again although they name no reading of the ambiguity. Cases whose types only
/// the model shows do not count.
inline constexpr std::size_t most_read = 128;

struct ConsistencyOptions {
  bool sign_of_zero = false;  ///< as the run was judged
  unsigned jobs = 1;          ///< threads; the result does not depend on their number
};

/// All that the bounds above allow to find, by ambiguity and then by group. `records` are those of the first cases of
/// the plan. Only groups in which a case names a reading are looked at, and only cases whose answers are known from
/// their verdict: pass, pass_variant and rejects_variant; no sweeps. A refusal shows nothing where the case has no
/// control. Where a search for readings is cut short, the case counts as explained by all of them. Throws what making
/// a case throws that is not a std::exception, and what examining it throws.
std::vector<Inconsistency> find_inconsistencies(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                                const ConsistencyOptions& options = {});

}  // namespace touchstone::conformance
