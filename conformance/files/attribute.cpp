#include "conformance/files/attribute.h"

#include <google/protobuf/descriptor.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <vector>

#include "conformance/files/file_error.h"
#include "spec/applicability.h"

namespace touchstone::conformance {

using onnx::AttributeProto;

namespace {

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

bool holds_value(int field_number) {
  return std::any_of(value_fields.begin(), value_fields.end(),
                     [=](const ValueField& row) { return row.field_number == field_number; });
}

}  // namespace

std::string described(const AttributeProto& attribute) { return "attribute " + in_quotes(attribute.name()); }

std::string type_name(const AttributeProto& attribute) { return AttributeProto::AttributeType_Name(attribute.type()); }

void check_attribute(const AttributeProto& attribute, const std::string& origin, bool is_in_function) {
  if (attribute.name().empty()) throw FileError(origin, "an attribute has no name");
  if (!attribute.ref_attr_name().empty() && !is_in_function)
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

std::string canonical_domain(const std::string& domain) { return domain.empty() ? std::string(spec::ai_onnx) : domain; }

}  // namespace touchstone::conformance
