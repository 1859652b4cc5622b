#include "conformance/run/record_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "conformance/files/file_error.h"
#include "conformance/plan/number.h"
#include "conformance/run/quotient.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"

namespace touchstone::conformance {

namespace {

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

Json number(const ElementCode& element) {
  return {{"type", spec::name(element.type)},
          {"value", decimal(element.type, element.code)},
          {"code", hex(element.type, element.code)}};
}

Json number(const std::optional<ElementCode>& element) { return element ? number(*element) : Json(nullptr); }

Json wrong_elements(const CaseRecord& record) {
  Json rows = Json::array();
  for (const WrongElement& wrong : record.wrong_elements) {
    Json row{{"index", wrong.index},
             {"x", number(wrong.x)},
             {"scale", number(wrong.scale)},
             {"zero_point", number(wrong.zero_point)},
             {"expected", number(wrong.expected)},
             {"actual", number(wrong.actual)}};
    if (!wrong.position.empty()) row["position"] = wrong.position;
    if (wrong.scale_index) row["scale_index"] = *wrong.scale_index;
    if (wrong.block) row["block"] = *wrong.block;
    if (const std::string text = quotient(record, wrong); !text.empty()) row["quotient"] = text;
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Uses the field names of worker.proto. Omits capabilities that do not limit the backend.
Json capabilities_json(const Capabilities& capabilities) {
  Json json = Json::object();
  if (!capabilities.element_types.empty()) json["element_types"] = capabilities.element_types;
  for (const OpsetRange& row : capabilities.opsets)
    json["opsets"].push_back({{"domain", row.domain}, {"oldest", row.oldest}, {"newest", row.newest}});
  if (capabilities.constant_scales_only) json["constant_scales_only"] = true;
  if (capabilities.static_shapes_only) json["static_shapes_only"] = true;
  return json;
}

// ---- parsing

[[noreturn]] void fail(std::string_view member, std::string_view what) {
  throw std::runtime_error(fmt::format("{}: {}", member, what));
}

/// The library converts numbers as C++ does: -1 would become a large number, and 1e300 is undefined.
template <class T>
void check_range(const Json& number, const char* name) {
  const auto in_range = [](auto value) { return std::in_range<T>(value); };
  if (!number.is_number_integer()) fail(name, "has another type than it should");
  if (!(number.is_number_unsigned() ? in_range(number.get<std::uint64_t>()) : in_range(number.get<std::int64_t>())))
    fail(name, number.dump() + " is out of range");
}

template <class T>
T member(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) fail(name, "missing");
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) check_range<T>(*found, name);
  try {
    return found->template get<T>();
  } catch (const nlohmann::json::exception&) {
    fail(name, "has another type than it should");
  }
}

template <class T>
T member_or(const Json& json, const char* name, T otherwise) {
  return json.contains(name) ? member<T>(json, name) : otherwise;
}

std::int64_t count(std::int64_t number, const char* name) {
  if (number < 0) fail(name, fmt::format("{} is not a count", number));
  return number;
}

std::uint64_t unhex(const std::string& text, const char* name) {
  std::size_t used = 0;
  std::uint64_t number = 0;
  try {
    number = std::stoull(text, &used, 16);
  } catch (const std::exception&) {
    fail(name, "is not a hexadecimal number");
  }
  const bool has_sign_or_space = text.find_first_of("+- \t\n\v\f\r") != std::string::npos;  // which stoull accepts
  if (used != text.size() || has_sign_or_space) fail(name, "is not a hexadecimal number");
  return number;
}

spec::ElementType element_type(const std::string& text, const char* name) {
  for (const spec::ElementTypeInfo& row : spec::element_types)
    if (row.name == text) return row.type;
  fail(name, "no such element type as " + in_quotes(text));
}

Verdict verdict_of(const std::string& text) {
  for (const VerdictInfo& row : verdicts)
    if (row.name == text) return row.verdict;
  fail("verdict", "no such verdict as " + in_quotes(text));
}

std::string_view clause_id(const std::string& text, const char* name) {
  const spec::Clause* clause = spec::find_clause(text);
  if (clause == nullptr) fail(name, "no such clause as " + in_quotes(text));
  return clause->id;
}

ReadingId reading_id(const Json& json) {
  const auto ambiguity_text = member<std::string>(json, "ambiguity");
  const auto reading_text = member<std::string>(json, "reading");
  const spec::Ambiguity* ambiguity = spec::find_ambiguity(ambiguity_text);
  if (ambiguity == nullptr) fail("readings", "no such ambiguity as " + in_quotes(ambiguity_text));
  for (const spec::ReadingInfo& reading : ambiguity->readings)
    if (reading.id == reading_text) return {ambiguity->id, reading.id};
  fail("readings", in_quotes(ambiguity_text) + " has no reading " + in_quotes(reading_text));
}

std::optional<ElementCode> element_code(const Json& json) {
  if (json.is_null()) return std::nullopt;
  const ElementCode element{element_type(member<std::string>(json, "type"), "type"),
                            unhex(member<std::string>(json, "code"), "code")};
  const int bits = spec::info(element.type).bits;
  if (bits < 64 && element.code >> bits != 0)
    fail("code", fmt::format("{:#x} has more than the {} bits of {}", element.code, bits, spec::name(element.type)));
  return element;
}

CodeInterval code_interval(const Json& json) {
  const auto text = member<std::string>(json, "operand");
  const auto found = std::find(operand_names.begin(), operand_names.end(), text);
  if (found == operand_names.end()) fail("operand", "no such operand as " + in_quotes(text));
  const CodeInterval interval{
      static_cast<Operand>(found - operand_names.begin()), element_type(member<std::string>(json, "type"), "type"),
      unhex(member<std::string>(json, "first"), "first"), unhex(member<std::string>(json, "last"), "last")};
  const bool in_order = interval.first <= interval.last;
  if (!in_order || interval.last > last_code(interval.type))
    fail("covered", fmt::format("{:#x} to {:#x} is no interval of codes of {}", interval.first, interval.last,
                                spec::name(interval.type)));
  return interval;
}

WrongElement wrong_element(const Json& json) {
  const auto expected = element_code(member<Json>(json, "expected"));
  const auto actual = element_code(member<Json>(json, "actual"));
  if (!expected || !actual) fail("wrong_elements", "expected and actual cannot be null");
  const auto optional_count = [&](const char* name) -> std::optional<std::int64_t> {
    if (!json.contains(name)) return std::nullopt;
    return count(member<std::int64_t>(json, name), name);
  };
  std::vector<std::int64_t> position;
  for (const Json& index : member_or<Json>(json, "position", Json::array())) {
    check_range<std::int64_t>(index, "position");
    position.push_back(count(index.get<std::int64_t>(), "position"));
  }
  return {.index = count(member<std::int64_t>(json, "index"), "index"),
          .x = element_code(member<Json>(json, "x")),
          .scale = element_code(member<Json>(json, "scale")),
          .zero_point = element_code(member<Json>(json, "zero_point")),
          .expected = *expected,
          .actual = *actual,
          .position = std::move(position),
          .scale_index = optional_count("scale_index"),
          .block = optional_count("block")};
}

Capabilities capabilities_from(const Json& json) {
  if (!json.is_object()) fail("capabilities", "is not an object");
  Capabilities capabilities;
  for (const Json& type : member_or<Json>(json, "element_types", Json::array())) {
    check_range<std::int32_t>(type, "element_types");
    capabilities.element_types.push_back(type.get<std::int32_t>());
  }
  for (const Json& row : member_or<Json>(json, "opsets", Json::array()))
    capabilities.opsets.push_back(
        {member<std::string>(row, "domain"), member<std::int64_t>(row, "oldest"), member<std::int64_t>(row, "newest")});
  capabilities.constant_scales_only = member_or<bool>(json, "constant_scales_only", false);
  capabilities.static_shapes_only = member_or<bool>(json, "static_shapes_only", false);
  return capabilities;
}

WorkerOptions worker_options_from(const Json& json) {
  const WorkerOptions by_default;
  WorkerOptions worker{.timeout = member_or<double>(json, "timeout", by_default.timeout),
                       .memory_limit = member_or<std::uint64_t>(json, "memory_limit", by_default.memory_limit),
                       .python = member_or<std::string>(json, "python", by_default.python)};
  if (worker.timeout < shortest_timeout || worker.timeout > longest_timeout)
    fail("timeout",
         fmt::format("{:g} is not between {:g} and {:g} seconds", worker.timeout, shortest_timeout, longest_timeout));
  return worker;
}

const spec::OperatorVersion& operator_version(const std::string& domain, const std::string& op_name, int version) {
  for (const spec::OperatorVersion& row : spec::operator_versions)
    if (row.domain == domain && spec::name(row.op) == op_name && row.since_version == version) return row;
  fail("version", fmt::format("{} of {} has no version {}", in_quotes(op_name), in_quotes(domain), version));
}

CaseRecord::Subject subject_of(const Json& json) {
  const auto domain = member_or<std::string>(json, "domain", std::string(spec::ai_onnx));
  const auto op_name = member<std::string>(json, "operator");
  const auto opset = member<int>(json, "opset");
  const auto version = member<int>(json, "version");
  const spec::OperatorVersion& row = operator_version(domain, op_name, version);
  if (spec::resolve(domain, row.op, opset) != &row)
    fail("opset", fmt::format("{} has another version than {} at opset {}", op_name, version, opset));
  return {&row, opset, element_type(member<std::string>(json, "type"), "type")};
}

Json to_json(const Inconsistency::Evidence& row) {
  return {{"readings", row.readings}, {"cases", row.cases}, {"case", row.id}};
}

Inconsistency::Evidence evidence_from_json(const Json& json, const std::string& ambiguity) {
  Inconsistency::Evidence row{{}, member<std::size_t>(json, "cases"), member<std::string>(json, "case")};
  for (const auto& reading : member<std::vector<std::string>>(json, "readings"))
    row.readings.push_back(reading_id({{"ambiguity", ambiguity}, {"reading", reading}}).reading);
  return row;
}

}  // namespace

Json to_json(const CaseRecord& record) {
  Json json{{"id", record.id}, {"verdict", name(record.verdict)}};
  if (!record.reason.empty()) json["reason"] = record.reason;
  if (record.subject) {
    json["domain"] = record.subject->version->domain;
    json["operator"] = spec::name(record.subject->version->op);
    json["opset"] = record.subject->opset;
    json["version"] = record.subject->version->since_version;
    json["type"] = spec::name(record.subject->quantized_type);
  }
  if (!record.form.empty()) json["form"] = record.form;
  json["cells"] = Json::array();
  for (const Cell& cell : record.cells) json["cells"].push_back(to_string(cell));
  json["clauses"] = record.clauses;
  if (record.must_reject()) json["violated"] = record.violated;
  for (const ReadingId& row : record.readings)
    json["readings"].push_back({{"ambiguity", row.ambiguity}, {"reading", row.reading}});
  for (const CodeInterval& interval : record.covered)
    json["covered"].push_back({{"operand", name(interval.operand)},
                               {"type", spec::name(interval.type)},
                               {"first", hex(interval.type, interval.first)},
                               {"last", hex(interval.type, interval.last)}});
  json["elements"] = record.elements;
  if (record.masked > 0) json["masked"] = record.masked;
  json["digest"] = digest_text(record.digest);
  json["output_digest"] = digest_text(record.output_digest);
  if (!record.wrong_elements.empty()) {
    json["data_set"] = record.data_set;
    json["wrong_elements"] = wrong_elements(record);
  }
  if (record.declined) json["declined"] = true;
  if (!record.flaky.empty()) json["flaky"] = record.flaky;
  if (!record.output.empty()) json["output"] = record.output;
  return json;
}

Json to_json(const RunInfo& run) {
  return {{"touchstone", {{"version", run.tool_version}}},
          {"backend",
           {{"name", run.backend.name},
            {"version", run.backend.version},
            {"description", run.backend.description},
            {"declares", capabilities_json(run.declared)}}},
          {"plan",
           {{"suites", run.suites},
            {"tier", run.tier},
            {"seed", run.seed},
            {"filter", run.filter},
            {"hash", run.plan_hash},
            {"cases", run.cases}}},
          {"judge", {{"strict", run.strict}, {"sign_of_zero", run.sign_of_zero}}},
          {"host", run.host},
          {"options",
           {{"backend", run.backend_option},
            {"data", run.data},
            {"timeout", run.worker.timeout},
            {"memory_limit", run.worker.memory_limit},
            {"python", run.worker.python},
            {"assume", capabilities_json(run.assumed)}}}};
}

Json to_json(const Inconsistency& inconsistency) {
  const ReadingGroup& group = inconsistency.group;
  Json types{{"x", spec::name(group.x)},
             {"scale", spec::name(group.scale)},
             {"zero_point", spec::name(group.zero_point)},
             {"y", spec::name(group.y)}};
  if (group.precision) types["precision"] = spec::name(*group.precision);
  return {{"ambiguity", inconsistency.ambiguity},
          {"domain", group.version->domain},
          {"operator", spec::name(group.version->op)},
          {"version", group.version->since_version},
          {"types", std::move(types)},
          {"form", group.form},
          {"evidence", {to_json(inconsistency.evidence[0]), to_json(inconsistency.evidence[1])}}};
}

CaseRecord record_from_json(const Json& json) {
  if (!json.is_object()) fail("record", "is not an object");
  CaseRecord record;
  record.id = member<std::string>(json, "id");
  record.verdict = verdict_of(member<std::string>(json, "verdict"));
  record.reason = member_or<std::string>(json, "reason", "");
  if (json.contains("operator")) record.subject = subject_of(json);
  record.form = member_or<std::string>(json, "form", "");
  for (const auto& text : member<std::vector<std::string>>(json, "cells")) {
    const auto cell = find_cell(text);
    if (!cell) fail("cells", "no such cell as " + in_quotes(text));
    record.cells.push_back(*cell);
  }
  for (const auto& id : member<std::vector<std::string>>(json, "clauses"))
    record.clauses.push_back(clause_id(id, "clauses"));
  if (json.contains("violated")) record.violated = clause_id(member<std::string>(json, "violated"), "violated");
  for (const Json& row : member_or<Json>(json, "readings", Json::array())) record.readings.push_back(reading_id(row));
  for (const Json& row : member_or<Json>(json, "covered", Json::array())) record.covered.push_back(code_interval(row));
  record.elements = count(member<std::int64_t>(json, "elements"), "elements");
  record.masked = count(member_or<std::int64_t>(json, "masked", 0), "masked");
  if (record.masked > record.elements) fail("masked", fmt::format("{} of {} elements", record.masked, record.elements));
  record.digest = unhex(member<std::string>(json, "digest"), "digest");
  record.output_digest = unhex(member<std::string>(json, "output_digest"), "output_digest");
  record.data_set = member_or<std::size_t>(json, "data_set", 0);
  for (const Json& row : member_or<Json>(json, "wrong_elements", Json::array()))
    record.wrong_elements.push_back(wrong_element(row));
  record.declined = member_or<bool>(json, "declined", false);
  record.flaky = member_or<std::string>(json, "flaky", "");
  record.output = member_or<std::string>(json, "output", "");
  return record;
}

RunInfo run_info_from_json(const Json& json) {
  if (!json.is_object()) fail("run", "is not an object");
  const auto backend = member<Json>(json, "backend");
  const auto plan = member<Json>(json, "plan");
  const auto judge = member<Json>(json, "judge");
  const auto options = member_or<Json>(json, "options", Json::object());
  return {.tool_version = member<std::string>(member<Json>(json, "touchstone"), "version"),
          .backend = {member<std::string>(backend, "name"), member<std::string>(backend, "version"),
                      member<std::string>(backend, "description")},
          .suites = member<std::vector<std::string>>(plan, "suites"),
          .tier = member<std::string>(plan, "tier"),
          .seed = member<std::uint64_t>(plan, "seed"),
          .filter = member<std::string>(plan, "filter"),
          .plan_hash = member<std::string>(plan, "hash"),
          .cases = member<std::size_t>(plan, "cases"),
          .strict = member<bool>(judge, "strict"),
          .sign_of_zero = member<bool>(judge, "sign_of_zero"),
          .host = member<std::string>(json, "host"),
          .backend_option = member_or<std::string>(options, "backend", member<std::string>(backend, "name")),
          .data = member_or<std::string>(options, "data", ""),
          .worker = worker_options_from(options),
          .assumed = capabilities_from(member_or<Json>(options, "assume", Json::object())),
          .declared = capabilities_from(member_or<Json>(backend, "declares", Json::object()))};
}

Inconsistency inconsistency_from_json(const Json& json) {
  if (!json.is_object()) fail("inconsistencies", "one of them is not an object");
  const auto ambiguity = member<std::string>(json, "ambiguity");
  const spec::Ambiguity* row = spec::find_ambiguity(ambiguity);
  if (row == nullptr) fail("ambiguity", "no such ambiguity as " + in_quotes(ambiguity));
  const auto types = member<Json>(json, "types");
  if (!types.is_object()) fail("types", "is not an object");
  const auto type = [&](const char* name) { return element_type(member<std::string>(types, name), name); };
  const auto evidence = member<std::vector<Json>>(json, "evidence");
  if (evidence.size() != 2) fail("evidence", fmt::format("{} cases, not 2", evidence.size()));
  return {row->id,
          {.version = &operator_version(member<std::string>(json, "domain"), member<std::string>(json, "operator"),
                                        member<int>(json, "version")),
           .x = type("x"),
           .scale = type("scale"),
           .zero_point = type("zero_point"),
           .y = type("y"),
           .precision = types.contains("precision") ? std::optional(type("precision")) : std::nullopt,
           .form = member<std::string>(json, "form")},
          {evidence_from_json(evidence[0], ambiguity), evidence_from_json(evidence[1], ambiguity)}};
}

}  // namespace touchstone::conformance
