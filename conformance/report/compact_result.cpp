#include "conformance/report/compact_result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "conformance/backends/assumptions.h"
#include "conformance/files/file_error.h"
#include "conformance/files/text.h"
#include "conformance/generate/form.h"
#include "conformance/graphs/graph_parameters.h"
#include "conformance/report/format.h"
#include "conformance/report/json_report.h"
#include "conformance/report/uses.h"

namespace touchstone::conformance {

namespace {

// The longest texts, in bytes of JSON.
constexpr std::size_t longest_name = 60;
constexpr std::size_t longest_text = 200;

/// The patterns with rows of their own, if all fit.
constexpr std::size_t most_patterns = 60;
/// The bytes that graphs leave for causes.
constexpr std::size_t bytes_for_causes = 6'000;
/// The bytes that operators leave for causes and graphs.
constexpr std::size_t least_bytes_for_causes = 2'500;

/// A list of readings may have more members than others.
constexpr std::uint64_t most_members = 1'000;

/// The places of the names in the tables of the specification, and in that of forms.
const std::unordered_map<std::string_view, std::size_t>& places_of_names() {
  static const auto places = [] {
    std::unordered_map<std::string_view, std::size_t> found;
    const auto add = [&](std::string_view name) { found.emplace(name, found.size()); };
    static std::vector<std::string> operator_names;
    for (const spec::OperatorVersion& row : spec::operator_versions)
      operator_names.push_back(spec::qualified_name(row.domain, row.op));
    for (const std::string& name : operator_names) add(name);
    for (const spec::ElementTypeInfo& row : spec::element_types) add(row.name);
    for (const spec::Granularity one :
         {spec::Granularity::per_tensor, spec::Granularity::per_axis, spec::Granularity::blocked})
      add(spec::name(one));
    for (const Form& form : forms()) add(form.name);
    return found;
  }();
  return places;
}

/// What a name is sorted by: numbers by value, known names by their place, and others after them.
std::size_t rank(const std::string& name) {
  if (!name.empty() && name.size() < 10 && name.find_first_not_of("0123456789") == std::string::npos)
    return std::stoul(name);
  const auto known = places_of_names().find(name);
  return known != places_of_names().end() ? known->second : std::size_t{1} << 32;
}

/// The beginning of a text that takes at most so many bytes as JSON.
std::string cut(const std::string& text, std::size_t longest = longest_text) {
  std::string kept = valid_utf8(text.substr(0, longest));
  const bool is_whole = text.size() <= longest && ascii(kept).size() <= longest;
  if (is_whole) return kept;
  while (ascii(kept).size() > longest - 3) {
    kept.pop_back();
    while (!kept.empty() && (static_cast<unsigned char>(kept.back()) & 0xc0) == 0x80) kept.pop_back();
  }
  return valid_utf8(kept) + "...";
}

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

// ---- Reading. Each function names what is wrong.

const Json& member(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) throw std::runtime_error(fmt::format("{}: missing", name));
  return *found;
}

[[noreturn]] void refuse_type(std::string_view name) {
  throw std::runtime_error(fmt::format("{}: has another type than it should", name));
}

std::size_t number_in(const Json& value, std::string_view name) {
  if (!value.is_number_integer() || value < 0) refuse_type(name);
  return value.get<std::size_t>();
}

std::size_t number(const Json& json, const char* name) { return number_in(member(json, name), name); }

std::string text_of(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_string()) refuse_type(name);
  return value.get<std::string>();
}

std::string optional_text(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() || found->is_null() ? "" : text_of(json, name);
}

const Json& object(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_object()) refuse_type(name);
  return value;
}

/// The objects of an array; none if the member is missing.
std::vector<Json> objects(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) return {};
  if (!found->is_array() || !std::ranges::all_of(*found, [](const Json& row) { return row.is_object(); }))
    refuse_type(name);
  return {found->begin(), found->end()};
}

Counts counts_from(const Json& json, OfModels of_models) {
  Counts counts;
  for (const AnswerClassInfo& row : answer_classes)
    if (row.*of_models)
      counts.by_class[static_cast<std::size_t>(row.answer_class)] = number(json, std::string(row.id).c_str());
  return counts;
}

