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

namespace touchstone::optimized {

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
/// The geometry is that of y, whose dimensions are d0, d1, ..., dn; a missing dimension is 1. A channel is one block:
///                                outer   axis   inner             block
///   per tensor                   d0      1      d1 * ... * dn     0
///   quant_axis = 1               d0      d1     d2 * ... * dn     d1 (per channel), or group_size (grouped)
///   quant_axis = 0               1       d0     d1 * ... * dn     d0 (per channel), or group_size (grouped)
/// The block size must divide axis. Rows are the indices of `outer`, or of `axis` if outer is 1.
///
/// An int4x4 x has the bytes of the int16 tensor with the shape (d0 / 4, d1, ..., dn): bits 4j to 4j + 3 of its
/// element (p, k, ...) are element (4p + j, k, ...) of x, a code from 0 to 15 (pmx-nibble-order).
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
/// zero point. Error::geometry also means that the number of rows of an int4x4 x is not a multiple of 4, that a group
/// is incomplete, or that axis is not 1 without blocks. Error::zero_point_type also means that an int8 zero point would
/// have to be added.
///
/// y must not overlap an input.
///
/// Source: docs/operators/DequantizeLinear.md of OpenPPL's ppl.pmx.
Status dequantize_opmx(ConstTensorView x, ConstTensorView scale, std::optional<ConstTensorView> zero_point,
                       TensorView y, const Geometry& geometry, const OpmxOptions& options = {}) noexcept;

}  // namespace touchstone::optimized
