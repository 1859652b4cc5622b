// DequantizeLinear 1 of the domain opmx: int8, and int4 of which four rows are packed into one, per tensor, per channel
// and in groups; bit for bit as the primary readings of the specification have it (spec/ambiguities/opmx*.h).
//
// The function allocates nothing, throws nothing, keeps nothing between calls, and is safe to call from many threads.
// It uses other threads only through an Executor that the caller hands over, and takes up to 40 KiB of a thread's
// stack. Its results do not depend on the caller's floating-point environment (rounding mode, flushing of subnormals,
// traps), which it leaves as it was.
#pragma once

#include <cstdint>
#include <optional>

#include "optimized/executor.h"
#include "optimized/isa.h"
#include "optimized/status.h"
#include "optimized/tensor_view.h"
#include "spec/operator_version.h"

namespace touchstone::optimized {

/// How x is laid out, and which scale and zero point belong to an element of it. x is the row-major tensor
/// [rows, columns, inner] = (d0, d1, d2 * ... * dn), extents that are not there being 1; y has its shape. Scale and
/// zero point have one shape, with fewer elements along quant_axis:
///                quant_axis = 1                           quant_axis = 0
///   per_tensor   [1]                                      [1]
///   per_axis     [rows, 1, inner]                         [1, columns, inner]                       (per channel)
///   blocked      [rows, columns / group_size, inner]      [rows / group_size, columns, inner]       (grouped)
/// All rows are counted after unpacking: for int4x4 there are four times as many as in x's tensor of int16.
/// Source: the inputs X and Scale, and the attributes quant_axis and group_size, of the operator's page.
struct OpmxGeometry {
  std::int64_t rows = 1;  ///< for int4x4 a multiple of 4
  std::int64_t columns = 1;
  std::int64_t inner = 1;
  spec::Granularity granularity = spec::Granularity::per_tensor;
  int quant_axis = 1;           ///< 0 or 1; per tensor it does not matter
  std::int64_t group_size = 0;  ///< positive, and divides the extent of quant_axis, if blocked; otherwise not read
};

/// What becomes of the zero point, if there is one. q is the quantized number.
enum class OpmxZeroPoint : std::uint8_t {
  subtracted,  ///< y = scale * (q - zero point): float_zeropoint = 0
  added,       ///< y = scale * q + zero point: float_zeropoint = 1; not with zero points of int8
};

struct OpmxOptions {
  OpmxZeroPoint zero_point = OpmxZeroPoint::subtracted;
  /// Absent: default_isa().
  std::optional<Isa> isa = std::nullopt;
  /// Null: the calling thread does all the work. Otherwise large tensors are split among threads by rows, except within
  /// groups of rows. The results are the same.
  const Executor* executor = nullptr;
};

/// Types: x int8 or int4x4; scale float32 or float16; y that of the scale; the zero point int8, float32 or float16,
/// whatever the others are.
///
/// The bytes of an x of int4x4 are those of the tensor of int16 with the shape [rows / 4, columns, inner]: the bits 4j
/// to 4j + 3 of its element (p, k, i) are element (4p + j, k, i) of x, a code of 0 to 15 (pmx-nibble-order).
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
/// zero point. Error::geometry also means that rows cannot be packed, that there is no such quant_axis, or that groups
/// are not whole; Error::zero_point_type also that an int8 zero point would have to be added.
///
/// y may not overlap an input.
///
/// Source: docs/operators/DequantizeLinear.md of OpenPPL's ppl.pmx.
Status dequantize_opmx(ConstTensorView x, ConstTensorView scale, std::optional<ConstTensorView> zero_point,
                       TensorView y, const OpmxGeometry& geometry, const OpmxOptions& options = {}) noexcept;

}  // namespace touchstone::optimized
