#include "conformance/packs/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <utility>

#include "conformance/files/limits.h"
#include "conformance/files/testing.h"

namespace touchstone::conformance::manifest_test {
namespace {

using testing::HasSubstr;

/// The manifest of a pack of two cases.
std::string manifest() {
  PackInfo pack;
  pack.run.tool_version = "1";
  pack.run.suites = {"generated"};
  pack.run.tier = "smoke";
  pack.run.plan_hash = "0";
  pack.run.cases = 2;
  pack.run.assumed.static_shapes_only = true;
  return manifest_head(pack) + manifest_line("a/b", "no model.onnx", Sha256{{0xff}}) + ",\n" +
         manifest_line("a/c", "no model.onnx") + manifest_end();
}

std::vector<std::string> cases_in(const std::string& content) {
  ManifestReader manifest(std::make_unique<std::istringstream>(content), "memory");
  std::vector<std::string> cases;
  while (std::optional<std::string> row = manifest.next()) cases.push_back(*std::move(row));
  return cases;
}

TEST(Manifest, IsReadAsItWasWritten) {
  const ManifestReader read(std::make_unique<std::istringstream>(manifest()), "memory");
  EXPECT_EQ(read.pack().run.tier, "smoke");
  EXPECT_TRUE(read.pack().run.assumed.static_shapes_only);
  EXPECT_THAT(cases_in(manifest()), testing::ElementsAre(manifest_line("a/b", "no model.onnx", Sha256{{0xff}}),
                                                         manifest_line("a/c", "no model.onnx")));
}

TEST(Manifest, ReportsWhatIsWrongWithIt) {
  const std::string whole = manifest();
  const auto failure_with = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    EXPECT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    return failure_of([&] { cases_in(text); });
  };
  const std::string nested = std::string(100'000, '[') + std::string(100'000, ']');
  const std::string last_case = ",\n" + manifest_line("a/c", "no model.onnx");
  const std::tuple<std::string, std::string, std::string> rows[]{
      {"\"touchstone_pack\":2", "\"touchstone_pack\":1", "line 1: is not the manifest of a pack"},
      {"\"touchstone_pack\":2", "\"touchstone_pack\":1", "has a format version other than 2"},
      {"[\"generated\"]", "[]", "suites: is empty"},
      {"\"seed\":0", "\"seed\":-1", "seed: is not a whole number"},
      {"\"cases\":2", "\"cases\":2.5", "cases: is not a whole number"},
      {"\"assume\":[", "\"assume\":[" + nested + ",", "deeper than the limit of 32"},
      {"\"filter\":\"*\"", "\"filter\":\"" + std::string(limits().filter_patterns, ':') + "\"",
       "more than the limit of 10000 patterns (filter_patterns)"},
      // Unknown and repeated members, at every depth.
      {"\"with_outputs\"", "\"more\":0,\"with_outputs\"", "\"more\" is unknown"},
      {"\"seed\"", "\"more\":0,\"seed\"", "\"more\" is unknown"},
      {"\"version\"", "\"more\":0,\"version\"", "\"more\" is unknown"},
      {"Bit for bit", "Almost", "comparison: is not the text of this format"},
      {"\"seed\":0", "\"seed\":0,\"seed\":1", "\"seed\" occurs twice"},
      // More or fewer cases than the plan has, or text after them.
      {last_case, "", "line 2: is not the manifest of a pack, or is damaged: ends after 1 of the 2 cases of the plan"},
      {last_case, last_case + last_case,
       "line 3: is not the manifest of a pack, or is damaged: has more cases than the plan, which has 2"},
      {"\n]}\n", "", "line 3: is not the manifest of a pack, or is damaged: the file ends within this line"},
      {"\n]}\n", "\n]}\n{}\n", "line 4: is not the manifest of a pack, or is damaged: is not the end of a manifest"},
      {"\n]}\n", "\n}]\n", "is not the end of a manifest"},
  };
  for (const auto& [from, to, message] : rows) EXPECT_THAT(failure_with(from, to), HasSubstr(message));
  EXPECT_THAT(failure_with("static-shapes", "\\n::error::"),
              testing::AllOf(HasSubstr("\\x0a::error::"), testing::Not(HasSubstr("\n"))));
}

}  // namespace
}  // namespace touchstone::conformance::manifest_test
