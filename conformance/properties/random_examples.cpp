#include "conformance/properties/random_examples.h"

#include <array>
#include <cmath>
#include <vector>

#include "conformance/generate/directed_values.h"
#include "conformance/plan/cell.h"
#include "conformance/properties/simpler_examples.h"
#include "optimized/codes_testing.h"
#include "optimized/float_environment_testing.h"
#include "optimized/random_codes_testing.h"
#include "reference/interpreter.h"
#include "reference/random_nodes.h"
#include "reference/random_opmx.h"

namespace touchstone::conformance {

using optimized::Random;
using reference::Node;
using reference::once_in;
using reference::Result;
using reference::Shape;
using reference::Tensor;
using spec::ElementType;

namespace {

/// One dimension is long: any length, or one next to whole vectors.
Shape long_shape() {
  Shape shape(static_cast<std::size_t>(reference::random_in(1, 3)));
  for (std::int64_t& length : shape) length = reference::random_in(1, 3);
  shape[reference::random_in<std::size_t>(0, shape.size() - 1)] =
      once_in(2) ? reference::random_in(1, 90) : 8 * reference::random_in(1, 9) + reference::random_in(-1, 1);
  return shape;
}

Node random_node() {
  if (once_in(10)) return reference::random_opmx_node();
  return reference::random_node(once_in(3) ? long_shape() : reference::random_shape());
}

std::uint64_t pick(Random& random, const std::vector<std::uint64_t>& codes) { return codes[random() % codes.size()]; }

/// All exponents equally often, subnormal ones more often; a power of two, the number before one, or any fraction.
std::uint64_t hard_scale(Random& random, ElementType type) {
  const auto& format = spec::info(type).format;
  if (!format || format->fraction_bits == 0) return random();
  const std::uint64_t fractions = std::uint64_t{1} << format->fraction_bits;
  const std::uint64_t exponents = std::uint64_t{1} << format->exponent_bits;
  const std::uint64_t exponent = random() % 4 == 0 ? random() % 3 : random() % (exponents - 1);
  const std::array fraction{std::uint64_t{0}, std::uint64_t{1}, fractions - 1, random() % fractions};
  return exponent << format->fraction_bits | fraction[random() % fraction.size()];
}

void take_hard_scales(Random& random, Tensor& scale) {
  for (std::int64_t i = 0; i < scale.size(); ++i)
    if (random() % 2 == 0) scale.set_code(i, hard_scale(random, scale.type()));
}

/// Moves most elements of x close to a value at which y changes.
void go_to_thresholds(Random& random, Node& node, const Result& result) {
  Tensor& x = *node.inputs[0];
  const Tensor& scale = *node.inputs[1];
  const Tensor* zero_point = reference::zero_point_of(node, result);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    if (random() % 8 == 0) continue;
    const double step = optimized::number_of(scale.type(), scale.code(result.parameters.scale(i)));
    const double zero = zero_point == nullptr ? 0
                                              : optimized::number_of(zero_point->type(),
                                                                     zero_point->code(result.parameters.zero_point(i)));
    const double threshold = step * optimized::random_threshold(random, result.y.type(), zero);
    if (!std::isfinite(threshold)) continue;
    x.set_code(i, optimized::rounded_code(x.type(), threshold) +
                      static_cast<std::uint64_t>(optimized::random_in(random, -2, 2)));
  }
}

/// Uses values of the generated suite, one of its rows for each parameter. Does not change packed elements of x.
void take_directed_values(Random& random, Node& node, const Result& result) {
  const auto& rows = directed_values(value_kind(cell_of(node, reference::operator_version(node), result)));
  if (rows.empty()) return;
  Tensor& scale = *node.inputs[1];
  std::vector<const DirectedValues*> row_of(static_cast<std::size_t>(scale.size()));
  for (std::int64_t i = 0; i < scale.size(); ++i) {
    const DirectedValues& row = rows[random() % rows.size()];
    row_of[static_cast<std::size_t>(i)] = &row;
    scale.set_code(i, row.scale);
    if (reference::zero_point_of(node, result) != nullptr && i < node.inputs[2]->size())
      node.inputs[2]->set_code(i, row.zero_point);
  }
  Tensor& x = *node.inputs[0];
  if (result.x.type() != x.type()) return;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const DirectedValues& row = *row_of[static_cast<std::size_t>(result.parameters.scale(i))];
    const bool is_covering = !row.covering_inputs.empty() && random() % 2 == 0;
    const auto& codes = is_covering ? row.covering_inputs[random() % row.covering_inputs.size()] : row.x;
    if (!codes.empty()) x.set_code(i, pick(random, codes));
  }
}

/// Changes the values of a legal node so that they reveal errors. The values of an illegal node do not matter.
void take_telling_values(Random& random, Node& node) {
  if (random() % 4 == 0) return;
  const reference::Outcome outcome = reference::interpret(node);
  const Result* result = outcome.result();
  if (result == nullptr || result->y.size() == 0) return;
  if (random() % 8 == 0) return take_directed_values(random, node, *result);
  if (random() % 2 == 0) take_hard_scales(random, *node.inputs[1]);
  if (node.op == spec::Operator::quantize_linear) go_to_thresholds(random, node, *result);
}

/// A form for the node. Operands that the page requires to be constant are not run-time inputs.
const Form& random_form(const Node& node) {
  std::vector<const Form*> suitable;
  const bool is_constant = reference::operator_version(node).inputs[1].constant;
  for (const Form& form : forms()) {
    const bool suits = (!form.empty_name || node.inputs.size() == 2) &&
                       form.storage != Storage::raw_data_with_garbage &&
                       (!is_constant || form.parameters != Source::graph_input);
    if (suits) suitable.push_back(&form);
  }
  return once_in(2) ? *suitable.front() : **rc::gen::elementOf(suitable);
}

Example random_example() {
  Example example{random_node(), nullptr};
  Random random(reference::random_bits());
  take_telling_values(random, example.node);
  example.form = &random_form(example.node);
  if (once_in(2)) example.environment = *rc::gen::elementOf(optimized::environments());
  return example;
}

}  // namespace

rc::Gen<Example> any_example() {
  // exec could only shrink the parts separately, but a smaller shape needs other operands.
  return rc::gen::shrink(rc::gen::noShrink(rc::gen::exec(random_example)),
                         [](const Example& example) { return rc::seq::fromContainer(simpler_examples(example)); });
}

}  // namespace touchstone::conformance
