// Reading compact results and reports. Each function names what is wrong.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "conformance/files/file_error.h"
#include "conformance/generate/form.h"
#include "conformance/report/compact_result.h"
#include "conformance/report/format.h"
#include "conformance/report/json_report.h"

namespace touchstone::conformance {

namespace {

/// A list of readings may have more members than others.
constexpr std::uint64_t most_members = 1'000;

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
        values.push_back(cut(value.is_string() ? value.get<std::string>() : "", longest_result_name));
      // The name of a form that this version does not know is a text of an untrusted journal.
      if (property == "form")
        for (std::string& value : values)
          if (find_form(value) == nullptr) value = "others";
      by_value[cut(fmt::format("{}", fmt::join(values, ", ")), longest_result_text)] = readings_of(part);
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

}  // namespace

CompactResult result_of_report(const Json& report) {
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
  return result_of_report(json);
}

}  // namespace touchstone::conformance
