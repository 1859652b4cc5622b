// Reads any files as a test directory. Either a FileError describes the fault, or the case runs on the reference. It
// must pass if the case has no expected outputs, or the reference's own, and must not pass if it has others. The files
// are on disk, or in an in-memory file system; opening files takes most of the target's time.
#include "fuzz/test_directory.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/files/limits.h"
#include "conformance/files/test_directory.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/mismatch.h"
#include "conformance/judge/oracle.h"
#include "conformance/run/record_json.h"
#include "conformance/run/runner.h"
#include "fuzz/directory_input.h"
#include "fuzz/law.h"
#include "reference/interpreter.h"
#include "reference/model/graph.h"

using namespace touchstone;
using namespace touchstone::conformance;

namespace {

/// Larger graphs take too long with sanitizers.
[[maybe_unused]] const bool has_small_limits =
    (set_limits("graph_elements=524288,graph_weights=524288,graph_terms=1048576"), true);

enum class Outputs { none, own, others, of_rejected };

/// The kind of expected outputs in the case: some that the judge takes for equal to the reference's; or others, where
/// the specification decides. Throws reference::GraphError.
Outputs outputs_of(const Case& tested) {
  Outputs found = Outputs::none;
  const std::vector<ReferenceOutcome> interpreted = interpret(tested);
  for (std::size_t i = 0; i < interpreted.size(); ++i) {
    if (tested.data_sets[i].expected.empty()) continue;
    if (interpreted[i].outcome.result() == nullptr) return Outputs::of_rejected;
    const Demand own = demand_of(interpreted[i].outcome, JudgeOptions{}.sign_of_zero);
    if (mismatch(own, tested.data_sets[i].expected, tested.model.graph_outputs)) return Outputs::others;
    found = Outputs::own;
  }
  return found;
}

/// Checks the verdict on the reference.
void check(const Case& tested, Verdict verdict) {
  switch (outputs_of(tested)) {
    case Outputs::none:  // an illegal model has no control here, so its rejection is not shown
      return fuzz::require(is_pass(verdict) || verdict == Verdict::harness_error || verdict == Verdict::not_shown,
                           "the reference passes by itself");
    case Outputs::own:  // unless the specification leaves all of them open
      return fuzz::require(is_pass(verdict) || verdict == Verdict::not_shown,
                           "the reference passes by its own outputs");
    case Outputs::others: return fuzz::require(!is_pass(verdict), "the reference does not pass by other outputs");
    case Outputs::of_rejected: return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> paths = fuzz::paths_of_test_directory();
  static fuzz::KeptDirectory directory;
  static ReferenceBackend reference;
  directory.become(fuzz::files_of(data, size, paths));
  try {
    const Case tested = read_test_directory(directory.path(), "input");
    const CaseRecord record = run_case({tested.id, made_by({[&] { return Case(tested); }})}, reference);
    check(tested, record.verdict);
    fuzz::require(record_from_json(Json::parse(to_line(to_json(record)))) == record, "a record is read again");
  } catch (const FileError&) {
    return 0;
  } catch (const reference::NoSuchOperator&) {
    return 0;
  } catch (const reference::GraphError&) {  // an operator that is not supported, or a result that depends on rounding
    return 0;
  }
  return 0;
}
