// A TensorProto whose raw_data lie elsewhere.
#pragma once

#include <string>
#include <string_view>

#include "conformance/files/tensor_file.h"

namespace touchstone::conformance {

/// As to_tensor of a message that has them itself, and throws as it does. The data are copied once.
reference::Tensor to_tensor(const onnx::TensorProto& proto, std::string_view raw_data, const std::string& origin);

}  // namespace touchstone::conformance
