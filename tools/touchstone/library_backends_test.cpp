// touchstone run with backends in shared libraries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::library_backends_test {
namespace {

using testing::HasSubstr;

struct Example {
  const char* library;
  const char* name;
  const char* filter;  ///< the cases that it can run
};

TEST(Library, IsABackend) {
  for (const Example& example :
       {Example{TOUCHSTONE_C_BACKEND, "c-example", "quantize_linear/*/f32-f32-u8/per_tensor/zp/*"},
        Example{TOUCHSTONE_CPP_BACKEND, "cpp-example", "dequantize_linear/*/u8-f32-f32/per_tensor/zp/*"}}) {
    const TemporaryDirectory scratch;
    const Outcome outcome = touchstone(scratch, {"run", "--suite", "generated", "--filter", example.filter, "--backend",
                                                 std::string("lib:") + example.library, "--output", "out", "--quiet"});
    EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
    const auto report = report_in(scratch.path() / "out");
    EXPECT_EQ(report["backend"]["name"], example.name);
    EXPECT_GT(verdicts_of(report)["pass"], 0) << example.name;
    EXPECT_GT(verdicts_of(report)["rejects_valid"], 0) << "of constant scales";
    for (const char* verdict : {"fail", "accepts_invalid", "crash", "timeout", "not_run", "harness_error"})
      EXPECT_EQ(verdicts_of(report)[verdict], 0) << example.name << verdict;
  }
}

#if defined(TOUCHSTONE_PROTOBUF_BACKEND)
TEST(Library, CanContainItsOwnProtocolBuffersAndOnnxMessages) {
  const TemporaryDirectory scratch;
  const Outcome outcome =
      touchstone(scratch, {"run", "--suite", "generated", "--filter", "quantize_linear/13/f32-f32-u8/per_tensor/zp/*",
                           "--backend", std::string("lib:") + TOUCHSTONE_PROTOBUF_BACKEND, "--output", "out"});
  EXPECT_EQ(outcome.exit_code, 5) << "nothing is right\n" << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("no kernel for QuantizeLinear"));
  const auto verdicts = verdicts_of(report_in(scratch.path() / "out"));
  EXPECT_GT(verdicts["rejects_valid"], 0);
  EXPECT_EQ(verdicts["crash"], 0);
  EXPECT_EQ(verdicts["harness_error"], 0);
}
#endif

TEST(Library, ThatLiesLosesOneCaseAndItsReportSaysWhy) {
  const TemporaryDirectory scratch;
  for (const char* name : {"first", "second"}) copy_of("1.22.0/test_quantizelinear", scratch.path() / "1.22.0" / name);
  const Outcome outcome = touchstone(scratch,
                                     {"run", "--backend", std::string("lib:") + TOUCHSTONE_LYING_LIBRARY, "--suite",
                                      "onnx", "--data", scratch.path().string(), "--output", "out"},
                                     [] { ::setenv("TOUCHSTONE_LIE", "too_few_bytes", 1); });
  EXPECT_EQ(outcome.exit_code, 3) << outcome.error;
  const auto report = report_in(scratch.path() / "out");
  ASSERT_EQ(report["cases"].size(), 2U);
  for (const auto& one : report["cases"]) {
    EXPECT_EQ(one["verdict"], "harness_error");
    EXPECT_THAT(one["reason"].get<std::string>(), HasSubstr("output 0: 5 bytes; type uint8 and shape [2, 3] need 6"));
  }
}

TEST(Library, DeclaresItsLimits) {
  const TemporaryDirectory scratch;
  touchstone(scratch, {"run", "--suite", "generated", "--filter", "quantize_linear/10/f32-f32-i8/per_tensor/zp/*",
                       "--backend", std::string("lib:") + TOUCHSTONE_C_BACKEND, "--output", "out", "--quiet"});
  const auto report = report_in(scratch.path() / "out");
  EXPECT_GT(report["cases"].size(), 0U);
  for (const auto& one : report["cases"])
    EXPECT_THAT(one["reason"].get<std::string>(), HasSubstr("the backend declares that it takes some element types"));
}

TEST(Library, ReportsWhyItCannotBeLoaded) {
  const TemporaryDirectory scratch;
  const Outcome none = touchstone(scratch, {"run", "--backend", "lib:./none.so"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.error, HasSubstr("lib:./none.so cannot be loaded"));
  const Outcome other = touchstone(scratch, {"run", "--backend", "lib:libm.so.6"});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.error, HasSubstr("lib:libm.so.6 has no function touchstone_backend_abi"));
}

}  // namespace
}  // namespace touchstone::tools::library_backends_test
