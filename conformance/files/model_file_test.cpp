#include "conformance/files/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <initializer_list>
#include <utility>

#include "conformance/files/file_io.h"
#include "conformance/files/limits.h"
#include "conformance/files/testing.h"

namespace touchstone::conformance::model_file_test {
namespace {

using onnx::AttributeProto;
using onnx::ModelProto;
using spec::ElementType;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto origin = "dir/model.onnx";

OperatorModel parse(const ModelProto& model) { return parse_model(model.SerializeAsString(), origin); }

ModelProto quantize() { return operator_model("QuantizeLinear", {"x", "scale", "zero_point"}); }

onnx::NodeProto& operator_node(ModelProto& model) {
  return *model.mutable_graph()->mutable_node(model.graph().node_size() - 1);
}

AttributeProto& add_attribute(ModelProto& model, const std::string& name, AttributeProto::AttributeType type) {
  return *operator_node(model).add_attribute() = attribute(name, type);
}

/// Makes the graph input `name` the output of a Constant node, which comes first.
void make_constant(ModelProto& model, const std::string& name, const AttributeProto& value) {
  onnx::GraphProto& graph = *model.mutable_graph();
  auto& inputs = *graph.mutable_input();
  for (int i = inputs.size() - 1; i >= 0; --i)
    if (inputs[i].name() == name) inputs.DeleteSubrange(i, 1);
  *graph.add_node() = constant_node(name, value);
  for (int i = graph.node_size() - 1; i > 0; --i) graph.mutable_node()->SwapElements(i, i - 1);
}

AttributeProto tensor_value(const onnx::TensorProto& tensor) {
  AttributeProto value = attribute("value", AttributeProto::TENSOR);
  *value.mutable_t() = tensor;
  return value;
}

TEST(ParseModel, ReadsANodeWhoseOperandsAreGraphInputs) {
  const ModelProto proto = quantize();
  const OperatorModel model = parse(proto);
  EXPECT_EQ(model.bytes, proto.SerializeAsString());
  EXPECT_EQ(model.node.domain, "ai.onnx");
  EXPECT_EQ(model.node.op, spec::Operator::quantize_linear);
  EXPECT_EQ(model.node.opset, 21);
  ASSERT_EQ(model.node.inputs.size(), 3u);
  for (const auto& input : model.node.inputs) EXPECT_FALSE(input.has_value());
  EXPECT_THAT(model.node.attributes, IsEmpty());
  EXPECT_THAT(model.node_inputs, ElementsAre("x", "scale", "zero_point"));
  EXPECT_THAT(model.graph_inputs, ElementsAre("x", "scale", "zero_point"));
  EXPECT_THAT(model.graph_outputs, ElementsAre("y"));
}

TEST(ParseModel, ReadsDequantizeLinear) {
  EXPECT_EQ(parse(operator_model("DequantizeLinear", {"x", "scale"})).node.op, spec::Operator::dequantize_linear);
}

TEST(ParseModel, LeavesOptionalInputsAbsent) {
  EXPECT_THAT(parse(operator_model("QuantizeLinear", {"x", "scale"})).node_inputs, ElementsAre("x", "scale"));
  const OperatorModel model = parse(operator_model("QuantizeLinear", {"x", "scale", ""}));
  EXPECT_THAT(model.node_inputs, ElementsAre("x", "scale", ""));
  EXPECT_THAT(model.graph_inputs, ElementsAre("x", "scale"));
  EXPECT_EQ(model.node.inputs.size(), 3u);
}

TEST(ParseModel, LeavesInvalidInputsAndAttributesToTheInterpreter) {
  EXPECT_EQ(parse(operator_model("QuantizeLinear", {"a", "b", "c", "d"})).node.inputs.size(), 4u);
  EXPECT_EQ(parse(operator_model("QuantizeLinear", {})).node.inputs.size(), 0u);
  EXPECT_EQ(parse(operator_model("QuantizeLinear", {"x", "scale"}, 1)).node.opset, 1);
  EXPECT_EQ(parse(operator_model("QuantizeLinear", {"x", "scale"}, 1'000'000)).node.opset, 1'000'000);
}

TEST(ParseModel, BindsInitializers) {
  ModelProto proto = quantize();
  proto.mutable_graph()->mutable_input()->DeleteSubrange(1, 1);
  *proto.mutable_graph()->add_initializer() = float_tensor_proto("scale", {0.5f});
  const OperatorModel model = parse(proto);
  EXPECT_THAT(model.graph_inputs, ElementsAre("x", "zero_point"));
  ASSERT_TRUE(model.node.inputs.at(1).has_value());
  EXPECT_EQ(model.node.inputs[1]->type(), ElementType::float32);
  EXPECT_EQ(model.node.inputs[1]->code(0), 0x3F000000u);
}

TEST(ParseModel, TreatsAnInitializerThatIsAGraphInputAsAConstant) {
  ModelProto proto = quantize();
  *proto.mutable_graph()->add_initializer() = float_tensor_proto("scale", {0.5f});
  const OperatorModel model = parse(proto);
  EXPECT_THAT(model.graph_inputs, ElementsAre("x", "zero_point"));
  EXPECT_TRUE(model.node.inputs.at(1).has_value());
}

TEST(ParseModel, AcceptsOneValueForSeveralInputs) {
  ModelProto proto = quantize();
  operator_node(proto).set_input(2, "x");
  EXPECT_THAT(parse(proto).node_inputs, ElementsAre("x", "scale", "x"));
}

TEST(ParseModel, AcceptsBothNamesOfTheDefaultDomain) {
  ModelProto proto = quantize();
  operator_node(proto).set_domain("ai.onnx");
  EXPECT_EQ(parse(proto).node.domain, "ai.onnx");
  proto.mutable_opset_import(0)->set_domain("ai.onnx");
  operator_node(proto).set_domain("");
  EXPECT_EQ(parse(proto).node.opset, 21);
}

TEST(ParseModel, UsesTheOpsetOfTheNodesDomain) {
  ModelProto proto = quantize();
  proto.add_opset_import()->set_domain("com.example");
  proto.mutable_opset_import(1)->set_version(3);
  EXPECT_EQ(parse(proto).node.opset, 21);
}

TEST(ParseModel, ReadsAttributes) {
  ModelProto proto = quantize();
  add_attribute(proto, "axis", AttributeProto::INT).set_i(-1);
  add_attribute(proto, "saturate", AttributeProto::INT);  // a writer with proto3 semantics omits 0
  add_attribute(proto, "name", AttributeProto::STRING).set_s("value");
  add_attribute(proto, "ratio", AttributeProto::FLOAT).set_f(1.0f);
  add_attribute(proto, "axes", AttributeProto::INTS).add_ints(1);
  add_attribute(proto, "body", AttributeProto::GRAPH).mutable_g()->add_output()->set_name("x");
  const auto attributes = parse(proto).node.attributes;
  EXPECT_EQ(attributes.size(), 6u);
  EXPECT_EQ(attributes.at("axis"), reference::AttributeValue(std::int64_t{-1}));
  EXPECT_EQ(attributes.at("saturate"), reference::AttributeValue(std::int64_t{0}));
  EXPECT_EQ(attributes.at("name"), reference::AttributeValue("value"));
  EXPECT_EQ(attributes.at("ratio"), reference::AttributeValue(reference::ForeignAttribute{"FLOAT"}));
  EXPECT_EQ(attributes.at("axes"), reference::AttributeValue(reference::ForeignAttribute{"INTS"}));
  EXPECT_EQ(attributes.at("body"), reference::AttributeValue(reference::ForeignAttribute{"GRAPH"}));
}

struct ConstantKind {
  std::string name;
  AttributeProto value;
  ElementType type;
  reference::Shape shape;
  std::uint64_t first_code;
};

AttributeProto filled(AttributeProto value, const std::function<void(AttributeProto&)>& fill) {
  fill(value);
  return value;
}

const std::vector<ConstantKind> constant_kinds{
    {"value", tensor_value(float_tensor_proto("", {2, 3})), ElementType::float32, {2}, 0x40000000},
    {"value_float",
     filled(attribute("value_float", AttributeProto::FLOAT), [](auto& a) { a.set_f(2); }),
     ElementType::float32,
     {},
     0x40000000},
    {"value_floats",
     filled(attribute("value_floats", AttributeProto::FLOATS), [](auto& a) { a.add_floats(2); }),
     ElementType::float32,
     {1},
     0x40000000},
    {"value_int",
     filled(attribute("value_int", AttributeProto::INT), [](auto& a) { a.set_i(-2); }),
     ElementType::int64,
     {},
     0xFFFFFFFFFFFFFFFE},
    {"value_ints",
     filled(attribute("value_ints", AttributeProto::INTS), [](auto& a) { a.add_ints(7); }),
     ElementType::int64,
     {1},
     7},
};

class ConstantKinds : public ::testing::TestWithParam<ConstantKind> {};

TEST_P(ConstantKinds, BindTheirOutput) {
  ModelProto proto = quantize();
  make_constant(proto, "scale", GetParam().value);
  const OperatorModel model = parse(proto);
  EXPECT_THAT(model.graph_inputs, ElementsAre("x", "zero_point"));
  ASSERT_TRUE(model.node.inputs.at(1).has_value());
  EXPECT_EQ(model.node.inputs[1]->type(), GetParam().type);
  EXPECT_EQ(model.node.inputs[1]->shape(), GetParam().shape);
  EXPECT_EQ(model.node.inputs[1]->code(0), GetParam().first_code);
}

INSTANTIATE_TEST_SUITE_P(All, ConstantKinds, ::testing::ValuesIn(constant_kinds),
                         [](const auto& kind) { return kind.param.name; });

TEST(ParseModel, RefusesArbitraryBytesOrReadsThem) {
  EXPECT_TRUE(rc::check("arbitrary bytes", [](const std::string& bytes) {
    try {
      parse_model(bytes, origin);
    } catch (const FileError& error) {
      RC_ASSERT(error.origin().starts_with(origin));
    }
  }));
}

TEST(ParseModel, RefusesSpoiledModelsOrReadsThem) {
  ModelProto proto = quantize();
  make_constant(proto, "scale", tensor_value(float_tensor_proto("", {2, 3})));
  *proto.mutable_graph()->add_initializer() = float_tensor_proto("zero_point", {0.5f});
  add_attribute(proto, "axis", AttributeProto::INT).set_i(-1);
  const std::string good = proto.SerializeAsString();
  EXPECT_TRUE(rc::check("a few bytes changed, or cut off", [&](const std::vector<std::pair<unsigned, char>>& changes) {
    std::string bytes = good.substr(0, *rc::gen::inRange<std::size_t>(good.size() / 2, good.size() + 1));
    for (const auto& [position, byte] : changes) bytes[position % bytes.size()] = byte;
    try {
      parse_model(bytes, origin);
    } catch (const FileError& error) {
      RC_ASSERT(error.origin().starts_with(origin));
    }
  }));
}

class ModelFile : public ::testing::Test {
 protected:
  std::string failure_to_read() {
    return failure_of([&] { read_model_file(path_); });
  }

  TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_.path() / "model.onnx";
};

TEST_F(ModelFile, IsRead) {
  write_file(path_, quantize());
  EXPECT_EQ(read_model_file(path_).bytes, quantize().SerializeAsString());
}

TEST_F(ModelFile, MustExist) { EXPECT_THAT(failure_to_read(), AllOf(HasSubstr(path_), HasSubstr("No such file"))); }

TEST_F(ModelFile, MustNotBeEmpty) {
  write_file(path_, "");
  EXPECT_THAT(failure_to_read(), AllOf(HasSubstr(path_), HasSubstr("empty")));
}

TEST_F(ModelFile, MustBeAModel) {
  write_file(path_, "# not a model\n");
  EXPECT_THAT(failure_to_read(),
              AllOf(HasSubstr(path_), HasSubstr("not a protocol buffer message of type onnx.ModelProto")));
  write_file(path_, float_tensor_proto("x", {1}));
  EXPECT_THAT(failure_to_read(), HasSubstr(path_));
}

TEST_F(ModelFile, MustNotBeTruncated) {
  // The opset import is at the end of the file, so that every truncation is an error.
  const std::string bytes = quantize().SerializeAsString();
  for (std::size_t length = 1; length < bytes.size(); ++length) {
    write_file(path_, bytes.substr(0, length));
    EXPECT_THAT(failure_to_read(), HasSubstr(path_)) << length;
  }
}

TEST_F(ModelFile, MustBeARegularFile) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(failure_to_read(), AllOf(HasSubstr(path_), HasSubstr("not a regular file")));
}

/// Detects every opening of these files by any process.
class Openings {
 public:
  explicit Openings(std::initializer_list<std::filesystem::path> files) {
    for (const std::filesystem::path& file : files)
      EXPECT_GE(::inotify_add_watch(events_.get(), file.c_str(), IN_OPEN), 0) << file;
  }
  bool any() const {
    alignas(inotify_event) std::array<char, 4096> buffer;
    return ::read(events_.get(), buffer.data(), buffer.size()) > 0;
  }

