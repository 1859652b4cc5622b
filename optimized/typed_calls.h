// quantize_linear() and dequantize_linear() for elements of C++ types:
//
//   quantize<float, std::int8_t>(x, scale, zero_point, y, Geometry::per_axis({64, 256}, 1))
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "optimized/dequantize_linear.h"
#include "optimized/quantize_linear.h"
#include "optimized/tensor_view.h"

namespace touchstone::optimized {

/// Codes of types that C++20 lacks.
enum class Float16 : std::uint16_t {};
enum class Bfloat16 : std::uint16_t {};
/// Two elements, the first one in the low bits. The last pair of an odd number of elements has one.
enum class Uint4Pair : std::uint8_t {};
enum class Int4Pair : std::uint8_t {};

/// The element type that objects of type T hold. Specialize it for other types whose bytes are those of elements:
///   template <>
///   inline constexpr spec::ElementType touchstone::optimized::element_type_of<my::half> = spec::ElementType::float16;
template <class T>
inline constexpr spec::ElementType element_type_of = [] { static_assert(sizeof(T) == 0, "T has no element type"); }();
template <>
inline constexpr auto element_type_of<float> = spec::ElementType::float32;
template <>
inline constexpr auto element_type_of<Float16> = spec::ElementType::float16;
template <>
inline constexpr auto element_type_of<Bfloat16> = spec::ElementType::bfloat16;
template <>
inline constexpr auto element_type_of<std::int32_t> = spec::ElementType::int32;
template <>
inline constexpr auto element_type_of<std::int16_t> = spec::ElementType::int16;
template <>
inline constexpr auto element_type_of<std::uint16_t> = spec::ElementType::uint16;
template <>
inline constexpr auto element_type_of<std::int8_t> = spec::ElementType::int8;
template <>
inline constexpr auto element_type_of<std::uint8_t> = spec::ElementType::uint8;
template <>
inline constexpr auto element_type_of<Int4Pair> = spec::ElementType::int4;
template <>
inline constexpr auto element_type_of<Uint4Pair> = spec::ElementType::uint4;

template <class T>
ConstTensorView view(std::span<const T> elements) noexcept {
  return {element_type_of<T>, std::as_bytes(elements)};
}

template <class T>
TensorView view(std::span<T> elements) noexcept {
  return {element_type_of<T>, std::as_writable_bytes(elements)};
}

/// An empty zero point is an absent one. With X and Y as explicit arguments, containers are converted to spans.
template <class X, class Y, class Scale = X>
Status quantize(std::span<const X> x, std::span<const std::type_identity_t<Scale>> scale, std::span<const Y> zero_point,
                std::span<Y> y, const Geometry& geometry, const QuantizeOptions& options = {}) noexcept {
  const auto zero_points = zero_point.empty() ? std::nullopt : std::optional(view(zero_point));
  return quantize_linear(view(x), view(scale), zero_points, view(y), geometry, options);
}

/// As above.
template <class X, class Y, class Scale = Y>
Status dequantize(std::span<const X> x, std::span<const std::type_identity_t<Scale>> scale,
                  std::span<const X> zero_point, std::span<Y> y, const Geometry& geometry,
                  const DequantizeOptions& options = {}) noexcept {
  const auto zero_points = zero_point.empty() ? std::nullopt : std::optional(view(zero_point));
  return dequantize_linear(view(x), view(scale), zero_points, view(y), geometry, options);
}

}  // namespace touchstone::optimized
