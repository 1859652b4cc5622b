#include "conformance/plan/filter.h"

#include <gtest/gtest.h>

namespace touchstone::conformance {
namespace {

struct Row {
  const char* patterns;
  const char* id;
  bool taken;
};

const Row rows[] = {
    {"*", "onnx/1.5.0/test_quantizelinear", true},
    {"", "anything", true},
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
    {"*-a:b", "b", false},
    {"x/f16-int4/*", "x/f16-int4/zp", true},
    {"a**b", "ab", true},
    {"a***b*", "a/b/c", true},
    {"a**b", "ac", false},
    {"*-**blocked**", "test_blocked", false},
    {"a[1]", "a[1]", true},
    {"a[1]", "a1", false},
};

TEST(Filter, TakesAsItsPatternsSay) {
  for (const Row& row : rows)
    EXPECT_EQ(Filter(row.patterns).matches(row.id), row.taken) << row.patterns << " on " << row.id;
}

}  // namespace
}  // namespace touchstone::conformance
