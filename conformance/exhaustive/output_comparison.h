// A row of outputs against the steps that are expected of it, at the speed of memory: between two steps all outputs are
// one code, or anything.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "conformance/exhaustive/output_steps.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

/// A part of y whose elements belong to consecutive codes of x.
struct OutputRow {
  const reference::Tensor& y;  ///< of an integer type of 2, 4, 8 or 16 bits
  std::int64_t begin;          ///< the place of the first element in y
  std::uint64_t first;         ///< its code of x
  std::uint64_t count;
};

/// Whether all are as expected. The row lies within the interval of the steps.
bool equals(const OutputRow& row, std::span<const Step> steps);

/// Calls back for each element that is not, in their order.
void for_each_difference(const OutputRow& row, std::span<const Step> steps,
                         const std::function<void(std::uint64_t x, std::uint64_t expected, std::uint64_t actual)>& f);

/// How many codes of the interval of x, which is that of the steps, have an open output.
std::uint64_t count_open(std::span<const Step> steps, const CodeInterval& x);

}  // namespace touchstone::conformance
