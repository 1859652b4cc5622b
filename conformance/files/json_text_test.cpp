#include "conformance/files/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "conformance/files/limits.h"

namespace touchstone::conformance::json_text_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

std::string repeated(int count, const std::string& text) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

TEST(JsonLimits, BoundNestingAndMembers) {
  const int nesting = static_cast<int>(limits().nesting);
  const int members = static_cast<int>(limits().members_per_object);
  const auto nested = [](int depth) { return repeated(depth, "[") + repeated(depth, "]"); };
  const auto object = [](int count) { return "{" + repeated(count - 1, "\"\":0,") + "\"\":0}"; };
  EXPECT_NO_THROW(check_json_limits(nested(nesting)));
  EXPECT_THAT([&] { check_json_limits(nested(nesting + 1)); },
              ThrowsMessage<std::runtime_error>(HasSubstr("nested deeper than the limit of 32")));
  EXPECT_THAT([&] { check_json_limits(repeated(nesting + 1, "{\"\":")); }, testing::Throws<std::runtime_error>());
  EXPECT_NO_THROW(check_json_limits(object(members)));
  EXPECT_THAT([&] { check_json_limits("[1," + object(members + 1) + "]"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("more members than the limit of 64")));
}

/// The values of a text of empty arrays take fifteen times the memory of the text.
TEST(JsonLimits, BoundTheNumberOfValues) {
  const auto arrays = [](std::uint64_t count) { return "[" + repeated(static_cast<int>(count) - 1, "[],") + "[]]"; };
  // Each array counts twice: as a value, and as room for one.
  EXPECT_NO_THROW(check_json_limits(arrays((limits().json_values - 1) / 2)));
  for (const std::string& text : {arrays(limits().json_values), "{\"a\":" + arrays(limits().json_values)})
    EXPECT_THAT([&] { check_json_limits(text); },
                ThrowsMessage<std::runtime_error>(HasSubstr("more values than the limit of 262144 (json_values)")));
}

TEST(JsonLimits, DoNotBoundArraysOrStrings) {
  EXPECT_NO_THROW(check_json_limits("{\"a\":[" + repeated(1000, "[0,0],") + "0]}"));
  EXPECT_NO_THROW(check_json_limits("{\"a\":\"" + repeated(1000, "[,{\\\"") + "\"}"));
  EXPECT_NO_THROW(check_json_limits("]]}}" + repeated(1000, ",")));
}

TEST(ParseJson, RefusesAMemberThatOccursTwice) {
  EXPECT_EQ(parse_json(R"({"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]})")["c"][1]["a"], 4);
  for (const char* text : {R"({"a":1,"a":1})", R"({"a":1,"\u0061":1})", R"([{"b":{"a":1,"c":{},"a":1}}])"})
    EXPECT_THAT([&] { parse_json(text); }, ThrowsMessage<std::runtime_error>(HasSubstr("\"a\" occurs twice"))) << text;
}

TEST(ParseJson, SaysWhereATextIsNotJson) {
  EXPECT_THAT([] { parse_json("{\"a\": what}"); },
              ThrowsMessage<std::runtime_error>(StartsWith("is not JSON: parse error at line 1, column 7")));
}

}  // namespace
}  // namespace touchstone::conformance::json_text_test
