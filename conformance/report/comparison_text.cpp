#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/comparison.h"
#include "conformance/report/json_report.h"
#include "conformance/report/layout.h"
#include "conformance/report/markdown.h"

namespace touchstone::conformance {

namespace {

/// The version of the format of comparison_json.
constexpr int comparison_format = 1;

/// A part of the comparison, for a terminal and for Markdown.
struct Block {
  std::string title;
  struct Line {
    std::size_t depth;
    std::string text;
  };
  std::vector<Line> lines = {};
  Table table = {};  ///< without rows: none
};

/// "A", "B", ..., "Z", "AA".
std::string letter(std::size_t run) {
  const std::string last(1, static_cast<char>('A' + run % 26));
  return run < 26 ? last : letter(run / 26 - 1) + last;
}

Table::Field field_of_cell(const std::optional<Counts>& counts, bool has_same_cases) {
  if (!counts) return {"·", Tone::no_case};
  const std::string_view word = result_word(*counts);
  if (counts->asked() == 0) return {std::string(word)};
  Table::Field field = field_of(*counts);
  if (has_same_cases && !word.empty()) field.text = word == "all right or undecided" ? "all right*" : word;
  if (!has_same_cases && field.text.find('/') == std::string::npos) field.text += fmt::format("/{}", counts->asked());
  return field;
}

Block table_block(std::string title, const RunComparison& comparison, const std::vector<RunComparison::Row>& rows) {
  Block block{std::move(title)};
  block.table.columns.push_back({"", true});
  for (std::size_t run = 0; run < comparison.runs.size(); ++run) block.table.columns.push_back({letter(run)});
  for (const RunComparison::Row& row : rows) {
    std::vector<std::string> names;
    for (const std::string& name : row.path)
      if (name != any_name || row.path.size() == 1) names.push_back(name);
    std::vector<Table::Field>& fields = block.table.rows.emplace_back();
    fields.push_back({displayed_line(fmt::format("{}", fmt::join(names, " ")))});
    for (const auto& counts : row.counts) fields.push_back(field_of_cell(counts, comparison.has_same_cases));
  }
  return block;
}

/// A block for each operator, so that the rows have short names.
void add_operators(const std::string& title, const RunComparison& comparison,
                   const std::vector<RunComparison::Row>& rows, std::vector<Block>& blocks) {
  std::vector<std::pair<std::string, std::vector<RunComparison::Row>>> operators;
  for (const auto& [path, counts] : rows) {
    if (operators.empty() || operators.back().first != path.front()) operators.push_back({path.front(), {}});
    operators.back().second.push_back({ResultPath(path.begin() + 1, path.end()), counts});
  }
  for (const auto& [op, own_rows] : operators)
    blocks.push_back(table_block(displayed_line(op) + title, comparison, own_rows));
}

Block runs_block(const RunComparison& comparison) {
  Block block{comparison.runs.size() == 1 ? "run" : "runs"};
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const auto& [origin, result, journal] = comparison.runs[i];
    std::string how = result.command;
    if (!result.cpu.empty()) how += " as " + result.cpu;
    if (!result.assume.empty()) how += fmt::format(", assumed {}", fmt::join(result.assume, ", "));
    block.lines.push_back(
        {0, fmt::format("{}: {} {}, {}", letter(i), result.backend.name, result.backend.version, how)});
    block.lines.push_back({1, in_words(result.total)});
    if (result.not_run > 0)
      block.lines.push_back(
          {1, fmt::format("{} of {} cases are not run: {}", with_commas(result.not_run),
                          with_commas(result.plan.value("cases", std::size_t{0})), result.not_run_reason)});
    const auto suites = result.plan["suites"].get<std::vector<std::string>>();
    block.lines.push_back({1, fmt::format("tier {}, {}; {}; {}", result.plan.value("tier", ""),
                                          fmt::join(suites, " and "), result.host, origin)});
  }
  for (const std::string& note : comparison.notes) block.lines.push_back({0, note});
  return block;
}

Block causes_block(const RunComparison& comparison) {
  Block block{"causes"};
  for (const RunComparison::SharedCause& shared : comparison.causes) {
    const ResultCause& first = *shared.parts.front().cause;
    std::vector<std::string> runs;
    for (const auto& part : shared.parts)
      if (runs.empty() || runs.back() != letter(part.run)) runs.push_back(letter(part.run));
    block.lines.push_back({0, fmt::format("{} {}: {}{}", fmt::join(runs, " "), first.is_wrong ? "wrong" : "refused",
                                          first.sentence, first.name.empty() ? "" : fmt::format(" [{}]", first.name))});
    for (const auto& [run, cause, reproducer] : shared.parts) {
      block.lines.push_back({1, fmt::format("{}  {} {}: {}", letter(run), with_commas(cause->cases),
                                            cause->cases == 1 ? "case" : "cases", cause->where)});
      if (!cause->element.empty()) block.lines.push_back({3, cause->element});
      block.lines.push_back({3, reproducer.empty() ? cause->example : reproducer});
    }
  }
  for (std::size_t i = 0; i < comparison.runs.size(); ++i)
    if (const std::size_t more = comparison.runs[i].result.more_causes; more > 0)
      block.lines.push_back({0, fmt::format("{} has {} more, for which its file has no room", letter(i), more)});
  return block;
}

/// "zero", "zero or undefined", "type: zero for uint8, int8; maximum for int16", "inconsistent: zero; maximum".
std::string readings_in_words(const Json& readings) {
  const auto one_of = [](const Json& names) {
    std::vector<std::string> texts;
    for (const Json& name : names)  // of a string: itself
      texts.push_back(name.is_string() ? name.get<std::string>() : ascii(name));
    return fmt::format("{}", fmt::join(texts, " or "));
  };
  if (readings.is_null()) return "not known";
  if (!readings.is_object()) return one_of(readings);
  std::vector<std::string> parts;
  for (const auto& [kind, by_value] : readings.items()) {
    std::vector<std::string> texts;
    for (const auto& [values, names] : by_value.items())
      texts.push_back(one_of(names) + (by_value.is_object() ? " for " + values : ""));
    parts.push_back(fmt::format("{}: {}", kind, fmt::join(texts, "; ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

Block fingerprint_block(const RunComparison& comparison) {
  Block block{"fingerprints, where they differ"};
  for (const RunComparison::Readings& row : comparison.fingerprint) {
    block.lines.push_back({0, row.ambiguity});
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // readings, and the runs that have them
    for (std::size_t run = 0; run < row.readings.size(); ++run) {
      const std::string words = readings_in_words(row.readings[run]);
      auto group = std::ranges::find(groups, words, [](const auto& one) { return one.first; });
      if (group == groups.end()) group = groups.insert(group, {words, {}});
      group->second.push_back(letter(run));
    }
    for (const auto& [words, runs] : groups)
      block.lines.push_back({1, fmt::format("{}  {}", fmt::join(runs, " "), words)});
  }
  return block;
}

Block only_here_block(const RunComparison::OnlyHere& here, std::size_t most) {
  const auto& [run, is_wrong, ids] = here;
  Block block{fmt::format("{} only in {}: {}", is_wrong ? "wrong" : "right", letter(run), with_commas(ids.size()))};
  for (const std::string& id : ids) {
    if (most > 0 && block.lines.size() == most) {
      block.lines.push_back({0, fmt::format("... and {} more: --most 0 shows all", with_commas(ids.size() - most))});
      break;
    }
    block.lines.push_back({0, id});
  }
  return block;
}

/// The parts that are not empty.
std::vector<Block> blocks_of(const RunComparison& comparison, std::size_t most) {
  std::vector<Block> blocks{
      runs_block(comparison),
      table_block("graphs of networks: right/asked; ✗: wrong; *: or undecided", comparison, comparison.uses)};
  add_operators(": right/asked; ✗: wrong; *: or undecided; ·: no case, or not known", comparison, comparison.operators,
                blocks);
  add_operators(" by version, where results differ", comparison, comparison.versions, blocks);
  for (Block& block :
       std::array{table_block("types of real numbers, where results differ", comparison, comparison.float_types),
                  table_block("illegal models, where results differ: rejected/asked; ✗: not rejected", comparison,
                              comparison.illegal),
                  table_block("forms, where results differ", comparison, comparison.forms),
                  table_block("patterns of graphs, where results differ", comparison, comparison.graphs),
                  causes_block(comparison), fingerprint_block(comparison)})
    blocks.push_back(std::move(block));
  for (const RunComparison::OnlyHere& here : comparison.only_here) blocks.push_back(only_here_block(here, most));
  std::erase_if(blocks, [](const Block& block) { return block.lines.empty() && block.table.rows.empty(); });
  return blocks;
}

Json rows_json(const std::vector<RunComparison::Row>& rows, OfModels of_models) {
  Json json = Json::array();
  for (const RunComparison::Row& row : rows) {
    Json counts = Json::array();
    for (const auto& of_run : row.counts) counts.push_back(of_run ? counts_json(*of_run, of_models) : Json());
    json.push_back({{"path", row.path}, {"counts", counts}});
  }
  return json;
}

}  // namespace

std::string comparison_text(const RunComparison& comparison, std::size_t most) {
  std::string text;
  for (const Block& block : blocks_of(comparison, most)) {
    text += fmt::format("{}{}\n", text.empty() ? "" : "\n", block.title);
    for (const auto& [depth, line] : block.lines)
      text += fmt::format("{:{}}{}\n", "", 2 * (depth + 1), displayed_line(line));
    if (!block.table.rows.empty())
      for (const Table& part : divided(block.table, matrix_width)) text += render_text(part, Color::never);
  }
  return text;
}

std::string comparison_markdown(const RunComparison& comparison, std::size_t most) {
  std::string text = "## Touchstone: comparison\n";
  for (const Block& block : blocks_of(comparison, most)) {
    text += fmt::format("\n### {}\n\n", escaped(block.title));
    for (const auto& [depth, line] : block.lines)
      text += fmt::format("{:{}}* {}\n", "", depth > 0 ? 2 : 0, escaped(line));
    Table table = block.table;
    for (auto& row : table.rows) row.front().text = escaped(row.front().text);
    if (!table.rows.empty()) text += render_markdown(table);
  }
  return text;
}

std::string comparison_json(const RunComparison& comparison) {
  constexpr OfModels legal = &AnswerClassInfo::is_of_legal;
  Json json{{"comparison", comparison_format}, {"same_cases", comparison.has_same_cases}, {"notes", comparison.notes}};
  json["runs"] = Json::array();
  for (const auto& [origin, result, journal] : comparison.runs)
    json["runs"].push_back({{"origin", origin}, {"result", Json::parse(to_text(result))}});
  json["operators"] = rows_json(comparison.operators, legal);
  json["versions"] = rows_json(comparison.versions, legal);
  json["float_types"] = rows_json(comparison.float_types, legal);
  json["illegal"] = rows_json(comparison.illegal, &AnswerClassInfo::is_of_illegal);
  json["uses"] = rows_json(comparison.uses, legal);
  json["forms"] = rows_json(comparison.forms, legal);
  json["graphs"] = rows_json(comparison.graphs, legal);
  json["causes"] = Json::array();
  for (const RunComparison::SharedCause& shared : comparison.causes) {
    const ResultCause& first = *shared.parts.front().cause;
    json["causes"].push_back({{"class", first.is_wrong ? "wrong" : "refused"},
                              {"name", first.name.empty() ? Json() : Json(first.name)},
                              {"sentence", first.sentence},
                              {"runs", Json::array()}});
    for (const auto& [run, cause, reproducer] : shared.parts) {
      Json part{{"run", run}, {"cases", cause->cases}, {"where", cause->where}, {"example", cause->example}};
      if (!cause->element.empty()) part["element"] = cause->element;
      if (!cause->from.empty()) part["from"] = cause->from;
      if (!reproducer.empty()) part["reproducer"] = reproducer;
      json["causes"].back()["runs"].push_back(std::move(part));
    }
  }
  json["fingerprint"] = Json::array();
  for (const RunComparison::Readings& row : comparison.fingerprint)
    json["fingerprint"].push_back({{"ambiguity", row.ambiguity}, {"readings", row.readings}});
  json["only_here"] = Json::array();
  for (const auto& [run, is_wrong, ids] : comparison.only_here)
    json["only_here"].push_back({{"run", run}, {"class", is_wrong ? "wrong" : "right"}, {"cases", ids}});
  return indented(json) + '\n';
}

}  // namespace touchstone::conformance
