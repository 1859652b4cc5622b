#include "conformance/report/json_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "conformance/plan/number.h"
#include "conformance/report/format.h"
#include "conformance/report/replay_line.h"
#include "conformance/run/record_json.h"
#include "conformance/run/reproducer.h"

namespace touchstone::conformance {

namespace {

/// Escapes characters beyond ASCII: some would control the terminal of a reader.
std::string ascii(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

/// Indents the members of objects and arrays, but writes those that contain only scalars on one line, such as a cell of
/// the matrix.
std::string indented(const Json& json, std::size_t depth = 0) {
  const bool is_nested = std::ranges::any_of(json, [](const Json& member) { return member.is_structured(); });
  if (!is_nested) return ascii(json);
  std::string text;
  for (const auto& [key, member] : json.items()) {
    text += fmt::format("{}\n{:{}}", text.empty() ? "" : ",", "", 2 * (depth + 1));
    if (json.is_object()) text += ascii(key) + ": ";
    text += indented(member, depth + 1);
  }
  text += fmt::format("\n{:{}}", "", 2 * depth);
  return json.is_object() ? '{' + text + '}' : '[' + text + ']';
}

/// The number of cases of each answer class, which add up to the total; all but those that were not asked are `asked`.
void append_classes(Json& json, const Tally& tally) {
  json["asked"] = tally.asked();
  for (const AnswerClassInfo& row : answer_classes) json[std::string(row.id)] = tally[row.answer_class];
}

/// The refused ones among them that are graphs with another refused operator.
void append_refused_other(Json& json, const Tally& tally) {
  if (tally.refused_other > 0) json["refused_other_operator"] = tally.refused_other;
}

/// The verdicts of a form or of all cases.
Json verdict_counts(const Tally& tally) {
  Json counts = Json::object();
  for (const VerdictInfo& row : verdicts) counts[std::string(row.name)] = tally[row.verdict];
  return counts;
}

Json matrix(const Summary& summary) {
  Json rows = Json::array();
  for (const auto& [place, tally] : summary.matrix) {
    const auto& [domain, op, opset] = place.first;
    rows.push_back({{"domain", domain},
                    {"operator", spec::name(op)},
                    {"opset", opset},
                    {"version", spec::resolve(domain, op, opset)->since_version},
                    {"type", spec::name(place.second)},
                    {"passed", tally.passed()},
                    {"total", tally.total()}});
    append_classes(rows.back(), tally);
  }
  return rows;
}

Json graphs(const Summary& summary) {
  Json rows = Json::array();
  for (const auto& [place, tally] : summary.graphs) {
    rows.push_back({{"opset", place.first},
                    {"type", spec::name(place.second)},
                    {"passed", tally.passed()},
                    {"total", tally.total()}});
    append_classes(rows.back(), tally);
    append_refused_other(rows.back(), tally);
  }
  return rows;
}

Json must_reject(const Summary& summary) {
  Json rows = Json::array();
  for (const auto& [place, tally] : summary.must_reject) {
    rows.push_back({{"domain", place.domain},
                    {"operator", spec::name(place.op)},
                    {"opset", place.opset},
                    {"passed", tally.passed()},
                    {"not_shown", tally[Verdict::not_shown]},
                    {"total", tally.total()}});
    append_classes(rows.back(), tally);
  }
  return rows;
}

Json forms(const Summary& summary) {
  Json rows = Json::array();
  for (const FormResult& row : summary.forms) {
    rows.push_back({{"form", row.form},
                    {"description", row.description},
                    {"passed", row.tally.passed()},
                    {"total", row.tally.total()},
                    {"verdicts", verdict_counts(row.tally)}});
    append_classes(rows.back(), row.tally);
  }
  return rows;
}

Json readings(const Summary& summary) {
  Json rows = Json::array();
  for (const auto& [reading, cases] : summary.readings)
    rows.push_back({{"ambiguity", reading.first}, {"reading", reading.second}, {"cases", cases}});
  return rows;
}

Json inconsistencies(const Summary& summary) {
  Json rows = Json::array();
  for (const Inconsistency& one : *summary.inconsistencies) rows.push_back(to_json(one));
  return rows;
}

Json fingerprint(const std::vector<FingerprintRow>& fingerprint) {
  Json rows = Json::array();
  for (const FingerprintRow& row : fingerprint) rows.push_back(to_json(row));
  return rows;
}

Json codes(const CodeIntervals& intervals) {
  Json json{{"type", spec::name(intervals.front().type)}, {"intervals", Json::array()}};
  for (const CodeInterval& interval : intervals)
    json["intervals"].push_back(
        {{"first", hex(interval.type, interval.first)}, {"last", hex(interval.type, interval.last)}});
  return json;
}

Json covered(const Summary& summary) {
  Json rows = Json::array();
  for (const CoveredSpace& space : summary.covered) {
    const Cell& cell = space.cell;
    rows.push_back({{"cell", to_string(cell)},
                    {"domain", cell.version->domain},
                    {"operator", spec::name(cell.version->op)},
                    {"version", cell.version->since_version},
                    {"granularity", spec::name(cell.granularity)},
                    {"y_type", spec::name(cell.y)},
                    {"x", codes(space.x)},
                    {"scale", codes(space.scale)},
                    {"zero_point", codes(space.zero_point)},
                    {"elements", space.elements()}});
  }
  return rows;
}

Json expectations(const Summary& summary) {
  Json rows = Json::array();
  for (const KnownFailureOutcome& row : summary.expectations) {
    const KnownFailure& expectation = row.expectation;
    Json json{{"pattern", expectation.pattern},
              {"verdict", name(expectation.verdict)},
              {"reason", expectation.reason},
              {"issue", expectation.issue}};
    if (expectation.expires) json["expires"] = *expectation.expires;
    json["expired"] = row.expired;
    json["stale"] = row.stale();
    json["met"] = row.met;
    json["unexpected_passes"] = row.unexpected_passes;
    rows.push_back(std::move(json));
  }
  return rows;
}

Json causes(const Summary& summary) {
  Json rows = Json::array();
  for (const Cause& cause : summary.causes) {
    Json json{{"class", cause.is_wrong ? "wrong" : "refused"},
              {"name", cause.name.empty() ? Json() : Json(cause.name)},
              {"explained", cause.is_explained},
              {"sentence", cause.sentence},
              {"where", cause.where},
              {"cases", cause.cases.size()},
              {"contradicted_by", cause.contradicted_by},
              {"clauses", cause.clauses},
              {"example", cause.example},
              {"reproducer", "reproducers/" + reproducer_path(cause.example).generic_string()}};
    if (!cause.message.empty()) json["message"] = cause.message;
    if (cause.other_messages > 0) json["other_messages"] = cause.other_messages;
    if (!cause.example_element.empty()) json["example_element"] = cause.example_element;
    rows.push_back(std::move(json));
  }
  return rows;
}

Json support(const Summary& summary) {
  Json rows = Json::array();
  for (const Support& row : summary.support) {
    Json json{{"operator", row.op}, {"supported", Json::object()}, {"refused", Json::object()}};
    for (const Support::Values& values : row.values) {
      json["supported"][values.dimension] = values.supported;
      json["refused"][values.dimension] = values.refused;
    }
    rows.push_back(std::move(json));
  }
  return rows;
}

Json times(const RunTimes& times) {
  const auto or_null = [](const auto& value, bool is_known) { return is_known ? Json(value) : Json(); };
  const std::optional<std::int64_t> seconds = times.seconds();
  return {{"started", or_null(times.started, !times.started.empty())},
          {"finished", or_null(times.finished, !times.finished.empty())},
          {"seconds", or_null(seconds.value_or(0), seconds.has_value())}};
}

}  // namespace

Json report_members(const RunInfo& run, const Summary& summary) {
  Json head{{"report", report_format}};
  head.update(to_json(run));
  head["summary"] = {{"cases", summary.cases},
                     {"verdicts", verdict_counts(summary.all)},
                     {"declined", summary.all[AnswerClass::not_asked]},
                     {"flaky", summary.flaky},
                     {"expected", summary.expected},
                     {"cells", {{"legal", summary.legal_cells}, {"covered", summary.covered_cells}}},
                     {"elements", {{"judged", summary.elements - summary.masked}, {"masked", summary.masked}}}};
  append_classes(head["summary"], summary.all);
  append_refused_other(head["summary"], summary.all);
  head["summary"]["content"] = summary.content;
  head["summary"]["journal"] = summary.journal;
  if (!summary.part.empty()) head["summary"]["part"] = summary.part;
  head["causes"] = causes(summary);
  head["support"] = support(summary);
  head["matrix"] = matrix(summary);
  if (!summary.graphs.empty()) head["graphs"] = graphs(summary);
  head["must_reject"] = must_reject(summary);
  head["forms"] = forms(summary);
  head["readings"] = readings(summary);
  if (summary.inconsistencies) head["inconsistencies"] = inconsistencies(summary);
  if (summary.fingerprint) head["fingerprint"] = fingerprint(*summary.fingerprint);
  if (!summary.covered.empty()) head["covered"] = covered(summary);
  head["expectations"] = expectations(summary);
  return head;
}

std::string json_fingerprint(const std::vector<FingerprintRow>& rows) { return indented(fingerprint(rows)) + '\n'; }

std::string json_summary(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>&) {
  Json json = report_members(run, summary);
  json["time"] = times(summary.times);
  return indented(json) + '\n';
}

void json_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink) {
  std::string text = indented(report_members(run, summary));
  // The cases, one per line, are inserted before the closing brace of the object, whose last member is an array.
  text.resize(text.find_last_not_of("}\n") + 1);
  sink(fmt::format("{},\n  \"all_cases\": {},\n  \"cases\": [", text, summary.all_cases));
  std::string_view separator = "\n    ";
  for (const CaseRecord& record : records) {
    if (!is_listed(summary, record)) continue;
    sink(separator);
    Json one = to_json(record);
    one["class"] = info(record.answer_class()).id;
    if (!is_pass(record.verdict)) one["replay"] = replay_line(run, record.id);
    sink(ascii(one));
    separator = ",\n    ";
  }
  sink("\n  ]\n}\n");
}

}  // namespace touchstone::conformance
