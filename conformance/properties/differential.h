// Compares backends with the reference on examples, reduces failing examples to minimal ones, and writes them to disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/backends/capabilities.h"
#include "conformance/files/case.h"
#include "conformance/judge/judge.h"
#include "conformance/properties/example.h"
#include "optimized/float_environment_testing.h"
#include "optimized/isa.h"

namespace touchstone::conformance {

/// An implementation that is compared with the reference.
struct Subject {
  std::string backend;                     ///< the value of the option --backend
  std::optional<optimized::Isa> isa = {};  ///< only for the backend `optimized`
  /// Returns its answer to a case of one data set. `environment` is the floating-point environment of the caller.
  std::function<UnitAnswer(const Case& tested, const optimized::Environment& environment)> answer;
  Capabilities assumed = {};  ///< examples beyond these capabilities are not tried, and so do not fail
};

/// The library optimized/ with the kernels of an instruction set, called in the example's environment. Not restoring
/// the environment counts as a crash.
Subject optimized_subject(optimized::Isa isa);

/// Any backend, called in the program's environment.
Subject subject_of(std::string name, std::shared_ptr<Backend> backend);

/// A readable name: "optimized (avx2)".
std::string name_of(const Subject& subject);

/// An example that makes a subject fail.
struct Fault {
  const Subject* subject;
  Example example;
  Judgement judgement;      ///< of it; a harness_error if the subject threw an exception
  std::size_t tried = 0;    ///< the number of simpler examples that were tried
  bool is_simplest = true;  ///< false if the search was stopped
};

/// The failure, or std::nullopt if the verdict is permitted or not shown, or the subject is assumed not to support the
/// example. Does not catch exceptions from building the example. Throws BackendError if the subject is
/// gone.
std::optional<Fault> find_fault(const Subject& subject, const Example& example, const Case& tested,
                                const std::vector<ReferenceOutcome>& interpreted, const JudgeOptions& options);
std::optional<Fault> find_fault(const Subject& subject, const Example& example, const JudgeOptions& options);

/// Repeatedly replaces the example by a simpler one that fails in the same way, until there is none or it is stopped.
void simplify(
    Fault& fault, const JudgeOptions& options, const std::function<bool()>& is_stopped = [] { return false; });

/// The first subject that fails, with the simplest example that fails in the same way; std::nullopt if all pass. Stops
/// simplifying once `is_stopped`. Does not catch exceptions from building the example.
std::optional<Fault> try_example(
    const Example& example, const std::vector<Subject>& subjects, const JudgeOptions& options,
    const std::function<bool()>& is_stopped = [] { return false; });

/// Writes the example below the directory, in ONNX's backend-test layout, with a file replay.txt: the command that
/// replays it, and `notes` (lines that end in a line feed) as comments. Returns its path. Throws FileError.
std::filesystem::path write_fault(const std::filesystem::path& directory, const Fault& fault,
                                  const JudgeOptions& options, const std::string& notes);

/// The replay command, "TOUCHSTONE_ISA=avx2 touchstone replay ...", for an example with this id in the directory.
std::string replay_line(const std::filesystem::path& directory, const std::string& id, const Subject& subject,
                        const JudgeOptions& options);

/// Describes which subject failed, how, and the example. Every line ends in a line feed.
std::string to_text(const Fault& fault);

}  // namespace touchstone::conformance
