// The AVX2 kernels compute the same as the portable ones, at any alignment.
#include <gtest/gtest.h>

#include <vector>

#include "optimized/agreement_testing.h"
#include "optimized/call_testing.h"
#include "optimized/sample_testing.h"

namespace touchstone::optimized {

namespace {

void expect_same(const Example& example, Random& random) {
  SCOPED_TRACE(to_text(example));
  const Data data = random_data(random, example);
  const Tensor portable = compute(example, data, Isa::portable, Edge::back);
  for (const Edge edge : {Edge::front, Edge::back}) {
    const Tensor avx2 = compute(example, data, Isa::avx2, edge);
    for (std::int64_t i = 0; i < portable.size(); ++i)
      ASSERT_TRUE(same_element(example.y_type, avx2.code(i), portable.code(i)))
          << "element " << i << ": " << avx2.code(i) << ", not " << portable.code(i);
    const bool same_padding = portable.bytes().empty() || spec::info(example.y_type).bits >= 8 ||
                              portable.bytes().back() == avx2.bytes().back();
    ASSERT_TRUE(same_padding);
  }
}

TEST_F(Avx2, AgreesWithPortableKernelsAtEveryLength) {
  Random random(2);
  Sample sample;
  for (std::int64_t length = 0; length <= 67; ++length)
    for (const Example& example : every_combination({1, 1, length, 0})) {
      if (sample.takes_next()) expect_same(example, random);
      if (HasFatalFailure()) return;
    }
}

// Rows of all lengths around a vector's, with a parameter for each element, row or block. Enough rows that their
// parameters are prepared once, or several times in a row.
TEST_F(Avx2, AgreesWithPortableKernelsInEveryGranularity) {
  Random random(3);
  Sample sample;
  for (const Geometry& geometry :
       {Geometry{5, 67, 1, 0}, Geometry{33, 3, 1, 0}, Geometry{9, 40, 1, 0}, Geometry{1, 8, 37, 5},
        Geometry{1, 300, 1, 0}, Geometry{2, 3, 33, 0}, Geometry{1, 2, 300, 0}, Geometry{3, 67, 1, 32},
        Geometry{1, 700, 1, 128}, Geometry{2, 40, 1, 7}, Geometry{2, 5, 35, 2}, Geometry{2, 9, 3, 4},
        Geometry{1, 260, 2, 1}, Geometry{1, 66, 8, 2}, Geometry{2, 12, 24, 3}, Geometry{1, 8, 1536, 2}})
    for (const Example& example : every_combination(geometry)) {
      if (sample.takes_next()) expect_same(example, random);
      if (HasFatalFailure()) return;
    }
}

}  // namespace

}  // namespace touchstone::optimized
