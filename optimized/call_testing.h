// For tests: calls of this library with the data of examples.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "optimized/example_testing.h"
#include "optimized/guarded_memory_testing.h"

namespace touchstone::optimized {

/// The bytes of a call's operands.
struct OperandBytes {
  std::span<const std::byte> x;
  std::span<const std::byte> scale;
  std::span<const std::byte> zero_point;  ///< read if the example has one
  std::span<std::byte> y;
};

inline Status call_with(const Example& example, const OperandBytes& bytes, Isa isa,
                        const Executor* executor = nullptr) {
  const ConstTensorView x{example.x_type, bytes.x};
  const ConstTensorView scale{example.scale_type, bytes.scale};
  std::optional<ConstTensorView> zero_point;
  if (example.has_zero_point) zero_point = {example.quantized_type(), bytes.zero_point};
  const TensorView y{example.y_type, bytes.y};
  const auto call = [&](const auto& linear, auto options) {
    options.isa = isa;
    options.executor = executor;
    return linear(x, scale, zero_point, y, example.geometry, options);
  };
  return example.quantizes() ? call(quantize_linear, quantize_options(example))
                             : call(dequantize_linear, dequantize_options(example));
}

/// A call with copies of the operands between guard pages.
class Call {
 public:
  Call(const Example& example, const Data& data, Edge edge)
      : example_(example),
        x_(data.x.bytes(), edge),
        scale_(data.scale.bytes(), edge),
        zero_point_(data.zero_point ? data.zero_point->bytes() : std::span<const std::byte>{}, edge),
        y_(Tensor(example.y_type, x_shape(example)).bytes().size(), edge) {}

  Status operator()(Isa isa, const Executor* executor = nullptr) const {
    std::fill(y_.bytes().begin(), y_.bytes().end(), std::byte{0xA5});
    return call_with(example_, {x_.bytes(), scale_.bytes(), zero_point_.bytes(), y_.bytes()}, isa, executor);
  }

  Tensor y() const { return Tensor(example_.y_type, x_shape(example_), {y_.bytes().begin(), y_.bytes().end()}); }

 private:
  const Example& example_;
  GuardedBytes x_;
  GuardedBytes scale_;
  GuardedBytes zero_point_;
  GuardedBytes y_;
};

/// The library's result for the data. Throws std::runtime_error on an error.
inline Tensor compute(const Example& example, const Data& data, Isa isa, Edge edge) {
  const Call call(example, data, edge);
  if (const Status status = call(isa); status.error != Error::none)
    throw std::runtime_error(std::string(describe(status.error)));
  return call.y();
}

}  // namespace touchstone::optimized
