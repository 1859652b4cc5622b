// For tests: a second implementation of both operators, in the host's arithmetic instead of the interpreter's. It
// shares only the decoding with the reference. It computes the result of every permitted reading and of known defects.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// The number that the code denotes. float64 represents all numbers of the operators' types.
double number_of(spec::ElementType type, std::uint64_t code);

/// How numbers between two neighbours are rounded. All except the first are defects.
enum class Rounding { half_to_even, half_away, half_upwards, half_towards_zero, towards_zero, downwards };

/// Rounds to an integer. Infinities and NaN do not change.
double round_to_integer(double number, Rounding rounding = Rounding::half_to_even);

/// Rounds to a floating-point type of at least 16 bits. Larger numbers become infinity.
double round_to_type(double number, spec::ElementType type, Rounding rounding = Rounding::half_to_even);

/// One element of x with its parameters.
struct Operands {
  double x;
  double scale;
  double zero_point;  ///< added to the quotient, or subtracted from x; 0 if absent
  double bias = 0;    ///< added to the product
};

/// The type in which an operation is computed, after rounding its operands to this type. std::nullopt: exactly.
using Arithmetic = std::optional<spec::ElementType>;

/// The permitted readings of a cell's division or multiplication, the primary one first.
std::vector<Arithmetic> permitted_arithmetic(const Cell& cell);

/// Defects in the steps of QuantizeLinear after the division.
struct QuantizeSteps {
  Rounding rounding = Rounding::half_to_even;
  bool adds_before_rounding = false;     ///< the zero point
  bool wraps = false;                    ///< instead of saturating
  bool saturates_before_adding = false;  ///< and then wraps
  bool rounds_to_integer = false;        ///< also for floating-point outputs
  bool ignores_saturate = false;         ///< does the opposite of the attribute
  bool tests_before_rounding = false;    ///< for the largest float8 number
};

double quotient(const Operands& operands, const Arithmetic& arithmetic);

/// NaN represents itself for output types that have it. For all others it means that the output is open.
double quantized(const Cell& cell, double quotient, double zero_point, const QuantizeSteps& steps = {});

/// Defects in the steps of DequantizeLinear.
struct DequantizeSteps {
  Rounding rounding = Rounding::half_to_even;
  bool ignores_zero_point = false;
  bool wraps = false;  ///< the difference, in the type of x
};

double dequantized(const Cell& cell, const Operands& operands, const Arithmetic& arithmetic,
                   const DequantizeSteps& steps = {});

/// All results that some choice of permitted readings gives.
struct PermittedResults {
  bool any = false;
  std::vector<double> values;

  bool contain(double value) const;
};

/// The result of the primary readings.
double primary_result(const Cell& cell, const Operands& operands);
PermittedResults permitted_results(const Cell& cell, const Operands& operands);

/// Whether two outputs are equal. Any NaN equals any NaN, and the sign of zero does not count.
bool same_output(double left, double right);

}  // namespace touchstone::conformance