 private:
  const FileDescriptor events_{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
};

/// Opening the fifo would also block forever.
TEST_F(ModelFile, CausesNoOtherFileToBeOpened) {
  const std::filesystem::path secret = std::filesystem::path(path_).parent_path() / "secret";
  const std::filesystem::path fifo = std::filesystem::path(path_).parent_path() / "fifo";
  write_file(secret, std::string(12, 'x'));
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const Openings openings{secret, fifo, "/etc/passwd"};
  for (const std::string& location : {secret.string(), std::string("secret"), fifo.string(), std::string("fifo"),
                                      std::string("/etc/passwd"), std::string("../../../../../etc/passwd")}) {
    onnx::TensorProto tensor = float_tensor_proto("scale", {});
    tensor.set_dims(0, 3);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : {std::pair<const char*, std::string>("location", location),
                                     std::pair<const char*, std::string>("length", "12")}) {
      tensor.add_external_data()->set_key(key);
      tensor.mutable_external_data()->rbegin()->set_value(value);
    }
    onnx::ModelProto initializer = operator_model("QuantizeLinear", {"x", "scale"});
    *initializer.mutable_graph()->add_initializer() = tensor;
    onnx::ModelProto constant = operator_model("QuantizeLinear", {"x", "scale"});
    constant.mutable_graph()->mutable_input()->DeleteSubrange(1, 1);
    onnx::AttributeProto value = attribute("value", onnx::AttributeProto::TENSOR);
    *value.mutable_t() = tensor;
    *constant.mutable_graph()->add_node() = constant_node("scale", value);
    constant.mutable_graph()->mutable_node()->SwapElements(0, 1);
    for (const onnx::ModelProto& model : {initializer, constant}) {
      write_file(path_, model);
      EXPECT_THAT(failure_to_read(), HasSubstr("never opens a path that a model names")) << location;
    }
    write_file(path_, tensor);
    EXPECT_THAT(failure_of([&] { read_tensor_file(path_); }), HasSubstr("never opens a path that a model names"));
  }
  EXPECT_FALSE(openings.any());
  EXPECT_EQ(read_bounded_file(secret, 12), std::string(12, 'x'));
  EXPECT_TRUE(openings.any()) << "the detection does not work";
}

TEST_F(ModelFile, MustNotExceedTheLimit) {
  write_file(path_, "");
  std::filesystem::resize_file(path_, limits().file_bytes + 1);
  EXPECT_THAT(failure_to_read(), AllOf(HasSubstr(path_), HasSubstr("longer than the limit")));
}

}  // namespace
}  // namespace touchstone::conformance::model_file_test
