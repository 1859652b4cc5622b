#include "optimized/benchmark/workload.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <random>
#include <stdexcept>
#include <string>

#include "optimized/dequantize_linear.h"
#include "optimized/quantize_linear.h"

namespace touchstone::optimized::benchmarks {

// ---- memory

namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;

std::size_t alignment_of(std::size_t size) { return size >= 2 * huge_page ? huge_page : 64; }

std::byte* allocate(std::size_t size) {
  const std::size_t alignment = alignment_of(size);
  const std::size_t whole = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
  void* data = std::aligned_alloc(alignment, whole);
  if (data == nullptr) throw std::bad_alloc();
  // This is only advice: it has no effect if the system has no huge pages.
  if (alignment == huge_page) madvise(data, whole, MADV_HUGEPAGE);
  return static_cast<std::byte*>(data);
}

}  // namespace

Buffer::Buffer(std::int64_t size) : size_(static_cast<std::size_t>(size)), data_(allocate(size_)) {}

// ---- the data

namespace {

using spec::ElementType;

constexpr std::int64_t period = 1 << 16;

std::int64_t parameter_count(const Geometry& geometry) {
  return geometry.block == 0
             ? geometry.axis
             : geometry.outer * ((geometry.axis + geometry.block - 1) / geometry.block) * geometry.inner;
}

std::int64_t parameter_of(const Geometry& geometry, std::int64_t element) {
  const std::int64_t index = element % geometry.inner;
  const std::int64_t place = element / geometry.inner % geometry.axis;
  if (geometry.block == 0) return place;
  const std::int64_t outer = element / geometry.inner / geometry.axis;
  const std::int64_t blocks = (geometry.axis + geometry.block - 1) / geometry.block;
  return (outer * blocks + place / geometry.block) * geometry.inner + index;
}

/// Elements are packed from the low bits; the bits must be zero.
void put(std::span<std::byte> bytes, int bits, std::int64_t element, std::uint32_t code) {
  for (std::int64_t bit = element * bits, end = bit + bits; bit < end;) {
    const std::int64_t step = std::min(8 - bit % 8, end - bit);
    bytes[static_cast<std::size_t>(bit / 8)] |= static_cast<std::byte>((code & ((1U << step) - 1)) << bit % 8);
    code >>= step;
    bit += step;
  }
}

std::uint32_t code_at(std::span<const std::byte> bytes, int bits, std::int64_t element) {
  std::uint32_t code = 0;
  for (int bit = 0; bit < bits; ++bit) {
    const std::int64_t place = element * bits + bit;
    code |= (std::to_integer<std::uint32_t>(bytes[static_cast<std::size_t>(place / 8)]) >> place % 8 & 1U) << bit;
  }
  return code;
}

/// Converts to float16 and bfloat16 by truncation; the number must be normal in all of them.
std::uint32_t float_code(ElementType type, float number) {
  const auto code = std::bit_cast<std::uint32_t>(number);
  if (type == ElementType::bfloat16) return code >> 16;
  if (type == ElementType::float16) return (code >> 16 & 0x8000U) | (((code & 0x7FFFFFFFU) - 0x38000000U) >> 13);
  return code;
}

/// Fills the buffer by repeating code(element).
template <class Code>
void fill(Buffer& buffer, ElementType type, std::int64_t elements, Code code) {
  const int bits = spec::info(type).bits;
  const std::span<std::byte> bytes = buffer.bytes();
  const auto once = static_cast<std::size_t>(packed_bytes(type, std::min(elements, period)));
  std::fill_n(bytes.begin(), once, std::byte{0});
  for (std::int64_t i = 0; i < std::min(elements, period); ++i) put(bytes, bits, i, code(i));
  for (std::size_t done = once; done < bytes.size();) {
    const std::size_t step = std::min(done, bytes.size() - done);
    std::memcpy(bytes.data() + done, bytes.data(), step);
    done += step;
  }
}

/// Scales that spread x from -1 to 1 over the codes. float8 gets numbers up to 64, smaller types up to 4.
float smallest_scale(const Row& row) {
  if (row.op == Operator::dequantize) return 0.01F;
  const int bits = spec::info(row.y).bits;
  if (spec::is_integer(row.y)) return std::ldexp(1.0F, 1 - bits);
  return bits == 8 ? 1.0F / 64 : 0.25F;
}

float scale_number(const Row& row, std::int64_t parameter) {
  // Knuth's multiplicative hash: the quality of the order does not matter. No scale is a power of two.
  const std::uint32_t hash = static_cast<std::uint32_t>(parameter % period + 1) * 2654435761U;
  const float number = smallest_scale(row) * (1.0F + static_cast<float>(hash >> 8) * 0x1p-24F);
  // Truncated to the type of the scale.
  const std::uint32_t kept = scale_type(row) == ElementType::float16    ? 0xFFFFE000U
                             : scale_type(row) == ElementType::bfloat16 ? 0xFFFF0000U
                                                                        : 0xFFFFFFFFU;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) & kept);
}

