#include "conformance/files/test_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/files/case_size.h"
#include "conformance/files/limits.h"
#include "conformance/files/testing.h"

namespace touchstone::conformance::test_directory_test {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A valid test directory: a node with three inputs, two of which are graph inputs, and one data set.
class TestDirectory : public ::testing::Test {
 protected:
  TestDirectory() {
    onnx::ModelProto model = operator_model("QuantizeLinear", {"x", "scale"});
    model.mutable_graph()->mutable_node(0)->add_input("zero_point");
    *model.mutable_graph()->add_initializer() = to_tensor_proto({spec::ElementType::uint8, {}}, "zero_point");
    write_file(root() / "model.onnx", model);
    write_data_set(0);
  }

  const fs::path& root() const { return directory_.path(); }
  fs::path set(int number) const { return root() / ("test_data_set_" + std::to_string(number)); }

  void write_data_set(int number) {
    const auto value = static_cast<float>(number);
    write_file(set(number) / "input_0.pb", float_tensor_proto("x", {value, 1}));
    write_file(set(number) / "input_1.pb", float_tensor_proto("scale", {value}));
    write_file(set(number) / "output_0.pb", to_tensor_proto({spec::ElementType::uint8, {2}}, "y"));
  }

  Case read() { return read_test_directory(root(), "some/id"); }

  std::string failure_to_read() {
    return failure_of([&] { read(); });
  }

