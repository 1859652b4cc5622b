#include "conformance/files/tensor_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/stat.h>

#include "conformance/files/limits.h"
#include "conformance/files/testing.h"

namespace touchstone::conformance::tensor_file_test {
namespace {

using onnx::TensorProto;
using reference::Tensor;
using spec::ElementType;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto origin = "model.onnx: initializer \"scale\"";

std::vector<std::uint64_t> codes_of(const Tensor& tensor) {
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < tensor.size(); ++i) codes.push_back(tensor.code(i));
  return codes;
}

std::vector<std::uint64_t> codes_of(const TensorProto& proto) { return codes_of(to_tensor(proto, origin)); }

class TensorProtoOfEveryType : public ::testing::TestWithParam<spec::ElementTypeInfo> {};

TEST_P(TensorProtoOfEveryType, IsUnchangedByBothWaysOfStorage) {
  const std::string name(GetParam().name);
  EXPECT_TRUE(rc::check(name + ": tensor to proto to tensor", [&](const std::vector<std::uint64_t>& codes) {
    const auto size = static_cast<std::int64_t>(codes.size());
    const Tensor tensor = Tensor::from_codes(GetParam().type, {1, size}, codes);
    for (const TensorProto& proto : {to_tensor_proto(tensor, name), to_typed_tensor_proto(tensor, name)}) {
      const Tensor back = to_tensor(proto, origin);
      RC_ASSERT(proto.name() == name);
      RC_ASSERT(back.type() == tensor.type());
      RC_ASSERT(back.shape() == tensor.shape());
      RC_ASSERT(codes_of(back) == codes_of(tensor));
    }
  }));
}

/// The types that files contain. A type with a carrier is stored as its carrier.
std::vector<spec::ElementTypeInfo> types_of_files() {
  std::vector<spec::ElementTypeInfo> types(spec::element_types.begin(), spec::element_types.end());
  std::erase_if(types, [](const spec::ElementTypeInfo& row) { return row.carrier.has_value(); });
  return types;
}

INSTANTIATE_TEST_SUITE_P(All, TensorProtoOfEveryType, ::testing::ValuesIn(types_of_files()),
                         [](const auto& type) { return std::string(type.param.name); });

TEST(ToTensor, ReadsScalarsAndEmptyTensors) {
  EXPECT_EQ(to_tensor(raw_tensor_proto(TensorProto::INT8, {}, "\x05"), origin).shape(), reference::Shape{});
  EXPECT_EQ(to_tensor(tensor_proto(TensorProto::FLOAT, {0}), origin).size(), 0);
  EXPECT_EQ(to_tensor(tensor_proto(TensorProto::INT4, {3, 0, 5}), origin).size(), 0);
}

TEST(ToTensor, ReadsNegativeIntegersAsOnnxWritesThem) {
  EXPECT_THAT(codes_of(int32_tensor_proto(TensorProto::INT8, {3}, {-1, -128, 127})), ElementsAre(0xFF, 0x80, 0x7F));
  EXPECT_THAT(codes_of(int32_tensor_proto(TensorProto::INT16, {2}, {-1, -32768})), ElementsAre(0xFFFF, 0x8000));
  EXPECT_THAT(codes_of(int32_tensor_proto(TensorProto::INT32, {1}, {-2})), ElementsAre(0xFFFFFFFE));
}

TEST(ToTensor, ReadsPackedEntriesOfEitherSign) {
  EXPECT_THAT(codes_of(int32_tensor_proto(TensorProto::INT4, {3}, {0xE1, 0x07})), ElementsAre(0x1, 0xE, 0x7));
  EXPECT_THAT(codes_of(int32_tensor_proto(TensorProto::INT4, {3}, {0xE1 - 256, 0x07})), ElementsAre(0x1, 0xE, 0x7));
  EXPECT_THAT(codes_of(int32_tensor_proto(TensorProto::UINT2, {5}, {0xE4, 0x02})), ElementsAre(0, 1, 2, 3, 2));
}

TEST(ToTensor, DropsPaddingOf4And2BitTypes) {
  const auto last_byte = [](const TensorProto& proto) { return to_tensor(proto, origin).bytes().back(); };
  EXPECT_EQ(last_byte(raw_tensor_proto(TensorProto::UINT4, {1}, "\xF3")), std::byte{0x03});
  EXPECT_EQ(last_byte(raw_tensor_proto(TensorProto::FLOAT4E2M1, {3}, "\x21\xF3")), std::byte{0x03});
  EXPECT_EQ(last_byte(raw_tensor_proto(TensorProto::INT2, {3}, "\xFF")), std::byte{0x3F});
  EXPECT_EQ(last_byte(int32_tensor_proto(TensorProto::UINT4, {1}, {0xF3})), std::byte{0x03});
}

TEST(ToTensorProto, WritesZerosAsPadding) {
  const std::vector<std::byte> ones(4, std::byte{0xFF});
  EXPECT_EQ(to_tensor_proto(Tensor(ElementType::uint4, {7}, ones), "x").raw_data(), "\xFF\xFF\xFF\x0F");
  EXPECT_EQ(to_tensor_proto(Tensor(ElementType::float6e2m3, {5}, ones), "x").raw_data(), "\xFF\xFF\xFF\x3F");
  EXPECT_EQ(to_tensor_proto(Tensor(ElementType::uint4, {8}, ones), "x").raw_data(), "\xFF\xFF\xFF\xFF");
}

class TensorFile : public ::testing::Test {
 protected:
  std::string failure_to_read() {
    return failure_of([&] { read_tensor_file(path_); });
  }

  TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_.path() / "input_0.pb";
};

TEST_F(TensorFile, IsRead) {
  write_file(path_, float_tensor_proto("x", {1, -2}));
  const NamedTensor tensor = read_tensor_file(path_);
  EXPECT_EQ(tensor.name, "x");
  EXPECT_THAT(codes_of(tensor.value), ElementsAre(0x3F800000, 0xC0000000));
}

TEST_F(TensorFile, MustExist) { EXPECT_THAT(failure_to_read(), AllOf(HasSubstr(path_), HasSubstr("No such file"))); }

TEST_F(TensorFile, MustNotBeEmpty) {
  write_file(path_, "");
  EXPECT_THAT(failure_to_read(), AllOf(HasSubstr(path_), HasSubstr("empty")));
}

TEST_F(TensorFile, MustNotBeTruncated) {
  // raw_data is at the end of the file, so that every truncation affects it.
  const std::string bytes = to_tensor_proto(Tensor(ElementType::float32, {2}), "x").SerializeAsString();
  for (std::size_t length = 1; length < bytes.size(); ++length) {
    write_file(path_, bytes.substr(0, length));
    EXPECT_THAT(failure_to_read(), HasSubstr(path_)) << length;
  }
}

TEST_F(TensorFile, MustNotBeADirectory) {
  std::filesystem::create_directory(path_);
  EXPECT_THAT(failure_to_read(), AllOf(HasSubstr(path_), HasSubstr("not a regular file")));
}

TEST_F(TensorFile, MustNotBeAFifoAndDoesNotWaitForOne) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(failure_to_read(), AllOf(HasSubstr(path_), HasSubstr("not a regular file")));
}

TEST_F(TensorFile, MustNotExceedTheLimit) {
  write_file(path_, "");
  std::filesystem::resize_file(path_, limits().file_bytes + 1);
  EXPECT_THAT(failure_to_read(), AllOf(HasSubstr(path_), HasSubstr("longer than the limit")));
}

TEST_F(TensorFile, OfArbitraryBytesIsRefusedOrRead) {
  EXPECT_TRUE(rc::check("arbitrary bytes", [&](const std::string& bytes) {
    write_file(path_, bytes);
    try {
      read_tensor_file(path_);
    } catch (const FileError& error) {
      RC_ASSERT(error.origin() == path_);
    }
  }));
}

TEST_F(TensorFile, WithOneByteChangedIsRefusedOrRead) {
  const std::string good = float_tensor_proto("x", {1, -2}).SerializeAsString();
  EXPECT_TRUE(rc::check("one byte changed", [&](char byte) {
    std::string bytes = good;
    bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = byte;
    write_file(path_, bytes);
    try {
      read_tensor_file(path_);
    } catch (const FileError& error) {
      RC_ASSERT(error.origin() == path_);
    }
  }));
}

}  // namespace
}  // namespace touchstone::conformance::tensor_file_test