std::uint32_t zero_point_code(ElementType type, std::int64_t parameter) {
  const std::int64_t middle =
      spec::info(type).kind == spec::NumberKind::unsigned_integer ? std::int64_t{1} << (spec::info(type).bits - 1) : 0;
  return static_cast<std::uint32_t>(middle + parameter % 3 - 1);
}

void fill_quantized(Workload& workload) {
  std::mt19937 random(1);
  const bool is_float8 = spec::is_float8(workload.row.x);
  fill(workload.x, workload.row.x, workload.elements, [&](std::int64_t) {
    const std::uint32_t code = static_cast<std::uint32_t>(random()) >> 8;
    // Neither NaN nor infinity in any of these types.
    return is_float8 ? (code & 0xBFU) | 1U : code;
  });
}

void fill_numbers(Workload& workload) {
  std::mt19937 random(2);
  fill(workload.x, workload.row.x, workload.elements, [&](std::int64_t i) {
    float number = 0.01F + 0.99F * static_cast<float>(random() >> 8) * 0x1p-24F;
    if (i % 16 == 15) {
      const float scale = scale_number(workload.row, parameter_of(workload.geometry, i));
      number = (std::floor(number / scale) + 0.5F) * scale;
    }
    return float_code(workload.row.x, i % 3 == 0 ? -number : number);
  });
}

}  // namespace

Workload::Workload(const Row& of_row, std::int64_t of_elements)
    : row(of_row),
      elements(of_elements),
      geometry(benchmarks::geometry(row, elements)),
      scale(packed_bytes(scale_type(row), parameter_count(geometry))),
      x(packed_bytes(row.x, elements)),
      y(packed_bytes(row.y, elements)),
      expected(packed_bytes(row.y, elements)) {
  const std::int64_t parameters = parameter_count(geometry);
  fill(scale, scale_type(row), parameters,
       [&](std::int64_t i) { return float_code(scale_type(row), scale_number(row, i)); });
  if (const ElementType type = quantized_type(row); spec::is_integer(type)) {
    zero_point.emplace(packed_bytes(type, parameters));
    fill(*zero_point, type, parameters, [&](std::int64_t i) { return zero_point_code(type, i); });
  }
  if (row.op == Operator::quantize)
    fill_numbers(*this);
  else
    fill_quantized(*this);
  run_touchstone(*this, expected, Isa::portable);
}

std::int64_t Workload::bytes_read() const {
  return static_cast<std::int64_t>(x.bytes().size() + scale.bytes().size() +
                                   (zero_point ? zero_point->bytes().size() : 0));
}

std::int64_t Workload::bytes_written() const { return static_cast<std::int64_t>(y.bytes().size()); }

Isa run_touchstone(Workload& workload, Buffer& y, Isa isa) {
  const Row& row = workload.row;
  const ConstTensorView x{row.x, workload.x.bytes()};
  const ConstTensorView scale{scale_type(row), workload.scale.bytes()};
  std::optional<ConstTensorView> zero_point;
  if (workload.zero_point) zero_point = {quantized_type(row), workload.zero_point->bytes()};
  const TensorView result{row.y, y.bytes()};
  QuantizeOptions quantize_options;
  quantize_options.isa = isa;
  DequantizeOptions dequantize_options;
  dequantize_options.isa = isa;
  const Status status = row.op == Operator::quantize
                            ? quantize_linear(x, scale, zero_point, result, workload.geometry, quantize_options)
                            : dequantize_linear(x, scale, zero_point, result, workload.geometry, dequantize_options);
  if (status.error != Error::none) throw std::runtime_error(name(row) + ": " + std::string(describe(status.error)));
  return status.ran;
}

std::int64_t differing_elements(const Workload& workload) {
  const std::span<const std::byte> actual = workload.y.bytes();
  const std::span<const std::byte> expected = workload.expected.bytes();
  if (std::memcmp(actual.data(), expected.data(), actual.size()) == 0) return 0;
  const int bits = spec::info(workload.row.y).bits;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < workload.elements; ++i)
    count += code_at(actual, bits, i) != code_at(expected, bits, i) ? 1 : 0;
  return count;
}

}  // namespace touchstone::optimized::benchmarks
