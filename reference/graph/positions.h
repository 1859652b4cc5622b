// Positions of elements in tensors, and the tensors that take each element from another position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "reference/model/tensor.h"

namespace touchstone::reference {

/// One index for each dimension.
using Position = Shape;

/// An index that is not negative.
constexpr std::size_t to_size(std::int64_t index) { return static_cast<std::size_t>(index); }

/// The row-major index of a position.
inline std::int64_t index_of(const Position& position, const Shape& shape) {
  std::int64_t index = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) index = index * shape[d] + position[d];
  return index;
}

/// The position with this index in row-major order.
inline Position position_of(std::int64_t index, const Shape& shape) {
  Position position(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d]) position[d] = index % shape[d];
  return position;
}

/// Calls visit(position) for each position in a shape, in row-major order.
template <class Visit>
void for_each_position(const Shape& shape, const Visit& visit) {
  for (const std::int64_t length : shape)
    if (length == 0) return;
  Position position(shape.size(), 0);
  while (true) {
    visit(std::as_const(position));
    std::size_t d = shape.size();
    while (d > 0 && ++position[d - 1] == shape[d - 1]) position[--d] = 0;
    if (d == 0) return;
  }
}

/// The tensor of this shape whose element at each position has the code that `code` gives for it.
template <class Code>
Tensor make_tensor(ElementType type, const Shape& shape, const Code& code) {
  Tensor made(type, shape);
  std::int64_t index = 0;
  for_each_position(shape, [&](const Position& position) { made.set_code(index++, code(position)); });
  return made;
}

/// The tensor of this shape whose element at each position is that of x at the position that `source` gives for it.
template <class Source>
Tensor rearranged(const Tensor& x, const Shape& shape, const Source& source) {
  return make_tensor(x.type(), shape,
                     [&](const Position& position) { return x.code(index_of(source(position), x.shape())); });
}

}  // namespace touchstone::reference
