// Splits a sweep into chunks of one model run each.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/exhaustive/sweep.h"
#include "conformance/files/model_file.h"
#include "conformance/files/tensor_file.h"

namespace touchstone::conformance {

/// The maximum number of elements in a model run, unless one row has more. A float32 x and its y fit a processor's L2
/// cache together.
inline constexpr std::uint64_t elements_per_chunk = std::uint64_t{1} << 17;

/// Consecutive codes of x: one row for each of `rows` consecutive scales.
struct Chunk {
  std::uint64_t scale;  ///< the first one
  std::uint64_t rows;
  std::uint64_t x;  ///< the first one
  std::uint64_t columns;

  bool operator==(const Chunk&) const = default;
};

/// Splits long rows, and combines short ones unless the cell is per_tensor. Every element of the sweep is in exactly
/// one chunk.
std::vector<Chunk> chunks_of(const Sweep& sweep, std::uint64_t most = elements_per_chunk);

/// The model of a sweep and the data for its graph inputs. What consecutive chunks share is built only once.
class ChunkOperands {
 public:
  explicit ChunkOperands(const Sweep& sweep) : sweep_(sweep) {}

  void set(const Chunk& chunk);

  const OperatorModel& model() const { return model_; }
  const std::vector<NamedTensor>& inputs() const { return inputs_; }
  const Shape& shape() const { return shape_; }  ///< of x, and of y

 private:
  Tensor x(const Chunk& chunk) const;
  Tensor scale(const Chunk& chunk) const;
  Tensor zero_point(const Chunk& chunk) const;

  const Sweep& sweep_;
  Chunk chunk_{};
  Shape shape_;
  OperatorModel model_;
  std::vector<NamedTensor> inputs_;
};

}  // namespace touchstone::conformance
