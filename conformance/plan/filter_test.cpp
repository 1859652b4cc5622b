#include "conformance/plan/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "conformance/files/limits.h"

namespace touchstone::conformance::filter_test {
namespace {

struct Row {
  const char* patterns;
  const char* id;
  bool taken;
};

const Row rows[] = {
    {"*", "onnx/1.5.0/test_quantizelinear", true},
    {"onnx/1.5.0/*", "onnx/1.5.0/test_quantizelinear", true},
    {"onnx/1.5.0/*", "onnx/1.8.1/test_quantizelinear", false},
    {"onnx/1.5.?/*", "onnx/1.5.0/test_quantizelinear", true},
    {"onnx/1.5.?/*", "onnx/1.5.10/test_quantizelinear", false},
    {"a:b", "b", true},
    {"a:b", "c", false},
    {"a", "ab", false},
    {"*-*blocked*", "test_blocked", false},
    {"*-*blocked*", "test_axis", true},
    {"-*blocked*", "test_axis", true},
    {"-*blocked*", "test_blocked", false},
    {"a:b:-b", "a", true},
    {"a:b:-b", "b", false},
    {"*-onnx/*:b", "b", false},
    {"x/f16-int4/*", "x/f16-int4/zp", true},
    {"a**b", "ab", true},
    {"a***b*", "a/b/c", true},
    {"a**b", "ac", false},
    {"*-**blocked**", "test_blocked", false},
    {"a[1]", "a[1]", true},
    {"a[1]", "a1", false},
    // A "-" after "*" is a part of its pattern if no id begins with what follows.
    {"*/*-f32-f32/*", "dequantize_linear/21/u8-f32-f32/per_tensor/zp/values", true},
    {"*/*-f32-f32/*", "dequantize_linear/21/u8-f16-f16/per_tensor/zp/values", false},
    {"*-u8/*", "quantize_linear/21/f32-f32-u8/per_axis/zp/values", true},
    {"*-u8/*", "quantize_linear/21/f32-f32-i8/per_axis/zp/values", false},
    {"quantize_linear/*-?8/*", "quantize_linear/21/f32-f32-i8/per_axis/zp/values", true},
    {"quantize_linear/*-?8/*", "quantize_linear/21/f32-f32-i4/per_axis/zp/values", false},
    {"exhaustive/quantize_linear/*-u8/*x=0x3*", "exhaustive/quantize_linear/28/f32-f32-u8/x=0x3", true},
    {"exhaustive/quantize_linear/*-u8/*x=0x3*", "exhaustive/quantize_linear/28/f32-f32-i8/x=0x3", false},
    {"onnx/*-axis", "onnx/mine/another-axis", true},
    {"a/*-f16-*:b/*-f16-*:-*/c", "b/u8-f16-f32/d", true},
    {"a/*-f16-*:b/*-f16-*:-*/c", "a/u8-f16-f32/c", false},
    {"a/*-f16-*:b/*-f16-*:-*/c", "a/u8-f32-f32/d", false},
    {"*/*-f32*-onnx/*", "onnx/u8-f32", false},
    {"*/*-f32*-onnx/*", "a/u8-f32", true},
    // It excludes if an id can begin with what follows.
    {"a*:b*-c*", "b", true},
    {"a*:b*-c*", "b-c", true},
    {"a*:b*-c*", "a1", true},
    {"*-c*", "com.microsoft/quantize_linear/1/f32-f32-u8/per_tensor/zp/values", false},
    {"*-onnx/1.22.0/*", "onnx/1.22.0/test_quantizelinear", false},
    {"*-exhaustive/*", "exhaustive/quantize_linear/28/f32-f32-u8/x=0x3", false},
    {"onnx/*-?nnx/1.*", "onnx/1.5.0/test_quantizelinear", false},
    {"quantize_linear/28/*-*/blocked/*", "quantize_linear/28/f32-f32-u8/blocked/zp/values", false},
    {"quantize_linear/28/*-*/blocked/*", "quantize_linear/28/f32-f32-u8/per_axis/zp/values", true},
    {"a/*:*-*f32-u8/*", "quantize_linear/28/f32-f32-u8/blocked/zp/values", false},
    {"*-e*", "quantize_linear/28/f32-f32-e5m2/blocked/zp/values", true},
    {"*-e*", "exhaustive/quantize_linear/28/f32-f32-u8/x=0x3", false},
    // The two ways to write what is ambiguous.
    {"*/*?-*-u8/*", "quantize_linear/28/f32-f32-u8/blocked/zp/values", true},
    {"*/*?-*-u8/*", "quantize_linear/28/f32-f32-i8/blocked/zp/values", false},
    {"*/*:-*-u8/*", "quantize_linear/28/f32-f32-u8/blocked/zp/values", false},
    {"*/*:-*-u8/*", "quantize_linear/28/f32-f32-i8/blocked/zp/values", true},
};

TEST(Filter, MatchesItsPatterns) {
  for (const Row& row : rows)
    EXPECT_EQ(Filter(row.patterns).matches(row.id), row.taken) << row.patterns << " on " << row.id;
}

TEST(Filter, RefusesADashWithTwoMeanings) {
  const auto message = [](const char* patterns) -> std::string {
    try {
      const Filter filter(patterns);
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message("*/*-*-u8/*"),
            "the '-' in '*/*-*-u8/*' after '*/*' may be a part of an id or the start of the patterns to exclude; write "
            "'*/*?-*-u8/*' if it is a part of an id, '*/*:-*-u8/*' to exclude");
  EXPECT_THAT(message("onnx/*:quantize_linear/*-*f32-u8/*:b"),
              testing::HasSubstr("write 'onnx/*:quantize_linear/*?-*f32-u8/*:b'"));
  EXPECT_THAT(message("quantize_linear/*-e*"), testing::HasSubstr("to exclude")) << "exhaustive, or e5m2?";
}

TEST(Filter, RefusesToSelectByNothing) {
  for (const char* patterns : {"", ":", "-", "::-:"}) EXPECT_THROW(Filter{patterns}, std::invalid_argument) << patterns;
}

TEST(Filter, RefusesTooManyPatterns) {
  const std::string most(limits().filter_patterns - 1, ':');
  EXPECT_NO_THROW(Filter("a" + most));
  EXPECT_THROW(Filter("a" + most + ":b"), std::invalid_argument);
  EXPECT_THROW(Filter("-a" + most + ":b"), std::invalid_argument);
}

}  // namespace
}  // namespace touchstone::conformance::filter_test
