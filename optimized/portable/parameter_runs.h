// Maps elements to their scales and zero points, as runs of consecutive elements.
#pragma once

#include <algorithm>
#include <cstdint>

#include "optimized/tensor_view.h"

namespace touchstone::optimized {

/// Consecutive elements that use consecutive parameters, each for `times` of the elements.
struct ParameterRun {
  std::int64_t parameter;  ///< the first one
  std::int64_t parameters;
  std::int64_t times;

  std::int64_t count() const { return parameters * times; }
};

/// The runs of all elements in row-major order.
class ParameterRuns {
 public:
  explicit ParameterRuns(const Geometry& geometry) {
    const auto& [outer, axis, inner, block] = geometry;
    const std::int64_t blocks = block > 0 ? axis / block + (axis % block != 0 ? 1 : 0) : axis;
    if (block == 1) {  // one parameter per element
      set(outer * axis * inner, 1, 0);
    } else if (block == 0 && axis == 1) {  // one parameter for all elements
      set(outer * inner, outer * inner, 0);
    } else if (block == 0) {  // the same parameters for each index of the outer extent
      set(axis * inner, inner, 0);
    } else if (inner == 1) {
      set(axis % block == 0 ? outer * axis : axis, block, blocks);
    } else {
      set(inner, 1, inner);
      rows_ = axis;
      rows_per_parameters_ = block;
    }
  }

  /// The next run, of at least one and at most `most` elements. The sequence has no end: after the runs of all elements
  /// it repeats, or continues past the last parameter.
  ParameterRun next(std::int64_t most) {
    const std::int64_t left = std::min(most, row_count_ - done_);
    ParameterRun run{parameter_ + place_, 1, std::min(left, times_ - used_)};
    if (run.times == times_) {
      if (left > times_) run.parameters = times_ == 1 ? left : left / times_;
      place_ += run.parameters;
    } else if ((used_ += run.times) == times_) {
      used_ = 0;
      ++place_;
    }
    done_ += run.count();
    if (done_ == row_count_) start_row();
    return run;
  }

 private:
  void set(std::int64_t row_count, std::int64_t times, std::int64_t stride) {
    row_count_ = row_count;
    times_ = times;
    stride_ = stride;
  }

  void start_row() {
    done_ = 0;
    place_ = 0;
    used_ = 0;
    ++row_;
    const bool is_last = row_ == rows_;
    if (is_last) row_ = 0;
    if (is_last || ++rows_with_parameters_ == rows_per_parameters_) {
      rows_with_parameters_ = 0;
      parameter_ += stride_;
    }
  }

  // A row has `row_count_` elements, and uses each parameter for `times_` of them.
  std::int64_t row_count_ = 0;
  std::int64_t times_ = 0;
  std::int64_t stride_ = 0;               // from the parameters of a row to the next ones
  std::int64_t rows_ = 1;                 // for each index of the outer extent ...
  std::int64_t rows_per_parameters_ = 1;  // ... of which so many use the same parameters

  std::int64_t row_ = 0;
  std::int64_t rows_with_parameters_ = 0;
  std::int64_t parameter_ = 0;  // the first one of the row
  std::int64_t place_ = 0;      // the number of parameters used up in the row ...
  std::int64_t used_ = 0;       // ... and how often the next one was used
  std::int64_t done_ = 0;       // elements in the row
};

}  // namespace touchstone::optimized
