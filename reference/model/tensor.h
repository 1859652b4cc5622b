// A tensor as ONNX stores it: element type, dimensions, and the elements' codes packed as in raw_data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "spec/element_type.h"

namespace touchstone::reference {

using spec::ElementType;

using Shape = std::vector<std::int64_t>;

/// The product of the dimensions (1 for rank 0); std::nullopt if one is negative, or if the product of the nonzero ones
/// does not fit int64. So the product of any subset of the dimensions fits, even for a shape without elements.
std::optional<std::int64_t> element_count(std::span<const std::int64_t> shape);

/// The number of bytes of raw_data for `elements` elements; std::nullopt if it does not fit int64.
std::optional<std::int64_t> byte_count(ElementType type, std::int64_t elements);

/// Invariant: the number of bytes is exactly that required by type and shape. Copies share the bytes until one of them
/// changes: the weights of a model are large.
class Tensor {
 public:
  /// A tensor with all codes 0. Throws std::invalid_argument for a shape that has no element_count or no byte_count.
  Tensor(ElementType type, Shape shape);
  /// Throws std::invalid_argument as above, and if the number of bytes does not match type and shape.
  /// Padding bits may have any value; bytes() keeps them.
  Tensor(ElementType type, Shape shape, std::vector<std::byte> bytes);

  /// A tensor with one code per element, in row-major order; see set_code. Throws std::invalid_argument if the number
  /// of codes is wrong.
  static Tensor from_codes(ElementType type, Shape shape, std::span<const std::uint64_t> codes);

  ElementType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  std::int64_t rank() const { return static_cast<std::int64_t>(shape_.size()); }
  std::int64_t size() const { return size_; }
  /// Valid until the tensor changes.
  std::span<const std::byte> bytes() const {
    return bytes_ ? std::span<const std::byte>(*bytes_) : std::span<const std::byte>();
  }

  /// The bit pattern of element `index` (row-major, 0 <= index < size()), in the low bits, without padding bits.
  std::uint64_t code(std::int64_t index) const;
  /// Stores only the low bits of the type's width, so a sign-extended integer is a valid argument.
  void set_code(std::int64_t index, std::uint64_t code);

  /// Compares padding bits, too.
  bool operator==(const Tensor& other) const;

 private:
  ElementType type_;
  Shape shape_;
  std::int64_t size_;
  std::shared_ptr<std::vector<std::byte>> bytes_;  ///< null after a move
};

}  // namespace touchstone::reference
