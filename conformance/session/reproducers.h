// DIR/reproducers in a run's output directory. Distinguishes files that runs wrote from other files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>

#include "conformance/causes/causes.h"
#include "conformance/plan/planned_case.h"
#include "conformance/report/summary.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"
#include "conformance/session/shrink.h"

namespace touchstone::conformance {

/// The folder of reproducers in the output directory of a run.
std::filesystem::path reproducers_in(const std::filesystem::path& directory);

/// Shrunk cases, by the position of the original case in the records.
using ShrunkCases = std::map<std::size_t, Shrunk>;

/// The position of the example of each cause, if write_reproducers writes it.
std::map<std::size_t, const Cause*> first_reproducers(std::span<const CaseRecord> records, const Summary& summary,
                                                      std::size_t most);

/// Writes at most `most` unexpected failures of the run, one of each cause first, whole or shrunk. Each has its own
/// directory with the command that replays it, and a Python program that shows the model and the data. `records` are
/// those of the first cases, and of the summary. Throws FileError.
void write_reproducers(const std::filesystem::path& directory, const RunInfo& run, std::span<const PlannedCase> cases,
                       std::span<const CaseRecord> records, const Summary& summary, std::size_t most,
                       const ShrunkCases& shrunk = {});

/// Writes one of them into a directory of its own, as the case onnx/NAME of the directory above. `run` has the options
/// with which the whole case is replayed. Throws FileError.
void write_shrunk(const std::filesystem::path& directory, const RunInfo& run, const Shrunk& shrunk, const Cause& cause);

/// Checks that the folder of reproducers contains only files that runs wrote, so that the next run can use it. Throws
/// FileError that names the first other file.
void check_reproducers(const std::filesystem::path& directory);

/// Removes what earlier runs wrote, and nothing else. Throws FileError.
void remove_reproducers(const std::filesystem::path& directory);

}  // namespace touchstone::conformance
