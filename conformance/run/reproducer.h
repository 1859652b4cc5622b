// A failure on disk, in the layout of ONNX's backend tests, so that any ONNX tool can run it.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "conformance/judge/oracle.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// A file of a test directory.
struct TestFile {
  enum class Kind { input, expected } kind;
  std::filesystem::path path;  ///< below the test directory
  std::string content;
};
using OnFile = std::function<void(const TestFile&)>;

/// The files of a case, one after the other: those that write_reproducer writes.
void for_each_file(const Case& written, const std::vector<ReferenceOutcome>& interpreted, const OnFile& on_file);

/// Writes model.onnx, and test_data_set_*/input_*.pb with output_0.pb, the output under the primary readings. A data
/// set that must be rejected has no output but a file must_reject.txt, which says why. One that repeats another has a
/// file repeats.txt, which names the other. Read as a test directory, this is the same case again. Throws FileError as
/// write_file_below does.
void write_reproducer(const std::filesystem::path& directory, const Case& written,
                      const std::filesystem::path& below = {});

/// The case to write for a failure: that of the plan, or, if that is large, only its wrong elements.
Case reproduction(const PlannedCase& planned, const CaseRecord& record);

/// The places in `records` of the failures that are to be reproduced, at most so many: first one of each cluster of
/// like failures (verdict, operator version, type, granularity, violated clause), then the others.
std::vector<std::size_t> choose_reproducers(std::span<const CaseRecord> records, std::size_t most);

/// The directory's name below the output directory: the id, whose slashes make directories of their own.
std::filesystem::path reproducer_path(const std::string& id);

}  // namespace touchstone::conformance
