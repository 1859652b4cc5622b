// TensorProto and the .pb files that hold one, in and out.
#pragma once

#include <filesystem>
#include <string>

#include "conformance/files/file_error.h"
#include "reference/model/tensor.h"

namespace onnx {
class TensorProto;
}

namespace touchstone::conformance {

struct NamedTensor {
  std::string name;
  reference::Tensor value;
};

/// Reads raw_data or the typed field of the type. `origin` (a path, or a path and a name) is used in error messages.
/// Throws FileError: no or an unknown data_type; a rank, a dimension or a product of dimensions out of bounds; data
/// that do not match the dimensions; data in two fields, or in the field of another type; an entry that does not fit
/// the type; external data (whose path is never opened); segments. Nothing is allocated before the data are known to be
/// there. Padding bits of 4- and 2-bit types are dropped. For 6-bit types onnx.proto says that they must be zero:
/// others are an error.
reference::Tensor to_tensor(const onnx::TensorProto& proto, const std::string& origin);

/// As raw_data, with padding bits 0.
onnx::TensorProto to_tensor_proto(const reference::Tensor& tensor, const std::string& name);

/// What a file holds that read_tensor_file reads as this.
std::string tensor_file_content(const reference::Tensor& tensor, const std::string& name);

/// Reads a file that holds one serialized TensorProto. Throws FileError.
NamedTensor read_tensor_file(const std::filesystem::path& path);

}  // namespace touchstone::conformance
