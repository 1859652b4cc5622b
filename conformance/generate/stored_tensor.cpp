#include "conformance/generate/stored_tensor.h"

#include <onnx/onnx_pb.h>

#include <bit>
#include <vector>

#include "conformance/files/tensor_file.h"

namespace touchstone::conformance {

using spec::TypedField;

Tensor in_carrier(Tensor tensor) {
  const ElementTypeInfo& type = spec::info(tensor.type());
  if (!type.carrier) return tensor;
  Shape shape = tensor.shape();
  const std::int64_t rows = spec::elements_per_carrier(tensor.type());
  shape[0] /= rows;
  Tensor packed(*type.carrier, shape);
  if (packed.size() == 0) return packed;
  const std::int64_t row_length = packed.size() / shape[0];
  for (std::int64_t i = 0; i < packed.size(); ++i) {
    const std::int64_t first = i / row_length * rows * row_length + i % row_length;
    std::uint64_t bits = 0;
    for (std::int64_t j = 0; j < rows; ++j) bits |= tensor.code(first + j * row_length) << (j * type.bits);
    packed.set_code(i, bits);
  }
  return packed;
}

Shape out_of_carrier(Shape shape, ElementType type) {
  if (!shape.empty()) shape[0] *= spec::elements_per_carrier(type);
  return shape;
}

namespace {

/// The entries of int32_data: integers by their value, several elements per entry if they share a byte, everything else
/// by its bit pattern.
std::vector<std::int32_t> int32_entries(const Tensor& tensor) {
  const ElementTypeInfo& row = spec::info(tensor.type());
  std::vector<std::int32_t> entries;
  for (std::int64_t i = 0; i < tensor.size(); i += row.elements_per_entry) {
    std::uint64_t bits = 0;
    for (int k = 0; k < row.elements_per_entry && i + k < tensor.size(); ++k)
      bits |= tensor.code(i + k) << (k * row.bits);
    const bool is_negative =
        row.elements_per_entry == 1 && row.kind == NumberKind::signed_integer && (bits >> (row.bits - 1)) != 0;
    if (is_negative) bits |= ~std::uint64_t{0} << row.bits;
    entries.push_back(static_cast<std::int32_t>(bits));
  }
  return entries;
}

void use_typed_field(const Tensor& tensor, onnx::TensorProto& proto) {
  proto.clear_raw_data();
  if (spec::info(tensor.type()).typed_field == TypedField::float_data) {
    for (std::int64_t i = 0; i < tensor.size(); ++i)
      proto.add_float_data(std::bit_cast<float>(static_cast<std::uint32_t>(tensor.code(i))));
    return;
  }
  for (const std::int32_t entry : int32_entries(tensor)) proto.add_int32_data(entry);
}

/// Sets every bit after the last element, up to the end of its byte.
void fill_padding(const Tensor& tensor, onnx::TensorProto& proto) {
  const std::int64_t used = tensor.size() * spec::info(tensor.type()).bits % 8;
  std::string& bytes = *proto.mutable_raw_data();
  if (used != 0) bytes.back() = static_cast<char>(static_cast<unsigned char>(bytes.back()) | (0xff << used));
}

}  // namespace

onnx::TensorProto stored_tensor(const Tensor& tensor, const std::string& name, Storage storage) {
  onnx::TensorProto proto = to_tensor_proto(tensor, name);
  // float32 is the only operand type whose typed field is not int32_data.
  if (storage == Storage::typed_field) use_typed_field(tensor, proto);
  if (storage == Storage::raw_data_with_garbage) fill_padding(tensor, proto);
  return proto;
}

void make_constant(onnx::NodeProto& node, const onnx::TensorProto& value, const std::string& output) {
  node.set_op_type("Constant");
  node.add_output(output);
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  *attribute.mutable_t() = value;
}

void declare(onnx::ValueInfoProto& info, const std::string& name, ElementType type, const Shape& shape,
             Dimensions dimensions) {
  info.set_name(name);
  onnx::TypeProto::Tensor& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(static_cast<int>(type));
  onnx::TensorShapeProto& declared = *tensor.mutable_shape();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    auto& dimension = *declared.add_dim();
    if (dimensions == Dimensions::symbolic)
      dimension.set_dim_param(name + "_" + std::to_string(i));
    else
      dimension.set_dim_value(shape[i]);
  }
}

}  // namespace touchstone::conformance
