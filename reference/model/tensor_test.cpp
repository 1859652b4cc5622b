#include "reference/model/tensor.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <stdexcept>
#include <string>

namespace touchstone::reference::tensor_test {
namespace {

using spec::ElementType;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values) {
  std::vector<std::byte> bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::vector<std::byte> copy(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

std::uint64_t mask(ElementType type) { return ~std::uint64_t{0} >> (64 - spec::info(type).bits); }

struct WorkedExample {
  std::string name;
  ElementType type;
  std::vector<std::uint64_t> codes;  ///< as given: integers are sign-extended
  std::vector<std::byte> bytes;
};

constexpr std::uint64_t negative(std::uint64_t magnitude) { return ~magnitude + 1; }

const std::vector<WorkedExample> worked_examples{
    {"int4", ElementType::int4, {1, negative(2), 7}, bytes_of({0xE1, 0x07})},
    {"uint4", ElementType::uint4, {0, 15, 8, 1}, bytes_of({0xF0, 0x18})},
    {"float4_low_nibble_first", ElementType::float4e2m1, {0x1, 0xA, 0x3}, bytes_of({0xA1, 0x03})},
    {"uint2", ElementType::uint2, {1, 0, 0, 0, 3, 3, 1, 0, 0}, bytes_of({0x01, 0x1F, 0x00})},
    {"int2", ElementType::int2, {negative(2), negative(1), 0, 1, 1}, bytes_of({0x4E, 0x01})},
    {"float6e2m3", ElementType::float6e2m3, {0, 1, 2, 3, 4}, bytes_of({0x40, 0x20, 0x0C, 0x04})},
    {"float6e3m2", ElementType::float6e3m2, {63, 0, 63, 0}, bytes_of({0x3F, 0xF0, 0x03})},
    {"int8", ElementType::int8, {negative(128), negative(1), 127}, bytes_of({0x80, 0xFF, 0x7F})},
    {"uint16_little_endian", ElementType::uint16, {0x1234, 0xFFFE}, bytes_of({0x34, 0x12, 0xFE, 0xFF})},
    {"float", ElementType::float32, {0x3F800000}, bytes_of({0x00, 0x00, 0x80, 0x3F})},
    {"uint64", ElementType::uint64, {0x8877665544332211}, bytes_of({0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88})},
};

class TensorWorkedExamples : public ::testing::TestWithParam<WorkedExample> {};

TEST_P(TensorWorkedExamples, CodesPackIntoTheseBytes) {
  const auto& [name, type, codes, bytes] = GetParam();
  const Tensor tensor = Tensor::from_codes(type, {static_cast<std::int64_t>(codes.size())}, codes);
  EXPECT_EQ(copy(tensor.bytes()), bytes);
}

TEST_P(TensorWorkedExamples, BytesUnpackIntoTheseCodes) {
  const auto& [name, type, codes, bytes] = GetParam();
  const Tensor tensor(type, {static_cast<std::int64_t>(codes.size())}, bytes);
  for (std::size_t i = 0; i < codes.size(); ++i)
    EXPECT_EQ(tensor.code(static_cast<std::int64_t>(i)), codes[i] & mask(type)) << "element " << i;
}

INSTANTIATE_TEST_SUITE_P(All, TensorWorkedExamples, ::testing::ValuesIn(worked_examples),
                         [](const auto& example) { return example.param.name; });

class TensorOfEveryType : public ::testing::TestWithParam<spec::ElementTypeInfo> {};

TEST_P(TensorOfEveryType, ReturnsTheStoredCodes) {
  const ElementType type = GetParam().type;
  EXPECT_TRUE(
      rc::check(std::string(GetParam().name) + ": codes survive packing", [&](const std::vector<std::uint64_t>& codes) {
        const Tensor tensor = Tensor::from_codes(type, {static_cast<std::int64_t>(codes.size())}, codes);
        RC_ASSERT(tensor.bytes().size() == (codes.size() * static_cast<std::size_t>(GetParam().bits) + 7) / 8);
        for (std::size_t i = 0; i < codes.size(); ++i)
          RC_ASSERT(tensor.code(static_cast<std::int64_t>(i)) == (codes[i] & mask(type)));
      }));
}

TEST_P(TensorOfEveryType, SetsOnlyOneElement) {
  const ElementType type = GetParam().type;
  EXPECT_TRUE(rc::check(std::string(GetParam().name) + ": set_code touches one element",
                        [&](const std::vector<std::uint64_t>& codes, std::uint64_t code) {
                          RC_PRE(!codes.empty());
                          const auto target = *rc::gen::inRange<std::size_t>(0, codes.size());
                          Tensor tensor = Tensor::from_codes(type, {static_cast<std::int64_t>(codes.size())}, codes);
                          tensor.set_code(static_cast<std::int64_t>(target), code);
                          for (std::size_t i = 0; i < codes.size(); ++i)
                            RC_ASSERT(tensor.code(static_cast<std::int64_t>(i)) ==
                                      ((i == target ? code : codes[i]) & mask(type)));
                        }));
}

TEST_P(TensorOfEveryType, NeverShowsPaddingBits) {
  const ElementType type = GetParam().type;
  for (std::int64_t size = 1; size <= 9; ++size) {
    Tensor tensor(type, {size},
                  std::vector(static_cast<std::size_t>(*byte_count(type, size)), static_cast<std::byte>(0xFF)));
    for (std::int64_t i = 0; i < size; ++i) tensor.set_code(i, 0);
    for (std::int64_t i = 0; i < size; ++i) EXPECT_EQ(tensor.code(i), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, TensorOfEveryType, ::testing::ValuesIn(spec::element_types),
                         [](const auto& type) { return std::string(type.param.name); });

TEST(ElementCount, MultipliesDimensions) {
  EXPECT_EQ(element_count(Shape{}), 1);
  EXPECT_EQ(element_count(Shape{3, 5}), 15);
  EXPECT_EQ(element_count(Shape{3, 0, 5}), 0);
  EXPECT_EQ(element_count(Shape{int64_max}), int64_max);
}

TEST(ElementCount, RefusesNegativeDimensions) {
  EXPECT_EQ(element_count(Shape{-1}), std::nullopt);
  EXPECT_EQ(element_count(Shape{0, -1}), std::nullopt);
  EXPECT_EQ(element_count(Shape{-1, -1}), std::nullopt);
}

TEST(ElementCount, RefusesOverflowDespiteAZero) {
  const std::int64_t big = std::int64_t{1} << 32;
  EXPECT_EQ(element_count(Shape{big, big}), std::nullopt);
  EXPECT_EQ(element_count(Shape{0, big, big}), std::nullopt);
  EXPECT_EQ(element_count(Shape{big, big, 0}), std::nullopt);
}

TEST(ByteCount, RoundsUpToWholeBytes) {
  EXPECT_EQ(byte_count(ElementType::int4, 15), 8);
  EXPECT_EQ(byte_count(ElementType::uint2, 9), 3);
  EXPECT_EQ(byte_count(ElementType::float6e2m3, 5), 4);
  EXPECT_EQ(byte_count(ElementType::float32, 3), 12);
  EXPECT_EQ(byte_count(ElementType::int4, 0), 0);
}

TEST(ByteCount, RefusesOnlyWhatDoesNotFit) {
  EXPECT_EQ(byte_count(ElementType::int4, int64_max), int64_max / 2 + 1);
  EXPECT_EQ(byte_count(ElementType::uint8, int64_max), int64_max);
  EXPECT_EQ(byte_count(ElementType::uint16, int64_max / 2), int64_max - 1);
  EXPECT_EQ(byte_count(ElementType::uint16, int64_max / 2 + 1), std::nullopt);
  EXPECT_EQ(byte_count(ElementType::float64, int64_max), std::nullopt);
}

TEST(Tensor, StartsWithCodesZero) {
  const Tensor tensor(ElementType::int4, {3, 5});
  EXPECT_EQ(tensor.rank(), 2);
  EXPECT_EQ(tensor.size(), 15);
  EXPECT_EQ(copy(tensor.bytes()), std::vector<std::byte>(8));
}

TEST(Tensor, HasOneElementAtRankZero) {
  EXPECT_EQ(Tensor(ElementType::float32, {}).size(), 1);
  EXPECT_EQ(Tensor(ElementType::float32, {}).rank(), 0);
}

TEST(Tensor, RefusesShapesThatHaveNoSize) {
  EXPECT_THROW(Tensor(ElementType::uint8, {2, -1}), std::invalid_argument);
  EXPECT_THROW(Tensor(ElementType::uint8, {int64_max, 2}), std::invalid_argument);
  EXPECT_THROW(Tensor(ElementType::uint16, {int64_max}), std::invalid_argument);
  EXPECT_THROW(Tensor(ElementType::uint8, {2, -1}, {}), std::invalid_argument);
  EXPECT_THROW(Tensor::from_codes(ElementType::uint8, {-1}, {}), std::invalid_argument);
}

TEST(Tensor, RefusesTheWrongNumberOfBytesOrCodes) {
  EXPECT_THROW(Tensor(ElementType::int4, {3}, bytes_of({1})), std::invalid_argument);
  EXPECT_THROW(Tensor(ElementType::int4, {3}, bytes_of({1, 2, 3})), std::invalid_argument);
  EXPECT_THROW(Tensor::from_codes(ElementType::int4, {3}, std::vector<std::uint64_t>{1, 2}), std::invalid_argument);
  EXPECT_THROW(Tensor::from_codes(ElementType::int4, {int64_max}, std::vector<std::uint64_t>{1}),
               std::invalid_argument);
}

TEST(Tensor, SharesItsBytesUntilACopyChanges) {
  Tensor original(ElementType::int16, {2});
  Tensor copy = original;
  EXPECT_EQ(copy.bytes().data(), original.bytes().data());
  copy.set_code(1, 7);
  EXPECT_EQ(original.code(1), 0U);
  EXPECT_EQ(copy.code(1), 7U);
  EXPECT_FALSE(copy == original);
  original.set_code(1, 7);
  EXPECT_EQ(copy, original);
}

}  // namespace
}  // namespace touchstone::reference::tensor_test
