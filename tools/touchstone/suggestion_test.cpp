#include "tools/touchstone/suggestion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace touchstone::tools::suggestion_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Names = std::vector<std::string_view>;

TEST(SimilarNames, DifferByFewEdits) {
  const Names names{"--filter", "--backend", "--timeout", "--max-timeouts", "--tier"};
  EXPECT_THAT(similar_names("--fliter", names), ElementsAre("--filter")) << "swapped";
  EXPECT_THAT(similar_names("--filer", names), ElementsAre("--filter", "--tier")) << "one edit, and two";
  EXPECT_THAT(similar_names("--backends", names), ElementsAre("--backend"));
  EXPECT_THAT(similar_names("--bakkend", names), ElementsAre("--backend"));
  EXPECT_THAT(similar_names("--help", names), IsEmpty());
  EXPECT_THAT(similar_names("", names), IsEmpty());
  EXPECT_THAT(similar_names("ab", Names{"ac"}), IsEmpty()) << "half of the text differs";
}

TEST(SimilarNames, ContainTheGivenText) {
  const Names names{"onnx/1/test_a", "onnx/2/test_a", "onnx/3/test_a", "test_b"};
  EXPECT_THAT(similar_names("test_a", names), ElementsAre("onnx/1/test_a", "onnx/2/test_a", "onnx/3/test_a"));
  EXPECT_THAT(similar_names("test_a", names, 2), ElementsAre("onnx/1/test_a", "onnx/2/test_a"));
  EXPECT_EQ(did_you_mean("2/test", names), "\ndid you mean onnx/2/test_a?");
  EXPECT_EQ(did_you_mean("nothing of it", names), "");
}

TEST(SimilarNames, AreFoundFastForLongTexts) {
  const std::string text(1'000'000, 'a');
  EXPECT_THAT(similar_names(text, Names{text.substr(1), "a"}), IsEmpty());
}

RC_GTEST_PROP(SimilarNames, IncludeANameThatDiffersByOneEdit, (const std::string& end)) {
  const std::string name = "a name " + end.substr(0, 100);
  const std::size_t place = *rc::gen::inRange<std::size_t>(0, name.size());
  std::string given = name;
  switch (*rc::gen::inRange(0, 4)) {
    case 0: given.erase(place, 1); break;
    case 1: given.insert(place, 1, '?'); break;
    case 2: given[place] = '?'; break;
    default: std::swap(given[place], given[place == 0 ? 1 : place - 1]); break;
  }
  RC_ASSERT(similar_names(given, Names{"quite another one", name}).front() == name);
}

TEST(DidYouMean, CompletesOrCorrectsAFilter) {
  const Names ids{"quantize_linear/21/f32-f32-u8/per_tensor/zp/values",
                  "quantize_linear/21/f32-f32-i8/per_axis/zp/values", "onnx/1.22.0/test_quantizelinear_axis"};
  struct Row {
    const char* filter;
    const char* meant;
  };
  const Row rows[] = {
      {"onnx/1.22.0", "'onnx/1.22.0/*'"},
      {"quantizelinear_axis", "'*quantizelinear_axis*'"},
      {"quantize_linear/21/f32-f32-u8/per_tenso/*", "'quantize_linear/21/f32-f32-u8/per_tensor/*'"},
      {"*/per_axsi/*/vaules", "'*/per_axis/*/values'"},
      {"*/*-f32-u9/*", ""},
      {"quantize_linera/*-f32-u8/*", "'quantize_linear/*-f32-u8/*'"},
      {"qauntize_linear/21/f32-f32-i7/*", "'quantize_linear/21/f32-f32-i8/*'"},
      {"*/per_tensr/*:onnx/*:-onnx/*", "'*/per_tensor/*:onnx/*:-onnx/*'"},
      {"onnx/*:-*axis", ""},
      {"quantize_linear/22/*", ""},
      {"nothing", ""},
      {"onnx/*/nothing", ""},
      {"z*:axis*", ""},
  };
  for (const Row& row : rows) {
    const std::string line = *row.meant != '\0' ? "\ndid you mean " + std::string(row.meant) + "?" : "";
    EXPECT_EQ(did_you_mean(conformance::Filter(row.filter), ids), line) << row.filter;
  }
}

}  // namespace
}  // namespace touchstone::tools::suggestion_test
