// The results of all backends for a model of a user, as JSON and HTML.
#include "conformance/check/overview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "conformance/files/json_text.h"
#include "conformance/units/testing.h"

namespace touchstone::conformance::overview_test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The sum reads x twice: as dequantized, and behind Relu.
constexpr const char* residual = R"(g (uint8[4] x) => (uint8[4] y) <float s = {0.5}> {
    a = DequantizeLinear(x, s)
    b = Relu(a)
    c = Add(a, b)
    y = QuantizeLinear(c, s)
  })";

class Written : public testing::Test {
 protected:
  Written() : parts_(file_of_graph(scratch_, residual), {}), nodes_(examine(parts_)) {
    overview_.backends.push_back(
        {"first", "1", std::vector(parts_.size(), AnswerClass::right), {}, {}, "first-reports"});
    overview_.backends.push_back({"second",
                                  "2",
                                  std::vector(parts_.size(), AnswerClass::right),
                                  {"ignores <the> scale"},
                                  {"level = 0: right in 1 of 1 wrong parts"},
                                  "second"});
    overview_.backends[1].results.back() = AnswerClass::wrong;
  }

  TemporaryDirectory scratch_;
  ModelParts parts_;
  std::vector<ExaminedNode> nodes_;
  Overview overview_{"net.onnx", parts_, nodes_, {}};
};

TEST_F(Written, JsonHasPartsAndTheirResults) {
  const Json json = Json::parse(overview_json(overview_));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["legal"], true);
  EXPECT_EQ(json["nodes"], 4);
  EXPECT_EQ(json["checked_nodes"], 4);
  ASSERT_EQ(json["parts"].size(), parts_.size());
  const Json& unit = json["parts"].back();
  EXPECT_EQ(unit["id"], "model/net/unit/1/Relu+Add");
  EXPECT_EQ(unit["kind"], "unit");
  EXPECT_EQ(unit["nodes"], (Json{0, 1, 2, 3}));
  EXPECT_EQ(unit["results"], (Json{{"first", "right"}, {"second", "wrong"}}));
  EXPECT_EQ(json["backends"][1]["causes"][0], "ignores <the> scale");
  EXPECT_EQ(json["backends"][0]["report"], "first-reports");
}

TEST_F(Written, PageDrawsEachNodeOnceWithItsWorstResult) {
  const std::string page = overview_html(overview_);
  const auto count = [&](std::string_view text) {
    std::size_t found = 0;
    for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<circle "), 4U);
  EXPECT_EQ(count("class=\"edge\""), 4U) << "the sum reads two values";
  EXPECT_EQ(count("class=\"wrong\"><title>second: "), 4U) << "all nodes are in the wrong unit";
  EXPECT_EQ(count("class=\"right\"><title>first: "), 4U);
  EXPECT_THAT(page, HasSubstr("ignores &lt;the&gt; scale"));
  EXPECT_THAT(page, HasSubstr("<b>Fix:</b> level = 0"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

}  // namespace
}  // namespace touchstone::conformance::overview_test
