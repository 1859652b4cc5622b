// For tests: random nodes and policies. Most nodes are legal; some break a rule.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reference/model/node.h"
#include "reference/policy.h"
#include "reference/testing.h"
#include "spec/operator_version.h"
#include "spec/opset.h"

namespace touchstone::reference {

// Call the functions named random_... only within a property, or within rc::gen::exec.

/// A uniformly distributed number in [first, last]. (With rc::gen::inRange, the size of the test case, which starts at
/// 0, limits the used part of the range.)
template <class T>
T random_in(T first, T last) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(first, last + 1));
}

/// True once in `times` calls on average.
inline bool once_in(int times) { return random_in(1, times) == times; }

inline std::uint64_t random_bits() { return *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()); }

inline spec::ElementType random_of(spec::TypeList types) {
  return *rc::gen::elementOf(std::vector<spec::ElementType>(types.begin(), types.end()));
}

/// An arbitrary code; or, for the wide floats, a number between 2^-6 and 2^8 with a short significand, so that
/// revealing quotients are not rare.
inline std::uint64_t random_code(spec::ElementType type) {
  const spec::ElementTypeInfo& row = spec::info(type);
  if (!row.format || row.bits < 16 || once_in(3)) return random_bits();
  const int exponent = row.format->exponent_bias + random_in(-6, 8);
  const std::uint64_t fraction = (random_bits() % 32) << (row.format->fraction_bits - 5);
  const std::uint64_t sign = once_in(3) ? std::uint64_t{1} << (row.bits - 1) : 0;
  return sign | static_cast<std::uint64_t>(exponent) << row.format->fraction_bits | fraction;
}

inline Tensor random_tensor(spec::ElementType type, Shape shape) {
  Tensor tensor(type, std::move(shape));
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, random_code(type));
  return tensor;
}

inline Shape random_shape() {
  const auto dimension = rc::gen::weightedElement<std::int64_t>({{1, 0}, {6, 1}, {9, 2}, {9, 3}, {6, 4}, {3, 5}});
  return *rc::gen::container<Shape>(static_cast<std::size_t>(random_in(0, 3)), dimension);
}

/// The shape of a scale, with matching attributes.
struct RandomGranularity {
  Shape scale;
  Attributes attributes;
};

inline RandomGranularity random_granularity(const spec::OperatorVersion& version, const Shape& x) {
  RandomGranularity granularity;
  const auto kind =
      *rc::gen::elementOf(std::vector<spec::Granularity>(version.granularities.begin(), version.granularities.end()));
  // Without a default, axis is significant: a scalar is illegal with it.
  const spec::Attribute* axis_row = version.attribute("axis");
  if (axis_row != nullptr && once_in(axis_row->default_value ? 3 : 9))
    granularity.attributes["axis"] = random_in(-4, 3);
  if (x.empty() || kind == spec::Granularity::per_tensor) {
    if (once_in(2)) granularity.scale = {1};
    return granularity;
  }
  const auto rank = static_cast<std::int64_t>(x.size());
  const std::int64_t axis = random_in<std::int64_t>(0, rank - 1);
  granularity.attributes["axis"] = once_in(2) ? axis : axis - rank;
  if (kind == spec::Granularity::per_axis) {
    granularity.scale = {x[static_cast<std::size_t>(axis)]};
    return granularity;
  }
  granularity.scale = x;
  std::int64_t& length = granularity.scale[static_cast<std::size_t>(axis)];
  const std::int64_t block_size = random_in<std::int64_t>(1, std::max<std::int64_t>(length + 1, 4));
  length = (length + block_size - 1) / block_size;
  granularity.attributes["block_size"] = block_size;
  return granularity;
}

/// A value for the attribute output_dtype or precision: the code of one of the types, or 0 for none.
inline std::int64_t random_type_code(spec::TypeList types) { return once_in(4) ? 0 : type_code(random_of(types)); }

