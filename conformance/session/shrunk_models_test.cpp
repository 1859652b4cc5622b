// ONNX's checker accepts every legal model that shrinking tries.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "conformance/diagnose/hypotheses.h"
#include "conformance/diagnose/testing.h"
#include "conformance/generate/checker_testing.h"
#include "conformance/run/runner.h"
#include "conformance/session/shrink.h"

namespace touchstone::conformance::shrunk_models_test {
namespace {

/// A defective backend that checks each model with ONNX's checker.
class Checked : public WrongBackend {
 public:
  using WrongBackend::WrongBackend;

  UnitAnswer run(const Unit& unit) override {
    const std::string said = complaint(std::string(unit.model));
    EXPECT_EQ(said, "") << unit.case_id;
    ++asked;
    return refuses ? Refusal{"no kernel"} : WrongBackend::run(unit);
  }

  bool refuses = false;
  std::size_t asked = 0;
};

TEST(ShrunkModels, PassTheFullCheckOfOnnx) {
  std::size_t asked = 0;
  for (const char* name : {"rounds-half-away-from-zero", "ignores-zero-point", "ignores-axis", "takes-last-axis"})
    for (const PlannedCase& tested : standard_cases("quantize_linear/*:dequantize_linear/*:-*must_reject*", 499)) {
      for (const bool refuses : {false, true}) {
        Checked backend(find_hypothesis(name));
        backend.refuses = refuses;
        const CaseRecord record = run_case(tested, backend);
        if (!record.is_problem()) continue;
        EXPECT_EQ(shrink(tested, record, backend).record.verdict, record.verdict) << *tested.id;
        asked += backend.asked;
      }
    }
  EXPECT_GT(asked, 500U);
}

}  // namespace
}  // namespace touchstone::conformance::shrunk_models_test
