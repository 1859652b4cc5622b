// DequantizeLinear: y = (x - x_zero_point) * x_scale, with exactly the bits that the specification requires.
//
// The function does not allocate or throw, keeps no state between calls, and may be called from many threads. It uses
// other threads only through an Executor that the caller passes, and uses up to 40 KiB of a thread's stack. Its results
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

/// The precision of the multiplication. Difference and scale are converted to this type, the product is rounded to it,
/// and the result is converted to the type of y. Every rounding is to nearest, ties to even; overflow gives infinity.
///
/// Versions 10 to 21 and com.microsoft 1, whose text does not specify it: float32.
/// From version 23 on ("The output type also determines the precision of the multiplication"): the type of y.
enum class Multiplication : std::uint8_t { in_float16, in_bfloat16, in_float32 };

struct DequantizeOptions {
  Multiplication multiplication = Multiplication::in_float32;
  /// Absent: default_isa().
  std::optional<Isa> isa = std::nullopt;
  /// Null: the calling thread does all the work. Otherwise large tensors are split among threads, except within a
  /// block. The results are the same.
  const Executor* executor = nullptr;
};

/// Types: x is an integer of 2, 4, 8 or 16 bits, int32, one of the four float8 types, float6e2m3, float6e3m2 or
/// float4e2m1; scale is float32, float16, bfloat16 or float8e8m0; y is float32, float16 or bfloat16; the zero point has
/// the type of x. The difference of integers is exact; that of floating-point numbers is rounded to float32. Zero
/// points of int32 are subtracted too, as com.microsoft specifies. ai.onnx requires them to be 0; the caller must
/// reject others.
///
/// Sign and payload of a NaN are not specified.
///
/// y may be x itself if their elements have the same width; otherwise y must not overlap an input.
///
/// com.microsoft 1 is this function with default options. Scale and y have the same type, float32 or float16; without
/// the attribute axis the geometry is per-tensor, with it per-axis. The caller must enforce this, and must reject what
/// a version of ai.onnx does not support. For opmx see dequantize_opmx.h.
///
/// Returns an error without writing y if an argument is invalid; see Error.
///
/// Source: https://onnx.ai/onnx/operators/onnx__DequantizeLinear.html, all versions of ai.onnx;
/// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md, com.microsoft.DequantizeLinear.
Status dequantize_linear(ConstTensorView x, ConstTensorView scale, std::optional<ConstTensorView> zero_point,
                         TensorView y, const Geometry& geometry, const DequantizeOptions& options = {}) noexcept;

}  // namespace touchstone::optimized