inline void add_random_attributes(Node& node, const spec::OperatorVersion& version) {
  const bool quantizes = version.op == spec::Operator::quantize_linear;
  if (version.attribute("saturate") != nullptr && once_in(2))
    node.attributes["saturate"] = *rc::gen::weightedElement<std::int64_t>({{6, 0}, {3, 1}, {1, 2}});
  if (version.attribute("precision") != nullptr && once_in(2))
    node.attributes["precision"] = random_type_code(version.precisions);
  if (version.attribute("output_dtype") == nullptr) return;
  const bool has_zero_point = node.inputs.size() > 2;
  const bool agrees = quantizes && has_zero_point && !once_in(6);
  if (agrees)
    node.attributes["output_dtype"] = once_in(2) ? 0 : type_code(node.inputs[2]->type());
  else
    node.attributes["output_dtype"] = random_type_code(version.output.types);
}

/// Changes something that may make the node illegal.
inline void break_a_rule(Node& node) {
  const auto attribute = [&](const char* name) { node.attributes[name] = random_in<std::int64_t>(-3, 29); };
  switch (random_in(0, 8)) {
    case 0: return attribute("axis");
    case 1: return attribute("block_size");
    case 2: return attribute("precision");
    case 3: return attribute("output_dtype");
    case 4: return node.inputs.resize(static_cast<std::size_t>(random_in(1, 4)));
    case 5: node.inputs[0] = random_tensor(node.inputs[0]->type(), random_shape()); return;
    case 6: node.inputs[1] = random_tensor(node.inputs[1]->type(), random_shape()); return;
    case 7: node.attributes.erase("axis"); return;
    default: node.inputs[1] = random_tensor(random_of(spec::tables::dequantized_28), node.inputs[1]->shape()); return;
  }
}

inline Node random_node(const Shape& shape) {
  const auto op = *rc::gen::element(spec::Operator::quantize_linear, spec::Operator::dequantize_linear);
  const std::string_view domain = once_in(4) ? spec::com_microsoft : spec::ai_onnx;
  const int opset = random_in(spec::oldest_of(domain)->number, spec::newest_of(domain)->number);
  const spec::OperatorVersion& version = *spec::resolve(domain, op, opset);
  const auto& [x_row, scale_row, zero_point_row] = version.inputs;
  const auto bound = [&](const spec::Parameter& row) {
    return !row.type_variable.empty() && row.type_variable == version.inputs[0].type_variable;
  };

  const spec::ElementType x_type = random_of(x_row.types);
  const spec::ElementType scale_type = bound(scale_row) ? x_type : random_of(scale_row.types);
  const spec::ElementType zero_point_type = bound(zero_point_row) ? x_type : random_of(zero_point_row.types);
  RandomGranularity granularity = random_granularity(version, shape);
  std::optional<Tensor> zero_point;
  if (once_in(2)) {
    zero_point = Tensor(zero_point_type, granularity.scale);
    const bool unusual = zero_point_type == spec::ElementType::int32 || !spec::is_integer(zero_point_type);
    if (!unusual || once_in(3)) zero_point = random_tensor(zero_point_type, granularity.scale);
  }
  Node result = node(op, opset, random_tensor(x_type, shape), random_tensor(scale_type, granularity.scale),
                     std::move(zero_point), std::move(granularity.attributes));
  result.domain = domain;
  add_random_attributes(result, version);
  if (once_in(5)) break_a_rule(result);
  return result;
}

inline Node random_node() { return random_node(random_shape()); }

/// Non-primary readings for about one ambiguity in `times`. Opsets keep their versions.
inline Policy random_policy(int times) {
  Policy policy;
  for (std::size_t i = 0; i < spec::ambiguities.size(); ++i) {
    if (i == spec::ambiguity_index<spec::OpsetsBetweenVersions> || !once_in(times)) continue;
    policy = policy.with(i, random_in<std::size_t>(0, spec::ambiguities[i]->readings.size() - 1));
  }
  return policy;
}

inline void showValue(const Node& node, std::ostream& out) { out << to_text(node); }

inline void showValue(const Policy& policy, std::ostream& out) {
  for (std::size_t i = 0; i < spec::ambiguities.size(); ++i)
    if (policy.reading_index(i) != 0)
      out << spec::ambiguities[i]->id << ": " << spec::ambiguities[i]->readings[policy.reading_index(i)].id << "; ";
}

inline rc::Gen<Node> any_node() {
  return rc::gen::exec([] { return random_node(); });
}
inline rc::Gen<Policy> any_policy(int times) {
  return rc::gen::exec([times] { return random_policy(times); });
}

}  // namespace touchstone::reference
