// For tests: the program hostile_worker, and what is left of it; messages out of their frames.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "conformance/backends/workers/framing.h"
#include "conformance/backends/workers/worker_backend.h"
#include "conformance/testing.h"

namespace touchstone::conformance {

/// Its second argument lies in a directory of this test alone, by which its processes are known.
inline Program hostile_worker(const std::string& mode, const TemporaryDirectory& scratch) {
  return {.arguments = {TOUCHSTONE_HOSTILE_WORKER, mode, (scratch.path() / "once").string()}};
}

/// What a frame of one message holds.
inline std::string message_in(const std::string& frame) {
  FrameReader reader;
  reader.set_limit(frame.size());
  std::memcpy(reader.room().data(), frame.data(), frame.size());
  reader.arrived(frame.size());
  const std::string message(reader.next().value());
  EXPECT_EQ(reader.unfinished(), "");
  return message;
}

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The number of processes that were started with a path in this directory, without zombies.
inline int processes_of(const TemporaryDirectory& scratch) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (content_of(entry.path() / "cmdline").find(scratch.path().string()) == std::string::npos) continue;
    count += content_of(entry.path() / "stat").find(") Z ") == std::string::npos;
  }
  return count;
}

/// What was killed takes a moment to be gone.
inline void expect_no_process_of(const TemporaryDirectory& scratch) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (processes_of(scratch) > 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(processes_of(scratch), 0);
}

}  // namespace touchstone::conformance
