#include "optimized/benchmark/peers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "optimized/benchmark/rows.h"
#include "optimized/benchmark/traffic.h"
#include "optimized/benchmark/workload.h"

namespace touchstone::optimized::benchmarks::peers_test {

namespace {

using enum spec::ElementType;
using enum Operator;

/// Each row once, with its smallest size or a few thousand elements.
std::vector<Workload> small_workloads() {
  std::set<std::string> known;
  std::vector<Workload> workloads;
  for (const auto& [section, row, elements] : measurements()) {
    const std::int64_t unit = row.axis * row.inner;
    if (known.insert(name(row)).second) workloads.emplace_back(row, (4096 + unit - 1) / unit * unit);
  }
  return workloads;
}

TEST(BenchmarkRows, HaveOneNameForOneGeometryAndSize) {
  std::map<std::string, std::vector<std::int64_t>> known;
  for (const auto& [section, row, elements] : measurements()) {
    const std::vector<std::int64_t> facts{row.axis, row.inner, row.block};
    const auto [place, is_new] = known.emplace(name(row), facts);
    EXPECT_EQ(place->second, facts) << name(row);
  }
}

TEST(BenchmarkRows, HaveShapesWithAllTheirElements) {
  for (const auto& [section, row, elements] : measurements()) {
    const auto product = [](const std::vector<std::int64_t>& extents) {
      return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
    };
    const Shapes shape = shapes(row, elements);
    EXPECT_EQ(product(shape.x), elements) << name(row);
    const std::int64_t parameters = row.block > 0 ? elements / row.block : row.axis;
    EXPECT_EQ(product(shape.parameters), parameters) << name(row);
    EXPECT_EQ(shape.block, row.block) << name(row);
  }
}

TEST(BenchmarkRows, AreNamedByOperatorTypesAndGranularity) {
  EXPECT_EQ(name({quantize, float32, uint8}), "QuantizeLinear/f32_to_u8/per_tensor");
  EXPECT_EQ(name({dequantize, int4, float16, 4096, 1, 32}), "DequantizeLinear/i4_to_f16/blocks_of_32");
  EXPECT_EQ(name({quantize, float32, uint8, 64, 49}), "QuantizeLinear/f32_to_u8/axis_64_inner_49");
  EXPECT_EQ(name({quantize, float32, uint8, 64, 2, 8}), "QuantizeLinear/f32_to_u8/blocks_of_8_inner_2");
}

// Other implementations may differ, which the benchmark reports.
TEST(BenchmarkPeers, ThatAreOurKernelsAgreeOnEveryRow) {
  for (Workload& workload : small_workloads())
    for (const Peer& peer : peers()) {
      if (!peer.computes || peer.name == "onednn" || !peer.supports(workload.row)) continue;
      std::ranges::fill(workload.y.bytes(), std::byte{0xA5});
      peer.prepare(workload).run();
      EXPECT_EQ(differing_elements(workload), 0) << name(workload.row) << ' ' << peer.name;
    }
}

TEST(BenchmarkWorkload, CountsTheBytesOfAllOperands) {
  const Workload workload({quantize, float32, int4, 4096, 1, 32}, 8192);
  EXPECT_EQ(workload.bytes_read(), 8192 * 4 + 256 * 4 + 128);
  EXPECT_EQ(workload.bytes_written(), 4096);
  const Workload without_zero_point({quantize, float32, float8e4m3fn}, 64);
  EXPECT_EQ(without_zero_point.bytes_read(), 64 * 4 + 4);
}

TEST(BenchmarkWorkload, CountsDifferingElementsNotBytes) {
  Workload workload({quantize, float32, uint4}, 64);
  std::ranges::copy(workload.expected.bytes(), workload.y.bytes().begin());
  EXPECT_EQ(differing_elements(workload), 0);
  workload.y.bytes()[0] ^= std::byte{0x11};   // elements 0 and 1
  workload.y.bytes()[31] ^= std::byte{0x80};  // element 63
  EXPECT_EQ(differing_elements(workload), 3);
}

TEST(BenchmarkTraffic, WritesAllWholeVectors) {
  if (!is_available(Isa::avx2)) GTEST_SKIP() << "needs a CPU with AVX2";
  for (const auto function : {move_traffic, stream_traffic})
    for (const std::int64_t x_size : {0, 31, 96, 4096, 40000})
      for (const std::int64_t y_size : {32, 10016}) {
        const Buffer x(x_size);
        Buffer y(y_size);
        std::ranges::fill(y.bytes(), std::byte{1});
        function(x.bytes(), y.bytes());
        EXPECT_EQ(std::ranges::count(y.bytes(), std::byte{0}), y_size);
      }
}

}  // namespace

}  // namespace touchstone::optimized::benchmarks::peers_test
