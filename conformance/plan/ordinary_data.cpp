#include "conformance/plan/ordinary_data.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reference/codec.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t zero_point_operand = 2;

/// Whether this file sets values of the type: the types of the operators, and some more.
bool has_numbers(ElementType type) { return spec::info(type).bits <= 32 && type != ElementType::boolean; }

}  // namespace

Tensor ordinary_data(std::size_t operand, ElementType type, Shape shape) {
  Tensor tensor(type, std::move(shape));
  if (operand == zero_point_operand || !has_numbers(type)) return tensor;
  const std::uint64_t one = reference::encode(type, reference::Value::scaled(false, 1, 0));
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, one);
  return tensor;
}

std::optional<Case> with_ordinary_data(const Case& given) {
  if (given.model.graph != nullptr || given.data_sets.empty() || given.data_sets.front().inputs.empty())
    return std::nullopt;
  Case made{.id = given.id,
            .model = given.model,
            .data_sets = {{given.data_sets.front().inputs, {}}},
            .form = given.form,
            .float6_padding_is_set = given.float6_padding_is_set};
  const std::vector<std::string>& names = given.model.node_inputs;
  for (NamedTensor& input : made.data_sets.front().inputs) {
    const auto place = std::find(names.begin(), names.end(), input.name);
    if (place == names.end()) continue;  // a graph input that the node does not use
    input.value = ordinary_data(static_cast<std::size_t>(std::distance(names.begin(), place)), input.value.type(),
                                input.value.shape());
  }
  return made;
}

}  // namespace touchstone::conformance
