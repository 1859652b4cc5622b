#include "reference/rounding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "reference/codec.h"
#include "reference/host_numbers.h"

namespace touchstone::reference::rounding_test {

namespace {

using spec::ElementType;
using spec::format_of;
using enum spec::ElementType;

// Generates a hundred numbers at a time, because rapidcheck runs a property only a hundred times.
template <class T>
std::vector<T> a_hundred(const rc::Gen<T>& generator) {
  return *rc::gen::container<std::vector<T>>(100, generator);
}

/// Codes of floats of all kinds. Half of them have short significands, so that ties and exact results are not rare.
template <class Code>
rc::Gen<Code> any_code(int fraction_bits) {
  const auto code = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<Code>());
  return rc::gen::map(rc::gen::pair(code, rc::gen::inRange(0, 2 * fraction_bits)), [=](const auto& pair) {
    const int zeros = pair.second < fraction_bits ? pair.second : 0;
    return static_cast<Code>(pair.first >> zeros << zeros);
  });
}

// ---- to integers

struct IntegerRounding {
  double value, half_to_even, half_away, truncated, floored;
};

constexpr std::array integer_roundings{
    IntegerRounding{0.25, 0, 0, 0, 0},
    IntegerRounding{0.5, 0, 1, 0, 0},
    IntegerRounding{0.75, 1, 1, 0, 0},
    IntegerRounding{1, 1, 1, 1, 1},
    IntegerRounding{1.5, 2, 2, 1, 1},
    IntegerRounding{2.5, 2, 3, 2, 2},
    IntegerRounding{3.5, 4, 4, 3, 3},
    IntegerRounding{-0.25, -0.0, -0.0, -0.0, -1},
    IntegerRounding{-0.5, -0.0, -1, -0.0, -1},
    IntegerRounding{-1, -1, -1, -1, -1},
    IntegerRounding{-1.5, -2, -2, -1, -2},
    IntegerRounding{-2.5, -2, -3, -2, -3},
    IntegerRounding{0x1.fffffffffffffp-2, 0, 0, 0, 0},  // the float64 below 0.5
    IntegerRounding{0x1.0000000000001p-1, 1, 1, 0, 0},  // and the one above
    IntegerRounding{0x1.3ffffffffffffp+1, 2, 2, 2, 2},  // the one below 2.5
    IntegerRounding{0x1.4000000000001p+1, 3, 3, 2, 2},
    IntegerRounding{0x1p52 - 0.5, 0x1p52, 0x1p52, 0x1p52 - 1, 0x1p52 - 1},
    IntegerRounding{-0x1p-1074, -0.0, -0.0, -0.0, -1},
    IntegerRounding{0x1.8p1023, 0x1.8p1023, 0x1.8p1023, 0x1.8p1023, 0x1.8p1023},
    IntegerRounding{0.0, 0.0, 0.0, 0.0, 0.0},
    IntegerRounding{-0.0, -0.0, -0.0, -0.0, -0.0},
    IntegerRounding{inf, inf, inf, inf, inf},
    IntegerRounding{-inf, -inf, -inf, -inf, -inf},
    IntegerRounding{nan, nan, nan, nan, nan},
};

TEST(RoundingToIntegers, FollowsTheTable) {
  for (const IntegerRounding& row : integer_roundings) {
    EXPECT_EQ(round_half_to_even(exact(row.value)), exact(row.half_to_even)) << row.value;
    EXPECT_EQ(round_half_away_from_zero(exact(row.value)), exact(row.half_away)) << row.value;
    EXPECT_EQ(truncate(exact(row.value)), exact(row.truncated)) << row.value;
    EXPECT_EQ(floor(exact(row.value)), exact(row.floored)) << row.value;
  }
}

TEST(RoundingToIntegers, IsExactBeyondFloats) {
  const Rational huge(Integer(1) << 200);
  const auto rounded = [&](const Rational& rest) { return round_half_to_even(Value::of(Rational(huge + rest))); };
  EXPECT_EQ(rounded(Rational(1, 3)), Value::of(huge));
  EXPECT_EQ(rounded(Rational(1, 2)), Value::of(huge));
  EXPECT_EQ(rounded(Rational(2, 3)), Value::of(Rational(huge + 1)));
  EXPECT_EQ(rounded(Rational(3, 2)), Value::of(Rational(huge + 2)));
}

RC_GTEST_PROP(RoundingToIntegers, AgreesWithTheHost, ()) {
  for (const int sixteenths : a_hundred(rc::gen::inRange(-4096, 4096))) {
    const double value = sixteenths / 16.0;
    RC_ASSERT(round_half_to_even(exact(value)) == exact(std::nearbyint(value)));
    RC_ASSERT(round_half_away_from_zero(exact(value)) == exact(std::round(value)));
    RC_ASSERT(truncate(exact(value)) == exact(std::trunc(value)));
    RC_ASSERT(floor(exact(value)) == exact(std::floor(value)));
  }
}

// ---- exponents

TEST(Binade, ContainsTheMagnitude) {
  const std::vector<std::pair<Rational, int>> rows{
      {{1, 1}, 0},  {{1, 2}, -1}, {{3, 4}, -1}, {{5, 4}, 0}, {{3, 1}, 1},      {{4, 1}, 2},    {{1, 3}, -2},
      {{2, 3}, -1}, {{4, 3}, 0},  {{7, 3}, 1},  {{8, 3}, 1}, {{255, 256}, -1}, {{257, 256}, 0}};
  for (const auto& [magnitude, exponent] : rows)
    EXPECT_EQ(binade(Value::of(magnitude).magnitude()), exponent) << magnitude;
}

RC_GTEST_PROP(Binade, IsTheExponentThatTheHostFinds, ()) {
  for (const auto code : a_hundred(any_code<std::uint64_t>(52))) {
    const auto value = std::bit_cast<double>(code);
    if (std::isfinite(value) && value != 0) RC_ASSERT(binade(exact(value).magnitude()) == std::ilogb(value));
  }
}

TEST(Tie, LiesHalfwayBetweenIntegers) {
  for (const double value : {0.5, -0.5, 1.5, 2.5, -1234.5, 0x1p40 + 0.5}) EXPECT_TRUE(is_tie(exact(value))) << value;
  for (const double value : {0.0, -0.0, 1.0, -2.0, 0.25, 0.75, 1.4999, 0x1p60, inf, nan})
    EXPECT_FALSE(is_tie(exact(value))) << value;
  EXPECT_TRUE(is_tie(divide(exact(15), exact(6))));
  EXPECT_FALSE(is_tie(divide(exact(10), exact(6))));
}

TEST(MultipleOfPowerOfTwo, CountsWholeOnes) {
  constexpr int none = -1;
  struct Row {
    double value;
    int exponent;
    int count;
  };
  for (const auto& [value, exponent, count] : std::vector<Row>{{12, 0, 12},
                                                               {12, 2, 3},
                                                               {12, 3, none},
                                                               {-12, 1, 6},
                                                               {0.75, -2, 3},
                                                               {0.75, -1, none},
                                                               {-0.0, 5, 0},
                                                               {inf, 0, none},
                                                               {nan, 0, none}}) {
    const auto found = multiple_of_power_of_two(exact(value), exponent);
    EXPECT_EQ(found ? static_cast<int>(*found) : none, count) << value;
  }
  EXPECT_EQ(multiple_of_power_of_two(divide(exact(15), exact(6)), -1).value(), 5);
  EXPECT_FALSE(multiple_of_power_of_two(divide(exact(1), exact(3)), -100).has_value());
}

TEST(LargestFinite, FollowsTheDefinitions) {
  constexpr double float64_max = std::numeric_limits<double>::max();
  constexpr double float32_max = std::numeric_limits<float>::max();
  const std::vector<std::pair<ElementType, double>> rows{
      {float64, float64_max}, {float32, float32_max}, {float16, 65504},    {bfloat16, 0x1.FEp127},
      {float8e4m3fn, 448},    {float8e4m3fnuz, 240},  {float8e5m2, 57344}, {float8e5m2fnuz, 57344},
      {float8e8m0, 0x1p127},  {float6e2m3, 7.5},      {float6e3m2, 28},    {float4e2m1, 6}};
  for (const auto& [type, largest] : rows)
    EXPECT_TRUE(largest_finite(format_of(type)) == exact(largest).magnitude()) << name(type);
}

// ---- to fraction bits

struct Roundings {
  ElementType type;
  std::vector<std::pair<double, double>> rows;  ///< a value and its rounded result
};

const std::vector<Roundings> fraction_roundings{
    // Ties.
    {float4e2m1, {{.25, 0}, {.75, 1}, {1.25, 1}, {1.75, 2}, {2.5, 2}, {3.5, 4}, {5, 4}}},
    {float6e2m3, {{.0625, 0}, {.1875, .25}, {1.0625, 1}, {1.1875, 1.25}, {2.125, 2}, {2.375, 2.5}}},
    {float6e2m3, {{4.25, 4}, {7.25, 7}}},
    {float6e3m2, {{.03125, 0}, {.09375, .125}, {.5625, .5}, {.6875, .75}, {1.125, 1}, {1.375, 1.5}}},
    {float6e3m2, {{9, 8}, {11, 12}, {26, 24}}},
    {float8e4m3fn, {{17, 16}, {18, 18}, {19, 20}, {1.0625, 1}, {1.1875, 1.25}, {248, 256}, {-260, -256}}},
    {float8e4m3fnuz, {{17, 16}, {18, 18}, {19, 20}, {1.0625, 1}, {1.1875, 1.25}}},
    {float8e5m2, {{9, 8}, {10, 10}, {11, 12}, {1.125, 1}, {1.375, 1.5}, {465, 448}, {480, 512}}},
    {float8e5m2fnuz, {{9, 8}, {10, 10}, {11, 12}, {1.125, 1}, {1.375, 1.5}, {480, 512}}},
    // Subnormals.
    {float8e4m3fn, {{0x1p-10, 0}, {-0x1p-10, -0.0}, {1.0001 * 0x1p-10, 0x1p-9}, {0x3p-10, 0x1p-8}}},
    {float8e4m3fn, {{2.5 * 0x1p-9, 0x1p-8}, {.99 * 0x1p-6, 0x1p-6}}},
    {float8e4m3fnuz, {{0x1p-11, 0}, {1.0001 * 0x1p-11, 0x1p-10}, {0x3p-11, 0x1p-9}, {.99 * 0x1p-7, 0x1p-7}}},
    {float8e5m2, {{0x1p-17, 0}, {1.0001 * 0x1p-17, 0x1p-16}, {0x3p-17, 0x1p-15}, {.99 * 0x1p-14, 0x1p-14}}},
    {float8e5m2fnuz, {{0x1p-18, 0}, {1.0001 * 0x1p-18, 0x1p-17}, {0x3p-18, 0x1p-16}, {.99 * 0x1p-15, 0x1p-15}}},
    // Both sides of the largest number: the exponent has no upper limit.
    {float4e2m1, {{6.5, 6}, {7, 8}}},
    {float6e2m3, {{7.625, 7.5}, {7.75, 8}}},
    {float6e3m2, {{29, 28}, {30, 32}}},
    {float8e4m3fn, {{448, 448}, {464, 448}, {0x1.d000000000001p8, 480}, {465, 480}, {-480, -480}, {1000, 1024}}},
    {float8e4m3fnuz, {{240, 240}, {0x1.effffffffffffp7, 240}, {248, 256}}},
    {float8e5m2, {{61439, 57344}, {61440, 65536}, {70000, 65536}}},
    {float8e5m2fnuz, {{-61439, -57344}, {-61440, -65536}}},
    // Infinities, NaN, zeros, and values that underflow.
    {float4e2m1, {{0.0, 0.0}, {-0.0, -0.0}, {-0x1p-1074, -0.0}, {inf, inf}, {-inf, -inf}, {nan, nan}}},
    {float8e4m3fnuz, {{0.0, 0.0}, {-0.0, -0.0}, {-0x1p-1074, -0.0}, {inf, inf}, {-inf, -inf}, {nan, nan}}},
};

TEST(RoundToFractionBits, FollowsTheTable) {
  for (const auto& [type, rows] : fraction_roundings)
    for (const auto& [value, rounded] : rows)
      EXPECT_EQ(round_to_fraction_bits(exact(value), format_of(type)), exact(rounded)) << name(type) << ' ' << value;
}

/// The numbers of a format from 0 up to at least 2^16, whatever the range of the format: equal steps, which double from
/// binade to binade. Every second number, from 0 on, is even.
std::vector<double> ladder(int fraction_bits, double smallest) {
  std::vector<double> numbers{0};
  const std::size_t binade_size = std::size_t{1} << fraction_bits;
  for (double step = smallest; numbers.back() < 0x1p16;) {
    numbers.push_back(numbers.back() + step);
    if (numbers.size() > 2 * binade_size && numbers.size() % binade_size == 1) step *= 2;
  }
  return numbers;
}

/// The nearer neighbour, or the even one if both are equally near.
double nearest(const std::vector<double>& numbers, double value) {
  const auto above =
      static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), value) - numbers.begin());
  if (above == 0) return 0;
  const double up = numbers[above] - value;
  const double down = value - numbers[above - 1];
  return up < down || (up == down && above % 2 == 0) ? numbers[above] : numbers[above - 1];
}

