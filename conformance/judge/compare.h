// Compares tensors bit for bit, without tolerances. Any NaN equals any NaN of the same type, because the specification
// does not define payload or sign.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/files/names.h"
#include "reference/outcome.h"

namespace touchstone::conformance {

struct ElementDifference {
  std::int64_t index;  ///< row-major
  std::uint64_t expected;
  std::uint64_t actual;
};

struct TensorDifference {
  /// Why the elements cannot be compared: type or shape differ. Empty if they were compared.
  std::string form;
  std::int64_t different_elements = 0;
  std::int64_t zero_signs = 0;  ///< elements that differ only in the sign of zero, even if that is ignored
  std::int64_t elements = 0;
  std::vector<ElementDifference> first;  ///< at most `most_shown` of them
  /// For integer types: the largest distance of a different element from its range, or from the expected number if it
  /// has no range.
  std::uint64_t most_steps = 0;
  /// For floating-point types: the error of the element that is farthest outside of its range, and the error that the
  /// range allows. The error is infinite if only one of the two numbers is NaN or infinite.
  double most_error = 0;
  double allowed = 0;

  bool none() const { return form.empty() && different_elements == 0; }
};

inline constexpr std::size_t first_differences = 8;

struct Comparison {
  bool sign_of_zero = true;  ///< whether -0 differs from +0
  /// Marks the elements that may have any value; it has one entry per expected element. Null: there are none.
  const std::vector<bool>* open = nullptr;
  std::size_t most_shown = first_differences;
  /// The codes that are right for each element, besides the expected one. Null: no others.
  const reference::CodeRange* range = nullptr;
};

/// Whether a code of an element is in the range, by the numbers that they denote. A NaN is in none.
bool is_in_range(const reference::CodeRange& range, std::int64_t element, std::uint64_t code);

/// The code that represents all codes of the type which equal this one.
std::uint64_t representative(ElementType type, std::uint64_t code, bool sign_of_zero);

TensorDifference compare(const Tensor& expected, const Tensor& actual, const Comparison& comparison = {});

}  // namespace touchstone::conformance
