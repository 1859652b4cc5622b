// The clauses: the requirements of the specification, one checkable sentence each.
//
// Prefixes: "ql-" for QuantizeLinear, "dq-" for DequantizeLinear, "qdq-" for both (DequantizeLinear refers to
// QuantizeLinear for granularity), "ms-" for com.microsoft, "pmx-" for opmx, "onnx-" for the model format. An id is
// never reused or renumbered. If a new version changes a clause, the clause keeps its range, and the new wording gets
// its own id.
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
        "onnx.proto, opset_import: \"the same-domain/same-op_type operator with the HIGHEST version in the referenced operator sets\""},
    Clause{"onnx-inputs", everywhere(),
        "The node has x and a scale, and at most one more input, the zero point.",
        "IR.md, operators: \"the set of attributes specified in a node and their types MUST satisfy the constraints imposed by the "
        "signature\"; Inputs (2 - 3) of every version"},
    Clause{"onnx-absent-zero-point", everywhere(),
        "A zero point that is omitted and one that is given the empty name are equally absent.",
        "IR.md, optional inputs: \"use an empty string in place of an input or output name\""},
    Clause{"onnx-known-attributes", everywhere(),
        "The node has only attributes that its version of the operator defines.",
        "IR.md, operators: \"the set of attributes specified in a node and their types MUST satisfy the constraints imposed by the "
        "signature\""},
    Clause{"onnx-attribute-type", everywhere(),
        "Every attribute of the node has the type that its version of the operator gives it: INT, but for the strings of opmx.",
        "IR.md, operators: \"the set of attributes specified in a node and their types MUST satisfy the constraints imposed by the "
        "signature\""},
    Clause{"onnx-required-attributes", opmx_dequantize(),
        "An attribute without a default is given, unless the page says what its absence means.",
        "IR.md, operators: \"the set of attributes specified in a node and their types MUST satisfy the constraints imposed by the "
        "signature\"; opmx, quant_data_type: \"Quantized weight data type.\", with no default"},
    Clause{"onnx-type-constraint", everywhere(),
        "The element type of each input is one that the version allows for it.",
        "IR.md, operators: \"inputs and outputs in a node, their types, the set of attributes specified in a node and their types "
        "MUST satisfy the constraints\"; type constraints of every version"},
    Clause{"onnx-type-binding", both(10) | microsoft(),
        "Inputs with the same type variable have the same element type.",
        "IR.md, operators: \"inputs and outputs in a node, their types, the set of attributes specified in a node and their types "
        "MUST satisfy the constraints\"; type variables of every version"},
    Clause{"onnx-4-bit-packing", both(21) | microsoft(),
        "Two elements of a 4-bit type share a byte, the first in the low half, over the whole tensor without regard to rows.",
        "onnx.proto, TensorProto: \"the first element is stored in the 4 LSB and the second element is stored in the 4 MSB\"; "
        "technical pages on 4-bit integers and float4"},
    Clause{"onnx-2-bit-packing", both(25),
        "Four elements of a 2-bit type share a byte, the first in the lowest bits, over the whole tensor without regard to rows.",
        "onnx.proto, TensorProto: \"with elements packed from LSB to MSB in a single byte\"; technical page on 2-bit integers"},
    Clause{"onnx-6-bit-packing", both(28),
        "Elements of a 6-bit type follow each other in a stream of bits, lowest first: four in three bytes.",
        "onnx.proto, TensorProto: \"must be packed 4-at-a-time into 3 bytes, as a contiguous 24-bit LSB-first bitstream\""},
    Clause{"onnx-6-bit-padding", both(28),
        "The unused bits of a float6 tensor, at the end of raw_data and in every entry of int32_data, are zero.",
        "onnx.proto, TensorProto, raw_data: \"the final group is zero-padded\"; int32_data: \"bits 6-31 MUST be zero\""},
    Clause{"onnx-e8m0-value", both(24),
        "The code b of a float8e8m0 denotes 2^(b - 127), and 255 denotes NaN: there is no sign, no zero and no infinity.",
        "OCP Microscaling Formats (MX), to which Cast 24 and later refer: \"FLOAT8E8M0 type was introduced to enable\""},

    // ---- granularity
    Clause{"qdq-output-shape", everywhere(),
        "y has the shape of x.",
        "Outputs of every version: \"It has same shape as input x\"; \"It has the same shape as input x\"; com.microsoft: \"It has "
        "same shape as input x\"; of opmx once x is unpacked"},
    Clause{"qdq-scale-is-scalar", both(10, 10),
        "The scale and the zero point are scalars.",
        "Inputs of version 10: \"It's a scalar, which means a per-tensor/layer quantization\""},
    Clause{"qdq-per-tensor", both(13) | microsoft() | opmx_dequantize(),
        "With a scalar scale all elements share the scale and the zero point.",
        "Inputs of versions 13 and 19: \"It can be a scalar, which means per-tensor/layer quantization\"; \"It can be a scalar, which "
        "means a per-tensor/layer dequantization\"; from 21 on: \"the scale is a scalar\"; opmx: \"a scalar for per-tensor/per-layer "
        "quantization\""},
    Clause{"qdq-per-axis", both(13) | microsoft(),
        "With a 1-D scale each element takes the scale and the zero point at its index along axis.",
        "Inputs of versions 13 and 19: \"a 1-D Tensor for per-axis quantization\"; \"a 1-D tensor for per-axis dequantization\"; from "
        "21 on: \"y_scale is a 1-D tensor of length Di\""},
    Clause{"qdq-per-axis-length", both(13) | microsoft(),
        "A 1-D scale is as long as the input along axis.",
        "Summary from version 21 on: \"a 1-D tensor, with the length of the quantization axis\"; attribute axis of 13 and 19: \"The "
        "axis of the quantization dimension of the input tensor\"; \"The axis of the dequantizing dimension of the input tensor\""},
    Clause{"qdq-scale-rank-before-21", both(13, 19),
        "The scale is a scalar or 1-D.",
        "Summary of versions 13 and 19: \"can be either a scalar for per-tensor / per layer quantization, or a 1-D tensor for "
        "per-axis quantization\""},
    Clause{"qdq-scale-rank", both(21),
        "The scale is a scalar, 1-D, or of the rank of the input.",
        "Summary from version 21 on: \"There are three supported quantization granularities, determined by the shape of y_scale\""},
    Clause{"qdq-same-shape", both(10) | microsoft() | opmx_dequantize(),
        "The scale and the zero point have the same shape.",
        "Summary of every version but 10: \"must have same shape\"; \"must have the same shape\"; inputs of version 10: \"It's a "
        "scalar\"; opmx: \"must have the same shape\""},
    Clause{"qdq-axis-default", both(13),
        "Without the attribute, axis is 1.",
        "Default of the attribute axis from version 13 on; QuantizeLinear: \"The axis of the quantization dimension of the input "
        "tensor\"; \"The axis of the dequantizing dimension of the input tensor\""},
    Clause{"qdq-axis-negative", both(13),
        "A negative axis counts from the last dimension.",
        "Attribute axis from version 13 on: \"Negative value means counting dimensions from the back\""},
    Clause{"qdq-axis-range", both(13),
        "Where axis is used it lies in [-r, r-1], with r the rank of the input.",
        "Attribute axis from version 13 on: \"Accepted range is [-r, r-1] where r = rank(input)\""},
    Clause{"qdq-axis-unused", both(13),
        "With a scalar scale axis has no meaning, whatever its value.",
        "Attribute axis: \"Ignored for per-tensor quantization\"; \"Used only for per-axis\"; \"Used for per-axis and blocked "
        "quantization\""},
    Clause{"qdq-rank-1-per-tensor", quantize(21) | dequantize(19),
        "An input of rank 1 is quantized per tensor, and axis is not needed.",
        "Attribute axis of QuantizeLinear 21 and later and of DequantizeLinear 19: \"When the rank of the input is 1, per-tensor "
        "quantization is applied, rendering the axis unnecessary in this scenario\"; DequantizeLinear 21 and later: \"See "
        "QuantizeLinear for details on quantization granularity\""},
    Clause{"qdq-blocked", both(21),
        "With a scale of the rank of the input each element takes the scale and the zero point of its block of block_size "
        "consecutive elements along axis.",
        "Summary from version 21 on: \"Blocked quantization: The scale's shape is identical to the input's shape, except for one "
        "dimension, in which blocking is performed\"; attribute block_size: \"number of times every scale is replicated\""},
    Clause{"qdq-blocked-shape", both(21),
        "The shape of a blocked scale is that of the input, but for axis, where it is the number of blocks: the length divided by "
        "block_size, rounded up.",
        "Summary from version 21 on: \"y_scale shape is (D0, ..., ceil(Di/B), ..., Dn)\""},
    Clause{"qdq-block-size-given", both(21),
        "Blocked quantization has a block_size.",
        "Attribute block_size from version 21 on, 0 by default: \"Used only for blocked quantization. The block size is a positive "
        "integer\""},
    Clause{"qdq-block-size-positive", both(21),
        "A block_size that is given is positive.",
        "Attribute block_size from version 21 on: \"The block size is a positive integer\""},
    Clause{"qdq-block-size-range", both(21),
        "block_size B satisfies ceil(D/S) <= B <= ceil(D/(S-1)) - 1, for length D of the input and S of the scale along axis.",
        "Attribute block_size from version 21 on: \"the accepted range is [ceil(Di/Si), ceil(Di/(Si-1))-1]\""},
    Clause{"qdq-block-size-unused", both(21),
        "block_size is used for blocked quantization only.",
        "Attribute block_size from version 21 on: \"Used only for blocked quantization\""},
    Clause{"qdq-tail-block", both(21),
        "Where block_size does not divide the axis, the last block holds the elements that remain.",
        "Summary from version 21 on, where the number of blocks is rounded up: \"ceil(Di/B)\"; attribute block_size: \"number of "
        "times every scale is replicated\""},

    // ---- granularity in com.microsoft, where axis decides it
    Clause{"ms-scalars-without-axis", microsoft(),
        "Without the attribute axis the scale and the zero point are scalars.",
        "com.microsoft, attribute axis: \"it means per-tensor quantization and input x_scale and x_zero_point must be scalars\""},
    Clause{"ms-vectors-with-axis", microsoft(),
        "With the attribute axis the scale and the zero point are 1-D.",
        "com.microsoft, attribute axis: \"it means per axis quantization and input x_scale and x_zero_point must be 1-D tensors\""},
    Clause{"ms-axis-range", microsoft(),
        "axis names a dimension of the input.",
        "com.microsoft, attribute axis, which gives no range: \"The axis along which same quantization parameters are applied\""},

    // ---- QuantizeLinear: the type of y
    Clause{"ql-zero-point-decides-type", quantize(10) | microsoft_quantize(),
        "y has the type of the zero point.",
        "Summary: \"y_zero_point and y must have same type\"; \"y_zero_point and y must have the same type\"; com.microsoft, type "
        "constraints: \"Constrain y_zero_point and y to\""},
    Clause{"ql-default-uint8", quantize(10) | microsoft_quantize(),
        "Where nothing names the output type y is uint8, and the zero point 0.",
        "Input y_zero_point: \"Default value is uint8 typed 0 if it's not specified\"; \"Default is uint8 with zero point of 0 if "
        "it's not specified\"; from version 21 on: \"output data type is uint8\""},
    Clause{"ql-output-dtype", quantize(21),
        "Without a zero point output_dtype names the type of y, and the zero point is 0.",
        "Attribute output_dtype from version 21 on: \"The output data type. If not supplied, the output data type is inferred from "
        "y_zero_point data type\""},
    Clause{"ql-output-dtype-agrees", quantize(21),
        "If both are given, output_dtype is the type of the zero point.",
        "Attribute output_dtype from version 21 on: \"If both output_dtype and y_zero_point are specified, output_dtype must be\""},
    Clause{"ql-output-dtype-allowed", quantize(21),
        "output_dtype names a type that y can have.",
        "Type constraints from version 21 on: \"The type of the input y_zero_point and the output y\""},

    // ---- QuantizeLinear: the formula
    Clause{"ql-formula", quantize(10) | microsoft_quantize(),
        "y = saturate((x / y_scale) + y_zero_point), element by element.",
        "Summary of every version: \"(x / y_scale) + y_zero_point\""},
    Clause{"ql-division-in-scale-type", quantize(23),
        "Without precision the type of y_scale is the precision of the division.",
        "Summary from version 23 on: \"The type of y_scale determines the precision of the division operation between x and y_scale, "
        "unless the precision attribute is specified\""},
    Clause{"ql-division-in-precision", quantize(23),
        "precision names the type in which the division is done, as otherwise the type of y_scale does.",
        "Attribute precision from version 23 on: \"The precision of the division operation between x and y_scale. If not provided, it "
        "will be the same as the type of y_scale\""},
    Clause{"ql-round-half-even", quantize(10) | microsoft_quantize(),
        "For integer types the quotient, before the zero point is added, is rounded to nearest, ties to even.",
        "Summary: \"For (x / y_scale), it's rounding to the nearest even\"; from version 21 on: \"For (x / y_scale), it rounds to the "
        "nearest even\"; com.microsoft: \"it's rounding to nearest ties to even\""},
    Clause{"ql-saturate-8-bit", quantize(10) | microsoft_quantize(),
        "Results saturate to [0, 255] for uint8 and to [-128, 127] for int8.",
        "Summary: \"it saturates to [0, 255] if it's uint8, or [-128, 127] if it's int8\"; from version 21 on: \"uint8: [0, 255]\"; "
        "\"int8: [-128, 127]\""},
    Clause{"ql-saturate-16-bit", quantize(21) | microsoft_quantize(),
        "Results saturate to [0, 65535] for uint16 and to [-32768, 32767] for int16.",
        "Summary from version 21 on: \"uint16: [0, 65535]\"; \"int16: [-32768, 32767]\"; com.microsoft lists the same"},
    Clause{"ql-saturate-4-bit", quantize(21) | microsoft_quantize(),
        "Results saturate to [0, 15] for uint4 and to [-8, 7] for int4.",
        "Summary from version 21 on: \"uint4: [0, 15]\"; \"int4: [-8, 7]\"; com.microsoft has the types, and lists the ranges of "
        "wider ones only"},
    Clause{"ql-saturate-2-bit", quantize(25),
        "Results saturate to [0, 3] for uint2 and to [-2, 1] for int2.",
        "Summary from version 25 on: \"uint2: [0, 3]\"; \"int2: [-2, 1]\""},

    // ---- QuantizeLinear: floating-point outputs
    Clause{"ql-float-zero-point", quantize(19),
        "For floating-point outputs the formula is the same: a zero point, though unusual, is added.",
        "Summary from version 19 on: \"formula remains the same for consistency\""},
    Clause{"ql-float8-rounding", quantize(19),
        "A float8 result is rounded to nearest, ties to even, directly to the type: not to an integer first.",
        "Cast 19 and later, float8 tables: \"[x] means the value rounded to the target mantissa width\"; \"| else | RNE | RNE | RNE | "
        "RNE |\""},
    Clause{"ql-float8-nan", quantize(19),
        "NaN gives NaN in every float8 type.",
        "Cast 19 and later, float8 tables: \"| NaN | NaN | NaN | NaN | NaN |\""},
    Clause{"ql-float8-zero", quantize(19),
        "A zero keeps its sign in float8e4m3fn and float8e5m2, and is +0 in the FNUZ types.",
        "Cast 19 and later, float8 tables: \"| -0 | -0 | 0 | -0 | 0 |\""},
    Clause{"ql-float8-saturate", quantize(19),
        "With saturate, a finite value whose rounding exceeds the largest float8 number gives that number with its sign.",
        "Attribute saturate: \"It only applies for float 8 quantization\"; Cast 19 and later, float8 tables: \"| [x] > FLT_MAX | "
        "FLT_MAX | FLT_MAX | FLT_MAX | FLT_MAX |\""},
    Clause{"ql-float8-overflow", quantize(19),
        "Without saturate, a value whose rounding exceeds the largest float8 number gives an infinity in float8e5m2, else NaN.",
        "Attribute saturate: \"It only applies for float 8 quantization\"; Cast 19 and later, float8 tables: \"| [x] > FLT_MAX | NaN "
        "| NaN | Inf | NaN |\""},
    Clause{"ql-float8-infinity", quantize(19),
        "With saturate, an infinity gives the largest number with its sign in float8e4m3fn and float8e5m2; without, an infinity in "
        "float8e5m2, else NaN.",
        "Cast 19 to 23, float8 tables: \"| Inf | FLT_MAX | NaN | FLT_MAX | NaN |\"; 24 and later: \"| Inf | FLT_MAX | FLT_MAX | "
        "FLT_MAX | FLT_MAX |\"; without saturate: \"| Inf | NaN | NaN | Inf | NaN |\""},
    Clause{"ql-fnuz-infinity-is-nan", quantize(19, 23),
        "With saturate, an infinity gives NaN in the FNUZ types.",
        "Cast 19 to 23, float8 tables: \"| Inf | FLT_MAX | NaN | FLT_MAX | NaN |\""},
    Clause{"ql-fnuz-infinity-saturates", quantize(24),
        "With saturate, an infinity gives the largest number with its sign in the FNUZ types.",
        "Cast 24 and later, float8 tables: \"| Inf | FLT_MAX | FLT_MAX | FLT_MAX | FLT_MAX |\""},
    Clause{"ql-float4-rounding", quantize(23),
        "A float4 result is rounded to nearest, ties to even; what exceeds 6, infinities too, gives 6 with its sign.",
        "Summary: \"it rounds to the nearest even\", and saturates; technical page on float4: \"E2M1 converted value of x. Round to "
        "nearest even.\""},
    Clause{"ql-float4-nan", quantize(23),
        "NaN gives 6 in float4e2m1.",
        "Technical page on float4, conversions: \"| NaN | 6 |\""},
    Clause{"ql-float6-rounding", quantize(28),
        "A float6 result is rounded to nearest, ties to even; what exceeds the largest number, infinities too, gives that number with "
        "its sign.",
        "Summary: \"it rounds to the nearest even\", and saturates; attribute saturate of version 28: \"those types have no "
        "non-saturating (infinity-representable) encoding to fall back to\""},
    Clause{"ql-saturate-default", quantize(19),
        "Without the attribute, saturate is true.",
        "Attribute saturate from version 19 on: \"It is true by default\""},
    Clause{"ql-saturate-is-for-float8", quantize(19),
        "saturate has an effect on float8 outputs only.",
        "Attribute saturate from version 19 on: \"It only applies for float 8 quantization (float8e4m3fn, float8e4m3fnuz, float8e5m2, "
        "float8e5m2fnuz)\""},

    // ---- DequantizeLinear: the type of y
    Clause{"dq-float32-output", dequantize(10, 13),
        "y is float32.",
        "Outputs of versions 10 and 13, of type tensor(float): \"N-D full precision output tensor\""},
    Clause{"dq-output-has-scale-type", dequantize(19) | microsoft_dequantize() | opmx_dequantize(),
        "Where nothing else names the output type y has the type of x_scale.",
        "Type constraints of versions 19 and 21: \"x_scale determines the output type\"; summary from version 23 on: \"If "
        "output_dtype is not supplied then the output type is the same as x_scale\"; of com.microsoft and opmx y and the scale are T2"},
    Clause{"dq-output-dtype", dequantize(23),
        "output_dtype names the type of y.",
        "Summary from version 23 on: \"The output type is determined by the attribute output_dtype\""},
    Clause{"dq-output-dtype-allowed", dequantize(23),
        "The type of y, named or inherited from x_scale, is one that y can have.",
        "Type constraints from version 23 on: \"The type of the output y\""},

    // ---- DequantizeLinear: the formula
    Clause{"dq-formula", dequantize(10) | microsoft_dequantize() | opmx_dequantize(),
        "y = (x - x_zero_point) * x_scale, element by element.",
        "Summary of every version: \"y = (x - x_zero_point) * x_scale\"; opmx, has_zeropoint: \"dequantized = scale * (quantized - "
        "zeropoint)\""},
    Clause{"dq-exact-difference", dequantize(10) | microsoft_dequantize() | opmx_dequantize(),
        "The difference of x and its zero point does not wrap around in the type of x.",
        "Summary of every version, with ONNX's own test data: \"y = (x - x_zero_point) * x_scale\"; opmx: \"dequantized = scale * "
        "(quantized - zeropoint)\""},
    Clause{"dq-default-zero-point", dequantize(10) | microsoft_dequantize(),
        "Without a zero point, it is 0.",
        "Input x_zero_point: \"0 is the default value when it's not specified\"; from version 13 on: \"Zero point is 0 when it's not "
        "specified\""},
    Clause{"dq-float-values", dequantize(19),
        "The codes of a floating-point input denote what their format says, subnormal numbers, -0, infinities and NaN included.",
        "Summary from version 19 on: \"the dequantization formula remains the same for consistency\"; technical pages on float8 and "
        "float4; onnx.proto"},
    Clause{"dq-int32-zero-point", dequantize(10),
        "For int32 there is no zero point: it is absent or 0.",
        "Summary of every version: \"there's no zero point (zero point is supposed to be 0)\""},
    Clause{"dq-float-zero-point", dequantize(19),
        "For floating-point inputs the formula is the same: a zero point, though unusual, is subtracted.",
        "Summary from version 19 on: \"but the dequantization formula remains the same for consistency\""},
    Clause{"dq-product-in-output-type", dequantize(23),
        "The type of y is the precision of the multiplication.",
        "Summary from version 23 on: \"The output type also determines the precision of the multiplication operation\""},
    Clause{"dq-product-overflow", dequantize(10) | microsoft_dequantize() | opmx_dequantize(),
        "A product beyond the largest number of the output type is an infinity with its sign, unless a reading of amb-dequantize-overflow clamps it.",
        "IEEE 754; the summary has a formula without saturation: \"y = (x - x_zero_point) * x_scale\"; opmx: \"dequantized = scale * "
        "(quantized - zeropoint)\""},

    // ---- opmx DequantizeLinear. The page writes the shapes of int8 data and of Y as (d1, ..., dn), and those of int4
    // data as (d0/4, d1, ..., dn). All are (d0, d1, ..., dn) once unpacked.
    Clause{"pmx-quant-data-type", opmx_dequantize(),
        "quant_data_type is int4 or int8.",
        "opmx, quant_data_type: \"Options: int4, int8\""},
    Clause{"pmx-type-of-x", opmx_dequantize(),
        "X is int8 where quant_data_type says int8, and int16 where it says int4.",
        "opmx, X: \"so the datatype of X must be int16\"; T1: \"int8, int16(for int4x4)\"; there are no other widths, though the page "
        "speaks of higher bits"},
    Clause{"pmx-packed-rows", opmx_dequantize(),
        "An int4 tensor of shape (d0, d1, ...) is given as one of shape (d0/4, d1, ...), which makes d0 a multiple of 4; Y has the "
        "former.",
        "opmx, X: \"Data is packed as int4x4\"; output Y, whose shape the page writes without d0"},
    Clause{"pmx-packing", opmx_dequantize(),
        "Row 4p + j of an int4 tensor is in the bits 4j to 4j + 3 of row p of X.",
        "opmx, X: \"Data is packed as int4x4\"; the packing of ppl.pmx and the kernels of ppl.llm.kernel.cuda, which agree"},
    Clause{"pmx-quant-axis", opmx_dequantize(),
        "quant_axis is 0 or 1: the dimension that is divided into groups, or shares its scales per channel.",
        "opmx, quant_axis: \"Only accept 0 or 1.\", where the page says per tensor for per channel, and names features that this "
        "operator does not have"},
    Clause{"pmx-quant-axis-default", opmx_dequantize(),
        "Without the attribute, quant_axis is 1.",
        "opmx: \"quant_axis: int(default: 1)\""},
    Clause{"pmx-group-size", opmx_dequantize(),
        "With a group_size other than 0 quantization is grouped, otherwise per channel or per tensor, depending on the shape of Scale.",
        "opmx, group_size: \"Use per group quantization when group_size != 0\""},
    Clause{"pmx-group-size-default", opmx_dequantize(),
        "Without the attribute, group_size is 128.",
        "opmx: \"group_size: int(default: 128)\""},
    Clause{"pmx-group-size-positive", opmx_dequantize(),
        "A group_size is not negative.",
        "opmx, group_size: \"Group size for per group quantization.\"; Scale has a dimension divided by it"},
    Clause{"pmx-whole-groups", opmx_dequantize(),
        "group_size divides the dimension that quant_axis names.",
        "opmx, Scale: \"must be aligned with group_size\"; of d0, for quant_axis 1 too (pmx-groups-along-axis-1)"},
    Clause{"pmx-grouped", opmx_dequantize(),
        "In grouped quantization each element takes the scale and the zero point of its group of group_size consecutive elements "
        "along quant_axis, counted after unpacking.",
        "opmx, group_size: \"Group size for per group quantization.\"; input Scale"},
    Clause{"pmx-grouped-shape", opmx_dequantize(),
        "The shape of a grouped Scale is that of Y, but for quant_axis, where the length is divided by group_size.",
        "opmx, Scale: \"group_size != 0 and quant_axis == 1\""},
    Clause{"pmx-per-channel", opmx_dequantize(),
        "Per channel, each element takes the scale and the zero point at its indices other than that along quant_axis.",
        "opmx, group_size: \"otherwise use per channel(per out features) or per tensor quantization\""},
    Clause{"pmx-ungrouped-shape", opmx_dequantize(),
        "Without groups Scale is a scalar, has the shape (1), or has that of Y, but for quant_axis, where it has the length 1.",
        "opmx, Scale: \"per_channel and quant_axis == 1\"; \"per_tensor : $(1)$ or scalar\"; (d0, 1, ..., dn) keeps the dimensions "
        "that follow"},
    Clause{"pmx-flags", opmx_dequantize(),
        "has_zeropoint and float_zeropoint are truth values, 0 or 1, and without the attribute false.",
        "opmx: \"has_zeropoint: bool(default: False)\"; \"float_zeropoint: bool(default: False)\""},
    Clause{"pmx-zero-point-given", opmx_dequantize(),
        "With has_zeropoint there is a zero point, and it is not empty.",
        "opmx, ZeroPoint: \"must appear and not be empty when has_zeropoint == True\""},
    Clause{"pmx-float-zero-point-type", opmx_dequantize(),
        "With float_zeropoint the zero point has a floating-point type.",
        "opmx, ZeroPoint: \"Data type MUST be floating point when float_zeropoint == True\""},
    Clause{"pmx-without-zero-point", opmx_dequantize(),
        "Without a zero point Y = Scale * quantized, element by element.",
        "opmx, has_zeropoint: \"Is there zeropoint for asymmetry quantization.\""},
    Clause{"pmx-float-zero-point", opmx_dequantize(),
        "With float_zeropoint Y = Scale * quantized + ZeroPoint, element by element.",
        "opmx, float_zeropoint: \"dequantized = scale * quantized + zeropoint\""},
    Clause{"pmx-constant-parameters", opmx_dequantize(),
        "Scale and ZeroPoint are constants of the graph.",
        "opmx: \"Scale(constant)\"; \"ZeroPoint(constant, optional)\""},
    Clause{"pmx-quant-method", opmx_dequantize(),
        "quant_method is reserved: no number depends on it.",
        "opmx, quant_method: \"Reserved. Auxiliary attribute for quantization method.\""},
};
// clang-format on

/// The row with this id, or nullptr.
constexpr const Clause* find_clause(std::string_view id) {
  for (const Clause& row : clauses)
    if (row.id == id) return &row;
  return nullptr;
}

/// A citation. Citing an unknown id does not compile: `in.cite("ql-formula")`.
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
