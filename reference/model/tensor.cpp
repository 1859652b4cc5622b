#include "reference/model/tensor.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <string>
#include <utility>

namespace touchstone::reference {

namespace {

std::int64_t checked_size(std::span<const std::int64_t> shape) {
  if (const auto size = element_count(shape)) return *size;
  throw std::invalid_argument("a shape with a negative dimension, or with more elements than int64 can count");
}

std::size_t checked_byte_count(ElementType type, std::int64_t elements) {
  if (const auto bytes = byte_count(type, elements)) return static_cast<std::size_t>(*bytes);
  throw std::invalid_argument("a shape with more bytes than int64 can count");
}

/// The location of an element: its first byte, the bit of that byte at which it starts, and the bytes that it touches.
/// Types of whole bytes start at bit 0, so start + bits is at most 64 for every type.
struct Location {
  std::size_t first_byte;
  unsigned start;
  std::size_t byte_span;
  std::uint64_t mask;
};

Location locate(ElementType type, std::int64_t index) {
  const auto bits = static_cast<unsigned>(spec::info(type).bits);
  const auto element = static_cast<std::size_t>(index);
  // Eight elements have `bits` bytes. Counting in groups of eight avoids the overflow of index * bits.
  const std::size_t bit_in_group = element % 8 * bits;
  const auto start = static_cast<unsigned>(bit_in_group % 8);
  return {.first_byte = element / 8 * bits + bit_in_group / 8,
          .start = start,
          .byte_span = (start + bits + 7) / 8,
          .mask = ~std::uint64_t{0} >> (64 - bits)};
}

std::uint64_t load(std::span<const std::byte> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) word |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  return word;
}

void store(std::span<std::byte> bytes, std::uint64_t word) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(word >> (8 * i) & 0xFF);
}

}  // namespace

std::optional<std::int64_t> element_count(std::span<const std::int64_t> shape) {
  std::int64_t product = 1;
  bool empty = false;
  for (const std::int64_t dimension : shape) {
    if (dimension < 0) return std::nullopt;
    if (dimension == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(product, dimension, &product)) {
      return std::nullopt;
    }
  }
  return empty ? 0 : product;
}

std::optional<std::int64_t> byte_count(ElementType type, std::int64_t elements) {
  const std::int64_t bits = spec::info(type).bits;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(elements / 8, bits, &bytes) ||
      __builtin_add_overflow(bytes, (elements % 8 * bits + 7) / 8, &bytes))
    return std::nullopt;
  return bytes;
}

Tensor::Tensor(ElementType type, Shape shape)
    : type_(type),
      shape_(std::move(shape)),
      size_(checked_size(shape_)),
      bytes_(std::make_shared<std::vector<std::byte>>(checked_byte_count(type, size_))) {}

Tensor::Tensor(ElementType type, Shape shape, std::vector<std::byte> bytes)
    : type_(type),
      shape_(std::move(shape)),
      size_(checked_size(shape_)),
      bytes_(std::make_shared<std::vector<std::byte>>(std::move(bytes))) {
  const std::size_t expected = checked_byte_count(type_, size_);
  if (bytes_->size() != expected)
    throw std::invalid_argument(std::to_string(bytes_->size()) + " bytes for a tensor of " + std::to_string(expected));
}

Tensor Tensor::from_codes(ElementType type, Shape shape, std::span<const std::uint64_t> codes) {
  if (const std::int64_t size = checked_size(shape); static_cast<std::uint64_t>(size) != codes.size())
    throw std::invalid_argument(std::to_string(codes.size()) + " codes for a tensor of " + std::to_string(size));
  Tensor tensor(type, std::move(shape));
  for (std::size_t i = 0; i < codes.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), codes[i]);
  return tensor;
}

bool Tensor::operator==(const Tensor& other) const {
  return type_ == other.type_ && shape_ == other.shape_ &&
         (bytes_ == other.bytes_ || std::ranges::equal(bytes(), other.bytes()));
}

std::uint64_t Tensor::code(std::int64_t index) const {
  assert(0 <= index && index < size_);
  if (spec::info(type_).bits == 8) return std::to_integer<std::uint64_t>((*bytes_)[static_cast<std::size_t>(index)]);
  const Location at = locate(type_, index);
  return load(bytes().subspan(at.first_byte, at.byte_span)) >> at.start & at.mask;
}

void Tensor::set_code(std::int64_t index, std::uint64_t code) {
  assert(0 <= index && index < size_);
  if (bytes_.use_count() > 1) bytes_ = std::make_shared<std::vector<std::byte>>(*bytes_);
  std::atomic_thread_fence(std::memory_order_acquire);  // another thread may have read the bytes before it gave them up
  if (spec::info(type_).bits == 8) {
    (*bytes_)[static_cast<std::size_t>(index)] = static_cast<std::byte>(code & 0xFF);
    return;
  }
  const Location at = locate(type_, index);
  const std::span touched = std::span(*bytes_).subspan(at.first_byte, at.byte_span);
  store(touched, (load(touched) & ~(at.mask << at.start)) | (code & at.mask) << at.start);
}

}  // namespace touchstone::reference