 private:
  TemporaryDirectory directory_;
};

std::vector<std::string> names_of(const std::vector<NamedTensor>& tensors) {
  std::vector<std::string> names;
  for (const NamedTensor& tensor : tensors) names.push_back(tensor.name);
  return names;
}

TEST_F(TestDirectory, IsReadAsACase) {
  const Case result = read();
  EXPECT_EQ(result.id, "some/id");
  EXPECT_THAT(result.model.graph_inputs, ElementsAre("x", "scale"));
  ASSERT_EQ(result.data_sets.size(), 1u);
  EXPECT_THAT(names_of(result.data_sets[0].inputs), ElementsAre("x", "scale"));
  EXPECT_THAT(names_of(result.data_sets[0].expected), ElementsAre("y"));
  EXPECT_EQ(result.data_sets[0].inputs[0].value.shape(), reference::Shape{2});
  EXPECT_EQ(result.data_sets[0].expected[0].value.type(), spec::ElementType::uint8);
}

/// An initializer that is also a graph input is its default value. Backends get the model as it is.
TEST_F(TestDirectory, MayReplaceDefaultValues) {
  onnx::ModelProto model = operator_model("QuantizeLinear", {"x", "scale", "zero_point"});
  *model.mutable_graph()->add_initializer() = float_tensor_proto("scale", {0.5F});
  write_file(root() / "model.onnx", model);
  const onnx::TensorProto zero_point = to_tensor_proto({spec::ElementType::uint8, {}}, "zero_point");
  write_file(set(0) / "input_1.pb", zero_point);
  const Case by_default = read();
  EXPECT_THAT(names_of(by_default.data_sets[0].inputs), ElementsAre("x", "zero_point"));
  EXPECT_TRUE(by_default.model.node.inputs[1].has_value());

  write_file(set(0) / "input_1.pb", float_tensor_proto("scale", {1}));
  write_file(set(0) / "input_2.pb", zero_point);
  const Case replaced = read();
  EXPECT_THAT(names_of(replaced.data_sets[0].inputs), ElementsAre("x", "scale", "zero_point"));
  EXPECT_FALSE(replaced.model.node.inputs[1].has_value());
  EXPECT_EQ(replaced.model.bytes, model.SerializeAsString());
}

TEST_F(TestDirectory, SortsDataSetsByNumber) {
  for (int number = 1; number <= 10; ++number) write_data_set(number);
  const Case result = read();
  ASSERT_EQ(result.data_sets.size(), 11u);
  for (std::size_t number = 0; number <= 10; ++number)
    EXPECT_EQ(result.data_sets[number].inputs[1].value.code(0),
              std::bit_cast<std::uint32_t>(static_cast<float>(number)));
}

TEST_F(TestDirectory, NamesTensorsAsTheGraphDoes) {
  write_file(set(0) / "input_0.pb", float_tensor_proto("", {1, 2}));
  write_file(set(0) / "input_1.pb", float_tensor_proto("y_scale", {1}));
  write_file(set(0) / "output_0.pb", float_tensor_proto("", {1, 2}));
  const Case result = read();
  EXPECT_THAT(names_of(result.data_sets[0].inputs), ElementsAre("x", "scale"));
  EXPECT_THAT(names_of(result.data_sets[0].expected), ElementsAre("y"));
}

TEST_F(TestDirectory, CanDeclareThatADataSetRepeatsAnother) {
  write_data_set(1);
  write_data_set(2);
  fs::remove_all(set(2));
  fs::copy(set(1), set(2));
  write_file(set(2) / "repeats.txt", "1\nand words");
  const Case result = read();
  EXPECT_EQ(result.data_sets[1].repeats, std::nullopt);
  EXPECT_EQ(result.data_sets[2].repeats, std::optional<std::size_t>(1));

  const std::pair<const char*, const char*> bad[] = {
      {"0", "the inputs are not those of test_data_set_0"},
      {"2", "not the number of an earlier data set"},
      {"99999999999999999999", "not the number"},
      {"18446744073709551615", "not the number"},
      {"-1", "not the number"},
      {"1 or so", "not the number"},
      {"", "not the number"},
  };
  for (const auto& [content, reason] : bad) {
    write_file(set(2) / "repeats.txt", content);
    EXPECT_THAT(failure_to_read(), AllOf(HasSubstr("test_data_set_2/repeats.txt"), HasSubstr(reason)));
  }
}

TEST_F(TestDirectory, CanRequireRejectionForThePaddingInItsFile) {
  onnx::ModelProto model = operator_model("DequantizeLinear", {"x", "scale"});
  onnx::TensorProto x = raw_tensor_proto(onnx::TensorProto::FLOAT6E2M3, {1}, "\x41");  // code 1, and a padding bit
  x.set_name("x");
  *model.mutable_graph()->add_initializer() = x;
  *model.mutable_graph()->add_initializer() = float_tensor_proto("scale", {1});
  write_file(root() / "model.onnx", model);
  for (const char* file : {"input_0.pb", "input_1.pb", "output_0.pb"}) fs::remove(set(0) / file);
  write_file(set(0) / "must_reject.txt", "qdq-same-shape: another reason");
  EXPECT_THAT(failure_to_read(), HasSubstr("padding bits"));
  write_file(set(0) / "must_reject.txt", "onnx-6-bit-padding: the padding bits are set");
  const Case result = read();
  EXPECT_TRUE(result.float6_padding_is_set);
  EXPECT_EQ(result.model.bytes, model.SerializeAsString());
  EXPECT_EQ(result.model.node.inputs[0]->code(0), 1U);

  model.mutable_graph()->mutable_initializer(0)->set_raw_data("\x01");
  write_file(root() / "model.onnx", model);
  EXPECT_THAT(failure_to_read(), HasSubstr("no padding bits of a 6-bit type are set"));
}

TEST_F(TestDirectory, MayHoldOtherFiles) {
  write_file(root() / "README", "text");
  write_file(root() / "test_data_0.npz", "data");
  write_file(set(0) / "input_0.npz", "data");
  write_file(set(0) / "notes.pb", "data");
  EXPECT_EQ(read().data_sets.size(), 1u);
}

TEST_F(TestDirectory, MayHaveNoInputs) {
  onnx::ModelProto model = operator_model("QuantizeLinear", {"x", "scale"});
  *model.mutable_graph()->add_initializer() = float_tensor_proto("x", {1, 2});
  *model.mutable_graph()->add_initializer() = float_tensor_proto("scale", {1});
  write_file(root() / "model.onnx", model);
  fs::remove(set(0) / "input_0.pb");
  fs::remove(set(0) / "input_1.pb");
  EXPECT_THAT(read().data_sets.at(0).inputs, IsEmpty());
}

struct BadDirectory {
  std::string name;
  std::function<void(const fs::path& root, const fs::path& set)> corrupt;
  std::string file;
  std::string reason;
};

const std::vector<BadDirectory> bad_directories{
    {"no_model", [](const auto& root, const auto&) { fs::remove(root / "model.onnx"); }, "model.onnx", "missing"},
    {"bad_model", [](const auto& root, const auto&) { write_file(root / "model.onnx", "x"); }, "model.onnx",
     "not a protocol buffer message"},
    {"no_data_set", [](const auto&, const auto& set) { fs::remove_all(set); }, "", "no test_data_set_0"},
    {"gap_in_data_sets", [](const auto& root, const auto& set) { fs::rename(set, root / "test_data_set_1"); },
     "test_data_set_0", "missing, though there is test_data_set_1"},
    {"data_set_without_number", [](const auto& root, const auto&) { fs::create_directory(root / "test_data_set_a"); },
     "test_data_set_a", "no number"},
    {"data_set_with_another_spelling",
     [](const auto& root, const auto&) { fs::create_directory(root / "test_data_set_01"); }, "test_data_set_01",
     "no number"},
    {"data_set_with_a_huge_number",
     [](const auto& root, const auto&) { fs::create_directory(root / "test_data_set_99999999999"); },
     "test_data_set_99999999999", "no number"},
    {"data_set_is_a_file", [](const auto& root, const auto&) { write_file(root / "test_data_set_1", "x"); },
     "test_data_set_1", "cannot be read as a directory"},
    {"too_many_data_sets",
     [](const auto& root, const auto&) {
       for (std::uint64_t i = 0; i <= limits().data_sets_per_case; ++i)
         fs::create_directory(root / ("test_data_set_" + std::to_string(i)));
     },
     "", "1001 entries test_data_set_*; the limit is 1000"},
    {"missing_input", [](const auto&, const auto& set) { fs::remove(set / "input_1.pb"); },
     "test_data_set_0/input_1.pb", "missing: the data of the graph input \"scale\""},
    {"gap_in_inputs", [](const auto&, const auto& set) { fs::rename(set / "input_0.pb", set / "input_2.pb"); },
     "test_data_set_0/input_0.pb", "missing: the data of the graph input \"x\""},
    {"input_too_many", [](const auto&, const auto& set) { fs::copy(set / "input_0.pb", set / "input_2.pb"); },
     "test_data_set_0/input_2.pb", "an extra file: the model has 2 graph inputs"},
    {"missing_output", [](const auto&, const auto& set) { fs::remove(set / "output_0.pb"); },
     "test_data_set_0/output_0.pb", "missing: the data of the graph output \"y\""},
    {"output_too_many", [](const auto&, const auto& set) { fs::copy(set / "output_0.pb", set / "output_1.pb"); },
     "test_data_set_0/output_1.pb", "an extra file: the model has 1 graph output"},
    {"input_without_number", [](const auto&, const auto& set) { write_file(set / "input_x.pb", "x"); },
     "test_data_set_0/input_x.pb", "no number"},
    {"negative_number", [](const auto&, const auto& set) { write_file(set / "input_-1.pb", "x"); },
     "test_data_set_0/input_-1.pb", "no number"},
    {"too_many_inputs",
     [](const auto&, const auto& set) {
       for (std::uint64_t i = 0; i <= limits().files_per_data_set; ++i)
         write_file(set / ("input_" + std::to_string(i) + ".pb"), "");
     },
     "test_data_set_0", "65 entries input_*.pb; the limit is 64"},
    {"bad_input", [](const auto&, const auto& set) { write_file(set / "input_1.pb", ""); },
     "test_data_set_0/input_1.pb", "empty"},
    {"exchanged_inputs",
     [](const auto&, const auto& set) {
       fs::rename(set / "input_0.pb", set / "exchanged");
       fs::rename(set / "input_1.pb", set / "input_0.pb");
       fs::rename(set / "exchanged", set / "input_1.pb");
     },
     "test_data_set_0/input_0.pb", "named \"scale\", but the graph input of this number is \"x\""},
};

TEST_F(TestDirectory, IsRefusedWithFileAndReason) {
  const fs::path good = root() / "good";
  for (const char* name : {"model.onnx", "test_data_set_0"}) {
    fs::create_directories(good);
    fs::rename(root() / name, good / name);
  }
  for (const BadDirectory& bad : bad_directories) {
    SCOPED_TRACE(bad.name);
    const fs::path directory = root() / bad.name;
    fs::copy(good, directory, fs::copy_options::recursive);
    bad.corrupt(directory, directory / "test_data_set_0");
    EXPECT_THAT(failure_of([&] { read_test_directory(directory, "id"); }),
                AllOf(HasSubstr(directory.string()), HasSubstr(bad.file), HasSubstr(bad.reason)));
  }
}

/// Writes a model whose zero point is a constant with `elements` elements, and `data_sets` data sets.
void write_case(const fs::path& root, std::int64_t elements, int data_sets) {
  onnx::ModelProto model = operator_model("QuantizeLinear", {"x", "scale"});
  model.mutable_graph()->mutable_node(0)->add_input("zero_point");
  *model.mutable_graph()->add_initializer() = to_tensor_proto({spec::ElementType::uint2, {elements}}, "zero_point");
  write_file(root / "model.onnx", model);
  for (int i = 0; i < data_sets; ++i) {
    const fs::path set = root / ("test_data_set_" + std::to_string(i));
    write_file(set / "input_0.pb", float_tensor_proto("x", {1}));
    write_file(set / "input_1.pb", float_tensor_proto("scale", {1}));
    write_file(set / "output_0.pb", to_tensor_proto({spec::ElementType::uint2, {1}}, "y"));
  }
}

TEST(CaseSize, CountsTheConstantsForEachDataSet) {
  const TemporaryDirectory root;
  constexpr std::int64_t elements = 1 << 20;
  const int data_sets = static_cast<int>(limits().elements_per_case / elements);
  write_case(root.path() / "good", elements, data_sets - 1);
  EXPECT_EQ(read_test_directory(root.path() / "good", "id").data_sets.size(), data_sets - 1);
  write_case(root.path() / "bad", elements, data_sets);
  EXPECT_THAT(
      failure_of([&] { read_test_directory(root.path() / "bad", "id"); }),
      AllOf(HasSubstr("bad"), HasSubstr("more than the limit of 67108864 elements in one case (elements_per_case)")));
}

TEST(CaseSize, CountsRepeatedInputs) {
  const TemporaryDirectory root;
  onnx::ModelProto model = operator_model("QuantizeLinear", {"x", "scale"});
  const int inputs = static_cast<int>(limits().inputs_per_node);
  while (model.graph().node(0).input_size() < inputs) model.mutable_graph()->mutable_node(0)->add_input("x");
  write_file(root.path() / "model.onnx", model);
  const fs::path set = root.path() / "test_data_set_0";
  write_file(
      set / "input_0.pb",
      to_tensor_proto({spec::ElementType::uint2, {static_cast<std::int64_t>(limits().elements_per_case / 8)}}, "x"));
  write_file(set / "input_1.pb", float_tensor_proto("scale", {1}));
  write_file(set / "output_0.pb", to_tensor_proto({spec::ElementType::uint2, {1}}, "y"));
  EXPECT_THAT(failure_of([&] { read_test_directory(root.path(), "id"); }), HasSubstr("elements in one case"));
}

TEST(CaseSize, CountsBytesToo) {
  const reference::Tensor mebibyte(spec::ElementType::float64, {1 << 17});
  CaseSize size;
  for (std::uint64_t bytes = 0; bytes < limits().data_bytes_per_case; bytes += 1 << 20) size.add(mebibyte, "some/test");
  EXPECT_THAT(failure_of([&] { size.add(mebibyte, "some/test"); }),
              AllOf(HasSubstr("some/test"),
                    HasSubstr("more than the limit of 268435456 bytes in one case (data_bytes_per_case)")));
}

TEST_F(TestDirectory, MustExist) {
  EXPECT_THAT(failure_of([&] { read_test_directory(root() / "none", "id"); }),
              AllOf(HasSubstr("none"), HasSubstr("No such file")));
}

TEST_F(TestDirectory, IsFoundAtTheRoot) { EXPECT_THAT(find_test_directories(root()), ElementsAre(root())); }

TEST(FindTestDirectories, FindsNestedDirectoriesAndSortsThem) {
  const TemporaryDirectory root;
  for (const char* name : {"b", "a/2", "a/10", "a/2/inner"}) write_file(root.path() / name / "model.onnx", "");
  write_file(root.path() / "c" / "other.onnx", "");
  EXPECT_THAT(find_test_directories(root.path()),
              ElementsAre(root.path() / "a/10", root.path() / "a/2", root.path() / "a/2/inner", root.path() / "b"));
}

TEST(FindTestDirectories, FindsIncompleteTests) {
  const TemporaryDirectory root;
  write_file(root.path() / "only_data" / "test_data_set_0" / "input_0.pb", "");
  write_file(root.path() / "only_model" / "model.onnx", "");
  EXPECT_THAT(find_test_directories(root.path()), ElementsAre(root.path() / "only_data", root.path() / "only_model"));
  EXPECT_THAT(failure_of([&] { read_test_directory(root.path() / "only_data", "id"); }),
              HasSubstr("only_data/model.onnx: missing"));
}

TEST(FindTestDirectories, ReturnsUnreadableDirectories) {
  const TemporaryDirectory root;
  write_file(root.path() / "a" / "model.onnx", "");
  const fs::path unreadable = make_unreadable_directory(root.path());
  const std::vector<fs::path> found = find_test_directories(root.path());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], root.path() / "a");
  EXPECT_THAT(found[1].string(), ::testing::StartsWith(unreadable.string()));
  EXPECT_THAT(failure_of([&] { read_test_directory(found[1], "id"); }),
              AllOf(HasSubstr("cannot be read as a directory"), HasSubstr("File name too long")));
}

