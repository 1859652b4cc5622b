// QuantizeLinear: y = saturate((x / y_scale) + y_zero_point), with exactly the bits that the specification requires.
//
// The function does not allocate or throw, keeps no state between calls, and may be called from many threads. It uses
// other threads only through an Executor that the caller passes, and uses up to 96 KiB of a thread's stack. Its results
// do not depend on the caller's floating-point environment (rounding mode, flushing of subnormals, traps), and it
// restores that environment.
#pragma once

#include <cstdint>
#include <optional>

#include "optimized/executor.h"
#include "optimized/isa.h"
#include "optimized/status.h"
#include "optimized/tensor_view.h"

namespace touchstone::optimized {

/// The precision of x / y_scale. Except with `exact`, both operands are converted to this type and the quotient is
/// rounded to it, ties to even. The sum of a quotient and a floating-point zero point is rounded once, to the type of
/// y.
///
/// Versions 10 to 21 and com.microsoft 1, whose text does not specify it: float32; `exact` for int32 scales.
/// From version 23 on ("The type of division is that of y_scale, unless precision is set"): the type that `precision`
/// names. If it is absent: the type of the scale, but `exact` for int32 scales and float32 for float8e8m0 scales.
enum class Division : std::uint8_t {
  in_float16,
  in_bfloat16,
  in_float32,
  in_float64,
  exact,  ///< the mathematical quotient
};

/// The result of an infinity in float8e4m3fnuz and float8e5m2fnuz if saturate = 1. (A finite number that is too large
/// becomes the largest one in either case.)
enum class FnuzInfinity : std::uint8_t {
  is_nan,     ///< the tables of Cast 19 to 23: QuantizeLinear 19, 21 and 23
  saturates,  ///< those of Cast 24 and later: QuantizeLinear 24, 25 and 28
};

struct QuantizeOptions {
  Division division = Division::in_float32;
  /// The attribute `saturate`. It affects only the float8 types.
  bool saturate = true;
  FnuzInfinity fnuz_infinity = FnuzInfinity::saturates;
  /// Absent: default_isa().
  std::optional<Isa> isa = std::nullopt;
  /// Null: the calling thread does all the work. Otherwise large tensors are split among threads, except within a
  /// block. The results are the same.
  const Executor* executor = nullptr;
};

/// Types: x is float32, float16, bfloat16 or int32; scale is one of these or float8e8m0; y is an integer of 2, 4, 8 or
/// 16 bits, one of the four float8 types, float6e2m3, float6e3m2 or float4e2m1; the zero point has the type of y.
/// Without a zero point nothing is added, which keeps the sign of a floating-point zero; adding +0 would not.
///
/// Where the specification leaves a value open, the result is fixed: a NaN becomes the lowest value of an integer type,
/// and the largest value of a float6 type. NaN in float8 types is 0x7F in float8e4m3fn, 0x7E in float8e5m2, and 0x80 in
/// the other two.
///
/// y may be x itself if their elements have the same width; otherwise y must not overlap an input.
///
/// com.microsoft 1 is this function with default options. x and scale have the same type, float32 or float16, and the
/// division is in float32 for both; y is not a floating-point type; without the attribute axis the geometry is
/// per-tensor, with it per-axis. The caller must enforce this, and must reject what a version of ai.onnx does not
/// support.
///
/// Returns an error without writing y if an argument is invalid; see Error.
///
/// Source: https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html, all versions of ai.onnx;
/// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md, com.microsoft.QuantizeLinear.
Status quantize_linear(ConstTensorView x, ConstTensorView scale, std::optional<ConstTensorView> zero_point,
                       TensorView y, const Geometry& geometry, const QuantizeOptions& options = {}) noexcept;

}  // namespace touchstone::optimized
