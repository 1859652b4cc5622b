#include "reference/codec.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "reference/host_numbers.h"

namespace touchstone::reference::codec_test {
namespace {

using spec::ElementType;
using enum spec::ElementType;

// ---- all codes of all types of 16 bits or less

using Numbers = std::vector<double>;  ///< of code 0, of code 1, ...

/// A format as the list of its non-negative numbers: 0, smallest, 2 smallest ..., in steps that double from binade to
/// binade. If the list ends before the sign bit, infinity (if there is one) and NaN follow.
struct Ladder {
  int bits;
  int fraction_bits;
  double smallest;
  double largest;
  bool has_infinity = false;
  bool minus_zero_is_nan = false;
};

Numbers numbers_of(const Ladder& ladder) {
  const std::size_t sign = std::size_t{1} << (ladder.bits - 1);
  const std::size_t binade_size = std::size_t{1} << ladder.fraction_bits;
  Numbers numbers{0};
  for (double step = ladder.smallest; numbers.back() < ladder.largest;) {
    numbers.push_back(numbers.back() + step);
    if (numbers.size() > 2 * binade_size && numbers.size() % binade_size == 1) step *= 2;
  }
  if (ladder.has_infinity) numbers.push_back(inf);
  numbers.resize(sign, nan);
  for (std::size_t code = 0; code < sign; ++code) numbers.push_back(-numbers[code]);
  if (ladder.minus_zero_is_nan) numbers[sign] = nan;
  return numbers;
}

/// first, first + 1 ... until the type is full.
Numbers counting(int bits, double first = 0) {
  Numbers numbers{first};
  while (numbers.size() < std::size_t{1} << bits) numbers.push_back(numbers.back() + 1);
  return numbers;
}

/// In two's complement the second half of the codes are the negative numbers.
Numbers twos_complement(int bits) {
  Numbers numbers = counting(bits - 1);
  for (const double number : counting(bits - 1, -std::ldexp(1.0, bits - 1))) numbers.push_back(number);
  return numbers;
}

Numbers powers_of_two_and_nan() {
  Numbers numbers{0x1p-127};
  while (numbers.size() < 255) numbers.push_back(2 * numbers.back());
  numbers.push_back(nan);
  return numbers;
}

struct NumbersOfType {
  ElementType type;
  Numbers numbers;
};

const std::vector<NumbersOfType> small_types{
    {boolean, counting(8)},
    {uint2, counting(2)},
    {uint4, counting(4)},
    {int4x4, counting(4)},
    {uint8, counting(8)},
    {uint16, counting(16)},
    {int2, twos_complement(2)},
    {int4, twos_complement(4)},
    {int8, twos_complement(8)},
    {int16, twos_complement(16)},
    {float16, numbers_of({16, 10, 0x1p-24, 65504, true})},
    {bfloat16, numbers_of({16, 7, 0x1p-133, 0x1.FEp127, true})},
    {float8e4m3fn, numbers_of({8, 3, 0x1p-9, 448})},
    {float8e4m3fnuz, numbers_of({8, 3, 0x1p-10, 240, false, true})},
    {float8e5m2, numbers_of({8, 2, 0x1p-16, 57344, true})},
    {float8e5m2fnuz, numbers_of({8, 2, 0x1p-17, 57344, false, true})},
    {float6e2m3, numbers_of({6, 3, 0x1p-3, 7.5})},
    {float6e3m2, numbers_of({6, 2, 0x1p-4, 28})},
    {float4e2m1, {0, .5, 1, 1.5, 2, 3, 4, 6, -0.0, -.5, -1, -1.5, -2, -3, -4, -6}},
    {float8e8m0, powers_of_two_and_nan()},
};

class AllCodes : public ::testing::TestWithParam<NumbersOfType> {};

TEST_P(AllCodes, DenoteTheNumbersOfTheTypeInOrder) {
  const auto& [type, numbers] = GetParam();
  ASSERT_EQ(numbers.size(), std::size_t{1} << spec::info(type).bits);
  for (std::size_t code = 0; code < numbers.size(); ++code)
    EXPECT_EQ(decode(type, code), exact(numbers[code])) << "code " << code;
}

TEST_P(AllCodes, EncodeAgainToTheSameCodes) {
  const auto& [type, numbers] = GetParam();
  for (std::size_t code = 0; code < numbers.size(); ++code) {
    if (std::isnan(numbers[code])) continue;
    EXPECT_EQ(encode(type, decode(type, code)), code);
  }
}

TEST_P(AllCodes, AscendUpToTheSignBit) {
  const auto& [type, numbers] = GetParam();
  for (std::size_t code = 1; code < numbers.size() / 2; ++code) {
    if (!std::isfinite(numbers[code])) continue;
    EXPECT_LT(decode(type, code - 1).rational(), decode(type, code).rational()) << "code " << code;
  }
}

TEST_P(AllCodes, IgnoreHigherBits) {
  const auto& [type, numbers] = GetParam();
  const std::uint64_t above = ~std::uint64_t{0} << spec::info(type).bits;
  for (std::size_t code = 0; code < numbers.size(); ++code)
    EXPECT_EQ(decode(type, code | above), decode(type, code)) << "code " << code;
}

INSTANTIATE_TEST_SUITE_P(Codec, AllCodes, ::testing::ValuesIn(small_types),
                         [](const auto& row) { return std::string(name(row.param.type)); });

TEST(Codec, IsTestedForAllTypes) {
  for (const spec::ElementTypeInfo& row : spec::element_types) {
    std::size_t tables = 0;
    for (const NumbersOfType& type : small_types) tables += type.type == row.type ? 1 : 0;
    EXPECT_EQ(tables, row.bits <= 16 ? 1u : 0u) << row.name;
  }
}

TEST(Codec, HasTheNanCodesOfTheFormats) {
  const std::vector<std::pair<ElementType, std::vector<std::uint64_t>>> rows{
      {float8e4m3fn, {0x7F, 0xFF}},
      {float8e4m3fnuz, {0x80}},
      {float8e5m2, {0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF}},
      {float8e5m2fnuz, {0x80}},
      {float8e8m0, {0xFF}},
      {float6e2m3, {}},
      {float6e3m2, {}},
      {float4e2m1, {}},
  };
  for (const auto& [type, nan_codes] : rows) {
    std::vector<std::uint64_t> found;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << spec::info(type).bits; ++code)
      if (decode(type, code).is_nan()) found.push_back(code);
    EXPECT_EQ(found, nan_codes) << name(type);
  }
  for (const auto& [type, count] : {std::pair{float16, 2 * 1023}, {bfloat16, 2 * 127}}) {
    int found = 0;
    for (std::uint64_t code = 0; code < 0x10000; ++code) found += decode(type, code).is_nan() ? 1 : 0;
    EXPECT_EQ(found, count) << name(type);
  }
}

TEST(Codec, DecodesTheWorkedExamples) {
  const std::vector<std::pair<ElementType, std::vector<std::pair<std::uint64_t, double>>>> examples{
      {float8e4m3fn, {{0x7F, nan}, {0xFF, nan}, {0x80, -0.0}, {0x01, 0x1p-9}, {0xFE, -448}, {0x58, 16}, {0x38, 1}}},
      {float8e4m3fnuz, {{0x7F, 240}, {0xFF, -240}, {0x80, nan}, {0x01, 0x1p-10}, {0xFE, -224}, {0x40, 1}}},
      {float8e5m2, {{0x7D, nan}, {0x7F, nan}, {0xFF, nan}, {0x7C, inf}, {0xFC, -inf}, {0x01, 0x1p-16}, {0x7B, 57344}}},
      {float8e5m2fnuz, {{0x7F, 57344}, {0x80, nan}, {0x01, 0x1p-17}, {0xFE, -49152}, {0x40, 1}}},
      {float8e8m0, {{0, 0x1p-127}, {126, 0.5}, {127, 1}, {254, 0x1p127}, {255, nan}}},
      {float6e2m3, {{0x01, 0.125}, {0x08, 1}, {0x1F, 7.5}, {0x20, -0.0}, {0x3F, -7.5}}},
      {float6e3m2, {{0x01, 0.0625}, {0x04, 0.25}, {0x0C, 1}, {0x1F, 28}, {0x20, -0.0}, {0x3F, -28}}},
      {float16, {{0x3C00, 1}, {0x7BFF, 65504}, {0x0400, 0x1p-14}, {0x0001, 0x1p-24}, {0xFC00, -inf}, {0x8000, -0.0}}},
      {bfloat16, {{0x3F80, 1}, {0x0080, 0x1p-126}, {0x0001, 0x1p-133}, {0x7F80, inf}, {0x7FC0, nan}, {0x8000, -0.0}}},
      {int4, {{0x7, 7}, {0x8, -8}, {0xE, -2}, {0xF, -1}}},
      {int2, {{0, 0}, {1, 1}, {2, -2}, {3, -1}}},
  };
  for (const auto& [type, rows] : examples)
    for (const auto& [code, number] : rows) EXPECT_EQ(decode(type, code), exact(number)) << name(type) << ' ' << code;
}

// ---- the wide types, compared with the host

template <class Code>
Code any_code() {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<Code>());
}

