// Inputs of users: NumPy's files, directories of files, and what a model's parts get from them.
#include "conformance/units/user_inputs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/algorithm/hex.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "conformance/files/limits.h"
#include "conformance/files/testing.h"
#include "conformance/testing.h"
#include "conformance/units/testing.h"
#include "conformance/units/unit_cases.h"

namespace touchstone::conformance::user_inputs_test {
namespace {

using spec::ElementType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What numpy.save writes: the header ends with a line feed, and its length is a multiple of 64 with what precedes it.
std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                const std::string& order = "False") {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", descr, order, shape);
  header.resize(118 - 1, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + data;
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string complaint(const auto& function) {
  try {
    function();
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(Npy, HasTypeShapeAndData) {
  const reference::Tensor bytes = parse_npy(npy("|u1", "(2, 3)", "abcdef"), "x.npy");
  EXPECT_EQ(bytes.type(), ElementType::uint8);
  EXPECT_EQ(bytes.shape(), (reference::Shape{2, 3}));
  EXPECT_EQ(bytes.code(5), static_cast<std::uint64_t>('f'));
  const reference::Tensor number = parse_npy(npy("<f4", "()", std::string("\0\0\x80\x3f", 4)), "x.npy");
  EXPECT_EQ(number.rank(), 0);
  EXPECT_EQ(number.code(0), 0x3f800000U);
  EXPECT_EQ(parse_npy(npy("<i8", "(0,)", ""), "x.npy").shape(), reference::Shape{0});
}

/// numpy.asfortranarray of [[1, 2, 3], [4, 5, 6]] is saved as 1 4 2 5 3 6.
TEST(Npy, MayBeInFortransOrder) {
  const reference::Tensor read = parse_npy(npy("|u1", "(2, 3)", "\1\4\2\5\3\6", "True"), "x.npy");
  EXPECT_EQ(read, tensor(ElementType::uint8, {2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(parse_npy(npy("|u1", "(0, 3)", "", "True"), "x.npy").shape(), (reference::Shape{0, 3}));
}

TEST(Npy, IsRefusedWithTheReason) {
  struct Row {
    std::string content, message;
  };
  const std::string whole = npy("|u1", "(2,)", "ab");
  for (const auto& [content, message] :
       {Row{"", "not a NumPy file"}, Row{whole.substr(0, 9), "not a NumPy file"},
        Row{whole.substr(0, 60), "the header is truncated"}, Row{whole.substr(0, whole.size() - 1), "x.npy"},
        Row{npy(">f4", "(1,)", "abcd"), "the type '>f4' of NumPy is not supported"},
        Row{npy("|u1", "2", "ab"), "the header has no shape"}, Row{npy("|u1", "(-2,)", "ab"), "x.npy"},
        Row{npy("|u1", "(3,)", "ab"), "x.npy"}, Row{npy("|u1", "(99999999999999999999,)", "ab"), "no shape"}})
    EXPECT_THAT(complaint([&] { parse_npy(content, "x.npy"); }), HasSubstr(message)) << content;
}

TEST(UserInputs, AreFilesByNameOrByNumberInOneOrSeveralDirectories) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> names{"a", "b"};
  for (const int set : {2, 10}) {
    const auto directory = scratch.path() / fmt::format("test_data_set_{}", set);
    write_text(directory / "input_1.npy", npy("|u1", "(1,)", std::string(1, static_cast<char>(set))));
    write_text(directory / "a.pb", tensor_file_content(tensor(ElementType::int8, {1}, {7}), "other"));
  }
  const std::vector<UserInputs> sets = read_user_inputs(scratch.path(), names);
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0][0].name, "a");
  EXPECT_EQ(sets[0][0].value.code(0), 7U);
  EXPECT_EQ(sets[0][1].value.code(0), 2U) << "2 comes before 10";
  EXPECT_EQ(sets[1][1].value.code(0), 10U);
  EXPECT_EQ(read_user_inputs(scratch.path() / "test_data_set_2", names).size(), 1U);
}

TEST(UserInputs, ThatAreNotThereAreNamed) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> names{"a", "b"};
  const auto message = [&](const std::filesystem::path& path) {
    return complaint([&] { read_user_inputs(path, names); });
  };
  EXPECT_THAT(message(scratch.path()), HasSubstr("neither a.npy nor input_0.pb exists"));
  EXPECT_THAT(message(scratch.path() / "x.npy"), HasSubstr("the model has 2 inputs"));
  EXPECT_NE(message(scratch.path() / "nowhere"), "");
  write_text(scratch.path() / "a.txt", "1");
  EXPECT_THAT(message(scratch.path() / "a.txt"), HasSubstr("a.txt: neither a directory nor a file .npy, .npz or .pb"));
  write_text(scratch.path() / "a.npy", npy("|u1", "(1,)", "a"));
  EXPECT_THAT(message(scratch.path()), HasSubstr(R"(no file has the input "b" (b.npy or input_1.pb))"));
}

/// By numpy.savez_compressed(path, numpy.array([7], numpy.int8), **{"b/c": numpy.array([9], numpy.uint8)}).
TEST(UserInputs, AreMembersOfAnArchive) {
  const TemporaryDirectory scratch;
  const auto path = scratch.path() / "x.npz";
  const std::string archive = boost::algorithm::unhex(
      std::string("504b030414000000080000002100493a7dce450000008100000007001400622f632e6e707901001000810000000000000045"
                  "000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a05e536aa8aea3a09e965f54529498179f5f94920a1277"
                  "4bcc294e058a17672416a402f91a863a9a3a0ab50a14002e4e00504b030414000000080000002100d2d43d0d450000008100"
                  "0000090014006172725f302e6e707901001000810000000000000045000000000000009bec17ea1b10c9c850c650ad9e925a"
                  "9c5ca46ea5a05e9369a8aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a863a9a3a0ab50a14"
                  "002e7600504b0102140314000000080000002100493a7dce4500000081000000070000000000000000000000800100000000"
                  "622f632e6e7079504b0102140314000000080000002100d2d43d0d450000008100000009000000000000000000000080017e"
                  "0000006172725f302e6e7079504b050600000000020002006c000000fe0000000000"));
  write_text(path, archive);
  EXPECT_EQ(complaint([&] { read_user_inputs(scratch.path() / "x.npy", {}); }),
            (scratch.path() / "x.npy").string() + ": the model has no inputs");
  const std::vector<UserInputs> sets = read_user_inputs(path, std::vector<std::string>{"a", "b/c"});
  ASSERT_EQ(sets.size(), 1U);
  EXPECT_EQ(sets[0][0].value.type(), ElementType::int8);
  EXPECT_EQ(sets[0][0].value.code(0), 7U);
  EXPECT_EQ(sets[0][1].value.code(0), 9U);
  const auto message = [&](const std::vector<std::string>& names) {
    return complaint([&] { read_user_inputs(path, names); });
  };
  const std::vector<UserInputs> of_directory = read_user_inputs(scratch.path(), std::vector<std::string>{"a", "b/c"});
  EXPECT_EQ(of_directory.at(0).at(1).value, sets[0][1].value);
  EXPECT_THAT(message({"a", "d"}), HasSubstr(R"(x.npz: no file has the input "d" (d.npy or input_1.pb))"));
  write_text(path, boost::replace_all_copy(archive, "arr_0", "arr_9"));
  EXPECT_THAT(message({"d"}), HasSubstr("nor input_0.pb exists in the archive, which has arr_9.npy, b/c.npy"));
  write_text(path, archive.substr(0, 200));
  EXPECT_THAT(message({"a", "b/c"}), HasSubstr("x.npz: not a zip archive, or a truncated one"));
  write_text(path, archive.substr(archive.size() - 22, 4) + std::string(18, '\0'));
  EXPECT_THAT(message({"a"}), HasSubstr("neither a.npy nor input_0.pb exists in the archive"));
}

TEST(UserInputs, AreNoLargerThanTheLimitsOfACase) {
  const TemporaryDirectory scratch;
  for (const int set : {0, 1})
    write_text(scratch.path() / fmt::format("set{}", set) / "a.npy", npy("|u1", "(3,)", "abc"));
  set_limits("data_bytes_per_case=5");
  const std::string message = complaint([&] { read_user_inputs(scratch.path(), std::vector<std::string>{"a"}); });
  set_limits(fmt::format("data_bytes_per_case={}", Limits().data_bytes_per_case));
  EXPECT_THAT(message, HasSubstr("set1: more than the limit of 5 bytes in one case (data_bytes_per_case)"));
}

/// x / 0.5 is quantized, and its codes are those that the unit gets; the length of n follows from the data.
TEST(UserInputs, ReachTheParts) {
  const TemporaryDirectory scratch;
  const auto model = file_of_graph(scratch, R"(g (float[n] x) => (uint8[n] y) <float s = {0.5}> {
    q = QuantizeLinear(x, s)
    d = DequantizeLinear(q, s)
    r = Relu(d)
    y = QuantizeLinear(r, s)
  })");
  const auto path = scratch.path() / "x.npy";
  write_text(path, npy("<f4", "(2,)", std::string("\0\0\x80\x3f\0\0\0\x40", 8)));  // 1 and 2
  const ModelParts parts(model, {}, path);
  EXPECT_EQ(parts.parts_with_inputs(), parts.size());
  const Case unit = parts.make_case(parts.size() - 1, 0);
  const reference::Tensor& codes = unit.data_sets.at(0).inputs.at(0).value;
  EXPECT_THAT((std::vector{codes.code(0), codes.code(1)}), ElementsAre(2U, 4U));
  EXPECT_GT(unit.data_sets.size(), 1U) << "other inputs, too";
  write_text(path, npy("<f8", "(1,)", std::string(8, '\0')));
  EXPECT_THAT(
      complaint([&] { ModelParts(model, {}, path); }),
      HasSubstr(R"(x.npy: the input "x" is float, but your data are double: save array.astype(numpy.float32))"));
}

TEST(UserInputs, HaveShapesThatAgreeWithTheModelAndWithEachOther) {
  const TemporaryDirectory scratch;
  const auto model = file_of_graph(scratch, R"(g (float[n,2] a, float[n,2] b) => (uint8[n,2] y) <float s = {0.5}> {
    c = Add(a, b)
    y = QuantizeLinear(c, s)
  })");
  const auto sets = scratch.path() / "sets";
  const auto write = [&](const std::string& name, const std::string& shape, std::size_t elements) {
    write_text(sets / name, npy("<f4", shape, std::string(4 * elements, '\0')));
  };
  const auto message = [&](const DimensionLengths& lengths) {
    return complaint([&] { ModelParts(model, lengths, sets); });
  };
  for (const char* name : {"0/a.npy", "0/b.npy", "1/a.npy"}) write(name, "(2, 2)", 4);
  const std::string first = (sets / "0/a.npy").string(), last = (sets / "1/b.npy").string();
  write("1/b.npy", "(2, 2, 1)", 4);
  EXPECT_EQ(message({}), last + R"(: the input "b" has rank 2, but your data have rank 3: [2,2,1])");
  write("1/b.npy", "(2, 3)", 6);
  EXPECT_EQ(message({}),
            last + R"(: dimension 1 of the input "b" has length 3, but must have 2, as the model declares it)");
  write("1/b.npy", "(3, 2)", 6);
  EXPECT_EQ(message({}), last + R"(: dimension 0 ("n") of the input "b" has length 3, but must have 2, as in )" +
                             first +
                             R"(, dimension 0 of the input "a"; sets of other lengths need a check of their own)");
  EXPECT_EQ(message({{"n", 1}}),
            first + R"(: dimension 0 ("n") of the input "a" has length 2, but must have 1, by --dim n=1)");
  EXPECT_THAT(message({{"b[0]", 3}}), HasSubstr("0/b.npy: dimension 0 (\"n\") of the input \"b\" has length 2"));
  EXPECT_THAT(complaint([&] {
                ModelParts(model, {{"m", 1}});
              }),
              HasSubstr("--dim m=1: no input has a dimension with this name; these have no length: n"));
  write("1/b.npy", "(2, 2)", 4);
  EXPECT_EQ(message({}), "");
  EXPECT_EQ(message({{"n", 2}}), "");
}

TEST(UserInputs, HaveLengthsThatDoNotContradictEachOther) {
  const TemporaryDirectory scratch;
  const auto model = file_of_graph(scratch, R"(g (float[n,2] a, float[n,2] b) => (uint8[n,2] y) <float s = {0.5}> {
    c = Add(a, b)
    y = QuantizeLinear(c, s)
  })");
  const auto message = [&](const DimensionLengths& lengths) { return complaint([&] { UserModel(model, lengths); }); };
  const std::string file = model.string();
  EXPECT_EQ(
      message({{"n", 1}, {"b[0]", 3}}),
      file + R"(: dimension 0 ("n") of the input "b" has length 1, by --dim n=1, but must have 3, by --dim b[0]=3)");
  EXPECT_EQ(message({{"a[0]", 4}, {"b[0]", 3}}),
            file + R"(: dimension 0 ("n") of the input "b" has length 4, by --dim a[0]=4, but must have 3, )" +
                "by --dim b[0]=3");
  EXPECT_EQ(message({{"n", 1}, {"a[1]", 5}}),
            file + R"(: dimension 1 of the input "a" has length 5, by --dim a[1]=5, but must have 2, )" +
                "as the model declares it");
  EXPECT_EQ(message({{"n", 1}, {"a[0]", 1}, {"a[1]", 2}}), "");
  EXPECT_EQ(message({{"a[0]", 1}}), "") << "the same symbol has the same length";
}

TEST(UserInputs, GiveShapesThatTheModelLacks) {
  const TemporaryDirectory scratch;
  onnx::ModelProto proto =
      model_of_graph("g (float[n] x) => (uint8[n] y) <float s = {0.5}> { y = QuantizeLinear(x, s) }");
  proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  write_file(scratch.path() / "net.onnx", proto);
  EXPECT_THAT(complaint([&] { UserModel(scratch.path() / "net.onnx", {}); }),
              HasSubstr("input \"x\" has no shape: give it with --data"));
  write_text(scratch.path() / "x.npy", npy("<f4", "(2, 1)", std::string(8, '\0')));
  const UserModel model(scratch.path() / "net.onnx", {}, scratch.path() / "x.npy");
  EXPECT_EQ(model.form_of("x"), (ValueForm{ElementType::float32, {2, 1}}));
}

TEST(UserInputs, EndAtOperatorsThatTheInterpreterLacks) {
  const TemporaryDirectory scratch;
  const auto model = file_of_graph(scratch, R"(g (float[1] x) => (uint8[1] y) <float s = {0.5}> {
    e = Acosh(x)
    y = QuantizeLinear(e, s)
  })");
  write_text(scratch.path() / "x.npy", npy("<f4", "(1,)", std::string(4, '\0')));
  const ModelParts parts(model, {}, scratch.path() / "x.npy");
  EXPECT_EQ(parts.parts_with_inputs(), 0U);
  EXPECT_GT(parts.make_case(0, 0).data_sets.size(), 1U);
}

