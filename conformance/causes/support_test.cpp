#include "conformance/causes/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "conformance/causes/testing.h"

namespace touchstone::conformance {
namespace {

using testing::SizeIs;

TEST(Support, ListsWhatTheBackendAnswers) {
  std::vector<CaseRecord> records{
      record_of("quantize_linear/10/f32-f32-u8/per_tensor/zp", Verdict::pass),
      record_of("quantize_linear/13/f32-f32-i8/per_axis/zp", Verdict::fail, "1 of 4 elements differ"),
      record_of("quantize_linear/13/i32-f32-i8/per_axis/zp", Verdict::rejects_valid, "no int32"),
      record_of("quantize_linear/21/f32-f32-u8/blocked/zp", Verdict::rejects_valid, "opset 21"),
      record_of("quantize_linear/21/f32-f32-u8/per_tensor/zp", Verdict::rejects_valid, "opset 21"),
      record_of("dequantize_linear/10/u8-f32-f32/per_tensor/zp", Verdict::rejects_valid, "no such operator"),
  };
  const std::vector<Support> support = find_support(records);
  ASSERT_THAT(support, SizeIs(2));
  EXPECT_EQ(in_words(support[0]),
            "QuantizeLinear: opset 10 to 13; x float; scale float; y uint8, int8; per tensor, per axis. "
            "Not: opset 21; x int32; blocked");
  EXPECT_EQ(in_words(support[1]), "DequantizeLinear: nothing");
}

/// A crash, a timeout, a permitted refusal or a case that is not asked shows nothing.
TEST(Support, IgnoresCasesThatShowNothing) {
  std::vector<CaseRecord> records{
      record_of("quantize_linear/10/f32-f32-u8/per_tensor/zp", Verdict::crash, "signal 11"),
      record_of("quantize_linear/10/f32-f32-u8/per_tensor/zp", Verdict::rejects_variant),
      record_of("quantize_linear/10/f32-f32-u8/per_tensor/zp", Verdict::rejects_valid, "not asked"),
  };
  records[2].declined = true;
  EXPECT_THAT(find_support(records), SizeIs(0));
}

}  // namespace
}  // namespace touchstone::conformance
