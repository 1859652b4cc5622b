// The results of all backends for a model of a user, as JSON, JUnit and HTML.
#include "conformance/check/overview.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "conformance/check/model_drawing.h"
#include "conformance/files/json_text.h"
#include "conformance/units/testing.h"

namespace touchstone::conformance::overview_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The sum reads x twice: as dequantized, and after Relu.
constexpr const char* residual = R"(g (uint8[4] x) => (uint8[4] y) <float s = {0.5}> {
    a = DequantizeLinear(x, s)
    b = Relu(a)
    c = Add(a, b)
    y = QuantizeLinear(c, s)
  })";

class Written : public testing::Test {
 protected:
  Written() : parts_(file_of_graph(scratch_, residual), {}), nodes_(examine(parts_)) {
    overview_.backends.push_back({"first", "1", all_right_, {}, {}, {}, "first-reports"});
    overview_.backends.push_back({"second",
                                  "2",
                                  all_right_,
                                  {"ignores <the> scale"},
                                  {"1 part is right by a permitted reading: a=b"},
                                  {"level = 0: right in 1 of 1 wrong parts"},
                                  "second"});
    overview_.backends[1].results.front().verdict = Verdict::pass_variant;
    overview_.backends[1].results.back() = {Verdict::fail, AnswerClass::wrong, "got <1>\x1b"};
  }

  TemporaryDirectory scratch_;
  ModelParts parts_;
  std::vector<ExaminedNode> nodes_;
  std::vector<PartResult> all_right_ = std::vector<PartResult>(parts_.size(), {Verdict::pass, AnswerClass::right});
  Overview overview_{"net.onnx", parts_, nodes_};
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
  EXPECT_EQ(json["backends"][1]["readings"][0], "1 part is right by a permitted reading: a=b");
  EXPECT_EQ(json["backends"][0]["report"], "first-reports");
}

std::size_t count_in(std::string_view page, std::string_view text) {
  std::size_t found = 0;
  for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++found;
  return found;
}

TEST_F(Written, HasInvalidNodes) {
  overview_.invalid.push_back(
      {.index = 1, .place = "", .name = "r", .op_type = "Relu", .invalid = "node 1 Relu r: why"});
  EXPECT_EQ(overview_.legality(), "ILLEGAL, but not in its quantization nodes");
  const Json json = Json::parse(overview_json(overview_));
  EXPECT_EQ(json["legal"], false);
  EXPECT_EQ(json["invalid"][0], (Json{{"node", 1}, {"place", ""}, {"name", "r"}, {"reason", "node 1 Relu r: why"}}));
  EXPECT_THAT(overview_html(overview_), HasSubstr("<li>invalid: node 1 Relu r: why</li>"));
  EXPECT_THAT(overview_junit(overview_), AllOf(HasSubstr("node 1 Relu r"), HasSubstr("type=\"invalid\"")));
}

