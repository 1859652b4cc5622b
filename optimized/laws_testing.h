// For tests: random operands and options for the tests of laws. Call these functions only within a property.
#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "optimized/dequantize_linear.h"
#include "optimized/isa_testing.h"
#include "optimized/quantize_linear.h"
#include "optimized/type_list.h"
#include "reference/codec.h"
#include "reference/model/tensor.h"
#include "reference/random/values.h"
#include "spec/operator_version.h"

namespace touchstone::optimized {

using reference::number_of;
using reference::Random;
using reference::random_threshold;
using reference::rounded_code;
using reference::Tensor;
using spec::ElementType;

// ---- types and values

inline Isa any_isa() { return *rc::gen::elementOf(available_isas()); }

inline ElementType any_of(spec::TypeList types) {
  return *rc::gen::elementOf(std::vector<ElementType>(types.begin(), types.end()));
}

inline ElementType any_quantized() { return any_of(quantized_types); }

inline ElementType any_integer() {
  using enum ElementType;
  return *rc::gen::element(uint16, int16, uint8, int8, uint4, int4, uint2, int2);
}

inline Random any_random() { return Random(*rc::gen::arbitrary<std::uint64_t>()); }

/// A tensor with the codes of random finite numbers.
inline Tensor any_codes(ElementType type, const reference::Shape& shape) {
  Random random = any_random();
  Tensor codes(type, shape);
  for (std::int64_t i = 0; i < codes.size(); ++i) do {
      codes.set_code(i, random());
    } while (std::isnan(number_of(type, codes.code(i))) || std::isinf(number_of(type, codes.code(i))));
  return codes;
}

inline Tensor any_zero_point(ElementType type) { return any_codes(type, {}); }

/// A positive scale for which quotients and products stay normal numbers.
inline float any_scale() {
  const int significand = *rc::gen::inRange(1 << 23, 1 << 24);
  return std::ldexp(static_cast<float>(significand), *rc::gen::inRange(-60, 60) - 23);
}

/// Scales around 1, so that the same numbers have different quotients.
inline std::vector<float> any_scales(std::int64_t count) {
  Random random = any_random();
  std::vector<float> scales(static_cast<std::size_t>(count));
  for (float& scale : scales) scale = std::uniform_real_distribution<float>(0.125F, 8.0F)(random);
  return scales;
}

inline std::vector<float> any_numbers(std::size_t count, float scale, double largest_quotient) {
  Random random = any_random();
  std::uniform_real_distribution<double> quotients(-largest_quotient, largest_quotient);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(static_cast<double>(scale) * quotients(random));
  return numbers;
}

inline Tensor tensor_of(const std::vector<float>& numbers) {
  const auto bytes = std::as_bytes(std::span(numbers));
  return Tensor(ElementType::float32, {static_cast<std::int64_t>(numbers.size())}, {bytes.begin(), bytes.end()});
}

// ---- calls

/// Returns y with the shape [number of elements].
inline Tensor quantized(const Tensor& x, const Tensor& scale, const std::optional<Tensor>& zero_point, ElementType type,
                        const Geometry& geometry, const QuantizeOptions& options) {
  std::vector<std::byte> y(static_cast<std::size_t>(packed_bytes(type, x.size())));
  std::optional<ConstTensorView> zero_points;
  if (zero_point) zero_points = {type, zero_point->bytes()};
  const Status status =
      quantize_linear({x.type(), x.bytes()}, {scale.type(), scale.bytes()}, zero_points, {type, y}, geometry, options);
  RC_ASSERT(status.error == Error::none);
  return Tensor(type, {x.size()}, y);
}

/// Returns y with the shape [number of elements].
inline Tensor dequantized(const Tensor& x, const Tensor& scale, const std::optional<Tensor>& zero_point,
                          ElementType type, const Geometry& geometry, const DequantizeOptions& options) {
  std::vector<std::byte> y(static_cast<std::size_t>(packed_bytes(type, x.size())));
  std::optional<ConstTensorView> zero_points;
  if (zero_point) zero_points = {x.type(), zero_point->bytes()};
  const Status status = dequantize_linear({x.type(), x.bytes()}, {scale.type(), scale.bytes()}, zero_points, {type, y},
                                          geometry, options);
  RC_ASSERT(status.error == Error::none);
  return Tensor(type, {x.size()}, y);
}

}  // namespace touchstone::optimized
