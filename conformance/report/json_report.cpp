#include "conformance/report/json_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/format.h"
#include "conformance/report/replay_line.h"
#include "conformance/report/support.h"
#include "conformance/run/record_json.h"
#include "conformance/run/reproducer.h"

namespace touchstone::conformance {

namespace {

/// The number of cases of each verdict.
Json verdict_counts(const Counts& counts) {
  Json json = Json::object();
  for (const VerdictInfo& row : verdicts) json[std::string(row.name)] = counts[row.verdict];
  return json;
}

/// The number of legal cases of each answer class, which add up to the total; all but those that were not asked are
/// `asked`.
void append_legal(Json& json, const Counts& counts) {
  json["total"] = counts.total();
  json["asked"] = counts.asked();
  for (const AnswerClassInfo& row : answer_classes)
    if (row.is_of_legal) json[std::string(row.id)] = counts[row.answer_class];
}

/// The same of illegal cases.
void append_illegal(Json& json, const Counts& counts) {
  json["total"] = counts.total();
  for (const AnswerClassInfo& row : answer_classes)
    if (row.is_of_illegal) json[std::string(row.id)] = counts[row.answer_class];
}

/// Legal cases, the refused ones among them that are graphs with another refused operator, and illegal cases.
void append_tally(Json& json, const Tally& tally) {
  append_legal(json, tally.legal);
  if (tally.refused_other > 0) json["refused_other_operator"] = tally.refused_other;
  append_illegal(json["illegal"], tally.illegal);
}

Json matrix(const Summary& summary) {
  Json rows = Json::array();
  for (const auto& [place, counts] : summary.matrix) {
    const auto& [domain, op, opset] = place.first;
    rows.push_back({{"domain", domain},
                    {"operator", spec::name(op)},
                    {"opset", opset},
                    {"version", spec::resolve(domain, op, opset)->since_version},
                    {"type", spec::name(place.second)}});
    append_legal(rows.back(), counts);
  }
  return rows;
}

Json graphs(const Summary& summary) {
  Json rows = Json::array();
  for (const auto& [place, tally] : summary.graphs) {
    rows.push_back({{"opset", place.first}, {"type", spec::name(place.second)}});
    append_tally(rows.back(), tally);
  }
  return rows;
}

Json illegal(const Summary& summary) {
  Json rows = Json::array();
  for (const auto& [place, counts] : summary.illegal) {
    rows.push_back({{"domain", place.domain}, {"operator", spec::name(place.op)}, {"opset", place.opset}});
    append_illegal(rows.back(), counts);
  }
  return rows;
}

Json forms_json(const Summary& summary) {
  Json rows = Json::array();
  for (const FormResult& row : summary.forms) {
    rows.push_back({{"form", row.form}, {"description", row.description}});
    append_tally(rows.back(), row.tally);
    rows.back()["verdicts"] = verdict_counts(row.tally.legal);
    rows.back()["illegal"]["verdicts"] = verdict_counts(row.tally.illegal);
  }
  return rows;
}

Json readings(const Summary& summary) {
  Json rows = Json::array();
  for (const auto& [reading, cases] : summary.readings)
    rows.push_back({{"ambiguity", reading.first}, {"reading", reading.second}, {"cases", cases}});
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
    for (const auto& [name, text] : {std::pair("cause", &expectation.cause), std::pair("where", &expectation.where),
                                     std::pair("message", &expectation.message)})
      if (!text->empty()) json[name] = *text;
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
    if (!cause.one_of.empty()) json["one_of"] = cause.one_of;
    if (!cause.tested.empty()) {
      json["tested"] = cause.tested;
      json["experiments"] = cause.experiments;
    }
    if (!cause.message.empty()) json["message"] = cause.message;
    if (cause.other_messages > 0) json["other_messages"] = cause.other_messages;
    if (!cause.example_element.empty()) json["example_element"] = cause.example_element;
    rows.push_back(std::move(json));
  }
  return rows;
}

Json support(const Summary& summary) {
  Json rows = Json::array();
  for (const Support& row : supported(summary)) {
    rows.push_back({{"operator", row.op}, {"type", spec::name(row.type)}, {"opsets", Json::array()}});
    for (const Support::Opsets& opsets : row.opsets) {
      rows.back()["opsets"].push_back({{"first", opsets.first}, {"last", opsets.last}});
      append_legal(rows.back()["opsets"].back(), opsets.counts);
      if (opsets.refused_other > 0) rows.back()["opsets"].back()["refused_other_operator"] = opsets.refused_other;
    }
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

std::string ascii(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

std::string cut(const std::string& text, std::size_t longest) {
  std::string kept = valid_utf8(text.substr(0, longest));
  const bool is_whole = text.size() <= longest && ascii(kept).size() <= longest;
  if (is_whole) return kept;
  while (ascii(kept).size() > longest - 3) {
    kept.pop_back();
    while (!kept.empty() && (static_cast<unsigned char>(kept.back()) & 0xc0) == 0x80) kept.pop_back();
  }
  return valid_utf8(kept) + "...";
}

std::string indented(const Json& json, std::size_t depth) {
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

Json report_members(const RunInfo& run, const Summary& summary) {
  Json head{{"report", report_format}};
  head.update(to_json(run));
  head["summary"] = {{"cases", summary.cases},
                     {"verdicts", verdict_counts(summary.all.legal)},
                     {"flaky", summary.flaky},
                     {"expected", summary.expected},
                     {"cells", {{"legal", summary.legal_cells}, {"covered", summary.covered_cells}}},
                     {"elements", {{"judged", summary.elements - summary.masked}, {"masked", summary.masked}}}};
  append_tally(head["summary"], summary.all);
  head["summary"]["illegal"]["verdicts"] = verdict_counts(summary.all.illegal);
  if (summary.of_newer_opsets > 0)
    head["summary"]["newer_opsets"] = {{"cases", summary.of_newer_opsets}, {"reason", summary.newer_opset}};
  if (!summary.stopped.empty())
    head["summary"]["not_run"] = {{"cases", summary.all.cases(Verdict::not_run)}, {"reason", summary.stopped}};
  head["summary"]["content"] = summary.content;
  head["summary"]["journal"] = summary.journal;
  if (!summary.part.empty()) head["summary"]["part"] = summary.part;
  head["causes"] = causes(summary);
  head["support"] = support(summary);
  head["matrix"] = matrix(summary);
  if (!summary.graphs.empty()) head["graphs"] = graphs(summary);
  head["illegal"] = illegal(summary);
  head["forms"] = forms_json(summary);
  head["readings"] = readings(summary);
  if (summary.inconsistencies) head["inconsistencies"] = json_rows(*summary.inconsistencies);
  if (summary.fingerprint) head["fingerprint"] = json_rows(*summary.fingerprint);
  if (!summary.covered.empty()) head["covered"] = covered(summary);
  head["expectations"] = expectations(summary);
  return head;
}

std::string json_fingerprint(const std::vector<FingerprintRow>& rows) { return indented(json_rows(rows)) + '\n'; }

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
