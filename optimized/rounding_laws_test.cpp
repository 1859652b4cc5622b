// Laws of single values. They hold for every instruction set and need no reference.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "optimized/laws_testing.h"

namespace touchstone::optimized::rounding_laws_test {

namespace {

using enum ElementType;

/// Types, options and a scale for which quotients and products stay normal numbers of these types.
struct Setting {
  Isa isa;
  ElementType x_type;
  ElementType type;  ///< the type of y
  Tensor scale;
  Division division;

  double step() const { return number_of(scale.type(), scale.code(0)); }
  QuantizeOptions options() const { return {.division = division, .isa = isa}; }
};

Tensor scalar(ElementType type, double number) {
  Tensor tensor(type, {});
  tensor.set_code(0, rounded_code(type, number));
  return tensor;
}

Tensor negated(Tensor numbers) {
  for (std::int64_t i = 0; i < numbers.size(); ++i)
    numbers.set_code(i, numbers.code(i) ^ std::uint64_t{1} << (spec::info(numbers.type()).bits - 1));
  return numbers;
}

/// A setting with a positive scale.
Setting any_setting(ElementType type, spec::TypeList x_types, spec::TypeList scale_types) {
  const ElementType x_type = any_of(x_types);
  const ElementType scale_type = any_of(scale_types);
  const Division division = *rc::gen::element(Division::in_float16, Division::in_bfloat16, Division::in_float32,
                                              Division::in_float64, Division::exact);
  const bool is_narrow =
      x_type == float16 || x_type == int32 || scale_type == float16 || division == Division::in_float16;
  const int exponent = is_narrow ? *rc::gen::inRange(-6, 6) : *rc::gen::inRange(-60, 60);
  const double scale = std::ldexp(1 + *rc::gen::inRange(0, 1 << 23) * 0x1p-23, exponent);
  return {any_isa(), x_type, type, scalar(scale_type, scale), division};
}

Setting any_setting(ElementType type) {
  return any_setting(type, spec::tables::floats_and_int32, spec::tables::floats_and_e8m0);
}

/// 100 numbers in ascending order whose quotients do not exceed the limit.
Tensor any_sorted_x(const Setting& setting, double largest_quotient) {
  Random random = any_random();
  std::uniform_real_distribution<double> quotients(-largest_quotient, largest_quotient);
  std::vector<double> numbers(100);
  for (double& number : numbers) number = quotients(random) * setting.step();
  std::ranges::sort(numbers);
  Tensor x(setting.x_type, {100});
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.set_code(i, rounded_code(setting.x_type, numbers[static_cast<std::size_t>(i)]));
  return x;
}

Geometry all_of(const Tensor& x) { return {1, 1, x.size(), 0}; }

std::vector<double> numbers_of(const Tensor& tensor) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < tensor.size(); ++i) numbers.push_back(number_of(tensor.type(), tensor.code(i)));
  return numbers;
}

/// Removes NaN, which has no place in the order. Numbers too large for some types become NaN without saturation.
std::vector<double> without_nan(std::vector<double> numbers) {
  std::erase_if(numbers, [](double number) { return std::isnan(number); });
  return numbers;
}

// Each step is monotone: the division by one scale, its rounding, the sum with one zero point, and saturation.
RC_GTEST_PROP(RoundingLaws, QuantizingIsMonotone, ()) {
  Setting setting = any_setting(any_quantized());
  std::optional<Tensor> zero_point;
  if (*rc::gen::arbitrary<bool>()) zero_point = any_zero_point(setting.type);
  const Tensor x = any_sorted_x(setting, *rc::gen::element(3, 20, 300, 1000));
  QuantizeOptions options = setting.options();
  options.saturate = *rc::gen::arbitrary<bool>();
  const bool has_sign = setting.scale.type() != float8e8m0;
  const bool is_negative = has_sign && *rc::gen::arbitrary<bool>();
  const Tensor scale = is_negative ? negated(setting.scale) : setting.scale;
  std::vector<double> y = without_nan(numbers_of(quantized(x, scale, zero_point, setting.type, all_of(x), options)));
  if (is_negative) std::ranges::reverse(y);
  RC_ASSERT(std::ranges::is_sorted(y));
}

// x / -s equals -x / s, including the sign of zero.
RC_GTEST_PROP(RoundingLaws, QuantizingByANegativeScaleQuantizesTheNegativeNumber, ()) {
  const Setting setting = any_setting(any_quantized(), spec::tables::floats, spec::tables::floats);
  std::optional<Tensor> zero_point;
  if (*rc::gen::arbitrary<bool>()) zero_point = any_zero_point(setting.type);
  const Tensor x = any_sorted_x(setting, *rc::gen::element(3, 20, 300, 1000));
  const auto with = [&](const Tensor& numbers, const Tensor& scale) {
    return quantized(numbers, scale, zero_point, setting.type, all_of(x), setting.options());
  };
  RC_ASSERT(std::ranges::equal(with(x, negated(setting.scale)).bytes(), with(negated(x), setting.scale).bytes()));
}

