#include "optimized/benchmark/rows.h"

#include <array>

#include "optimized/type_list.h"

namespace touchstone::optimized::benchmarks {

namespace {

using enum spec::ElementType;
using enum Operator;

// Sizes for L2, L3, and twice memory on most machines: float32 x and uint8 y take 5 bytes per element.
constexpr std::array<std::int64_t, 4> sizes{1 << 16, 1 << 20, 1 << 24, 1 << 26};
constexpr std::int64_t middle_size = 1 << 20;

constexpr std::array main_rows{
    Row{quantize, float32, uint8},
    Row{quantize, float32, int8},
    Row{quantize, float32, uint8, 1024},
    Row{quantize, float32, uint8, 4096},
    Row{quantize, float32, uint4},
    Row{quantize, float32, int4, 4096, 1, 32},
    Row{quantize, float32, float8e4m3fn},
    Row{quantize, float16, uint8},
    Row{quantize, bfloat16, uint8},
    Row{dequantize, uint8, float32},
    Row{dequantize, uint8, float32, 1024},
    Row{dequantize, int4, float32, 4096, 1, 32},
    Row{dequantize, int4, float32, 4096, 1, 128},
    Row{dequantize, int4, float16, 4096, 1, 32},
    Row{dequantize, int4, float16, 4096, 1, 128},
};

// The rows that show how time grows with size.
constexpr std::array typical_rows{Row{quantize, float32, uint8}, Row{dequantize, uint8, float32}};
constexpr std::array blocked_rows{Row{quantize, float32, uint8, 4096}, Row{dequantize, int4, float32, 4096}};

// What the loops of optimized/portable/ for integers handle.
constexpr std::array portable_rows{
    Row{quantize, float32, uint8},
    Row{quantize, float32, int8},
    Row{quantize, float32, uint4},
    Row{quantize, float32, int4},
    Row{quantize, float16, uint8},
    Row{quantize, float16, int8},
    Row{quantize, float16, uint4},
    Row{quantize, float16, int4},
    Row{quantize, float32, uint8, 1024},
    Row{quantize, float32, int4, 4096, 1, 32},
    Row{dequantize, uint8, float32},
    Row{dequantize, int8, float32},
    Row{dequantize, uint4, float32},
    Row{dequantize, int4, float32},
    Row{dequantize, uint8, float16},
    Row{dequantize, int8, float16},
    Row{dequantize, uint4, float16},
    Row{dequantize, int4, float16},
    Row{dequantize, uint8, float32, 1024},
    Row{dequantize, uint8, float32, 4096, 1, 32},
    Row{dequantize, int4, float32, 4096, 1, 32},
};
constexpr std::int64_t small_size = 1 << 16;

constexpr std::array<std::int64_t, 9> growing_sizes{1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18,
                                                    1 << 20, 1 << 22, 1 << 24, 1 << 26};
constexpr std::array<std::int64_t, 12> axis_lengths{2, 3, 7, 8, 16, 31, 64, 100, 256, 1024, 4096, 65536};
constexpr std::array<std::int64_t, 8> inner_extents{1, 2, 7, 16, 49, 196, 784, 3136};
constexpr std::array<std::int64_t, 8> block_sizes{2, 8, 16, 32, 64, 128, 256, 1024};
constexpr std::array<std::int64_t, 3> few_after{2, 8, 16};
constexpr std::array<std::int64_t, 5> block_sizes_of_rows{2, 4, 8, 32, 1024};

Measurement near(std::string_view section, const Row& row, std::int64_t elements) {
  return {section, row, elements / (row.axis * row.inner) * row.axis * row.inner};
}

}  // namespace

std::vector<Measurement> measurements() {
  std::vector<Measurement> all;
  for (const Row& row : main_rows)
    for (const std::int64_t size : sizes) all.push_back(near("main", row, size));
  for (const spec::ElementType type : quantized_types)
    all.push_back(near("types", Row{quantize, float32, type}, middle_size));
  for (const spec::ElementType type : quantized_types)
    all.push_back(near("types", Row{dequantize, type, float32}, middle_size));
  for (const Row& row : portable_rows) all.push_back(near("portable", row, small_size));
  for (const Row& row : typical_rows)
    for (const std::int64_t size : growing_sizes) all.push_back(near("size", row, size));
  for (const Row& row : typical_rows)
    for (const std::int64_t axis : axis_lengths)
      all.push_back(near("axis length", {row.op, row.x, row.y, axis}, middle_size));
  for (const Row& row : typical_rows)
    for (const std::int64_t inner : inner_extents)
      all.push_back(near("extent after the axis", {row.op, row.x, row.y, 64, inner}, middle_size));
  for (const Row& row : blocked_rows)
    for (const std::int64_t block : block_sizes)
      all.push_back(near("block size", {row.op, row.x, row.y, row.axis, 1, block}, middle_size));
  for (const Row& row : blocked_rows)
    for (const std::int64_t inner : few_after)
      for (const std::int64_t block : block_sizes_of_rows)
        all.push_back(near("block size of rows", {row.op, row.x, row.y, row.axis, inner, block}, middle_size));
  return all;
}

std::string name(const Row& row) {
  std::string text = row.op == quantize ? "QuantizeLinear/" : "DequantizeLinear/";
  text += std::string(spec::info(row.x).short_name) + "_to_" + std::string(spec::info(row.y).short_name);
  if (row.axis == 1) return text + "/per_tensor";
  text += row.block > 0 ? "/blocks_of_" + std::to_string(row.block) : "/axis_" + std::to_string(row.axis);
  return row.inner == 1 ? text : text + "_inner_" + std::to_string(row.inner);
}

Geometry geometry(const Row& row, std::int64_t elements) {
  if (row.axis == 1) return {1, 1, elements, 0};
  return {elements / row.axis / row.inner, row.axis, row.inner, row.block};
}

Shapes shapes(const Row& row, std::int64_t elements) {
  if (row.axis == 1) return {{elements}, {}, 0, 0};
  const Geometry whole = geometry(row, elements);
  const std::int64_t blocks = row.block > 0 ? row.axis / row.block : 0;
  Shapes result{{whole.outer, row.axis}, {row.axis}, 1, row.block};
  if (blocks > 0) result.parameters = {whole.outer, blocks};
  if (row.inner == 1) return result;
  result.x.push_back(row.inner);
  if (blocks > 0) result.parameters.push_back(row.inner);
  return result;
}

}  // namespace touchstone::optimized::benchmarks
