// Ambiguities of QuantizeLinear's division: its type and its number of roundings. The last is DequantizeLinear's too.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct Float32Division : AmbiguityBase {
  enum Reading { in_float32, exact_quotient, reciprocal_multiplication };
  static constexpr ReadingInfo readings[reciprocal_multiplication + 1]{
      {"in-float32", primary, "Rounds the quotient to float32 before it is rounded for the output."},
      {"exact-quotient", permitted, "Computes the quotient exactly, or in a wider type; only versions up to 21, and com.microsoft, leave "
       "room for it.", quantize(10, 21) | microsoft_quantize()},
      {"reciprocal-multiplication", rejected, "Multiplies the input by the rounded reciprocal of the scale."}};
  static constexpr Ambiguity row{"amb-float32-division", "AMB", 5, quantize(10) | microsoft_quantize(),
      "How precisely is a float32 input divided by a float32 scale?",
      "QuantizeLinear 10 to 21 and of com.microsoft: silent about the precision; the formula divides: \"(x / y_scale) + y_zero_point\"; 23 "
      "and later: \"The type of y_scale determines the precision of the division operation\"", readings};
};

struct SameFloatDivisionBefore23 : AmbiguityBase {
  enum Reading { in_float32, in_input_type, exact_quotient };
  static constexpr ReadingInfo readings[exact_quotient + 1]{
      {"in-float32", primary, "Divides in float32."},
      {"in-input-type", permitted, "Divides in the type that the two operands share."},
      {"exact-quotient", permitted, "Computes the quotient exactly and rounds it only for the output."}};
  static constexpr Ambiguity row{"amb-same-float-division-before-23", "AMB", 6, quantize(19, 21) | microsoft_quantize(),
      "How precisely is an input divided by a scale when both are float16, or both bfloat16?",
      "QuantizeLinear 19, 21 and of com.microsoft: silent about the precision of the division", readings};
};

struct SameFloatDivision : AmbiguityBase {
  enum Reading { in_scale_type, in_float32 };
  static constexpr ReadingInfo readings[in_float32 + 1]{
      {"in-scale-type", primary, "Divides in the type of the scale, so the quotient is rounded to it."},
      {"in-float32", permitted, "Divides in float32, more precisely than the text asks."}};
  static constexpr Ambiguity row{"amb-same-float-division", "AMB", 7, quantize(23),
      "With both operands float16, or both bfloat16, and precision unset: is the quotient rounded to that type?",
      "QuantizeLinear 23 and later: \"The type of y_scale determines the precision of the division operation\"; implementations without "
      "arithmetic in these types divide in float32, as versions up to 21 let them. For float32 operands there is no such reason to divide "
      "in another type", readings};
};

struct MixedTypeDivision : AmbiguityBase {
  enum Reading { in_scale_type, in_wider_type, in_input_type };
  static constexpr ReadingInfo readings[in_input_type + 1]{
      {"in-scale-type", primary, "Converts the input to the type of the scale and divides in that type."},
      {"in-wider-type", permitted, "Divides in the wider of the two types, or in float32 for float16 with bfloat16."},
      {"in-input-type", rejected, "Converts the scale to the type of the input and divides in that type."}};
  static constexpr Ambiguity row{"amb-mixed-type-division", "AMB", 8, quantize(23),
      "In which type are floating-point operands of different types divided when precision is unset?",
      "QuantizeLinear 23 and later: \"x and y_scale are allowed to have different types. The type of y_scale determines the precision of "
      "the division operation\"; silent on the conversion of a wider input", readings};
};

struct PrecisionValues : AmbiguityBase {
  enum Reading { cast_and_divide, unusual_types_invalid, ignored };
  static constexpr ReadingInfo readings[ignored + 1]{
      {"cast-and-divide", primary,
       "Converts both operands to the named type, which is float, float16, bfloat16 or double, and divides in it."},
      {"unusual-types-invalid", permitted,
       "Converts and divides so for float, float16 and bfloat16, and rejects a node that names any other type."},
      {"ignored", rejected, "Ignores the attribute and divides in a type of its own choice."}};
  static constexpr Ambiguity row{"amb-precision-values", "AMB", 9, quantize(23),
      "Which types may precision name, and what happens to the operands?",
      "QuantizeLinear 23 and later, attribute precision: \"it will be the same as the type of y_scale\" if absent, so that it names a "
      "type; which, and the conversion of the operands, is not said", readings};
};