TEST_F(Written, PageHasARowForEachPartAndABoxForTheUnit) {
  overview_.backends[1].results.back().reproducer = "second/reproducers/show.py";
  const std::string page = overview_html(overview_);
  EXPECT_EQ(count_in(page, "<tr id=\"part-"), parts_.size());
  EXPECT_THAT(page, HasSubstr("<td class=\"right\">right</td><td class=\"wrong\">wrong: got &lt;1&gt;"));
  EXPECT_THAT(page, HasSubstr("<a href=\"second/reproducers/show.py\">reproducer</a>"));
  EXPECT_EQ(count_in(page, "class=\"box "), 1U) << "all nodes are in the unit";
  EXPECT_THAT(page, HasSubstr("<a href=\"#part-2\"><title>Relu, Add uint8[4]\nfirst: right\nsecond: wrong</title>"
                              "<rect class=\"box wrong\""));
  EXPECT_THAT(page, HasSubstr("ignores &lt;the&gt; scale"));
  EXPECT_THAT(page, HasSubstr("<b>Fix:</b> level = 0"));
  EXPECT_THAT(page, HasSubstr("<td class=\"right\">right *</td>"));
  EXPECT_THAT(page, HasSubstr("<li>* 1 part is right by a permitted reading: a=b</li>"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST_F(Written, JunitHasASuiteForTheModelAndForEachBackend) {
  overview_.backends[0].results.front() = {Verdict::rejects_valid, AnswerClass::refused, "no such operator"};
  pugi::xml_document report;
  ASSERT_TRUE(report.load_string(overview_junit(overview_).c_str()));
  const pugi::xml_node suites = report.child("testsuites");
  std::vector<std::string> names;
  for (const pugi::xml_node suite : suites.children("testsuite")) names.emplace_back(suite.attribute("name").value());
  EXPECT_THAT(names, testing::ElementsAre("model", "first", "second"));
  EXPECT_EQ(suites.attribute("tests").as_ullong(), 1 + 2 * parts_.size());
  EXPECT_EQ(suites.attribute("failures").as_int(), 1);
  EXPECT_EQ(suites.attribute("skipped").as_int(), 1);
  const auto last = [](pugi::xml_node suite) { return suite.last_child(); };
  EXPECT_STREQ(last(suites.last_child()).attribute("name").value(), "model/net/unit/1/Relu+Add");
  EXPECT_THAT(last(suites.last_child()).child("failure").attribute("message").value(), HasSubstr("got <1>"));
  const pugi::xml_node first = suites.child("testsuite").next_sibling();
  EXPECT_STREQ(first.first_child().child("skipped").attribute("message").value(), "refused: no such operator");
  EXPECT_FALSE(last(first).first_child()) << "a part that is right";
}

TEST_F(Written, JunitHasNoFailureThatIsExpected) {
  for (CheckedBackend& backend : overview_.backends)
    for (PartResult& result : backend.results) result.is_expected = true;
  pugi::xml_document report;
  ASSERT_TRUE(report.load_string(overview_junit(overview_).c_str()));
  EXPECT_EQ(report.child("testsuites").attribute("failures").as_int(), 0);
}

/// The unit has all four nodes; the two at its ends are parts of their own, too.
TEST_F(Written, CountsEachNodeOnceByItsWorstResult) {
  const auto count = [&](const PartResult& of_unit) {
    overview_.backends[0].results.back() = of_unit;
    return in_words(overview_.count_nodes(overview_.backends[0]), "node");
  };
  EXPECT_EQ(count({Verdict::fail, AnswerClass::wrong}), "4 of 4 nodes are judged: 0 right, 4 wrong");
  EXPECT_EQ(count({Verdict::rejects_valid, AnswerClass::refused}),
            "0 of 4 nodes are judged: 0 right, 0 wrong; 4 refused");
  EXPECT_EQ(count({Verdict::harness_error, AnswerClass::undecided, "too wide"}),
            "0 of 4 nodes are judged: 0 right, 0 wrong; 4 undecided");
  EXPECT_EQ(count({}), "0 of 4 nodes are judged: 0 right, 0 wrong; 4 not run");
  EXPECT_EQ(in_words(overview_.count_parts(overview_.backends[0]), "part"),
            "2 of 3 parts are judged: 2 right, 0 wrong; 1 not run");
}

TEST_F(Written, AllReportsSayWhatIsNotRun) {
  overview_.backends[0].results.back() = {};
  overview_.backends[0].unfinished = "interrupted: 1 of 3 cases are not run";
  const Json json = Json::parse(overview_json(overview_));
  EXPECT_EQ(json["parts"].back()["results"]["first"], "not_run");
  EXPECT_EQ(json["backends"][0]["unfinished"], "interrupted: 1 of 3 cases are not run");
  EXPECT_EQ(json["backends"][0]["nodes"], (Json{{"judged", 0},
                                                {"right", 0},
                                                {"wrong", 0},
                                                {"refused", 0},
                                                {"undecided", 0},
                                                {"not_run", 4},
                                                {"not_checked", 0}}));
  EXPECT_FALSE(json["backends"][1].contains("unfinished"));
  EXPECT_THAT(overview_html(overview_), AllOf(HasSubstr("interrupted: 1 of 3 cases are not run"),
                                              HasSubstr("0 of 4 nodes are judged: 0 right, 0 wrong; 4 not run"),
                                              HasSubstr("\nfirst: not run\n")));
  EXPECT_THAT(overview_junit(overview_), HasSubstr("not run"));
}

TEST_F(Written, GivesEachReasonOfUndecidedPartsOnce) {
  const PartResult undecided{Verdict::harness_error, AnswerClass::undecided, "too wide"};
  overview_.backends[0].results.front() = undecided;
  overview_.backends[1].results.front() = undecided;
  overview_.backends[1].results.back() = undecided;
  EXPECT_THAT(overview_.undecided(), testing::ElementsAre(testing::Pair("too wide", testing::SizeIs(2))));
  overview_.backends[0].results.front().reason = "has 300 elements";
  overview_.backends[1].results.front().reason = "has 300 elements";
  overview_.backends[1].results.back().reason = "has 40 elements";
  EXPECT_THAT(overview_.undecided(),
              testing::ElementsAre(testing::Pair("for example, has 300 elements", testing::SizeIs(2))));
}

TEST(Remarks, GroupNodes) {
  const TemporaryDirectory scratch;
  const ModelParts parts(file_of_graph(scratch, R"(g (uint8[4] x) => (float[4] y, float[4] z, float[4] v)
      <float[2] s = {0.5, 1}, float t = {-0.5}> {
    y = DequantizeLinear(x, s)
    z = DequantizeLinear(x, s)
    v = DequantizeLinear(x, t)
  })"),
                         {});
  const std::vector<ExaminedNode> nodes = examine(parts);
  const Overview overview{"net.onnx", parts, nodes};
  EXPECT_EQ(overview.legality(), "ILLEGAL: 2 of 3 quantization nodes");
  const std::vector<Remark> remarks = overview.remarks();
  ASSERT_EQ(remarks.size(), 3U);
  EXPECT_THAT(remarks[0].text, AllOf(HasSubstr("violates "), HasSubstr("\nthe clause: ")));
  EXPECT_THAT(overview.cells(),
              testing::ElementsAre(testing::Pair("dequantize_linear/21/u8-f32-f32/per_tensor/no_zp", 1)));
  EXPECT_EQ(remarks[0].nodes_text(1), "node 0 DequantizeLinear y, and 1 other");
  EXPECT_EQ(remarks[0].nodes_text(9), "node 0 DequantizeLinear y, node 1 DequantizeLinear z");
  EXPECT_THAT(remarks[1].text, HasSubstr("! runtimes may differ by amb-scale-domain: "));
  EXPECT_THAT(remarks[2].text, HasSubstr("amb-dequantize-signed-zero")) << "a code of 0 gives -0";
  EXPECT_EQ(remarks[1].nodes_text(1), "node 2 DequantizeLinear v (the scale is negative)");
}

CheckedBackend all_right(const ModelParts& parts) {
  return {.name = "one",
          .version = "1",
          .results = std::vector<PartResult>(parts.size(), {Verdict::pass, AnswerClass::right}),
          .report = "one"};
}

/// Layers of one structure, between values that are quantized.
TEST(Drawing, ShowsRepeatedBoxesOnce) {
  const TemporaryDirectory scratch;
  std::string nodes = "q0 = QuantizeLinear(x, s)\n";
  constexpr int layers = 40;
  for (int i = 0; i < layers; ++i)
    nodes +=
        fmt::format("d{0} = DequantizeLinear(q{0}, s)\nr{0} = Relu(d{0})\nq{1} = QuantizeLinear(r{0}, s)\n", i, i + 1);
  const ModelParts parts(
      file_of_graph(scratch,
                    fmt::format("g (float[4] x) => (uint8[4] q{}) <float s = {{0.5}}> {{\n{}}}", layers, nodes)),
      {});
  const std::vector<ExaminedNode> examined = examine(parts);
  Overview overview{"net.onnx", parts, examined};
  overview.backends.push_back(all_right(parts));
  const std::string drawing = model_drawing(overview);
  EXPECT_EQ(count_in(drawing, "class=\"box right\""), 2U) << "the first node, and one layer";
  EXPECT_THAT(drawing, HasSubstr(fmt::format(">×{}</text>", layers)));
  EXPECT_EQ(count_in(drawing, "class=\"edge\""), 1U);
}

/// No two layers are alike.
TEST(Drawing, ShowsWhatIsNotRightOfALongModel) {
  const TemporaryDirectory scratch;
  std::string nodes = "q0 = QuantizeLinear(x, s)\n";
  constexpr int layers = 601;
  for (int i = 0; i < layers; ++i)
    nodes += fmt::format(
        "d{0} = DequantizeLinear(q{0}, s)\nr{0} = LeakyRelu<alpha = 0.{1:03}>(d{0})\nq{1} = QuantizeLinear(r{0}, s)\n",
        i, i + 1);
  const ModelParts parts(
      file_of_graph(scratch,
                    fmt::format("g (float[4] x) => (uint8[4] q{}) <float s = {{0.5}}> {{\n{}}}", layers, nodes)),
      {});
  const std::vector<ExaminedNode> examined;
  Overview overview{"net.onnx", parts, examined};
  overview.backends.push_back(all_right(parts));
  EXPECT_THAT(model_drawing(overview), HasSubstr("All of its parts are right"));
  overview.backends.front().results.back() = {};
  const auto rows_shown = [&] {
    const std::string page = overview_html(overview);
    return count_in(page.substr(0, page.find("<details>")), "<tr id=");
  };
  EXPECT_EQ(rows_shown(), 0U) << "the last part is a window, which is decided in its units";
  const std::size_t place = parts.cut().nodes.size() + 300;
  overview.backends.front().results[place] = {Verdict::fail, AnswerClass::wrong};
  EXPECT_EQ(rows_shown(), 1U);
  const std::string drawing = model_drawing(overview);
  EXPECT_EQ(count_in(drawing, "class=\"box wrong\""), 1U);
  EXPECT_EQ(count_in(drawing, "class=\"box right\""), 2U) << "its neighbours";
}

/// A unit reads what nodes that are not checked give, and others read what it gives: these are two boxes.
TEST(Drawing, JoinsNodesThatAreNotChecked) {
  const TemporaryDirectory scratch;
  const ModelParts parts(file_of_graph(scratch, R"(g (float[4] x) => (float[4] y) <float s = {0.5}> {
    a = Acosh(x)
    b = Acosh(a)
    c = QuantizeLinear(b, s)
    d = DequantizeLinear(c, s)
    e = Acosh(d)
    y = Acosh(e)
  })"),
                         {});
  const std::vector<ExaminedNode> nodes = examine(parts);
  Overview overview{"net.onnx", parts, nodes};
  overview.backends.push_back(all_right(parts));
  const std::string drawing = model_drawing(overview);
  EXPECT_EQ(count_in(drawing, "class=\"box none\""), 2U);
  EXPECT_EQ(count_in(drawing, "class=\"edge\""), 3U);
}

TEST(Assumptions, NameTheFunctionsOfAnOperator) {
  const TemporaryDirectory scratch;
  const ModelParts parts(file_of_graph(scratch, R"(g (uint8[4] x) => (float[4] y) <float s = {0.5}> {
    a = DequantizeLinear(x, s)
    y = Softmax(a)
  })"),
                         {});
  const std::vector<ExaminedNode> nodes = examine(parts);
  EXPECT_THAT((Overview{"net.onnx", parts, nodes}.assumptions()),
              testing::ElementsAre(testing::StartsWith("Softmax subtracts "), testing::StartsWith("Div errs by "),
                                   testing::StartsWith("Exp errs by ")));
}

TEST(Coverage, OfAModelWithACycleIsNothing) {
  const TemporaryDirectory scratch;
  const ModelParts parts(file_of_graph(scratch, R"(g (uint8[4] x) => (float[4] y) <float s = {0.5}> {
    y = DequantizeLinear(x, s)
    a = Relu(c)
    b = Relu(a)
    c = Relu(b)
  })"),
                         {});
  const std::vector<ExaminedNode> nodes = examine(parts);
  EXPECT_EQ(parts.size(), 0U);
  EXPECT_THAT((Overview{"net.onnx", parts, nodes}.coverage()),
              testing::ElementsAre("no node can be checked",
                                   "not checked: 4 nodes: the graph has a cycle, so that it gives no results: "
                                   "1 Relu -> 2 Relu -> 3 Relu -> 1 Relu"));
}

