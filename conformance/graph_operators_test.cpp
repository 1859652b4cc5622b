// The interpreter of graphs against ONNX: the data of its own node tests, and the words of its pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/file_io.h"
#include "conformance/files/graph_file.h"
#include "conformance/files/limits.h"
#include "conformance/files/message.h"
#include "conformance/files/tensor_file.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/graph/operators.h"
#include "reference/host_numbers.h"

namespace touchstone::conformance::graph_operators_test {
namespace {

namespace fs = std::filesystem;
using reference::GraphOutcome;
using reference::OperatorFunction;
using reference::Tensor;

// ---- ONNX's node tests

/// Operators that the interpreter executes itself.
constexpr std::array built_in{"Constant", "If", "Loop", "Scan"};

bool is_operator(const std::string& name) {
  const std::vector<OperatorFunction> all = reference::graph_operators();
  return std::ranges::find(built_in, name) != built_in.end() ||
         std::ranges::find(all, name, &OperatorFunction::name) != all.end();
}

std::vector<Tensor> read_tensors(const fs::path& directory, const std::string& kind) {
  std::vector<Tensor> tensors;
  for (int i = 0; fs::exists(directory / (kind + "_" + std::to_string(i) + ".pb")); ++i)
    tensors.push_back(read_tensor_file(directory / (kind + "_" + std::to_string(i) + ".pb")).value);
  return tensors;
}

/// ONNX's own runner compares with this tolerance.
bool is_close(double expected, double actual) {
  return expected == actual || (std::isnan(expected) && std::isnan(actual)) ||
         std::fabs(expected - actual) <= 1e-7 + 1e-3 * std::fabs(expected);
}

/// The first difference; empty if there is none. Results that are noted as inexact need only be close, or in the
/// bounds.
std::string difference(const Tensor& expected, const reference::Output& output, bool is_inexact) {
  const Tensor& actual = output.value;
  if (expected.type() != actual.type()) return "another type: " + std::string(spec::name(actual.type()));
  if (expected.shape() != actual.shape()) return "another shape";
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    if (expected.code(i) == actual.code(i)) continue;
    const double wanted = reference::number_of(expected.type(), expected.code(i));
    const double found = reference::number_of(actual.type(), actual.code(i));
    const bool is_zero_or_nan = (wanted == 0 && found == 0) || (std::isnan(wanted) && std::isnan(found));
    const auto end = [&](const Tensor& tensor) { return reference::number_of(expected.type(), tensor.code(i)); };
    const bool is_inside = output.range && end(output.range->lowest) <= wanted && wanted <= end(output.range->highest);
    if (is_zero_or_nan || (is_inexact && (is_inside || is_close(wanted, found)))) continue;
    return "element " + std::to_string(i) + ": expected " + std::to_string(wanted) + ", got " + std::to_string(found);
  }
  return "";
}

/// What a test of ONNX asks for that the interpreter does not support, because no graph of the suite needs it.
constexpr std::array not_supported{
    "cubic",
    "antialias",
    "tf_crop_and_resize",
    "not_larger",
    "not_smaller",
    "with_argmax",
    "training_mode",  // attributes
    "_seq",
    "_opt",
    "STRING",
    "strings",
    "to_FLOAT8E8M0",
    "div_int",
    "div_uint",
    "pow_types_int",  // types
    "empty_set",      // data without elements
    "cast_FLOAT_to_UINT",
    "cast_FLOAT16_to_UINT",
    "cast_FLOAT_to_INT",
    "cast_FLOAT16_to_INT",  // out of range: undefined
};

/// Tests whose data the page or the interpreter does not decide, by release and name.
const std::map<std::string, const char*> not_decided{
    {"1.5.0/test_resize_downsample_nearest", "Resize-10 does not define which neighbor is the nearest"},
    {"1.5.0/test_resize_nearest", "the same"},
    {"1.8.1/test_pow_types_float", "its first input is int64, which Pow does not support here"},
    {"1.8.1/test_cast_BFLOAT16_to_FLOAT", "bfloat16 stored as uint16"},
    {"1.8.1/test_cast_FLOAT_to_BFLOAT16", "the same"},
    {"1.8.1/test_resize_downsample_scales_linear_align_corners", "length_resized is not a whole number in the data"},
    {"1.22.0/test_resize_downsample_scales_linear_align_corners", "the same"},
};

bool is_supported(const std::string& test) {
  return std::ranges::none_of(not_supported, [&](const char* part) { return test.find(part) != test.npos; });
}

struct NodeTest {
  fs::path directory;
  reference::GraphModel model;
};

/// The interpreter has none of the outputs that are only for training.
void keep_first_output(onnx::GraphProto& graph) {
  graph.mutable_node(0)->mutable_output()->DeleteSubrange(1, graph.node(0).output_size() - 1);
  graph.mutable_output()->DeleteSubrange(1, graph.output_size() - 1);
}

/// The tests of the operators in ONNX's releases.
std::vector<NodeTest> node_tests() {
  std::vector<NodeTest> found;
  for (const auto& entry : fs::recursive_directory_iterator(std::getenv("TOUCHSTONE_OPERATOR_DATA"))) {
    if (entry.path().filename() != "model.onnx") continue;
    const fs::path directory = entry.path().parent_path();
    onnx::ModelProto proto;
    parse_message(proto, read_bounded_file(entry.path(), limits().file_bytes), directory.string());
    if (proto.graph().node_size() != 1 || !is_operator(proto.graph().node(0).op_type()) ||
        !is_supported(directory.filename().string()) ||
        not_decided.contains(directory.parent_path().filename() / directory.filename()))
      continue;
    if (proto.graph().node(0).op_type() == "LayerNormalization") keep_first_output(*proto.mutable_graph());
    found.push_back({directory, to_graph_model(proto, directory.string())});
  }
  return found;
}

class OnnxNodeTests : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("TOUCHSTONE_OPERATOR_DATA") == nullptr) GTEST_SKIP() << "TOUCHSTONE_OPERATOR_DATA is not set";
  }
};

