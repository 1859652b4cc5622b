// How models of users are read.
#include "conformance/units/user_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/units/testing.h"
#include "conformance/units/unit_cases.h"
#include "reference/graph/graph_interpreter.h"

namespace touchstone::conformance::user_model_test {
namespace {

using spec::ElementType;
using testing::HasSubstr;

TEST(UserModel, RefusesDataWithoutElements) {
  const TemporaryDirectory scratch;
  const std::filesystem::path path =
      file_of_graph(scratch, "g (float[n] x) => (uint8[n] y) <float s = {0.5}> { y = QuantizeLinear(x, s) }");
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }";
  header.resize(117, ' ');
  write_file(scratch.path() / "x.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n");
  EXPECT_THAT(error_of([&] { UserModel(path, {}, scratch.path() / "x.npy"); }),
              HasSubstr("x.npy: the input \"x\" has no elements"));
}

TEST(UserModel, InfersWhatOnnxDoesNotKnow) {
  const TemporaryDirectory scratch;
  onnx::ModelProto model = model_of_text(R"(
    <ir_version: 10, opset_import: ["": 21, "com.microsoft": 1]>
    g (float[2,3] x) => (float[2,3] y) <float s = {0.5}, uint16 p = {3}> {
      q = com.microsoft.QuantizeLinear(x, s, p)
      y = com.microsoft.DequantizeLinear(q, s, p)
    })");
  write_file(scratch.path() / "m.onnx", model);
  const UserModel read(scratch.path() / "m.onnx", {});
  EXPECT_EQ(read.form_of("q"), (ValueForm{spec::ElementType::uint16, {2, 3}}));
  EXPECT_EQ(read.complaint(), "");
}

/// The conditions choose the slices 0 and 2 of three, and the second of two. NonZero gives [[1, 2]].
TEST(UserModel, InfersShapesThatConstantsDecide) {
  const Parts parts(R"(g (uint8[3,2] x, bool[3] d) => (uint8[n,2] y, uint8[2,2] z, float[m,2] w)
      <float s = {0.5}, bool[3] c = {1, 0, 1}, int64[3] m = {0, 7, -1}, int32[2] e = {0, 1}> {
    a = DequantizeLinear(x, s)
    b = Compress<axis = 0>(a, c)
    y = QuantizeLinear(b, s)
    i = NonZero(m)
    zero = Constant <value_ints = [0]> ()
    j = Squeeze(i, zero)
    f = Gather(a, j)
    g = Cast<to = 9>(e)
    h = Compress<axis = 0>(f, g)
    one = Constant <value_ints = [1, 1]> ()
    t = Tile(f, one)
    z = QuantizeLinear(t, s)
    w = Compress<axis = 0>(a, d)
  })");
  EXPECT_EQ(parts->model().complaint(), "");
  EXPECT_EQ(parts->model().form_of("y"), (ValueForm{ElementType::uint8, {2, 2}}));
  EXPECT_EQ(parts->model().form_of("j"), (ValueForm{ElementType::int64, {2}}));
  EXPECT_EQ(parts->model().form_of("h"), (ValueForm{ElementType::float32, {1, 2}}));
  EXPECT_EQ(parts->model().form_of("w"), std::nullopt) << "the condition is an input";
  EXPECT_THAT(unit_operators(parts), testing::Contains("Compress"));
}

TEST(UserModel, InlinesFunctions) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "m.onnx", model_of_text(R"(
    <ir_version: 10, opset_import: ["": 21, "own": 1]>
    g (float[2] x) => (uint8[2] y) { y = own.quantize(x) }
    <opset_import: ["": 21], domain: "own"> quantize (x) => (y) {
      s = Constant <value_float = 0.5> ()
      y = QuantizeLinear(x, s)
    })"));
  const ModelParts parts(scratch.path() / "m.onnx", {});
  EXPECT_EQ(parts.cut().nodes.size(), 1U);
}

constexpr const char* with_symbols = R"(g (uint8[batch,4] x) => (float[batch,4] y) <float s = {0.5}> {
  y = DequantizeLinear(x, s)
})";

