// Measures the cost of running a backend in its own process: compares the optimized backend in this process with the
// same backend as a worker. Another worker's command can follow "--" on the command line.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/builtin/optimized_backend.h"
#include "conformance/backends/workers/serve.h"
#include "conformance/backends/workers/worker_backend.h"
#include "conformance/testing.h"

namespace touchstone::conformance {
namespace {

constexpr std::string_view as_worker = "--worker";

enum class Way { in_process, worker, worker_sent_ahead };

using Command = std::vector<std::string>;

std::unique_ptr<Backend> open(Way way, const Command& worker) {
  if (way == Way::in_process) return std::make_unique<OptimizedBackend>();
  return std::make_unique<WorkerBackend>(Program{.arguments = worker});
}

/// Converts float32 to uint8 elementwise, with one scale.
Case elementwise(std::int64_t elements) {
  Case made = per_axis_case();
  made.data_sets[0].inputs = {{"x", reference::Tensor(spec::ElementType::float32, {elements})},
                              {"s", tensor(spec::ElementType::float32, {}, {0x3f800000})},
                              {"z", tensor(spec::ElementType::uint8, {}, {10})}};
  return made;
}

void round_trip(benchmark::State& state, Way way, const Command& worker, std::int64_t elements) {
  const std::unique_ptr<Backend> backend = open(way, worker);
  const Case made = elementwise(elements);
  const Unit unit{made.id, made.model.bytes, {made.data_sets[0].inputs}};
  const bool ahead = way == Way::worker_sent_ahead;
  if (ahead) backend->announce(unit);
  for ([[maybe_unused]] auto unused : state) {
    if (ahead) backend->announce(unit);
    const UnitAnswer answer = backend->run(unit);
    if (!std::holds_alternative<std::vector<Answer>>(answer)) state.SkipWithError("no answer");
  }
  if (elements > 1)
    state.SetBytesProcessed(state.iterations() * elements * 5);  // 4 bytes of input and 1 byte of output
}

void benchmark_ways(const char* what, const Command& worker, std::int64_t elements, benchmark::TimeUnit unit) {
  const std::pair<const char*, Way> ways[] = {
      {"in_process", Way::in_process}, {"worker", Way::worker}, {"worker_sent_ahead", Way::worker_sent_ahead}};
  for (const auto& [name, way] : ways)
    benchmark::RegisterBenchmark(fmt::format("{}/{}", what, name).c_str(), round_trip, way, worker, elements)
        ->Unit(unit)
        ->UseRealTime()
        ->MinTime(1);
}

}  // namespace

int main_of_benchmark(int argc, char** argv) {
  ::mallopt(M_MMAP_MAX, 0);  // as the program does
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  if (argc > 1 && argv[1] == as_worker) {
    OptimizedBackend backend;
    serve(backend, {}, 3, 4);
    return 0;
  }
  Command worker{"/proc/self/exe", std::string(as_worker)};
  if (char** const end = std::find(argv, argv + argc, std::string_view("--")); end != argv + argc) {
    worker.assign(end + 1, argv + argc);
    argc = static_cast<int>(end - argv);
  }
  benchmark_ways("one_element", worker, 1, benchmark::kMicrosecond);
  benchmark_ways("128_ki_elements", worker, std::int64_t{128} << 10, benchmark::kMicrosecond);  // a chunk of a sweep
  benchmark_ways("16_mi_elements", worker, std::int64_t{16} << 20, benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace touchstone::conformance

int main(int argc, char** argv) { return touchstone::conformance::main_of_benchmark(argc, argv); }
