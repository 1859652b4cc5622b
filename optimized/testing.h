// For tests: memory with guard pages, nodes of the reference with the arguments that mean the same here, and their
// comparison.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "optimized/dequantize_linear.h"
#include "optimized/quantize_linear.h"
#include "reference/codec.h"
#include "reference/host_numbers.h"
#include "reference/interpreter.h"
#include "reference/rounding.h"
#include "reference/testing.h"
#include "spec/operator_version.h"

namespace touchstone::optimized {

using reference::Node;
using reference::Tensor;
using spec::ElementType;

// ---- memory

/// Which end of the bytes lies at the end of a page, beside one that may not be touched.
enum class Edge { front, back };

/// Bytes between two pages that may not be touched.
class GuardedBytes {
 public:
  GuardedBytes(std::size_t size, Edge edge) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inside = (size + page - 1) / page * page;
    mapped_ = inside + 2 * page;
    base_ = static_cast<std::byte*>(mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED) throw std::runtime_error("mmap failed");
    if (inside > 0 && mprotect(base_ + page, inside, PROT_READ | PROT_WRITE) != 0)
      throw std::runtime_error("mprotect failed");
    bytes_ = {base_ + page + (edge == Edge::back ? inside - size : 0), size};
  }
  GuardedBytes(std::span<const std::byte> content, Edge edge) : GuardedBytes(content.size(), edge) {
    std::copy(content.begin(), content.end(), bytes_.begin());
  }
  ~GuardedBytes() { munmap(base_, mapped_); }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::byte* base_;
  std::size_t mapped_;
  std::span<std::byte> bytes_;
};

// ---- the floating-point environment

/// What a caller may have set before the call. The result may not depend on it.
struct Environment {
  int rounding = FE_TONEAREST;
  bool flushes = false;  ///< subnormal operands and results
  bool traps = false;    ///< every exception raises a signal
};

inline std::vector<Environment> environments() {
  std::vector<Environment> all;
  for (const int rounding : {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO})
    for (const bool flushes : {false, true})
      for (const bool traps : {false, true}) all.push_back({rounding, flushes, traps});
  return all;
}

/// Calls in an environment, and says whether the call left it as it was, exception flags included.
template <class Call>
bool is_restored_by(const Environment& environment, Call call) {
  std::fenv_t saved;
  std::fegetenv(&saved);
  std::fesetround(environment.rounding);
#if defined(__SSE2__)
  unsigned control = _mm_getcsr() & ~0x3FU;
  if (environment.flushes) control |= 0x8040U;
  if (environment.traps) control &= ~0x1F80U;
  _mm_setcsr(control);
  call();
  const bool restored = _mm_getcsr() == control;
#else
  call();
  const bool restored = std::fegetround() == environment.rounding;
#endif
  std::fesetenv(&saved);
  return restored;
}

inline std::vector<Isa> available_isas() {
  std::vector<Isa> isas{Isa::portable};
  if (is_available(Isa::avx2)) isas.push_back(Isa::avx2);
  return isas;
}

// ---- arguments

/// A node of ai.onnx or com.microsoft in the words of this library.
struct Example {
  const spec::OperatorVersion* version;
  ElementType x_type;
  ElementType scale_type;
  ElementType y_type;
  Geometry geometry;
  bool has_zero_point;
  bool saturate = true;
  std::int64_t precision = 0;

  bool quantizes() const { return version->op == spec::Operator::quantize_linear; }
  ElementType quantized_type() const { return quantizes() ? y_type : x_type; }
  bool is_per_tensor() const { return geometry.axis == 1 && geometry.block == 0; }
};

inline std::string to_text(const Example& example) {
  std::string text = std::string(spec::name(example.version->op)) + "-" +
                     std::to_string(example.version->since_version) + " x " + std::string(name(example.x_type)) +
                     " scale " + std::string(name(example.scale_type)) + " y " + std::string(name(example.y_type));
  const auto& [outer, axis, inner, block] = example.geometry;
  for (const std::int64_t number : {outer, axis, inner, block}) text += " " + std::to_string(number);
  text += example.has_zero_point ? " zero point" : "";
  text += example.saturate ? "" : " saturate=0";
  return text + (example.precision != 0 ? " precision=" + std::to_string(example.precision) : "");
}

/// What the pages say on the precision of the division; see Division.
inline Division division_of(const Example& example) {
  const auto of_type = [](ElementType type) {
    switch (type) {
      case ElementType::float16: return Division::in_float16;
      case ElementType::bfloat16: return Division::in_bfloat16;
      case ElementType::float64: return Division::in_float64;
      default: return Division::in_float32;
    }
  };
  if (example.precision != 0) return of_type(*spec::element_type_from_code(example.precision));
  if (example.scale_type == ElementType::int32) return Division::exact;
  return example.version->since_version < 23 ? Division::in_float32 : of_type(example.scale_type);
}