RC_GTEST_PROP(RoundingLaws, DequantizingByANegativeScaleGivesTheNegativeNumber, ()) {
  const ElementType type = any_of(dequantized_types);
  const Tensor x = any_codes(type, {100});
  std::optional<Tensor> zero_point;
  if (*rc::gen::arbitrary<bool>()) zero_point = any_zero_point(type);
  const Tensor scale = any_setting(type, spec::tables::floats, spec::tables::floats).scale;
  const ElementType y_type = any_of(spec::tables::floats);
  const DequantizeOptions options{
      .multiplication =
          *rc::gen::element(Multiplication::in_float16, Multiplication::in_bfloat16, Multiplication::in_float32),
      .isa = any_isa()};
  const auto with = [&](const Tensor& by) {
    return numbers_of(dequantized(x, by, zero_point, y_type, all_of(x), options));
  };
  const std::vector<double> y = with(scale);
  const std::vector<double> negative_y = with(negated(scale));
  for (std::size_t i = 0; i < y.size(); ++i)
    RC_ASSERT(y[i] == -negative_y[i] || (std::isnan(y[i]) && std::isnan(negative_y[i])));
}

/// The significant bits of a number, including the implicit one.
int precision_of(ElementType type) { return spec::format_of(type).fraction_bits + 1; }

/// The largest relative error of one rounding to the type of the division.
double error_of(Division division) {
  switch (division) {
    case Division::in_float16: return 0x1p-11;
    case Division::in_bfloat16: return 0x1p-8;
    case Division::in_float32: return 0x1p-24;
    case Division::in_float64: return 0x1p-53;
    case Division::exact: return 0;
  }
  return 0;
}

/// The largest number of a small floating-point type.
double largest(ElementType type) {
  switch (type) {
    case float8e4m3fn: return 448;
    case float8e4m3fnuz: return 240;
    case float8e5m2:
    case float8e5m2fnuz: return 57344;
    case float6e2m3: return 7.5;
    case float6e3m2: return 28;
    case float4e2m1: return 6;
    default: throw std::invalid_argument("no small floating-point type");
  }
}

/// An upper bound for the distance from a quotient to the nearest number of a type.
double half_step(ElementType type, double quotient) {
  if (spec::is_integer(type)) return 0.5;
  const int smallest_exponent = 1 - spec::format_of(type).exponent_bias;
  const int exponent = quotient == 0 ? smallest_exponent : std::max(std::ilogb(quotient), smallest_exponent);
  return std::ldexp(1, exponent - precision_of(type));
}

// Within the range; outside of it, y is the end of the range.
RC_GTEST_PROP(RoundingLaws, QuantizingIsOffByHalfAStepAtMost, ()) {
  const Setting setting = any_setting(any_quantized());
  const ElementType type = setting.type;
  std::optional<Tensor> zero_point;
  double lowest = 0;
  double highest = 0;
  if (spec::is_integer(type)) {
    zero_point = any_zero_point(type);
    const double zero = number_of(type, zero_point->code(0));
    lowest = static_cast<double>(reference::lowest(type)) - zero;
    highest = static_cast<double>(reference::highest(type)) - zero;
  } else {
    highest = largest(type);
    lowest = -highest;
  }
  const Tensor x = any_sorted_x(setting, *rc::gen::element(3, 20, 300, 1000));
  const Tensor codes = quantized(x, setting.scale, zero_point, type, all_of(x), setting.options());
  const Tensor y = dequantized(codes, setting.scale, zero_point, float32, all_of(x), {.isa = setting.isa});
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const double quotient = number_of(x.type(), x.code(i)) / setting.step();
    // x, scale and their quotient are each rounded.
    const double error = error_of(setting.division);
    const double divided = quotient * (1 + error) * (1 + error) / (1 - error);
    const double wanted = std::clamp(quotient, lowest, highest);
    const double result = number_of(float32, y.code(i)) / setting.step();
    const double product = std::fabs(result) * 0x1p-23;  // the rounding to float32 and the host's division
    RC_ASSERT(std::fabs(result - wanted) <= half_step(type, divided) + std::fabs(divided - quotient) + product);
  }
}

// Every code is the nearest one to its number if quotients and products have a few more bits than the code.
RC_GTEST_PROP(RoundingLaws, QuantizingDequantizedCodesRestoresThem, ()) {
  const ElementType type = any_quantized();
  const int code_bits = spec::is_integer(type) ? spec::info(type).bits + 1 : precision_of(type);  // of a difference
  std::vector<ElementType> y_types{float32};
  for (const ElementType y_type : {float16, bfloat16}) {
    const bool has_range = spec::is_integer(type) || y_type == bfloat16 || spec::format_of(type).exponent_bits < 5;
    if (has_range && code_bits + 2 <= precision_of(y_type)) y_types.push_back(y_type);
  }
  const ElementType y_type = *rc::gen::elementOf(y_types);
  Setting setting = any_setting(type, std::vector{y_type}, std::vector{y_type});
  setting.division = Division::in_float32;
  std::optional<Tensor> zero_point;
  if (spec::is_integer(type)) zero_point = any_zero_point(type);
  const Tensor scale = *rc::gen::arbitrary<bool>() ? negated(setting.scale) : setting.scale;
  const Tensor codes = any_codes(type, {*rc::gen::inRange(0, 300)});
  const Tensor y = dequantized(codes, scale, zero_point, y_type, all_of(codes), {.isa = setting.isa});
  RC_ASSERT(std::ranges::equal(quantized(y, scale, zero_point, type, all_of(codes), setting.options()).bytes(),
                               codes.bytes()));
}

}  // namespace

}  // namespace touchstone::optimized::rounding_laws_test
