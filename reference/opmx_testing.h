// For tests: builds nodes of opmx concisely.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "reference/testing.h"

namespace touchstone::reference {

/// DequantizeLinear of opmx with these attributes and no others.
inline Node opmx_node(Tensor x, Tensor scale, std::optional<Tensor> zero_point, Attributes attributes) {
  Node result = node(spec::Operator::dequantize_linear, 1, std::move(x), std::move(scale), std::move(zero_point),
                     std::move(attributes));
  result.domain = spec::opmx;
  return result;
}

inline Node with_data_type(const char* type, Node node) {
  node.attributes.emplace("quant_data_type", std::string(type));
  return node;
}

/// x is int8.
inline Node int8_node(Tensor x, Tensor scale, Attributes attributes) {
  return with_data_type("int8", opmx_node(std::move(x), std::move(scale), std::nullopt, std::move(attributes)));
}
inline Node int8_node(Tensor x, Tensor scale, Tensor zero_point, Attributes attributes) {
  return with_data_type("int8",
                        opmx_node(std::move(x), std::move(scale), std::move(zero_point), std::move(attributes)));
}

/// x is int16, with four rows in one.
inline Node int4_node(Tensor x, Tensor scale, Attributes attributes) {
  return with_data_type("int4", opmx_node(std::move(x), std::move(scale), std::nullopt, std::move(attributes)));
}
inline Node int4_node(Tensor x, Tensor scale, Tensor zero_point, Attributes attributes) {
  return with_data_type("int4",
                        opmx_node(std::move(x), std::move(scale), std::move(zero_point), std::move(attributes)));
}

/// Per tensor or per channel, without a zero point, with one, and with one that is added.
inline const Attributes no_groups{{"group_size", 0}};
inline const Attributes asymmetric{{"group_size", 0}, {"has_zeropoint", 1}};
inline const Attributes biased{{"group_size", 0}, {"has_zeropoint", 1}, {"float_zeropoint", 1}};

inline Attributes groups(std::int64_t axis, std::int64_t group_size, bool zero_point = false, bool is_float = false) {
  return {{"quant_axis", axis},
          {"group_size", group_size},
          {"has_zeropoint", zero_point ? 1 : 0},
          {"float_zeropoint", is_float ? 1 : 0}};
}

}  // namespace touchstone::reference
