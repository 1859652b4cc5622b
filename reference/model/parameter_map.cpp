#include "reference/model/parameter_map.h"

#include <algorithm>

namespace touchstone::reference {

Sharing one_for_all(std::span<const std::int64_t> x) {
  Sharing sharing;
  for (std::int64_t length : x) sharing.dimensions.push_back({length, 1, std::max<std::int64_t>(length, 1)});
  return sharing;
}

Sharing one_for_each_along(std::span<const std::int64_t> x, std::size_t axis) {
  Sharing sharing = one_for_all(x);
  sharing.dimensions[axis] = {x[axis], x[axis], 1};
  return sharing;
}

std::int64_t Sharing::operator()(std::int64_t index) const {
  std::int64_t parameter = 0;
  std::int64_t stride = 1;
  for (auto dimension = dimensions.rbegin(); dimension != dimensions.rend(); ++dimension) {
    const std::int64_t i = index % dimension->length;
    index /= dimension->length;
    switch (dimension->assignment) {
      case DimensionSharing::Assignment::in_order: parameter += stride * (i / dimension->block); break;
      case DimensionSharing::Assignment::evenly:
        parameter += stride * (i * dimension->blocks / dimension->length);
        break;
      case DimensionSharing::Assignment::in_turn: parameter += stride * (i % dimension->blocks); break;
    }
    stride *= dimension->blocks;
  }
  return parameter;
}

ParameterCursor::ParameterCursor(const Sharing& sharing) : sharing_(sharing) {
  for (auto dimension = sharing.dimensions.rbegin(); dimension != sharing.dimensions.rend(); ++dimension) {
    if (dimension->blocks != 1) break;
    length_ *= std::max<std::int64_t>(dimension->length, 1);
  }
}

void ParameterCursor::move_to(std::int64_t index) {
  first_ = index - index % length_;
  parameter_ = sharing_(index);
}

}  // namespace touchstone::reference