TEST(FindTestDirectories, DoesNotEnterSymbolicLinks) {
  const TemporaryDirectory root;
  write_file(root.path() / "a" / "model.onnx", "");
  fs::create_directory_symlink(root.path(), root.path() / "a" / "loop");
  fs::create_symlink("nowhere", root.path() / "a" / "dangling");
  EXPECT_THAT(find_test_directories(root.path()), ElementsAre(root.path() / "a"));
}

TEST(FindTestDirectories, RefusesARootThatIsNotADirectory) {
  const TemporaryDirectory root;
  const fs::path file = root.path() / "file";
  write_file(file, "");
  EXPECT_THAT(failure_of([&] { find_test_directories(file); }), AllOf(HasSubstr(file), HasSubstr("Not a directory")));
  EXPECT_THAT(failure_of([&] { find_test_directories(root.path() / "none"); }), HasSubstr("No such file"));
}

/// A data directory with one test, and files outside of it.
class Links : public TestDirectory {
 protected:
  Links() {
    fs::create_directories(root() / "data" / "other");
    fs::create_directories(test());
    for (const char* name : {"model.onnx", "test_data_set_0"}) fs::rename(root() / name, test() / name);
    write_file(root() / "outside" / "model.onnx", "");
    write_file(root() / "data" / "other" / "input_0.pb", float_tensor_proto("x", {1, 2}));
  }

