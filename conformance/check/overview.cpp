#include "conformance/check/overview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "conformance/causes/messages.h"
#include "conformance/files/attribute.h"
#include "conformance/files/json_text.h"
#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/junit.h"
#include "spec/ambiguities.h"
#include "spec/function_accuracy.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t longest_name = 100;
constexpr std::size_t longest_reason = 300;
constexpr std::size_t longest_complaint = 1000;

const onnx::NodeProto& node_of(const Overview& overview, std::size_t index) {
  return overview.parts.model().proto().graph().node(static_cast<int>(index));
}

/// In ascending order.
enum class Severity { right, not_run, not_asked, undecided, refused, wrong };

Severity severity_of(const PartResult& result) {
  switch (result.answer_class) {
    case AnswerClass::wrong: return Severity::wrong;
    case AnswerClass::refused:
    case AnswerClass::not_rejected: return Severity::refused;
    case AnswerClass::not_asked: return Severity::not_asked;
    case AnswerClass::undecided: return result.verdict == Verdict::not_run ? Severity::not_run : Severity::undecided;
    case AnswerClass::right:
    case AnswerClass::rejected:
    case AnswerClass::permitted: break;
  }
  return Severity::right;
}

/// The worst result of each node for a backend, over all parts that have it; none if no part has it. What is undecided
/// in a window is decided in its units.
std::map<std::size_t, const PartResult*> results_by_node(const ModelParts& parts, const CheckedBackend& backend) {
  std::map<std::size_t, const PartResult*> worst;
  for (std::size_t number = 0; number < parts.size(); ++number) {
    const PartResult& result = backend.results.at(number);
    if (parts.kind_of(number) == "window" && severity_of(result) < Severity::refused) continue;
    for (const std::size_t node : parts.part(number).represented) {
      const PartResult*& known = worst.emplace(node, &result).first->second;
      if (severity_of(*known) < severity_of(result)) known = &result;
    }
  }
  return worst;
}

/// "node 3 QuantizeLinear q"
std::string node_text(const ExaminedNode& node) {
  return fmt::format("node {} {} {}{}{}", node.index, node.op_type, printable(node.name, longest_name),
                     node.place.empty() ? "" : " in ", node.place);
}

/// The node in JSON, if it is not described further: an index in the main graph, or with the place of another graph.
Json json_of(const ExaminedNode& node) {
  return node.place.empty() ? Json(node.index) : Json{{"node", node.index}, {"place", node.place}};
}

std::string text_of(const ExaminedNode& node) {
  const std::string text = node_text(node);
  return node.unusual_scales.empty() ? text : fmt::format("{} ({})", text, node.unusual_scales);
}

}  // namespace

Tone PartResult::tone() const {
  switch (severity_of(*this)) {
    case Severity::wrong: return Tone::wrong;
    case Severity::refused: return Tone::refused;
    case Severity::right: return Tone::right;
    default: return Tone::undecided;
  }
}

std::string in_words(const NodeCounts& counts) {
  return fmt::format("{} of {} nodes are judged, {} undecided, {} not run, {} not checked", with_commas(counts.judged),
                     with_commas(counts.judged + counts.undecided + counts.not_run + counts.not_checked),
                     with_commas(counts.undecided), with_commas(counts.not_run), with_commas(counts.not_checked));
}

std::string Remark::nodes_text(std::size_t most) const {
  std::vector<std::string> texts;
  for (const ExaminedNode* node : std::span(nodes).first(std::min(most, nodes.size()))) texts.push_back(text_of(*node));
  const std::size_t others = nodes.size() - texts.size();
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     others == 0 ? "" : fmt::format(", and {} {}", others, others == 1 ? "other" : "others"));
}

bool Overview::is_legal() const {
  return parts.model().complaint().empty() &&
         std::ranges::none_of(nodes, [](const ExaminedNode& node) { return node.illegal.has_value(); });
}

