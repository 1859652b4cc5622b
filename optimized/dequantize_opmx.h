// DequantizeLinear 1 of the domain opmx: int8, and int4 with four rows packed into one; per tensor, per channel and
// grouped. Results have exactly the bits that the primary readings of the specification require
// (spec/ambiguities/opmx*.h).
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
#include "spec/operator_version.h"

namespace touchstone::optimized {

/// The layout of x, and which scale and zero point apply to an element. x is the row-major tensor
/// [rows, columns, inner] = (d0, d1, d2 * ... * dn), with 1 for missing extents; y has the same shape. Scale and zero
/// point have one shape, with fewer elements along quant_axis:
///                quant_axis = 1                           quant_axis = 0
///   per_tensor   [1]                                      [1]
///   per_axis     [rows, 1, inner]                         [1, columns, inner]                       (per channel)
///   blocked      [rows, columns / group_size, inner]      [rows / group_size, columns, inner]       (grouped)
/// Rows are counted after unpacking: for int4x4, `rows` is four times the extent of the int16 tensor x.
/// Source: the inputs X and Scale, and the attributes quant_axis and group_size, on the operator's page.
struct OpmxGeometry {
  std::int64_t rows = 1;  ///< a multiple of 4 for int4x4
  std::int64_t columns = 1;
  std::int64_t inner = 1;
  spec::Granularity granularity = spec::Granularity::per_tensor;
  int quant_axis = 1;           ///< 0 or 1; ignored if per_tensor
  std::int64_t group_size = 0;  ///< if blocked: positive, and a divisor of the extent of quant_axis; otherwise ignored
};

/// How a zero point is applied. q is the quantized number.
enum class OpmxZeroPoint : std::uint8_t {
  subtracted,  ///< y = scale * (q - zero point): float_zeropoint = 0
  added,       ///< y = scale * q + zero point: float_zeropoint = 1; invalid with int8 zero points
};

struct OpmxOptions {
  OpmxZeroPoint zero_point = OpmxZeroPoint::subtracted;
  /// Absent: default_isa().
  std::optional<Isa> isa = std::nullopt;
  /// Null: the calling thread does all the work. Otherwise large tensors are split among threads by rows, except within
  /// groups of rows. The results are the same.
  const Executor* executor = nullptr;
};

/// Types: x is int8 or int4x4; scale is float32 or float16; y has the type of the scale; the zero point is int8,
/// float32 or float16, independent of the other types.
///
/// An int4x4 x has the bytes of the int16 tensor with the shape [rows / 4, columns, inner]: bits 4j to 4j + 3 of its
/// element (p, k, i) are element (4p + j, k, i) of x, a code from 0 to 15 (pmx-nibble-order).
///
/// For int8 data, q is the number itself (pmx-int8-codes). For an int4 code, q is
///   code - 8   without a zero point (pmx-int4-without-zero-point), or if it is added (pmx-int4-float-zero-point)
///   code       if it is subtracted; of an int8 zero point, only the low four bits are (pmx-int4-integer-zero-point)
///
/// An int8 zero point has one byte for each scale, even if the data is int4. A floating-point zero point may be
/// subtracted (pmx-float-typed-zero-point), and is used as given with scales of any type (pmx-mixed-float-zero-point).
/// Each difference, product and sum is rounded to float32, and the result to the type of y (pmx-bias-precision). Ties
/// go to even; overflow gives infinity. Without floating-point zero points only the last rounding has an effect. Sign
/// and payload of a NaN are not specified.
///
/// The caller must check that the attributes are consistent with each other, and has_zeropoint with the presence of a
/// zero point. Error::geometry also means that rows cannot be packed, that quant_axis does not exist, or that a group
/// is incomplete. Error::zero_point_type also means that an int8 zero point would have to be added.
///
/// y must not overlap an input.
///
/// Source: docs/operators/DequantizeLinear.md of OpenPPL's ppl.pmx.
Status dequantize_opmx(ConstTensorView x, ConstTensorView scale, std::optional<ConstTensorView> zero_point,
                       TensorView y, const OpmxGeometry& geometry, const OpmxOptions& options = {}) noexcept;

}  // namespace touchstone::optimized
