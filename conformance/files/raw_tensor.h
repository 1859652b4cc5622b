// Converts a TensorProto whose raw_data is stored elsewhere.
#pragma once

#include <string>
#include <string_view>

#include "conformance/files/tensor_file.h"

namespace touchstone::conformance {

/// Like to_tensor of a message that contains the data itself. The data is copied once.
reference::Tensor to_tensor(const onnx::TensorProto& proto, std::string_view raw_data, const std::string& origin);

}  // namespace touchstone::conformance
