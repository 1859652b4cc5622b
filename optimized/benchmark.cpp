// Kernels beside memcpy of the bytes they move. `items_per_second` counts elements; the label tells which kernels ran.
//
//   optimized_benchmark --benchmark_filter='QuantizeLinear/.*' --benchmark_time_unit=us
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "optimized/dequantize_linear.h"
#include "optimized/quantize_linear.h"

namespace touchstone::optimized {

namespace {

using enum spec::ElementType;
using spec::ElementType;

/// Of so many elements in all, which a geometry divides.
enum class Layout { per_tensor, per_axis_outer, per_axis_innermost, blocks_of_32, blocks_of_128 };

constexpr std::string_view name(Layout layout) {
  switch (layout) {
    case Layout::per_tensor: return "per_tensor";
    case Layout::per_axis_outer: return "per_axis_outer";
    case Layout::per_axis_innermost: return "per_axis_innermost";
    case Layout::blocks_of_32: return "blocks_of_32";
    case Layout::blocks_of_128: return "blocks_of_128";
  }
  return "";
}

Geometry geometry_of(Layout layout, std::int64_t count) {
  switch (layout) {
    case Layout::per_tensor: return {1, 1, count, 0};
    case Layout::per_axis_outer: return {1, 64, count / 64, 0};
    case Layout::per_axis_innermost: return {count / 1024, 1024, 1, 0};
    case Layout::blocks_of_32: return {count / 4096, 4096, 1, 32};
    case Layout::blocks_of_128: return {count / 4096, 4096, 1, 128};
  }
  return {};
}

std::int64_t parameter_count(const Geometry& geometry) {
  return geometry.block == 0
             ? geometry.axis
             : geometry.outer * ((geometry.axis + geometry.block - 1) / geometry.block) * geometry.inner;
}

std::vector<std::byte> random_bytes(ElementType type, std::int64_t count) {
  std::mt19937_64 random(1);
  std::vector<std::byte> bytes(static_cast<std::size_t>(packed_bytes(type, count)));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xFF);
  return bytes;
}

/// Between 0.01 and 0.02, or around -1 to 1: float32 narrowed by cutting off.
std::vector<std::byte> random_floats(ElementType type, std::int64_t count, float lowest, float highest) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<float> distribution(lowest, highest);
  std::vector<std::byte> bytes(static_cast<std::size_t>(packed_bytes(type, count)));
  const auto width = static_cast<std::size_t>(spec::info(type).bits / 8);
  for (std::int64_t i = 0; i < count; ++i) {
    const float number = distribution(random);
    std::uint32_t code = 0;
    std::memcpy(&code, &number, sizeof code);
    if (type == bfloat16) code >>= 16;
    if (type == float16) code = (code >> 16 & 0x8000U) | (((code & 0x7FFFFFFFU) - 0x38000000U) >> 13 & 0x7FFFU);
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * width, &code, width);
  }
  return bytes;
}

