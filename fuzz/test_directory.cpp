// Any files as a test directory: a FileError says what is wrong with it, or the case is run with the reference, which
// passes, unless the case brings other outputs. On disk, or what the system keeps in memory as one: what the target
// does most of the time is to have the system open files.
#include "fuzz/test_directory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "conformance/backends/reference_backend.h"
#include "conformance/files/test_directory.h"
#include "conformance/run/record_json.h"
#include "conformance/run/runner.h"
#include "fuzz/directory_input.h"
#include "fuzz/law.h"

using namespace touchstone;
using namespace touchstone::conformance;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> paths = fuzz::paths_of_test_directory();
  static fuzz::KeptDirectory directory;
  static ReferenceBackend reference;
  directory.become(fuzz::files_of(data, size, paths));
  try {
    const Case tested = read_test_directory(directory.path(), "input");
    const CaseRecord record = run_case({.id = tested.id, .read = [&] { return tested; }}, reference);
    const bool brings_outputs =
        std::ranges::any_of(tested.data_sets, [](const DataSet& set) { return !set.expected.empty(); });
    fuzz::require(brings_outputs || is_pass(record.verdict) || record.verdict == Verdict::harness_error,
                  "the reference passes where it decides");
    fuzz::require(record_from_json(Json::parse(to_line(to_json(record)))) == record, "a record is read again");
  } catch (const FileError&) {
    return 0;
  }
  return 0;
}
