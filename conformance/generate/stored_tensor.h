// Writes a tensor to a model in any of the storage fields of onnx.proto.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "conformance/generate/form.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

onnx::TensorProto stored_tensor(const reference::Tensor& tensor, const std::string& name, Storage storage);

}  // namespace touchstone::conformance
