// The backend that answers from files: what a device gave for the cases of a pack.
#pragma once

#include <filesystem>

#include "conformance/backends/backend.h"
#include "conformance/files/rooted_directory.h"

namespace touchstone::conformance {

/// Answers come from `answers`, in the layout of packs/layout.h. What is not there is Breakdown::absent; a file that
/// cannot be taken for an answer is Breakdown::protocol, with the reason: a damaged tensor, a gap in the numbers of
/// outputs, outputs beside a refusal, more of them than a case may have, symbolic links, which are never followed.
/// Outputs belong to the graph's by their numbers; the names of the tensors do not count.
class AnswersBackend : public Backend {
 public:
  /// Throws FileError if it is no directory, if backend.txt cannot be read, or if it is a pack with expected outputs:
  /// they would be taken for answers.
  explicit AnswersBackend(const std::filesystem::path& answers);

  BackendIdentity identity() const override { return identity_; }
  UnitAnswer run(const Unit& unit) override;

 private:
  RootedDirectory answers_;
  BackendIdentity identity_;
};

/// What --backend is called with for such a backend: "answers:" and the directory.
inline constexpr std::string_view answers_prefix = "answers:";

}  // namespace touchstone::conformance
