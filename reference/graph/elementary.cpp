#include "reference/graph/elementary.h"

#include <algorithm>
#include <cmath>

namespace touchstone::reference {

namespace {

/// Several times the relative errors of the functions below.
constexpr double function_error = 0x1p-44;

double exp_of(double x) {
  if (x < -745) return 0;
  if (x > 709) return std::numeric_limits<double>::infinity();
  // The first part of the logarithm of 2 has few bits, so that its multiples are exact.
  constexpr double log2_high = 0x1.62e42feep-1, log2_low = 0x1.a39ef35793c76p-33;
  const double multiple = std::nearbyint(x / (log2_high + log2_low));
  const double rest = (x - multiple * log2_high) - multiple * log2_low;
  double series = 1;
  for (int n = 15; n > 0; --n) series = 1 + series * rest / n;
  return std::ldexp(series, static_cast<int>(multiple));
}

/// The logarithm of a positive number: a multiple of the logarithm of 2, and for the rest twice the inverse hyperbolic
/// tangent of (x - 1) / (x + 1).
double log_of(double x) {
  constexpr double log2 = 0x1.62e42fefa39efp-1, root_of_half = 0x1.6a09e667f3bcdp-1;
  int exponent = 0;
  double rest = std::frexp(x, &exponent);
  if (rest < root_of_half) rest = 2 * rest, --exponent;
  const double t = (rest - 1) / (rest + 1);
  double series = 0;
  for (int n = 27; n > 0; n -= 2) series = series * t * t + 1.0 / n;
  return exponent * log2 + 2 * t * series;
}

/// 2 / sqrt(pi) * exp(-x * x) * the sum of 2^n x^(2n + 1) / (1 * 3 * ... * (2n + 1)), whose terms have the same sign
double erf_of(double x) {
  if (std::fabs(x) > 6) return x < 0 ? -1 : 1;
  constexpr double two_by_root_of_pi = 0x1.20dd750429b6dp+0;
  double sum = 0, term = x;
  for (int n = 1; sum + term != sum; ++n) {
    sum += term;
    term *= 2 * x * x / (2 * n + 1);
  }
  return two_by_root_of_pi * exp_of(-x * x) * sum;
}

double tanh_of(double x) {
  if (std::fabs(x) > 20) return x < 0 ? -1 : 1;
  const double twice = 2 * x;
  double difference = exp_of(twice) - 1;  // cancels near zero
  if (std::fabs(twice) < 0.5) {
    double series = 1;
    for (int n = 16; n > 1; --n) series = 1 + series * twice / n;
    difference = twice * series;
  }
  return difference / (difference + 2);
}

double sigmoid_of(double x) { return 1 / (1 + exp_of(-x)); }

/// Of a function that increases.
Interval increasing(const Interval& x, double (*function)(double)) {
  if (!x.is_known()) return {};
  const double low = function(x.low), high = function(x.high);
  const Interval result{low - std::fabs(low) * function_error, high + std::fabs(high) * function_error};
  return result.is_known() ? result : Interval{};
}

}  // namespace

Interval exp(const Interval& x) { return increasing(x, exp_of); }
Interval erf(const Interval& x) { return increasing(x, erf_of); }
Interval tanh(const Interval& x) { return increasing(x, tanh_of); }
Interval sigmoid(const Interval& x) { return increasing(x, sigmoid_of); }

Interval sqrt(const Interval& x) {
  if (x.low < 0) return {};
  return increasing(x, [](double number) { return std::sqrt(number); });
}

Interval power(const Interval& x, const Interval& exponent) {
  if (!x.is_known() || x.low < 0) return {};
  if (x.low > 0) return exp(multiply(exponent, increasing(x, log_of)));
  if (exponent.low <= 0) return {};
  return {0, x.high > 0 ? power({x.high, x.high}, exponent).high : 0};
}

Interval square(const Interval& x) {
  if (!x.is_known()) return {};
  const double low = x.low * x.low, high = x.high * x.high;
  return {x.low <= 0 && x.high >= 0 ? 0 : std::min(low, high), std::max(low, high)};
}

Interval power(const Interval& x, int exponent) {
  if (exponent < 0) return divide({1, 1}, power(x, -exponent));
  Interval result{1, 1};
  for (int rest = exponent / 2; rest > 0; --rest) result = multiply(result, square(x));
  return exponent % 2 != 0 ? multiply(result, x) : result;
}

Interval evaluated(const Interval& exact, const spec::FunctionAccuracy& accuracy, const FloatPrecision& precision) {
  // A unit in the last place is at most two unit roundoffs. A result in a wider type is rounded once more.
  const Interval result = rounded(exact, 2 * accuracy.ulps + 1, precision);
  return widened(result, accuracy.roundoffs * precision.unit);
}

Interval bounded_sum(const Bounds& terms, const FloatPrecision& precision) {
  Interval sum{0, 0};
  double magnitude = 0, count = 0;
  for (const Interval& term : terms) {
    if (term.low == 0 && term.high == 0) continue;  // adding an exact zero never rounds
    sum = add(sum, term);
    magnitude += term.largest_magnitude();
    ++count;
  }
  return magnitude < precision.largest ? widened(sum, precision.gamma(count) * magnitude) : Interval{};
}

}  // namespace touchstone::reference