/// The index of the second set is out of range.
TEST(UserInputs, ReachThePartsFromSomeSets) {
  const TemporaryDirectory scratch;
  const auto model = file_of_graph(scratch, R"(g (int64[1] i) => (uint8[1] y) <float[2] t = {1, 2}, float s = {0.5}> {
    e = Gather(t, i)
    y = QuantizeLinear(e, s)
  })");
  const auto sets = scratch.path() / "sets";
  std::filesystem::create_directories(sets / "0");
  std::filesystem::create_directories(sets / "1");
  write_text(sets / "0/i.npy", npy("<i8", "(1,)", std::string("\1\0\0\0\0\0\0\0", 8)));
  write_text(sets / "1/i.npy", npy("<i8", "(1,)", std::string("\11\0\0\0\0\0\0\0", 8)));
  const ModelParts with_one(model, {}, sets / "0"), with_both(model, {}, sets);
  EXPECT_EQ(with_both.parts_with_inputs(), with_both.size());
  for (std::size_t number = 0; number < with_both.size(); ++number)
    EXPECT_EQ(with_both.make_case(number, 0).data_sets.size(), with_one.make_case(number, 0).data_sets.size());
  EXPECT_THAT(with_one.invalid_inputs(), IsEmpty());
  EXPECT_THAT(with_both.invalid_inputs(),
              ElementsAre((sets / "1/i.npy").string() +
                          ": node 0 Gather e: the index 9 is out of range for an axis of length 2"));
}

}  // namespace
}  // namespace touchstone::conformance::user_inputs_test