/// The types of what an operator of another domain gives are not known.
TEST(Coverage, SaysWhatTheModelHasToDeclare) {
  const TemporaryDirectory scratch;
  onnx::ModelProto model = model_of_graph(R"(g (float[4] x) => (uint8[4] y) <float s = {0.5}> {
    a = acme.Foo(x)
    y = QuantizeLinear(a, s)
  })");
  onnx::OperatorSetIdProto& import = *model.add_opset_import();
  import.set_domain("acme");
  import.set_version(1);
  write_file(scratch.path() / "net.onnx", model);
  const ModelParts parts(scratch.path() / "net.onnx", {});
  const std::vector<ExaminedNode> nodes = examine(parts);
  EXPECT_THAT((Overview{"net.onnx", parts, nodes}.coverage()),
              testing::Contains(HasSubstr("the types and shapes of what acme.Foo gives are not known: declare them")));
}

/// What onnxruntime's quantize_dynamic writes.
TEST(Coverage, NamesOperatorsThatQuantizeInOtherWays) {
  const TemporaryDirectory scratch;
  const ModelParts parts(file_of_graph(scratch, R"(g (float[4,4] x, int8[4,4] w) => (int32[4,4] y) {
    a, s, z = DynamicQuantizeLinear(x)
    y = MatMulInteger(a, w)
  })"),
                         {});
  const std::vector<ExaminedNode> nodes = examine(parts);
  EXPECT_THAT((Overview{"net.onnx", parts, nodes}.coverage()),
              testing::Contains(HasSubstr("1 DynamicQuantizeLinear, 1 MatMulInteger")));
}

