#include "conformance/generate/ordered_codes.h"

#include <gtest/gtest.h>

#include "reference/codec.h"

namespace touchstone::conformance::ordered_codes_test {
namespace {

using reference::Rational;
using spec::ElementType;

TEST(OrderedCodes, AscendWithTheirPlaces) {
  for (const spec::ElementTypeInfo& row : spec::element_types) {
    if (row.bits > 16 || row.type == ElementType::boolean) continue;
    std::optional<Rational> last;
    std::size_t numbers = 0;
    for (std::int64_t place = lowest_place(row.type); place <= highest_place(row.type); ++place, ++numbers) {
      const reference::Value value = reference::decode(row.type, code_at(row.type, place));
      ASSERT_TRUE(value.is_finite()) << row.name << " at " << place;
      ASSERT_TRUE(!last || *last < value.rational()) << row.name << " at " << place;
      last = value.rational();
    }
    std::size_t finite = 0;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << row.bits; ++code) {
      const reference::Value value = reference::decode(row.type, code);
      if (value.is_finite() && !(value.is_zero() && value.is_negative())) ++finite;
    }
    EXPECT_EQ(numbers, finite) << row.name << ": no number is left out";
  }
}

struct Nearest {
  ElementType type;
  Rational number;
  std::uint64_t code;
};

TEST(OrderedCodes, AreFoundByNumber) {
  const Nearest rows[] = {
      {ElementType::float32, Rational(1, 10), 0x3dcccccd},
      {ElementType::float32, -1, 0xbf800000},
      {ElementType::float16, 100000, 0x7bff},
      {ElementType::float8e8m0, 3, 128},
      {ElementType::float8e8m0, Rational(1, 2), 126},
      {ElementType::int32, Rational(-7, 2), 0xfffffffc},
      {ElementType::uint4, 100, 15},
      {ElementType::int4, -100, 8},
  };
  for (const Nearest& row : rows)
    EXPECT_EQ(nearest_code(row.type, row.number), row.code) << spec::name(row.type) << ' ' << row.number;
}

TEST(OrderedCodes, PlaceBelowIsTheLastNotAboveTheNumber) {
  EXPECT_EQ(place_below(ElementType::int8, Rational(5, 2)), 2);
  EXPECT_EQ(place_below(ElementType::int8, -1000), -128);
  EXPECT_EQ(code_at(ElementType::float4e2m1, place_below(ElementType::float4e2m1, Rational(5, 2))), 0x4U) << "2";
  EXPECT_EQ(code_at(ElementType::float4e2m1, place_below(ElementType::float4e2m1, Rational(-5, 2))), 0xdU) << "-3";
}

}  // namespace
}  // namespace touchstone::conformance::ordered_codes_test