struct E8m0ScaleWithoutPrecision : AmbiguityBase {
  enum Reading { in_float32, in_input_type, exact_quotient, invalid, in_scale_type };
  static constexpr ReadingInfo readings[in_scale_type + 1]{
      {"in-float32", primary, "Divides in float32."},
      {"in-input-type", permitted, "Divides in the type of the input, or in float32 if the input is int32."},
      {"exact-quotient", permitted, "Computes the quotient exactly, as float64 does of an int32 input, and rounds it only for the output."},
      {"invalid", permitted, "Rejects a node that has such a scale and does not set precision."},
      {"in-scale-type", rejected, "Rounds the input, and then the quotient, to powers of two."}};
  static constexpr Ambiguity row{"amb-e8m0-scale-without-precision", "AMB", 10, quantize(24),
      "In which type is an input divided by a float8e8m0 scale when precision is unset?",
      "QuantizeLinear 24 and later: \"The type of y_scale determines the precision of the division operation\"; this type has no sign, no "
      "zero and no fraction", readings};
};

struct Int32InputDivision : AmbiguityBase {
  enum Reading { through_division_type, in_float32, in_float64, exact_quotient };
  static constexpr ReadingInfo readings[exact_quotient + 1]{
      {"through-division-type", primary,
       "Rounds the input to the type of the division (float32 in versions up to 21) and divides in that type."},
      {"in-float32", permitted,
       "Divides in float32, also by a float16 or bfloat16 scale, as of a float32 input (amb-mixed-type-division).", quantize(23)},
      {"in-float64", permitted,
       "Divides in float64, the type that holds both operands, as float32 does for float16 with bfloat16 (amb-mixed-type-division)."},
      {"exact-quotient", permitted,
       "Computes the quotient exactly and rounds it only for the output; only versions up to 21 leave room for it.", quantize(10, 21)}};
  static constexpr Ambiguity row{"amb-int32-input-division", "AMB", 11, quantize(10),
      "Is an int32 input rounded to the type of the division before it is divided by a floating-point scale?",
      "QuantizeLinear 10 to 21: silent (19 and 21 have the question where amb-int32-input-float-scale admits the operands); 23 and later: "
      "\"The type of y_scale determines the precision of the division operation\"; silent on inputs that this type does not hold, as in "
      "amb-mixed-type-division", readings};
};

struct Int32Scale : AmbiguityBase {
  enum Reading { exact_quotient, in_float32, truncating_division, flooring_division };
  static constexpr ReadingInfo readings[flooring_division + 1]{
      {"exact-quotient", primary, "Computes the quotient exactly, with its fraction, and rounds it only for the output."},
      {"in-float32", permitted, "Converts both operands to float32 and divides in float32."},
      {"truncating-division", rejected, "Divides integers and drops the fraction."},
      {"flooring-division", rejected, "Divides integers and rounds down."}};
  static constexpr Ambiguity row{"amb-int32-scale", "AMB", 12, quantize(19),
      "What does division by an int32 scale mean?",
      "QuantizeLinear 19 and later: the type constraints admit int32 for y_scale, without the precision of such a division; what is "
      "rounded is the quotient: \"For (x / y_scale), it's rounding to the nearest even\", \"For (x / y_scale), it rounds to the nearest "
      "even\". Without its fraction there is nothing to round", readings};
};

struct Int32InputFloatScale : AmbiguityBase {
  enum Reading { invalid, accepted };
  static constexpr ReadingInfo readings[accepted + 1]{
      {"invalid", primary, "Rejects the node, because its two operands differ in type."},
      {"accepted", permitted, "Accepts the node and computes what version 13 computes."}};
  static constexpr Ambiguity row{"amb-int32-input-float-scale", "AMB", 13, quantize(19, 21),
      "May an int32 input have a float32 scale, as it must in versions 10 and 13?",
      "QuantizeLinear 19 and 21: one type constraint binds x and y_scale, \"Constrain x to float, float16, bfloat16 or int32 tensor\", "
      "\"The type of the input x\"; model conversion from 18 to 19 overlooks it", readings};
};

/// A conversion to float16 has no such question: float32 holds every int32 number that is finite in float16.
struct Int32ToBfloat16 : AmbiguityBase {
  enum Reading { directly, through_float32 };
  static constexpr ReadingInfo readings[through_float32 + 1]{
      {"directly", primary, "Rounds once, to bfloat16."},
      {"through-float32", permitted, "Rounds to float32, and the result to bfloat16."}};
  static constexpr Ambiguity row{"amb-int32-to-bfloat16", "AMB", 71, quantize(23) | dequantize(19),
      "How is an int32 number (an input, a scale, or the difference of input and zero point) converted to bfloat16 if the operation is "
      "done in bfloat16?",
      "QuantizeLinear 23 and later: \"The type of y_scale determines the precision of the division operation\"; DequantizeLinear 23 and "
      "later: \"The output type also determines the precision of the multiplication operation\"; neither says how an operand of another "
      "type is converted. DequantizeLinear 19 and 21 are silent about the precision too (amb-product-precision-before-23). Cast, another "
      "operator, converts between all types, without the number of roundings", readings};
};
// clang-format on

}  // namespace touchstone::spec