TEST(RoundToFractionBits, FindsTheNearestNeighbourOfEveryFloat16) {
  using Row = std::tuple<ElementType, int, double>;
  for (const auto& [type, fraction_bits, smallest] :
       {Row{float8e4m3fn, 3, 0x1p-9}, Row{float8e4m3fnuz, 3, 0x1p-10}, Row{float8e5m2, 2, 0x1p-16},
        Row{float8e5m2fnuz, 2, 0x1p-17}, Row{float6e2m3, 3, 0x1p-3}, Row{float6e3m2, 2, 0x1p-4},
        Row{float4e2m1, 1, 0x1p-1}}) {
    const std::vector<double> numbers = ladder(fraction_bits, smallest);
    for (int code = 0; code < 0x7C00; ++code) {
      const double value = code < 1024 ? std::ldexp(code, -24) : std::ldexp(1024 + code % 1024, code / 1024 - 25);
      ASSERT_EQ(round_to_fraction_bits(exact(value), format_of(type)), exact(nearest(numbers, value)))
          << name(type) << ' ' << value;
    }
  }
}

// IEEE 754-2019, 4.3.1: of two equally near numbers with one digit, neither of which is even, the larger.
const std::vector<Roundings> type_roundings{
    {float8e8m0, {{1, 1}, {1.3, 1}, {2.6, 2}, {70, 64}, {.75, 1}, {1.5, 2}, {3, 4}, {0x1p127, 0x1p127}}},
    {float8e8m0, {{0x1.7p127, 0x1p127}, {0x1.8p127, nan}, {0x1p-127, 0x1p-127}, {0x1.8p-128, 0x1p-127}}},
    {float8e8m0, {{0x1p-200, nan}, {0.0, nan}, {-0.0, nan}, {-1, nan}, {inf, nan}, {nan, nan}}},
    {float16, {{-65520, -inf}, {2049, 2048}, {2051, 2052}, {nan, nan}}},
    {bfloat16, {{257, 256}, {0x1p-134, 0}, {-0.0, -0.0}, {inf, inf}}},
    {float32, {{0x1.000001p0, 1}, {-0x1p-150, -0.0}, {0x1p128, inf}}},
};

