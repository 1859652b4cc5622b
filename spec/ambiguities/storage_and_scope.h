// Ambiguities of storage, of the applicable text, and of rules common to all versions.
#pragma once

#include "spec/ambiguity.h"

namespace touchstone::spec {

// clang-format off
struct PaddingOfOutputs : AmbiguityBase {
  enum Reading { any, zero };
  static constexpr ReadingInfo readings[zero + 1]{
      {"any", primary, "Writes any bits."},
      {"zero", permitted, "Writes zeros."}};
  static constexpr Ambiguity row{"amb-padding-of-outputs", "AMB", 56, quantize(21) | microsoft_quantize(),
      "What do the unused bits of the last byte of a 4-bit or 2-bit output hold?",
      "Technical page on 4-bit types: \"padding of 4 bits will be appended\"; on 2-bit types: \"zero-padding will be applied in the "
      "remaining higher bits of the final byte\"", readings};
};

struct PaddingOfInputs : AmbiguityBase {
  enum Reading { ignored, invalid, significant };
  static constexpr ReadingInfo readings[significant + 1]{
      {"ignored", primary, "Ignores them."},
      {"invalid", rejected, "Rejects an input where they are not zero."},
      {"significant", rejected, "Lets them change the result."}};
  static constexpr Ambiguity row{"amb-padding-of-inputs", "AMB", 56, both(21) | microsoft(),
      "May the unused bits of the last byte of a 4-bit input be non-zero?",
      "Technical page on 4-bit types: \"padding of 4 bits will be appended\", without a value", readings};
};

struct PaddingOf2BitInputs : AmbiguityBase {
  enum Reading { ignored, invalid, significant };
  static constexpr ReadingInfo readings[significant + 1]{
      {"ignored", primary, "Ignores them."},
      {"invalid", permitted, "Rejects an input where they are not zero, as of float6 (amb-float6-padding)."},
      {"significant", rejected, "Lets them change the result."}};
  static constexpr Ambiguity row{"amb-padding-of-2-bit-inputs", "AMB", 56, both(25),
      "May the unused bits of the last byte of a 2-bit input be non-zero?",
      "Technical page on 2-bit types: \"zero-padding will be applied in the remaining higher bits of the final byte\"; what a reader does "
      "with others is not said. onnx.proto says as much of float6", readings};
};

struct Float4Layout : AmbiguityBase {
  enum Reading { low_half_first, high_half_first };
  static constexpr ReadingInfo readings[high_half_first + 1]{
      {"low-half-first", primary, "Puts the first element into the low half, as for 4-bit integers."},
      {"high-half-first", rejected, "Puts the first element into the high half."}};
  static constexpr Ambiguity row{"amb-float4-layout", "AMB", 57, both(23),
      "Which half of a byte of raw_data holds the first of two float4 elements?",
      "The comment on raw_data in onnx.proto omits float4; technical page on float4: \"The first element is stored in the 4 LSB and the "
      "second element is stored in the 4 MSB\"", readings};
};

struct PackedZeroPoints : AmbiguityBase {
  enum Reading { flattened, rows_aligned };
  static constexpr ReadingInfo readings[rows_aligned + 1]{
      {"flattened", primary, "Packs the flattened tensor, so a row may begin within a byte."},
      {"rows-aligned", rejected, "Begins a new byte with every row."}};
  static constexpr Ambiguity row{"amb-packed-zero-points", "AMB", 58, both(21) | microsoft(),
      "How are zero points of sub-byte types packed when a row has an odd number of them?",
      "Technical pages on 4-bit and 2-bit types: packing follows the flattened tensor, \"for elements x, y, that are consecutive elements "
      "in the array\"; the operators are silent", readings};
};

struct WhichVersion23 : AmbiguityBase {
  enum Reading { released, draft };
  static constexpr ReadingInfo readings[draft + 1]{
      {"released", primary, "Follows the released text, with its attributes and its words on precision."},
      {"draft", permitted, "Computes what the draft admits as version 21 does, without the words on precision, and rejects the rest: "
       "precision, output_dtype of DequantizeLinear, and a scale that has not the type of the input."}};
  static constexpr Ambiguity row{"amb-which-version-23", "AMB", 59, both(23, 23),
      "Which text is version 23: the released one, or the draft that was published before?",
      "Released: \"x and y_scale are allowed to have different types\"; \"The output type is determined by the attribute output_dtype\". "
      "Published pages whose newest version is 23 have neither, nor precision", readings};
};

struct DivisionOfTheDraftOf23 : AmbiguityBase {
  enum Reading { in_float32, in_input_type, exact_quotient };
  static constexpr ReadingInfo readings[exact_quotient + 1]{
      {"in-float32", primary, "Divides in float32."},
      {"in-input-type", permitted, "Divides in the type that the two operands share."},
      {"exact-quotient", permitted, "Computes the quotient exactly, or in a wider type, and rounds it only for the output."}};
  static constexpr Ambiguity row{"amb-division-of-the-draft-of-23", "AMB", 59, quantize(23, 23),
      "How precisely does the draft of version 23 divide floating-point operands?",
      "The draft of QuantizeLinear 23: silent about the precision of the division, as versions 19 and 21 are (amb-float32-division, "
      "amb-same-float-division-before-23); only who follows the draft (amb-which-version-23) has the question", readings};
};

struct OpsetsBetweenVersions : AmbiguityBase {
  enum Reading { newest_not_above, newest_known, exact_only };
  static constexpr ReadingInfo readings[exact_only + 1]{
      {"newest-not-above", primary, "Takes the newest version that is not above the opset, with its attributes and types."},
      {"newest-known", rejected, "Takes the newest version it knows."},
      {"exact-only", rejected, "Rejects the opset."}};
  static constexpr Ambiguity row{"amb-opsets-between-versions", "AMB", 60, both(10),
      "Which version does an opset mean that has none of its own?",
      "onnx.proto, opset_import: \"the same-domain/same-op_type operator with the HIGHEST version in the referenced operator sets\"; the "
      "operators themselves are silent", readings};
};

struct Ties : AmbiguityBase {
  enum Reading { to_even, away_from_zero, upwards };
  static constexpr ReadingInfo readings[upwards + 1]{
      {"to-even", primary, "Rounds to the nearest integer, and to the even one of two that are equally near."},
      {"away-from-zero", rejected, "Rounds to the nearest integer, and away from zero if two are equally near."},
      {"upwards", rejected, "Rounds to the nearest integer, and upwards if two are equally near."}};
  static constexpr Ambiguity row{"amb-ties", "AMB", 61, quantize(10) | microsoft_quantize(),
      "What does rounding to the nearest even mean?",
      "QuantizeLinear, all versions: \"rounding to the nearest even\", \"it rounds to the nearest even\", with reference to a general "
      "description of rounding", readings};
};

struct DefaultZeroPoint : AmbiguityBase {
  enum Reading { zero, midpoint };
  static constexpr ReadingInfo readings[midpoint + 1]{
      {"zero", primary, "Takes zero."},
      {"midpoint", rejected, "Takes the middle of the range of the type."}};
  static constexpr Ambiguity row{"amb-default-zero-point", "AMB", 62, both(10) | microsoft(),
      "Which zero point is meant when it is absent and the type is unsigned?",
      "Both operators, all versions: \"Default value is uint8 typed 0\", \"Default is uint8 with zero point of 0\", \"0 is the default "
      "value\", \"Zero point is 0 when it's not specified\"; libraries that implementations rest on have defaults of their own", readings};
};

struct Int8Range : AmbiguityBase {
  enum Reading { full, symmetric };
  static constexpr ReadingInfo readings[symmetric + 1]{
      {"full", primary, "Saturates at -128 and 127."},
      {"symmetric", rejected, "Saturates at -127 and 127."}};
  static constexpr Ambiguity row{"amb-int8-range", "AMB", 63, quantize(10, 19) | microsoft_quantize(),
      "Is -128 within the range of int8 outputs?",
      "QuantizeLinear 10 to 19: \"[-128, 127] if it's int8\"; DynamicQuantizeLinear describes a symmetric one: \"[-127, 127] if it's "
      "int8\"", readings};
};

struct Float6Padding : AmbiguityBase {
  enum Reading { invalid, ignored };
  static constexpr ReadingInfo readings[ignored + 1]{
      {"invalid", primary, "Rejects the model."},
      {"ignored", permitted, "Ignores the unused bits."}};
  static constexpr Ambiguity row{"amb-float6-padding", "AMB", 68, both(28),
      "Is a float6 tensor with unused bits that are not zero legal?",
      "onnx.proto, raw_data: \"the final group is zero-padded\"; int32_data: \"bits 6-31 MUST be zero\"; what a reader does with others is "
      "not said", readings};
};
// clang-format on

}  // namespace touchstone::spec
