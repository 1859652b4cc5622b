// Ambiguities of QuantizeLinear's division: its type and its number of roundings. The last is DequantizeLinear's too.
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct Float32Division {
  enum Reading { in_float32, exact_quotient, reciprocal_multiplication };
  static constexpr ReadingInfo readings[] = {
      {"in-float32", ReadingStatus::primary, "Rounds the quotient to float32 before it is rounded for the output."},
      {"exact-quotient", ReadingStatus::permitted,
       "Computes the quotient exactly, or in a wider type; only versions up to 21, and com.microsoft, leave room for "
       "it.",
       quantize(10, 21) | microsoft_quantize()},
      {"reciprocal-multiplication", ReadingStatus::rejected,
       "Multiplies the input by the rounded reciprocal of the scale."},
  };
  static_assert(std::size(readings) == reciprocal_multiplication + 1);
  static constexpr Ambiguity row{
      .id = "amb-float32-division",
      .number = 5,
      .applies = quantize(10) | microsoft_quantize(),
      .question = "How precisely is a float32 input divided by a float32 scale?",
      .source =
          "QuantizeLinear 10 to 21 and of com.microsoft: silent about the precision; the formula divides: \"(x / "
          "y_scale) + y_zero_point\"; 23 and later: \"The type of y_scale determines the precision of the division "
          "operation\"",
      .readings = readings,
  };
};

struct SameFloatDivisionBefore23 {
  enum Reading { in_float32, in_input_type, exact_quotient };
  static constexpr ReadingInfo readings[] = {
      {"in-float32", ReadingStatus::primary, "Divides in float32."},
      {"in-input-type", ReadingStatus::permitted, "Divides in the type that the two operands share."},
      {"exact-quotient", ReadingStatus::permitted, "Computes the quotient exactly and rounds it only for the output."},
  };
  static_assert(std::size(readings) == exact_quotient + 1);
  static constexpr Ambiguity row{
      .id = "amb-same-float-division-before-23",
      .number = 6,
      .applies = quantize(19, 21) | microsoft_quantize(),
      .question = "How precisely is an input divided by a scale when both are float16, or both bfloat16?",
      .source = "QuantizeLinear 19, 21 and of com.microsoft: silent about the precision of the division",
      .readings = readings,
  };
};

struct SameFloatDivision {
  enum Reading { in_scale_type, in_float32 };
  static constexpr ReadingInfo readings[] = {
      {"in-scale-type", ReadingStatus::primary, "Divides in the type of the scale, so the quotient is rounded to it."},
      {"in-float32", ReadingStatus::permitted, "Divides in float32, more precisely than the text asks."},
  };
  static_assert(std::size(readings) == in_float32 + 1);
  static constexpr Ambiguity row{
      .id = "amb-same-float-division",
      .number = 7,
      .applies = quantize(23),
      .question =
          "With both operands float16, or both bfloat16, and precision unset: is the quotient rounded to that type?",
      .source =
          "QuantizeLinear 23 and later: \"The type of y_scale determines the precision of the division "
          "operation\"; implementations without arithmetic in these types divide in float32, as versions up to 21 let "
          "them. "
          "For float32 operands there is no such reason to divide in another type",
      .readings = readings,
  };
};

struct MixedTypeDivision {
  enum Reading { in_scale_type, in_wider_type, in_input_type };
  static constexpr ReadingInfo readings[] = {
      {"in-scale-type", ReadingStatus::primary,
       "Converts the input to the type of the scale and divides in that type."},
      {"in-wider-type", ReadingStatus::permitted,
       "Divides in the wider of the two types, or in float32 for float16 with bfloat16."},
      {"in-input-type", ReadingStatus::rejected,
       "Converts the scale to the type of the input and divides in that type."},
  };
  static_assert(std::size(readings) == in_input_type + 1);
  static constexpr Ambiguity row{
      .id = "amb-mixed-type-division",
      .number = 8,
      .applies = quantize(23),
      .question = "In which type are floating-point operands of different types divided when precision is unset?",
      .source =
          "QuantizeLinear 23 and later: \"x and y_scale are allowed to have different types. The type of "
          "y_scale determines the precision of the division operation\"; silent on the conversion of a wider input",
      .readings = readings,
  };
};

struct PrecisionValues {
  enum Reading { cast_and_divide, unusual_types_invalid, ignored };
  static constexpr ReadingInfo readings[] = {
      {"cast-and-divide", ReadingStatus::primary,
       "Converts both operands to the named type, which is float, float16, bfloat16 or double, and divides in it."},
      {"unusual-types-invalid", ReadingStatus::permitted,
       "Converts and divides so for float, float16 and bfloat16, and rejects a node that names any other type."},
      {"ignored", ReadingStatus::rejected, "Ignores the attribute and divides in a type of its own choice."},
  };
  static_assert(std::size(readings) == ignored + 1);
  static constexpr Ambiguity row{
      .id = "amb-precision-values",
      .number = 9,
      .applies = quantize(23),
      .question = "Which types may precision name, and what happens to the operands?",
      .source =
          "QuantizeLinear 23 and later, attribute precision: \"it will be the same as the type of y_scale\" if "
          "absent, so that it names a type; which, and the conversion of the operands, is not said",
      .readings = readings,
  };
};