TEST(RoundToType, FollowsTheTable) {
  for (const auto& [type, rows] : type_roundings)
    for (const auto& [value, rounded] : rows)
      EXPECT_EQ(round_to_type(exact(value), type), exact(rounded)) << name(type) << ' ' << value;
}

// ---- to the formats of IEEE 754, compared with the host

const std::vector<Roundings> ieee_roundings{
    {float32, {{0x1.ffffffp127, inf}, {-0x1.ffffffp127, -inf}, {0x1.fffffefffffffp127, 0x1.fffffep127}}},
    {float32, {{0x1p-150, 0}, {0x1.0000000000001p-150, 0x1p-149}, {-0x1p-150, -0.0}, {-0.0, -0.0}}},
    {float16, {{65520, inf}, {-1e6, -inf}, {0x1.ffdffffffffffp15, 65504}, {65504, 65504}}},
    {bfloat16, {{0x1.ffp127, inf}, {0x1.fefffffffffffp127, 0x1.fep127}, {-0x1.ffp127, -inf}}},
    {float8e5m2, {{61440, inf}, {61439, 57344}, {-61440, -inf}, {inf, inf}, {-inf, -inf}, {nan, nan}}},
};

TEST(RoundToIeee, FollowsTheTable) {
  for (const auto& [type, rows] : ieee_roundings)
    for (const auto& [value, rounded] : rows)
      EXPECT_EQ(round_to_ieee(exact(value), format_of(type)), exact(rounded)) << name(type) << ' ' << value;
  EXPECT_EQ(round_to_ieee(Value::scaled(true, 1, 1024), format_of(float64)), exact(-inf));
}