TEST(JunitOfAModelThatIsNotExamined, HasNoTestThatPassed) {
  const TemporaryDirectory scratch;
  const ModelParts parts(file_of_graph(scratch, R"(g (float[3] x) => (uint8[1,n] y) <float s = {0.5}> {
    i = NonZero(x)
    f = Cast <to = 1> (i)
    y = QuantizeLinear(f, s)
  })"),
                         {});
  const std::vector<ExaminedNode> nodes = examine(parts);
  pugi::xml_document report;
  ASSERT_TRUE(report.load_string(overview_junit({"net.onnx", parts, nodes}).c_str()));
  const pugi::xml_node suite = report.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.first_child().attribute("name").value(), "1 quantization nodes that are not examined");
  EXPECT_TRUE(suite.first_child().child("skipped"));
}

TEST(JunitOfAnIllegalModel, FailsInTheSuiteOfTheModel) {
  const TemporaryDirectory scratch;
  const ModelParts parts(file_of_graph(scratch, R"(g (uint8[4] x) => (float[4] y, float[4] z) <float[2] s = {0.5, 1}> {
    y = DequantizeLinear(x, s)
    z = Acosh(y)
  })"),
                         {});
  const std::vector<ExaminedNode> nodes = examine(parts);
  const std::string text = overview_junit({"net.onnx", parts, nodes});
  pugi::xml_document report;
  ASSERT_TRUE(report.load_string(text.c_str()));
  const pugi::xml_node suite = report.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("name").value(), "model");
  EXPECT_STREQ(suite.first_child().attribute("name").value(), "node 0 DequantizeLinear y");
  EXPECT_EQ(suite.first_child().child("failure").attribute("type").value(), std::string(nodes[0].illegal->clause->id));
  EXPECT_THAT(text, HasSubstr("Acosh: the interpreter does not have it"));
}

}  // namespace
}  // namespace touchstone::conformance::overview_test
