#include "conformance/report/readings_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/layout.h"
#include "spec/ambiguities.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t shown_rows = 12;

bool is_primary(const FingerprintRow& row) {
  return row.following == Following::one_reading &&
         row.parts.front().readings.front() == spec::find_ambiguity(row.ambiguity)->readings.front().id;
}

/// A line for each part: "in-float32 for x float16 (12 cases): ID".
std::string row_text(const FingerprintRow& row) {
  const auto part_text = [&](const FingerprintRow::Part& part) {
    std::string text = readings_text(part);
    if (const std::string values = values_text(row, part); !values.empty()) text += " for " + displayed_line(values);
    if (part.cases == 0) return text;
    return text + fmt::format(" ({} case{}): {}", with_commas(part.cases), part.cases == 1 ? "" : "s",
                              displayed_line(part.id));
  };
  if (row.parts.size() == 1) return fmt::format("  {}: {}\n", row.ambiguity, part_text(row.parts.front()));
  std::string text = fmt::format("  {}:\n", row.ambiguity);
  for (const FingerprintRow::Part& part : row.parts) text += fmt::format("    {}\n", part_text(part));
  return text;
}

}  // namespace

std::vector<FingerprintGroup> fingerprint_groups(const std::vector<FingerprintRow>& fingerprint) {
  std::vector<FingerprintGroup> groups{{"inconsistent", true, {}},
                                       {"several readings", true, {}},
                                       {"another reading than the primary one", true, {}},
                                       {"the primary reading", false, {}},
                                       {"not determined", false, {}}};
  const auto place = [](const FingerprintRow& row) -> std::size_t {
    switch (row.following) {
      case Following::inconsistent: return 0;
      case Following::several: return 1;
      case Following::one_reading: return is_primary(row) ? 3 : 2;
      case Following::not_determined: break;
    }
    return 4;
  };
  for (const FingerprintRow& row : fingerprint) groups[place(row)].rows.push_back(&row);
  std::erase_if(groups, [](const FingerprintGroup& group) { return group.rows.empty(); });
  return groups;
}

std::string fingerprint_headline(const std::vector<FingerprintRow>& fingerprint) {
  std::vector<std::string> counts;
  for (const FingerprintGroup& group : fingerprint_groups(fingerprint))
    counts.push_back(fmt::format("{} {}", group.rows.size(), group.words));
  return fmt::format("{} {}{}{}", fingerprint.size(), fingerprint.size() == 1 ? "ambiguity" : "ambiguities",
                     counts.empty() ? "" : ": ", fmt::join(counts, ", "));
}

std::string readings_text(const FingerprintRow::Part& part) {
  return fmt::format("{}", fmt::join(part.readings, " or "));
}

std::string values_text(const FingerprintRow& row, const FingerprintRow::Part& part) {
  const bool speaks_for_itself = row.property.empty() || row.property == "operator" || row.property == "version";
  const std::string_view name = row.property == "type" ? std::string_view("quantized type") : row.property;
  return fmt::format("{}{}{}", speaks_for_itself ? "" : name, speaks_for_itself ? "" : " ",
                     fmt::join(part.values, ", "));
}

std::string render_fingerprint(const std::vector<FingerprintRow>& fingerprint) {
  std::string text = fingerprint_headline(fingerprint) + '\n';
  for (const FingerprintGroup& group : fingerprint_groups(fingerprint)) {
    text += fmt::format("\n{}\n", group.words);
    for (const FingerprintRow* row : group.rows) text += row_text(*row);
  }
  return text;
}

std::string render_fingerprint(const Summary& summary) {
  if (!summary.fingerprint || summary.fingerprint->empty()) return "";
  std::string text = fmt::format("fingerprint of {}\n", fingerprint_headline(*summary.fingerprint));
  std::size_t shown = 0;
  for (const FingerprintGroup& group : fingerprint_groups(*summary.fingerprint))
    for (const FingerprintRow* row : group.rows)
      if (group.differs && row->following != Following::inconsistent &&
          shown < shown_rows) {  // those are in the totals
        text += row_text(*row);
        ++shown;
      }
  return text + "  all of them: touchstone fingerprint DIR\n";
}

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
