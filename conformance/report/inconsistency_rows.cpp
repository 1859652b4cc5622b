#include "conformance/report/inconsistency_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/report/layout.h"

namespace touchstone::conformance {

std::vector<InconsistencyRow> inconsistency_rows(const Summary& summary) {
  std::vector<InconsistencyRow> rows;
  if (!summary.inconsistencies) return rows;
  for (const Inconsistency& one : *summary.inconsistencies) {
    if (rows.empty() || rows.back().ambiguity != one.ambiguity) rows.push_back({one.ambiguity, 0, &one});
    ++rows.back().groups;
  }
  return rows;
}

std::string in_words(const ReadingGroup& group) {
  std::string text =
      fmt::format("{}, x {}, scale {}, zero point {}, y {}", version_name(*group.version), spec::name(group.x),
                  spec::name(group.scale), spec::name(group.zero_point), spec::name(group.y));
  if (group.precision) text += fmt::format(", precision {}", spec::name(*group.precision));
  if (!group.form.empty()) text += fmt::format(", form {}", group.form);
  return text;
}

std::string readings_text(const Inconsistency::Evidence& evidence) {
  return fmt::format("{}", fmt::join(evidence.readings, " or "));
}

std::string cases_text(const Inconsistency::Evidence& evidence) {
  return fmt::format("{} case{}", evidence.cases, evidence.cases == 1 ? "" : "s");
}

}  // namespace touchstone::conformance
