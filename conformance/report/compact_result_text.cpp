// Writing compact results within their limit.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "conformance/report/compact_result.h"
#include "conformance/report/format.h"
#include "conformance/report/json_report.h"

namespace touchstone::conformance {

namespace {

/// The patterns with rows of their own, if all fit.
constexpr std::size_t most_patterns = 60;
/// The bytes that graphs leave for causes.
constexpr std::size_t bytes_for_causes = 6'000;
/// The bytes that operators leave for causes and graphs.
constexpr std::size_t least_bytes_for_causes = 2'500;

Json named_counts(const Counts& counts, OfModels of_models) {
  Json json = Json::object();
  for (const AnswerClassInfo& row : answer_classes)
    if (row.*of_models) json[std::string(row.id)] = counts[row.answer_class];
  json["total"] = counts.total();
  return json;
}

Json nested(const ResultRows& rows, OfModels of_models) {
  Json json = Json::object();
  for (const auto& [path, counts] : rows) {
    Json* place = &json;
    for (const std::string& name : path) place = &(*place)[name];
    *place = counts_json(counts, of_models);
  }
  return json;
}

/// How graphs share rows.
struct GraphRows {
  bool merges_right;      ///< patterns with only right cases
  bool merges_types;      ///< of a pattern
  std::size_t most_rows;  ///< patterns with a row of their own: those with the most wrong cases, then with refused ones
};

ResultRows sharing(const ResultRows& graphs, const GraphRows& how) {
  std::map<std::string, Counts> by_pattern;
  for (const auto& [path, counts] : graphs) by_pattern[path[0]] += counts;
  const auto is_right = [](const Counts& counts) { return counts[AnswerClass::right] == counts.total(); };
  std::vector<std::pair<std::string, Counts>> order(by_pattern.begin(), by_pattern.end());
  if (how.merges_right) std::erase_if(order, [&](const auto& row) { return is_right(row.second); });
  std::ranges::stable_sort(order, std::greater(), [](const auto& row) {
    return std::pair(row.second[AnswerClass::wrong], row.second.total() - row.second[AnswerClass::right]);
  });
  if (order.size() > how.most_rows) order.resize(how.most_rows);
  ResultRows rows;
  for (const auto& [path, counts] : graphs) {
    const bool is_alone = std::ranges::find(order, path[0], &std::pair<std::string, Counts>::first) != order.end();
    if (is_alone)
      rows[{path[0], path[1], how.merges_types ? any_name : path[2]}] += counts;
    else
      rows[{how.merges_right && is_right(by_pattern[path[0]]) ? right_patterns : other_patterns, path[1], path[2]}] +=
          counts;
  }
  return rows;
}

/// The members of the object on lines of their own; of nested objects, too, and the elements of arrays of objects.
std::string in_json_lines(const Json& json, std::size_t depth = 0) {
  const auto is_nested = [](const Json& value) {
    return value.is_structured() && std::ranges::any_of(value, &Json::is_structured);
  };
  std::string text;
  for (const auto& [key, value] : json.items()) {
    text +=
        fmt::format("{}\n{:{}}{}", text.empty() ? "" : ",", "", depth + 1, json.is_object() ? ascii(key) + ":" : "");
    text += depth == 0 && is_nested(value) ? in_json_lines(value, depth + 1) : ascii(value);
  }
  text += fmt::format("\n{:{}}", "", depth);
  return json.is_object() ? '{' + text + '}' : '[' + text + ']';
}

Json cause_json(const ResultCause& cause) {
  Json json{{"class", cause.is_wrong ? "wrong" : "refused"}};
  if (!cause.name.empty()) json["name"] = cut(cause.name, longest_result_text);
  json["sentence"] = cut(cause.sentence, longest_result_text);
  json["where"] = cut(cause.where, longest_result_text);
  json["cases"] = cause.cases;
  json["example"] = cut(cause.example, longest_result_text);
  if (!cause.element.empty()) json["element"] = cut(cause.element, longest_result_text);
  if (!cause.from.empty()) json["from"] = cut(cause.from, longest_result_name);
  return json;
}

/// What identifies the run.
Json identity_json(const CompactResult& result) {
  Json plan = result.plan;
  for (Json& value : plan)
    if (value.is_string()) value = cut(value.get<std::string>(), longest_result_text);
  Json& suites = plan["suites"];
  while (suites.size() > 10) suites.erase(suites.size() - 1);
  for (Json& suite : suites) suite = cut(suite.get<std::string>(), longest_result_name);
  Json configuration = Json::object();
  if (const std::string variant = result.variant(); !variant.empty())
    configuration["variant"] = cut(variant, longest_result_name);
  if (!result.cpu.empty()) configuration["cpu"] = cut(result.cpu, longest_result_name);
  for (const std::string& text : result.assume) configuration["assume"].push_back(cut(text, longest_result_text));
  Json json{{"touchstone_result", compact_result_format},
            {"touchstone", cut(result.program, longest_result_name)},
            {"backend",
             {{"name", cut(result.backend.name, longest_result_name)},
              {"version", cut(result.backend.version, longest_result_name)},
              {"description", cut(result.backend.description, longest_result_text)}}},
            {"command", cut(result.command, longest_result_text)},
            {"configuration", configuration},
            {"host", cut(result.host, longest_result_text)}};
  if (!result.finished.empty()) json["finished"] = cut(result.finished, longest_result_name);
  json["plan"] = std::move(plan);
  json["judge"] = result.judge;
  json["content"] = result.content;
  json["journal"] = result.journal;
  return json;
}

}  // namespace

Json counts_json(const Counts& counts, OfModels of_models) {
  Json numbers = Json::array();
  std::size_t used = 0;
  for (const AnswerClassInfo& row : answer_classes) {
    if (!(row.*of_models)) continue;
    numbers.push_back(counts[row.answer_class]);
    if (counts[row.answer_class] > 0) used = numbers.size();
  }
  while (numbers.size() > used) numbers.erase(numbers.size() - 1);
  return numbers;
}

std::string to_text(CompactResult result) {
  constexpr OfModels legal = &AnswerClassInfo::is_of_legal;
  constexpr OfModels illegal = &AnswerClassInfo::is_of_illegal;
  Json json = identity_json(result);
  json["total"] = named_counts(result.total.legal, legal);
  json["illegal"] = named_counts(result.total.illegal, illegal);
  if (result.not_run > 0)
    json["not_run"] = {{"cases", result.not_run}, {"reason", cut(result.not_run_reason, longest_result_text)}};
  json["operators"] = nested(result.operators, legal);
  json["float_types"] = nested(result.float_types, legal);
  json["illegal_models"] = nested(result.illegal, illegal);
  json["graphs"] = Json::object();
  json["uses"] = nested(result.uses, legal);
  json["forms"] = nested(result.forms, legal);
  json["causes"] = Json::array();
  std::size_t bytes_of_causes = 0;
  for (const ResultCause& cause : result.causes) {
    json["causes"].push_back(cause_json(cause));
    bytes_of_causes += ascii(json["causes"].back()).size();
  }
  if (result.more_causes > 0) json["more_causes"] = result.more_causes;
  if (!result.more_names.empty()) json["more_names"] = result.more_names;
  json["fingerprint"] = result.fingerprint;

  const auto size = [&] { return in_json_lines(json).size() + 1; };
  if (size() - bytes_of_causes > compact_result_bytes - least_bytes_for_causes)
    json["operators"] = nested(without_granularities(result.operators), legal);
  const std::size_t reserved = bytes_of_causes - std::min(bytes_of_causes, bytes_for_causes);
  for (const GraphRows& how : {GraphRows{false, false, most_patterns},
                               {true, false, most_patterns},
                               {true, false, 30},
                               {true, true, most_patterns},
                               {true, true, 30},
                               {true, true, 10},
                               {true, true, 0}}) {
    json["graphs"] = nested(sharing(result.graphs, how), legal);
    const bool has_all = how.merges_right || !json["graphs"].contains(other_patterns);
    if (has_all && size() <= compact_result_bytes + reserved) break;
  }
  while (size() > compact_result_bytes && !json["causes"].empty()) {
    Json& last = json["causes"].back();
    if (const std::string name = last.value("name", "");
        !name.empty() && std::ranges::find(result.more_names, name) == result.more_names.end()) {
      result.more_names.insert(result.more_names.begin(), name);
      json["more_names"] = result.more_names;
    }
    json["causes"].erase(json["causes"].size() - 1);
    json["more_causes"] = ++result.more_causes;
  }
  if (size() > compact_result_bytes) json.erase("more_names");
  Json& fingerprint = json["fingerprint"];
  while (size() > compact_result_bytes && !fingerprint.empty()) fingerprint.erase(std::prev(fingerprint.end()));
  return in_json_lines(json) + '\n';
}

std::string compact_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records) {
  return to_text(compact_result(run, summary, records));
}

}  // namespace touchstone::conformance
