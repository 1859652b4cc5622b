// Ambiguities of storage, of the applicable text, and of rules common to all versions.
#pragma once

#include <iterator>

#include "spec/ambiguity.h"

namespace touchstone::spec {

struct PaddingOfOutputs {
  enum Reading { any, zero };
  static constexpr ReadingInfo readings[] = {
      {"any", ReadingStatus::primary, "Writes any bits."},
      {"zero", ReadingStatus::permitted, "Writes zeros."},
  };
  static_assert(std::size(readings) == zero + 1);
  static constexpr Ambiguity row{
      .id = "amb-padding-of-outputs",
      .number = 56,
      .applies = quantize(21) | microsoft_quantize(),
      .question = "What do the unused bits of the last byte of a 4-bit or 2-bit output hold?",
      .source =
          "Technical page on 4-bit types: \"padding of 4 bits will be appended\"; on 2-bit types: "
          "\"zero-padding will be applied in the remaining higher bits of the final byte\"",
      .readings = readings,
  };
};

struct PaddingOfInputs {
  enum Reading { ignored, invalid, significant };
  static constexpr ReadingInfo readings[] = {
      {"ignored", ReadingStatus::primary, "Ignores them."},
      {"invalid", ReadingStatus::rejected, "Rejects an input where they are not zero."},
      {"significant", ReadingStatus::rejected, "Lets them change the result."},
  };
  static_assert(std::size(readings) == significant + 1);
  static constexpr Ambiguity row{
      .id = "amb-padding-of-inputs",
      .number = 56,
      .applies = both(21) | microsoft(),
      .question = "May the unused bits of the last byte of a 4-bit input be non-zero?",
      .source = "Technical page on 4-bit types: \"padding of 4 bits will be appended\", without a value",
      .readings = readings,
  };
};

struct PaddingOf2BitInputs {
  enum Reading { ignored, invalid, significant };
  static constexpr ReadingInfo readings[] = {
      {"ignored", ReadingStatus::primary, "Ignores them."},
      {"invalid", ReadingStatus::permitted,
       "Rejects an input where they are not zero, as of float6 (amb-float6-padding)."},
      {"significant", ReadingStatus::rejected, "Lets them change the result."},
  };
  static_assert(std::size(readings) == significant + 1);
  static constexpr Ambiguity row{
      .id = "amb-padding-of-2-bit-inputs",
      .number = 56,
      .applies = both(25),
      .question = "May the unused bits of the last byte of a 2-bit input be non-zero?",
      .source =
          "Technical page on 2-bit types: \"zero-padding will be applied in the remaining higher bits of the "
          "final byte\"; what a reader does with others is not said. onnx.proto says as much of float6",
      .readings = readings,
  };
};

struct Float4Layout {
  enum Reading { low_half_first, high_half_first };
  static constexpr ReadingInfo readings[] = {
      {"low-half-first", ReadingStatus::primary, "Puts the first element into the low half, as for 4-bit integers."},
      {"high-half-first", ReadingStatus::rejected, "Puts the first element into the high half."},
  };
  static_assert(std::size(readings) == high_half_first + 1);
  static constexpr Ambiguity row{
      .id = "amb-float4-layout",
      .number = 57,
      .applies = both(23),
      .question = "Which half of a byte of raw_data holds the first of two float4 elements?",
      .source =
          "The comment on raw_data in onnx.proto omits float4; technical page on float4: \"The first element "
          "is stored in the 4 LSB and the second element is stored in the 4 MSB\"",
      .readings = readings,
  };
};

struct PackedZeroPoints {
  enum Reading { flattened, rows_aligned };
  static constexpr ReadingInfo readings[] = {
      {"flattened", ReadingStatus::primary, "Packs the flattened tensor, so a row may begin within a byte."},
      {"rows-aligned", ReadingStatus::rejected, "Begins a new byte with every row."},
  };
  static_assert(std::size(readings) == rows_aligned + 1);
  static constexpr Ambiguity row{
      .id = "amb-packed-zero-points",
      .number = 58,
      .applies = both(21) | microsoft(),
      .question = "How are zero points of sub-byte types packed when a row has an odd number of them?",
      .source =
          "Technical pages on 4-bit and 2-bit types: packing follows the flattened tensor, \"for elements x, "
          "y, that are consecutive elements in the array\"; the operators are silent",
      .readings = readings,
  };
};

struct WhichVersion23 {
  enum Reading { released, draft };
  static constexpr ReadingInfo readings[] = {
      {"released", ReadingStatus::primary,
       "Follows the released text, with its attributes and its words on precision."},
      {"draft", ReadingStatus::permitted,
       "Computes what the draft admits as version 21 does, without the words on precision, and rejects the rest: "
       "precision, output_dtype of DequantizeLinear, and a scale that has not the type of the input."},
  };
  static_assert(std::size(readings) == draft + 1);
  static constexpr Ambiguity row{
      .id = "amb-which-version-23",
      .number = 59,
      .applies = both(23, 23),
      .question = "Which text is version 23: the released one, or the draft that was published before?",
      .source =
          "Released: \"x and y_scale are allowed to have different types\"; \"The output type is determined by "
          "the attribute output_dtype\". Published pages whose newest version is 23 have neither, nor precision",
      .readings = readings,
  };
};

struct DivisionOfTheDraftOf23 {
  enum Reading { in_float32, in_input_type, exact_quotient };
  static constexpr ReadingInfo readings[] = {
      {"in-float32", ReadingStatus::primary, "Divides in float32."},
      {"in-input-type", ReadingStatus::permitted, "Divides in the type that the two operands share."},
      {"exact-quotient", ReadingStatus::permitted,
       "Computes the quotient exactly, or in a wider type, and rounds it only for the output."},
  };
  static_assert(std::size(readings) == exact_quotient + 1);
  static constexpr Ambiguity row{
      .id = "amb-division-of-the-draft-of-23",
      .number = 59,
      .applies = quantize(23, 23),
      .question = "How precisely does the draft of version 23 divide floating-point operands?",
      .source =
          "The draft of QuantizeLinear 23: silent about the precision of the division, as versions 19 and 21 are "
          "(amb-float32-division, amb-same-float-division-before-23); only who follows the draft "
          "(amb-which-version-23) has the question",
      .readings = readings,
  };
};

struct OpsetsBetweenVersions {
  enum Reading { newest_not_above, newest_known, exact_only };
  static constexpr ReadingInfo readings[] = {
      {"newest-not-above", ReadingStatus::primary,
       "Takes the newest version that is not above the opset, with its attributes and types."},
      {"newest-known", ReadingStatus::rejected, "Takes the newest version it knows."},
      {"exact-only", ReadingStatus::rejected, "Rejects the opset."},
  };
  static_assert(std::size(readings) == exact_only + 1);
  static constexpr Ambiguity row{
      .id = "amb-opsets-between-versions",
      .number = 60,
      .applies = both(10),
      .question = "Which version does an opset mean that has none of its own?",
      .source =
          "onnx.proto, opset_import: \"the same-domain/same-op_type operator with the HIGHEST version in the "
          "referenced operator sets\"; the operators themselves are silent",
      .readings = readings,
  };
};

struct Ties {
  enum Reading { to_even, away_from_zero, upwards };
  static constexpr ReadingInfo readings[] = {
      {"to-even", ReadingStatus::primary,
       "Rounds to the nearest integer, and to the even one of two that are equally near."},
      {"away-from-zero", ReadingStatus::rejected,
       "Rounds to the nearest integer, and away from zero if two are equally near."},
      {"upwards", ReadingStatus::rejected, "Rounds to the nearest integer, and upwards if two are equally near."},
  };
  static_assert(std::size(readings) == upwards + 1);
  static constexpr Ambiguity row{
      .id = "amb-ties",
      .number = 61,
      .applies = quantize(10) | microsoft_quantize(),
      .question = "What does rounding to the nearest even mean?",
      .source =
          "QuantizeLinear, all versions: \"rounding to the nearest even\", \"it rounds to the nearest even\", "
          "with reference to a general description of rounding",
      .readings = readings,
  };
};

struct DefaultZeroPoint {
  enum Reading { zero, midpoint };
  static constexpr ReadingInfo readings[] = {
      {"zero", ReadingStatus::primary, "Takes zero."},
      {"midpoint", ReadingStatus::rejected, "Takes the middle of the range of the type."},
  };
  static_assert(std::size(readings) == midpoint + 1);
  static constexpr Ambiguity row{
      .id = "amb-default-zero-point",
      .number = 62,
      .applies = both(10) | microsoft(),
      .question = "Which zero point is meant when it is absent and the type is unsigned?",
      .source =
          "Both operators, all versions: \"Default value is uint8 typed 0\", \"Default is uint8 with zero "
          "point of 0\", \"0 is the default value\", \"Zero point is 0 when it's not specified\"; libraries "
          "that implementations rest on have defaults of their own",
      .readings = readings,
  };
};

struct Int8Range {
  enum Reading { full, symmetric };
  static constexpr ReadingInfo readings[] = {
      {"full", ReadingStatus::primary, "Saturates at -128 and 127."},
      {"symmetric", ReadingStatus::rejected, "Saturates at -127 and 127."},
  };
  static_assert(std::size(readings) == symmetric + 1);
  static constexpr Ambiguity row{
      .id = "amb-int8-range",
      .number = 63,
      .applies = quantize(10, 19) | microsoft_quantize(),
      .question = "Is -128 within the range of int8 outputs?",
      .source =
          "QuantizeLinear 10 to 19: \"[-128, 127] if it's int8\"; DynamicQuantizeLinear describes a symmetric "
          "one: \"[-127, 127] if it's int8\"",
      .readings = readings,
  };
};

struct Float6Padding {
  enum Reading { invalid, ignored };
  static constexpr ReadingInfo readings[] = {
      {"invalid", ReadingStatus::primary, "Rejects the model."},
      {"ignored", ReadingStatus::permitted, "Ignores the unused bits."},
  };
  static_assert(std::size(readings) == ignored + 1);
  static constexpr Ambiguity row{
      .id = "amb-float6-padding",
      .number = 68,
      .applies = both(28),
      .question = "Is a float6 tensor with unused bits that are not zero legal?",
      .source =
          "onnx.proto, raw_data: \"the final group is zero-padded\"; int32_data: \"bits 6-31 MUST be zero\"; "
          "what a reader does with others is not said",
      .readings = readings,
  };
};

}  // namespace touchstone::spec
