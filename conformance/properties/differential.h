// Compares backends with the reference on random examples.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/judge/judge.h"
#include "conformance/properties/fault.h"
#include "conformance/properties/subject.h"

namespace touchstone::conformance {

/// The failure of example `number` of the seed, reduced to the simplest example that fails in the same way.
struct Failure : Fault {
  std::uint64_t seed;
  std::uint64_t number;
};

/// Tries example `number` of the seed, which does not depend on earlier examples. Returns std::nullopt if all subjects
/// pass. Stops simplifying a failure once `is_stopped`. Does not catch exceptions from building the example.
std::optional<Failure> try_example(
    std::uint64_t seed, std::uint64_t number, const std::vector<Subject>& subjects, const JudgeOptions& options,
    const std::function<bool()>& is_stopped = [] { return false; });

/// Writes the example below the directory, in ONNX's backend-test layout, with a file replay.txt: the command that
/// replays it, a description of the failure, and the command that finds it again. Returns its path. Throws FileError.
std::filesystem::path write_failure(const std::filesystem::path& directory, const Failure& failure,
                                    const JudgeOptions& options);

/// Describes the example, which subject failed, and how. Every line ends in a line feed.
std::string to_text(const Failure& failure);

/// The command, with its environment variables, that tries only this example with subjects of one backend.
std::string search_line(std::uint64_t seed, std::uint64_t number, std::span<const Subject> subjects,
                        const JudgeOptions& options);

}  // namespace touchstone::conformance
