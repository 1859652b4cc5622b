// Reads any bytes as a file with a TensorProto. Either a FileError describes the fault, or the tensor is written and
// read again as the same tensor.
#include "conformance/files/tensor_file.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "conformance/files/message.h"
#include "fuzz/law.h"

using namespace touchstone::conformance;

namespace {

touchstone::reference::Tensor read(std::string_view bytes) {
  onnx::TensorProto proto;
  parse_message(proto, bytes, "input");
  return to_tensor(proto, "input");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto tensor = read({reinterpret_cast<const char*>(data), size});
    const auto again = read(tensor_file_content(tensor, "name"));
    touchstone::fuzz::require(touchstone::fuzz::same(tensor, again), "a tensor is read again as it was written");
  } catch (const FileError&) {
    return 0;
  }
  return 0;
}
