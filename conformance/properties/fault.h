// An example at which a subject fails; what is left of it when all is taken away that does not matter; and the same on
// disk.
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
  std::size_t tried = 0;    ///< how many simpler ones were
  bool is_simplest = true;  ///< not if the search for it was stopped
};

/// What is wrong; nothing if the subject passes, refuses what a permitted reading rejects, or is assumed not to take
/// the example. Exceptions of examples that cannot be made are not caught. Throws BackendError: the subject is not
/// there any more.
std::optional<Fault> find_fault(const Subject& subject, const Example& example, const Case& tested,
                                const std::vector<ReferenceOutcome>& interpreted, const JudgeOptions& options);
std::optional<Fault> find_fault(const Subject& subject, const Example& example, const JudgeOptions& options);

/// Simplifies the example repeatedly, as long as a simpler one fails in the same way and it is not stopped.
void simplify(
    Fault& fault, const JudgeOptions& options, const std::function<bool()>& is_stopped = [] { return false; });

/// Writes the example below the directory, in ONNX's backend-test layout, with a file replay.txt: the command that
/// replays it, and `notes` (lines that end in a line feed) as comments. Returns its path. Throws FileError.
std::filesystem::path write_fault(const std::filesystem::path& directory, const Fault& fault,
                                  const JudgeOptions& options, const std::string& notes);

/// That command, "TOUCHSTONE_ISA=avx2 touchstone replay ...", for an example with this id in the directory.
std::string replay_line(const std::filesystem::path& directory, const std::string& id, const Subject& subject,
                        const JudgeOptions& options);

/// Who failed, how, and the example, for people. Lines that end in a line feed.
std::string to_text(const Fault& fault);

}  // namespace touchstone::conformance
