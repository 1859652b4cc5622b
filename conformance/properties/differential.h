// Backends against the reference, with examples at random; and what is left of an example that failed when all is taken
// away that does not matter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
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
  Example example;      ///< the simplest that fails in this way
  Judgement judgement;  ///< of it
  std::size_t tried;    ///< how many others were, to find it
};

/// Example `number` of the seed: the same whatever came before it. Nothing if all subjects pass. Exceptions of
/// subjects, and of examples that cannot be made, are not caught.
std::optional<Failure> try_example(std::uint64_t seed, std::uint64_t number, const std::vector<Subject>& subjects,
                                   const JudgeOptions& options);

/// Writes the example below the directory, in ONNX's backend-test layout, beside a file replay.txt: the line that tries
/// it again, and what was wrong. Returns its place. Throws FileError.
std::filesystem::path write_failure(const std::filesystem::path& directory, const Failure& failure,
                                    const JudgeOptions& options);

/// The same for people: the example, who failed, and how.
std::string to_text(const Failure& failure);

}  // namespace touchstone::conformance