Counts counts_from_array(const Json& json, OfModels of_models, const std::string& where) {
  Counts counts;
  std::size_t place = 0;
  for (const AnswerClassInfo& row : answer_classes) {
    if (!(row.*of_models) || place == json.size()) continue;
    counts.by_class[static_cast<std::size_t>(row.answer_class)] = number_in(json[place++], where);
  }
  if (place != json.size()) throw std::runtime_error(where + ": has more numbers than classes");
  return counts;
}

void read_rows(const Json& json, std::size_t depth, OfModels of_models, ResultPath path, ResultRows& rows) {
  const std::string where = fmt::format("{}", fmt::join(path, "."));
  if (path.size() == depth + 1) {
    if (!json.is_array()) refuse_type(where);
    rows[ResultPath(path.begin() + 1, path.end())] = counts_from_array(json, of_models, where);
    return;
  }
  if (!json.is_object()) refuse_type(where);
  for (const auto& [name, inner] : json.items()) {
    path.push_back(name);
    read_rows(inner, depth, of_models, path, rows);
    path.pop_back();
  }
}

ResultRows rows_of(const Json& json, const char* name, std::size_t depth, OfModels of_models) {
  ResultRows rows;
  read_rows(object(json, name), depth, of_models, {name}, rows);
  return rows;
}

void read_identity(const Json& json, CompactResult& result) {
  const Json& backend = object(json, "backend");
  result.backend = {text_of(backend, "name"), text_of(backend, "version"), text_of(backend, "description")};
  result.host = text_of(json, "host");
  result.plan = object(json, "plan");
  for (const char* name : {"tier", "filter", "hash"}) text_of(result.plan, name);
  for (const char* name : {"seed", "cases"}) number(result.plan, name);
  const Json& suites = member(result.plan, "suites");
  if (!suites.is_array() || !std::ranges::all_of(suites, &Json::is_string)) refuse_type("suites");
  result.judge = object(json, "judge");
  for (const char* name : {"strict", "sign_of_zero"})
    if (!member(result.judge, name).is_boolean()) refuse_type(name);
}

/// The version of an operator, of which a report names domain and opset.
std::string version_at(const std::string& domain, const std::string& op, std::size_t opset) {
  std::optional<int> newest;
  for (const spec::OperatorVersion& row : spec::operator_versions)
    if (row.domain == domain && spec::name(row.op) == op && static_cast<std::size_t>(row.since_version) <= opset)
      newest = std::max(newest.value_or(0), row.since_version);
  return newest ? std::to_string(*newest) : std::to_string(opset);
}

/// Empty if it is missing.
std::vector<std::string> texts(const Json& json, const char* name) {
  std::vector<std::string> found;
  if (!json.contains(name)) return found;
  for (const Json& text : json[name]) {
    if (!text.is_string()) refuse_type(name);
    found.push_back(text.get<std::string>());
  }
  return found;
}

Json compact_fingerprint(const std::vector<Json>& rows) {
  const auto readings_of = [](const Json& part) {
    const Json& readings = member(part, "readings");
    if (!readings.is_array() || readings.empty()) refuse_type("readings");
    return readings.size() == 1 ? readings[0] : readings;
  };
  Json json = Json::object();
  for (const Json& row : rows) {
    const std::string ambiguity = text_of(row, "ambiguity");
    const std::string result = text_of(row, "result");
    const std::vector<Json> parts = objects(row, "parts");
    if (parts.empty()) throw std::runtime_error("parts: missing");
    const bool is_one = result == "follows" || result == "not_determined";
    if (result == "not_determined" && number(parts.front(), "cases") == 0) continue;
    if (is_one) {
      json[ambiguity] = readings_of(parts.front());
      continue;
    }
    const std::string property = result == "differs" ? optional_text(row, "property") : "";
    Json by_value = property.empty() ? Json::array() : Json::object();
    for (const Json& part : parts) {
      if (property.empty()) {
        by_value.push_back(readings_of(part));
        continue;
      }
      std::vector<std::string> values;
      for (const Json& value : member(part, "values"))
        values.push_back(cut(value.is_string() ? value.get<std::string>() : "", longest_name));
      // The name of a form that this version does not know is a text of an untrusted journal.
      if (property == "form")
        for (std::string& value : values)
          if (find_form(value) == nullptr) value = "others";
      by_value[cut(fmt::format("{}", fmt::join(values, ", ")))] = readings_of(part);
    }
    json[ambiguity] = {{property.empty() ? result : property, by_value}};
  }
  return json;
}

