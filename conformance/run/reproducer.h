// Writes a failure to disk in the layout of ONNX's backend tests, which any ONNX tool can run.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "conformance/judge/oracle.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// A file of a test directory.
struct TestFile {
  enum class Kind { input, expected } kind;
  std::filesystem::path path;  ///< relative to the test directory
  std::string content;
};
using OnFile = std::function<void(const TestFile&)>;

/// Calls on_file for each of the files that write_reproducer writes.
void for_each_file(const Case& written, const std::vector<ReferenceOutcome>& interpreted, const OnFile& on_file);

/// Writes model.onnx, and test_data_set_*/input_*.pb with output_0.pb, the output under the primary readings. A data
/// set that must be rejected has no output but a file must_reject.txt with the reason. One that repeats another has a
/// file repeats.txt, which names the other. Read as a test directory, this gives the same case. Throws FileError as
/// write_file_below does.
void write_reproducer(const std::filesystem::path& directory, const Case& written,
                      const std::filesystem::path& below = {});

/// The case to write for a failure: that of the plan, or, if that is large, only its wrong elements.
Case reproduction(const PlannedCase& planned, const CaseRecord& record);

/// The directory's path relative to the output directory: the id, whose slashes separate directories.
std::filesystem::path reproducer_path(const std::string& id);

}  // namespace touchstone::conformance
