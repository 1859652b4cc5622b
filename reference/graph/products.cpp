#include "reference/graph/products.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "reference/codec.h"
#include "reference/graph/exact_sum.h"
#include "reference/graph/factors.h"
#include "reference/graph/positions.h"
#include "reference/interruption.h"

namespace touchstone::reference {

namespace {

/// Factors as centers and errors, and what the whole operand has in common.
struct FactorBounds {
  std::vector<double> center;  ///< NaN for a factor without bounds, so that its sums are NaN, too
  std::vector<double> error;
  double relative_error = 0;  ///< of every factor with bounds; infinite if it is large for one of them
  int lowest_bit = 0;         ///< if all are exact: all are multiples of this power of two
};

int lowest_bit_of(double number) {
  int exponent = 0;
  const double significand = std::ldexp(std::frexp(std::fabs(number), &exponent), 53);
  return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(significand));
}

/// Factors in 8 bits, and how far they may be from them. Kernels may round a quotient near a tie in either direction,
/// and round the scale.
class Quantization {
 public:
  Quantization(double lowest, double highest, bool is_unsigned)
      : scale_(is_unsigned ? (highest - lowest) / 255 : std::max(-lowest, highest) / 127) {
    if (!is_unsigned || scale_ == 0) return;
    zero_point_ = nearest({-lowest / scale_, -lowest / scale_});
    is_unsigned_ = true;
  }

  Interval operator()(const Interval& factor) const {
    constexpr double rounded_scale = 0x1p-22;
    if (scale_ == 0) return factor;
    Interval codes = nearest({factor.low / scale_, factor.high / scale_});
    if (is_unsigned_)
      codes = {std::clamp(codes.low, -zero_point_.high, 255 - zero_point_.high),
               std::clamp(codes.high, -zero_point_.low, 255 - zero_point_.low)};
    return widened(multiply(codes, {scale_, scale_}), codes.largest_magnitude() * scale_ * rounded_scale);
  }

 private:
  static Interval nearest(const Interval& quotient) {
    constexpr double near_tie = 0x1p-16;
    return {std::floor(quotient.low + 0.5 - near_tie), std::floor(quotient.high + 0.5 + near_tie)};
  }

