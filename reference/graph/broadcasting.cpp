#include "reference/graph/broadcasting.h"

#include <algorithm>

#include "reference/model/shape.h"

namespace touchstone::reference {

Shape broadcast_shape(const OperatorCall& call, const std::vector<Shape>& shapes) {
  std::size_t rank = 0;
  for (const Shape& shape : shapes) rank = std::max(rank, shape.size());
  Shape made(rank, 1);
  for (const Shape& shape : shapes)
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::int64_t& length = made[rank - shape.size() + d];
      if (shape[d] != 1 && length != 1 && shape[d] != length)
        call.invalid("the shapes {} and {} cannot be broadcast", to_text(shapes.front()), to_text(shape));
      if (shape[d] != 1) length = shape[d];
    }
  return call.checked(made);
}

std::int64_t broadcast_index(const Position& position, const Shape& shape) {
  Position own(position.end() - static_cast<std::ptrdiff_t>(shape.size()), position.end());
  for (std::size_t d = 0; d < own.size(); ++d)
    if (shape[d] == 1) own[d] = 0;
  return index_of(own, shape);
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  return make_tensor(x.type(), shape,
                     [&](const Position& position) { return x.code(broadcast_index(position, x.shape())); });
}

}  // namespace touchstone::reference
