#include "optimized/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "optimized/quantize_linear.h"

namespace touchstone::optimized::thread_pool_test {

namespace {

/// How often each part ran. Each element is written by one task, and read after the call.
struct Counts {
  std::vector<int> of_part;

  static void count(void* context, std::int64_t part) {
    ++static_cast<Counts*>(context)->of_part[static_cast<std::size_t>(part)];
  }
};

bool runs_every_part_once(const Executor& executor, std::size_t parts) {
  Counts counts{std::vector<int>(parts)};
  executor.run(executor.self, static_cast<std::int64_t>(parts), Counts::count, &counts);
  return counts.of_part == std::vector<int>(parts, 1);
}

TEST(ThreadPool, RunsEveryPartOnce) {
  for (const int size : {0, 1, 2, 5}) {
    ThreadPool pool(size);
    EXPECT_EQ(pool.executor().threads, std::max(size, 1));
    for (std::size_t parts = 0; parts < 200; ++parts) ASSERT_TRUE(runs_every_part_once(pool.executor(), parts));
  }
}

TEST(ThreadPool, ServesManyCallers) {
  ThreadPool pool(3);
  std::vector<int> right(4);
  std::vector<std::thread> callers;
  for (int& all_right : right)
    callers.emplace_back([&pool, &all_right] {
      all_right = 1;
      for (int i = 0; i < 200; ++i)
        if (!runs_every_part_once(pool.executor(), 7)) all_right = 0;
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right, std::vector<int>(4, 1));
}

TEST(ThreadPool, AcceptsCallsFromItsParts) {
  ThreadPool pool(2);
  struct Outer {
    Executor executor;
    std::vector<int> right;
    static void run(void* context, std::int64_t part) {
      auto& outer = *static_cast<Outer*>(context);
      outer.right[static_cast<std::size_t>(part)] = runs_every_part_once(outer.executor, 5) ? 1 : 0;
    }
  };
  Outer outer{pool.executor(), std::vector<int>(6)};
  outer.executor.run(outer.executor.self, 6, Outer::run, &outer);
  EXPECT_EQ(outer.right, std::vector<int>(6, 1));
}

TEST(ThreadPool, DividesALargeTensor) {
  ThreadPool pool(4);
  const Executor executor = pool.executor();
  QuantizeOptions options;
  options.executor = &executor;
  std::vector<float> x(1 << 20);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 256);
  const float scale = 1;
  std::vector<std::byte> y(x.size());
  const Status status = quantize_linear({spec::ElementType::float32, std::as_bytes(std::span(x))},
                                        {spec::ElementType::float32, std::as_bytes(std::span(&scale, 1))}, std::nullopt,
                                        {spec::ElementType::uint8, y}, {1, 1, 1 << 20, 0}, options);
  EXPECT_EQ(status.error, Error::none);
  EXPECT_EQ(status.ran, default_isa());
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], static_cast<std::byte>(i % 256));
}

}  // namespace

}  // namespace touchstone::optimized::thread_pool_test
