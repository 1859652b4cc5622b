#include "spec/element_type.h"

#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/defs/data_type_utils.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::spec::element_type_test {
namespace {

using enum ElementType;

/// The data types of ONNX that are not single numbers of a fixed width.
const std::set<int> not_numbers{onnx::TensorProto::UNDEFINED, onnx::TensorProto::STRING, onnx::TensorProto::COMPLEX64,
                                onnx::TensorProto::COMPLEX128};

/// Ends in "ElementType::float32 ...", or in "(...::ElementType)8 ..." if no enumerator has the value.
template <ElementType type>
constexpr std::string_view spelled() {
  return __PRETTY_FUNCTION__;
}

/// Which of the values 0, 1, 2 ... are enumerators.
template <std::size_t... value>
std::vector<bool> enumerators(std::index_sequence<value...>) {
  return {spelled<static_cast<ElementType>(value)>().find("ElementType)") == std::string_view::npos...};
}

/// The types of ONNX, without those of other domains.
std::vector<ElementTypeInfo> types_of_onnx() {
  std::vector<ElementTypeInfo> rows;
  for (const ElementTypeInfo& row : element_types)
    if (!row.carrier) rows.push_back(row);
  return rows;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

TEST(ElementType, EveryEnumeratorAndEveryNumberTypeOfOnnxHasExactlyOneRow) {
  const std::vector<bool> is_enumerator = enumerators(std::make_index_sequence<128>());
  for (int code = 0; code < 128; ++code) {
    const bool is_number = onnx::TensorProto::DataType_IsValid(code) && !not_numbers.contains(code);
    const auto rows = std::count_if(element_types.begin(), element_types.end(),
                                    [&](const ElementTypeInfo& row) { return static_cast<int>(row.type) == code; });
    EXPECT_EQ(rows, is_number ? 1 : 0) << code;
    EXPECT_EQ(is_enumerator[static_cast<std::size_t>(code)], is_number) << code;
  }
  ASSERT_LT(static_cast<int>(onnx::TensorProto::DataType_MAX), 128);
}

TEST(ElementType, CodesAndNamesAreThoseOfOnnx) {
  for (const ElementTypeInfo& row : types_of_onnx()) {
    const auto code = static_cast<onnx::TensorProto::DataType>(row.type);
    EXPECT_EQ(row.name, onnx::Utils::DataTypeUtils::ToDataTypeString(code));
    EXPECT_EQ(row.name, lower_case(onnx::TensorProto::DataType_Name(code)));
    const onnx::DataType type = onnx::Utils::DataTypeUtils::ToType("tensor(" + std::string(row.name) + ")");
    EXPECT_EQ(onnx::Utils::DataTypeUtils::ToTypeProto(type).tensor_type().elem_type(), code) << row.name;
  }
}

TEST(ElementType, IsFoundByTypeAndByCode) {
  for (const ElementTypeInfo& row : element_types) {
    EXPECT_EQ(&info(row.type), &row) << row.name;
    EXPECT_EQ(name(row.type), row.name);
    const auto with_its_code = row.carrier ? std::nullopt : std::optional(row.type);
    EXPECT_EQ(element_type_from_code(static_cast<int>(row.type)), with_its_code) << row.name;
  }
  for (const std::int64_t code : {-1, 0, 8, 14, 15, 29, 256 + 1})
    EXPECT_EQ(element_type_from_code(code), std::nullopt) << code;
  EXPECT_EQ(element_type_from_code(std::int64_t{1} << 32 | 1), std::nullopt);
}

TEST(ElementType, WidthsAddUp) {
  for (const ElementTypeInfo& row : element_types) {
    EXPECT_EQ(row.format.has_value(), row.kind == NumberKind::floating_point) << row.name;
    if (!row.format) continue;
    const int sign_bits = row.format->special_codes == SpecialCodes::power_of_two ? 0 : 1;
    EXPECT_EQ(row.bits, sign_bits + row.format->exponent_bits + row.format->fraction_bits) << row.name;
  }
}

bool onnx_accepts(const onnx::TensorProto& tensor) {
  try {
    onnx::checker::check_tensor(tensor, onnx::checker::CheckerContext{});
    return true;
  } catch (const onnx::checker::ValidationError&) {
    return false;
  }
}

onnx::TensorProto tensor_of(const ElementTypeInfo& row, int elements) {
  onnx::TensorProto tensor;
  tensor.set_data_type(static_cast<int>(row.type));
  tensor.add_dims(elements);
  return tensor;
}

TEST(ElementType, HasAsManyRawBytesAsOnnxRequires) {
  constexpr int elements = 5;  // a different number of bytes for every width
  for (const ElementTypeInfo& row : types_of_onnx()) {
    const auto bytes = static_cast<std::size_t>(elements * row.bits + 7) / 8;
    onnx::TensorProto tensor = tensor_of(row, elements);
    tensor.set_raw_data(std::string(bytes, '\0'));
    EXPECT_TRUE(onnx_accepts(tensor)) << row.name;
    tensor.set_raw_data(std::string(bytes - 1, '\0'));
    EXPECT_FALSE(onnx_accepts(tensor)) << row.name;
  }
}

TEST(ElementType, HasTheTypedFieldOfOnnx) {
  for (const ElementTypeInfo& row : types_of_onnx())
    for (const TypedField field : {TypedField::float_data, TypedField::int32_data, TypedField::int64_data,
                                   TypedField::uint64_data, TypedField::double_data}) {
      onnx::TensorProto tensor = tensor_of(row, 1);
      switch (field) {
        case TypedField::float_data: tensor.add_float_data(0); break;
        case TypedField::int32_data: tensor.add_int32_data(0); break;
        case TypedField::int64_data: tensor.add_int64_data(0); break;
        case TypedField::uint64_data: tensor.add_uint64_data(0); break;
        case TypedField::double_data: tensor.add_double_data(0); break;
      }
      EXPECT_EQ(onnx_accepts(tensor), field == row.typed_field) << row.name << ' ' << static_cast<int>(field);
    }
}

TEST(ElementType, OnlyFourAndTwoBitTypesShareAnEntryOfTheTypedField) {
  for (const ElementTypeInfo& row : types_of_onnx())
    EXPECT_EQ(row.elements_per_entry, row.bits == 4 ? 2 : row.bits == 2 ? 4 : 1) << row.name;
}

// The formats according to their definitions: the IEEE 754 table of parameters, and the tables of extremes on ONNX's
// technical pages.
struct FormatFacts {
  ElementType type;
  SpecialCodes special_codes;
  int smallest_normal_exponent;
  int smallest_subnormal_exponent;
  std::uint64_t code_of_largest;
  double largest;
};

constexpr std::array format_facts{
    FormatFacts{float64, SpecialCodes::ieee, -1022, -1074, 0x7FEF'FFFF'FFFF'FFFF, std::numeric_limits<double>::max()},
    FormatFacts{float32, SpecialCodes::ieee, -126, -149, 0x7F7F'FFFF, std::numeric_limits<float>::max()},
    FormatFacts{float16, SpecialCodes::ieee, -14, -24, 0x7BFF, 65504},
    FormatFacts{bfloat16, SpecialCodes::ieee, -126, -133, 0x7F7F, 0x1.FEp127},
    FormatFacts{float8e4m3fn, SpecialCodes::fn, -6, -9, 0x7E, 448},
    FormatFacts{float8e4m3fnuz, SpecialCodes::fnuz, -7, -10, 0x7F, 240},
    FormatFacts{float8e5m2, SpecialCodes::ieee, -14, -16, 0x7B, 57344},
    FormatFacts{float8e5m2fnuz, SpecialCodes::fnuz, -15, -17, 0x7F, 57344},
    FormatFacts{float6e2m3, SpecialCodes::none, 0, -3, 0x1F, 7.5},
    FormatFacts{float6e3m2, SpecialCodes::none, -2, -4, 0x1F, 28},
    FormatFacts{float4e2m1, SpecialCodes::none, 0, -1, 0x7, 6},
};

/// The number of a code with a nonzero exponent field, by the formula in the comment of FloatFormat.
double normal_number(const FloatFormat& format, std::uint64_t code) {
  const double significand =
      1 +
      std::ldexp(static_cast<double>(code & ((std::uint64_t{1} << format.fraction_bits) - 1)), -format.fraction_bits);
  return std::ldexp(significand, static_cast<int>(code >> format.fraction_bits) - format.exponent_bias);
}

TEST(FloatFormat, HasTheExtremesOfItsDefinition) {
  for (const FormatFacts& facts : format_facts) {
    const FloatFormat& format = *info(facts.type).format;
    EXPECT_EQ(format.special_codes, facts.special_codes) << name(facts.type);
    EXPECT_EQ(1 - format.exponent_bias, facts.smallest_normal_exponent) << name(facts.type);
    EXPECT_EQ(1 - format.exponent_bias - format.fraction_bits, facts.smallest_subnormal_exponent) << name(facts.type);
    EXPECT_EQ(normal_number(format, facts.code_of_largest), facts.largest) << name(facts.type);
  }
}

TEST(FloatFormat, OfFloat8e8m0ReachesFromMinus127To127) {
  const FloatFormat& format = *info(float8e8m0).format;
  EXPECT_EQ(format.special_codes, SpecialCodes::power_of_two);
  EXPECT_EQ(normal_number(format, 0), 0x1p-127);
  EXPECT_EQ(normal_number(format, 127), 1);
  EXPECT_EQ(normal_number(format, 254), 0x1p127);
}

TEST(FloatFormat, OfEveryTypeIsInTheTablesOfThisTest) {
  for (const ElementTypeInfo& row : element_types) {
    const bool is_tested = std::any_of(format_facts.begin(), format_facts.end(),
                                       [&](const FormatFacts& facts) { return facts.type == row.type; });
    EXPECT_EQ(row.format.has_value(), is_tested || row.type == float8e8m0) << row.name;
  }
}

TEST(ElementType, MarksSignedIntegers) {
  const std::set<ElementType> signed_types{int2, int4, int8, int16, int32, int64};
  const std::set<ElementType> unsigned_types{boolean, uint2, uint4, int4x4, uint8, uint16, uint32, uint64};
  for (const ElementTypeInfo& row : element_types) {
    EXPECT_EQ(row.kind == NumberKind::signed_integer, signed_types.contains(row.type)) << row.name;
    EXPECT_EQ(row.kind == NumberKind::unsigned_integer, unsigned_types.contains(row.type)) << row.name;
    EXPECT_EQ(is_integer(row.type), signed_types.contains(row.type) || unsigned_types.contains(row.type)) << row.name;
  }
}

TEST(ElementType, HasTheFourFloat8TypesOfQuantization) {
  const std::set<ElementType> float8_types{float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz};
  for (const ElementTypeInfo& row : element_types)
    EXPECT_EQ(is_float8(row.type), float8_types.contains(row.type)) << row.name;
}

// "int4x4": four 4-bit elements in an int16.
TEST(ElementType, Int4x4IsCarriedByInt16) {
  EXPECT_EQ(tensor_type(int4x4), int16);
  EXPECT_EQ(elements_per_carrier(int4x4), 4);
  for (const ElementTypeInfo& row : types_of_onnx()) {
    EXPECT_EQ(tensor_type(row.type), row.type) << row.name;
    EXPECT_EQ(elements_per_carrier(row.type), 1) << row.name;
  }
}

TEST(TypeList, ContainsItsMembersOnly) {
  constexpr std::array list{int4, float16};
  EXPECT_TRUE(contains(list, int4));
  EXPECT_TRUE(contains(list, float16));
  EXPECT_FALSE(contains(list, uint4));
  EXPECT_FALSE(contains({}, int4));
}

TEST(ElementTypes, OfFewBitsBelongToOneFamilyEach) {
  for (const ElementTypeInfo& row : element_types) {
    const bool is_scale = row.type == ElementType::float8e8m0;  // a type of scales, not of quantized numbers
    EXPECT_EQ(is_float8(row.type), row.name.starts_with("float8") && !is_scale) << row.name;
    EXPECT_EQ(is_float6(row.type), row.name.starts_with("float6")) << row.name;
    EXPECT_EQ(is_float4(row.type), row.name.starts_with("float4")) << row.name;
  }
}

TEST(ElementTypes, HaveAFormatIfTheyAreFloats) {
  for (const ElementTypeInfo& row : element_types) {
    if (is_integer(row.type))
      EXPECT_THROW(format_of(row.type), std::bad_optional_access) << row.name;
    else
      EXPECT_EQ(&format_of(row.type), &*row.format) << row.name;
  }
}

}  // namespace
}  // namespace touchstone::spec::element_type_test
