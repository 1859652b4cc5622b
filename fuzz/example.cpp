#include "fuzz/example.h"

#include <fmt/format.h>

#include <cfenv>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "conformance/generate/model_builder.h"
#include "conformance/generate/node_case.h"
#include "reference/text_testing.h"

namespace touchstone::fuzz {

using namespace conformance;
using reference::Tensor;

namespace {

/// Sets the bits after the last element.
void set_padding(Tensor& tensor) {
  const std::int64_t in_last_byte = tensor.size() * spec::info(tensor.type()).bits % 8;
  if (in_last_byte == 0) return;
  std::vector<std::byte> bytes(tensor.bytes().begin(), tensor.bytes().end());
  bytes.back() |= static_cast<std::byte>(0xff << in_last_byte);
  tensor = Tensor(tensor.type(), tensor.shape(), std::move(bytes));
}

}  // namespace

Case case_of(const Example& example) { return conformance::case_of(example.node, *example.form); }

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

}  // namespace touchstone::fuzz
