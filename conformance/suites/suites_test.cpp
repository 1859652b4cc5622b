#include "conformance/suites/suites.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "conformance/files/tensor_file.h"
#include "conformance/run/reproducer.h"
#include "conformance/testing.h"

namespace touchstone::conformance::suites_test {
namespace {

using testing::ElementsAre;

std::vector<std::string> ids(const std::filesystem::path& root) {
  std::vector<std::string> found;
  for (const PlannedCase& planned : plan_onnx_suite({root})) found.push_back(planned.id);
  return found;
}

TEST(OnnxSuite, NamesTestsByTheirPath) {
  const TemporaryDirectory directory;
  const std::filesystem::path& root = directory.path();
  for (const char* test : {"1.8.1/test_b", "1.5.0/test_c", "1.5.0/test_a"}) write_file(root / test / "model.onnx", "");
  write_file(root / "1.5.0" / "test_none" / "readme", "");
  EXPECT_THAT(ids(root), ElementsAre("onnx/1.5.0/test_a", "onnx/1.5.0/test_c", "onnx/1.8.1/test_b"));
  EXPECT_THAT(ids(root / "1.5.0" / ""), ElementsAre("onnx/test_a", "onnx/test_c"));
  EXPECT_THAT(ids(root / "1.5.0" / "test_a"), ElementsAre("onnx/test_a"));
  EXPECT_THAT(ids(root / "1.5.0" / "test_a" / ""), ElementsAre("onnx/test_a"));
  EXPECT_THAT(failure_of([&] { plan_onnx_suite({root / "nowhere"}); }), testing::HasSubstr("nowhere"));
}

TEST(OnnxSuite, GivesNamesThatAreNotUtf8DistinctIdsThatAre) {
  const TemporaryDirectory directory;
  const std::filesystem::path& root = directory.path();
  for (const char* test : {"\xff", "\xfe", "a%\xff\u00e9", "50%", "\u00e9"}) write_file(root / test / "model.onnx", "");
  EXPECT_THAT(ids(root), ElementsAre("onnx/%FE", "onnx/%FF", "onnx/50%", "onnx/a%25%FF\u00e9", "onnx/\u00e9"));
  write_file(root / "%FE" / "model.onnx", "");
  EXPECT_THAT(failure_of([&] { plan_onnx_suite({root}); }),
              testing::HasSubstr("two of its directories would have the id \"onnx/%FE\""));
}

PlannedCase only_case(const std::filesystem::path& root) {
  const std::vector<PlannedCase> cases = plan_onnx_suite({root});
  EXPECT_EQ(cases.size(), 1U);
  return cases.front();
}

TEST(PlanHash, DependsOnTheContentOfFilesAndNotOnTheirPlace) {
  const TemporaryDirectory directory;
  const auto written = [&](const char* place, const Case& made) {
    const std::filesystem::path root = directory.path() / place;
    write_reproducer(root, made, "test");
    write_file(root / "test" / "test_data_set_0" / "output_0.pb",
               tensor_file_content(made.data_sets[0].expected[0].value, "y"));
    return plan_hash({only_case(root)}, "standard", 0);
  };
  const std::string hash = written("one", per_axis_case());
  EXPECT_EQ(hash.size(), 64U);
  EXPECT_EQ(written("two", per_axis_case()), hash);
  Case other = per_axis_case();
  other.data_sets[0].expected[0].value.set_code(0, 11);
  EXPECT_NE(written("three", other), hash) << "another expected output";
  other = per_axis_case();
  other.data_sets[0].inputs[0].value.set_code(0, 0x3f800000);
  EXPECT_NE(written("four", other), hash) << "another input";
}

TEST(PlanHash, DependsOnWhatElseDecidesVerdicts) {
  const std::vector<PlannedCase> plan = plan_generated_suite({.tier = Tier::smoke});
  std::set<std::string> hashes{plan_hash(plan, "smoke", 0)};
  EXPECT_TRUE(hashes.insert(plan_hash(plan, "smoke", 1)).second);
  EXPECT_TRUE(hashes.insert(plan_hash(plan, "standard", 0)).second);
  for (const std::vector<std::string>& settings :
       {std::vector<std::string>{"strict"}, {"sign of zero"}, {"strict", "sign of zero"}, {"rank=8"}, {"rank=9"}})
    EXPECT_TRUE(hashes.insert(plan_hash(plan, "smoke", 0, settings)).second);
}

/// Sets the variables, and restores them afterwards.
class Environment {
 public:
  explicit Environment(const std::map<std::string, const char*>& variables) {
    for (const auto& [variable, value] : variables) {
      const char* before = std::getenv(variable.c_str());
      before_[variable] = before != nullptr ? std::optional<std::string>(before) : std::nullopt;
      ::setenv(variable.c_str(), value, 1);
    }
  }
  ~Environment() {
    for (const auto& [variable, value] : before_)
      value ? ::setenv(variable.c_str(), value->c_str(), 1) : ::unsetenv(variable.c_str());
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

std::string default_with(const char* data, const char* cache, const char* caches, const char* home = "/home/me") {
  const Environment environment(
      {{"TOUCHSTONE_DATA", data}, {"TOUCHSTONE_CACHE", cache}, {"XDG_CACHE_HOME", caches}, {"HOME", home}});
  return default_onnx_tests().string();
}

TEST(OnnxSuite, SearchesWhereSetupPutsTheData) {
  EXPECT_EQ(default_with("/data", "/cache", "/caches"), "/data");
  EXPECT_EQ(default_with("", "/cache", "/caches"), "/cache/onnx-node-tests");
  EXPECT_EQ(default_with("", "", "/caches"), "/caches/touchstone/onnx-node-tests");
  EXPECT_EQ(default_with("", "", ""), "/home/me/.cache/touchstone/onnx-node-tests");
  EXPECT_EQ(default_with("/data", "", "", ""), "/data");
  EXPECT_THAT(failure_of([] { default_with("", "", "", ""); }), testing::HasSubstr("set HOME"));
}

}  // namespace
}  // namespace touchstone::conformance::suites_test
