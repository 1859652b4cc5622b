// Checks properties that must hold for every input.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "reference/model/tensor.h"

namespace touchstone::fuzz {

/// If the property does not hold, prints it and aborts, so that the fuzzer keeps the input.
inline void require(bool holds, const char* law) {
  if (holds) return;
  std::fprintf(stderr, "This does not hold: %s\n", law);
  std::abort();
}

inline bool same(const reference::Tensor& a, const reference::Tensor& b) {
  return a.type() == b.type() && a.shape() == b.shape() && std::ranges::equal(a.bytes(), b.bytes());
}

}  // namespace touchstone::fuzz
