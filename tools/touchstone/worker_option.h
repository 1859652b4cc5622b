// Backends that are separate programs: exec:COMMAND, onnx:MODULE, and those of tools/backends.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/workers/process_tree.h"
#include "conformance/backends/workers/worker_options.h"

namespace touchstone::tools {

/// Adds --timeout, --memory-limit, --python, --pass-env, --sandbox, --no-sandbox and --show-ids.
void add_worker_options(CLI::App& command, conformance::WorkerOptions& options);

/// Begins the --backend values of tools that rewrite models: transform:MODULE:FUNCTION, and transform:NAME for those in
/// Touchstone's directory of backends.
inline constexpr std::string_view transform_prefix = "transform:";

/// The program of a --backend value, or std::nullopt for a value that is not a program. Throws Exit.
std::optional<conformance::Program> worker_program(const std::string& backend,
                                                   const conformance::WorkerOptions& options);

/// $TOUCHSTONE_BACKENDS, or Touchstone's directory of backends; empty if there is none.
std::filesystem::path backends_directory();

/// The backends with a program `worker` in Touchstone's directory of backends, or in $TOUCHSTONE_BACKENDS.
std::vector<std::string> worker_names();

/// What a list says of a named backend: "in its own process; also ort:basic, ort:extended".
std::string worker_description(const std::string& name);

/// The lower levels of a named backend, the lowest first: those before it in the file `levels` of its directory.
std::vector<std::string> lower_levels_of(const std::string& backend);

/// The level with which users run a named backend: the last one in that file. Any other backend, or level, as it is.
std::string usual_level_of(const std::string& backend);

/// Another configuration of a runtime, with what a user sets to get it.
struct Repair {
  std::string backend;  ///< a value of --backend
  std::string setting;
};

/// The configurations of a named backend that may be right where it is wrong: those in the file `repairs` of its
/// directory, which users like most first.
std::vector<Repair> repairs_of(const std::string& backend);

/// A report of a defect in the tracker of a runtime, or of what it is made of.
struct UpstreamReport {
  std::string report;  ///< "microsoft/onnxruntime#25259"
  std::string cause;   ///< the name of the cause, or its sentence if it has no name
};

/// The reports that are known for a named backend: those in the file `upstream` of its directory.
std::vector<UpstreamReport> upstream_reports_of(const std::string& backend);

/// A release of a runtime that may have no kept result.
struct MissingRelease {
  std::string backend;  ///< a value of --backend
  std::string version;
  std::string reason;
};

/// Those that are known of a named backend: first the lines of the file `missing` of its directory, and then the other
/// releases in its `releases.txt`, as "not run".
std::vector<MissingRelease> missing_releases_of(const std::string& backend);

/// The forms of --backend values that name programs, for help texts: "exec:COMMAND (...)" and so on.
std::vector<std::string> worker_forms();

}  // namespace touchstone::tools
