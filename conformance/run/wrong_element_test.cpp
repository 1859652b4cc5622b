#include "conformance/run/wrong_element.h"

#include <gtest/gtest.h>

namespace touchstone::conformance {
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

}  // namespace
}  // namespace touchstone::conformance