  fs::path test() const { return root() / "data" / "test"; }
  /// Replaces a file or a directory of the test.
  void replace(const fs::path& name, const fs::path& target) const {
    fs::remove_all(test() / name);
    fs::create_symlink(target, test() / name);
  }
  Case read_test(const fs::path& allowed) const { return read_test_directory(test(), "some/id", allowed); }
  std::string failure_to_read_test(const fs::path& allowed) const {
    return failure_of([&] { read_test(allowed); });
  }
};

TEST_F(Links, ThatLeadOutOfTheDataAreRefused) {
  fs::create_directory_symlink(root() / "data", root() / "link to data");
  for (const auto& [name, target] :
       std::vector<std::pair<fs::path, fs::path>>{{"test_data_set_0/input_0.pb", "/etc/passwd"},
                                                  {"test_data_set_0/output_0.pb", "../../../outside/model.onnx"},
                                                  {"test_data_set_1", "../../outside"},
                                                  {"model.onnx", root() / "outside" / "model.onnx"}}) {
    replace(name, target);
    for (const char* data : {"data", "link to data"})
      EXPECT_THAT(failure_to_read_test(root() / data),
                  AllOf(HasSubstr((test() / name).string() + ": a symbolic link that leads out of"),
                        HasSubstr("--follow-symlinks permits this")))
          << name;
    fs::remove(test() / name);
  }
}