ResultCause cause_from(const Json& row, const char* element) {
  const std::string kind = text_of(row, "class");
  if (kind != "wrong" && kind != "refused") throw std::runtime_error("class: is neither wrong nor refused");
  return {.is_wrong = kind == "wrong",
          .name = optional_text(row, "name"),
          .sentence = text_of(row, "sentence"),
          .where = text_of(row, "where"),
          .cases = number(row, "cases"),
          .example = text_of(row, "example"),
          .element = optional_text(row, element),
          .from = optional_text(row, "from")};
}

/// From report.json or summary.json.
CompactResult from_report(const Json& report) {
  constexpr OfModels legal = &AnswerClassInfo::is_of_legal;
  constexpr OfModels illegal = &AnswerClassInfo::is_of_illegal;
  CompactResult result;
  read_identity(report, result);
  result.program = text_of(object(report, "touchstone"), "version");
  const Json& options = object(report, "options");
  result.command = text_of(options, "backend");
  result.cpu = optional_text(options, "cpu");
  if (const Json& assumed = object(options, "assume"); !assumed.empty()) result.assume = {ascii(assumed)};
  if (const auto time = report.find("time"); time != report.end()) result.finished = optional_text(*time, "finished");

  const Json& summary = object(report, "summary");
  result.content = text_of(summary, "content");
  result.journal = text_of(summary, "journal");
  result.total.legal = counts_from(summary, legal);
  result.total.illegal = counts_from(object(summary, "illegal"), illegal);
  result.not_run = number(object(summary, "verdicts"), "not_run");
  if (result.not_run > 0)
    result.not_run_reason =
        summary.contains("not_run") ? text_of(object(summary, "not_run"), "reason") : "the run was not finished";
  if (const std::string part = optional_text(summary, "part"); !part.empty()) {
    const std::size_t planned = number(result.plan, "cases");
    result.not_run += planned - std::min(planned, number(summary, "cases"));
    result.not_run_reason = "only a part of the run: " + part;
  }

  const auto operator_name = [](const Json& row) {
    const std::string domain = text_of(row, "domain");
    return (domain == spec::ai_onnx ? "" : domain + '.') + text_of(row, "operator");
  };
  for (const Json& row : objects(report, "matrix"))
    result.operators[{operator_name(row), text_of(row, "type"), any_name, std::to_string(number(row, "version"))}] +=
        counts_from(row, legal);
  for (const Json& row : objects(report, "illegal"))
    result.illegal[{operator_name(row), version_at(text_of(row, "domain"), text_of(row, "operator"),
                                                   number(row, "opset"))}] += counts_from(row, illegal);
  for (const Json& row : objects(report, "graphs")) {
    result.graphs[{any_name, "types", text_of(row, "type")}] += counts_from(row, legal);
    const Counts of_illegal = counts_from(object(row, "illegal"), illegal);
    if (of_illegal.total() > 0) result.illegal[{"graphs", std::to_string(number(row, "opset"))}] += of_illegal;
  }
  for (const Json& row : objects(report, "forms"))
    if (const Counts counts = counts_from(row, legal); counts.total() > 0)
      result.forms[{find_form(text_of(row, "form")) != nullptr ? text_of(row, "form") : "others"}] += counts;
  for (const Json& row : objects(report, "causes")) result.causes.push_back(cause_from(row, "example_element"));
  result.fingerprint = compact_fingerprint(objects(report, "fingerprint"));
  return result;
}

