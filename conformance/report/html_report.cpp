#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "conformance/backends/assumptions.h"
#include "conformance/backends/builtin/optimized_backend.h"
#include "conformance/files/text.h"
#include "conformance/graphs/graph_parameters.h"
#include "conformance/plan/number.h"
#include "conformance/report/causes_text.h"
#include "conformance/report/details.h"
#include "conformance/report/expected.h"
#include "conformance/report/format.h"
#include "conformance/report/html/page.h"
#include "conformance/report/json_report.h"
#include "conformance/report/layout.h"
#include "conformance/report/readings_text.h"
#include "conformance/report/replay_line.h"
#include "conformance/report/support.h"
#include "conformance/run/wrong_element.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"

namespace touchstone::conformance {

namespace {

/// The maximum number of wrong elements of all cases together. One takes up to 250 bytes.
constexpr std::size_t most_elements = 16'000;

/// The maximum size of all reasons together, each counted once. A backend may give a long one for each case.
constexpr std::size_t most_reason_bytes = std::size_t{4} << 20;
constexpr std::string_view left_out_reason = "This page has room for 4 MiB of reasons. This one is in report.json.";

/// The number of unexpected passes of an expectation whose ids are shown.
constexpr std::size_t shown_passes = 5;

/// Every value once, in the order of first occurrence.
template <class T>
class Table {
 public:
  std::size_t index(const T& value) {
    const auto [place, is_new] = indices_.emplace(value, indices_.size());
    if (is_new) values_.push_back(&place->first);
    return place->second;
  }

  bool has(const T& value) const { return indices_.contains(value); }

  /// Passes the table to the sink as a member of an object, row by row: a table of all cells is large.
  template <class ToJson>
  void write(std::string_view name, const Sink& sink, ToJson to_json) const {
    sink(fmt::format(",\"{}\":[", name));
    for (std::size_t i = 0; i < values_.size(); ++i)
      sink(fmt::format("{}{}", i == 0 ? "" : ",", Json(to_json(*values_[i])).dump()));
    sink("]");
  }

 private:
  std::map<T, std::size_t> indices_;
  std::vector<const T*> values_;
};

using Indices = std::vector<std::size_t>;

/// Operator, version, opset and quantized type of a case. Graphs have the operator `graphs` and no version.
using Place = std::tuple<std::string, std::optional<int>, int, spec::ElementType>;

/// In the list of operators.
constexpr std::string_view graphs = "graphs";

struct Tables {
  Table<Place> places;
  Table<std::string> forms;
  Table<Cell> cells;
  Table<Indices> cell_sets;
  Table<std::string_view> clauses;
  Table<Indices> clause_sets;
  Table<std::string> reasons;
  std::size_t reason_bytes = 0;  ///< of all reasons
  Table<std::string> replay_options;
  Table<std::pair<std::string_view, std::string_view>> readings;
  Table<std::pair<spec::ElementType, std::uint64_t>> numbers;
};

/// The remaining room for wrong elements: the same for every case, at least one, and none when the page is full.
struct Room {
  std::size_t for_case;
  std::size_t left = most_elements;

