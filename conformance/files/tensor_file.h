// Reads and writes TensorProto and the .pb files that contain one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "conformance/files/file_error.h"
#include "conformance/files/names.h"

namespace onnx {
class SparseTensorProto;
class TensorProto;
}  // namespace onnx

namespace touchstone::conformance {

struct NamedTensor {
  std::string name;
  Tensor value;
};

/// Reads raw_data or the typed field of the type. `origin` (a path, or a path and a name) is used in error messages.
/// Throws FileError for a missing or unknown data_type; a rank, a dimension or a product of dimensions out of bounds;
/// data that does not match the dimensions; data in two fields, or in the field of another type; an entry that does not
/// fit the type; external data (whose path is never opened); and segments. Allocates nothing before it has checked that
/// the data is present. Padding bits of 4- and 2-bit types are ignored. Those of 6-bit types must be zero, as
/// onnx.proto requires.
Tensor to_tensor(const onnx::TensorProto& proto, const std::string& origin);

/// The same for a message whose raw_data is stored elsewhere. The data is copied once.
Tensor to_tensor(const onnx::TensorProto& proto, std::string_view raw_data, const std::string& origin);

/// The dense tensor that a sparse one stands for. Throws FileError as above for its values and indices; for indices
/// that are not int64 of the shape [NNZ] or [NNZ, rank], are out of range, or do not ascend; for dimensions that are
/// absent; and for a dense tensor above the limits of a case, before it is allocated.
Tensor to_tensor(const onnx::SparseTensorProto& proto, const std::string& origin);

/// Stores the data in raw_data, with zeros as padding.
onnx::TensorProto to_tensor_proto(const Tensor& tensor, const std::string& name);

/// The content of a file that read_tensor_file reads as this tensor.
std::string tensor_file_content(const Tensor& tensor, const std::string& name);

/// Reads a file that holds one serialized TensorProto. Throws FileError.
NamedTensor read_tensor_file(const std::filesystem::path& path);

}  // namespace touchstone::conformance