  double scale_;
  bool is_unsigned_ = false;
  Interval zero_point_{0, 0};
};

/// Replaces factors by what they are in 8 bits.
void quantize(Bounds& factors, const FactorTreatment& treatment, std::int64_t elements_of_row) {
  const auto scale_of = [&](std::size_t i) {
    return treatment.scale_of(static_cast<std::int64_t>(i), elements_of_row);
  };
  for (std::size_t first = 0, end = 0; first < factors.size(); first = end) {
    while (end < factors.size() && scale_of(end) == scale_of(first)) ++end;
    const std::span block = std::span(factors).subspan(first, end - first);
    double lowest = 0, highest = 0;
    for (const Interval& factor : block)
      if (factor.is_known()) lowest = std::min(lowest, factor.low), highest = std::max(highest, factor.high);
    const Quantization quantized(lowest, highest, treatment.is_unsigned);
    for (Interval& factor : block)
      if (factor.is_known()) factor = quantized(factor);
  }
}

/// Kernels add a constant to codes of weights, so that all are positive, and subtract what that adds to the sum. This
/// rounds relative to the largest weight.
void shift_weights(Bounds& factors) {
  constexpr double rounded_sums = 0x1p-20;
  double largest = 0;
  for (const Interval& factor : factors)
    if (factor.is_known()) largest = std::max(largest, factor.largest_magnitude());
  for (Interval& factor : factors) factor = widened(factor, largest * rounded_sums);
}

/// The integers of which DequantizeLinear gave the factors with this scale.
void remove_scale(Bounds& factors, double scale) {
  for (Interval& factor : factors) {
    if (!factor.is_known()) continue;
    const double code = std::round((factor.low / 2 + factor.high / 2) / scale);
    factor = {code, code};
  }
}

/// Rounds factors that are multiplied by a scale, in float32 before.
void narrow_with_scale(Bounds& factors, double scale, const NarrowType& type) {
  constexpr double roundings = 2;  // of the product of two scales, and with it
  const FloatPrecision precision(ElementType::float32);
  for (Interval& factor : factors) {
    const double product = factor.low * scale;
    const bool is_exact = factor.is_point() && precision.has(product) && std::fma(factor.low, scale, -product) == 0;
    const Interval scaled =
        is_exact ? Interval{product, product} : rounded(multiply(factor, {scale, scale}), roundings, precision);
    factor = narrowed(scaled, type);
  }
}

/// `folded_scale`: of the first operand, if it becomes part of the second; otherwise 0.
FactorBounds factor_bounds(OperatorCall& call, std::size_t place, std::int64_t elements_of_row, double folded_scale) {
  const FactorTreatment& treatment = treatment_of(call.reading<spec::FactorPrecision>());
  Bounds factors = call.bounds(place);
  if (folded_scale != 0) {
    elements_of_row > 0 ? remove_scale(factors, folded_scale)
                        : narrow_with_scale(factors, folded_scale, *treatment.type);
  } else if (const NarrowType* type = type_of_factors(treatment, call, place); type != nullptr) {
    for (Interval& factor : factors) factor = narrowed(factor, *type);
  }
  // Only rejected readings quantize. Their results show a cause, and prove nothing.
  if (quantizes(call, treatment))
    elements_of_row > 0 ? quantize(factors, treatment, elements_of_row) : shift_weights(factors);
  FactorBounds made;
  int lowest = std::numeric_limits<int>::max();
  for (const Interval& factor : factors) {
    if (!factor.is_known()) {
      made.center.push_back(std::numeric_limits<double>::quiet_NaN());
      made.error.push_back(0);
      continue;
    }
    const double center = factor.low / 2 + factor.high / 2;
    const double error = factor.is_point() ? 0 : (factor.high - center) * (1 + 0x1p-50) + std::fabs(center) * 0x1p-50;
    made.center.push_back(center);
    made.error.push_back(error);
    if (error > 0)
      made.relative_error = std::max(made.relative_error, error / std::fabs(center));
    else if (center != 0)
      lowest = std::min(lowest, lowest_bit_of(center));
  }
  if (!(made.relative_error < 0x1p-20)) made.relative_error = std::numeric_limits<double>::infinity();
  made.lowest_bit = lowest == std::numeric_limits<int>::max() ? 0 : lowest;
  return made;
}

/// The sums of one row of a result.
struct RowSums {
  std::vector<double> center, magnitude, error;

  void clear(std::size_t columns) {
    center.assign(columns, 0);
    magnitude.assign(columns, 0);
    error.assign(columns, 0);
  }
};

/// A factor of a row, and the row of the other operand with which it is multiplied.
struct RowFactor {
  double x;
  const double* w;
};

/// Adds the products of all factors. Several at once, because the sums are in memory.
void add_products(std::span<const RowFactor> factors, std::size_t columns, double* __restrict center,
                  double* __restrict magnitude) {
  std::size_t k = 0;
  for (; k + 4 <= factors.size(); k += 4) {
    const auto [x0, w0] = factors[k];
    const auto [x1, w1] = factors[k + 1];
    const auto [x2, w2] = factors[k + 2];
    const auto [x3, w3] = factors[k + 3];
    for (std::size_t c = 0; c < columns; ++c) {
      const double p0 = x0 * w0[c], p1 = x1 * w1[c], p2 = x2 * w2[c], p3 = x3 * w3[c];
      center[c] += (p0 + p1) + (p2 + p3);
      magnitude[c] += (std::fabs(p0) + std::fabs(p1)) + (std::fabs(p2) + std::fabs(p3));
    }
  }
  for (; k < factors.size(); ++k)
    for (std::size_t c = 0; c < columns; ++c) {
      const double product = factors[k].x * factors[k].w[c];
      center[c] += product;
      magnitude[c] += std::fabs(product);
    }
}

double folded_scale(const OperatorCall& call, const Products& products) {
  return treatment_of(call.reading<spec::FactorPrecision>()).folds_scale ? call.scale(products.x) : 0;
}

class BoundedProducts {
 public:
  BoundedProducts(OperatorCall& call, const Products& products)
      : products_(products),
        precision_(call.input(products.x).type()),
        x_(factor_bounds(call, products.x, products.elements_of_row, folded_scale(call, products))),
        w_(factor_bounds(call, products.w, 0, folded_scale(call, products))),
        narrow_(treatment_of(call.reading<spec::FactorPrecision>()).type),
        keeps_exact_(folded_scale(call, products) != 0),
        further_error_(call.further_error(precision_)),
        has_errors_(std::isinf(x_.relative_error) || std::isinf(w_.relative_error)),
        y_{products.shape, Bounds(to_size(call.product(products.shape)))} {
    call.note_consulted<spec::FactorPrecision>();
    if (products.bias_element) bias_ = call.bounds(products.bias);
    is_exact_ = further_error_ == 0 && x_.relative_error == 0 && w_.relative_error == 0 &&
                std::fabs(products.alpha) == 1 && std::fabs(products.beta) == 1;
    lowest_bit_ = x_.lowest_bit + w_.lowest_bit;
    for (const Interval& interval : bias_) {
      is_exact_ = is_exact_ && interval.is_point();
      if (is_exact_ && interval.low != 0) lowest_bit_ = std::min(lowest_bit_, lowest_bit_of(interval.low));
    }
    is_exact_ = is_exact_ && std::ldexp(1, lowest_bit_) >= precision_.smallest;
  }

