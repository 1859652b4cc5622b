// Measures what merging the journals of many shards into one journal costs in time and memory, without the reports.
//
// TOUCHSTONE_LIMITS=journal_bytes=100000000000 TOUCHSTONE_RECORDS_PER_SHARD=54000 merge_benchmark
// --benchmark_filter=1000 writes and merges 54 million records: it takes 40 minutes and 50 GB of the directory for
// temporary files.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/run/journal.h"
#include "conformance/run/runner.h"
#include "conformance/session/merge.h"
#include "conformance/session/output_directory.h"
#include "conformance/suites/suites.h"
#include "conformance/testing.h"

namespace touchstone::conformance {
namespace {

std::size_t records_per_shard() {
  const char* text = std::getenv("TOUCHSTONE_RECORDS_PER_SHARD");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 540;
}

/// An ordinary record: that of a right case.
CaseRecord ordinary_record() {
  ReferenceBackend reference;
  return run_case(plan_generated_suite({.tier = Tier::smoke}).front(), reference);
}

/// Writes journals whose cases follow each other in turns.
std::vector<std::filesystem::path> write_shards(const std::filesystem::path& directory, std::size_t shards,
                                                std::size_t records) {
  std::vector<std::filesystem::path> directories;
  CaseRecord record = ordinary_record();
  const std::string id = record.id;
  for (std::size_t index = 1; index <= shards; ++index) {
    directories.push_back(directory / std::to_string(index));
    std::filesystem::create_directory(directories.back());
    RunInfo run;
    run.plan_hash = std::string(64, '0');
    run.cases = records;
    run.shard = {index, shards};
    JournalWriter journal = JournalWriter::begin(directories.back() / journal_name, run);
    for (std::size_t i = 0; i < records; ++i) {
      record.id = fmt::format("{}/{}", id, i * shards + index - 1);
      journal.write({&record, 1});
    }
  }
  return directories;
}

double peak_mib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void merge_shards(benchmark::State& state) {
  const auto shards = static_cast<std::size_t>(state.range(0));
  const std::size_t records = records_per_shard();
  const TemporaryDirectory scratch;
  const auto directories = write_shards(scratch.path(), shards, records);
  const std::string id = ordinary_record().id;
  for ([[maybe_unused]] auto unused : state) {
    ShardMerge merge(directories, /*keeps_one_record=*/true);
    OutputDirectory output = new_run_in(scratch.path() / "merged");
    PendingJournal pending(output, "", std::nullopt);
    JournalWriter journal = JournalWriter::begin(pending.path(), merge.run(), merge.times().started);
    for (std::size_t i = 0; i < shards * records; ++i)
      if (const auto record = merge.take(fmt::format("{}/{}", id, i), /*is_identity_case=*/false))
        journal.write({&*record, 1});
      else
        state.SkipWithError("a case is missing");
    merge.finish();
    pending.put_in_place();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(shards * records));
  state.counters["peak_MiB"] = peak_mib();
}

BENCHMARK(merge_shards)->Arg(16)->Arg(1000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace touchstone::conformance
