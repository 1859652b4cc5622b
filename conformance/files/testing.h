// For tests: temporary directories, models and tensors to modify, and the resulting error messages.
#pragma once

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>
#include <stdlib.h>  // mkdtemp

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/files/tensor_file.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

/// A new empty directory, removed with its content.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "touchstone-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Also creates missing parent directories.
inline void write_file(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

inline void write_file(const std::filesystem::path& path, const google::protobuf::Message& message) {
  write_file(path, message.SerializeAsString());
}

/// Creates nested directories until the path of the last one is too long to be opened. (Permissions would not stop
/// root.) Returns the first one.
inline std::filesystem::path make_unreadable_directory(const std::filesystem::path& parent) {
  const std::filesystem::path name(std::string(250, 'd'));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(parent);
  for (int i = 0; i < 17; ++i) {  // PATH_MAX is 4096
    std::filesystem::create_directory(name);
    std::filesystem::current_path(name);
  }
  std::filesystem::current_path(before);
  return parent / name;
}

/// The message of the FileError that the action throws; any other outcome fails the test.
template <typename Action>
std::string failure_of(Action action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no FileError";
  return "";
}

inline onnx::TensorProto tensor_proto(onnx::TensorProto::DataType type, std::initializer_list<std::int64_t> dims) {
  onnx::TensorProto proto;
  proto.set_data_type(type);
  proto.mutable_dims()->Add(dims.begin(), dims.end());
  return proto;
}

inline onnx::TensorProto raw_tensor_proto(onnx::TensorProto::DataType type, std::initializer_list<std::int64_t> dims,
                                          const std::string& bytes) {
  onnx::TensorProto proto = tensor_proto(type, dims);
  proto.set_raw_data(bytes);
  return proto;
}

inline onnx::TensorProto int32_tensor_proto(onnx::TensorProto::DataType type, std::initializer_list<std::int64_t> dims,
                                            std::initializer_list<std::int32_t> entries) {
  onnx::TensorProto proto = tensor_proto(type, dims);
  proto.mutable_int32_data()->Add(entries.begin(), entries.end());
  return proto;
}

/// Like to_tensor_proto, but with the data in the typed field, as onnx.helper.make_tensor writes it.
inline onnx::TensorProto to_typed_tensor_proto(const reference::Tensor& tensor, const std::string& name) {
  onnx::TensorProto proto = to_tensor_proto(tensor, name);
  proto.clear_raw_data();
  const spec::ElementTypeInfo& type = spec::info(tensor.type());
  for (std::int64_t first = 0; first < tensor.size(); first += type.elements_per_entry) {
    std::uint64_t entry = 0;
    for (std::int64_t k = 0; k < type.elements_per_entry && first + k < tensor.size(); ++k)
      entry |= tensor.code(first + k) << (k * type.bits);
    const int unused = 32 - type.bits;
    const bool sign_extended = type.kind == spec::NumberKind::signed_integer && type.elements_per_entry == 1;
    switch (type.typed_field) {
      case spec::TypedField::float_data:
        proto.add_float_data(std::bit_cast<float>(static_cast<std::uint32_t>(entry)));
        break;
      case spec::TypedField::int32_data:
        proto.add_int32_data(sign_extended
                                 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(entry) << unused) >> unused
                                 : static_cast<std::int32_t>(entry));
        break;
      case spec::TypedField::int64_data: proto.add_int64_data(static_cast<std::int64_t>(entry)); break;
      case spec::TypedField::uint64_data: proto.add_uint64_data(entry); break;
      case spec::TypedField::double_data: proto.add_double_data(std::bit_cast<double>(entry)); break;
    }
  }
  return proto;
}

inline onnx::TensorProto float_tensor_proto(const std::string& name, const std::vector<float>& values) {
  onnx::TensorProto proto = tensor_proto(onnx::TensorProto::FLOAT, {static_cast<std::int64_t>(values.size())});
  proto.set_name(name);
  proto.mutable_float_data()->Add(values.begin(), values.end());
  return proto;
}

/// A model of one node with these inputs, all of which are graph inputs, and the output "y".
inline onnx::ModelProto operator_model(const std::string& op, std::initializer_list<const char*> inputs,
                                       int opset = 21) {
  onnx::ModelProto model;
  model.set_ir_version(10);
  model.add_opset_import()->set_version(opset);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("graph");
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(op);
  node.add_output("y");
  for (const char* input : inputs) {
    node.add_input(input);
    if (*input != '\0') graph.add_input()->set_name(input);
  }
  graph.add_output()->set_name("y");
  return model;
}

inline onnx::AttributeProto attribute(const std::string& name, onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto result;
  result.set_name(name);
  result.set_type(type);
  return result;
}

/// A Constant node with this attribute.
inline onnx::NodeProto constant_node(const std::string& output, const onnx::AttributeProto& value) {
  onnx::NodeProto node;
  node.set_op_type("Constant");
  node.add_output(output);
  *node.add_attribute() = value;
  return node;
}

}  // namespace touchstone::conformance
