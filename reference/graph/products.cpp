#include "reference/graph/products.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "reference/codec.h"
#include "reference/graph/exact_sum.h"
#include "reference/graph/factors.h"
#include "reference/graph/positions.h"

namespace touchstone::reference {

namespace {

/// Factors as centers and errors, and what the whole operand has in common.
struct FactorBounds {
  std::vector<double> center;
  std::vector<double> error;
  double relative_error = 0;  ///< of every factor; infinite if it is large for one of them
  bool is_known = true;       ///< no factor is without bounds
  bool is_read = false;       ///< a permitted reading changes a factor
  int lowest_bit = 0;         ///< if all are exact: all are multiples of this power of two
};

/// The number rounded to so many bits, to nearest and ties to even. Only for normal numbers.
double round_to_bits(double number, int bits) {
  const int dropped = 53 - bits;
  const auto code = std::bit_cast<std::uint64_t>(number);
  const std::uint64_t below = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t odd = (code >> dropped) & 1;
  return std::bit_cast<double>((code + below - 1 + odd) & ~(2 * below - 1));
}

/// The interval of what a permitted reading makes of a factor.
Interval as_read(const Interval& factor, spec::FactorPrecision::Reading reading) {
  using A = spec::FactorPrecision;
  if (!factor.is_known()) return factor;
  const int bits = reading == A::rounded_to_bfloat16 ? 8 : 11;
  Interval read{round_to_bits(factor.low, bits), round_to_bits(factor.high, bits)};
  if (reading != A::rounded_to_float16) return read;
  if (read.largest_magnitude() > 65504) return {};
  // Subnormal numbers are flushed to zero, or not.
  constexpr double smallest = 0x1p-14;
  if (factor.low > 0 && factor.low < smallest) read.low = 0;
  if (factor.high < 0 && factor.high > -smallest) read.high = 0;
  return read;
}

/// Whether a permitted reading may change a factor of an operand of this type. TF32 changes none that float16 keeps.
bool is_changed(const Interval& factor, spec::ElementType type) {
  using A = spec::FactorPrecision;
  if (!factor.is_point()) return true;
  if (as_read(factor, A::rounded_to_bfloat16).low != factor.low) return true;
  const Interval read = as_read(factor, A::rounded_to_float16);
  return type != spec::ElementType::float16 && !(read.is_point() && read.low == factor.low);
}

int lowest_bit_of(double number) {
  int exponent = 0;
  const double significand = std::ldexp(std::frexp(std::fabs(number), &exponent), 53);
  return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(significand));
}

FactorBounds factor_bounds(OperatorCall& call, std::size_t place, std::int64_t elements_per_scale) {
  using A = spec::FactorPrecision;
  const A::Reading reading = call.reading<A>();
  const Tensor& operand = call.input(place);
  // Only a rejected reading quantizes. Its results show a cause, and prove nothing.
  std::optional<Factors> quantized;
  if (reading == A::quantized_to_int8) quantized.emplace(call, operand, elements_per_scale);
  FactorBounds made;
  int lowest = std::numeric_limits<int>::max();
  std::int64_t i = 0;
  for (Interval factor : call.bounds(place)) {
    made.is_read = made.is_read || is_changed(factor, operand.type());
    if (quantized) {
      const Value value = (*quantized)[i];
      const double number = value.is_finite() ? static_cast<double>(value.rational()) : 0;
      factor = {number, number};
    } else if (reading != A::as_given) {
      factor = as_read(factor, reading);
    }
    ++i;
    made.is_known = made.is_known && factor.is_known();
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

void add_products(double x, const double* w, std::size_t columns, double* center, double* magnitude) {
  for (std::size_t c = 0; c < columns; ++c) {
    const double product = x * w[c];
    center[c] += product;
    magnitude[c] += std::fabs(product);
  }
}

class BoundedProducts {
 public:
  BoundedProducts(OperatorCall& call, const Products& products)
      : products_(products),
        precision_(call.input(products.x).type()),
        x_(factor_bounds(call, products.x, products.elements_per_scale)),
        w_(factor_bounds(call, products.w, 0)),
        has_errors_(std::isinf(x_.relative_error) || std::isinf(w_.relative_error)),
        y_{products.shape, Bounds(to_size(call.product(products.shape)))} {
    if (x_.is_read || w_.is_read) call.note_consulted<spec::FactorPrecision>();
    if (products.bias_element) bias_ = call.bounds(products.bias);
    is_exact_ = x_.relative_error == 0 && w_.relative_error == 0 && std::fabs(products.alpha) == 1 &&
                std::fabs(products.beta) == 1;
    lowest_bit_ = x_.lowest_bit + w_.lowest_bit;
    for (const Interval& interval : bias_) {
      is_exact_ = is_exact_ && interval.is_point();
      if (is_exact_ && interval.low != 0) lowest_bit_ = std::min(lowest_bit_, lowest_bit_of(interval.low));
    }
    is_exact_ = is_exact_ && std::ldexp(1, lowest_bit_) >= precision_.smallest;
  }

  BoundedTensor result() {
    if (x_.is_known && w_.is_known)
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
    }
    RowSums sums;
    for (std::size_t r = 0; r < to_size(block.rows); ++r) {
      sums.clear(columns);
      double terms_of_row = 0;
      for (std::size_t k = 0; k < terms; ++k) {
        const std::int64_t source = block.x[r * terms + k];
        if (source < 0) continue;
        const double x = x_.center[to_size(source)], x_error = x_.error[to_size(source)];
        if (x == 0 && x_error == 0) continue;  // adding an exact zero never rounds
        ++terms_of_row;
        add_products(x, &w[k * columns], columns, sums.center.data(), sums.magnitude.data());
        if (!has_errors_) continue;
        for (std::size_t c = 0; c < columns; ++c)
          sums.error[c] += std::fabs(x) * w_error[k * columns + c] +
                           x_error * (std::fabs(w[k * columns + c]) + w_error[k * columns + c]);
      }
      for (std::size_t c = 0; c < columns; ++c) {
        const std::int64_t element = block.y[r * columns + c];
        y_.bounds[to_size(element)] = bound(element, sums.center[c], sums.magnitude[c], sums.error[c],
                                            std::min(terms_of_row, terms_of_column[c]));
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
      const Interval& bias = bias_[to_size(products_.bias_element(element))];
      if (!bias.is_known()) return {};
      const Interval term = multiply(bias, {beta, beta});
      const double term_center = term.low / 2 + term.high / 2;
      center += term_center;
      error += (term.high - term_center) + (std::fabs(beta) == 1 ? 0 : term.largest_magnitude() * precision_.unit);
      magnitude += term.largest_magnitude();
      if (term.largest_magnitude() > 0) ++roundings;
    }
    if (magnitude == 0) return {0, 0};
    if (is_exact_ && magnitude <= std::ldexp(1, lowest_bit_ + precision_.bits)) return {center, center};
    // Each product is rounded once, and is in no more sums than there are other terms. The reference's own sums in
    // float64 are as wrong as its unit roundoff says, which `unit` contains. Each result may be flushed to zero.
    error += precision_.gamma(roundings) * magnitude + roundings * precision_.smallest;
    if (!(magnitude + error < precision_.largest)) return {};
    const Interval sums{center - error, center + error};
    // Fused kernels convert the sum of integers, and multiply it by the rounded product of the scales.
    constexpr double fused_roundings = 3;
    return rounded(sums, fused_roundings, precision_);
  }

  const Products& products_;
  FloatPrecision precision_;
  FactorBounds x_, w_;
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
  const Factors factors_of_x(call, x, products.elements_per_scale), factors_of_w(call, call.input(products.w));
  const Value alpha = value_of(products.alpha), beta = value_of(products.beta);
  for (std::int64_t b = 0; b < products.blocks; ++b) {
    const ProductBlock block = products.block(b);
    for (std::int64_t r = 0; r < block.rows; ++r)
      for (std::int64_t c = 0; c < block.columns; ++c) {
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
