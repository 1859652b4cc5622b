#include "reference/parameter_map.h"

namespace touchstone::reference {

std::int64_t Sharing::operator()(std::int64_t index) const {
  std::int64_t parameter = 0;
  std::int64_t stride = 1;
  for (auto dimension = dimensions.rbegin(); dimension != dimensions.rend(); ++dimension) {
    const std::int64_t i = index % dimension->length;
    index /= dimension->length;
    switch (dimension->dealing) {
      case DimensionSharing::Dealing::in_order: parameter += stride * (i / dimension->block); break;
      case DimensionSharing::Dealing::evenly: parameter += stride * (i * dimension->blocks / dimension->length); break;
      case DimensionSharing::Dealing::in_turn: parameter += stride * (i % dimension->blocks); break;
    }
    stride *= dimension->blocks;
  }
  return parameter;
}

}  // namespace touchstone::reference
