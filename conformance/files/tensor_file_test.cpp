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

onnx::SparseTensorProto sparse_tensor(const TensorProto& values, const std::vector<std::int64_t>& index_dims,
                                      const std::vector<std::int64_t>& indices, const std::vector<std::int64_t>& dims) {
  onnx::SparseTensorProto proto;
  *proto.mutable_values() = values;
  *proto.mutable_indices() = tensor_proto(TensorProto::INT64, {});
  proto.mutable_indices()->mutable_dims()->Add(index_dims.begin(), index_dims.end());
  proto.mutable_indices()->mutable_int64_data()->Add(indices.begin(), indices.end());
  proto.mutable_dims()->Add(dims.begin(), dims.end());
  return proto;
}

TEST(SparseTensor, IsReadAsADenseOne) {
  const TensorProto bytes = raw_tensor_proto(TensorProto::UINT8, {2}, "ab"),
                    nibbles = raw_tensor_proto(TensorProto::UINT4, {2}, "\x21");
  const Tensor linear = to_tensor(sparse_tensor(bytes, {2}, {1, 5}, {2, 3}), origin);
  EXPECT_EQ(linear.shape(), (reference::Shape{2, 3}));
  EXPECT_THAT(codes_of(linear), ElementsAre(0, 'a', 0, 0, 0, 'b'));
  EXPECT_THAT(codes_of(to_tensor(sparse_tensor(bytes, {2, 2}, {0, 2, 1, 0}, {2, 3}), origin)),
              ElementsAre(0, 0, 'a', 'b', 0, 0));
  EXPECT_THAT(codes_of(to_tensor(sparse_tensor(nibbles, {2, 1}, {0, 2}, {3}), origin)), ElementsAre(1, 0, 2));
  onnx::SparseTensorProto zeros;
  *zeros.mutable_values() = tensor_proto(TensorProto::FLOAT, {0});
  zeros.add_dims(2);
  EXPECT_THAT(codes_of(to_tensor(zeros, origin)), ElementsAre(0, 0));
}

TEST(SparseTensor, IsRefusedWithTheReason) {
  const TensorProto values = raw_tensor_proto(TensorProto::UINT8, {2}, "ab");
  const auto message = [](const onnx::SparseTensorProto& proto) {
    return failure_of([&] { to_tensor(proto, origin); });
  };
  EXPECT_THAT(message(sparse_tensor(values, {2}, {1, 6}, {2, 3})),
              HasSubstr("initializer \"scale\": indices[1] is out of range: 6, but the length is 6"));
  EXPECT_THAT(message(sparse_tensor(values, {2}, {-1, 5}, {2, 3})), HasSubstr("indices[0] is out of range: -1"));
  // A flat index that would be in range.
  EXPECT_THAT(message(sparse_tensor(values, {2, 2}, {0, 1, 0, 3}, {2, 3})),
              HasSubstr("indices[1] is out of range: 3, but the length is 3"));
  EXPECT_THAT(message(sparse_tensor(values, {2}, {3, 3}, {2, 3})), HasSubstr("they must ascend without duplicates"));
  EXPECT_THAT(message(sparse_tensor(values, {2, 2}, {1, 0, 0, 2}, {2, 3})), HasSubstr("indices[1] is not greater"));
  EXPECT_THAT(message(sparse_tensor(values, {3}, {0, 1, 2}, {2, 3})),
              HasSubstr("its indices are a tensor of type int64 and shape [3], not of int64 and [2] or [2, 2]"));
  EXPECT_THAT(message(sparse_tensor(values, {2, 1}, {0, 1}, {2, 3})), HasSubstr("shape [2, 1]"));
  EXPECT_THAT(message(sparse_tensor(values, {2}, {0, 1}, {})), HasSubstr("without dims"));
  EXPECT_THAT(message(sparse_tensor(values, {2}, {0, 1}, {-6})), HasSubstr("dims[0] is negative"));
  EXPECT_THAT(message(sparse_tensor(values, {2}, {0, 1}, {std::int64_t{1} << 40, 1 << 30})), HasSubstr("overflow"));
  EXPECT_THAT(message(sparse_tensor(values, {2}, {0, 1}, {std::int64_t{1} << 40})),
              HasSubstr("more than the limit of 268435456 bytes in one case (data_bytes_per_case)"));
  EXPECT_THAT(message(sparse_tensor(raw_tensor_proto(TensorProto::UINT8, {1, 2}, "ab"), {2}, {0, 1}, {6})),
              HasSubstr("its values have the shape [1, 2], not [NNZ]"));
  EXPECT_THAT(message(sparse_tensor(raw_tensor_proto(TensorProto::FLOAT8E8M0, {2}, "ab"), {2}, {0, 1}, {3})),
              HasSubstr("zero, which float8e8m0 does not have"));
  onnx::SparseTensorProto without_indices = sparse_tensor(values, {2}, {0, 1}, {6});
  without_indices.clear_indices();
  EXPECT_THAT(message(without_indices), HasSubstr("indices: no data_type"));
}

}  // namespace
}  // namespace touchstone::conformance::tensor_file_test
