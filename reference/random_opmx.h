// For tests: random nodes of opmx.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reference/opmx_packer.h"
#include "reference/random_nodes.h"

namespace touchstone::reference {

// Call the functions named random_... only within a property, or within rc::gen::exec.

/// A layout of any data type, granularity, axis and kind of zero point. The type of the scale can represent small
/// powers of two.
inline Layout random_layout() {
  using enum spec::Granularity;
  using enum spec::ElementType;
  Layout layout{.int4 = once_in(2),
                .granularity = *rc::gen::element(per_tensor, per_axis, blocked),
                .zero_points = *rc::gen::element(ZeroPoints::none, ZeroPoints::integer, ZeroPoints::floating),
                .scale_type = *rc::gen::element(float32, float16),
                .zero_point_type = *rc::gen::element(float32, float16),
                .shape = {}};
  const int rank = *rc::gen::weightedElement<int>({{1, 1}, {8, 2}, {2, 3}});
  layout.axis = rank == 1 ? 0 : random_in<std::size_t>(0, 1);
  // If x is a vector, a scale per channel has shape [1], which is also a valid shape per tensor.
  if (rank == 1 && layout.granularity == per_axis) layout.granularity = per_tensor;
  for (int k = 0; k < rank; ++k) layout.shape.push_back(random_in(1, 6));
  if (layout.int4) layout.shape[0] *= 4;
  if (layout.granularity != blocked) return layout;
  layout.group_size = random_in(1, 5);
  std::int64_t& length = layout.shape[layout.axis];
  length *= layout.group_size;
  return layout;
}

/// Scales that are powers of two, and zero points that every type of Y represents exactly.
inline Quantized random_quantized() {
  const Layout layout = random_layout();
  const auto [lowest, highest] = layout.range();
  Quantized q{layout, {}, {}, {}};
  for (std::size_t i = 0; i < layout.size(); ++i) q.numbers.push_back(random_in(lowest, highest));
  for (std::size_t i = 0; i < layout.parameter_count(); ++i) {
    const double scale = (once_in(4) ? -1 : 1) * std::ldexp(1, random_in(-6, 5));
    q.scales.push_back(scale);
    if (layout.zero_points == ZeroPoints::integer) q.zero_points.push_back(random_in(lowest, highest));
    if (layout.zero_points == ZeroPoints::floating) q.zero_points.push_back(scale * random_in(-64, 64) / 8);
  }
  return q;
}

/// Changes something that may make the node illegal.
inline void break_a_rule_of_opmx(Node& node) {
  using enum spec::ElementType;
  const auto any_shape = [] { return random_shape(); };
  switch (random_in(0, 9)) {
    case 0: node.attributes["quant_axis"] = random_in<std::int64_t>(-1, 2); return;
    case 1: node.attributes["group_size"] = random_in<std::int64_t>(-1, 4); return;
    case 2: node.attributes.erase("group_size"); return;
    case 3: node.attributes["has_zeropoint"] = random_in<std::int64_t>(-1, 2); return;
    case 4: node.attributes["float_zeropoint"] = random_in<std::int64_t>(0, 2); return;
    case 5: node.attributes["quant_method"] = std::string("gptq"); return;
    case 6: node.inputs[1] = random_tensor(*rc::gen::element(float32, float16), any_shape()); return;
    case 7:
      node.inputs.resize(3);
      node.inputs[2] = random_tensor(*rc::gen::element(int8, float32), any_shape());
      return;
    case 8: node.inputs[0] = random_tensor(*rc::gen::element(int8, int16), any_shape()); return;
    default: node.variable_inputs = {1, 2}; return;
  }
}

/// A node with arbitrary scales and zero points. Some nodes are illegal.
inline Node random_opmx_node() {
  Node node = packed_node(random_quantized());
  for (std::size_t place = 1; place < node.inputs.size(); ++place)
    if (once_in(2)) node.inputs[place] = random_tensor(node.inputs[place]->type(), node.inputs[place]->shape());
  for (int faults = random_in(0, 2); faults > 0; --faults) break_a_rule_of_opmx(node);
  return node;
}

inline rc::Gen<Node> any_opmx_node() { return rc::gen::exec(random_opmx_node); }

inline void showValue(const Layout& layout, std::ostream& out) {
  out << (layout.int4 ? "int4" : "int8") << ' ' << spec::name(layout.granularity) << " of shape "
      << ::testing::PrintToString(layout.shape) << ", axis " << layout.axis << ", group_size " << layout.group_size;
}

inline void showValue(const Quantized& q, std::ostream& out) { showValue(packed_node(q), out); }

}  // namespace touchstone::reference
