// A tensor in a model, in any of the ways that onnx.proto has for its elements.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "conformance/generate/form.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

onnx::TensorProto stored_tensor(const reference::Tensor& tensor, const std::string& name, Storage storage);

}  // namespace touchstone::conformance
