// DIR/manifest.json of a pack: of which plan its cases are, and what is demanded of each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/file_io.h"
#include "conformance/files/rooted_directory.h"
#include "conformance/judge/permitted_outcomes.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// What a pack is.
struct PackInfo {
  std::string tool_version;
  std::vector<std::string> suites;
  std::string tier;
  std::uint64_t seed = 0;
  std::string filter;
  std::string data = {};  ///< as RunInfo::data
  std::string plan_hash;
  bool with_outputs = true;
  Capabilities assumed = {};  ///< what the device takes, as --assume says
};

/// A case of a pack.
struct PackedCase {
  std::string id;
  std::uint64_t digest = 0;  ///< 0: the case could not be read, and is not in the pack
};

struct Manifest : PackInfo {
  std::vector<PackedCase> cases;
};

/// The beginning of a manifest, before the lines of so many cases; each of these, but the last, is followed by ",\n".
std::string manifest_head(const PackInfo& pack, std::size_t cases);
/// A line of the manifest: the case, its clauses, its elements, which of them are masked, the other permitted outcomes,
/// and the folder of its control; empty: the pack has none for it.
std::string manifest_line(const CaseRecord& described, const std::vector<ReferenceOutcome>& interpreted,
                          const std::vector<PermittedOutcome>& permitted, const std::filesystem::path& control);
/// That of a case that cannot be tried, or, with a digest, one that is not in the pack as the device cannot take it.
std::string manifest_line(const std::string& id, const std::string& problem, std::uint64_t digest = 0);
std::string manifest_end();

/// The output of a permitted outcome below the folder of a data set: permitted/AMBIGUITY.READING.output_0.pb. There is
/// one where it differs from output_0.pb.
std::filesystem::path permitted_path(const PermittedOutcome& permitted);

/// Whether a file begins like a manifest.
bool is_manifest(const std::filesystem::path& path);

/// Reads the manifest of a pack. Only what the plan is made from, and the list of cases, is used.
/// Throws FileError if this is not a pack, or the pack is unfinished, of another format, or damaged.
Manifest read_manifest(const RootedDirectory& pack);
/// Parses the content of the file. `origin` (a path) is used in error messages.
Manifest parse_manifest(std::string_view content, const std::string& origin);

}  // namespace touchstone::conformance