  BoundedTensor result() {
    for (std::int64_t b = 0; b < products_.blocks; ++b) evaluate(products_.block(b));
    return std::move(y_);
  }

 private:
  void evaluate(const ProductBlock& block) {
    const std::size_t columns = to_size(block.columns), terms = to_size(block.terms);
    std::vector<double> w(terms * columns), w_error(has_errors_ ? w.size() : 0);
    std::vector<double> terms_of_column(columns, 0);
    for (std::size_t i = 0; i < w.size(); ++i) {
      w[i] = w_.center[to_size(block.w[i])];
      if (has_errors_) w_error[i] = w_.error[to_size(block.w[i])];
      if (w[i] != 0 || (has_errors_ && w_error[i] != 0)) ++terms_of_column[i % columns];
      // A product of zero by such a weight need not be zero.
      if (std::isnan(w[i])) terms_of_column[i % columns] = std::numeric_limits<double>::quiet_NaN();
    }
    RowSums sums;
    std::vector<RowFactor> factors;
    for (std::size_t r = 0; r < to_size(block.rows); ++r) {
      Interruptible::note_work(block.terms * block.columns);
      sums.clear(columns);
      factors.clear();
      for (std::size_t k = 0; k < terms; ++k) {
        const std::int64_t source = block.x[r * terms + k];
        if (source < 0) continue;
        const double x = x_.center[to_size(source)], x_error = x_.error[to_size(source)];
        if (x == 0 && x_error == 0) continue;  // adding an exact zero never rounds
        factors.push_back({x, w.data() + k * columns});
        if (!has_errors_) continue;
        for (std::size_t c = 0; c < columns; ++c)
          sums.error[c] += std::fabs(x) * w_error[k * columns + c] +
                           x_error * (std::fabs(w[k * columns + c]) + w_error[k * columns + c]);
      }
      add_products(factors, columns, sums.center.data(), sums.magnitude.data());
      const auto terms_of_row = static_cast<double>(factors.size());
      for (std::size_t c = 0; c < columns; ++c) {
        const std::int64_t element = block.y[r * columns + c];
        if (std::isnan(sums.center[c]) || std::isnan(terms_of_column[c])) continue;  // without bounds
        const Interval result = bound(element, sums.center[c], sums.magnitude[c], sums.error[c],
                                      std::min(terms_of_row, terms_of_column[c]));
        const bool is_kept = keeps_exact_ && result.is_point();
        y_.bounds[to_size(element)] = is_kept ? result : perhaps_narrowed(result, narrow_);
      }
    }
  }

