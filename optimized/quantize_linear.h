// QuantizeLinear: y = saturate((x / y_scale) + y_zero_point), bit for bit as the specification has it.
//
// The function allocates nothing, throws nothing, keeps nothing between calls, and is safe to call from many threads.
// It uses other threads only through an Executor that the caller hands over, and takes up to 96 KiB of a thread's
// stack. Its results do not depend on the caller's floating-point environment (rounding mode, flushing of subnormals,
// traps), which it leaves as it was.
#pragma once

#include <cstdint>
#include <optional>

#include "optimized/executor.h"
#include "optimized/isa.h"
#include "optimized/status.h"
#include "optimized/tensor_view.h"

namespace touchstone::optimized {

/// The precision of x / y_scale. But for `exact`, both operands are converted to the type, and the quotient is rounded
/// to it, ties to even. The sum of a quotient and a floating-point zero point is rounded once, to the type of y.
///
/// Of versions 10 to 21 and of com.microsoft 1, on which the text is silent: float32; for int32 scales `exact`.
/// From version 23 on ("The type of division is that of y_scale, unless precision is set"): what `precision` names; if
/// it is absent the type of the scale, `exact` for int32 scales, and float32 for float8e8m0 scales.
enum class Division : std::uint8_t {
  in_float16,
  in_bfloat16,
  in_float32,
  in_float64,
  exact,  ///< the mathematical quotient
};

/// What saturate = 1 makes of an infinity in the types float8e4m3fnuz and float8e5m2fnuz. (A finite number that is too
/// large becomes the largest one in either case.)
enum class FnuzInfinity : std::uint8_t {
  is_nan,     ///< the tables of Cast 19 to 23: QuantizeLinear 19, 21 and 23
  saturates,  ///< those of Cast 24 and later: QuantizeLinear 24, 25 and 28
};

struct QuantizeOptions {
  Division division = Division::in_float32;
  /// The attribute. Only the float8 types heed it.
  bool saturate = true;
  FnuzInfinity fnuz_infinity = FnuzInfinity::saturates;
  /// Absent: default_isa().
  std::optional<Isa> isa = std::nullopt;
  /// Absent: the calling thread does it all. Otherwise large tensors are shared out, but for what is
  /// one block; the results are the same.
  const Executor* executor = nullptr;
};

/// Types: x float32, float16, bfloat16 or int32; scale these or float8e8m0; y an integer of 2, 4, 8 or 16 bits, one of
/// the four float8 types, float6e2m3, float6e3m2 or float4e2m1; the zero point that of y. Without a zero point nothing
/// is added, which keeps the sign of a floating-point zero: adding +0 does not.
///
/// Where the specification leaves a value open, it is always the same: a NaN becomes the lowest value of an integer
/// type, and the largest of a float6 type. NaN in float8 types: 0x7F in float8e4m3fn, 0x7E in float8e5m2, 0x80 in the
/// other two.
///
/// y may be x itself where the elements have the same width; otherwise y may not overlap an input.
///
/// com.microsoft 1 is the function with default options: x and scale are of one type, float32 or float16, and both are
/// divided in float32; y has no floating-point type; without the attribute axis the geometry is per-tensor, with it
/// per-axis. All of that is up to the caller, as is what a version of ai.onnx does not have.
///
/// Source: https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html, all versions of ai.onnx;
/// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md, com.microsoft.QuantizeLinear.
Status quantize_linear(ConstTensorView x, ConstTensorView scale, std::optional<ConstTensorView> zero_point,
                       TensorView y, const Geometry& geometry, const QuantizeOptions& options = {}) noexcept;

}  // namespace touchstone::optimized
