// Element types of ONNX tensors: one row per type.
//
// Source: onnx.proto (TensorProto.DataType and the comments of its data fields) and ONNX's technical pages on float8,
// float6, float4, 4-bit and 2-bit integers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace touchstone::spec {

/// The values below 128 are those of onnx.TensorProto.DataType.
enum class ElementType : std::uint8_t {
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  bfloat16 = 16,
  float8e4m3fn = 17,
  float8e4m3fnuz = 18,
  float8e5m2 = 19,
  float8e5m2fnuz = 20,
  uint4 = 21,
  int4 = 22,
  float4e2m1 = 23,
  float8e8m0 = 24,
  uint2 = 25,
  int2 = 26,
  float6e2m3 = 27,
  float6e3m2 = 28,

  // Types of other domains: not types of TensorProto, but packed in one of them.
  int4x4 = 128,
};

enum class NumberKind : std::uint8_t { unsigned_integer, signed_integer, floating_point };

/// The meaning of codes in a floating-point format that are not ordinary numbers.
enum class SpecialCodes : std::uint8_t {
  ieee,          ///< largest exponent field: infinity (fraction 0) and NaN (any other), as in IEEE 754
  fn,            ///< "finite": no infinity; all exponent and fraction bits set is NaN
  fnuz,          ///< "finite, unsigned zero": no infinity, no negative zero; its code is the only NaN
  none,          ///< every code is a finite number
  power_of_two,  ///< float8e8m0: no sign, no zero, no fraction; code 255 is NaN
};

/// A binary floating-point format: (-1)^s * 2^(e - exponent_bias) * 1.f, gradual underflow below.
struct FloatFormat {
  int exponent_bits;
  int fraction_bits;
  int exponent_bias;
  SpecialCodes special_codes;

  bool operator==(const FloatFormat&) const = default;
};

/// The typed field of TensorProto that may hold the elements instead of raw_data.
enum class TypedField : std::uint8_t { float_data, int32_data, int64_data, uint64_data, double_data };

/// One element type. In raw_data, element k of every type occupies the bits [k * bits, (k + 1) * bits) of a stream of
/// bytes in order, each read from its least significant bit: little-endian for whole bytes, first element in the low
/// bits for 4-, 2- and 6-bit types. Rows are not byte-aligned.
struct ElementTypeInfo {
  ElementType type;
  std::string_view name;        ///< as in tensor(name)
  std::string_view short_name;  ///< for headings
  int bits;
  NumberKind kind;
  TypedField typed_field;
  /// Elements in one entry of the typed field: those of one byte for 4- and 2-bit types, otherwise one.
  int elements_per_entry = 1;
  std::optional<FloatFormat> format = std::nullopt;  ///< floating-point types only
  /// The tensor type each of whose elements holds n elements of this type, from consecutive rows: a model stores a
  /// tensor of shape (d0, d1, ...) as one of the carrier type with shape (d0 / n, d1, ...).
  std::optional<ElementType> carrier = std::nullopt;
};

