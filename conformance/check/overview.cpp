#include "conformance/check/overview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "conformance/files/attribute.h"
#include "conformance/files/json_text.h"
#include "conformance/files/text.h"
#include "conformance/report/junit.h"
#include "spec/ambiguities.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t longest_name = 100;
constexpr std::size_t longest_complaint = 1000;

const onnx::NodeProto& node_of(const Overview& overview, std::size_t index) {
  return overview.parts.model().proto().graph().node(static_cast<int>(index));
}

/// The worst results first.
int badness(AnswerClass result) {
  switch (result) {
    case AnswerClass::wrong: return 5;
    case AnswerClass::refused: return 4;
    case AnswerClass::not_rejected: return 3;
    case AnswerClass::undecided: return 2;
    case AnswerClass::not_asked: return 1;
    case AnswerClass::right:
    case AnswerClass::rejected:
    case AnswerClass::permitted: break;
  }
  return 0;
}

}  // namespace

bool Overview::is_legal() const {
  return parts.model().complaint().empty() &&
         std::ranges::none_of(nodes, [](const ExaminedNode& node) { return node.illegal.has_value(); });
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
            {"assumptions", overview.assumptions}};
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
                                 {"name", printable(node.name, longest_name)},
                                 {"clause", node.illegal->clause->id},
                                 {"reason", printable(node.illegal->reason, longest_name * 3)}});
    if (!node.unexamined.empty())
      json["unexamined"].push_back({{"node", node.index},
                                    {"name", printable(node.name, longest_name)},
                                    {"reason", printable(node.unexamined, longest_name * 3)}});
    for (const std::string_view id : node.ambiguities) json["ambiguities"][std::string(id)].push_back(node.index);
    if (!node.unusual_scales.empty()) json["unusual_scales"][std::to_string(node.index)] = node.unusual_scales;
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
      row["results"][backend.name] = info(backend.results.at(number)).id;
      if (const std::string& reason = backend.reasons.at(number); !reason.empty())
        row["reasons"][backend.name] = displayed(reason.substr(0, longest_complaint));
    }
    json["parts"].push_back(std::move(row));
  }
  json["backends"] = Json::array();
  for (const CheckedBackend& backend : overview.backends)
    json["backends"].push_back({{"name", backend.name},
                                {"version", printable(backend.version, longest_name)},
                                {"causes", backend.causes},
                                {"fixes", backend.fixes},
                                {"report", backend.report}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// ---- JUnit

namespace {

JunitSuite suite_of_model(const Overview& overview) {
  JunitSuite suite{"model", {}};
  for (const ExaminedNode& node : overview.nodes)
    if (node.illegal)
      suite.cases.push_back({fmt::format("node {} {} {}", node.index, node.op_type, node.name), JunitResult::failure,
                             std::string(node.illegal->clause->id), node.illegal->reason});
  if (const std::string& complaint = overview.parts.model().complaint(); !complaint.empty())
    suite.cases.push_back({"ONNX's checker", JunitResult::failure, "illegal", complaint.substr(0, longest_complaint)});
  if (suite.cases.empty()) suite.cases.push_back({"legal", JunitResult::passed, "", ""});
  for (const auto& [why, count] : overview.parts.cut().not_in_units)
    suite.cases.push_back({fmt::format("{} nodes that are not checked", count), JunitResult::skipped, "", why});
  return suite;
}

JunitResult junit_result(AnswerClass result) {
  switch (result) {
    case AnswerClass::wrong:
    case AnswerClass::not_rejected: return JunitResult::failure;
    case AnswerClass::refused:
    case AnswerClass::not_asked:
    case AnswerClass::undecided: return JunitResult::skipped;
    case AnswerClass::right:
    case AnswerClass::rejected:
    case AnswerClass::permitted: break;
  }
  return JunitResult::passed;
}

}  // namespace

std::string overview_junit(const Overview& overview) {
  std::vector<JunitSuite> suites{suite_of_model(overview)};
  for (const CheckedBackend& backend : overview.backends) {
    JunitSuite& suite = suites.emplace_back(JunitSuite{backend.name, {}});
    for (std::size_t number = 0; number < overview.parts.size(); ++number) {
      const AnswerClass result = backend.results.at(number);
      const std::string words(info(result).words);
      std::string message = backend.reasons.at(number);
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
  for (const char c : printable(text, longest_name * 3)) {
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

std::string_view style_class(AnswerClass result) {
  switch (badness(result)) {
    case 5: return "wrong";
    case 4:
    case 3: return "refused";
    case 2:
    case 1: return "undecided";
    default: return "right";
  }
}

/// The worst result of each node for a backend, over all parts that have it; none if no part has it.
std::map<std::size_t, AnswerClass> results_by_node(const ModelParts& parts, const CheckedBackend& backend) {
  std::map<std::size_t, AnswerClass> worst;
  for (std::size_t number = 0; number < parts.size(); ++number) {
    if (parts.kind_of(number) == "window" && badness(backend.results[number]) < badness(AnswerClass::refused)) continue;
    for (const std::size_t node : parts.part(number).represented) {
      const auto [found, is_new] = worst.emplace(node, backend.results[number]);
      if (!is_new && badness(found->second) < badness(backend.results[number])) found->second = backend.results[number];
    }
  }
  return worst;
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
        drawn +=
            fmt::format(R"(<rect x="{}" y="{}" width="11" height="11" class="{}"><title>{}: {}</title></rect>)",
                        text_at + b * lane_width, y_of(r) - 6, is_checked ? style_class(found->second) : "none",
                        in_html(overview_.backends[b].name), is_checked ? info(found->second).words : "not checked");
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
  std::vector<std::map<std::size_t, AnswerClass>> results_;  ///< by backend
  std::map<std::string_view, std::size_t> row_of_;           ///< of the node that computes a value
  std::vector<Lane> lanes_;
  std::vector<Row> rows_;
};

std::string backend_section(const Overview& overview, const CheckedBackend& backend) {
  std::map<AnswerClass, std::size_t> counts;
  for (const AnswerClass result : backend.results) ++counts[result];
  std::vector<std::string> words;
  for (const auto& [result, count] : counts)
    words.push_back(fmt::format(R"(<span class="{}">{} {}</span>)", style_class(result), count, info(result).words));
  std::string html =
      fmt::format("<h2>{} <small>{}</small></h2>\n<p>{}. <a href=\"{}/report.html\">Report</a></p>\n<ul>\n",
                  in_html(backend.name), in_html(backend.version), fmt::join(words, ", "), in_html(backend.report));
  for (const std::string& cause : backend.causes) html += fmt::format("<li>{}</li>\n", in_html(cause));
  for (const std::string& fix : backend.fixes) html += fmt::format("<li><b>Fix:</b> {}</li>\n", in_html(fix));
  for (std::size_t number = 0; number < backend.results.size(); ++number) {
    const AnswerClass result = backend.results[number];
    if (result == AnswerClass::wrong || result == AnswerClass::undecided)
      html += fmt::format("<li><span class=\"{}\">{}</span>: <code>{}</code>: {}</li>\n", style_class(result),
                          info(result).words, in_html(overview.parts.id_of(number)), in_html(backend.reasons[number]));
  }
  return html + "</ul>\n";
}

}  // namespace

std::string overview_html(const Overview& overview) {
  const CutModel& cut = overview.parts.cut();
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<meta "
      "charset=\"utf-8\">\n<title>{0}</title>\n<style>{1}</style>\n<h1>{0}</h1>\n"
      "<p>{2}. {3} of {4} nodes are checked.</p>\n<ul>\n",
      in_html(overview.path), style, overview.is_legal() ? "Legal" : "<b class=\"wrong\">Illegal</b>", cut.in_units,
      cut.all_nodes);
  if (const std::string& complaint = overview.parts.model().complaint(); !complaint.empty())
    html += fmt::format("<li>ONNX's checker: {}</li>\n", in_html(complaint));
  for (const ExaminedNode& node : overview.nodes)
    if (node.illegal)
      html += fmt::format("<li>node {} {} {}: {}: {}</li>\n", node.index, node.op_type, in_html(node.name),
                          node.illegal->clause->id, in_html(node.illegal->reason));
  std::map<std::string_view, std::vector<std::string>> by_ambiguity;
  for (const ExaminedNode& node : overview.nodes) {
    if (!node.unexamined.empty())
      html += fmt::format("<li>node {} {} {} is not examined: {}</li>\n", node.index, node.op_type, in_html(node.name),
                          in_html(node.unexamined));
    for (const std::string_view id : node.ambiguities) by_ambiguity[id].push_back(std::to_string(node.index));
    if (!node.unusual_scales.empty())
      html += fmt::format("<li>node {} {} {}: {}</li>\n", node.index, node.op_type, in_html(node.name),
                          node.unusual_scales);
  }
  for (const auto& [id, of_nodes] : by_ambiguity)
    html += fmt::format("<li>runtimes may differ by {}: {} (nodes {})</li>\n", id,
                        in_html(spec::find_ambiguity(id)->question), fmt::join(of_nodes, ", "));
  for (const auto& [why, count] : cut.not_in_units)
    html += fmt::format("<li>not checked: {} ({} nodes)</li>\n", in_html(why), count);
  for (const std::string& assumption : overview.assumptions)
    html += fmt::format("<li>assumed: {}</li>\n", in_html(assumption));
  html += "</ul>\n";
  for (const CheckedBackend& backend : overview.backends) html += backend_section(overview, backend);
  html +=
      "<h2>The model</h2>\n<p>From top to bottom; a square for each backend, in the order above: "
      "<span class=\"right\">right</span>, <span class=\"wrong\">wrong</span>, "
      "<span class=\"refused\">refused</span>, <span class=\"undecided\">undecided</span>; empty: not checked.</p>\n";
  return html + Drawing(overview).svg() + "</html>\n";
}

}  // namespace touchstone::conformance
