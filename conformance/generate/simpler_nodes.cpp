#include "conformance/generate/simpler_nodes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "conformance/generate/parts.h"
#include "conformance/generate/simpler_values.h"
#include "reference/host_numbers.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

/// With more elements than this, codes are not simplified one by one, because elements can be removed first.
constexpr std::int64_t few_elements = 40;

double complexity(const reference::AttributeValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? 1 : 1 + std::fabs(static_cast<double>(*number)) + (*number < 0 ? 0.5 : 0);
}

/// With a scale of 0, every result is a special value.
constexpr double complexity_of_scale_0 = 100;

double complexity(const Node& node, std::size_t operand) {
  double sum = 0;
  if (operand >= node.inputs.size() || !node.inputs[operand]) return sum;
  const Tensor& tensor = *node.inputs[operand];
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const double of_code = conformance::complexity(tensor.type(), tensor.code(i));
    sum += operand == 1 && of_code < 1 ? complexity_of_scale_0 : of_code;
  }
  return sum;
}

std::uint64_t one(ElementType type) { return reference::rounded_code(type, 1); }

/// Variants of a node.
class Variants {
 public:
  explicit Variants(const Node& node) : node_(node) {}

  template <class How>
  void add(const How& how) {
    how(found_.emplace_back(node_));
  }

  std::vector<Node> take() { return std::move(found_); }

 private:
  const Node& node_;
  std::vector<Node> found_;
};

}  // namespace

Complexity complexity(const Node& node, const Form& form) {
  Complexity sum{};
  for (const std::optional<Tensor>& operand : node.inputs) {
    if (!operand) continue;
    sum.elements += operand->size();
    sum.dimensions += operand->rank();
    ++sum.operands;
  }
  sum.circumstances = &form - forms().data();
  for (const auto& [name, value] : node.attributes) sum.attributes += complexity(value);
  sum.zero_point = complexity(node, 2);
  sum.scale = complexity(node, 1);
  sum.x = complexity(node, 0);
  return sum;
}

const Form& simplest_form(const Node& node) {
  return reference::operator_version(node).inputs[1].constant ? form_named("initializers") : plain_form();
}

std::vector<Node> other_shapes(const Node& node) {
  Variants variants(node);
  for (std::size_t operand = 0; operand < node.inputs.size(); ++operand) {
    if (!node.inputs[operand] || node.inputs[operand]->size() == 0) continue;
    const Tensor& tensor = *node.inputs[operand];
    const auto add_shape = [&](Shape shape) {
      variants.add([&](Node& changed) { changed.inputs[operand] = reshaped(tensor, std::move(shape)); });
    };
    add_shape({});
    add_shape({1});
    for (std::size_t dimension = 0; dimension < tensor.shape().size(); ++dimension) {
      Shape fewer = tensor.shape();
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(dimension));
      add_shape(fewer);
      for (const std::int64_t length :
           {std::int64_t{1}, tensor.shape()[dimension] / 2, tensor.shape()[dimension] - 1}) {
        Shape shorter = tensor.shape();
        shorter[dimension] = length;
        if (length > 0) add_shape(shorter);
      }
    }
  }
  return variants.take();
}

std::vector<Node> fewer_operands(const Node& node, const reference::Result* result) {
  Variants variants(node);
  if (node.inputs.size() < 2) return {};
  variants.add([](Node& changed) { changed.inputs.pop_back(); });
  const spec::Attribute* output = reference::operator_version(node).attribute(AttributeMeaning::output_dtype);
  if (result == nullptr || output == nullptr) return variants.take();
  variants.add([&](Node& changed) {
    changed.inputs.pop_back();
    changed.attributes[std::string(output->name)] = static_cast<std::int64_t>(result->y.type());
  });
  return variants.take();
}

std::vector<Node> simpler_attributes(const Node& node) {
  Variants variants(node);
  for (const auto& [name, value] : node.attributes) {
    variants.add([&, key = name](Node& changed) { changed.attributes.erase(key); });
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) continue;
    for (const std::int64_t simpler :
         {std::int64_t{0}, std::int64_t{1}, *number / 2, *number - *number / 4, *number - 1, -*number})
      variants.add([&, key = name](Node& changed) { changed.attributes[key] = simpler; });
  }
  return variants.take();
}

std::vector<Node> simpler_values(const Node& node, std::size_t operand) {
  if (operand >= node.inputs.size() || !node.inputs[operand]) return {};
  Variants variants(node);
  const Tensor& tensor = *node.inputs[operand];
  for (const auto& [first, last] : chunks(tensor.size(), std::max<std::int64_t>(1, tensor.size() / few_elements)))
    variants.add([&, from = first, to = last](Node& changed) {
      for (std::int64_t i = from; i < to; ++i)
        changed.inputs[operand]->set_code(i, operand == 1 ? one(tensor.type()) : 0);
    });
  if (tensor.size() > few_elements) return variants.take();
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    for (const std::uint64_t code : simpler_codes(tensor.type(), tensor.code(i)))
      variants.add([&](Node& changed) { changed.inputs[operand]->set_code(i, code); });
  return variants.take();
}

std::vector<Node> simpler_quotients(const Node& node) {
  if (node.inputs.size() < 2 || !node.inputs[0] || !node.inputs[1] || node.inputs[1]->size() == 0) return {};
  Variants variants(node);
  const Tensor& scale = *node.inputs[1];
  if (scale.size() == 1)
    variants.add([&](Node& changed) {
      const double divisor = reference::number_of(scale.type(), scale.code(0));
      Tensor& x = *changed.inputs[0];
      for (std::int64_t i = 0; i < x.size(); ++i)
        x.set_code(i, nearest_code_or(x.type(), reference::number_of(x.type(), x.code(i)) / divisor, x.code(i)));
      changed.inputs[1]->set_code(0, one(scale.type()));
    });
  const int exponent = exponent_of(scale.type(), scale.code(0));
  for (const int shift : {-exponent, -exponent / 2, -exponent / 4, exponent > 0 ? -1 : 1})
    variants.add([&](Node& changed) {
      for (const std::size_t operand : {std::size_t{0}, std::size_t{1}})
        for (std::int64_t i = 0; i < changed.inputs[operand]->size(); ++i) {
          Tensor& tensor = *changed.inputs[operand];
          tensor.set_code(i, shifted(tensor.type(), tensor.code(i), shift));
        }
    });
  return variants.take();
}

}  // namespace touchstone::conformance