  std::size_t take(std::size_t wanted) {
    const std::size_t taken = std::min({wanted, for_case, left});
    left -= taken;
    return taken;
  }
};

Json number(const std::optional<ElementCode>& element, Tables& tables) {
  if (!element) return nullptr;
  return tables.numbers.index({element->type, element->code});
}

/// The position of the scale: "4", "4, block 1".
std::string where_scale_is(const WrongElement& wrong) {
  std::string text = wrong.scale_index ? std::to_string(*wrong.scale_index) : "";
  if (wrong.block) text += fmt::format(", block {}", *wrong.block);
  return text;
}

/// The data set, the number of omitted elements, and the others. A floating-point output has its error in addition.
Json wrong_elements(const CaseRecord& record, Room& room, Tables& tables) {
  if (record.wrong_elements.empty()) return nullptr;
  const std::size_t shown = room.take(record.wrong_elements.size());
  Json rows = Json::array();
  for (const WrongElement& wrong : record.wrong_elements.unpacked() | std::views::take(shown)) {
    rows.push_back({wrong.index, number(wrong.x, tables), number(wrong.scale, tables), number(wrong.zero_point, tables),
                    number(wrong.expected, tables), number(wrong.actual, tables), position_text(wrong.position),
                    where_scale_is(wrong), quotient(record, wrong)});
    if (const auto error = ulp_error(wrong)) rows.back().push_back(*error);
  }
  return {record.data_set, record.wrong_elements.size() - shown, rows};
}

std::size_t reason_index(const std::string& reason, Tables& tables) {
  if (tables.reasons.has(reason)) return tables.reasons.index(reason);
  if (tables.reason_bytes + reason.size() > most_reason_bytes)
    return tables.reasons.index(std::string(left_out_reason));
  tables.reason_bytes += reason.size();
  return tables.reasons.index(reason);
}

/// Reason, violated clause, readings, wrong elements, why it was expected, and whether the backend was not asked; each
/// is null if the case does not have it. A case with another refused operator has `true` in addition.
Json details(const CaseRecord& record, const Summary& summary, Room& room, Tables& tables) {
  Json reason;
  if (!record.reason.empty()) reason = reason_index(displayed(reason_text(record)), tables);
  Json violated;
  if (record.must_reject()) violated = tables.clauses.index(record.violated->id);
  Json readings;
  for (const ReadingId& row : record.readings) readings.push_back(tables.readings.index({row.ambiguity, row.reading}));
  Json expected;
  if (const KnownFailure* expectation = expected_by(summary, record))
    expected = tables.reasons.index(displayed_line(why(*expectation)));
  Json row{reason, violated, readings, wrong_elements(record, room, tables), expected, record.declined};
  if (!record.refused_operator.empty()) row.push_back(true);
  return row;
}

/// The length of the common prefix of one-byte characters, whose number is the same in C++ and in JavaScript.
std::size_t shared_prefix(std::string_view left, std::string_view right) {
  const auto is_shared = [](char a, char b) { return a == b && static_cast<unsigned char>(a) < 0x80; };
  return static_cast<std::size_t>(std::ranges::mismatch(left, right, is_shared).in1 - left.begin());
}

/// A row in the format that data.js reads. `id_before` is the id of the previous row, and is set to the id of this row:
/// neighbouring ids have long common prefixes.
Json case_row(const RunInfo& run, const CaseRecord& record, const Summary& summary, Room& room, Tables& tables,
              std::string& id_before) {
  Json place;
  if (record.subject) {
    const auto& [version, opset, type] = record.subject;
    place =
        tables.places.index({spec::qualified_name(version->domain, version->op), version->since_version, opset, type});
  } else if (const auto parameters = find_graph_parameters(record.id)) {
    place = tables.places.index({std::string(graphs), std::nullopt, parameters->opset, parameters->quantized});
  }
  Indices cells;
  for (const Cell& cell : record.cells) cells.push_back(tables.cells.index(cell));
  Indices clauses;
  for (const std::string_view id : record.clauses) clauses.push_back(tables.clauses.index(id));
  std::string id = displayed_line(record.id);
  const std::size_t shared = shared_prefix(id_before, id);
  Json row{shared,
           id.substr(shared),
           static_cast<int>(record.verdict),
           place,
           tables.forms.index(displayed_line(record.form)),
           tables.cell_sets.index(cells),
           tables.clause_sets.index(clauses),
           record.elements,
           record.masked,
           tables.replay_options.index(replay_options(run, record.id))};
  id_before = std::move(id);
  const bool has_details = !record.reason.empty() || record.must_reject() || !record.wrong_elements.empty() ||
                           !record.refused_operator.empty();
  if (has_details) row.push_back(details(record, summary, room, tables));
  return row;
}

Json reading(const std::pair<std::string_view, std::string_view>& id, const Summary& summary) {
  const spec::Ambiguity& ambiguity = *spec::find_ambiguity(id.first);
  const auto row = std::find_if(ambiguity.readings.begin(), ambiguity.readings.end(),
                                [&](const spec::ReadingInfo& one) { return one.id == id.second; });
  // A backend need not follow a reading that only permits a refusal.
  const auto followed = summary.readings.find(id);
  return {{"ambiguity", id.first},
          {"reading", id.second},
          {"question", ambiguity.question},
          {"sentence", row->sentence},
          {"cases", followed == summary.readings.end() ? 0 : followed->second}};
}

/// The positions of the cases as runs: first, length, first, length ...
Json runs_of(const std::vector<std::size_t>& positions) {
  std::vector<std::size_t> runs;
  for (const std::size_t position : positions)
    if (!runs.empty() && position == runs[runs.size() - 2] + runs.back())
      ++runs.back();
    else
      runs.insert(runs.end(), {position, 1});
  return runs;
}

/// Makes every text in it printable.
Json displayed_json(Json json) {
  if (json.is_string()) return displayed_line(json.get<std::string>());
  if (json.is_structured())
    for (Json& member : json) member = displayed_json(std::move(member));
  return json;
}

/// The members of report.json that the page shows, with what it says about them in words. All texts are printable.
Json shown_members(const RunInfo& run, const Summary& summary) {
  Json members = report_members(run, summary);
  for (const char* of_cases : {"matrix", "graphs", "illegal", "readings"}) members.erase(of_cases);
  members["backend"]["title"] = title(run.backend);
  members["summary"]["conclusion"] = conclusion(summary);
  for (std::size_t i = 0; i < summary.causes.size(); ++i) {
    Json& row = members["causes"][i];
    if (row.contains("example_element")) row.erase("message");  // the page shows one of them
    row["clauses"] = violated_clauses(summary.causes[i]);
    row["places"] = runs_of(summary.causes[i].cases);
  }
  for (std::size_t i = 0; i < members["expectations"].size(); ++i) {
    Json& row = members["expectations"][i];
    row["pattern"] = cases_in_words(summary.expectations[i].expectation);
    row["state"] = state_in_words(summary.expectations[i]);
    row["passes"] = row["unexpected_passes"].size();
    auto& passes = row["unexpected_passes"].get_ref<Json::array_t&>();  // after new members, which move it
    passes.resize(std::min(passes.size(), shown_passes));
  }
  return displayed_json(std::move(members));
}

Json support(const Summary& summary) {
  Json rows = Json::array();
  for (const Support& row : supported(summary)) rows.push_back(displayed_line(in_words(row)));
  return rows;
}

Json inconsistencies(const Summary& summary) {
  Json rows = Json::array();
  for (const InconsistencyRow& row : inconsistency_rows(summary)) {
    rows.push_back({{"ambiguity", row.ambiguity},
                    {"question", spec::find_ambiguity(row.ambiguity)->question},
                    {"groups", row.groups},
                    {"first", displayed_line(in_words(row.first->group))},
                    {"evidence", Json::array()}});
    for (const Inconsistency::Evidence& evidence : row.first->evidence)
      rows.back()["evidence"].push_back({{"readings", readings_text(evidence)},
                                         {"cases", cases_text(evidence)},
                                         {"id", displayed_line(evidence.id)}});
  }
  return rows;
}

Json fingerprint(const Summary& summary) {
  Json rows = Json::array();
  if (!summary.fingerprint) return rows;
  for (const FingerprintGroup& group : fingerprint_groups(*summary.fingerprint))
    for (const FingerprintRow* row : group.rows) {
      rows.push_back({{"ambiguity", row->ambiguity},
                      {"question", spec::find_ambiguity(row->ambiguity)->question},
                      {"result", group.words},
                      {"parts", Json::array()}});
      for (const FingerprintRow::Part& part : row->parts)
        rows.back()["parts"].push_back({{"readings", readings_text(part)},
                                        {"values", displayed_line(values_text(*row, part))},
                                        {"cases", part.cases},
                                        {"id", displayed_line(part.id)}});
    }
  return rows;
}

Json covered(const Summary& summary) {
  Json rows = Json::array();
  for (const CoveredCodes& row : covered_codes(summary.covered))
    rows.push_back({{"version", row.version},
                    {"types", row.types},
                    {"x", row.x},
                    {"scale", row.scale},
                    {"zero_point", row.zero_point},
                    {"elements", row.elements}});
  return rows;
}

/// The layout of an operator's matrix: its columns, and for each row the types of the version.
Json operator_layout(const OperatorTable& table) {
  Json json{{"name", table.name()}, {"types", Json::array()}, {"opsets", Json::array()}};
  for (const spec::ElementTypeInfo& type : table.types)
    json["types"].push_back({{"name", type.name}, {"short_name", type.short_name}});
  for (const auto& [place, version] : table.rows) {
    Json names = Json::array();
    for (const spec::ElementTypeInfo& type : table.types)
      if (standard_has(*version, type.type)) names.push_back(type.name);
    json["opsets"].push_back({{"number", place.opset}, {"version", version->since_version}, {"types", names}});
  }
  return json;
}

/// The same for graphs: the opsets and types that cases have.
Json graphs_layout(const Summary& summary) {
  std::set<spec::ElementType> all;
  std::map<int, std::vector<std::string_view>> types_of_opsets;
  for (const auto& [place, tally] : summary.graphs) {
    all.insert(place.second);
    types_of_opsets[place.first].push_back(spec::name(place.second));
  }
  Json json{{"name", graphs}, {"types", Json::array()}, {"opsets", Json::array()}};
  for (const spec::ElementTypeInfo& type : spec::element_types)
    if (all.contains(type.type)) json["types"].push_back({{"name", type.name}, {"short_name", type.short_name}});
  for (const auto& [opset, types] : types_of_opsets)
    json["opsets"].push_back({{"number", opset}, {"version", opset}, {"types", types}});
  return json;
}

std::string texts_of(const Capabilities& capabilities) {
  return displayed_line(fmt::format("{}", fmt::join(assumptions(capabilities), ", ")));
}

/// Passes the data of the page, which html/data.js reads, to the sink: an object as JSON. To keep it small, repeated
/// values are in tables, and the cases contain indices into them. All untrusted texts are made printable.
void write_data(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink) {
  const auto failed = std::count_if(records.begin(), records.end(),
                                    [](const CaseRecord& record) { return !record.wrong_elements.empty(); });
  Room room{std::max<std::size_t>(1, most_elements / std::max<std::size_t>(1, static_cast<std::size_t>(failed)))};
  Tables tables;
  Json quoted_ids = Json::object();
  std::string id_before;
  // The cases come first, before the tables that they fill, so that there is never JSON of all of them.
  sink("{\"cases\":[");
  for (std::size_t i = 0; i < records.size(); ++i) {
    const CaseRecord& record = records[i];
    if (const std::string quoted = shell_quoted(record.id); quoted != record.id) quoted_ids[std::to_string(i)] = quoted;
    sink(fmt::format("{}{}", i == 0 ? "" : ",", case_row(run, record, summary, room, tables, id_before).dump()));
  }

  Json data = shown_members(run, summary);
  for (const char* rows : {"verdicts", "classes", "operators"}) data[rows] = Json::array();
  for (const OperatorTable& table : operator_tables(summary)) data["operators"].push_back(operator_layout(table));
  if (!summary.graphs.empty()) data["operators"].push_back(graphs_layout(summary));
  // In words instead of as in report.json.
  data["covered"] = covered(summary);
  data["declared"] = texts_of(run.declared);
  data["assumed"] = texts_of(run.assumed);
  data["support"] = support(summary);
  data["replay_prefix"] = isa_prefix(run.backend);
  data["causes_headline"] = causes_headline(summary);
  data["inconsistencies"] = inconsistencies(summary);
  data["fingerprint"] = fingerprint(summary);
  data["fingerprint_headline"] = summary.fingerprint ? fingerprint_headline(*summary.fingerprint) : "";
  for (const VerdictInfo& row : verdicts) {
    const auto id = [&](bool must_reject) { return info(answer_class(row.verdict, must_reject, false)).id; };
    data["verdicts"].push_back({{"name", row.name}, {"class", id(false)}, {"class_if_illegal", id(true)}});
  }
  for (const AnswerClassInfo& row : answer_classes)
    data["classes"].push_back(
        {{"id", row.id}, {"words", row.words}, {"is_of_legal", row.is_of_legal}, {"is_of_illegal", row.is_of_illegal}});
  sink("],");
  const std::string text = data.dump();
  sink(std::string_view(text).substr(1, text.size() - 2));  // without its braces
  tables.places.write("places", sink, [](const Place& place) {
    const auto& [op, version, opset, type] = place;
    return Json{op, version ? Json(*version) : Json(), opset, spec::name(type)};
  });
  tables.forms.write("case_forms", sink, [](const std::string& form) { return Json(form); });
  tables.cells.write("cells", sink, [](const Cell& cell) {
    return Json{{"text", to_string(cell)}, {"granularity", spec::name(cell.granularity)}};
  });
  tables.cell_sets.write("cell_sets", sink, [](const Indices& cells) { return Json(cells); });
  tables.clauses.write("clauses", sink, [](std::string_view id) {
    const spec::Clause& clause = *spec::find_clause(id);
    return Json{{"id", clause.id}, {"sentence", clause.sentence}, {"source", clause.source}};
  });
  tables.clause_sets.write("clause_sets", sink, [](const Indices& clauses) { return Json(clauses); });
  tables.reasons.write("reasons", sink, [](const std::string& reason) { return Json(reason); });
  tables.readings.write("case_readings", sink, [&](const auto& id) { return reading(id, summary); });
  tables.numbers.write("numbers", sink, [](const std::pair<spec::ElementType, std::uint64_t>& element) {
    return Json{decimal(element.first, element.second), hex(element.first, element.second)};
  });
  tables.replay_options.write("replay_options", sink, [](const std::string& options) { return Json(options); });
  sink(fmt::format(",\"quoted_ids\":{}}}", quoted_ids.dump()));
}

}  // namespace

void html_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink) {
  write_page(
      report_html, [&](const Sink& data) { write_data(run, summary, records, data); }, sink);
}

}  // namespace touchstone::conformance
