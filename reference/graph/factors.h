// The factors of products of MatMul, Gemm, Conv and ConvTranspose, with the precision that the reading in force gives
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/graph/bounds.h"
#include "reference/graph/operator_call.h"
#include "reference/value.h"

namespace touchstone::reference {

/// A type with fewer significant bits than the factors have.
struct NarrowType {
  spec::FloatFormat format;
  int bits;         ///< of a significand
  double smallest;  ///< normal number
  double largest;   ///< finite number
};

/// What a reading does to factors.
struct FactorTreatment {
  const NarrowType* type = nullptr;  ///< to which it rounds; null: to none
  /// In which tensors between other operators may be kept.
  const NarrowType* kept = nullptr;
  bool rounds_scales = false;      ///< of the nodes that dequantize factors
  bool rounds_dequantized = true;  ///< factors that are dequantized, if it rounds
  bool only_of_weights = false;    ///< both of these concern dequantized constants only, as if others had no scale
  bool folds_scale = false;        ///< of the first operand into the second one before it rounds, if there is one
  bool quantizes = false;          ///< the first operand of weights, to 8 bits
  bool is_unsigned = false;        ///< to uint8 as DynamicQuantizeLinear; else to int8, where the largest becomes 127
  bool per_tensor = false;         ///< with one scale
  std::int64_t block = 0;          ///< the elements of a row that share a scale; 0: all

  /// The number of the scale of an element. The last block of a row may be shorter than the others.
  std::int64_t scale_of(std::int64_t element, std::int64_t elements_of_row) const {
    if (per_tensor) return 0;
    const std::int64_t length = block > 0 ? block : elements_of_row;
    const std::int64_t blocks_of_row = (elements_of_row + length - 1) / length;
    return element / elements_of_row * blocks_of_row + element % elements_of_row / length;
  }
};
const FactorTreatment& treatment_of(spec::FactorPrecision::Reading reading);

/// Whether the treatment quantizes the first operand of the product. Kernels do so if the second has the weights: if it
/// is a constant, or a dequantized one.
bool quantizes(const OperatorCall& call, const FactorTreatment& treatment);

/// The type to which the treatment rounds the factors of an input; null: to none.
const NarrowType* type_of_factors(const FactorTreatment& treatment, const OperatorCall& call, std::size_t place);

/// The tensor in the type of the treatment, which must not be null, but with its own element type.
Tensor narrowed(const Tensor& tensor, const NarrowType& type);

/// What rounding to the type makes of the numbers. Subnormal numbers may be flushed to zero.
Interval narrowed(const Interval& number, const NarrowType& type);
/// What may be rounded to the type, or not. `type`: null for none.
Interval perhaps_narrowed(const Interval& number, const NarrowType* type);

extern const NarrowType narrow_bfloat16, narrow_float16;

/// The elements of an operand as they are multiplied. Keeps a reference to the operand.
class Factors {
 public:
  /// Consults spec::FactorPrecision if a permitted reading changes an element. `elements_of_row` is the number of
  /// consecutive elements that readings which quantize take for a row; 0 for weights, which they leave as they are.
  Factors(OperatorCall& call, std::size_t place, std::int64_t elements_of_row = 0);

  /// The factor that an element of the operand becomes.
  Value operator[](std::int64_t index) const;

 private:
  /// What quantizes elements.
  struct Quantization {
    Value lowest = Value::zero(false), highest = Value::zero(false);  ///< of the elements, and 0
    Value scale = Value::zero(false), zero_point = Value::zero(false);
  };
  void find_quantizations();

  const Tensor& operand_;
  const FactorTreatment* treatment_;
  const NarrowType* type_;
  std::int64_t elements_of_row_;
  std::vector<Quantization> quantizations_;
};

}  // namespace touchstone::reference