TEST_F(Links, ThatLeadNowhereAreRefused) {
  replace("test_data_set_0/must_reject.txt", "../../../outside/none");
  EXPECT_THAT(failure_to_read_test(root() / "data"), HasSubstr("must_reject.txt: a symbolic link that leads nowhere"));
}

TEST_F(Links, ThatStayInTheDataAreFollowed) {
  replace("test_data_set_0/input_0.pb", root() / "data" / "other" / "input_0.pb");
  EXPECT_NO_THROW(read_test(root() / "data"));
  fs::rename(test() / "test_data_set_0", root() / "data" / "set");
  replace("test_data_set_0", root() / "data" / "set");
  EXPECT_NO_THROW(read_test(root() / "data"));
  fs::remove(root() / "data" / "set" / "input_0.pb");
  fs::create_symlink(root() / "outside" / "model.onnx", root() / "data" / "set" / "input_0.pb");
  EXPECT_THAT(failure_to_read_test(root() / "data"), HasSubstr("test_data_set_0/input_0.pb: a symbolic link"));
}

TEST_F(Links, AreFollowedAnywhereIfThisIsPermitted) {
  fs::rename(test() / "model.onnx", root() / "outside" / "model.onnx");
  replace("model.onnx", root() / "outside" / "model.onnx");
  EXPECT_THAT(failure_to_read_test(root() / "data"), HasSubstr("a symbolic link"));
  EXPECT_NO_THROW(read_test({}));
}

}  // namespace
}  // namespace touchstone::conformance::test_directory_test