std::size_t Overview::unexamined() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(nodes, [](const ExaminedNode& node) { return !node.unexamined.empty(); }));
}

std::string Overview::legality() const {
  const auto illegal = std::ranges::count_if(nodes, [](const ExaminedNode& node) { return node.illegal.has_value(); });
  if (illegal > 0) return fmt::format("ILLEGAL: {} of {} quantization nodes", illegal, nodes.size());
  if (!is_legal()) return "ILLEGAL, but not in its quantization nodes";
  if (unexamined() == nodes.size() && !nodes.empty())
    return "UNKNOWN whether it is legal; ONNX's own checker accepts it";
  return fmt::format("legal{}, also for ONNX's own checker", unexamined() == 0 ? "" : " as far as it is known");
}

std::vector<Remark> Overview::remarks() const {
  std::vector<Remark> found;
  // One remark for each text that is the same but for numbers.
  std::map<std::string, std::size_t> places;
  const auto add = [&](const std::string& key, const std::string& text, const ExaminedNode& node) {
    const auto [place, is_new] = places.emplace(key, found.size());
    if (is_new) found.push_back({text});
    found[place->second].nodes.push_back(&node);
  };
  for (const ExaminedNode& node : nodes)
    if (node.illegal) {
      const std::string_view clause = node.illegal->clause->id;
      add(fmt::format("illegal {} {}", clause, normalized_message(node.illegal->reason)),
          fmt::format("violates {}: {}", clause, printable(node.illegal->reason, longest_reason)), node);
    }
  if (const std::string& complaint = parts.model().complaint(); !complaint.empty())
    found.push_back({"ONNX's checker says:\n" + displayed(complaint.substr(0, longest_complaint))});
  for (const ExaminedNode& node : nodes)
    if (!node.unexamined.empty())
      add("unexamined " + normalized_message(node.unexamined),
          "not examined: " + printable(node.unexamined, longest_reason), node);
  for (const ExaminedNode& node : nodes) {
    for (const std::string_view id : node.ambiguities)
      add(std::string(id), fmt::format("! runtimes may differ by {}: {}", id, spec::find_ambiguity(id)->question),
          node);
    if (!node.compared.empty())
      add("compared", "! not all constants were compared under all readings, for example " + node.compared, node);
    if (node.ambiguities.empty() && !node.unusual_scales.empty()) add("scales", "! unusual scales", node);
  }
  return found;
}

std::vector<std::string> Overview::coverage() const {
  const CutModel& cut = parts.cut();
  std::size_t units = 0;
  for (const ModelUnit& unit : cut.units) units += unit.stands_for;
  const std::size_t windows = cut.windows.size();
  std::vector<std::string> lines{
      fmt::format("{} of {} nodes can be checked, in {} different nodes and {} different units (of {}){}",
                  with_commas(cut.in_units), with_commas(cut.all_nodes), cut.nodes.size(), cut.units.size(), units,
                  windows == 0 ? "" : fmt::format(", and in {} windows of two or three units", windows))};
  if (cut.too_large_windows > 0)
    lines.push_back(
        fmt::format("{} windows of more than {} nodes are left out", cut.too_large_windows, most_nodes_per_unit));
  for (const auto& [why, count] : cut.not_in_units)
    lines.push_back(fmt::format("not checked: {} ({} nodes)", why, count));
  return lines;
}

std::vector<std::string> Overview::assumptions() const {
  std::set<std::string> operators;
  for (std::size_t number = 0; number < parts.size(); ++number)
    for (std::string& op_type : operators_of(parts.model(), parts.part(number))) operators.insert(std::move(op_type));
  std::vector<std::string> found;
  for (const spec::FunctionAccuracy& row : spec::function_accuracies)
    if (operators.contains(std::string(row.op_type)))
      found.push_back(fmt::format("{} errs by at most {} units in the last place{} ({})", row.op_type, row.ulps,
                                  row.roundoffs == 0 ? "" : fmt::format(" and {} unit roundoffs of 1", row.roundoffs),
                                  row.source));
  return found;
}

