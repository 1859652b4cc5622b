// How the inputs of the target library_data are encoded.
//
// The first piece is a kind, and 1 if the library says that its array is endless. If the kind is outputs, each other
// piece is a tensor: its type, its faults and its rank in one byte each, its dimensions in 8 bytes each, and its data.
// If it is capabilities, the other pieces are domains, and the first one also holds the element types.
#pragma once

namespace touchstone::fuzz {

inline constexpr char kind_outputs = 'o';
inline constexpr char kind_capabilities = 'c';

/// What is wrong with a tensor; may be combined.
enum Fault : unsigned { no_name = 1, no_dims = 2, no_data = 4, endless_rank = 8, endless_bytes = 16 };

}  // namespace touchstone::fuzz
