#include "conformance/backends/workers/library_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <span>
#include <string_view>

#include "conformance/files/limits.h"
#include "conformance/files/tensor_file.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

namespace {

/// The maximum length of an array in declared capabilities.
constexpr std::size_t most_declared = 1000;

/// An array that the library returned. Throws FileError if it cannot be valid.
template <class Element>
std::span<const Element> elements(const Element* begin, std::size_t count, std::size_t most, const std::string& origin,
                                  std::string_view of_what) {
  if (count > most) throw FileError(origin, fmt::format("{} {}; the limit is {}", count, of_what, most));
  if (begin == nullptr && count > 0) throw FileError(origin, fmt::format("{} {} at address 0", count, of_what));
  return {begin, count};
}

/// Throws FileError if what the library returned is not a valid tensor.
NamedTensor tensor_of(const touchstone_tensor& given, const std::string& origin) {
  const auto dims = elements(given.dims, given.rank, limits().rank, origin, "dimensions");
  onnx::TensorProto proto;
  proto.set_data_type(given.element_type);
  proto.mutable_dims()->Add(dims.begin(), dims.end());
  // Reads exactly the bytes that type and dimensions require. If these are invalid, to_tensor fails without the data.
  const auto type = spec::element_type_from_code(given.element_type);
  const auto size = reference::element_count(dims);
  if (const auto asked = type && size ? reference::byte_count(*type, *size) : std::nullopt) {
    if (given.bytes != static_cast<std::uint64_t>(*asked))
      throw FileError(origin, fmt::format("{} bytes; type {} and shape [{}] need {}", given.bytes,
                                          spec::info(*type).name, fmt::join(dims, ", "), *asked));
    const auto data =
        elements(static_cast<const char*>(given.data), given.bytes, limits().message_bytes, origin, "bytes");
    proto.set_raw_data(data.data(), data.size());
  }
  return {text_or_empty(given.name), to_tensor(proto, origin)};
}

}  // namespace

std::string text_or_empty(const char* from) { return from != nullptr ? from : ""; }

Outputs outputs_of(const touchstone_tensor* begin, std::size_t count, const char* function) {
  Outputs outputs;
  for (const touchstone_tensor& given : elements(begin, count, limits().files_per_data_set, function, "outputs"))
    outputs.push_back(tensor_of(given, fmt::format("output {}", outputs.size())));
  return outputs;
}

Capabilities capabilities_of(const touchstone_capabilities& own) {
  const std::string origin = "touchstone_backend_capabilities";
  const auto types = elements(own.element_types, own.element_type_count, most_declared, origin, "element types");
  Capabilities declared{.element_types = {types.begin(), types.end()}};
  for (const touchstone_opset_range& row :
       elements(own.opsets, own.opset_count, most_declared, origin, "ranges of opsets"))
    declared.opsets.push_back({text_or_empty(row.domain), row.oldest, row.newest});
  declared.constant_scales_only = own.constant_scales_only != 0;
  declared.static_shapes_only = own.static_shapes_only != 0;
  return declared;
}

}  // namespace touchstone::conformance