  /// The bounds of alpha * sum + beta * bias.
  Interval bound(std::int64_t element, double sum, double magnitude, double error, double terms) const {
    const double alpha = static_cast<double>(products_.alpha), beta = static_cast<double>(products_.beta);
    const double x = x_.relative_error, w = w_.relative_error;
    if (!has_errors_) error = magnitude * (x + w + x * w);
    double center = alpha * sum;
    magnitude = std::fabs(alpha) * (magnitude + error);
    error *= std::fabs(alpha);
    double roundings = terms + (std::fabs(alpha) == 1 ? 0 : 1);
    if (products_.bias_element) {
      const Interval bias = perhaps_narrowed(bias_[to_size(products_.bias_element(element))],
                                             keeps_exact_ && is_exact_ ? nullptr : narrow_);
      if (!bias.is_known()) return {};
      const Interval term = multiply(bias, {beta, beta});
      const double term_center = term.low / 2 + term.high / 2;
      center += term_center;
      error += (term.high - term_center) + (std::fabs(beta) == 1 ? 0 : term.largest_magnitude() * precision_.unit);
      magnitude += term.largest_magnitude();
      if (term.largest_magnitude() > 0) ++roundings;
    }
    if (magnitude == 0) return {0, 0};
    if (is_exact_ && error == 0 && magnitude <= std::ldexp(1, lowest_bit_ + precision_.bits)) return {center, center};
    // Each product is rounded once, and is in no more sums than there are other terms. The reference's own sums in
    // float64 are as wrong as its unit roundoff says, which `unit` contains. Each result may be flushed to zero.
    error += (precision_.gamma(roundings) + further_error_) * magnitude + roundings * precision_.smallest;
    if (!(magnitude + error < precision_.largest)) return {};
    const Interval sums{center - error, center + error};
    // Fused kernels convert the sum of integers, and multiply it by the rounded product of the scales.
    constexpr double fused_roundings = 3;
    return rounded(sums, fused_roundings, precision_);
  }

  const Products& products_;
  FloatPrecision precision_;
  FactorBounds x_, w_;
  const NarrowType* narrow_;  ///< to which the bias and the result may be rounded; null: to none
  bool keeps_exact_;          ///< neither is, of sums without rounding
  double further_error_;
  bool has_errors_;
  Bounds bias_ = {};
  BoundedTensor y_;
  bool is_exact_ = false;
  int lowest_bit_ = 0;
};

}  // namespace

Tensor exact_products(OperatorCall& call, const Products& products) {
  const Tensor& x = call.input(products.x);
  Tensor y(x.type(), call.checked(products.shape, products.terms));
  const Factors factors_of_x(call, products.x, products.elements_of_row), factors_of_w(call, products.w);
  if (folded_scale(call, products) != 0) call.note_rounded("the scale of one factor becomes part of the other");
  // A power of two changes no bits of the other factors, which decide themselves whether this matters.
  int exponent = 0;
  if (const double scale = call.scale(products.x); scale != 0 && std::fabs(std::frexp(scale, &exponent)) != 0.5)
    call.note_consulted<spec::FactorPrecision>();
  const Value alpha = value_of(products.alpha), beta = value_of(products.beta);
  for (std::int64_t b = 0; b < products.blocks; ++b) {
    const ProductBlock block = products.block(b);
    for (std::int64_t r = 0; r < block.rows; ++r)
      for (std::int64_t c = 0; c < block.columns; ++c) {
        Interruptible::note_work(block.terms);
        ExactSum sum(x.type());
        for (std::int64_t k = 0; k < block.terms; ++k) {
          const std::int64_t source = block.x[to_size(r * block.terms + k)];
          if (source < 0) continue;
          const Value product = multiply(factors_of_x[source], factors_of_w[block.w[to_size(k * block.columns + c)]]);
          sum.add(multiply(alpha, product));
        }
        const std::int64_t element = block.y[to_size(r * block.columns + c)];
        if (products.bias_element) {
          const Tensor& bias = call.input(products.bias);
          sum.add(multiply(beta, decode(bias.type(), bias.code(products.bias_element(element)))));
        }
        y.set_code(element, sum.code(call));
        if (call.is_discarded()) return y;
      }
  }
  return y;
}

BoundedTensor bounded_products(OperatorCall& call, const Products& products) {
  call.require_float(call.input(products.x));
  call.checked(products.shape, products.terms);
  return BoundedProducts(call, products).result();
}

}  // namespace touchstone::reference