void report(benchmark::State& state, std::int64_t count, std::int64_t bytes, const std::string& label) {
  state.SetItemsProcessed(state.iterations() * count);
  state.SetBytesProcessed(state.iterations() * bytes);
  state.counters["ns_per_element"] = benchmark::Counter(
      static_cast<double>(count) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.SetLabel(label);
}

/// As many bytes read, and as many written, as `count` elements of these types have.
void copy_bytes(benchmark::State& state, ElementType type) {
  const std::int64_t count = state.range(0);
  const std::vector<std::byte> from = random_bytes(type, count);
  std::vector<std::byte> to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  report(state, count, 2 * static_cast<std::int64_t>(from.size()), "memcpy");
}

void quantize(benchmark::State& state, ElementType x_type, ElementType y_type, Layout layout, Isa isa) {
  const std::int64_t count = state.range(0);
  const Geometry geometry = geometry_of(layout, count);
  const std::vector<std::byte> x = random_floats(x_type, count, 0.01F, 1.0F);
  const std::vector<std::byte> scale = random_floats(x_type, parameter_count(geometry), 0.01F, 0.02F);
  const std::vector<std::byte> zero_point(static_cast<std::size_t>(packed_bytes(y_type, parameter_count(geometry))));
  std::vector<std::byte> y(static_cast<std::size_t>(packed_bytes(y_type, count)));
  QuantizeOptions options;
  options.isa = isa;
  Status status;
  for (auto _ : state) {
    status = quantize_linear({x_type, x}, {x_type, scale}, ConstTensorView{y_type, zero_point}, {y_type, y}, geometry,
                             options);
    benchmark::ClobberMemory();
  }
  if (status.error != Error::none) state.SkipWithError(std::string(describe(status.error)).c_str());
  report(state, count, static_cast<std::int64_t>(x.size() + y.size()), std::string(name(status.ran)));
}

void dequantize(benchmark::State& state, ElementType x_type, ElementType y_type, Layout layout, Isa isa) {
  const std::int64_t count = state.range(0);
  const Geometry geometry = geometry_of(layout, count);
  const std::vector<std::byte> x = random_bytes(x_type, count);
  const std::vector<std::byte> scale = random_floats(y_type, parameter_count(geometry), 0.01F, 0.02F);
  const std::vector<std::byte> zero_point(static_cast<std::size_t>(packed_bytes(x_type, parameter_count(geometry))));
  std::vector<std::byte> y(static_cast<std::size_t>(packed_bytes(y_type, count)));
  DequantizeOptions options;
  options.isa = isa;
  Status status;
  for (auto _ : state) {
    status = dequantize_linear({x_type, x}, {y_type, scale}, ConstTensorView{x_type, zero_point}, {y_type, y}, geometry,
                               options);
    benchmark::ClobberMemory();
  }
  if (status.error != Error::none) state.SkipWithError(std::string(describe(status.error)).c_str());
  report(state, count, static_cast<std::int64_t>(x.size() + y.size()), std::string(name(status.ran)));
}

struct Row {
  ElementType x;
  ElementType y;
  Layout layout;
};

constexpr std::array quantize_rows{
    Row{float32, uint8, Layout::per_tensor},          Row{float32, int8, Layout::per_tensor},
    Row{float32, uint8, Layout::per_axis_outer},      Row{float32, uint8, Layout::per_axis_innermost},
    Row{float32, uint8, Layout::blocks_of_32},        Row{float32, uint8, Layout::blocks_of_128},
    Row{float32, uint16, Layout::per_tensor},         Row{float32, uint4, Layout::per_tensor},
    Row{float32, int2, Layout::per_tensor},           Row{float32, float8e4m3fn, Layout::per_tensor},
    Row{float32, float8e5m2fnuz, Layout::per_tensor}, Row{float32, float4e2m1, Layout::blocks_of_32},
    Row{float32, float6e2m3, Layout::blocks_of_32},   Row{float16, uint8, Layout::per_tensor},
    Row{bfloat16, uint8, Layout::per_tensor},
};

constexpr std::array dequantize_rows{
    Row{uint8, float32, Layout::per_tensor},        Row{int8, float32, Layout::per_tensor},
    Row{uint8, float32, Layout::per_axis_outer},    Row{uint8, float32, Layout::per_axis_innermost},
    Row{uint8, float32, Layout::blocks_of_32},      Row{int16, float32, Layout::per_tensor},
    Row{int4, float32, Layout::blocks_of_32},       Row{int4, float32, Layout::blocks_of_128},
    Row{int4, float16, Layout::blocks_of_32},       Row{int4, float16, Layout::blocks_of_128},
    Row{uint2, float32, Layout::per_tensor},        Row{float8e4m3fn, float32, Layout::per_tensor},
    Row{float6e3m2, float16, Layout::blocks_of_32}, Row{float4e2m1, bfloat16, Layout::blocks_of_32},
};

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t count : {std::int64_t{1} << 16, std::int64_t{1} << 20, std::int64_t{1} << 24})
    benchmark->Arg(count);
}

template <class Function>
void add(const char* op, Function function, const Row& row) {
  for (const Isa isa : {Isa::avx2, Isa::portable}) {
    if (!is_available(isa)) continue;
    const std::string title = std::string(op) + "/" + std::string(spec::info(row.x).short_name) + "_to_" +
                              std::string(spec::info(row.y).short_name) + "/" + std::string(name(row.layout)) + "/" +
                              std::string(name(isa));
    auto* benchmark = benchmark::RegisterBenchmark(
        title.c_str(), [=](benchmark::State& state) { function(state, row.x, row.y, row.layout, isa); });
    if (isa == Isa::portable)
      benchmark->Arg(std::int64_t{1} << 16);
    else
      sizes(benchmark);
  }
}

const bool registered = [] {
  for (const ElementType type : {float32, float16, uint8})
    sizes(benchmark::RegisterBenchmark(("memcpy/" + std::string(spec::info(type).short_name)).c_str(),
                                       [=](benchmark::State& state) { copy_bytes(state, type); }));
  for (const Row& row : quantize_rows) add("QuantizeLinear", quantize, row);
  for (const Row& row : dequantize_rows) add("DequantizeLinear", dequantize, row);
  return true;
}();

}  // namespace

}  // namespace touchstone::optimized
