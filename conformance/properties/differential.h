// Backends against the reference, with examples at random.
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

/// Of example `number` of the seed: the simplest that fails in the same way.
struct Failure : Fault {
  std::uint64_t seed;
  std::uint64_t number;
};

/// Example `number` of the seed: the same whatever came before it. Nothing if all subjects pass. Once `is_stopped`,
/// what has failed is not made simpler any more. Exceptions of examples that cannot be made are not caught.
std::optional<Failure> try_example(
    std::uint64_t seed, std::uint64_t number, const std::vector<Subject>& subjects, const JudgeOptions& options,
    const std::function<bool()>& is_stopped = [] { return false; });

/// Writes the example below the directory, in ONNX's backend-test layout, beside a file replay.txt: the line that tries
/// it again, what was wrong, and the line that finds it again. Returns its place. Throws FileError.
std::filesystem::path write_failure(const std::filesystem::path& directory, const Failure& failure,
                                    const JudgeOptions& options);

/// The same for people: the example, who failed, and how. Lines that end in a line feed.
std::string to_text(const Failure& failure);

/// The command that tries this example alone, in the environment that it says, with subjects of one backend.
std::string search_line(std::uint64_t seed, std::uint64_t number, std::span<const Subject> subjects,
                        const JudgeOptions& options);

}  // namespace touchstone::conformance
