#include "conformance/report/support.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "conformance/plan/number.h"

namespace touchstone::conformance {

namespace {

std::string with_number(const char* what, const Counts& counts, AnswerClass of) {
  return counts[of] > 0 ? fmt::format(", {} {}", what, with_commas(counts[of])) : "";
}

std::string result_in_words(const Support::Opsets& opsets) {
  const Counts& counts = opsets.counts;
  const std::string others =
      opsets.refused_other > 0 ? fmt::format(" ({} of another operator)", with_commas(opsets.refused_other)) : "";
  if (const std::string_view common = common_result(counts, opsets.refused_other); !common.empty())
    return common == "refused" ? "refused" + others : std::string(common);
  return fmt::format("right in {} of {}{}{}{}{}", with_commas(counts[AnswerClass::right]), with_commas(counts.asked()),
                     with_number("wrong in", counts, AnswerClass::wrong),
                     with_number("refused", counts, AnswerClass::refused), others,
                     with_number("undecided", counts, AnswerClass::undecided));
}

void append(const Support::Opsets& next, std::vector<Support::Opsets>& all) {
  const auto result_of = [](const Support::Opsets& one) { return common_result(one.counts, one.refused_other); };
  if (all.empty() || result_of(all.back()) != result_of(next)) {
    all.push_back(next);
    return;
  }
  all.back().last = next.last;
  all.back().counts += next.counts;
  all.back().refused_other += next.refused_other;
}

}  // namespace

std::string_view common_result(const Counts& counts, std::size_t refused_other) {
  if (counts.asked() == 0) return "not asked";
  if (counts[AnswerClass::right] == counts.asked()) return "all right";
  if (counts[AnswerClass::right] > 0 && counts[AnswerClass::right] + counts[AnswerClass::undecided] == counts.asked())
    return "all right or undecided";
  if (refused_other == counts.asked()) return "refused (of another operator)";
  if (counts[AnswerClass::refused] == counts.asked()) return "refused";
  if (counts[AnswerClass::undecided] == counts.asked()) return "undecided";
  return "";
}

std::vector<Support> supported(const Summary& summary) {
  const Counts& legal = summary.all.legal;
  if (legal[AnswerClass::right] == legal.asked()) return {};
  // In the order of the specification's table of operators; graphs are the last.
  std::map<std::tuple<std::size_t, spec::ElementType>, Support> rows;
  const auto add = [&](std::size_t place, std::string op, spec::ElementType type, const Support::Opsets& opset) {
    const auto row = rows.try_emplace({place, type}, Support{std::move(op), type, {}}).first;
    append(opset, row->second.opsets);
  };
  for (const auto& [key, counts] : summary.matrix) {
    const auto& [domain, op, opset] = key.first;
    std::size_t place = 0;
    while (spec::operator_versions[place].domain != domain || spec::operator_versions[place].op != op) ++place;
    add(place, spec::qualified_name(domain, op), key.second, {opset, opset, counts});
  }
  for (const auto& [key, tally] : summary.graphs)
    add(spec::operator_versions.size(), "graphs", key.second, {key.first, key.first, tally.legal, tally.refused_other});
  std::vector<Support> found;
  const auto is_asked = [](const Support::Opsets& opsets) { return opsets.counts.asked() > 0; };
  for (auto& [key, row] : rows)
    if (std::ranges::any_of(row.opsets, is_asked)) found.push_back(std::move(row));
  return found;
}

std::string in_words(const Support& support) {
  std::vector<std::string> parts;
  for (const Support::Opsets& opsets : support.opsets) {
    const std::string last = opsets.first == opsets.last ? "" : fmt::format(" to {}", opsets.last);
    parts.push_back(fmt::format("opset {}{} {}", opsets.first, last, result_in_words(opsets)));
  }
  return fmt::format("{} {}: {}", support.op, spec::name(support.type), fmt::join(parts, "; "));
}

}  // namespace touchstone::conformance
