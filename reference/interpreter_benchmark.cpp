// Measures the speed of the literal interpreter in elements per second.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "reference/interpreter.h"

namespace touchstone::reference {

namespace {

using spec::ElementType;

constexpr std::int64_t elements = 4096;

Tensor scalar(ElementType type, std::uint64_t code) { return Tensor::from_codes(type, {}, std::array{code}); }

/// Random bit patterns with the same upper bits: for example float32 numbers between 1 and 128 for `ordinary`.
Tensor random_codes(ElementType type, std::uint64_t fixed, std::uint64_t random_bits) {
  std::mt19937_64 generator(1);
  std::vector<std::uint64_t> codes(elements);
  for (std::uint64_t& code : codes) code = fixed ^ (generator() & random_bits);
  return Tensor::from_codes(type, {elements}, codes);
}

Node node(spec::Operator op, int opset, const Tensor& x, const Tensor& scale, const Tensor& zero_point) {
  return {.op = op, .opset = opset, .inputs = {x, scale, zero_point}, .attributes = {}};
}

void run(benchmark::State& state, const Node& benchmarked) {
  for ([[maybe_unused]] auto unused : state) benchmark::DoNotOptimize(interpret(benchmarked));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * elements);
}

void quantize_float32_to_uint8(benchmark::State& state) {
  run(state, node(spec::Operator::quantize_linear, 21, random_codes(ElementType::float32, 0x3f800000, 0x03ffffff),
                  scalar(ElementType::float32, 0x3dcccccd), scalar(ElementType::uint8, 3)));
}

/// Every element has its own scale, so that none is found in the cache of the last one.
void quantize_float32_by_many_scales(benchmark::State& state) {
  const Tensor scales = random_codes(ElementType::float32, 0x3dcccccd, 0x000fffff);
  run(state, {.op = spec::Operator::quantize_linear,
              .opset = 21,
              .inputs = {random_codes(ElementType::float32, 0x3f800000, 0x03ffffff), scales},
              .attributes = {{"axis", 0}}});
}

void quantize_any_float32_to_uint8(benchmark::State& state) {
  run(state, node(spec::Operator::quantize_linear, 21, random_codes(ElementType::float32, 0, 0xffffffff),
                  scalar(ElementType::float32, 0x3dcccccd), scalar(ElementType::uint8, 3)));
}

void quantize_float16_to_float8(benchmark::State& state) {
  run(state, node(spec::Operator::quantize_linear, 23, random_codes(ElementType::float16, 0x3c00, 0x0fff),
                  scalar(ElementType::float16, 0x2e66), scalar(ElementType::float8e4m3fn, 0)));
}

void dequantize_uint8_to_float32(benchmark::State& state) {
  run(state, node(spec::Operator::dequantize_linear, 21, random_codes(ElementType::uint8, 0, 0xff),
                  scalar(ElementType::float32, 0x3dcccccd), scalar(ElementType::uint8, 3)));
}

BENCHMARK(quantize_float32_to_uint8);
BENCHMARK(quantize_float32_by_many_scales);
BENCHMARK(quantize_any_float32_to_uint8);
BENCHMARK(quantize_float16_to_float8);
BENCHMARK(dequantize_uint8_to_float32);

}  // namespace

}  // namespace touchstone::reference