template <class Number, class Code>
void check_float(ElementType type, Code code) {
  const auto number = static_cast<double>(std::bit_cast<Number>(code));
  RC_ASSERT(decode(type, code) == exact(number));
  if (!std::isnan(number)) RC_ASSERT(encode(type, exact(number)) == code);
}

template <class Number>
void check_integer(ElementType type) {
  const auto number = any_code<Number>();
  const auto code = static_cast<std::make_unsigned_t<Number>>(number);
  RC_ASSERT(decode(type, code) == Value::of(Integer(number)));
  RC_ASSERT(encode(type, Value::of(Integer(number))) == code);
}

RC_GTEST_PROP(WideTypes, Float32IsTheHosts, ()) { check_float<float>(float32, any_code<std::uint32_t>()); }
RC_GTEST_PROP(WideTypes, Float64IsTheHosts, ()) { check_float<double>(float64, any_code<std::uint64_t>()); }
RC_GTEST_PROP(WideTypes, SubnormalFloat32IsTheHosts, ()) {
  check_float<float>(float32, any_code<std::uint32_t>() >> 9);
}
RC_GTEST_PROP(WideTypes, Int32IsTheHosts, ()) { check_integer<std::int32_t>(int32); }
RC_GTEST_PROP(WideTypes, Int64IsTheHosts, ()) { check_integer<std::int64_t>(int64); }
RC_GTEST_PROP(WideTypes, Uint32IsTheHosts, ()) { check_integer<std::uint32_t>(uint32); }
RC_GTEST_PROP(WideTypes, Uint64IsTheHosts, ()) { check_integer<std::uint64_t>(uint64); }

