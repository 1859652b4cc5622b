// An input of several texts: what fuzzers insert, remove and cut in one of them leaves the others as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::fuzz {

/// The texts of an input, any of which may be empty; at most so many, what is behind them is left out.
std::vector<std::string> pieces_of(const std::uint8_t* data, std::size_t size, std::size_t most);

/// Appends a text to an input: pieces_of gives it back.
void append_piece(std::string& input, std::string_view text);

}  // namespace touchstone::fuzz
