// Finds cases of the same kind in which a backend follows different permitted readings.
//
// A backend may follow a permitted reading if it does so consistently. One case shows which readings explain its
// answers, and passes. Two cases of the same operator version, types and form prove inconsistency if no single reading
// of an ambiguity explains the answers of both, whatever the readings of the other ambiguities.
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
#include "conformance/run/read_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// The properties shared by cases that must follow the same readings.
struct ReadingGroup {
  const OperatorVersion* version;
  ElementType x;
  ElementType scale;
  ElementType zero_point;  ///< if absent, the quantized type
  ElementType y;
  std::optional<ElementType> precision;  ///< the attribute, if the model sets it
  std::string form;                      ///< of generated cases; otherwise empty

  auto operator<=>(const ReadingGroup&) const = default;
};

struct Inconsistency {
  std::string_view ambiguity;
  ReadingGroup group;

  /// Cases whose answers are explained by exactly these readings of the ambiguity.
  struct Evidence {
    std::vector<std::string_view> readings;
    std::size_t cases;  ///< among those examined
    std::string id;     ///< the first of them

    bool operator==(const Evidence&) const = default;
  };
  std::array<Evidence, 2> evidence;  ///< without a common reading

  bool operator==(const Inconsistency&) const = default;
};

/// The maximum number of cases to examine for each group and ambiguity: for each reading that cases name, and for the
/// other cases that depend on the ambiguity. The first ones of the plan are examined.
inline constexpr std::size_t most_examined = 16;

/// The maximum number of cases of a group to generate again although they name no reading of the ambiguity. Cases whose
/// types are known only from the model do not count.
inline constexpr std::size_t most_read = 128;

/// All inconsistencies within the limits above, by ambiguity and then by group. `records` are those of the first cases
/// of the plan. Examines only groups in which a case names a reading, and only cases whose answers are known from their
/// verdict: pass, pass_variant and rejects_variant; no sweeps. If a search for readings is cut short,
/// all readings count as explaining the case. Throws exceptions from building a case that are not a std::exception, and
/// exceptions from examining it.
std::vector<Inconsistency> find_inconsistencies(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                                const ExaminationOptions& options = {});

}  // namespace touchstone::conformance