inline QuantizeOptions quantize_options(const Example& example) {
  return {division_of(example), example.saturate,
          example.version->since_version < 24 ? FnuzInfinity::is_nan : FnuzInfinity::saturates};
}

inline DequantizeOptions dequantize_options(const Example& example) {
  const bool in_y = example.version->since_version >= 23 &&
                    !(example.scale_type == ElementType::float8e8m0 && example.y_type == ElementType::float16);
  if (in_y && example.y_type == ElementType::float16) return {Multiplication::in_float16};
  if (in_y && example.y_type == ElementType::bfloat16) return {Multiplication::in_bfloat16};
  return {Multiplication::in_float32};
}

inline reference::Shape x_shape(const Example& example) {
  return {example.geometry.outer, example.geometry.axis, example.geometry.inner};
}

inline reference::Shape scale_shape(const Example& example) {
  const auto& [outer, axis, inner, block] = example.geometry;
  if (block > 0) return {outer, (axis + block - 1) / block, inner};
  return example.is_per_tensor() ? reference::Shape{} : reference::Shape{axis};
}

/// x, scale and zero point of a node.
struct Data {
  Tensor x;
  Tensor scale;
  std::optional<Tensor> zero_point;
};

inline Node node_of(const Example& example, const Data& data) {
  Node node =
      reference::node(example.version->op, example.version->since_version, data.x, data.scale, data.zero_point, {});
  node.domain = example.version->domain;
  const auto set = [&](const char* attribute, std::int64_t value) {
    if (example.version->attribute(attribute) != nullptr) node.attributes[attribute] = value;
  };
  const bool has_default_axis = node.domain == spec::ai_onnx;  // elsewhere it says that there is an axis
  if (has_default_axis || !example.is_per_tensor()) set("axis", 1);
  set("block_size", example.geometry.block);
  set("saturate", example.saturate ? 1 : 0);
  set("precision", example.precision);
  if (!example.quantizes() || !example.has_zero_point) set("output_dtype", reference::type_code(example.y_type));
  return node;
}

// ---- values

/// The code of a number rounded to a type.
inline std::uint64_t rounded_code(ElementType type, double number) {
  if (spec::is_integer(type)) {
    const double low = static_cast<double>(reference::lowest(type));
    const double high = static_cast<double>(reference::highest(type));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(std::clamp(number, low, high))));
  }
  return reference::encode(type, reference::round_to_type(reference::exact(number), type));
}

inline double number_of(ElementType type, std::uint64_t code) {
  const reference::Value value = reference::decode(type, code);
  if (value.is_nan()) return std::numeric_limits<double>::quiet_NaN();
  if (value.is_infinity()) return value.is_negative() ? -HUGE_VAL : HUGE_VAL;
  return static_cast<double>(value.rational());
}

using Random = std::mt19937_64;

inline std::int64_t random_in(Random& random, std::int64_t first, std::int64_t last) {
  return std::uniform_int_distribution<std::int64_t>(first, last)(random);
}

/// Any code; or a number of moderate size with a short significand.
inline std::uint64_t random_code(Random& random, ElementType type) {
  if (spec::is_integer(type)) return random() >> random_in(random, 0, 63);
  if (spec::info(type).bits <= 8 || random_in(random, 0, 5) == 0) return random();
  const double significand = 1.0 + static_cast<double>(random_in(random, 0, 4095)) / 4096;
  return rounded_code(
      type, std::ldexp(random() % 4 == 0 ? -significand : significand, static_cast<int>(random_in(random, -9, 9))));
}

/// A quotient at which y may change: half an integer near an end of the range or anywhere in it; or a number of few
/// significant bits, among which are the midpoints of small floating-point types.
inline double random_threshold(Random& random, ElementType type, double zero_point) {
  if (spec::is_integer(type)) {
    const auto lowest = static_cast<std::int64_t>(reference::lowest(type));
    const auto highest = static_cast<std::int64_t>(reference::highest(type));
    const std::int64_t end = random() % 2 == 0 ? lowest : highest;
    const std::int64_t place = random() % 2 == 0 ? random_in(random, lowest, highest) : end + random_in(random, -2, 2);
    return static_cast<double>(place) + 0.5 - zero_point;
  }
  const double magnitude =
      std::ldexp(static_cast<double>(random_in(random, 1, 63)), static_cast<int>(random_in(random, -23, 12)));
  return random() % 2 == 0 ? magnitude : -magnitude;
}

inline Tensor random_tensor(Random& random, ElementType type, const reference::Shape& shape) {
  Tensor tensor(type, shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, random_code(random, type));
  return tensor;
}

