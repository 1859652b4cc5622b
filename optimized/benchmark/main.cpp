// Times our kernels and their peers, with one benchmark per implementation, row and size:
//
//   optimized_benchmark [OPTIONS OF GOOGLE BENCHMARK]
//   optimized_benchmark rows                              the measurements, as JSON
//   optimized_benchmark operands NAME ELEMENTS DIRECTORY  writes the inputs of a measurement and its output
//
// The counter `differing` is the number of elements that differ from those of the portable kernels.
// Exit codes: 0 done; 2 wrong usage; 3 a benchmark or a file could not be created; 5 no benchmark matches.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "optimized/benchmark/peers.h"
#include "optimized/benchmark/rows.h"
#include "optimized/benchmark/workload.h"

namespace touchstone::optimized::benchmarks {

namespace {

/// The peers of one measurement run consecutively and share its workload.
Workload& workload_of(const Measurement& measurement) {
  static std::string key;
  static std::unique_ptr<Workload> kept;
  const std::string wanted = name(measurement.row) + "/" + std::to_string(measurement.elements);
  if (key != wanted) {
    kept.reset();
    kept = std::make_unique<Workload>(measurement.row, measurement.elements);
    key = wanted;
  }
  return *kept;
}

void time_work(benchmark::State& state, const Measurement& measurement, const Peer& peer) try {
  Workload& workload = workload_of(measurement);
  const Work work = peer.prepare(workload);
  const std::span<std::byte> y = workload.y.bytes();
  std::fill(y.begin(), y.end(), std::byte{0xA5});
  work.run();
  if (peer.computes) state.counters["differing"] = static_cast<double>(differing_elements(workload));
  for (auto _ : state) {
    work.run();
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * measurement.elements);
  state.SetBytesProcessed(state.iterations() * (workload.bytes_read() + workload.bytes_written()));
  state.counters["bytes_read"] = static_cast<double>(workload.bytes_read());
  state.counters["bytes_written"] = static_cast<double>(workload.bytes_written());
  state.SetLabel(work.label);
} catch (const std::exception& error) {
  state.SkipWithError(error.what());
}

/// Dependent additions, each of which takes one cycle, to measure the CPU's clock.
void time_cycles(benchmark::State& state) {
  constexpr std::int64_t additions = 1024;
  std::int64_t sum = 0;
  for (auto _ : state)
    for (std::int64_t i = 0; i < additions; ++i) {
      sum += state.max_iterations;
      asm volatile("" : "+r"(sum));
    }
  state.SetItemsProcessed(state.iterations() * additions);
}

void register_all() {
  benchmark::RegisterBenchmark("cycles", time_cycles);
  std::set<std::string> known;
  for (const Measurement& measurement : measurements())
    for (const Peer& peer : peers()) {
      const std::string title =
          name(measurement.row) + "/" + std::string(peer.name) + "/" + std::to_string(measurement.elements);
      if (peer.supports(measurement.row) && known.insert(title).second)
        benchmark::RegisterBenchmark(title.c_str(),
                                     [=](benchmark::State& state) { time_work(state, measurement, peer); });
    }
}

void print_rows() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [section, row, elements] : measurements()) {
    const Shapes shape = shapes(row, elements);
    list.push_back({{"section", section},
                    {"name", name(row)},
                    {"elements", elements},
                    {"operator", row.op == Operator::quantize ? "QuantizeLinear" : "DequantizeLinear"},
                    {"x_type", row.x},
                    {"scale_type", scale_type(row)},
                    {"zero_point_type", quantized_type(row)},
                    {"has_zero_point", spec::is_integer(quantized_type(row))},
                    {"y_type", row.y},
                    {"x_shape", shape.x},
                    {"parameter_shape", shape.parameters},
                    {"axis", shape.axis},
                    {"block_size", shape.block}});
  }
  std::cout << list.dump() << '\n';
}

void write(const std::filesystem::path& path, const Buffer& buffer) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(buffer.bytes().data()), static_cast<std::streamsize>(buffer.bytes().size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

int write_operands(std::string_view title, std::int64_t elements, const std::filesystem::path& directory) {
  for (const Measurement& measurement : measurements()) {
    if (name(measurement.row) != title) continue;
    const Workload workload(measurement.row, elements);
    write(directory / "x", workload.x);
    write(directory / "scale", workload.scale);
    if (workload.zero_point) write(directory / "zero_point", *workload.zero_point);
    write(directory / "y", workload.expected);
    return 0;
  }
  std::cerr << "optimized_benchmark: there is no row " << title << ": `rows` prints them\n";
  return 2;
}

int run(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments == std::vector<std::string>{"rows"}) return print_rows(), 0;
  if (arguments.size() == 4 && arguments[0] == "operands")
    return write_operands(arguments[1], std::stoll(arguments[2]), arguments[3]);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  register_all();
  return benchmark::RunSpecifiedBenchmarks() > 0 ? 0 : 5;
}

}  // namespace

}  // namespace touchstone::optimized::benchmarks

int main(int argc, char** argv) try {
  return touchstone::optimized::benchmarks::run(argc, argv);
} catch (const std::exception& error) {
  std::cerr << "optimized_benchmark: " << error.what() << '\n';
  return 3;
}
