// Conversion of numbers of any type from and to float64, which represents all of them exactly.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "optimized/operands.h"
#include "optimized/packed_codes.h"
#include "optimized/portable/parameter_runs.h"
#include "spec/element_type.h"

namespace touchstone::optimized {

/// Decodes `count` elements from `first` on.
using Decode = void (*)(const std::byte* bytes, std::int64_t first, std::int64_t count, double* numbers);

/// The decoder of a type of the quantization operators.
Decode decoder(spec::ElementType type);

/// Rounds up to tile_size numbers, ties to even, and stores them as elements from `first` on.
using Encode = void (*)(const double* numbers, std::int64_t first, std::int64_t count, std::byte* bytes);

/// The encoder of float32, float16 or bfloat16.
Encode encoder(spec::ElementType type);

/// The scale and the zero point of each element, tile by tile.
class ParameterTiles {
 public:
  explicit ParameterTiles(const Operands& operands);

  /// Writes those of the next `count` elements. Does not write `zero_points` if they are absent.
  void next(std::int64_t count, double* scales, double* zero_points);

 private:
  const Operands& operands_;
  Decode decode_scale_;
  Decode decode_zero_point_;
  ParameterRuns runs_;
};

/// Elements that pass through the steps of an operator together.
struct Tile {
  std::int64_t first;
  std::int64_t count;
  std::array<double, tile_size> values;  ///< the results of the last step
  std::array<double, tile_size> scales;
  std::array<double, tile_size> zero_points;  ///< if the operands have them
};

/// Calls steps(tile) for all elements, tile by tile, with their scales and zero points.
template <class Steps>
void for_each_tile(const Operands& operands, const Steps& steps) {
  ParameterTiles parameters(operands);
  Tile tile;
  for (tile.first = 0; tile.first < operands.count; tile.first += tile_size) {
    tile.count = std::min(tile_size, operands.count - tile.first);
    parameters.next(tile.count, tile.scales.data(), tile.zero_points.data());
    steps(tile);
  }
}

}  // namespace touchstone::optimized
