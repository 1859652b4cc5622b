// Helpers for tests of rejections.
#pragma once

#include "reference/testing.h"

namespace touchstone::reference {

inline const OutcomeMatcher is_accepted = ::testing::ResultOf(
    "result", [](const Outcome& outcome) { return outcome.result() != nullptr; }, true);

inline Tensor ones(spec::ElementType type, const Shape& shape) {
  return tensor(type, shape, Numbers(static_cast<std::size_t>(element_count(shape).value()), 1));
}

}  // namespace touchstone::reference
