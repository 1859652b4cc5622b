// The translation of nodes into calls of optimized/ refuses what the specification forbids, with the violated clause.
#include <gtest/gtest.h>

#include "conformance/backends/builtin/optimized_node.h"
#include "conformance/generate/illegal_cases.h"

namespace touchstone::conformance::optimized_refusals_test {
namespace {

/// Each must-reject case is refused for the clause that it violates. For padded rows the refusal only says that the
/// shape is wrong.
TEST(OptimizedRefusals, NameTheClauseThatIsViolated) {
  for (const IllegalCase& illegal : illegal_cases(0)) {
    if (illegal.float6_padding_is_set) continue;  // the file is wrong, not the node
    const OptimizedAnswer answer = run_optimized(illegal.node());
    const auto* refusal = std::get_if<Refusal>(&answer);
    ASSERT_NE(refusal, nullptr) << *illegal.id << " is accepted";
    if (illegal.clause == "pmx-packed-rows") continue;
    EXPECT_EQ(refusal->reason.substr(0, refusal->reason.find(':')), illegal.clause)
        << *illegal.id << ": " << refusal->reason;
  }
}

}  // namespace
}  // namespace touchstone::conformance::optimized_refusals_test
