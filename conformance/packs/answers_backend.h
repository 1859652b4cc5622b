// The backend that reads a device's answers to the cases of a pack from files.
#pragma once

#include <filesystem>

#include "conformance/backends/backend.h"
#include "conformance/files/rooted_directory.h"

namespace touchstone::conformance {

/// Answers come from `answers`, in the layout of packs/layout.h. A missing answer is Breakdown::absent. An invalid one
/// is Breakdown::protocol, with the reason: a damaged tensor, a gap in the numbers of outputs, both outputs and a
/// refusal, more outputs than a case may have, or symbolic links, which are never followed. Outputs are matched with
/// those of the graph by their numbers; the names of the tensors are ignored.
class AnswersBackend : public Backend {
 public:
  /// Throws FileError if it is not a directory, if backend.txt cannot be read, or if it is a pack with expected
  /// outputs, which would be mistaken for answers.
  explicit AnswersBackend(const std::filesystem::path& answers);

  BackendIdentity identity() const override { return identity_; }
  UnitAnswer run(const Unit& unit) override;

 private:
  RootedDirectory answers_;
  BackendIdentity identity_;
};

/// The prefix of the value of --backend for such a backend: "answers:" and the directory.
inline constexpr std::string_view answers_prefix = "answers:";

}  // namespace touchstone::conformance
