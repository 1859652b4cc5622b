// An example that makes a subject fail, its simplification, and its form on disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "conformance/judge/judge.h"
#include "conformance/properties/example.h"
#include "conformance/properties/subject.h"

namespace touchstone::conformance {

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
