// Reads any bytes as each kind of file with tensors. Either a FileError describes the fault, or the tensor is written
// and read again as the same tensor.
#include "conformance/files/tensor_file.h"

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "conformance/files/limits.h"
#include "conformance/files/message.h"
#include "conformance/files/zip_archive.h"
#include "conformance/units/user_inputs.h"
#include "fuzz/law.h"

using namespace touchstone::conformance;

namespace {

/// More memory than libFuzzer gives to one allocation is refused.
[[maybe_unused]] const bool has_small_limits = (set_limits("data_bytes_per_case=16777216"), true);

using touchstone::reference::Tensor;

Tensor read(std::string_view bytes) {
  onnx::TensorProto proto;
  parse_message(proto, bytes, "input");
  return to_tensor(proto, "input");
}

Tensor read_sparse(std::string_view bytes) {
  onnx::SparseTensorProto proto;
  parse_message(proto, bytes, "input");
  return to_tensor(proto, "input");
}

Tensor read_npy(std::string_view bytes) { return parse_npy(bytes, "input"); }

Tensor read_member(std::string_view bytes) {
  constexpr std::uint64_t longest = 1 << 16;
  return read_npy(ZipArchive(bytes, "input").read("arr_0.npy", longest).value_or(""));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const auto read_any : {read, read_sparse, read_npy, read_member}) try {
      const Tensor tensor = read_any({reinterpret_cast<const char*>(data), size});
      const Tensor again = read(tensor_file_content(tensor, "name"));
      touchstone::fuzz::require(touchstone::fuzz::same(tensor, again), "a tensor is read again as it was written");
    } catch (const FileError&) {
    }
  return 0;
}