template <class Number>
void expect_range(ElementType type) {
  EXPECT_EQ(lowest(type), std::numeric_limits<Number>::lowest()) << name(type);
  EXPECT_EQ(highest(type), std::numeric_limits<Number>::max()) << name(type);
}

TEST(Codec, GivesTheRangesOfIntegers) {
  expect_range<std::int8_t>(int8);
  expect_range<std::uint8_t>(uint8);
  expect_range<std::int16_t>(int16);
  expect_range<std::uint16_t>(uint16);
  expect_range<std::int32_t>(int32);
  expect_range<std::uint32_t>(uint32);
  expect_range<std::int64_t>(int64);
  expect_range<std::uint64_t>(uint64);
  for (const auto& [type, low, high] : {std::tuple{int4, -8, 7}, {int2, -2, 1}, {uint4, 0, 15}, {uint2, 0, 3}}) {
    EXPECT_EQ(lowest(type), low) << name(type);
    EXPECT_EQ(highest(type), high) << name(type);
  }
}

// ---- encode for all other values

TEST(Encode, GivesNanItsCanonicalCode) {
  using Row = std::pair<ElementType, std::uint64_t>;
  for (const auto& [type, code] : {Row{float64, 0x7FF8'0000'0000'0000}, Row{float32, 0x7FC0'0000}, Row{float16, 0x7E00},
                                   Row{bfloat16, 0x7FC0}, Row{float8e4m3fn, 0x7F}, Row{float8e4m3fnuz, 0x80},
                                   Row{float8e5m2, 0x7E}, Row{float8e5m2fnuz, 0x80}, Row{float8e8m0, 0xFF}})
    EXPECT_EQ(encode(type, Value::nan()), code) << name(type);
}

TEST(Encode, GivesIntegersOneZero) {
  for (const ElementType type : {int2, uint4, int8, int32, uint64})
    for (const bool negative : {false, true}) EXPECT_EQ(encode(type, Value::zero(negative)), 0u) << name(type);
}

TEST(Encode, RefusesWhatTheTypeDoesNotHave) {
  const std::vector<std::pair<ElementType, Numbers>> rows{
      {int8, {nan, inf, -inf, .5, -1.5, 128, -129}},
      {uint8, {nan, inf, -1, .5, 256}},
      {int4, {8, -9}},
      {uint2, {4, -1}},
      {int32, {0x1p31, -0x1p31 - 1}},
      {uint64, {0x1p64, -1}},
      {float32, {0x1p128, -0x1p128, 0x1p-150, 0x1.0000008p0, 0x1.8p-149}},
      {float16, {65536, -65520, 0x1p-25, 2049}},
      {bfloat16, {0x1p128, 257, 0x1p-134}},
      {float8e4m3fn, {inf, -inf, 449, 480, -512, 17, 0x1p-10}},
      {float8e4m3fnuz, {inf, -inf, -0.0, 256, 17, 0x1p-11}},
      {float8e5m2, {65536, -65536, 9, 0x1p-17}},
      {float8e5m2fnuz, {inf, -inf, -0.0, 65536, 9, 0x1p-18}},
      {float6e2m3, {nan, inf, -inf, 8, 7.25, .0625}},
      {float6e3m2, {nan, inf, -inf, 32, 30, .03125}},
      {float4e2m1, {nan, inf, -inf, 8, 5, .25}},
      {float8e8m0, {inf, 0.0, -0.0, -1, 3, 0x1p128, 0x1p-128}},
  };
  for (const auto& [type, numbers] : rows)
    for (const double number : numbers)
      EXPECT_THROW(encode(type, exact(number)), std::domain_error) << name(type) << ' ' << number;
  for (const ElementType type : {int8, float32, float64, float8e8m0})
    EXPECT_THROW(encode(type, Value::of(Rational(1, 3))), std::domain_error) << name(type);
  EXPECT_THROW(encode(float64, Value::of(Integer(1) << 1024)), std::domain_error);
}

}  // namespace
}  // namespace touchstone::reference::codec_test