/// Sums, differences, products and quotients of floats.
template <class Float, class Code>
void check_arithmetic(ElementType type, int fraction_bits) {
  const std::vector<Code> codes = a_hundred(any_code<Code>(fraction_bits));
  for (std::size_t i = 1; i < codes.size(); ++i) {
    const auto left = std::bit_cast<Float>(codes[i - 1]);
    const auto right = std::bit_cast<Float>(codes[i]);
    const Value x = decode(type, codes[i - 1]);
    const Value y = decode(type, codes[i]);
    const auto is = [type](const Value& result, Float of_host) {
      return round_to_ieee(result, format_of(type)) == decode(type, std::bit_cast<Code>(of_host));
    };
    RC_ASSERT(is(add(x, y), left + right));
    RC_ASSERT(is(subtract(x, y), left - right));
    RC_ASSERT(is(multiply(x, y), left * right));
    RC_ASSERT(is(divide(x, y), left / right));
  }
}

/// Checks conversions from float64 at the ties between neighbours and directly next to them.
template <class Float, class Code>
void check_conversion(ElementType type, int fraction_bits) {
  for (const Code code : a_hundred(any_code<Code>(fraction_bits))) {
    const auto lower = static_cast<double>(std::bit_cast<Float>(code));
    const auto upper = static_cast<double>(std::bit_cast<Float>(static_cast<Code>(code + 1)));
    if (!std::isfinite(lower) || !std::isfinite(upper)) continue;
    const double tie = (lower + upper) / 2;
    for (const double value : {tie, std::nextafter(tie, inf), std::nextafter(tie, -inf)})
      RC_ASSERT(round_to_ieee(exact(value), format_of(type)) ==
                decode(type, std::bit_cast<Code>(static_cast<Float>(value))));
  }
}

