#include "conformance/properties/example.h"

#include <fmt/format.h>

#include <cfenv>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "conformance/generate/model_builder.h"
#include "conformance/plan/digest.h"
#include "reference/interpreter.h"
#include "reference/text_testing.h"

namespace touchstone::conformance {

using reference::Tensor;

namespace {

/// Sets the bits behind the last element.
void set_padding(Tensor& tensor) {
  const std::int64_t in_last_byte = tensor.size() * spec::info(tensor.type()).bits % 8;
  if (in_last_byte == 0) return;
  std::vector<std::byte> bytes(tensor.bytes().begin(), tensor.bytes().end());
  bytes.back() |= static_cast<std::byte>(0xff << in_last_byte);
  tensor = Tensor(tensor.type(), tensor.shape(), std::move(bytes));
}

}  // namespace

bool sets_float6_padding(const Example& example) {
  if (example.form->storage != Storage::raw_data_with_garbage) return false;
  const std::set<std::size_t> given = variable_inputs(example.node, *example.form);
  for (std::size_t i = 0; i < example.node.inputs.size(); ++i) {
    const std::optional<Tensor>& input = example.node.inputs[i];
    const bool is_float6 = input && spec::is_float6(input->type()) && !given.contains(i);
    if (is_float6 && input->size() * spec::info(input->type()).bits % 8 != 0) return true;
  }
  return false;
}

Case case_of(const Example& example) {
  const reference::Node& node = example.node;
  const reference::Outcome outcome = reference::interpret(node);
  // A model must declare an output type and shape, even if the node is rejected.
  const Tensor& y = outcome.result() != nullptr ? outcome.result()->y : *node.inputs.front();
  Case made;
  made.float6_padding_is_set = sets_float6_padding(example);
  // A model with such a fault cannot be read, so the node comes from a model without it.
  const Form& readable = made.float6_padding_is_set ? form_named("all_constant") : *example.form;
  made.model = build_model(node, readable, y.type(), y.shape());
  if (made.float6_padding_is_set) made.model.bytes = model_file(node, *example.form, y.type(), y.shape());
  made.data_sets.push_back({graph_inputs(node, *example.form), {}});
  made.form = example.form->name;
  made.id = fmt::format("{}-{}-{:016x}", spec::name(node.op), node.opset, digest_of(made));
  return made;
}

std::string to_text(const Example& example) {
  static const std::map<int, const char*> roundings{{FE_TONEAREST, "to nearest"},
                                                    {FE_DOWNWARD, "downwards"},
                                                    {FE_UPWARD, "upwards"},
                                                    {FE_TOWARDZERO, "towards zero"}};
  std::string text = fmt::format("{}\n  form {}; the caller rounds {}", reference::to_text(example.node),
                                 example.form->name, roundings.at(example.environment.rounding));
  if (example.environment.flushes) text += ", flushes subnormals to zero";
  if (example.environment.traps) text += ", traps exceptions";
  return text + '\n';
}

reference::Node node_in_model(const Example& example) {
  const Form& form = *example.form;
  reference::Node node = example.node;
  node.variable_inputs = variable_inputs(node, form);
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (form.storage == Storage::raw_data_with_garbage && node.inputs[i] && !node.variable_inputs.contains(i))
      set_padding(*node.inputs[i]);
  if (form.empty_name && node.inputs.size() == 2) node.inputs.emplace_back();
  return node;
}

}  // namespace touchstone::conformance
