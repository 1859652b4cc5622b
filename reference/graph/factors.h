// The factors of products of MatMul, Gemm, Conv and ConvTranspose, with the precision that the reading in force gives
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/graph/operator_call.h"
#include "reference/value.h"

namespace touchstone::reference {

/// The elements of an operand as they are multiplied. Keeps a reference to the operand.
class Factors {
 public:
  /// Consults spec::FactorPrecision if a permitted reading changes an element. `elements_per_scale` is the number of
  /// consecutive elements that share a scale under the reading that quantizes; 0 for weights, which it leaves as they
  /// are.
  Factors(OperatorCall& call, const Tensor& operand, std::int64_t elements_per_scale = 0);

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
