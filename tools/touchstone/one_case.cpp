#include "tools/touchstone/one_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/suites/suites.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/suggestion.h"

namespace touchstone::tools {

using namespace conformance;

const PlannedCase& find_case(const std::vector<PlannedCase>& cases, const std::string& id) {
  // Reports name cases as journals keep them.
  const std::string kept = valid_utf8(id);
  const auto found = std::ranges::find_if(cases, [&](const PlannedCase& row) { return valid_utf8(row.id) == kept; });
  if (found == cases.end()) {
    const SuiteInfo& suite = suite_of(id);
    const std::string needed =
        suite.is_default
            ? ""
            : fmt::format("; a case of the suite {0} needs --suite {0} and the options of its run", suite.name);
    throw Exit(nothing_selected, fmt::format("there is no case '{}'; touchstone list shows them{}{}", id, needed,
                                             did_you_mean(id, ids_of(cases))));
  }
  return *found;
}

void check_is_new(std::string_view option, const std::string& directory) {
  std::error_code ignored;
  if (!directory.empty() && std::filesystem::exists(directory, ignored) &&
      !std::filesystem::is_empty(directory, ignored))
    throw Exit(usage, fmt::format("{} {}: it already exists and is not empty", option, directory));
}

ExitCode exit_code_of(const CaseRecord& record) {
  if (record.verdict == Verdict::harness_error) return broken;
  if (record.declined) return nothing_selected;
  return record.is_problem() ? unexpected_result : as_expected;
}

std::string tensor_text(const reference::Tensor& tensor) {
  return fmt::format("{}[{}]", spec::name(tensor.type()), fmt::join(tensor.shape(), ","));
}

namespace {

/// Empty for a graph, which has lines of its own.
struct AttributeInWords {
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(float value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return in_quotes(value); }
  std::string operator()(const std::vector<std::int64_t>& values) const {
    return fmt::format("[{}]", fmt::join(values, ","));
  }
  std::string operator()(const std::vector<float>& values) const { return fmt::format("[{}]", fmt::join(values, ",")); }
  std::string operator()(const std::shared_ptr<const reference::Tensor>& value) const { return tensor_text(*value); }
  std::string operator()(const std::shared_ptr<const reference::Graph>&) const { return "graph"; }
  std::string operator()(const reference::AttributeReference& value) const { return "@" + value.name; }
  std::string operator()(const reference::ForeignAttribute& value) const { return "of type " + value.type; }
};

std::string nodes_text(const std::vector<reference::GraphNode>& nodes, const std::string& indent) {
  std::string text;
  for (const reference::GraphNode& node : nodes) {
    const std::string domain = node.domain == spec::ai_onnx ? "" : node.domain + ".";
    std::string line =
        fmt::format("{} = {}{}({})", fmt::join(node.outputs, ", "), domain, node.op_type, fmt::join(node.inputs, ", "));
    for (const auto& [name, value] : node.attributes)
      line += fmt::format(" {}={}", name, std::visit(AttributeInWords(), value));
    text += indent + printable(line, longest_id) + '\n';
    for (const auto& [name, value] : node.attributes)
      if (const auto* branch = std::get_if<std::shared_ptr<const reference::Graph>>(&value))
        text += indent + "  " + printable(name, longest_id) + ":\n" + nodes_text((*branch)->nodes, indent + "    ");
  }
  return text;
}

}  // namespace

std::string attribute_text(const reference::AttributeValue& value) { return std::visit(AttributeInWords(), value); }

std::string values_text(const reference::Tensor& tensor) {
  constexpr std::int64_t shown_elements = 16;
  std::string text;
  for (std::int64_t i = 0; i < std::min(tensor.size(), shown_elements); ++i)
    text += fmt::format("{}{}", i > 0 ? ", " : "", decimal(tensor.type(), tensor.code(i)));
  return tensor.size() > shown_elements ? text + ", ..." : text;
}

std::string graph_text(const reference::GraphModel& model, std::string_view indent) {
  std::string text;
  for (const auto& [domain, version] : model.opsets) text += fmt::format("{}opset {} {}\n", indent, domain, version);
  for (const auto& [name, tensor] : model.graph.initializers)
    text += fmt::format("{}constant {}: {} {}\n", indent, printable(name, longest_id), tensor_text(tensor),
                        values_text(tensor));
  text += nodes_text(model.graph.nodes, std::string(indent));
  for (const auto& [id, function] : model.functions)
    text += fmt::format("{}function {}:\n", indent, printable(id.second, longest_id)) +
            nodes_text(function.nodes, std::string(indent) + "  ");
  return text;
}

}  // namespace touchstone::tools
