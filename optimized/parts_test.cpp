// What large tensors become does not depend on how many threads share them, nor on the threads' environments.
#include "optimized/parts.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "optimized/testing.h"

namespace touchstone::optimized {

namespace {

using enum ElementType;

/// A thread for each part, the last part first, each in an environment that does harm.
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

struct Row {
  spec::Operator op;
  ElementType x;
  ElementType y;
  Geometry geometry;
};

std::int64_t parameter_count(const Geometry& geometry) {
  const auto& [outer, axis, inner, block] = geometry;
  return block == 0 ? axis : outer * ((axis + block - 1) / block) * inner;
}

std::vector<std::byte> random_bytes(Random& random, ElementType type, std::int64_t count) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(packed_bytes(type, count)));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xFF);
  return bytes;
}

/// Numbers of moderate size: none is lost in saturation.
std::vector<std::byte> random_floats(Random& random, std::int64_t count, float largest) {
  std::uniform_real_distribution<float> numbers(largest / 100, largest);
  std::vector<std::byte> bytes;
  for (std::int64_t i = 0; i < count; ++i) {
    const float number = numbers(random);
    const auto* first = reinterpret_cast<const std::byte*>(&number);
    bytes.insert(bytes.end(), first, first + sizeof number);
  }
  return bytes;
}

class Call {
 public:
  Call(const Row& row, Random& random)
      : row_(row), count_(row.geometry.outer * row.geometry.axis * row.geometry.inner) {
    const std::int64_t parameters = parameter_count(row.geometry);
    x_ = quantizes() ? random_floats(random, count_, 9) : random_bytes(random, row.x, count_);
    scale_ = random_floats(random, parameters, 1);
    zero_point_ = random_bytes(random, quantizes() ? row.y : row.x, parameters);
  }

  std::vector<std::byte> operator()(Isa isa, const Executor* executor) const {
    const GuardedBytes y(static_cast<std::size_t>(packed_bytes(row_.y, count_)), Edge::back);
    const ConstTensorView scale{float32, scale_};
    if (quantizes()) {
      QuantizeOptions options;
      options.isa = isa;
      options.executor = executor;
      const Status status = quantize_linear({row_.x, x_}, scale, ConstTensorView{row_.y, zero_point_},
                                            {row_.y, y.bytes()}, row_.geometry, options);
      EXPECT_EQ(status.error, Error::none);
      EXPECT_EQ(status.ran, isa);
    } else {
      DequantizeOptions options;
      options.isa = isa;
      options.executor = executor;
      const Status status = dequantize_linear({row_.x, x_}, scale, ConstTensorView{row_.x, zero_point_},
                                              {row_.y, y.bytes()}, row_.geometry, options);
      EXPECT_EQ(status.error, Error::none);
      EXPECT_EQ(status.ran, isa);
    }
    return {y.bytes().begin(), y.bytes().end()};
  }

 private:
  bool quantizes() const { return row_.op == spec::Operator::quantize_linear; }

  Row row_;
  std::int64_t count_;
  std::vector<std::byte> x_;
  std::vector<std::byte> scale_;
  std::vector<std::byte> zero_point_;
};

// Per tensor; per axis: outer, innermost, in between; blocked, the last block being short: of types whose elements do
// not begin bytes, in odd numbers.
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

// Four of the types with each geometry, which differ from one to the next; more take sanitizers too long.
TEST(Parts, AreTheWhole) {
  Random random(1);
  for (std::size_t i = 0; i < 4 * geometries.size(); ++i) {
    const Geometry& geometry = geometries[i / 4];
    const auto& [op, x, y] = types[i % types.size()];
    SCOPED_TRACE(::testing::Message() << name(x) << " to " << name(y) << ", " << geometry.outer << " " << geometry.axis
                                      << " " << geometry.inner << " " << geometry.block);
    const Call call({op, x, y, geometry}, random);
    const std::vector<std::byte> whole = call(Isa::portable, nullptr);
    for (const Isa isa : available_isas()) {
      if (isa == Isa::portable && i % 4 != 0) continue;
      HostileThreads threads;
      const Executor executor = threads.executor(3);
      ASSERT_TRUE(call(isa, &executor) == whole) << name(isa);
      EXPECT_TRUE(threads.restored);
      EXPECT_GT(threads.parts, 1);
    }
  }
}

TEST(Parts, OfSmallTensorsAreOne) {
  Random random(2);
  HostileThreads threads;
  const Executor executor = threads.executor(64);
  const Call call({spec::Operator::quantize_linear, float32, uint8, {1, 1, 100000, 0}}, random);
  EXPECT_TRUE(call(Isa::portable, nullptr) == call(Isa::portable, &executor));
  EXPECT_EQ(threads.parts, 0);
}

}  // namespace

}  // namespace touchstone::optimized
