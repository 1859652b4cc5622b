// The clauses: what the specification demands, one checkable sentence each.
//
// "ql-" are QuantizeLinear's, "dq-" DequantizeLinear's, "qdq-" hold for both (DequantizeLinear refers to QuantizeLinear
// for granularity), "ms-" are com.microsoft's own, "onnx-" come from the model format. An id is never reused or
// renumbered; a clause that a new version changes keeps its range, and the new wording gets an id of its own.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "spec/clause.h"

namespace touchstone::spec {

// clang-format off
inline constexpr std::array clauses{
    // ---- the model format
    Clause{"onnx-opset-resolution", everywhere(),
        "A model that imports an opset uses the newest version of the operator that is not above it.",
        "Versioning.md, operator sets"},
    Clause{"onnx-inputs", everywhere(),
        "The node has x and a scale, and at most one more input, the zero point.",
        "Inputs (2 - 3) of every version"},
    Clause{"onnx-absent-zero-point", everywhere(),
        "A zero point that is omitted and one that is given the empty name are equally absent.",
        "IR.md, optional inputs"},
    Clause{"onnx-known-attributes", everywhere(),
        "The node has only attributes that its version of the operator defines.",
        "Attributes of every version"},
    Clause{"onnx-attribute-type", everywhere(),
        "Every attribute of the node has the type that its version of the operator gives it: INT, but for the strings of opmx.",
        "Attributes of every version"},
    Clause{"onnx-required-attributes", opmx_dequantize(),
        "An attribute without a default is given, unless the page says what its absence means.",
        "IR.md, attributes; attributes of opmx DequantizeLinear"},
    Clause{"onnx-type-constraint", everywhere(),
        "The element type of each input is one that the version allows for it.",
        "Type constraints of every version"},
    Clause{"onnx-type-binding", both(10) | microsoft(),
        "Inputs with the same type variable have the same element type.",
        "Inputs and type constraints of every version"},
    Clause{"onnx-4-bit-packing", both(21) | microsoft(),
        "Two elements of a 4-bit type share a byte, the first in the low half, over the whole tensor without regard to rows.",
        "onnx.proto, TensorProto; technical pages on 4-bit integers and float4"},
    Clause{"onnx-2-bit-packing", both(25),
        "Four elements of a 2-bit type share a byte, the first in the lowest bits, over the whole tensor without regard to rows.",
        "onnx.proto, TensorProto; technical page on 2-bit integers"},
    Clause{"onnx-6-bit-packing", both(28),
        "Elements of a 6-bit type follow each other in a stream of bits, lowest first: four in three bytes.",
        "onnx.proto, TensorProto"},
    Clause{"onnx-6-bit-padding", both(28),
        "The unused bits of a float6 tensor, at the end of raw_data and in every entry of int32_data, are zero.",
        "onnx.proto, TensorProto, raw_data and int32_data"},
    Clause{"onnx-e8m0-value", both(24),
        "The code b of a float8e8m0 denotes 2^(b - 127), and 255 denotes NaN: there is no sign, no zero and no infinity.",
        "onnx.proto, TensorProto.DataType; OCP Microscaling Formats (MX)"},

    // ---- granularity
    Clause{"qdq-output-shape", everywhere(),
        "y has the shape of x.",
        "Outputs of every version"},
    Clause{"qdq-scale-is-scalar", both(10, 10),
        "The scale and the zero point are scalars.",
        "Inputs of version 10"},
    Clause{"qdq-per-tensor", both(13) | microsoft(),
        "With a scalar scale all elements share the scale and the zero point.",
        "Summary and inputs from version 13 on; inputs of com.microsoft"},
    Clause{"qdq-per-axis", both(13) | microsoft(),
        "With a 1-D scale each element takes the scale and the zero point at its index along axis.",
        "Summary and inputs from version 13 on; inputs of com.microsoft"},
    Clause{"qdq-per-axis-length", both(13) | microsoft(),
        "A 1-D scale is as long as the input along axis.",
        "Summary and inputs from version 13 on; inputs of com.microsoft"},
    Clause{"qdq-scale-rank-before-21", both(13, 19),
        "The scale is a scalar or 1-D.",
        "Summary and inputs of versions 13 and 19"},
    Clause{"qdq-scale-rank", both(21),
        "The scale is a scalar, 1-D, or of the rank of the input.",
        "Summary and inputs from version 21 on"},
    Clause{"qdq-same-shape", both(10) | microsoft(),
        "The scale and the zero point have the same shape.",
        "Summary or inputs of every version"},
    Clause{"qdq-axis-default", both(13),
        "Without the attribute, axis is 1.",
        "Attribute axis from version 13 on"},
    Clause{"qdq-axis-negative", both(13),
        "A negative axis counts from the last dimension.",
        "Attribute axis from version 13 on"},
    Clause{"qdq-axis-range", both(13),
        "Where axis is used it lies in [-r, r-1], with r the rank of the input.",
        "Attribute axis from version 13 on"},
    Clause{"qdq-axis-unused", both(13),
        "With a scalar scale axis has no meaning, whatever its value.",
        "Attribute axis from version 13 on: ignored for, or used only for other than, per-tensor quantization"},
    Clause{"qdq-blocked", both(21),
        "With a scale of the rank of the input each element takes the scale and the zero point of its block of block_size "
        "consecutive elements along axis.",
        "Summary from version 21 on"},
    Clause{"qdq-blocked-shape", both(21),
        "The shape of a blocked scale is that of the input, but for axis, where it is the number of blocks: the length divided by "
        "block_size, rounded up.",
        "Summary from version 21 on"},
    Clause{"qdq-block-size-given", both(21),
        "Blocked quantization has a block_size.",
        "Attribute block_size from version 21 on: used for blocked quantization, a positive integer; 0 is its default"},
    Clause{"qdq-block-size-positive", both(21),
        "A block_size that is given is positive.",
        "Attribute block_size from version 21 on"},
    Clause{"qdq-block-size-range", both(21),
        "block_size B satisfies ceil(D/S) <= B <= ceil(D/(S-1)) - 1, for length D of the input and S of the scale along axis.",
        "Attribute block_size from version 21 on"},
    Clause{"qdq-block-size-unused", both(21),
        "block_size is used for blocked quantization only.",
        "Attribute block_size from version 21 on"},
    Clause{"qdq-tail-block", both(21),
        "Where block_size does not divide the axis, the last block holds the elements that remain.",
        "Summary from version 21 on: the number of blocks is rounded up"},

    // ---- granularity in com.microsoft, where axis decides it
    Clause{"ms-scalars-without-axis", microsoft(),
        "Without the attribute axis the scale and the zero point are scalars.",
        "Attribute axis of com.microsoft"},
    Clause{"ms-vectors-with-axis", microsoft(),
        "With the attribute axis the scale and the zero point are 1-D.",
        "Attribute axis of com.microsoft"},
    Clause{"ms-axis-range", microsoft(),
        "axis names a dimension of the input.",
        "Attribute axis of com.microsoft, which speaks of an axis and gives no range"},

    // ---- QuantizeLinear: the type of y
    Clause{"ql-zero-point-decides-type", quantize(10) | microsoft_quantize(),
        "y has the type of the zero point.",
        "Summary and inputs of every version"},
    Clause{"ql-default-uint8", quantize(10) | microsoft_quantize(),
        "Where nothing names the output type y is uint8, and the zero point 0.",
        "Input y_zero_point of every version"},
    Clause{"ql-output-dtype", quantize(21),
        "Without a zero point output_dtype names the type of y, and the zero point is 0.",
        "Attribute output_dtype from version 21 on"},
    Clause{"ql-output-dtype-agrees", quantize(21),
        "If both are given, output_dtype is the type of the zero point.",
        "Attribute output_dtype from version 21 on"},
    Clause{"ql-output-dtype-allowed", quantize(21),
        "output_dtype names a type that y can have.",
        "Type constraints from version 21 on"},

    // ---- QuantizeLinear: the formula
    Clause{"ql-formula", quantize(10) | microsoft_quantize(),
        "y = saturate((x / y_scale) + y_zero_point), element by element.",
        "Summary of every version"},
    Clause{"ql-division-in-scale-type", quantize(23),
        "Without precision the type of y_scale is the precision of the division.",
        "Summary from version 23 on"},
    Clause{"ql-division-in-precision", quantize(23),
        "precision names the type in which the division is done.",
        "Summary and attribute precision from version 23 on"},
    Clause{"ql-precision-allowed", quantize(23),
        "precision names a floating-point type in which a division can be done.",
        "Attribute precision from version 23 on"},
    Clause{"ql-round-half-even", quantize(10) | microsoft_quantize(),
        "For integer types the quotient, before the zero point is added, is rounded to nearest, ties to even.",
        "Summary of every version"},
    Clause{"ql-saturate-8-bit", quantize(10) | microsoft_quantize(),
        "Results saturate to [0, 255] for uint8 and to [-128, 127] for int8.",
        "Summary of every version"},
    Clause{"ql-saturate-16-bit", quantize(21) | microsoft_quantize(),
        "Results saturate to [0, 65535] for uint16 and to [-32768, 32767] for int16.",
        "Summary from version 21 on; summary of com.microsoft"},
    Clause{"ql-saturate-4-bit", quantize(21) | microsoft_quantize(),
        "Results saturate to [0, 15] for uint4 and to [-8, 7] for int4.",
        "Summary from version 21 on; com.microsoft has the types, and lists the ranges of wider ones only"},
    Clause{"ql-saturate-2-bit", quantize(25),
        "Results saturate to [0, 3] for uint2 and to [-2, 1] for int2.",
        "Summary from version 25 on"},

    // ---- QuantizeLinear: floating-point outputs
    Clause{"ql-float-zero-point", quantize(19),
        "For floating-point outputs the formula is the same: a zero point, though unusual, is added.",
        "Summary from version 19 on"},
    Clause{"ql-float8-rounding", quantize(19),
        "A float8 result is rounded to nearest, ties to even, directly to the type: not to an integer first.",
        "Cast, float8 tables"},
    Clause{"ql-float8-nan", quantize(19),
        "NaN gives NaN in every float8 type.",
        "Cast, float8 tables"},
    Clause{"ql-float8-zero", quantize(19),
        "A zero keeps its sign in float8e4m3fn and float8e5m2, and is +0 in the FNUZ types.",
        "Cast, float8 tables"},
    Clause{"ql-float8-saturate", quantize(19),
        "With saturate, a finite value whose rounding exceeds the largest float8 number gives that number with its sign.",
        "Attribute saturate; Cast, float8 tables"},
    Clause{"ql-float8-overflow", quantize(19),
        "Without saturate, a value whose rounding exceeds the largest float8 number gives an infinity in float8e5m2, else NaN.",
        "Attribute saturate; Cast, float8 tables"},
    Clause{"ql-float8-infinity", quantize(19),
        "With saturate, an infinity gives the largest number with its sign in float8e4m3fn and float8e5m2; without, an infinity in "
        "float8e5m2, else NaN.",
        "Attribute saturate; Cast, float8 tables"},
    Clause{"ql-fnuz-infinity-is-nan", quantize(19, 23),
        "With saturate, an infinity gives NaN in the FNUZ types.",
        "Cast 19 to 23, float8 tables"},
    Clause{"ql-fnuz-infinity-saturates", quantize(24),
        "With saturate, an infinity gives the largest number with its sign in the FNUZ types.",
        "Cast 24, float8 tables"},
    Clause{"ql-float4-rounding", quantize(23),
        "A float4 result is rounded to nearest, ties to even; what exceeds 6, infinities too, gives 6 with its sign.",
        "Technical page on float4; Cast 23"},
    Clause{"ql-float4-nan", quantize(23),
        "NaN gives 6 in float4e2m1.",
        "Technical page on float4"},
    Clause{"ql-float6-rounding", quantize(28),
        "A float6 result is rounded to nearest, ties to even; what exceeds the largest number, infinities too, gives that number with "
        "its sign.",
        "Attribute saturate of version 28; Cast 28"},
    Clause{"ql-saturate-default", quantize(19),
        "Without the attribute, saturate is true.",
        "Attribute saturate from version 19 on"},
    Clause{"ql-saturate-is-for-float8", quantize(19),
        "saturate has an effect on float8 outputs only.",
        "Attribute saturate from version 19 on"},

    // ---- DequantizeLinear: the type of y
    Clause{"dq-float32-output", dequantize(10, 13),
        "y is float32.",
        "Outputs of versions 10 and 13"},
    Clause{"dq-output-has-scale-type", dequantize(19) | microsoft_dequantize(),
        "Where nothing else names the output type y has the type of x_scale.",
        "Type constraints of versions 19 and 21 and of com.microsoft; summary from version 23 on"},
    Clause{"dq-output-dtype", dequantize(23),
        "output_dtype names the type of y.",
        "Summary and attribute output_dtype from version 23 on"},
    Clause{"dq-output-dtype-allowed", dequantize(23),
        "The type of y, named or inherited from x_scale, is one that y can have.",
        "Type constraints from version 23 on"},

    // ---- DequantizeLinear: the formula
    Clause{"dq-formula", dequantize(10) | microsoft_dequantize(),
        "y = (x - x_zero_point) * x_scale, element by element.",
        "Summary of every version"},
    Clause{"dq-exact-difference", dequantize(10) | microsoft_dequantize(),
        "The difference of x and its zero point is the mathematical one: it does not wrap around in the type of x.",
        "Summary of every version, with ONNX's own test data"},
    Clause{"dq-default-zero-point", dequantize(10) | microsoft_dequantize(),
        "Without a zero point, it is 0.",
        "Input x_zero_point of every version"},
    Clause{"dq-float-values", dequantize(19),
        "The codes of a floating-point input denote what their format says, subnormal numbers, -0, infinities and NaN included.",
        "Summary from version 19 on; technical pages on float8 and float4; onnx.proto"},
    Clause{"dq-int32-zero-point", dequantize(10),
        "For int32 there is no zero point: it is absent or 0.",
        "Summary of every version"},
    Clause{"dq-float-zero-point", dequantize(19),
        "For floating-point inputs the formula is the same: a zero point, though unusual, is subtracted.",
        "Summary from version 19 on"},
    Clause{"dq-product-in-output-type", dequantize(23),
        "The type of y is the precision of the multiplication.",
        "Summary from version 23 on"},
    Clause{"dq-product-overflow", dequantize(10) | microsoft_dequantize(),
        "A product beyond the largest number of the output type is an infinity with its sign; nothing saturates.",
        "Summary of every version: saturation is not mentioned; IEEE 754"},
};
// clang-format on

/// The row with this id, or nullptr.
constexpr const Clause* find_clause(std::string_view id) {
  for (const Clause& row : clauses)
    if (row.id == id) return &row;
  return nullptr;
}

/// A citation. One that no clause has does not compile: `in.cite("ql-formula")`.
class ClauseRef {
 public:
  consteval ClauseRef(const char* id) : index_(0) {  // NOLINT: implicit, so that an id can be written where it is cited
    while (clauses[index_].id != id) ++index_;       // past the end, for an unknown id, is not a constant expression
  }
  constexpr std::size_t index() const { return index_; }
  constexpr const Clause& operator*() const { return clauses[index_]; }
  constexpr const Clause* operator->() const { return &clauses[index_]; }

 private:
  std::size_t index_;
};

}  // namespace touchstone::spec
