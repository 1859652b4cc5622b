#include "conformance/files/attribute.h"

#include <google/protobuf/descriptor.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/files/tensor_file.h"

namespace touchstone::conformance {

namespace {

using onnx::AttributeProto;
using reference::Tensor;
using spec::ElementType;

struct ValueField {
  AttributeProto::AttributeType type;
  int field_number;  ///< the only field of AttributeProto that may hold a value of this type
};

constexpr std::array value_fields{
    ValueField{AttributeProto::FLOAT, AttributeProto::kFFieldNumber},
    ValueField{AttributeProto::INT, AttributeProto::kIFieldNumber},
    ValueField{AttributeProto::STRING, AttributeProto::kSFieldNumber},
    ValueField{AttributeProto::TENSOR, AttributeProto::kTFieldNumber},
    ValueField{AttributeProto::GRAPH, AttributeProto::kGFieldNumber},
    ValueField{AttributeProto::SPARSE_TENSOR, AttributeProto::kSparseTensorFieldNumber},
    ValueField{AttributeProto::TYPE_PROTO, AttributeProto::kTpFieldNumber},
    ValueField{AttributeProto::FLOATS, AttributeProto::kFloatsFieldNumber},
    ValueField{AttributeProto::INTS, AttributeProto::kIntsFieldNumber},
    ValueField{AttributeProto::STRINGS, AttributeProto::kStringsFieldNumber},
    ValueField{AttributeProto::TENSORS, AttributeProto::kTensorsFieldNumber},
    ValueField{AttributeProto::GRAPHS, AttributeProto::kGraphsFieldNumber},
    ValueField{AttributeProto::SPARSE_TENSORS, AttributeProto::kSparseTensorsFieldNumber},
    ValueField{AttributeProto::TYPE_PROTOS, AttributeProto::kTypeProtosFieldNumber},
};

std::string described(const AttributeProto& attribute) { return "attribute " + in_quotes(attribute.name()); }

std::string type_name(const AttributeProto& attribute) { return AttributeProto::AttributeType_Name(attribute.type()); }

bool holds_value(int field_number) {
  return std::any_of(value_fields.begin(), value_fields.end(),
                     [=](const ValueField& row) { return row.field_number == field_number; });
}

void check(const AttributeProto& attribute, const std::string& origin) {
  if (attribute.name().empty()) throw FileError(origin, "an attribute has no name");
  if (!attribute.ref_attr_name().empty())
    throw FileError(origin,
                    described(attribute) + " refers to an attribute of a function, but the node is not in a function");
  const auto* row = std::find_if(value_fields.begin(), value_fields.end(),
                                 [&](const ValueField& field) { return field.type == attribute.type(); });
  if (row == value_fields.end()) throw FileError(origin, described(attribute) + " has no type that ONNX defines");

  std::vector<const google::protobuf::FieldDescriptor*> present;
  attribute.GetReflection()->ListFields(attribute, &present);
  for (const auto* field : present)
    if (holds_value(field->number()) && field->number() != row->field_number)
      throw FileError(origin, described(attribute) + " is of type " + type_name(attribute) + ", but has a value in " +
                                  std::string(field->name()));
}

Tensor from_floats(reference::Shape shape, const std::vector<float>& values) {
  std::vector<std::uint64_t> codes;
  for (const float value : values) codes.push_back(std::bit_cast<std::uint32_t>(value));
  return Tensor::from_codes(ElementType::float32, std::move(shape), codes);
}

Tensor from_ints(reference::Shape shape, const std::vector<std::int64_t>& values) {
  const std::vector<std::uint64_t> codes(values.begin(), values.end());
  return Tensor::from_codes(ElementType::int64, std::move(shape), codes);
}

struct ConstantAttribute {
  std::string_view name;
  AttributeProto::AttributeType type;
  Tensor (*value)(const AttributeProto&, const std::string& origin);
};

const std::array constant_attributes{
    ConstantAttribute{"value", AttributeProto::TENSOR,
                      [](const AttributeProto& a, const std::string& origin) { return to_tensor(a.t(), origin); }},
    ConstantAttribute{"value_float", AttributeProto::FLOAT,
                      [](const AttributeProto& a, const std::string&) { return from_floats({}, {a.f()}); }},
    ConstantAttribute{"value_floats", AttributeProto::FLOATS,
                      [](const AttributeProto& a, const std::string&) {
                        return from_floats({a.floats_size()}, {a.floats().begin(), a.floats().end()});
                      }},
    ConstantAttribute{"value_int", AttributeProto::INT,
                      [](const AttributeProto& a, const std::string&) { return from_ints({}, {a.i()}); }},
    ConstantAttribute{"value_ints", AttributeProto::INTS,
                      [](const AttributeProto& a, const std::string&) {
                        return from_ints({a.ints_size()}, {a.ints().begin(), a.ints().end()});
                      }},
};

}  // namespace

reference::AttributeValue to_attribute_value(const AttributeProto& attribute, const std::string& origin) {
  check(attribute, origin);
  switch (attribute.type()) {
    case AttributeProto::INT: return attribute.i();
    case AttributeProto::STRING: return attribute.s();
    default: return reference::ForeignAttribute{type_name(attribute)};
  }
}

Tensor constant_value(const onnx::NodeProto& node, const std::string& origin) {
  if (node.input_size() != 0) throw FileError(origin, "a Constant node has no inputs");
  if (node.attribute_size() != 1)
    throw FileError(origin, std::to_string(node.attribute_size()) + " attributes; a Constant node has one");
  const AttributeProto& attribute = node.attribute(0);
  check(attribute, origin);
  for (const ConstantAttribute& row : constant_attributes) {
    if (row.name != attribute.name()) continue;
    if (row.type != attribute.type())
      throw FileError(origin, described(attribute) + " is of type " + type_name(attribute) + ", not " +
                                  AttributeProto::AttributeType_Name(row.type));
    return row.value(attribute, origin);
  }
  throw FileError(origin, described(attribute) +
                              " is not supported; a Constant node needs value, value_float, value_floats, value_int or "
                              "value_ints");
}

}  // namespace touchstone::conformance
