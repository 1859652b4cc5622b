#include "conformance/check/overview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "conformance/causes/messages.h"
#include "conformance/files/attribute.h"
#include "conformance/files/json_text.h"
#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/junit.h"
#include "conformance/units/quantization_nodes.h"
#include "spec/ambiguities.h"
#include "spec/function_accuracy.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t longest_name = 100;
constexpr std::size_t longest_reason = 300;
constexpr std::size_t longest_complaint = 1000;
constexpr std::size_t longest_label = 32;

const onnx::NodeProto& node_of(const Overview& overview, std::size_t index) {
  return overview.parts.model().proto().graph().node(static_cast<int>(index));
}

/// In ascending order.
enum class Severity { right, not_run, not_asked, undecided, refused, wrong };

Severity severity_of(const PartResult& result) {
  switch (result.answer_class) {
    case AnswerClass::wrong:
    case AnswerClass::not_rejected: return Severity::wrong;
    case AnswerClass::refused: return Severity::refused;
    case AnswerClass::not_asked: return Severity::not_asked;
    case AnswerClass::undecided: return result.verdict == Verdict::not_run ? Severity::not_run : Severity::undecided;
    case AnswerClass::right:
    case AnswerClass::rejected:
    case AnswerClass::permitted: break;
  }
  return Severity::right;
}

/// The operators of other domains than ONNX's, after which types or shapes are not known.
std::set<std::string> operators_without_forms(const UserModel& model) {
  std::set<std::string> found;
  for (const onnx::NodeProto& node : model.proto().graph().node()) {
    const std::string domain = canonical_domain(node.domain());
    const bool has_graph = std::ranges::any_of(node.attribute(), &onnx::AttributeProto::has_g);
    if ((domain != spec::ai_onnx || has_graph) && std::ranges::any_of(node.output(), [&](const std::string& output) {
          return !output.empty() && !model.form_of(output);
        }))
      found.insert(fmt::format("{}{}{}", has_graph ? "" : printable(domain, longest_name), has_graph ? "" : ".",
                               printable(node.op_type(), longest_name)));
  }
  return found;
}

/// "53 QLinearConv, 1 MatMulInteger": operators that quantize in other ways than QuantizeLinear and DequantizeLinear.
std::string other_quantized_operators(const onnx::ModelProto& model) {
  std::map<std::string, std::size_t> counts;
  for (const onnx::NodeProto& node : model.graph().node()) {
    const std::string_view op_type = node.op_type();
    if (is_quantization(node)) continue;
    if (op_type.starts_with("QLinear") || op_type == "QGemm" || op_type == "QAttention" ||
        std::ranges::any_of(std::array{"Integer", "Quantize", "NBits"},
                            [&](const char* part) { return op_type.find(part) != std::string_view::npos; }))
      ++counts[printable(node.op_type(), longest_name)];
  }
  std::vector<std::string> texts;
  for (const auto& [op_type, count] : counts) texts.push_back(fmt::format("{} {}", with_commas(count), op_type));
  return fmt::format("{}", fmt::join(texts, ", "));
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

Json json_of(const ExaminedNode& node, const std::string& reason) {
  return {{"node", node.index},
          {"place", node.place},
          {"name", printable(node.name, longest_name)},
          {"reason", printable(reason, longest_reason)}};
}

std::string text_of(const ExaminedNode& node) {
  const std::string text = node_text(node);
  return node.unusual_scales.empty() ? text : fmt::format("{} ({})", text, node.unusual_scales);
}

}  // namespace

std::string_view PartResult::words() const {
  if (verdict == Verdict::not_run) return "not run";
  return verdict == Verdict::pass_variant ? "right *" : info(answer_class).words;
}

Tone PartResult::tone() const {
  switch (severity_of(*this)) {
    case Severity::wrong: return Tone::wrong;
    case Severity::refused: return Tone::refused;
    case Severity::right: return Tone::right;
    default: return Tone::undecided;
  }
}

