// How much of a file from outside is believed: every limit in one place.
#pragma once

#include <cstdint>

namespace touchstone::conformance::limits {

/// A packed list of small integers takes a byte each in the file, and eight each in the message and in the tensor.
inline constexpr std::uint64_t file_bytes = std::uint64_t{64} << 20;
/// Of the tensors of a case: for each data set inputs, outputs, and what the model holds, as it is bound anew to each.
inline constexpr std::uint64_t data_bytes_per_case = std::uint64_t{256} << 20;
inline constexpr std::uint64_t elements_per_case = std::uint64_t{1} << 26;  ///< a byte may have four, each with a cost
inline constexpr int rank = 32;
inline constexpr int files_per_data_set = 64;  ///< input_*.pb, and as many output_*.pb
inline constexpr int data_sets_per_case = 1000;
inline constexpr int inputs_per_node = 16;  ///< the operators have three, and some models must be refused for more
inline constexpr int nodes_per_model = 64;  ///< the operator and its Constant nodes
/// Field values in one protobuf message, nested ones included; a packed list counts as one. An empty nested message
/// takes two bytes of a file and hundreds of memory, so a limit on the file's size alone bounds nothing.
inline constexpr int fields_per_message = 1 << 18;
inline constexpr int nesting = 32;  ///< of messages; a tensor in a Constant node of a model is at depth 5

}  // namespace touchstone::conformance::limits
