// For tests: runs cases with the program hostile_worker, finds its remaining processes, and extracts messages from
// frames.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/backends/workers/framing.h"
#include "conformance/backends/workers/worker_backend.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"

namespace touchstone::conformance {

/// Its second argument is a path in the test's directory, so that its processes can be found.
inline Program hostile_worker(const std::string& mode, const TemporaryDirectory& scratch) {
  return {.arguments = {TOUCHSTONE_HOSTILE_WORKER, mode, (scratch.path() / "once").string()}, .shows_ids = true};
}

/// The message in a frame.
inline std::string message_in(const std::string& frame) {
  FrameReader reader;
  reader.set_limit(frame.size());
  std::memcpy(reader.room().data(), frame.data(), frame.size());
  reader.arrived(frame.size());
  const std::string message(reader.next().value());
  EXPECT_EQ(reader.unfinished(), "");
  return message;
}

/// Empty if the file cannot be read, like a file in /proc of a process that has just ended. (A stream iterator would
/// throw.)
inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

/// The number of processes, except zombies, whose command line has a path in this directory.
inline int processes_of(const TemporaryDirectory& scratch) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (content_of(entry.path() / "cmdline").find(scratch.path().string()) == std::string::npos) continue;
    count += content_of(entry.path() / "stat").find(") Z ") == std::string::npos;
  }
  return count;
}

/// Waits for a while, because a killed process takes a moment to end.
inline void expect_no_process_of(const TemporaryDirectory& scratch) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (processes_of(scratch) > 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(processes_of(scratch), 0);
}

inline constexpr std::array<std::chrono::milliseconds, 3> no_pauses{
    std::chrono::milliseconds(1), std::chrono::milliseconds(1), std::chrono::milliseconds(1)};
/// Long timeouts for busy machines, and short pauses, which always elapse.
inline constexpr WorkerTimes patient{
    .per_unit = std::chrono::seconds(20), .start = std::chrono::seconds(60), .between_starts = no_pauses};
inline constexpr WorkerTimes hasty{
    .per_unit = std::chrono::seconds(1), .start = std::chrono::seconds(60), .between_starts = no_pauses};

inline std::vector<PlannedCase> plan_of(const std::vector<std::string>& names) {
  std::vector<PlannedCase> plan;
  for (const std::string& id : names) plan.push_back({id, made_by({[id] { return per_axis_case(id); }})});
  return plan;
}

inline const std::vector<std::string> ids{"a", "b", "guilty", "c", "d"};

inline std::vector<CaseRecord> run_all(const std::vector<PlannedCase>& plan, const Program& program,
                                       const WorkerTimes& times, unsigned jobs = 1) {
  std::vector<CaseRecord> records;
  run(
      plan, [&] { return std::make_unique<WorkerBackend>(program, times); }, {.judge = {}, .jobs = jobs},
      [&](CaseRecord record) {
        records.push_back(std::move(record));
        return true;
      });
  return records;
}

/// The error message for a worker that cannot be started.
inline std::string start_failure(const Program& program, const WorkerTimes& times = patient) {
  try {
    const WorkerBackend backend(program, times);
  } catch (const BackendError& error) {
    return error.what();
  }
  return "";
}

}  // namespace touchstone::conformance
