// Results for large tensors do not depend on the number of threads or on the threads' floating-point environments.
#include "optimized/parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "optimized/call_testing.h"
#include "optimized/float_environment_testing.h"
#include "optimized/isa_testing.h"

namespace touchstone::optimized::parts_test {

namespace {

using enum ElementType;

/// Runs each part in a thread of its own, the last part first, each in a hostile floating-point environment.
struct HostileThreads {
  std::int64_t parts = 0;
  bool restored = true;

  Executor executor(std::int64_t threads) { return {run, this, threads}; }

  static void run(void* self, std::int64_t parts, Executor::Task task, void* context) {
    auto& threads = *static_cast<HostileThreads*>(self);
    const std::vector<Environment> all = environments();
    threads.parts = parts;
    for (std::int64_t part = parts - 1; part >= 0; --part) {
      const Environment& environment = all[static_cast<std::size_t>(part) % all.size()];
      std::thread([&] {
        if (!is_restored_by(environment, [&] { task(context, part); })) threads.restored = false;
      }).join();
    }
  }
};

Tensor any_codes(Random& random, ElementType type, const reference::Shape& shape) {
  Tensor tensor(type, shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, random());
  return tensor;
}

/// Numbers of moderate size, so that none saturates.
Tensor random_floats(Random& random, const reference::Shape& shape, float largest) {
  std::uniform_real_distribution<float> numbers(largest / 100, largest);
  Tensor tensor(float32, shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, std::bit_cast<std::uint32_t>(numbers(random)));
  return tensor;
}

Data large_data(Random& random, const Example& example) {
  const reference::Shape x = x_shape(example);
  const reference::Shape parameters = scale_shape(example);
  return {example.quantizes() ? random_floats(random, x, 9) : any_codes(random, example.x_type, x),
          random_floats(random, parameters, 1), any_codes(random, example.quantized_type(), parameters)};
}

Tensor result_of(const Call& call, Isa isa, const Executor* executor) {
  const Status status = call(isa, executor);
  EXPECT_EQ(status.error, Error::none) << describe(status.error);
  EXPECT_EQ(status.ran, isa);
  return call.y();
}

bool same_bytes(const Tensor& left, const Tensor& right) { return std::ranges::equal(left.bytes(), right.bytes()); }

// Per tensor; per axis (outer, innermost, in between); blocked with a short last block. Odd extents, so that elements
// of packed types do not begin at bytes.
constexpr std::array geometries{Geometry{1, 1, 200003, 0}, Geometry{3, 1, 70001, 0},  Geometry{1, 13, 15401, 0},
                                Geometry{7, 5, 6001, 0},   Geometry{2003, 101, 1, 0}, Geometry{23, 9001, 1, 0},
                                Geometry{1, 200001, 1, 0}, Geometry{301, 700, 1, 33}, Geometry{1, 200001, 1, 32},
                                Geometry{1, 1001, 203, 7}, Geometry{9, 151, 149, 4},  Geometry{1, 40001, 5, 1}};

struct Types {
  spec::Operator op;
  ElementType x;
  ElementType y;
};

constexpr std::array types{Types{spec::Operator::quantize_linear, float32, uint8},
                           Types{spec::Operator::dequantize_linear, int4, float16},
                           Types{spec::Operator::quantize_linear, float32, uint4},
                           Types{spec::Operator::dequantize_linear, int8, float32},
                           Types{spec::Operator::quantize_linear, float32, float6e3m2},
                           Types{spec::Operator::dequantize_linear, float6e2m3, bfloat16},
                           Types{spec::Operator::quantize_linear, float32, int2},
                           Types{spec::Operator::dequantize_linear, uint2, float32},
                           Types{spec::Operator::quantize_linear, float32, int16}};

// Four types per geometry, which vary from one geometry to the next. More take too long under sanitizers.
TEST(Parts, CombineToTheWhole) {
  Random random(1);
  for (std::size_t i = 0; i < 4 * geometries.size(); ++i) {
    const Geometry& geometry = geometries[i / 4];
    const auto& [op, x, y] = types[i % types.size()];
    const Example example{&newest_version(op), x, float32, y, geometry, true};
    SCOPED_TRACE(to_text(example));
    const Call call(example, large_data(random, example), Edge::back);
    const Tensor whole = result_of(call, Isa::portable, nullptr);
    for (const Isa isa : available_isas()) {
      if (isa == Isa::portable && i % 4 != 0) continue;
      HostileThreads threads;
      const Executor executor = threads.executor(3);
      ASSERT_TRUE(same_bytes(result_of(call, isa, &executor), whole)) << name(isa);
      EXPECT_TRUE(threads.restored);
      EXPECT_GT(threads.parts, 1);
    }
  }
}

TEST(Parts, OfSmallTensorsAreOne) {
  Random random(2);
  HostileThreads threads;
  const Executor executor = threads.executor(64);
  const Example example{
      &newest_version(spec::Operator::quantize_linear), float32, float32, uint8, {1, 1, 100000, 0}, true};
  const Call call(example, large_data(random, example), Edge::back);
  EXPECT_TRUE(same_bytes(result_of(call, Isa::portable, nullptr), result_of(call, Isa::portable, &executor)));
  EXPECT_EQ(threads.parts, 0);
}

}  // namespace

}  // namespace touchstone::optimized::parts_test
