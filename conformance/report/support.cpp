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

/// The result of all these cases, or none if they have different ones.
std::string_view common_result(const Counts& counts) {
  if (counts.asked() == 0) return "not asked";
  if (counts[AnswerClass::right] == counts.asked()) return "all right";
  if (counts[AnswerClass::refused] == counts.asked()) return "refused";
  if (counts[AnswerClass::undecided] == counts.asked()) return "undecided";
  return "";
}

std::string result_in_words(const Counts& counts) {
  if (const std::string_view common = common_result(counts); !common.empty()) return std::string(common);
  return fmt::format("right in {} of {}{}{}{}", with_commas(counts[AnswerClass::right]), with_commas(counts.asked()),
                     with_number("wrong in", counts, AnswerClass::wrong),
                     with_number("refused", counts, AnswerClass::refused),
                     with_number("undecided", counts, AnswerClass::undecided));
}

void append(const Counts& counts, int opset, std::vector<Support::Opsets>& all) {
  if (all.empty() || common_result(all.back().counts) != common_result(counts)) {
    all.push_back({opset, opset, counts});
    return;
  }
  all.back().last = opset;
  all.back().counts += counts;
}

}  // namespace

std::vector<Support> supported(const Summary& summary) {
  const Counts& legal = summary.all.legal;
  if (legal[AnswerClass::right] == legal.asked()) return {};
  // In the order of the specification's table of operators; graphs are the last.
  std::map<std::tuple<std::size_t, spec::ElementType>, Support> rows;
  const auto add = [&](std::size_t place, std::string op, int opset, spec::ElementType type, const Counts& counts) {
    const auto row = rows.try_emplace({place, type}, Support{std::move(op), type, {}}).first;
    append(counts, opset, row->second.opsets);
  };
  for (const auto& [key, counts] : summary.matrix) {
    const auto& [domain, op, opset] = key.first;
    std::size_t place = 0;
    while (spec::operator_versions[place].domain != domain || spec::operator_versions[place].op != op) ++place;
    add(place, spec::qualified_name(domain, op), opset, key.second, counts);
  }
  for (const auto& [key, tally] : summary.graphs)
    add(spec::operator_versions.size(), "graphs", key.first, key.second, tally.legal);
  std::vector<Support> found;
  const auto is_asked = [](const Support::Opsets& opsets) { return opsets.counts.asked() > 0; };
  for (auto& [key, row] : rows)
    if (std::ranges::any_of(row.opsets, is_asked)) found.push_back(std::move(row));
  return found;
}

std::string in_words(const Support& support) {
  std::vector<std::string> parts;
  for (const auto& [first, last, counts] : support.opsets)
    parts.push_back(
        fmt::format("opset {}{} {}", first, first == last ? "" : fmt::format(" to {}", last), result_in_words(counts)));
  return fmt::format("{} {}: {}", support.op, spec::name(support.type), fmt::join(parts, "; "));
}

}  // namespace touchstone::conformance
