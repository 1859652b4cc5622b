#include "conformance/packs/layout.h"

#include <gtest/gtest.h>

namespace touchstone::conformance::layout_test {
namespace {

TEST(TestName, LooksLikeThatOfAnOnnxTest) {
  const std::pair<const char*, const char*> rows[] = {
      {"quantize_linear/21/f32-f32-u8/per_axis/no_zp/saturate=1/values",
       "test_quantizelinear_21_f32_f32_u8_per_axis_no_zp_saturate_1_values"},
      {"com.microsoft/dequantize_linear/1/must_reject/x", "test_com_microsoft_dequantizelinear_1_must_reject_x"},
      {"onnx/1.23.2/test_quantizelinear_uint16", "test_onnx_1_23_2_test_quantizelinear_uint16"},
      {"a/with_axis/-1/saturate=1", "test_a_with_axis_minus_1_saturate_1"},
      {"a/with_axis/1/saturate=1", "test_a_with_axis_1_saturate_1"},
      {"../../\xc3\xa9tc/", "test_tc"},
      {"", "test"},
  };
  for (const auto& [id, name] : rows) EXPECT_EQ(test_name(id), name);
}

TEST(TestName, OfALongIdIsCutAndEndsInADigest) {
  const std::string long_id = "a/" + std::string(243, 'x');
  EXPECT_EQ(test_name(long_id), "test_a_" + std::string(243, 'x')) << "250 bytes";
  // FNV-1a, 64 bits, of "a/" and 244 times "x", computed by an independent program.
  EXPECT_EQ(test_name(long_id + "x"), "test_a_" + std::string(226, 'x') + "_fd8eb5ac6305b4e9");
  const std::string one = test_name(long_id + "/some/more");
  const std::string other = test_name(long_id + "/some/other");
  EXPECT_EQ(one.size(), 250U);
  EXPECT_EQ(other.size(), 250U);
  EXPECT_NE(one, other);
}

TEST(PackPath, SeparatesMustRejectCases) {
  EXPECT_EQ(pack_path("a/b", false), "cases/test_a_b");
  EXPECT_EQ(pack_path("a/b", true), "must_reject/test_a_b");
}

}  // namespace
}  // namespace touchstone::conformance::layout_test