/// Of QuantizeLinear, most of x is close to where y changes.
inline Data random_data(Random& random, const Example& example) {
  Data data{random_tensor(random, example.x_type, x_shape(example)),
            random_tensor(random, example.scale_type, scale_shape(example)), std::nullopt};
  if (example.has_zero_point) {
    data.zero_point = Tensor(example.quantized_type(), scale_shape(example));
    const bool must_be_zero =
        example.quantized_type() == ElementType::int32 && example.version->domain == spec::ai_onnx;
    const bool is_zero = must_be_zero || random() % 4 == 0;
    if (!is_zero) data.zero_point = random_tensor(random, example.quantized_type(), scale_shape(example));
  }
  if (!example.quantizes()) return data;
  const auto& [outer, axis, inner, block] = example.geometry;
  for (std::int64_t i = 0; i < data.x.size(); ++i) {
    if (random() % 8 == 0) continue;
    const std::int64_t along = i / inner % axis;
    const std::int64_t blocks = block > 0 ? (axis + block - 1) / block : 0;
    const std::int64_t parameter =
        block == 0 ? along : (i / (inner * axis) * blocks + along / block) * inner + i % inner;
    const double scale = number_of(example.scale_type, data.scale.code(parameter));
    const double zero_point = data.zero_point ? number_of(example.y_type, data.zero_point->code(parameter)) : 0;
    const double x = scale * random_threshold(random, example.y_type, zero_point);
    if (std::isnan(x) || std::isinf(x)) continue;
    data.x.set_code(i, rounded_code(example.x_type, x) + static_cast<std::uint64_t>(random_in(random, -2, 2)));
  }
  return data;
}

// ---- results

/// Copies of the operands, between guard pages, and the call.
class Call {
 public:
  Call(const Example& example, const Data& data, Edge edge)
      : example_(example),
        x_(data.x.bytes(), edge),
        scale_(data.scale.bytes(), edge),
        zero_point_(data.zero_point ? data.zero_point->bytes() : std::span<const std::byte>{}, edge),
        y_(Tensor(example.y_type, x_shape(example)).bytes().size(), edge) {}

  Status operator()(Isa isa) const {
    const ConstTensorView x{example_.x_type, x_.bytes()};
    const ConstTensorView scale{example_.scale_type, scale_.bytes()};
    std::optional<ConstTensorView> zero_point;
    if (example_.has_zero_point) zero_point = {example_.quantized_type(), zero_point_.bytes()};
    const TensorView y{example_.y_type, y_.bytes()};
    std::fill(y.bytes.begin(), y.bytes.end(), std::byte{0xA5});
    if (example_.quantizes()) {
      QuantizeOptions options = quantize_options(example_);
      options.isa = isa;
      return quantize_linear(x, scale, zero_point, y, example_.geometry, options);
    }
    DequantizeOptions options = dequantize_options(example_);
    options.isa = isa;
    return dequantize_linear(x, scale, zero_point, y, example_.geometry, options);
  }

  Tensor y() const { return Tensor(example_.y_type, x_shape(example_), {y_.bytes().begin(), y_.bytes().end()}); }

 private:
  const Example& example_;
  GuardedBytes x_;
  GuardedBytes scale_;
  GuardedBytes zero_point_;
  GuardedBytes y_;
};

/// What this library makes of the data; throws std::runtime_error on an error.
inline Tensor compute(const Example& example, const Data& data, Isa isa, Edge edge) {
  const Call call(example, data, edge);
  if (const Status status = call(isa); status.error != Error::none)
    throw std::runtime_error(std::string(describe(status.error)));
  return call.y();
}

/// Same code, or both NaN.
inline bool same_element(ElementType type, std::uint64_t left, std::uint64_t right) {
  return left == right ||
         (!spec::is_integer(type) && reference::decode(type, left).is_nan() && reference::decode(type, right).is_nan());
}

/// The first element that differs from what the reference says.
inline ::testing::AssertionResult agrees(const Data& data, const Tensor& y, const reference::Result& expected) {
  for (std::int64_t i = 0; i < y.size(); ++i) {
    if (expected.unspecified[static_cast<std::size_t>(i)] || same_element(y.type(), y.code(i), expected.y.code(i)))
      continue;
    const auto number = [](const Tensor& tensor, std::int64_t place) {
      return to_string(reference::decode(tensor.type(), tensor.code(place)));
    };
    const std::int64_t parameter = expected.parameters.scale(i);
    return ::testing::AssertionFailure() << "element " << i << ": x " << number(data.x, i) << ", scale "
                                         << number(data.scale, parameter) << ", zero point "
                                         << (data.zero_point ? number(*data.zero_point, parameter) : "absent")
                                         << " gives " << number(y, i) << ", expected " << number(expected.y, i);
  }
  return ::testing::AssertionSuccess();
}

}  // namespace touchstone::optimized