void ResultCounts::add(const PartResult& result) {
  switch (severity_of(result)) {
    case Severity::right: ++right; break;
    case Severity::wrong: ++wrong; break;
    case Severity::refused: ++refused; break;
    case Severity::undecided: ++undecided; break;
    case Severity::not_run:
    case Severity::not_asked: ++not_run; break;
  }
}

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", with_commas(count), thing, count == 1 ? "" : "s");
}

std::string in_words(const ResultCounts& counts, std::string_view thing) {
  std::vector<std::string> others;
  for (const auto& [count, words] :
       {std::pair(counts.refused, "refused"), std::pair(counts.undecided, "undecided"),
        std::pair(counts.not_run, "not run"), std::pair(counts.not_checked, "not checked")})
    if (count > 0) others.push_back(fmt::format("{} {}", with_commas(count), words));
  const std::size_t all = counts.judged() + counts.refused + counts.undecided + counts.not_run + counts.not_checked;
  return fmt::format("{} of {} {} judged: {} right, {} wrong{}{}", with_commas(counts.judged()), counted(all, thing),
                     all == 1 ? "is" : "are", with_commas(counts.right), with_commas(counts.wrong),
                     others.empty() ? "" : "; ", fmt::join(others, ", "));
}

std::string Remark::nodes_text(std::size_t most) const {
  std::vector<std::string> texts;
  for (const ExaminedNode* node : std::span(nodes).first(std::min(most, nodes.size()))) texts.push_back(text_of(*node));
  const std::size_t others = nodes.size() - texts.size();
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     others == 0 ? "" : fmt::format(", and {} {}", others, others == 1 ? "other" : "others"));
}

bool Overview::is_legal() const {
  return parts.model().complaint().empty() && invalid.empty() &&
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
          fmt::format("violates {}: {}\nthe clause: {}", clause, printable(node.illegal->reason, longest_reason),
                      node.illegal->clause->sentence),
          node);
    }
  for (const ExaminedNode& node : invalid) found.push_back({"invalid: " + printable(node.invalid, longest_reason)});
  if (const std::string& complaint = parts.model().complaint(); !complaint.empty())
    found.push_back({"ONNX's checker says:\n" + displayed(complaint.substr(0, longest_complaint))});
  for (const std::string& why : parts.invalid_inputs())
    found.push_back({"! invalid with your inputs in " + printable(why, longest_reason)});
  for (const ExaminedNode& node : nodes)
    if (!node.unexamined.empty())
      add("unexamined " + normalized_message(node.unexamined),
          "not examined: " + printable(node.unexamined, longest_reason), node);
  for (const ExaminedNode& node : nodes) {
    for (const std::string_view id : node.ambiguities)
      add(std::string(id), fmt::format("! runtimes may differ by {}: {}", id, spec::find_ambiguity(id)->question),
          node);
    if (!node.compared.empty())
      add("compared", "ambiguities were looked for in some of the constants, for example in " + node.compared, node);
    if (node.ambiguities.empty() && !node.unusual_scales.empty()) add("scales", "! unusual scales", node);
  }
  return found;
}

std::map<std::string, std::size_t> Overview::cells() const {
  std::map<std::string, std::size_t> found;
  for (const ExaminedNode& node : nodes)
    if (!node.cell.empty()) ++found[node.cell];
  return found;
}

