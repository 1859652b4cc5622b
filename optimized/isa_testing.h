// For tests: the instruction sets of this machine.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "optimized/isa.h"

namespace touchstone::optimized {

inline std::vector<Isa> available_isas() {
  std::vector<Isa> isas{Isa::portable};
  if (is_available(Isa::avx2)) isas.push_back(Isa::avx2);
  return isas;
}

/// Base class of tests that need AVX2.
class Avx2 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_available(Isa::avx2)) GTEST_SKIP() << "this machine has no AVX2";
  }
};

}  // namespace touchstone::optimized