// clang-format off
inline constexpr std::array element_types{
    // The types of the quantization operators.
    ElementTypeInfo{ElementType::float32,        "float",          "f32",      32, NumberKind::floating_point,   TypedField::float_data, 1, FloatFormat{8, 23, 127, SpecialCodes::ieee}},
    ElementTypeInfo{ElementType::float16,        "float16",        "f16",      16, NumberKind::floating_point,   TypedField::int32_data, 1, FloatFormat{5, 10, 15, SpecialCodes::ieee}},
    ElementTypeInfo{ElementType::bfloat16,       "bfloat16",       "bf16",     16, NumberKind::floating_point,   TypedField::int32_data, 1, FloatFormat{8, 7, 127, SpecialCodes::ieee}},
    ElementTypeInfo{ElementType::int32,          "int32",          "i32",      32, NumberKind::signed_integer,   TypedField::int32_data},
    ElementTypeInfo{ElementType::uint16,         "uint16",         "u16",      16, NumberKind::unsigned_integer, TypedField::int32_data},
    ElementTypeInfo{ElementType::int16,          "int16",          "i16",      16, NumberKind::signed_integer,   TypedField::int32_data},
    ElementTypeInfo{ElementType::uint8,          "uint8",          "u8",        8, NumberKind::unsigned_integer, TypedField::int32_data},
    ElementTypeInfo{ElementType::int8,           "int8",           "i8",        8, NumberKind::signed_integer,   TypedField::int32_data},
    ElementTypeInfo{ElementType::uint4,          "uint4",          "u4",        4, NumberKind::unsigned_integer, TypedField::int32_data, 2},
    ElementTypeInfo{ElementType::int4,           "int4",           "i4",        4, NumberKind::signed_integer,   TypedField::int32_data, 2},
    ElementTypeInfo{ElementType::uint2,          "uint2",          "u2",        2, NumberKind::unsigned_integer, TypedField::int32_data, 4},
    ElementTypeInfo{ElementType::int2,           "int2",           "i2",        2, NumberKind::signed_integer,   TypedField::int32_data, 4},
    ElementTypeInfo{ElementType::float8e4m3fn,   "float8e4m3fn",   "e4m3fn",    8, NumberKind::floating_point,   TypedField::int32_data, 1, FloatFormat{4, 3, 7, SpecialCodes::fn}},
    ElementTypeInfo{ElementType::float8e4m3fnuz, "float8e4m3fnuz", "e4m3fnuz",  8, NumberKind::floating_point,   TypedField::int32_data, 1, FloatFormat{4, 3, 8, SpecialCodes::fnuz}},
    ElementTypeInfo{ElementType::float8e5m2,     "float8e5m2",     "e5m2",      8, NumberKind::floating_point,   TypedField::int32_data, 1, FloatFormat{5, 2, 15, SpecialCodes::ieee}},
    ElementTypeInfo{ElementType::float8e5m2fnuz, "float8e5m2fnuz", "e5m2fnuz",  8, NumberKind::floating_point,   TypedField::int32_data, 1, FloatFormat{5, 2, 16, SpecialCodes::fnuz}},
    ElementTypeInfo{ElementType::float6e2m3,     "float6e2m3",     "e2m3",      6, NumberKind::floating_point,   TypedField::int32_data, 1, FloatFormat{2, 3, 1, SpecialCodes::none}},
    ElementTypeInfo{ElementType::float6e3m2,     "float6e3m2",     "e3m2",      6, NumberKind::floating_point,   TypedField::int32_data, 1, FloatFormat{3, 2, 3, SpecialCodes::none}},
    ElementTypeInfo{ElementType::float4e2m1,     "float4e2m1",     "e2m1",      4, NumberKind::floating_point,   TypedField::int32_data, 2, FloatFormat{2, 1, 1, SpecialCodes::none}},
    ElementTypeInfo{ElementType::float8e8m0,     "float8e8m0",     "e8m0",      8, NumberKind::floating_point,   TypedField::int32_data, 1, FloatFormat{8, 0, 127, SpecialCodes::power_of_two}},
    ElementTypeInfo{ElementType::int4x4,         "int4x4",         "i4x4",      4, NumberKind::unsigned_integer, TypedField::int32_data, 1, std::nullopt, ElementType::int16},
    // Other types of ONNX. A model can name them, but must then be rejected.
    ElementTypeInfo{ElementType::float64,        "double",         "f64",      64, NumberKind::floating_point,   TypedField::double_data, 1, FloatFormat{11, 52, 1023, SpecialCodes::ieee}},
    ElementTypeInfo{ElementType::int64,          "int64",          "i64",      64, NumberKind::signed_integer,   TypedField::int64_data},
    ElementTypeInfo{ElementType::uint64,         "uint64",         "u64",      64, NumberKind::unsigned_integer, TypedField::uint64_data},
    ElementTypeInfo{ElementType::uint32,         "uint32",         "u32",      32, NumberKind::unsigned_integer, TypedField::uint64_data},
    ElementTypeInfo{ElementType::boolean,        "bool",           "bool",      8, NumberKind::unsigned_integer, TypedField::int32_data},
};
// clang-format on

/// The index in `element_types` of the type with each TensorProto.DataType code. A table, because info() is called for
/// every element.
inline constexpr auto element_type_places = [] {
  std::array<std::uint8_t, 256> places{};
  for (std::size_t i = 0; i < element_types.size(); ++i)
    places.at(static_cast<std::size_t>(element_types[i].type)) = static_cast<std::uint8_t>(i);
  return places;
}();

/// The row of a type. Every enumerator has one, which element_type_test checks.
constexpr const ElementTypeInfo& info(ElementType type) {
  return element_types[element_type_places[static_cast<std::size_t>(type)]];
}

constexpr std::string_view name(ElementType type) { return info(type).name; }

/// The format of a floating-point type. Throws std::bad_optional_access for an integer type.
constexpr const FloatFormat& format_of(ElementType type) { return info(type).format.value(); }

/// The number of elements that one element of the carrier holds; 1 without a carrier.
constexpr int elements_per_carrier(ElementType type) {
  const ElementTypeInfo& row = info(type);
  return row.carrier ? info(*row.carrier).bits / row.bits : 1;
}

/// The type that a model declares for a tensor with such elements.
constexpr ElementType tensor_type(ElementType type) { return info(type).carrier.value_or(type); }

/// The type with this TensorProto.DataType code, or std::nullopt.
constexpr std::optional<ElementType> element_type_from_code(std::int64_t code) {
  for (const ElementTypeInfo& row : element_types)
    if (!row.carrier && static_cast<std::int64_t>(row.type) == code) return row.type;
  return std::nullopt;
}

constexpr bool is_integer(ElementType type) { return info(type).kind != NumberKind::floating_point; }

constexpr bool is_float8(ElementType type) {
  return type == ElementType::float8e4m3fn || type == ElementType::float8e4m3fnuz || type == ElementType::float8e5m2 ||
         type == ElementType::float8e5m2fnuz;
}

constexpr bool is_float6(ElementType type) {
  return type == ElementType::float6e2m3 || type == ElementType::float6e3m2;
}

constexpr bool is_float4(ElementType type) { return type == ElementType::float4e2m1; }

/// A list of types, as in a type constraint.
using TypeList = std::span<const ElementType>;

constexpr bool contains(TypeList types, ElementType type) {
  for (ElementType member : types)
    if (member == type) return true;
  return false;
}

}  // namespace touchstone::spec