NodeCounts Overview::count_nodes(const CheckedBackend& backend) const {
  NodeCounts counts;
  const auto results = results_by_node(parts, backend);
  for (const auto& [node, result] : results) switch (severity_of(*result)) {
      case Severity::undecided: ++counts.undecided; break;
      case Severity::not_run:
      case Severity::not_asked: ++counts.not_run; break;
      default: ++counts.judged;
    }
  counts.not_checked = parts.cut().all_nodes - results.size();
  return counts;
}

std::map<std::string, std::set<std::size_t>> Overview::undecided() const {
  std::map<std::string, std::set<std::size_t>> numbers;
  for (const CheckedBackend& backend : backends)
    for (std::size_t number = 0; number < backend.results.size(); ++number)
      if (severity_of(backend.results[number]) == Severity::undecided)
        numbers[printable(backend.results[number].reason, longest_reason)].insert(number);
  return numbers;
}

std::string overview_json(const Overview& overview) {
  const ModelParts& parts = overview.parts;
  const CutModel& cut = parts.cut();
  Json json{{"format", 1},
            {"model", printable(overview.path, longest_name)},
            {"legal", overview.is_legal()},
            {"ir_version", parts.model().proto().ir_version()},
            {"nodes", cut.all_nodes},
            {"checked_nodes", cut.in_units},
            {"windows_left_out", cut.too_large_windows},
            {"seed", overview.seed},
            {"assumptions", overview.assumptions()}};
  json["opsets"] = Json::object();
  for (const onnx::OperatorSetIdProto& import : parts.model().proto().opset_import())
    json["opsets"][canonical_domain(import.domain())] = import.version();
  if (const std::string& complaint = parts.model().complaint(); !complaint.empty())
    json["checker"] = displayed(complaint.substr(0, longest_complaint));
  json["not_checked"] = Json::object();
  for (const auto& [why, count] : cut.not_in_units) json["not_checked"][why] = count;
  json["illegal"] = Json::array();
  json["unexamined"] = Json::array();
  json["ambiguities"] = Json::object();
  json["unusual_scales"] = Json::object();
  for (const ExaminedNode& node : overview.nodes) {
    if (node.illegal)
      json["illegal"].push_back({{"node", node.index},
                                 {"place", node.place},
                                 {"name", printable(node.name, longest_name)},
                                 {"clause", node.illegal->clause->id},
                                 {"reason", printable(node.illegal->reason, longest_reason)}});
    if (!node.unexamined.empty())
      json["unexamined"].push_back({{"node", node.index},
                                    {"place", node.place},
                                    {"name", printable(node.name, longest_name)},
                                    {"reason", printable(node.unexamined, longest_reason)}});
    for (const std::string_view id : node.ambiguities) json["ambiguities"][std::string(id)].push_back(json_of(node));
    if (!node.unusual_scales.empty()) {
      const std::string key = std::to_string(node.index);
      json["unusual_scales"][node.place.empty() ? key : key + " in " + node.place] = node.unusual_scales;
    }
  }
  json["parts"] = Json::array();
  for (std::size_t number = 0; number < parts.size(); ++number) {
    const ModelUnit& part = parts.part(number);
    Json row{{"id", parts.id_of(number)},
             {"kind", parts.kind_of(number)},
             {"nodes", part.nodes},
             {"stands_for", part.stands_for},
             {"results", Json::object()}};
    for (const CheckedBackend& backend : overview.backends) {
      const PartResult& result = backend.results.at(number);
      row["results"][backend.name] =
          result.verdict == Verdict::not_run ? name(result.verdict) : info(result.answer_class).id;
      if (!result.reason.empty()) row["reasons"][backend.name] = displayed(result.reason.substr(0, longest_complaint));
    }
    json["parts"].push_back(std::move(row));
  }
  json["backends"] = Json::array();
  for (const CheckedBackend& backend : overview.backends) {
    const NodeCounts counts = overview.count_nodes(backend);
    Json& row = json["backends"].emplace_back(Json{{"name", backend.name},
                                                   {"version", printable(backend.version, longest_name)},
                                                   {"nodes",
                                                    {{"judged", counts.judged},
                                                     {"undecided", counts.undecided},
                                                     {"not_run", counts.not_run},
                                                     {"not_checked", counts.not_checked}}},
                                                   {"causes", backend.causes},
                                                   {"fixes", backend.fixes},
                                                   {"report", backend.report}});
    if (!backend.unfinished.empty()) row["unfinished"] = backend.unfinished;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// ---- JUnit

namespace {

JunitSuite suite_of_model(const Overview& overview) {
  JunitSuite suite{"model", {}};
  for (const ExaminedNode& node : overview.nodes)
    if (node.illegal)
      suite.cases.push_back(
          {node_text(node), JunitResult::failure, std::string(node.illegal->clause->id), node.illegal->reason});
  if (const std::string& complaint = overview.parts.model().complaint(); !complaint.empty())
    suite.cases.push_back({"ONNX's checker", JunitResult::failure, "illegal", complaint.substr(0, longest_complaint)});
  const std::size_t unexamined = overview.unexamined();
  if (suite.cases.empty() && (unexamined == 0 || unexamined < overview.nodes.size()))
    suite.cases.push_back({"legal", JunitResult::passed, "", ""});
  if (unexamined > 0)
    suite.cases.push_back({fmt::format("{} quantization nodes that are not examined", unexamined), JunitResult::skipped,
                           "", overview.legality()});
  for (const auto& [why, count] : overview.parts.cut().not_in_units)
    suite.cases.push_back({fmt::format("{} nodes that are not checked", count), JunitResult::skipped, "", why});
  return suite;
}

JunitResult junit_result(const PartResult& result) {
  if (result.tone() == Tone::right) return JunitResult::passed;
  const bool is_failure = result.tone() == Tone::wrong || result.answer_class == AnswerClass::not_rejected;
  return is_failure ? JunitResult::failure : JunitResult::skipped;
}

}  // namespace

std::string overview_junit(const Overview& overview) {
  std::vector<JunitSuite> suites{suite_of_model(overview)};
  for (const CheckedBackend& backend : overview.backends) {
    JunitSuite& suite = suites.emplace_back(JunitSuite{backend.name, {}});
    for (std::size_t number = 0; number < overview.parts.size(); ++number) {
      const PartResult& result = backend.results.at(number);
      const std::string words(result.words());
      std::string message = result.reason;
      if (junit_result(result) == JunitResult::skipped) message = message.empty() ? words : words + ": " + message;
      suite.cases.push_back({overview.parts.id_of(number), junit_result(result), words, std::move(message)});
    }
  }
  return junit_text("touchstone check: " + overview.path, suites);
}

// ---- HTML

namespace {

std::string in_html(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text, 3 * longest_reason)) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

constexpr std::string_view style = R"(
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em; max-width: 80em; color: #222; background: #fff; }
svg text { font: 12px system-ui, sans-serif; }
table { border-collapse: collapse; } td, th { padding: .1em .8em .1em 0; text-align: left; }
.right { fill: #2e7d32; color: #2e7d32; } .wrong { fill: #c62828; color: #c62828; }
.refused { fill: #ef6c00; color: #ef6c00; } .undecided { fill: #9e9e9e; color: #616161; }
.none { fill: #fff; stroke: #9e9e9e; } .edge { fill: none; stroke: #b0bec5; stroke-width: 1.5; }
)";

std::string_view style_class(const PartResult& result) {
  switch (result.tone()) {
    case Tone::wrong: return "wrong";
    case Tone::refused: return "refused";
    case Tone::undecided: return "undecided";
    default: return "right";
  }
}

/// The rows of the drawing, from top to bottom, with a lane for each value that a later row reads.
class Drawing {
 public:
  explicit Drawing(const Overview& overview) : overview_(overview) {
    const onnx::GraphProto& graph = overview.parts.model().proto().graph();
    for (const CheckedBackend& backend : overview.backends)
      results_.push_back(results_by_node(overview.parts, backend));
    std::map<std::string_view, int> uses;
    for (const onnx::NodeProto& node : graph.node())
      for (const std::string& input : node.input()) ++uses[input];
    for (int i = 0; i < graph.node_size(); ++i) add(static_cast<std::size_t>(i), graph.node(i), uses);
  }

  std::string svg() const {
    const std::size_t text_at = (lanes_.size() + 1) * lane_width;
    const std::size_t label_at = text_at + (overview_.backends.size() + 1) * lane_width;
    std::string drawn = fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}" role="img">)",
                                    label_at + 700, (rows_.size() + 1) * row_height);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (const std::size_t source : rows_[r].sources) drawn += edge(source, r);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const auto& [index, lane, sources] = rows_[r];
      drawn += fmt::format(R"(<circle cx="{}" cy="{}" r="4" fill="#607d8b"/>)", x_of(lane), y_of(r));
      for (std::size_t b = 0; b < results_.size(); ++b) {
        const auto found = results_[b].find(index);
        const bool is_checked = found != results_[b].end();
        drawn += fmt::format(R"(<rect x="{}" y="{}" width="11" height="11" class="{}"><title>{}: {}</title></rect>)",
                             text_at + b * lane_width, y_of(r) - 6, is_checked ? style_class(*found->second) : "none",
                             in_html(overview_.backends[b].name), is_checked ? found->second->words() : "not checked");
      }
      const onnx::NodeProto& node = node_of(overview_, index);
      drawn += fmt::format(R"(<text x="{}" y="{}">{} {} <tspan fill="#888">{}</tspan></text>)", label_at, y_of(r) + 4,
                           index, in_html(node.op_type()), in_html(node.name()));
    }
    return drawn + "</svg>\n";
  }

 private:
  struct Row {
    std::size_t index;  ///< of the node
    std::size_t lane;
    std::vector<std::size_t> sources;  ///< rows
  };

  /// A value that later rows read.
  struct Lane {
    std::string_view value;
    int uses = 0;
  };

  static constexpr std::size_t lane_width = 16, row_height = 20;
  static std::size_t x_of(std::size_t lane) { return (lane + 1) * lane_width; }
  static std::size_t y_of(std::size_t row) { return (row + 1) * row_height; }

  std::string edge(std::size_t from, std::size_t to) const {
    return fmt::format(R"(<path class="edge" d="M{} {}V{}L{} {}"/>)", x_of(rows_[from].lane), y_of(from),
                       y_of(to) - row_height, x_of(rows_[to].lane), y_of(to));
  }

  /// Nodes that only compute constants are not drawn, unless they are checked.
  void add(std::size_t index, const onnx::NodeProto& node, std::map<std::string_view, int>& uses) {
    Row row{index, 0, {}};
    bool is_constant = std::ranges::none_of(results_, [&](const auto& results) { return results.contains(index); });
    for (const onnx::ValueInfoProto& input : overview_.parts.model().proto().graph().input())
      if (std::ranges::find(node.input(), input.name()) != node.input().end()) is_constant = false;
    for (const std::string& input : node.input())
      if (const auto found = row_of_.find(input); found != row_of_.end()) {
        is_constant = false;
        row.sources.push_back(found->second);
        release(input);
      }
    if (is_constant) return;
    row.lane = free_lane();
    int later = 0;
    for (const std::string& output : node.output()) {
      row_of_.emplace(output, rows_.size());
      later += uses[output];
    }
    if (node.output_size() > 0) lanes_[row.lane] = {node.output(0), later};
    rows_.push_back(std::move(row));
  }

  void release(std::string_view value) {
    for (Lane& lane : lanes_)
      if (lane.uses > 0 && row_of_.contains(lane.value) && row_of_.at(lane.value) == row_of_.at(value)) --lane.uses;
  }

  std::size_t free_lane() {
    const auto found = std::ranges::find(lanes_, 0, &Lane::uses);
    if (found != lanes_.end()) return static_cast<std::size_t>(found - lanes_.begin());
    lanes_.emplace_back();
    return lanes_.size() - 1;
  }

  const Overview& overview_;
  std::vector<std::map<std::size_t, const PartResult*>> results_;  ///< by backend
  std::map<std::string_view, std::size_t> row_of_;                 ///< of the node that computes a value
  std::vector<Lane> lanes_;
  std::vector<Row> rows_;
};

std::string backend_section(const Overview& overview, const CheckedBackend& backend) {
  std::map<std::string_view, std::pair<const PartResult*, std::size_t>> counts;
  for (const PartResult& result : backend.results) {
    auto& [example, count] = counts[result.words()];
    example = &result;
    ++count;
  }
  std::vector<std::string> words;
  for (const auto& [text, row] : counts)
    words.push_back(fmt::format(R"(<span class="{}">{} {}</span>)", style_class(*row.first), row.second, text));
  std::string html = fmt::format(
      "<h2>{} <small>{}</small></h2>\n<p>{}{}. Parts: {}. <a href=\"{}/report.html\">Report</a></p>\n<ul>\n",
      in_html(backend.name), in_html(backend.version),
      backend.unfinished.empty() ? "" : fmt::format("<b>{}</b>. ", in_html(backend.unfinished)),
      in_words(overview.count_nodes(backend)), fmt::join(words, ", "), in_html(backend.report));
  for (const std::string& cause : backend.causes) html += fmt::format("<li>{}</li>\n", in_html(cause));
  for (const std::string& fix : backend.fixes) html += fmt::format("<li><b>Fix:</b> {}</li>\n", in_html(fix));
  for (std::size_t number = 0; number < backend.results.size(); ++number)
    if (const PartResult& result = backend.results[number]; result.answer_class == AnswerClass::wrong)
      html += fmt::format("<li><span class=\"wrong\">{}</span>: <code>{}</code>: {}</li>\n", result.words(),
                          in_html(overview.parts.id_of(number)), in_html(result.reason));
  return html + "</ul>\n";
}

std::string item(const std::string& text) { return fmt::format("<li>{}</li>\n", in_html(text)); }

}  // namespace

std::string overview_html(const Overview& overview) {
  constexpr std::size_t most_nodes = 10;
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<meta "
      "charset=\"utf-8\">\n<title>{0}</title>\n<style>{1}</style>\n<h1>{0}</h1>\n"
      "<p><b class=\"{2}\">{3}</b></p>\n<ul>\n",
      in_html(overview.path), style, overview.is_legal() ? "right" : "wrong", in_html(overview.legality()));
  for (const Remark& remark : overview.remarks())
    html += item(remark.nodes.empty() ? remark.text : remark.text + " " + remark.nodes_text(most_nodes));
  for (const std::string& line : overview.coverage()) html += item(line);
  for (const auto& [reason, numbers] : overview.undecided())
    html += item(fmt::format("undecided in {} parts: {}", numbers.size(), reason));
  for (const std::string& text : overview.assumptions()) html += item("assumed: " + text);
  html += "</ul>\n";
  for (const CheckedBackend& backend : overview.backends) html += backend_section(overview, backend);
  html +=
      "<h2>The model</h2>\n<p>From top to bottom; a square for each backend, in the order above: "
      "<span class=\"right\">right</span>, <span class=\"wrong\">wrong</span>, "
      "<span class=\"refused\">refused</span>, <span class=\"undecided\">undecided or not run</span>; empty: not "
      "checked.</p>\n";
  return html + Drawing(overview).svg() + "</html>\n";
}

}  // namespace touchstone::conformance
