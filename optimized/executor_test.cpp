// Calls pass their parts to an executor if the tensor is large enough, and give the same result as on one thread.
#include "optimized/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "optimized/dequantize_linear.h"
#include "optimized/dequantize_opmx.h"
#include "optimized/quantize_linear.h"

namespace touchstone::optimized::executor_test {

namespace {

using spec::ElementType;
using enum ElementType;

/// Runs the last part first, and counts the parts.
struct Backwards {
  std::int64_t parts = 0;

  Executor executor(std::int64_t threads) { return {run, this, threads}; }

  static void run(void* self, std::int64_t parts, Executor::Task task, void* context) {
    static_cast<Backwards*>(self)->parts = parts;
    for (std::int64_t part = parts - 1; part >= 0; --part) task(context, part);
  }
};

std::vector<Isa> available() {
  std::vector<Isa> isas{Isa::portable};
  if (is_available(Isa::avx2)) isas.push_back(Isa::avx2);
  return isas;
}

std::vector<std::byte> random_bytes(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0x7F);
  return bytes;
}

std::vector<float> scales(std::int64_t count) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.5F + 0.001F * static_cast<float>(i % 977);
  return numbers;
}

struct OpmxRow {
  ElementType x;
  Geometry geometry;
  std::int64_t parameters;
};

TEST(Executor, DividesDequantizeLinearOfOpmx) {
  for (const auto& [x_type, geometry, parameters] :
       {OpmxRow{int8, {700, 1, 300, 0}, 1}, OpmxRow{int8, {701, 300, 1, 300}, 701},
        OpmxRow{int8, {1, 701, 300, 701}, 300}, OpmxRow{int8, {700, 60, 5, 12}, 700 * 5 * 5},
        OpmxRow{int8, {1, 700, 300, 14}, 50 * 300}, OpmxRow{int4x4, {700, 1, 300, 0}, 1},
        OpmxRow{int4x4, {700, 300, 1, 300}, 700}, OpmxRow{int4x4, {1, 700, 300, 700}, 300},
        OpmxRow{int4x4, {704, 300, 1, 60}, 704 * 5}, OpmxRow{int4x4, {1, 700, 300, 14}, 50 * 300}}) {
    SCOPED_TRACE(::testing::Message() << name(x_type) << ", " << geometry.outer << " " << geometry.axis << " "
                                      << geometry.inner << " " << geometry.block);
    const std::int64_t count = geometry.outer * geometry.axis * geometry.inner;
    const std::vector<std::byte> x = random_bytes(packed_bytes(x_type, count), 1);
    const std::vector<std::byte> zero_point = random_bytes(parameters, 2);
    const std::vector<float> scale = scales(parameters);
    const auto y_of = [&](Isa isa, const Executor* executor) {
      std::vector<float> y(static_cast<std::size_t>(count), -1);
      const Status status = dequantize_opmx(
          {x_type, x}, {float32, std::as_bytes(std::span(scale))}, ConstTensorView{int8, zero_point},
          {float32, std::as_writable_bytes(std::span(y))}, geometry, {.isa = isa, .executor = executor});
      EXPECT_EQ(status.error, Error::none);
      EXPECT_EQ(status.ran, isa);
      return y;
    };
    for (const Isa isa : available()) {
      Backwards backwards;
      const Executor executor = backwards.executor(2);
      ASSERT_TRUE(y_of(isa, &executor) == y_of(isa, nullptr)) << name(isa);
      EXPECT_GE(backwards.parts, 2);
    }
  }
}

/// Dequantizes random uint4 codes with different zero points.
std::vector<float> dequantized(const Geometry& geometry, std::int64_t parameters, const Executor* executor) {
  const std::int64_t count = geometry.outer * geometry.axis * geometry.inner;
  const std::vector<std::byte> x = random_bytes(packed_bytes(uint4, count), 3);
  const std::vector<std::byte> zero_point = random_bytes(packed_bytes(uint4, parameters), 4);
  const std::vector<float> scale = scales(parameters);
  std::vector<float> y(static_cast<std::size_t>(count), -1);
  const Status status =
      dequantize_linear({uint4, x}, {float32, std::as_bytes(std::span(scale))}, ConstTensorView{uint4, zero_point},
                        {float32, std::as_writable_bytes(std::span(y))}, geometry, {.executor = executor});
  EXPECT_EQ(status.error, Error::none);
  return y;
}

TEST(Executor, DividesAFewLargeRows) {
  struct Row {
    Geometry geometry;
    std::int64_t parameters;
    bool can_be_cut;  ///< false if an odd number of codes of x or the zero points ends within a byte
  };
  for (const auto& [geometry, parameters, can_be_cut] :
       {Row{{2, 300000, 1, 0}, 300000, true}, Row{{2, 5, 60001, 0}, 5, false}, Row{{2, 6, 60001, 0}, 6, true},
        Row{{3, 200000, 1, 32}, 3 * 6250, true}, Row{{2, 300002, 1, 20}, 2 * 15001, false},
        Row{{2, 1000, 300, 64}, 2 * 16 * 300, true}, Row{{2, 1, 300000, 0}, 1, true},
        Row{{3, 200001, 1, 0}, 200001, false}, Row{{2, 3, 99999, 2}, 2 * 2 * 99999, false}}) {
    SCOPED_TRACE(::testing::Message() << geometry.outer << " " << geometry.axis << " " << geometry.inner << " "
                                      << geometry.block);
    Backwards backwards;
    const Executor executor = backwards.executor(8);
    ASSERT_TRUE(dequantized(geometry, parameters, &executor) == dequantized(geometry, parameters, nullptr));
    EXPECT_EQ(backwards.parts > geometry.outer, can_be_cut) << backwards.parts;
  }
}

TEST(Executor, MayHaveAnyNumberOfThreads) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Geometry geometry{1, 1, 300000, 0};
  const std::vector<float> expected = dequantized(geometry, 1, nullptr);
  for (const std::int64_t threads : {most, most / 4 + 1, std::int64_t{0}, std::int64_t{-1}, -most - 1}) {
    Backwards backwards;
    const Executor executor = backwards.executor(threads);
    EXPECT_TRUE(dequantized(geometry, 1, &executor) == expected) << threads;
    EXPECT_EQ(backwards.parts, threads > 0 ? 4 : 0) << threads;  // of at least 65,536 elements each
  }
}

}  // namespace

}  // namespace touchstone::optimized::executor_test