CompactResult from_compact(const Json& json) {
  constexpr OfModels legal = &AnswerClassInfo::is_of_legal;
  constexpr OfModels illegal = &AnswerClassInfo::is_of_illegal;
  CompactResult result;
  read_identity(json, result);
  result.program = text_of(json, "touchstone");
  result.command = text_of(json, "command");
  const Json& configuration = object(json, "configuration");
  result.cpu = optional_text(configuration, "cpu");
  result.assume = texts(configuration, "assume");
  result.finished = optional_text(json, "finished");
  result.content = text_of(json, "content");
  result.journal = text_of(json, "journal");
  result.total.legal = counts_from(object(json, "total"), legal);
  result.total.illegal = counts_from(object(json, "illegal"), illegal);
  if (json.contains("not_run")) {
    result.not_run = number(object(json, "not_run"), "cases");
    result.not_run_reason = text_of(object(json, "not_run"), "reason");
  }
  result.operators = rows_of(json, "operators", 4, legal);
  result.float_types = rows_of(json, "float_types", 3, legal);
  result.illegal = rows_of(json, "illegal_models", 2, illegal);
  result.graphs = rows_of(json, "graphs", 3, legal);
  if (json.contains("uses")) result.uses = rows_of(json, "uses", 1, legal);
  result.forms = rows_of(json, "forms", 1, legal);
  for (const Json& row : objects(json, "causes")) result.causes.push_back(cause_from(row, "element"));
  if (json.contains("more_causes")) result.more_causes = number(json, "more_causes");
  result.more_names = texts(json, "more_names");
  result.fingerprint = object(json, "fingerprint");
  return result;
}

// ---- Counting the cases.

/// That of a generated case of which the primary readings decide nothing, so that it has no cell.
std::optional<spec::Granularity> granularity_in(std::string_view id) {
  using enum spec::Granularity;
  for (const spec::Granularity one : {per_tensor, per_axis, blocked})
    if (id.find(fmt::format("/{}/", spec::name(one))) != std::string_view::npos) return one;
  return std::nullopt;
}

void count_cases(std::span<const CaseRecord> records, CompactResult& result) {
  using Version = const spec::OperatorVersion*;
  std::map<std::tuple<Version, spec::ElementType, std::optional<spec::Granularity>>, Counts> operators;
  std::map<std::pair<Version, spec::ElementType>, Counts> float_types;
  std::map<std::pair<std::string_view, spec::ElementType>, Counts> graphs;
  result.uses.clear();
  for (const CaseRecord& record : records) {
    if (record.must_reject()) continue;
    if (const auto parameters = find_graph_parameters(record.id)) {
      const std::string_view pattern = pattern_of(record.id);
      graphs[{pattern, parameters->quantized}].count(record);
      for (const Use& use : uses())
        if (use.has(pattern, *parameters)) result.uses[{std::string(use.name)}].count(record);
    }
    if (!record.subject) continue;
    const Version version = record.subject.version;
    const Cell* cell = record.cells.empty() ? nullptr : &record.cells.front();
    operators[{version, record.subject.quantized_type, cell != nullptr ? cell->granularity : granularity_in(record.id)}]
        .count(record);
    if (cell != nullptr)
      float_types[{version, version->op == spec::Operator::quantize_linear ? cell->x : cell->scale}].count(record);
  }
  const auto names = [](Version version) {
    return std::pair(spec::qualified_name(version->domain, version->op), std::to_string(version->since_version));
  };
  result.operators.clear();
  for (const auto& [row, counts] : operators) {
    const auto& [version, type, granularity] = row;
    const auto [op, number] = names(version);
    const std::string granularity_name(granularity ? spec::name(*granularity) : any_name);
    result.operators[{op, std::string(spec::name(type)), granularity_name, number}] = counts;
  }
  for (const auto& [row, counts] : float_types) {
    const auto [op, number] = names(row.first);
    result.float_types[{std::string(spec::name(row.second)), op, number}] = counts;
  }
  result.graphs.clear();
  for (const auto& [row, counts] : graphs)
    result.graphs[{cut(std::string(row.first), longest_name), "types", std::string(spec::name(row.second))}] += counts;
}

/// The lowest level that all cases of the cause have, or an empty text.
std::string common_level(const Cause& cause, std::span<const CaseRecord> records) {
  const std::string level(*records[cause.cases.front()].lowest_level);
  const auto has_it = [&](std::size_t place) { return *records[place].lowest_level == level; };
  return std::ranges::all_of(cause.cases, has_it) ? level : "";
}

// ---- Writing within the limit.

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
  if (!cause.name.empty()) json["name"] = cut(cause.name);
  json["sentence"] = cut(cause.sentence);
  json["where"] = cut(cause.where);
  json["cases"] = cause.cases;
  json["example"] = cut(cause.example);
  if (!cause.element.empty()) json["element"] = cut(cause.element);
  if (!cause.from.empty()) json["from"] = cut(cause.from, longest_name);
  return json;
}

