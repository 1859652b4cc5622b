// Maps elements to their scales and zero points, as runs of consecutive elements.
#pragma once

#include <cstdint>

#include "optimized/tensor_view.h"

namespace touchstone::optimized {

/// `count` consecutive elements. All use the parameter `parameter`, or, if the run steps, each element uses the next
/// one.
struct ParameterRun {
  std::int64_t count;
  std::int64_t parameter;
  bool steps;
};

/// The runs of all elements in row-major order.
class ParameterRuns {
 public:
  explicit ParameterRuns(const Geometry& geometry) {
    const auto& [outer, axis, inner, block] = geometry;
    const std::int64_t blocks = block > 0 ? axis / block + (axis % block != 0 ? 1 : 0) : axis;
    if (block == 1) {  // one parameter per element
      set(1, outer * axis * inner, 0, 0, true);
    } else if (block == 0 && axis == 1) {  // one parameter for all elements
      set(1, outer * inner, 0, 0, false);
    } else if (block == 0 && inner == 1) {  // the same parameters for every row
      set(1, axis, 0, 0, true);
    } else if (block == 0) {
      set(axis, inner, 1, 0, false);
    } else if (inner == 1) {
      set(blocks, block, 1, blocks, false);
      last_count_ = axis - (blocks - 1) * block;
    } else {
      set(axis, inner, inner, blocks * inner, true);
      runs_per_parameter_ = block;
    }
  }

  /// The next run. The sequence has no end: after the runs of all elements it repeats, or continues past the last
  /// parameter.
  ParameterRun next() {
    const bool last = run_ + 1 == runs_;
    const ParameterRun result{last ? last_count_ : count_, parameter_, steps_};
    ++run_;
    if (++runs_with_parameter_ == runs_per_parameter_) {
      runs_with_parameter_ = 0;
      parameter_ += stride_;
    }
    if (last) {
      run_ = 0;
      runs_with_parameter_ = 0;
      first_parameter_ += outer_stride_;
      parameter_ = first_parameter_;
    }
    return result;
  }

 private:
  void set(std::int64_t runs, std::int64_t count, std::int64_t stride, std::int64_t outer_stride, bool steps) {
    runs_ = runs;
    count_ = count;
    last_count_ = count;
    stride_ = stride;
    outer_stride_ = outer_stride;
    steps_ = steps;
  }

  std::int64_t runs_ = 0;                // for each index of the outer extent
  std::int64_t count_ = 0;               // elements per run ...
  std::int64_t last_count_ = 0;          // ... and in the last run, for each index of the outer extent
  std::int64_t stride_ = 0;              // from a parameter to the next one along the axis
  std::int64_t outer_stride_ = 0;        // from one index of the outer extent to the next
  std::int64_t runs_per_parameter_ = 1;  // along the axis
  bool steps_ = false;

  std::int64_t run_ = 0;
  std::int64_t runs_with_parameter_ = 0;
  std::int64_t parameter_ = 0;
  std::int64_t first_parameter_ = 0;
};

}  // namespace touchstone::optimized