RC_GTEST_PROP(RoundToIeee, GivesTheArithmeticOfFloat64, ()) { check_arithmetic<double, std::uint64_t>(float64, 52); }
RC_GTEST_PROP(RoundToIeee, GivesTheArithmeticOfFloat32, ()) { check_arithmetic<float, std::uint32_t>(float32, 23); }
RC_GTEST_PROP(RoundToIeee, ConvertsToFloat32, ()) { check_conversion<float, std::uint32_t>(float32, 23); }

// Before version 13, GCC has the type in C++ only for x86.
#if defined(__FLT16_MAX__) && (defined(__x86_64__) || defined(__clang__) || __GNUC__ >= 13)
__extension__ using Float16 = _Float16;
RC_GTEST_PROP(RoundToIeee, GivesTheArithmeticOfFloat16, ()) { check_arithmetic<Float16, std::uint16_t>(float16, 10); }
RC_GTEST_PROP(RoundToIeee, ConvertsToFloat16, ()) { check_conversion<Float16, std::uint16_t>(float16, 10); }
#endif

// A bfloat16 is the upper half of a float32. The number added to the lower half carries if it must be rounded up.
RC_GTEST_PROP(RoundToIeee, ConvertsFloat32ToBfloat16, ()) {
  for (const auto code : a_hundred(any_code<std::uint32_t>(23))) {
    const std::uint32_t rounded = code + 0x7FFF + (code >> 16 & 1);
    const bool is_nan = std::isnan(std::bit_cast<float>(code));
    RC_ASSERT(round_to_ieee(decode(float32, code), format_of(bfloat16)) ==
              (is_nan ? Value::nan() : decode(bfloat16, rounded >> 16)));
  }
}

}  // namespace
}  // namespace touchstone::reference::rounding_test
