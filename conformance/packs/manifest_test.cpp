#include "conformance/packs/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/files/testing.h"

namespace touchstone::conformance {
namespace {

using testing::HasSubstr;

std::string manifest() {
  PackInfo pack{.tool_version = "1", .suites = {"generated"}, .tier = "smoke", .filter = "*", .plan_hash = "0"};
  pack.assumed.static_shapes_only = true;
  return manifest_head(pack, 1) + manifest_line("a/b", "no model.onnx", Sha256{{0xff}}) + manifest_end();
}

TEST(Manifest, IsReadAsItWasWritten) {
  const Manifest read = parse_manifest(manifest(), "memory");
  EXPECT_EQ(read.tier, "smoke");
  EXPECT_TRUE(read.assumed.static_shapes_only);
  ASSERT_EQ(read.cases.size(), 1U);
  EXPECT_EQ(read.cases.front().id, "a/b");
  EXPECT_EQ(read.cases.front().digest, Sha256{{0xff}});
}

TEST(Manifest, ReportsWhatIsWrongWithIt) {
  const std::string whole = manifest();
  const auto failure_with = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    text.replace(text.find(from), from.size(), to);
    return failure_of([&] { parse_manifest(text, "memory"); });
  };
  const std::string nested = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_THAT(failure_with("\"touchstone_pack\":2", "\"touchstone_pack\":1"),
              HasSubstr("has another format version than 2"));
  EXPECT_THAT(failure_with("\"seed\":0", "\"seed\":-1"), HasSubstr("seed: is not a whole number"));
  EXPECT_THAT(failure_with("ff00", "xf00"), HasSubstr("\" is not a digest"));
  EXPECT_THAT(failure_with("\"assume\":[", "\"assume\":[" + nested + ","), HasSubstr("memory: is not the manifest"));
  EXPECT_THAT(failure_with("\"assume\":[", "\"assume\":[" + nested + ","), HasSubstr("deeper than the limit of 32"));
  for (const std::string& failure :
       {failure_with("static-shapes", "\\n::error::"), failure_with("ff00", "\\n::error::")})
    EXPECT_THAT(failure, testing::AllOf(HasSubstr("\\x0a::error::"), testing::Not(HasSubstr("\n"))));
}

}  // namespace
}  // namespace touchstone::conformance
