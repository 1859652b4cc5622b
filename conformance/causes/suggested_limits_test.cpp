#include "conformance/causes/suggested_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "conformance/backends/assumptions.h"
#include "conformance/causes/testing.h"

namespace touchstone::conformance::suggested_limits_test {
namespace {

using testing::ElementsAre;

TEST(SuggestedLimits, HoldAllThatIsAnswered) {
  std::vector<CaseRecord> records{
      record_of("quantize_linear/10/f32-f32-u8/per_tensor/zp", Verdict::pass),
      record_of("dequantize_linear/13/u8-f32-f32/per_axis/zp", Verdict::fail, "1 of 4 elements differ"),
      record_of("quantize_linear/13/i32-f32-u8/per_axis/zp", Verdict::rejects_valid, "no int32"),
      record_of("quantize_linear/21/f32-f32-u8/blocked/zp", Verdict::rejects_valid, "opset 21"),
      record_of("quantize_linear/13/f32-f32-u8/per_axis/zp", Verdict::rejects_valid, "no symbolic dimensions"),
  };
  records.back().form = "symbolic";
  const Capabilities limits = find_limits(records);
  EXPECT_THAT(assumptions(limits), ElementsAre("static-shapes", "types=FLOAT,UINT8", "opsets=ai.onnx:10-13"));

  for (CaseRecord& record : records)
    if (record.verdict == Verdict::rejects_valid) record.verdict = Verdict::pass;
  EXPECT_EQ(find_limits(records), Capabilities{});
  for (CaseRecord& record : records) record.verdict = Verdict::rejects_valid;
  EXPECT_EQ(find_limits(records), Capabilities{}) << "nothing is supported";
}

/// A domain without an answer is omitted.
TEST(SuggestedLimits, NameDomains) {
  std::vector<CaseRecord> records{
      record_of("com.microsoft/quantize_linear/1/f32-f32-u8/per_tensor/zp", Verdict::rejects_valid, "no"),
      record_of("quantize_linear/13/f32-f32-u8/per_tensor/zp", Verdict::pass),
      record_of("quantize_linear/13/f32-f32-u8/per_tensor/zp", Verdict::pass),
  };
  records[1].form = "initializers";
  EXPECT_THAT(assumptions(find_limits(records)), ElementsAre("opsets=ai.onnx:13"));
  records[2].verdict = Verdict::rejects_valid;
  EXPECT_THAT(assumptions(find_limits(records)), ElementsAre("constant-scales", "opsets=ai.onnx:13"));
}

/// A crash, a timeout, a permitted refusal or a case that is not asked shows nothing.
TEST(SuggestedLimits, IgnoreCasesThatShowNothing) {
  std::vector<CaseRecord> records{
      record_of("quantize_linear/10/f32-f32-u8/per_tensor/zp", Verdict::crash, "signal 11"),
      record_of("quantize_linear/10/f32-f32-u8/per_tensor/zp", Verdict::rejects_variant),
      record_of("quantize_linear/10/f32-f32-u8/per_tensor/zp", Verdict::rejects_valid, "not asked"),
  };
  records[2].declined = true;
  records.push_back(record_of("quantize_linear/13/f32-f32-u8/per_tensor/zp", Verdict::pass));
  EXPECT_EQ(find_limits(records), Capabilities{});
}

}  // namespace
}  // namespace touchstone::conformance::suggested_limits_test
