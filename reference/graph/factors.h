// The factors of products of MatMul, Gemm, Conv and ConvTranspose, with the precision that the reading in force gives
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/graph/operator_call.h"
#include "reference/value.h"

namespace touchstone::reference {

/// Whether the reading quantizes the first operand.
constexpr bool quantizes(spec::FactorPrecision::Reading reading) {
  return reading == spec::FactorPrecision::quantized_to_int8 || reading == spec::FactorPrecision::quantized_in_blocks;
}

/// How many elements share a scale under a reading that quantizes, if a row of a matrix has `elements_of_row`. Rows that
/// do not consist of whole blocks have one scale.
constexpr std::int64_t elements_of_scale(spec::FactorPrecision::Reading reading, std::int64_t elements_of_row) {
  constexpr std::int64_t block = 32;
  return reading == spec::FactorPrecision::quantized_in_blocks && elements_of_row % block == 0 ? block
                                                                                              : elements_of_row;
}

/// The elements of an operand as they are multiplied. Keeps a reference to the operand.
class Factors {
 public:
  /// Consults spec::FactorPrecision if a permitted reading changes an element. `elements_of_row` is the number of
  /// consecutive elements that readings which quantize take for a row; 0 for weights, which they leave as they are.
  Factors(OperatorCall& call, const Tensor& operand, std::int64_t elements_of_row = 0);

  /// The factor that an element of the operand becomes.
  Value operator[](std::int64_t index) const;

 private:
  void find_scales();

  const Tensor& operand_;
  spec::FactorPrecision::Reading reading_;
  std::int64_t elements_per_scale_;
  std::vector<Value> scales_;
};

}  // namespace touchstone::reference
