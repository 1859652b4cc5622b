// DIR/manifest.json of a pack: the plan of its cases, and the requirements of each case.
#pragma once

#include <cstddef>
#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/rooted_directory.h"
#include "conformance/files/sha256.h"
#include "conformance/judge/permitted_outcomes.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// The version of the format. Version 1 had short digests.
inline constexpr int pack_format = 2;

/// Describes a pack.
struct PackInfo {
  RunInfo run;  ///< of the device: the version, the plan, and the assumed capabilities
  bool with_outputs = true;
};

/// The first line of a manifest. The lines of the cases follow; each, except the last, is followed by ",\n".
std::string manifest_head(const PackInfo& pack);
/// A line of the manifest: the case, its clauses, its elements, which of them are masked, the other permitted outcomes,
/// and the folder of its control; empty if the pack has none.
std::string manifest_line(const CaseRecord& described, const std::vector<ReferenceOutcome>& interpreted,
                          const std::vector<PermittedOutcome>& permitted, const std::filesystem::path& control);
/// The line of a case that cannot be run, or, with a digest, one that is not in the pack because the device does not
/// support it.
std::string manifest_line(const std::string& id, const std::string& problem, const Sha256& digest = {});
std::string manifest_end();

/// The path of the output of a permitted outcome, relative to the folder of a data set:
/// permitted/AMBIGUITY.READING.output_0.pb. It exists if it differs from output_0.pb.
std::filesystem::path permitted_path(const PermittedOutcome& permitted, std::size_t output = 0);

/// Whether the file begins like a manifest.
bool is_manifest(const std::filesystem::path& path);

/// Reads a manifest line by line, so that a large one takes little memory. All functions throw FileError if the file is
/// not a manifest, has another format version, or is damaged: a member is missing, unknown or repeated, or there are
/// more or fewer cases than the plan has.
class ManifestReader {
 public:
  /// Opens the manifest of a pack and reads its first line. Throws FileError also if there is none, or the export was
  /// not finished.
  explicit ManifestReader(const RootedDirectory& pack);
  /// Reads the content of the file. `origin` (a path) is used in error messages.
  ManifestReader(std::unique_ptr<std::istream> content, std::string origin);

  const PackInfo& pack() const { return pack_; }
  /// The line of the next case, in the order of the plan, without the comma; std::nullopt after the last one.
  std::optional<std::string> next();
  /// Throws FileError about the line of the case at this place of the plan.
  [[noreturn]] void fail_at(std::size_t place, std::string_view problem) const;

 private:
  std::string next_line();
  [[noreturn]] void fail(std::string_view problem, std::size_t line) const;

  std::unique_ptr<std::istream> content_;
  std::string origin_;
  PackInfo pack_;
  std::size_t line_ = 0;   ///< the number of the last line that was read
  std::size_t cases_ = 0;  ///< read so far
};

}  // namespace touchstone::conformance
