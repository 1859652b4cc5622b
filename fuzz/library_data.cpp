// Reads what a library may hand over: outputs, or capabilities. Either a FileError describes the fault, or the values
// are those of the structures. Memory outside of the arrays must not be read.
//
// The first byte of the first piece selects the kind, its second byte what the library says wrongly (library_data.h).
#include "fuzz/library_data.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "conformance/backends/workers/library_data.h"
#include "conformance/files/file_error.h"
#include "fuzz/law.h"
#include "fuzz/pieces.h"

using namespace touchstone::conformance;
using namespace touchstone::fuzz;

namespace {

constexpr std::size_t endless = std::numeric_limits<std::size_t>::max();

/// Integers in an array of their own, so that the sanitizer notices what is read after the last one.
template <class Integer>
std::vector<Integer> integers_in(std::string_view bytes) {
  std::vector<Integer> integers(bytes.size() / sizeof(Integer));
  if (!integers.empty()) std::memcpy(integers.data(), bytes.data(), integers.size() * sizeof(Integer));
  return integers;
}

/// The memory of a tensor.
struct GivenTensor {
  explicit GivenTensor(std::string_view piece) {
    const auto take = [&](std::size_t most) {
      const std::string_view taken = piece.substr(0, most);
      piece.remove_prefix(taken.size());
      return taken;
    };
    const std::string_view head = take(3);
    type = head.empty() ? 0 : static_cast<signed char>(head[0]);
    faults = head.size() < 2 ? 0U : static_cast<unsigned char>(head[1]);
    dims = integers_in<std::int64_t>(take(head.size() < 3 ? 0 : 8 * std::size_t{static_cast<unsigned char>(head[2])}));
    data.assign(piece.begin(), piece.end());
  }

  touchstone_tensor lent() const {
    const auto has = [&](Fault fault) { return (faults & fault) != 0; };
    return {.name = has(no_name) ? nullptr : "y",
            .element_type = type,
            .rank = has(endless_rank) ? endless : dims.size(),
            .dims = has(no_dims) ? nullptr : dims.data(),
            .data = has(no_data) ? nullptr : data.data(),
            .bytes = has(endless_bytes) ? endless : data.size()};
  }

  std::int32_t type;
  unsigned faults;
  std::vector<std::int64_t> dims;
  std::vector<char> data;
};

void read_outputs(std::span<const std::string> pieces, bool is_endless) {
  std::vector<GivenTensor> given(pieces.begin(), pieces.end());
  std::vector<touchstone_tensor> tensors;
  for (const GivenTensor& one : given) tensors.push_back(one.lent());
  const Outputs outputs = outputs_of(tensors.data(), is_endless ? endless : tensors.size(), "run");
  require(outputs.size() == given.size(), "there is a value for each output");
  for (std::size_t i = 0; i < given.size(); ++i) {
    const touchstone::reference::Tensor& value = outputs[i].value;
    require(
        static_cast<std::int32_t>(value.type()) == given[i].type && std::ranges::equal(value.shape(), given[i].dims),
        "an output has the type and the shape of the structure");
    require(value.bytes().size() == given[i].data.size(), "an output has the size of the structure");
  }
}

void read_capabilities(std::span<const std::string> pieces, bool is_endless) {
  const auto types = integers_in<std::int32_t>(pieces.empty() ? "" : pieces.front());
  std::vector<touchstone_opset_range> ranges;
  for (const std::string& domain : pieces)
    ranges.push_back(
        {domain.c_str(), static_cast<std::int64_t>(domain.size()), static_cast<std::int64_t>(types.size())});
  const Capabilities read = capabilities_of({.element_types = types.data(),
                                             .element_type_count = types.size(),
                                             .opsets = ranges.data(),
                                             .opset_count = is_endless ? endless : ranges.size(),
                                             .constant_scales_only = 0,
                                             .static_shapes_only = 1});
  require(read.element_types == types && read.opsets.size() == ranges.size(),
          "capabilities are those of the structure");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most_pieces = 80;
  const std::vector<std::string> pieces = pieces_of(data, size, most_pieces);
  if (pieces.empty() || pieces.front().size() < 2) return 0;
  const std::span<const std::string> rest = std::span(pieces).subspan(1);
  const bool is_endless = pieces.front()[1] != 0;
  try {
    if (pieces.front()[0] == kind_capabilities)
      read_capabilities(rest, is_endless);
    else
      read_outputs(rest, is_endless);
  } catch (const FileError&) {
    return 0;
  }
  return 0;
}
