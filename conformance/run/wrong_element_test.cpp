#include "conformance/run/wrong_element.h"

#include <gtest/gtest.h>

#include <vector>

namespace touchstone::conformance::wrong_element_test {
namespace {

using spec::ElementType;

std::optional<std::int64_t> error(ElementType type, std::uint64_t expected, std::uint64_t actual) {
  WrongElement wrong{};
  wrong.expected = {type, expected};
  wrong.actual = {type, actual};
  return ulp_error(wrong);
}

TEST(UlpError, CountsStepsUpwards) {
  EXPECT_EQ(error(ElementType::float32, 0x3f800000, 0x3f800001), 1);
  EXPECT_EQ(error(ElementType::float32, 0x3f800000, 0x3f7ffffe), -2);
  EXPECT_EQ(error(ElementType::float16, 0xbc00, 0xbc01), -1);
  EXPECT_EQ(error(ElementType::float4e2m1, 0x7, 0xf), -14);
}

TEST(UlpError, PassesZeroOnce) {
  EXPECT_EQ(error(ElementType::float32, 0x80000001, 0x00000001), 2);
  EXPECT_EQ(error(ElementType::float32, 0x80000000, 0x00000000), 0);
  EXPECT_EQ(error(ElementType::float32, 0xff7fffff, 0x7f7fffff), 2 * std::int64_t{0x7f7fffff});
}

TEST(UlpError, TreatsPowersOfTwoAsUnsigned) { EXPECT_EQ(error(ElementType::float8e8m0, 0x7f, 0x81), 2); }

TEST(UlpError, IsAbsentForIntegers) {
  EXPECT_EQ(error(ElementType::int8, 1, 2), std::nullopt);
  EXPECT_EQ(error(ElementType::float64, 1, 2), std::nullopt);
}

TEST(WrongElements, AreUnpackedAsTheyWere) {
  constexpr std::uint64_t all_bits = ~std::uint64_t{0};
  const std::vector<WrongElement> elements{
      {.index = 0, .x = {}, .scale = {}, .zero_point = {}, .expected = {ElementType::int4, 0xf}, .actual = {}},
      {.index = std::int64_t{1} << 40,
       .x = ElementCode{ElementType::float32, 0x7fc00001},
       .scale = ElementCode{ElementType::float16, 0x8000},
       .zero_point = ElementCode{ElementType::int32, 0},
       .expected = {ElementType::float8e5m2, 0x80},
       .actual = {ElementType::float64, all_bits},
       .position = {0, 300, -1},
       .scale_index = 0,
       .block = 7}};
  const WrongElements packed(elements);
  EXPECT_EQ(packed.size(), 2U);
  EXPECT_EQ(packed.unpacked(), elements);
  EXPECT_EQ(packed.front(), elements.front());
  EXPECT_NE(packed, WrongElements({elements.back()}));
  EXPECT_TRUE(WrongElements(std::vector<WrongElement>()).empty());
  EXPECT_EQ(WrongElements().size(), 0U);
  EXPECT_TRUE(WrongElements().unpacked().empty());
}

}  // namespace
}  // namespace touchstone::conformance::wrong_element_test
