// For tests: a second implementation of both operators, in the host's arithmetic instead of the interpreter's. It uses
// only the decoding of the reference. It computes the result of every permitted reading and of known defects.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// The number that the code denotes. A float64 holds the numbers of all types of the operators.
double number_of(spec::ElementType type, std::uint64_t code);

/// How numbers between two neighbours are rounded. All but the first are defects.
enum class Rounding { half_to_even, half_away, half_upwards, half_towards_zero, towards_zero, downwards };

/// Rounds to an integer. Infinities and NaN do not change.
double round_to_integer(double number, Rounding rounding = Rounding::half_to_even);

/// To a floating-point type of 16 or more bits; beyond its numbers lies infinity.
double round_to_type(double number, spec::ElementType type, Rounding rounding = Rounding::half_to_even);

/// One element of x with the parameters that belong to it.
struct Operands {
  double x;
  double scale;
  double zero_point;  ///< what is added to the quotient, or subtracted from x; 0 where there is none
  double bias = 0;    ///< what is added to the product
};

/// The type in which an operation is done, its operands being rounded to it first; nothing: exactly.
using Arithmetic = std::optional<spec::ElementType>;

/// The readings of a cell's division or multiplication that are permitted; the primary one comes first.
std::vector<Arithmetic> permitted_arithmetic(const Cell& cell);

/// Steps of QuantizeLinear behind the division that go wrong.
struct QuantizeSteps {
  Rounding rounding = Rounding::half_to_even;
  bool adds_before_rounding = false;     ///< the zero point
  bool wraps = false;                    ///< instead of saturating
  bool saturates_before_adding = false;  ///< and then wraps
  bool rounds_to_integer = false;        ///< also where the output is a floating-point number
  bool ignores_saturate = false;         ///< does the other thing than the attribute says
  bool tests_before_rounding = false;    ///< whether a number is beyond the largest float8
};

double quotient(const Operands& operands, const Arithmetic& arithmetic);

/// NaN stands for itself in outputs that have it; in all others it means that the output is open.
double quantized(const Cell& cell, double quotient, double zero_point, const QuantizeSteps& steps = {});

/// Steps of DequantizeLinear that go wrong.
struct DequantizeSteps {
  Rounding rounding = Rounding::half_to_even;
  bool ignores_zero_point = false;
  bool wraps = false;  ///< the difference, in the type of x
};

double dequantized(const Cell& cell, const Operands& operands, const Arithmetic& arithmetic,
                   const DequantizeSteps& steps = {});

/// All that some choice of permitted readings gives.
struct PermittedResults {
  bool any = false;
  std::vector<double> values;

  bool contain(double value) const;
};

/// Computed by the primary readings.
double primary_result(const Cell& cell, const Operands& operands);
PermittedResults permitted_results(const Cell& cell, const Operands& operands);

/// Equal as outputs: any NaN is any NaN, and the sign of zero does not count.
bool same_output(double left, double right);

}  // namespace touchstone::conformance
