// Which element of the scale and of the zero point applies to an element of x.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spec/operator_version.h"

namespace touchstone::reference {

/// How the indices along one dimension of x map to the indices of a parameter tensor.
struct DimensionSharing {
  std::int64_t length;  ///< of the dimension of x
  std::int64_t blocks;  ///< the length of this dimension of the parameter tensor
  std::int64_t block;   ///< consecutive elements of x that share a parameter; the last block may have fewer
  /// All except the first are wrong readings.
  enum class Assignment { in_order, evenly, in_turn } assignment = Assignment::in_order;
};

/// Element (i0, i1, ...) of x uses the parameter (i0 / block0, i1 / block1, ...). A dimension along which the parameter
/// does not vary is one block.
struct Sharing {
  std::vector<DimensionSharing> dimensions;

  /// The index of the parameter of element `index`; both row-major.
  std::int64_t operator()(std::int64_t index) const;
};

/// Evaluates a Sharing for elements most of which follow each other. Keeps a reference to it.
class ParameterCursor {
 public:
  explicit ParameterCursor(const Sharing& sharing);

  std::int64_t at(std::int64_t index) {
    if (index < first_ || index >= first_ + length_) move_to(index);
    return parameter_;
  }

 private:
  void move_to(std::int64_t index);

  const Sharing& sharing_;
  std::int64_t length_ = 1;  ///< of the runs of elements that share a parameter, from multiples of it on
  std::int64_t first_ = 0;   ///< of the current run; the first run has the first parameter
  std::int64_t parameter_ = 0;
};

/// One parameter for all elements of x.
Sharing one_for_all(std::span<const std::int64_t> x);
/// One parameter for each index along `axis`.
Sharing one_for_each_along(std::span<const std::int64_t> x, std::size_t axis);

struct ParameterMap {
  spec::Granularity granularity;
  Sharing scale;
  Sharing zero_point;  ///< the same as for the scale, unless a reading broadcasts one of the two
};

}  // namespace touchstone::reference
