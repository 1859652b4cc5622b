#include "conformance/run/reproducer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/files/test_directory.h"
#include "conformance/generate/illegal_cases.h"
#include "conformance/judge/digests.h"
#include "conformance/judge/oracle.h"
#include "conformance/run/runner.h"
#include "conformance/suites/suites.h"
#include "conformance/testing.h"
#include "reference/interpreter.h"

namespace touchstone::conformance::reproducer_test {
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
    const CaseRecord after = run_case(plan_onnx_suite({.data = path}).front(), reference);
    EXPECT_EQ(after.verdict, Verdict::pass) << written.id << ": " << *after.reason;
    Case read = read_test_directory(path, "back");
    for (DataSet& data : read.data_sets) data.expected.clear();  // the reproducer adds them
    EXPECT_EQ(case_digest(read, interpret(read)), before.digest) << written.id;
    EXPECT_EQ(after.cells, before.cells) << written.id;
    EXPECT_EQ(after.violated, before.violated) << written.id;
  }
}

Case written_and_read(const TemporaryDirectory& directory, const Case& written) {
  write_reproducer(directory.path(), written);
  return read_test_directory(directory.path(), written.id);
}

TEST(Reproducer, RequiresTheSameOutputsForRepeatedInputs) {
  Case written = per_axis_case();
  written.data_sets.push_back(written.data_sets[0]);
  written.data_sets.push_back(written.data_sets[0]);
  written.data_sets[2].repeats = 0;
  const TemporaryDirectory directory;
  const Case read = written_and_read(directory, written);
  ASSERT_EQ(read.data_sets.size(), 3U);
  EXPECT_EQ(read.data_sets[1].repeats, std::nullopt);
  EXPECT_EQ(read.data_sets[2].repeats, std::optional<std::size_t>(0));
}

TEST(Reproducer, KeepsTheFaultOfAFileWithFloat6Padding) {
  std::size_t seen = 0;
  for (const IllegalCase& illegal : illegal_cases(0)) {
    if (!illegal.float6_padding_is_set) continue;
    ++seen;
    const Case written = make_case(illegal);
    const TemporaryDirectory directory;
    const Case read = written_and_read(directory, written);
    EXPECT_TRUE(read.float6_padding_is_set);
    EXPECT_EQ(read.model.bytes, written.model.bytes);
    EXPECT_EQ(describe(read).violated_id(), "onnx-6-bit-padding");
    FakeBackend lenient([&]() -> UnitAnswer {
      return std::vector<Answer>{
          Outputs{{written.model.graph_outputs.front(), reference::interpret(illegal.node()).result()->y}}};
    });
    const auto judged = [&](const Case& tested) {
      return run_case({tested.id, made_by({[&] { return tested; }})}, lenient, {.strict = true}).verdict;
    };
    EXPECT_EQ(judged(written), Verdict::accepts_invalid);
    EXPECT_EQ(judged(read), Verdict::accepts_invalid);
  }
  EXPECT_EQ(seen, 4U);
}

TEST(ReproducerPath, StaysBelowItsDirectory) {
  EXPECT_EQ(reproducer_path("onnx/1.22.0/test"), std::filesystem::path("onnx/1.22.0/test"));
  EXPECT_EQ(reproducer_path("/etc/../../x"), std::filesystem::path("etc/x"));
}

}  // namespace
}  // namespace touchstone::conformance::reproducer_test
