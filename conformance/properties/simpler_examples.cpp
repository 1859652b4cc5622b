#include "conformance/properties/simpler_examples.h"

#include <cfenv>
#include <cmath>
#include <functional>
#include <utility>

#include "conformance/properties/parts.h"
#include "conformance/properties/simpler_values.h"
#include "reference/interpreter.h"
#include "reference/random/values.h"

namespace touchstone::conformance {

using reference::Node;
using reference::Shape;
using reference::Tensor;
using spec::ElementType;

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

/// Collects simpler variants of an example.
class Simpler {
 public:
  explicit Simpler(const Example& example)
      : example_(example), node_(example.node), complexity_(conformance::complexity(example)) {}

  std::vector<Example> make() {
    circumstances();
    const reference::Outcome outcome = reference::interpret(node_);
    if (const reference::Result* result = outcome.result()) {
      for (const auto& of : {single_elements, per_tensor, parts, smaller_blocks, fewer_dimensions})
        for (Node& node : of(node_, *result)) add(std::move(node));
    } else {
      other_shapes();
    }
    operands(outcome.result());
    attributes();
    for (std::size_t operand = node_.inputs.size(); operand-- > 0;)
      if (node_.inputs[operand]) values(operand);
    quotients();
    return std::move(found_);
  }

 private:
  void add(Example example) {
    if (conformance::complexity(example) < complexity_) found_.push_back(std::move(example));
  }

  void add(Node node) { add(Example{std::move(node), example_.form, example_.environment}); }

  void change(const std::function<void(Node&)>& how) {
    Node changed = node_;
    how(changed);
    add(std::move(changed));
  }

  void circumstances() {
    const bool is_constant = reference::operator_version(node_).inputs[1].constant;
    add(Example{node_, is_constant ? &form_named("initializers") : &plain_form(), example_.environment});
    add(Example{node_, example_.form, {}});
    for (const auto& simplify : {+[](optimized::Environment& environment) { environment.rounding = FE_TONEAREST; },
                                 +[](optimized::Environment& environment) { environment.flushes = false; },
                                 +[](optimized::Environment& environment) { environment.traps = false; }}) {
      Example simpler = example_;
      simplify(simpler.environment);
      add(std::move(simpler));
    }
  }

  /// Simplifies the shape of each operand of an illegal node separately.
  void other_shapes() {
    for (std::size_t operand = 0; operand < node_.inputs.size(); ++operand) {
      if (!node_.inputs[operand] || node_.inputs[operand]->size() == 0) continue;
      const Tensor& tensor = *node_.inputs[operand];
      const auto add_shape = [&](Shape shape) {
        change([&](Node& node) { node.inputs[operand] = reshaped(tensor, std::move(shape)); });
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
  }

  /// Removes the last operand, unless it is x. Without a zero point, an attribute may have to set the type of y.
  void operands(const reference::Result* result) {
    if (node_.inputs.size() < 2) return;
    change([](Node& node) { node.inputs.pop_back(); });
    const spec::Attribute* output = reference::operator_version(node_).attribute(spec::AttributeMeaning::output_dtype);
    if (result == nullptr || output == nullptr) return;
    change([&](Node& node) {
      node.inputs.pop_back();
      node.attributes[std::string(output->name)] = static_cast<std::int64_t>(result->y.type());
    });
  }

  void attributes() {
    for (const auto& [name, value] : node_.attributes) {
      change([&, key = name](Node& node) { node.attributes.erase(key); });
      const auto* number = std::get_if<std::int64_t>(&value);
      if (number == nullptr) continue;
      for (const std::int64_t simpler :
           {std::int64_t{0}, std::int64_t{1}, *number / 2, *number - *number / 4, *number - 1, -*number})
        change([&, key = name](Node& node) { node.attributes[key] = simpler; });
    }
  }

  void values(std::size_t operand) {
    const Tensor& tensor = *node_.inputs[operand];
    for (const auto& [first, last] : chunks(tensor.size()))
      change([&, from = first, to = last](Node& node) {
        for (std::int64_t i = from; i < to; ++i)
          node.inputs[operand]->set_code(i, operand == 1 ? one(tensor.type()) : 0);
      });
    if (tensor.size() > few_elements) return;
    for (std::int64_t i = 0; i < tensor.size(); ++i)
      for (const std::uint64_t code : simpler_codes(tensor.type(), tensor.code(i)))
        change([&](Node& node) { node.inputs[operand]->set_code(i, code); });
  }

  /// Changes x and scale together, so that the quotients stay the same: to a scale of 1, or to other exponents.
  void quotients() {
    if (node_.inputs.size() < 2 || !node_.inputs[0] || !node_.inputs[1] || node_.inputs[1]->size() == 0) return;
    const Tensor& scale = *node_.inputs[1];
    if (scale.size() == 1)
      change([&](Node& node) {
        const double divisor = reference::number_of(scale.type(), scale.code(0));
        Tensor& x = *node.inputs[0];
        for (std::int64_t i = 0; i < x.size(); ++i)
          x.set_code(i, nearest_code_or(x.type(), reference::number_of(x.type(), x.code(i)) / divisor, x.code(i)));
        node.inputs[1]->set_code(0, one(scale.type()));
      });
    const int exponent = exponent_of(scale.type(), scale.code(0));
    for (const int shift : {-exponent, -exponent / 2, -exponent / 4, exponent > 0 ? -1 : 1})
      change([&](Node& node) {
        for (const std::size_t operand : {std::size_t{0}, std::size_t{1}})
          for (std::int64_t i = 0; i < node.inputs[operand]->size(); ++i) {
            Tensor& tensor = *node.inputs[operand];
            tensor.set_code(i, shifted(tensor.type(), tensor.code(i), shift));
          }
      });
  }

  const Example& example_;
  const Node& node_;
  const Complexity complexity_;
  std::vector<Example> found_;
};

}  // namespace

Complexity complexity(const Example& example) {
  const Node& node = example.node;
  Complexity sum{};
  for (const std::optional<Tensor>& operand : node.inputs) {
    if (!operand) continue;
    sum.elements += operand->size();
    sum.dimensions += operand->rank();
    ++sum.operands;
  }
  const optimized::Environment& environment = example.environment;
  sum.circumstances = (example.form - forms().data()) + (environment.rounding != FE_TONEAREST ? 1 : 0) +
                      (environment.flushes ? 1 : 0) + (environment.traps ? 1 : 0);
  for (const auto& [name, value] : node.attributes) sum.attributes += complexity(value);
  sum.zero_point = complexity(node, 2);
  sum.scale = complexity(node, 1);
  sum.x = complexity(node, 0);
  return sum;
}

std::vector<Example> simpler_examples(const Example& example) { return Simpler(example).make(); }

}  // namespace touchstone::conformance
