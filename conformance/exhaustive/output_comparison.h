// Compares a row of outputs with the expected steps at memory speed. Between two steps, all outputs have one code, or
// may have any.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "conformance/exhaustive/output_steps.h"
#include "conformance/files/names.h"

namespace touchstone::conformance {

/// A part of y whose elements belong to consecutive codes of x.
struct OutputRow {
  const Tensor& y;      ///< of an integer type of 2, 4, 8 or 16 bits
  std::int64_t begin;   ///< the index of the first element in y
  std::uint64_t first;  ///< the code of x of this element
  std::uint64_t count;
};

/// Whether all elements are as expected. The row must lie within the interval of the steps.
bool equals(const OutputRow& row, std::span<const Step> steps);

/// Calls `f` for each element that differs, in order.
void for_each_difference(const OutputRow& row, std::span<const Step> steps,
                         const std::function<void(std::uint64_t x, std::uint64_t expected, std::uint64_t actual)>& f);

/// The number of codes of x with an open output. `x` must be the interval of the steps.
std::uint64_t count_open(std::span<const Step> steps, const CodeInterval& x);

}  // namespace touchstone::conformance