TEST(UserModel, NeedsTheLengthsOfItsDimensions) {
  EXPECT_EQ(Parts(with_symbols, {{"batch", 3}})->model().form_of("y"), (ValueForm{spec::ElementType::float32, {3, 4}}));
  const auto error_with = [](const DimensionLengths& lengths) {
    return error_of([&] { Parts(with_symbols, lengths); });
  };
  EXPECT_EQ(Parts(with_symbols, {{"x[0]", 5}})->model().form_of("y"), (ValueForm{spec::ElementType::float32, {5, 4}}));
  EXPECT_THAT(error_with({}), HasSubstr("the lengths of these dimensions are not in the model: batch; give them: "
                                        "--dim 'batch=1'"));
  EXPECT_THAT(error_with({{"batch", 1}, {"sequence", 2}}), HasSubstr("--dim sequence=2: no input has a dimension"));
}

/// The model with the weights in another file.
std::filesystem::path with_external_weights(const TemporaryDirectory& scratch, const std::string& location,
                                            const std::string& offset) {
  onnx::ModelProto model = model_of_graph(R"(g (float[1] x) => (float[4] y) <float s = {0.5}, int8[4] w = {1,2,3,4}> {
    y = DequantizeLinear(w, s)
  })");
  onnx::TensorProto& weights = *model.mutable_graph()->mutable_initializer(1);
  weights.clear_int32_data();
  weights.set_data_location(onnx::TensorProto::EXTERNAL);
  const auto add = [&](const std::string& key, const std::string& value) {
    onnx::StringStringEntryProto& entry = *weights.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  };
  add("location", location);
  add("offset", offset);
  write_file(scratch.path() / "m.onnx", model);
  return scratch.path() / "m.onnx";
}

TEST(UserModel, ReadsExternalData) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "weights.bin", std::string("\x63\x0b\x16\x21\x2c", 5));
  const ModelParts parts(with_external_weights(scratch, "weights.bin", "1"), {});
  const Case made = parts.make_case(0, 0);
  EXPECT_EQ(made.model.node.inputs.at(0)->code(0), 0x0bU);
  EXPECT_EQ(made.model.node.inputs.at(0)->code(3), 0x2cU);
}

TEST(UserModel, SaysWhatIsWrongWithExternalData) {
  struct Row {
    std::string location, offset, message;
  };
  const Row rows[]{
      {"missing.bin", "0", "its data are in \"missing.bin\", which does not exist"},
      {"weights.bin", "2", "which has no 4 bytes from byte 2 on"},
      {"weights.bin", "x", "external_data: offset is \"x\", not a number"},
      {"weights.bin", "-5", "external_data: offset is \"-5\", but must not be negative"},
      {"../weights.bin", "0", "m.onnx: tensor \"w\": its external data: \"../weights.bin\": leads out of /"},
      {".", "0", "m.onnx: tensor \"w\": its external data: /"},
      {"weights.bin", "18446744073709551615", "which has no 4 bytes from byte 18446744073709551615 on"},
      {"", "0", "external_data: no location"}};
  for (const Row& row : rows) {
    const TemporaryDirectory scratch;
    write_file(scratch.path() / "weights.bin", "12345");
    const std::filesystem::path path = with_external_weights(scratch, row.location, row.offset);
    const auto use = [&] {
      const ModelParts parts(path, {});
      if (row.location.empty()) parts.make_case(0, 0);
    };
    EXPECT_THAT(error_of(use), HasSubstr(row.message));
  }
}

/// The operator is unknown, so that the file alone says what it gives.
TEST(UserModel, KeepsWhatTheFileSaysOfValues) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "net.onnx", model_of_text(R"(<ir_version: 10, opset_import: ["": 21, "other": 1]>
      g (float[n] x) => (uint8[n] y) <float s = {0.5}, float[4] e, float[n] f> {
    e = other.Unknown(x)
    f = other.Unknown(x)
    q = QuantizeLinear(e, s)
    r = QuantizeLinear(f, s)
    y = Concat <axis = 0> (q, r)
  })"));
  const UserModel model(scratch.path() / "net.onnx", {{"n", 4}});
  EXPECT_EQ(model.form_of("e"), (ValueForm{spec::ElementType::float32, {4}}));
  EXPECT_EQ(model.form_of("f"), std::nullopt);
}

