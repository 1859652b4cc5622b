// DIR/manifest.json of a pack: the plan of its cases, and the requirements of each case.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/file_io.h"
#include "conformance/files/rooted_directory.h"
#include "conformance/files/sha256.h"
#include "conformance/judge/permitted_outcomes.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// Describes a pack.
struct PackInfo {
  std::string tool_version;
  std::vector<std::string> suites;
  std::string tier;
  std::uint64_t seed = 0;
  std::string filter;
  std::string data = {};  ///< as RunInfo::data
  std::string plan_hash;
  bool with_outputs = true;
  Capabilities assumed = {};  ///< the capabilities of the device, as given by --assume
};

/// A case of a pack.
struct PackedCase {
  std::string id;
  Sha256 digest = {};  ///< zero: the case could not be read, and is not in the pack
};

struct Manifest : PackInfo {
  std::vector<PackedCase> cases;
};

/// The beginning of a manifest with `cases` cases. The lines of the cases follow; each, except the last, is followed by
/// ",
/// ".
std::string manifest_head(const PackInfo& pack, std::size_t cases);
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
std::filesystem::path permitted_path(const PermittedOutcome& permitted);

/// Whether the beginning of a file is that of a manifest.
bool is_manifest(const std::filesystem::path& path);

/// Reads the manifest of a pack. Uses only the parameters of the plan and the list of cases.
/// Throws FileError if this is not a pack, or the pack is unfinished, of another format, or damaged.
Manifest read_manifest(const RootedDirectory& pack);
/// Parses the content of the file. `origin` (a path) is used in error messages.
Manifest parse_manifest(std::string_view content, const std::string& origin);

}  // namespace touchstone::conformance