struct E8m0ScaleWithoutPrecision {
  enum Reading { in_float32, in_input_type, exact_quotient, invalid, in_scale_type };
  static constexpr ReadingInfo readings[] = {
      {"in-float32", ReadingStatus::primary, "Divides in float32."},
      {"in-input-type", ReadingStatus::permitted,
       "Divides in the type of the input, or in float32 if the input is int32."},
      {"exact-quotient", ReadingStatus::permitted,
       "Computes the quotient exactly, as float64 does of an int32 input, and rounds it only for the output."},
      {"invalid", ReadingStatus::permitted, "Rejects a node that has such a scale and does not set precision."},
      {"in-scale-type", ReadingStatus::rejected, "Rounds the input, and then the quotient, to powers of two."},
  };
  static_assert(std::size(readings) == in_scale_type + 1);
  static constexpr Ambiguity row{
      .id = "amb-e8m0-scale-without-precision",
      .number = 10,
      .applies = quantize(24),
      .question = "In which type is an input divided by a float8e8m0 scale when precision is unset?",
      .source =
          "QuantizeLinear 24 and later: \"The type of y_scale determines the precision of the division "
          "operation\"; this type has no sign, no zero and no fraction",
      .readings = readings,
  };
};

struct Int32InputDivision {
  enum Reading { through_division_type, in_float32, in_float64, exact_quotient };
  static constexpr ReadingInfo readings[] = {
      {"through-division-type", ReadingStatus::primary,
       "Rounds the input to the type of the division (float32 in versions up to 21) and divides in that type."},
      {"in-float32", ReadingStatus::permitted,
       "Divides in float32, also by a float16 or bfloat16 scale, as of a float32 input (amb-mixed-type-division).",
       quantize(23)},
      {"in-float64", ReadingStatus::permitted,
       "Divides in float64, the type that holds both operands, as float32 does for float16 with bfloat16 "
       "(amb-mixed-type-division)."},
      {"exact-quotient", ReadingStatus::permitted,
       "Computes the quotient exactly and rounds it only for the output; only versions up to 21 leave room for it.",
       quantize(10, 21)},
  };
  static_assert(std::size(readings) == exact_quotient + 1);
  static constexpr Ambiguity row{
      .id = "amb-int32-input-division",
      .number = 11,
      .applies = quantize(10),
      .question =
          "Is an int32 input rounded to the type of the division before it is divided by a floating-point scale?",
      .source =
          "QuantizeLinear 10 to 21: silent (19 and 21 have the question where amb-int32-input-float-scale admits the "
          "operands); 23 and later: \"The type of y_scale determines the precision of the division operation\"; "
          "silent on inputs that this type does not hold, as in amb-mixed-type-division",
      .readings = readings,
  };
};

struct Int32Scale {
  enum Reading { exact_quotient, in_float32, truncating_division, flooring_division };
  static constexpr ReadingInfo readings[] = {
      {"exact-quotient", ReadingStatus::primary,
       "Computes the quotient exactly, with its fraction, and rounds it only for the output."},
      {"in-float32", ReadingStatus::permitted, "Converts both operands to float32 and divides in float32."},
      {"truncating-division", ReadingStatus::rejected, "Divides integers and drops the fraction."},
      {"flooring-division", ReadingStatus::rejected, "Divides integers and rounds down."},
  };
  static_assert(std::size(readings) == flooring_division + 1);
  static constexpr Ambiguity row{
      .id = "amb-int32-scale",
      .number = 12,
      .applies = quantize(19),
      .question = "What does division by an int32 scale mean?",
      .source =
          "QuantizeLinear 19 and later: the type constraints admit int32 for y_scale, without the precision of such a "
          "division; what is rounded is the quotient: \"For (x / y_scale), it's rounding to the nearest even\", \"For "
          "(x / y_scale), it rounds to the nearest even\". Without its fraction there is nothing to round",
      .readings = readings,
  };
};

struct Int32InputFloatScale {
  enum Reading { invalid, accepted };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the node, because its two operands differ in type."},
      {"accepted", ReadingStatus::permitted, "Accepts the node and computes what version 13 computes."},
  };
  static_assert(std::size(readings) == accepted + 1);
  static constexpr Ambiguity row{
      .id = "amb-int32-input-float-scale",
      .number = 13,
      .applies = quantize(19, 21),
      .question = "May an int32 input have a float32 scale, as it must in versions 10 and 13?",
      .source =
          "QuantizeLinear 19 and 21: one type constraint binds x and y_scale, \"Constrain x to float, float16, "
          "bfloat16 or int32 tensor\", \"The type of the input x\"; model conversion from 18 to 19 overlooks it",
      .readings = readings,
  };
};

/// A conversion to float16 has no such question: float32 holds every int32 number that is finite in float16.
struct Int32ToBfloat16 {
  enum Reading { directly, through_float32 };
  static constexpr ReadingInfo readings[] = {
      {"directly", ReadingStatus::primary, "Rounds once, to bfloat16."},
      {"through-float32", ReadingStatus::permitted, "Rounds to float32, and the result to bfloat16."},
  };
  static_assert(std::size(readings) == through_float32 + 1);
  static constexpr Ambiguity row{
      .id = "amb-int32-to-bfloat16",
      .number = 71,
      .applies = quantize(23) | dequantize(19),
      .question =
          "How is an int32 number (an input, a scale, or the difference of input and zero point) converted to bfloat16 "
          "if the operation is done in bfloat16?",
      .source =
          "QuantizeLinear 23 and later: \"The type of y_scale determines the precision of the division operation\"; "
          "DequantizeLinear 23 and later: \"The output type also determines the precision of the multiplication "
          "operation\"; neither says how an operand of another type is converted. DequantizeLinear 19 and 21 are "
          "silent about the precision too (amb-product-precision-before-23). Cast, another operator, converts between "
          "all types, without the number of roundings",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
