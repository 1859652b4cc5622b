// Tensors that to_tensor refuses: each message names the tensor and the reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "conformance/files/limits.h"
#include "conformance/files/tensor_file.h"
#include "conformance/files/testing.h"

namespace touchstone::conformance::bad_tensor_test {
namespace {

using onnx::TensorProto;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr auto origin = "model.onnx: initializer \"scale\"";

struct BadTensor {
  std::string name;
  std::function<TensorProto()> proto;
  std::string reason;
};

constexpr std::int64_t huge = std::int64_t{1} << 40;

TensorProto corrupted(const std::function<void(TensorProto&)>& corrupt) {
  TensorProto proto = float_tensor_proto("scale", {1, 2, 3});
  corrupt(proto);
  return proto;
}

const std::vector<BadTensor> bad_tensors{
    {"no_type", [] { return corrupted([](auto& proto) { proto.clear_data_type(); }); }, "no data_type"},
    {"undefined_type", [] { return tensor_proto(TensorProto::UNDEFINED, {1}); }, "no data_type"},
    {"string", [] { return tensor_proto(TensorProto::STRING, {1}); }, "data_type 8 (STRING) is not supported"},
    {"complex", [] { return tensor_proto(TensorProto::COMPLEX64, {1}); }, "data_type 14 (COMPLEX64)"},
    {"unknown_type", [] { return corrupted([](auto& proto) { proto.set_data_type(99); }); },
     "data_type 99 (which ONNX does not define)"},
    {"negative_type", [] { return corrupted([](auto& proto) { proto.set_data_type(-1); }); }, "data_type -1"},
    {"negative_dimension",
     [] {
       return raw_tensor_proto(TensorProto::UINT8, {2, -3}, "123456");
     },
     "dims[1] is negative: -3"},
    {"two_negative_dimensions",
     [] {
       return raw_tensor_proto(TensorProto::UINT8, {-2, -3}, "123456");
     },
     "dims[0] is negative"},
    {"product_overflows",
     [] {
       return raw_tensor_proto(TensorProto::UINT8, {huge, huge}, "1");
     },
     "overflow"},
    {"product_wraps_to_zero",
     [] {
       return tensor_proto(TensorProto::UINT8, {huge, huge, huge, huge});
     },
     "overflow"},
    {"product_wraps_to_what_is_there",
     [] {
       return raw_tensor_proto(TensorProto::UINT8, {4, (std::int64_t{1} << 62) + 1}, "1234");
     },
     "overflow"},
    {"product_beside_nothing_overflows",
     [] {
       return raw_tensor_proto(TensorProto::UINT8, {huge, 0, huge}, "");
     },
     "overflow"},
    {"bits_wrap_to_what_is_there",
     [] { return raw_tensor_proto(TensorProto::FLOAT, {(std::int64_t{1} << 61) + 1}, "1234"); }, "overflow"},
    {"entries_of_the_largest_size",
     [] { return int32_tensor_proto(TensorProto::INT4, {std::numeric_limits<std::int64_t>::max()}, {1}); },
     "needs 4611686018427387904"},
    {"bytes_overflow",
     [] { return raw_tensor_proto(TensorProto::DOUBLE, {std::numeric_limits<std::int64_t>::max()}, "1"); }, "overflow"},
    {"rank",
     [] {
       TensorProto proto = raw_tensor_proto(TensorProto::UINT8, {}, "1");
       for (std::uint64_t i = 0; i <= limits().rank; ++i) proto.add_dims(1);
       return proto;
     },
     "rank 33 is above the limit of 32"},
    {"no_data", [] { return tensor_proto(TensorProto::FLOAT, {3}); },
     "no data for a tensor of type float and shape [3]"},
    {"raw_too_short", [] { return raw_tensor_proto(TensorProto::FLOAT, {3}, "12345678901"); },
     "raw_data has 11 bytes; a tensor of type float and shape [3] needs 12"},
    {"raw_too_long",
     [] {
       return raw_tensor_proto(TensorProto::INT4, {3, 5}, "123456789");
     },
     "raw_data has 9 bytes; a tensor of type int4 and shape [3, 5] needs 8"},
    {"raw_much_too_short", [] { return raw_tensor_proto(TensorProto::FLOAT, {huge}, "1234"); }, "raw_data has 4 bytes"},
    {"raw_for_no_elements", [] { return raw_tensor_proto(TensorProto::FLOAT, {0}, "1234"); }, "needs 0"},
    {"typed_too_short",
     [] {
       return int32_tensor_proto(TensorProto::UINT8, {3}, {1, 2});
     },
     "int32_data has 2 entries; a tensor of type uint8 and shape [3] needs 3"},
    {"typed_too_long",
     [] {
       return int32_tensor_proto(TensorProto::UINT8, {1}, {1, 2});
     },
     "int32_data has 2 entries"},
    {"typed_much_too_short",
     [] {
       return int32_tensor_proto(TensorProto::UINT8, {huge}, {1, 2});
     },
     "int32_data has 2 entries"},
    {"one_entry_per_nibble",
     [] {
       return int32_tensor_proto(TensorProto::INT4, {3}, {1, 2, 3});
     },
     "needs 2"},
    {"packed_float6",
     [] {
       return int32_tensor_proto(TensorProto::FLOAT6E2M3, {4}, {1, 2, 3});
     },
     "needs 4"},
    {"two_fields", [] { return corrupted([](auto& proto) { proto.set_raw_data("123456789012"); }); },
     "data both in raw_data and in float_data"},
    {"two_typed_fields", [] { return corrupted([](auto& proto) { proto.add_int64_data(1); }); },
     "data both in float_data and in int64_data"},
    {"wrong_field", [] { return corrupted([](auto& proto) { proto.set_data_type(TensorProto::UINT8); }); },
     "data in float_data, which is not a field for a tensor of type uint8"},
    {"strings_in_float",
     [] {
       TensorProto proto = tensor_proto(TensorProto::FLOAT, {1});
       proto.add_string_data("1");
       return proto;
     },
     "data in string_data, which is not a field for a tensor of type float"},
    {"uint8_300",
     [] {
       return int32_tensor_proto(TensorProto::UINT8, {2}, {1, 300});
     },
     "int32_data[1] is 300, which does not fit the type uint8"},
    {"uint8_negative", [] { return int32_tensor_proto(TensorProto::UINT8, {1}, {-1}); }, "int32_data[0] is -1"},
    {"int8_128", [] { return int32_tensor_proto(TensorProto::INT8, {1}, {128}); }, "does not fit the type int8"},
    {"int16", [] { return int32_tensor_proto(TensorProto::INT16, {1}, {-32769}); }, "does not fit the type int16"},
    {"float16", [] { return int32_tensor_proto(TensorProto::FLOAT16, {1}, {65536}); }, "does not fit the type float16"},
    {"bfloat16", [] { return int32_tensor_proto(TensorProto::BFLOAT16, {1}, {-1}); }, "does not fit the type bfloat16"},
    {"float8", [] { return int32_tensor_proto(TensorProto::FLOAT8E4M3FN, {1}, {256}); },
     "does not fit the type float8e4m3fn"},
    {"int4_byte", [] { return int32_tensor_proto(TensorProto::INT4, {2}, {256}); }, "does not fit the type int4"},
    {"uint2_byte", [] { return int32_tensor_proto(TensorProto::UINT2, {2}, {-129}); }, "does not fit the type uint2"},
    {"float6_garbage", [] { return int32_tensor_proto(TensorProto::FLOAT6E3M2, {1}, {0x40}); },
     "int32_data[0] is 64, which does not fit the type float6e3m2"},
    {"float6_negative", [] { return int32_tensor_proto(TensorProto::FLOAT6E3M2, {1}, {-1}); }, "int32_data[0] is -1"},
    {"float6_padding", [] { return raw_tensor_proto(TensorProto::FLOAT6E2M3, {1}, "\x41"); }, "padding bits"},
    {"uint32_too_big",
     [] {
       TensorProto proto = tensor_proto(TensorProto::UINT32, {1});
       proto.add_uint64_data(std::uint64_t{1} << 32);
       return proto;
     },
     "uint64_data[0] is 4294967296, which does not fit the type uint32"},
    {"external_location", [] { return corrupted([](auto& proto) { proto.set_data_location(TensorProto::EXTERNAL); }); },
     "Touchstone never opens a path that a model names"},
    {"external_data",
     [] { return corrupted([](auto& proto) { proto.add_external_data()->set_value("/etc/passwd"); }); },
     "Touchstone never opens a path that a model names"},
    {"segment", [] { return corrupted([](auto& proto) { proto.mutable_segment()->set_end(3); }); }, "segment"},
};

class BadTensorProtos : public ::testing::TestWithParam<BadTensor> {};

TEST_P(BadTensorProtos, AreRefusedWithOriginAndReason) {
  EXPECT_THAT(failure_of([] { to_tensor(GetParam().proto(), origin); }),
              AllOf(HasSubstr(origin), HasSubstr(GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(All, BadTensorProtos, ::testing::ValuesIn(bad_tensors),
                         [](const auto& bad) { return bad.param.name; });

}  // namespace
}  // namespace touchstone::conformance::bad_tensor_test