std::vector<std::string> Overview::coverage() const {
  const CutModel& cut = parts.cut();
  std::size_t units = 0;
  for (const ModelUnit& unit : cut.units) units += unit.stands_for;
  const std::size_t windows = cut.windows.size();
  std::vector<std::string> lines{"no node can be checked"};
  if (parts.size() > 0)
    lines.front() = fmt::format(
        "{} of {} can be checked, in {} and {} of different structure{}{}", with_commas(cut.in_units),
        counted(cut.all_nodes, "node"), counted(cut.nodes.size(), "node"), counted(cut.units.size(), "unit"),
        units == cut.units.size() ? "" : fmt::format(" (of {})", counted(units, "unit")),
        windows == 0 ? "" : fmt::format(", and in {} of two or three units", counted(windows, "window")));
  if (cut.too_large_windows > 0)
    lines.push_back(fmt::format("left out: {} of more than {} nodes or {} weights",
                                counted(cut.too_large_windows, "window"), most_nodes_per_unit,
                                with_commas(most_weights_per_window)));
  for (const auto& [why, count] : cut.not_in_units)
    lines.push_back(fmt::format("not checked: {}: {}", counted(count, "node"), why));
  if (const std::set<std::string> operators = operators_without_forms(parts.model()); !operators.empty())
    lines.push_back(
        fmt::format("the types and shapes of what {} gives are not known: declare them in value_info of the model, so "
                    "that what reads them "
                    "can be checked",
                    fmt::join(operators, ", ")));
  if (const std::string operators = other_quantized_operators(parts.model().proto()); !operators.empty())
    lines.push_back(
        fmt::format("not checked, since they quantize without QuantizeLinear and DequantizeLinear: {} (onnxruntime's "
                    "quantize_static writes QuantizeLinear and DequantizeLinear with quant_format=QuantFormat.QDQ, "
                    "quantize_dynamic "
                    "does not)",
                    operators));
  return lines;
}

std::vector<std::string> Overview::assumptions() const {
  std::set<std::string> operators;
  for (std::size_t number = 0; number < parts.size(); ++number)
    for (std::string& op_type : operators_of(parts.model(), parts.part(number))) operators.insert(std::move(op_type));
  std::vector<std::string> found;
  for (const spec::ComposedAccuracy& row : spec::composed_accuracies)
    if (operators.contains(std::string(row.op_type))) {
      found.push_back(fmt::format("{} {}", row.op_type, row.sentence));
      operators.insert(row.functions.begin(), row.functions.end());
    }
  for (const spec::FunctionAccuracy& row : spec::function_accuracies)
    if (operators.contains(std::string(row.op_type)))
      found.push_back(fmt::format("{} errs by at most {} units in the last place{} ({})", row.op_type, row.ulps,
                                  row.roundoffs == 0 ? "" : fmt::format(" and {} unit roundoffs of 1", row.roundoffs),
                                  row.source));
  return found;
}