/// A shape that needs more memory than there is must not be believed.
TEST(UserModel, AllocatesNothingForHugeExternalData) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "weights.bin", "12345");
  const std::filesystem::path path = with_external_weights(scratch, "weights.bin", "0");
  onnx::ModelProto model;
  std::ifstream file(path, std::ios::binary);
  model.ParseFromIstream(&file);
  model.mutable_graph()->mutable_initializer(1)->set_dims(0, std::int64_t{1} << 50);
  write_file(path, model);
  EXPECT_THAT(error_of([&] { ModelParts(path, {}); }), HasSubstr("which has no 1125899906842624 bytes from byte 0 on"));
}

TEST(UserModel, HasDenseConstantsInPlaceOfSparseOnes) {
  const TemporaryDirectory scratch;
  onnx::ModelProto model = model_of_graph(R"(g (uint8[2] x) => (uint8[2] y) <float s = {0.5}> {
    c = Constant()
    a = DequantizeLinear(x, s)
    b = MatMul(a, c)
    d = Add(b, w)
    y = QuantizeLinear(d, s)
  })");
  const auto set_sparse = [](onnx::SparseTensorProto& sparse, const std::string& name,
                             const std::vector<std::int64_t>& dims, std::vector<std::int64_t> indices) {
    const std::vector<std::uint64_t> ones(2, 0x3f800000);
    *sparse.mutable_values() = to_tensor_proto(reference::Tensor::from_codes(ElementType::float32, {2}, ones), name);
    const std::vector<std::uint64_t> codes(indices.begin(), indices.end());
    const auto count = std::ssize(codes);
    *sparse.mutable_indices() =
        to_tensor_proto(reference::Tensor::from_codes(ElementType::int64,
                                                      count == 2 ? reference::Shape{2} : reference::Shape{2, 2}, codes),
                        "");
    sparse.mutable_dims()->Add(dims.begin(), dims.end());
  };
  onnx::AttributeProto& value = *model.mutable_graph()->mutable_node(0)->add_attribute();
  value.set_name("sparse_value");
  value.set_type(onnx::AttributeProto::SPARSE_TENSOR);
  set_sparse(*value.mutable_sparse_tensor(), "", {2, 2}, {0, 1, 1, 0});
  set_sparse(*model.mutable_graph()->add_sparse_initializer(), "w", {2}, {0, 1});
  const auto path = scratch.path() / "net.onnx";
  write_file(path, model);
  const ModelParts parts(path, {});
  EXPECT_EQ(parts.model().complaint(), "");
  EXPECT_EQ(parts.cut().in_units, parts.cut().all_nodes);
  // [4, 6] * 0.5 = [2, 3]; the matrix exchanges both; [3, 2] + 1 = [4, 3]; / 0.5 = [8, 6].
  const Case unit = parts.make_case(parts.size() - 1, 0);
  const reference::GraphOutcome outcome = reference::interpret(
      *unit.model.graph,
      std::vector{reference::Tensor::from_codes(ElementType::uint8, {2}, std::vector<std::uint64_t>{4, 6})});
  EXPECT_EQ(outcome.outputs()->at(0).value.code(0), 8U);
  EXPECT_EQ(outcome.outputs()->at(0).value.code(1), 6U);
  model.mutable_graph()->mutable_sparse_initializer(0)->mutable_dims()->Set(0, 3);
  write_file(path, model);
  EXPECT_THAT(ModelParts(path, {}).model().complaint(), HasSubstr("Incompatible dimensions"));
  model.mutable_graph()->mutable_sparse_initializer(0)->set_dims(0, 1);
  write_file(path, model);
  EXPECT_THAT(error_of([&] { ModelParts(path, {}); }),
              HasSubstr("net.onnx: sparse initializer \"w\": indices[1] is out of range"));
}

TEST(UserModel, IsRefusedWithAReason) {
  const TemporaryDirectory scratch;
  const auto error_with = [&](std::string_view content) {
    write_file(scratch.path() / "m.onnx", content);
    return error_of([&] { UserModel(scratch.path() / "m.onnx", {}); });
  };
  EXPECT_THAT(error_of([&] { UserModel(scratch.path() / "none.onnx", {}); }), HasSubstr("No such file"));
  EXPECT_THAT(error_with(""), HasSubstr("m.onnx: empty"));
  EXPECT_THAT(error_with("no model"), HasSubstr("m.onnx: "));
  EXPECT_THAT(error_with(onnx::ModelProto().SerializeAsString() + std::string("\x08\x0a", 2)), HasSubstr("no graph"));
}

}  // namespace
}  // namespace touchstone::conformance::user_model_test
