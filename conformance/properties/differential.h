// Backends against the reference, with examples at random; and what is left of an example that failed when all is taken
// away that does not matter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/properties/example.h"
#include "optimized/isa.h"

namespace touchstone::conformance {

/// Something that is held against the reference.
struct Subject {
  std::string backend;                     ///< as the option --backend names it
  std::optional<optimized::Isa> isa = {};  ///< of the backend `optimized`
  /// Its answer to a case of one data set. `environment` is what the caller has set.
  std::function<UnitAnswer(const Case& tested, const optimized::Environment& environment)> answer;
};

/// The library optimized/ with the kernels of an instruction set, called in the example's environment; one that it does
/// not leave as it was counts as a crash.
Subject optimized_subject(optimized::Isa isa);

/// Any backend. It is called in the environment that the program has.
Subject subject_of(std::string name, std::shared_ptr<Backend> backend);

struct Failure {
  std::uint64_t seed;
  std::uint64_t number;  ///< of the example
  const Subject* subject;
  Example example;          ///< the simplest that fails in this way
  Judgement judgement;      ///< of it; a harness_error if the subject threw an exception
  std::size_t tried;        ///< how many others were, to find it
  bool is_simplest = true;  ///< not if the search for it was stopped
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

/// "optimized (avx2)", for people.
std::string name_of(const Subject& subject);

/// The command that tries this example alone, in the environment that it says, with subjects of one backend.
std::string search_line(std::uint64_t seed, std::uint64_t number, std::span<const Subject> subjects,
                        const JudgeOptions& options);

}  // namespace touchstone::conformance