/// What identifies the run.
Json identity_json(const CompactResult& result) {
  Json plan = result.plan;
  for (Json& value : plan)
    if (value.is_string()) value = cut(value.get<std::string>());
  Json& suites = plan["suites"];
  while (suites.size() > 10) suites.erase(suites.size() - 1);
  for (Json& suite : suites) suite = cut(suite.get<std::string>(), longest_name);
  Json configuration = Json::object();
  if (const std::string variant = result.variant(); !variant.empty())
    configuration["variant"] = cut(variant, longest_name);
  if (!result.cpu.empty()) configuration["cpu"] = cut(result.cpu, longest_name);
  for (const std::string& text : result.assume) configuration["assume"].push_back(cut(text));
  Json json{{"touchstone_result", compact_result_format},
            {"touchstone", cut(result.program, longest_name)},
            {"backend",
             {{"name", cut(result.backend.name, longest_name)},
              {"version", cut(result.backend.version, longest_name)},
              {"description", cut(result.backend.description)}}},
            {"command", cut(result.command)},
            {"configuration", configuration},
            {"host", cut(result.host)}};
  if (!result.finished.empty()) json["finished"] = cut(result.finished, longest_name);
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

bool InSpecOrder::operator()(const ResultPath& left, const ResultPath& right) const {
  return std::ranges::lexicographical_compare(left, right, [](const std::string& one, const std::string& other) {
    return one != other &&
           std::pair(rank(one), std::string_view(one)) < std::pair(rank(other), std::string_view(other));
  });
}

std::string CompactResult::variant() const {
  constexpr std::string_view name = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  const std::size_t colon = command.find_first_not_of(name);
  const bool has_one = colon != std::string::npos && colon > 0 && command[colon] == ':' &&
                       command.find_first_not_of(name, colon + 1) == std::string::npos;
  return has_one ? command.substr(colon + 1) : "";
}

ResultRows without_granularities(const ResultRows& operators) {
  ResultRows rows;
  for (const auto& [path, counts] : operators) rows[{path[0], path[1], any_name, path[3]}] += counts;
  return rows;
}

bool CompactResult::has_granularities() const {
  return operators.empty() || std::ranges::any_of(operators, [](const auto& row) { return row.first[2] != any_name; });
}

CompactResult compact_result(const RunInfo& run, const Summary& summary, std::span<const CaseRecord> records) {
  CompactResult result = from_report(report_members(run, summary));
  result.assume = assumptions(run.assumed);
  result.finished = summary.times.finished;
  count_cases(records, result);
  for (std::size_t i = 0; i < summary.causes.size(); ++i)
    result.causes[i].from = common_level(summary.causes[i], records);
  return result;
}

std::string to_text(CompactResult result) {
  constexpr OfModels legal = &AnswerClassInfo::is_of_legal;
  constexpr OfModels illegal = &AnswerClassInfo::is_of_illegal;
  Json json = identity_json(result);
  json["total"] = named_counts(result.total.legal, legal);
  json["illegal"] = named_counts(result.total.illegal, illegal);
  if (result.not_run > 0) json["not_run"] = {{"cases", result.not_run}, {"reason", cut(result.not_run_reason)}};
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

CompactResult read_result(std::string_view text) {
  // The cases of report.json are its last member, which may be long, and one per line. They are not needed.
  const std::size_t cases = text.find(",\n  \"cases\": [\n    {\"id\":");
  const bool has_cases = cases != std::string_view::npos && text.ends_with("\n  ]\n}\n");
  const std::string head(text.substr(0, cases));
  const Json json = parse_json(has_cases ? head + "}" : head, most_members);
  if (!json.is_object()) throw std::runtime_error("is neither a compact result nor a report");
  const auto check_version = [&](const char* name, std::size_t known) {
    if (const std::size_t version = number(json, name); version != known)
      throw std::runtime_error(
          fmt::format("{}: the version of the format is {}, and this program reads {}: make the "
                      "file again from its run with touchstone report",
                      name, version, known));
  };
  if (json.contains("touchstone_result")) {
    check_version("touchstone_result", compact_result_format);
    return from_compact(json);
  }
  if (!json.contains("report")) throw std::runtime_error("is neither a compact result nor a report");
  check_version("report", report_format);
  return from_report(json);
}

}  // namespace touchstone::conformance