TEST_F(OnnxNodeTests, HaveTheResultsOfTheInterpreter) {
  std::size_t exact = 0, close = 0;
  for (const NodeTest& test : node_tests()) {
    SCOPED_TRACE(test.directory);
    const fs::path data = test.directory / "test_data_set_0";
    GraphOutcome outcome;
    try {
      outcome = interpret(test.model, read_tensors(data, "input"));
    } catch (const reference::GraphError& error) {
      ADD_FAILURE() << error.what();
      continue;
    }
    std::vector<Tensor> expected = read_tensors(data, "output");
    ASSERT_NE(outcome.outputs(), nullptr);
    if (test.model.graph.nodes.front().op_type == "LayerNormalization")
      expected.erase(expected.begin() + 1, expected.end());
    ASSERT_EQ(outcome.outputs()->size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(difference(expected[i], (*outcome.outputs())[i], outcome.inexact.has_value()), "")
          << outcome.inexact.value_or("exact");
    ++(outcome.inexact ? close : exact);
  }
  RecordProperty("exact", static_cast<int>(exact));
  RecordProperty("close", static_cast<int>(close));
  EXPECT_GT(exact, close);
}

TEST_F(OnnxNodeTests, CoverEveryFunction) {
  std::set<std::pair<std::string_view, int>> untested;
  for (const OperatorFunction& row : reference::graph_operators()) untested.emplace(row.name, row.since_version);
  for (const NodeTest& test : node_tests())
    if (const auto* row =
            reference::find_operator_function(test.model.graph.nodes.front().op_type, test.model.opsets.at("ai.onnx")))
      untested.erase({row->name, row->since_version});
  EXPECT_THAT(untested, testing::IsEmpty());
}

// ---- ONNX's pages

std::string without_space(std::string_view text) {
  std::string made;
  for (const char character : text)
    if (character != ' ' && character != '\n' && character != '`') made += character;
  return made;
}

TEST(GraphOperators, FollowPagesThatExistAndSayWhatTheyQuote) {
  for (const OperatorFunction& row : reference::graph_operators()) {
    const onnx::OpSchema* page = onnx::OpSchemaRegistry::Schema(std::string(row.name), row.since_version, "");
    ASSERT_NE(page, nullptr) << row.name;
    EXPECT_EQ(page->SinceVersion(), row.since_version) << row.name;
    EXPECT_NE(without_space(page->doc()).find(without_space(row.sentence)), std::string::npos)
        << row.name << " " << row.since_version << ": " << row.sentence;
  }
}

}  // namespace
}  // namespace touchstone::conformance::graph_operators_test
