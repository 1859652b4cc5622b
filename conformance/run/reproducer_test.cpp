#include "conformance/run/reproducer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/reference_backend.h"
#include "conformance/files/test_directory.h"
#include "conformance/generate/generated_suite.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"

namespace touchstone::conformance {
namespace {

using testing::ElementsAre;

TEST(Reproducer, IsReadBackAsTheSameCase) {
  const TemporaryDirectory directory;
  const std::vector<PlannedCase> plan = plan_generated_suite({});
  ReferenceBackend reference;
  for (std::size_t i = 0; i < plan.size(); i += 999) {
    const Case written = plan[i].read();
    const CaseRecord before = run_case(plan[i], reference);
    const auto path = directory.path() / reproducer_path(written.id);
    write_reproducer(path, written);
    const CaseRecord after = run_case({"back", [&] { return read_test_directory(path, "back"); }}, reference);
    EXPECT_EQ(after.verdict, Verdict::pass) << written.id << ": " << after.reason;
    EXPECT_EQ(after.digest, before.digest) << written.id;
    EXPECT_EQ(after.cells, before.cells) << written.id;
    EXPECT_EQ(after.violated, before.violated) << written.id;
  }
}

CaseRecord record(Verdict verdict, int opset) {
  CaseRecord made;
  made.verdict = verdict;
  made.subject = {spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, opset), opset,
                  spec::ElementType::uint8};
  return made;
}

TEST(ChooseReproducers, TakesOneOfEachClusterFirst) {
  const std::vector<CaseRecord> records{
      record(Verdict::fail, 21), record(Verdict::fail, 22),          record(Verdict::pass, 21),
      record(Verdict::fail, 10), record(Verdict::harness_error, 21), record(Verdict::crash, 21),
  };
  EXPECT_THAT(choose_reproducers(records, 3), ElementsAre(0, 3, 5));
  EXPECT_THAT(choose_reproducers(records, 9), ElementsAre(0, 3, 5, 1));
  EXPECT_THAT(choose_reproducers(records, 0), ElementsAre());
}

TEST(ReproducerPath, StaysBelowItsDirectory) {
  EXPECT_EQ(reproducer_path("onnx/1.22.0/test"), std::filesystem::path("onnx/1.22.0/test"));
  EXPECT_EQ(reproducer_path("/etc/../../x"), std::filesystem::path("etc/x"));
}

}  // namespace
}  // namespace touchstone::conformance