std::map<std::size_t, const PartResult*> Overview::results_by_node(const CheckedBackend& backend) const {
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

ResultCounts Overview::count_nodes(const CheckedBackend& backend) const {
  ResultCounts counts;
  const auto results = results_by_node(backend);
  for (const auto& [node, result] : results) counts.add(*result);
  counts.not_checked = parts.cut().all_nodes - results.size();
  return counts;
}

ResultCounts Overview::count_parts(const CheckedBackend& backend) const {
  ResultCounts counts;
  for (const PartResult& result : backend.results) counts.add(result);
  return counts;
}

std::string Overview::label_of(std::size_t number) const {
  const ModelUnit& part = parts.part(number);
  std::string label = fmt::format("{}", fmt::join(operators_of(parts.model(), part), ", "));
  const onnx::NodeProto& first = node_of(*this, part.first);
  const std::string operand = parts.kind_of(number) != "node" && !part.inputs.empty() ? part.inputs.front()
                              : first.input_size() > 0                                ? first.input(0)
                                                                                      : "";
  if (const auto form = parts.model().form_of(operand))
    label += fmt::format(" {}[{}]", spec::name(form->type), fmt::join(form->shape, ","));
  label = printable(label, longest_label);
  return part.stands_for == 1 ? label : fmt::format("{} ×{}", label, part.stands_for);
}

std::map<std::string, std::set<std::size_t>> Overview::undecided() const {
  struct Reason {
    std::set<std::string> texts;  // which differ in numbers only
    std::set<std::size_t> parts;
  };
  std::map<std::string, Reason> reasons;
  for (const CheckedBackend& backend : backends)
    for (std::size_t number = 0; number < backend.results.size(); ++number)
      if (const PartResult& result = backend.results[number]; severity_of(result) == Severity::undecided) {
        Reason& reason = reasons[normalized_message(result.reason)];
        reason.texts.insert(printable(result.reason, longest_reason));
        reason.parts.insert(number);
      }
  std::map<std::string, std::set<std::size_t>> numbers;
  for (auto& [message, reason] : reasons)
    numbers[(reason.texts.size() > 1 ? "for example, " : "") + *reason.texts.begin()] = std::move(reason.parts);
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
  json["cells"] = overview.cells();
  json["illegal"] = Json::array();
  json["unexamined"] = Json::array();
  json["ambiguities"] = Json::object();
  json["unusual_scales"] = Json::object();
  for (const ExaminedNode& node : overview.nodes) {
    if (node.illegal) {
      Json& row = json["illegal"].emplace_back(json_of(node, node.illegal->reason));
      row["clause"] = node.illegal->clause->id;
      row["sentence"] = node.illegal->clause->sentence;
    }
    if (!node.unexamined.empty()) json["unexamined"].push_back(json_of(node, node.unexamined));
    for (const std::string_view id : node.ambiguities) json["ambiguities"][std::string(id)].push_back(json_of(node));
    if (!node.unusual_scales.empty()) {
      const std::string key = std::to_string(node.index);
      json["unusual_scales"][node.place.empty() ? key : key + " in " + node.place] = node.unusual_scales;
    }
  }
  json["invalid"] = Json::array();
  for (const ExaminedNode& node : overview.invalid) json["invalid"].push_back(json_of(node, node.invalid));
  json["invalid_inputs"] = Json::array();
  for (const std::string& why : parts.invalid_inputs())
    json["invalid_inputs"].push_back(printable(why, longest_reason));
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
      if (!result.reproducer.empty()) row["reproducers"][backend.name] = result.reproducer;
      if (!result.reason.empty()) row["reasons"][backend.name] = displayed(result.reason.substr(0, longest_complaint));
    }
    json["parts"].push_back(std::move(row));
  }
  json["backends"] = Json::array();
  for (const CheckedBackend& backend : overview.backends) {
    const ResultCounts counts = overview.count_nodes(backend);
    Json& row = json["backends"].emplace_back(Json{{"name", backend.name},
                                                   {"version", printable(backend.version, longest_name)},
                                                   {"nodes",
                                                    {{"judged", counts.judged()},
                                                     {"right", counts.right},
                                                     {"wrong", counts.wrong},
                                                     {"refused", counts.refused},
                                                     {"undecided", counts.undecided},
                                                     {"not_run", counts.not_run},
                                                     {"not_checked", counts.not_checked}}},
                                                   {"causes", backend.causes},
                                                   {"readings", backend.readings},
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
  for (const ExaminedNode& node : overview.invalid)
    suite.cases.push_back({node_text(node), JunitResult::failure, "invalid", node.invalid});
  if (const std::string& complaint = overview.parts.model().complaint(); !complaint.empty())
    suite.cases.push_back({"ONNX's checker", JunitResult::failure, "illegal", complaint.substr(0, longest_complaint)});
  const std::size_t unexamined = overview.unexamined();
  if (suite.cases.empty() && (unexamined == 0 || unexamined < overview.nodes.size()))
    suite.cases.push_back({"legal", JunitResult::passed, "", ""});
  if (unexamined > 0)
    suite.cases.push_back({fmt::format("{} quantization nodes that are not examined", unexamined), JunitResult::skipped,
                           "", overview.legality()});
  for (const auto& [why, count] : overview.parts.cut().not_in_units)
    suite.cases.push_back({counted(count, "node") + " not checked", JunitResult::skipped, "", why});
  return suite;
}

JunitResult junit_result(const PartResult& result) {
  if (result.tone() == Tone::right) return JunitResult::passed;
  return !result.is_expected && result.tone() == Tone::wrong ? JunitResult::failure : JunitResult::skipped;
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

}  // namespace touchstone::conformance
