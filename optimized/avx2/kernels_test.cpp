// The AVX2 kernels compute the same as the portable ones, at any alignment.
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <vector>

#include "optimized/agreement_testing.h"
#include "optimized/call_testing.h"
#include "optimized/dequantize_linear.h"
#include "optimized/sample_testing.h"

namespace touchstone::optimized::kernels_test {

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

// 64 MiB of y and more are stored past the caches, if y is aligned to vectors. Lengths of y and of its rows are not
// multiples of a vector.
TEST_F(Avx2, AgreesWithPortableKernelsIfYExceedsTheCaches) {
  constexpr std::int64_t columns = 1003;
  constexpr std::int64_t count = (std::int64_t{64} << 20) / 4 / columns * columns + columns;
  std::vector<std::byte> x(count);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::byte>(i * 7 + i / 256);
  std::vector<float> scale(columns);
  for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = 0.1F + static_cast<float>(i);
  for (const Geometry& geometry : {Geometry::per_tensor(count), Geometry::per_axis({count / columns, columns}, 1)}) {
    const auto scales = std::as_bytes(std::span(scale).first(static_cast<std::size_t>(geometry.axis)));
    std::vector<float> expected(count);
    ASSERT_EQ(dequantize_linear({ElementType::uint8, x}, {ElementType::float32, scales}, std::nullopt,
                                {ElementType::float32, std::as_writable_bytes(std::span(expected))}, geometry,
                                {.isa = Isa::portable})
                  .error,
              Error::none);
    for (const std::size_t offset : {0U, 1U}) {
      std::vector<float> memory(count + 16);
      const std::size_t past = reinterpret_cast<std::uintptr_t>(memory.data()) % 32 / 4;
      const auto y = std::span(memory).subspan((8 - past) % 8 + offset, count);
      ASSERT_EQ(dequantize_linear({ElementType::uint8, x}, {ElementType::float32, scales}, std::nullopt,
                                  {ElementType::float32, std::as_writable_bytes(y)}, geometry, {.isa = Isa::avx2})
                    .error,
                Error::none);
      EXPECT_EQ(std::memcmp(y.data(), expected.data(), y.size_bytes()), 0) << "offset " << offset;
      EXPECT_EQ(memory[(8 - past) % 8 + offset + count], 0);
    }
  }
}

}  // namespace

}  // namespace touchstone::optimized::kernels_test
