// The result of a call.
#pragma once

#include <cstdint>
#include <string_view>

#include "optimized/isa.h"

namespace touchstone::optimized {

enum class Error : std::uint8_t {
  none,
  x_type,           ///< the operator does not accept x of this type
  scale_type,       ///< the operator does not accept a scale of this type
  zero_point_type,  ///< the zero point does not have the required type: that of y (QuantizeLinear) or x
                    ///< (DequantizeLinear); for opmx, see dequantize_opmx.h
  y_type,           ///< the operator cannot produce y of this type
  geometry,    ///< an extent or the block size is negative, or the number of elements is too large for int64; for opmx
               ///< also see dequantize_opmx.h
  x_size,      ///< the number of bytes does not match type and geometry
  scale_size,  ///< likewise
  zero_point_size,  ///< likewise
  y_size,           ///< likewise
  overlap,          ///< y shares bytes with an input, and is not exactly x with elements of the same width
  options,          ///< an option has a value outside its enumeration
  isa,              ///< this instruction set is not available
};

constexpr std::string_view describe(Error error) {
  switch (error) {
    case Error::none: return "none";
    case Error::x_type: return "x has a type that the operator does not take";
    case Error::scale_type: return "the scale has a type that the operator does not take";
    case Error::zero_point_type: return "the zero point does not have the type that goes with those of x and y";
    case Error::y_type: return "y has a type that the operator does not give";
    case Error::geometry: return "the extents are negative or too large, or do not go with the type of x or the groups";
    case Error::x_size: return "x does not have the bytes that its type and the geometry ask for";
    case Error::scale_size: return "the scale does not have the bytes that its type and the geometry ask for";
    case Error::zero_point_size: return "the zero point does not have the bytes that its type and the geometry ask for";
    case Error::y_size: return "y does not have the bytes that its type and the geometry ask for";
    case Error::overlap: return "y overlaps an input";
    case Error::options: return "an option has a value that it cannot have";
    case Error::isa: return "the instruction set is not available";
  }
  return "unknown";
}

/// On an error, nothing has been written.
struct [[nodiscard]] Status {
  Error error = Error::none;
  /// The kernels that ran. Isa::portable if there was nothing to compute, or if the requested instruction set has no
  /// kernel for the combination of types.
  Isa ran = Isa::portable;
};

}  // namespace touchstone::optimized
