// An input that consists of several texts. Inserting, removing or cutting bytes in one text does not change the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::fuzz {

/// The texts of an input, any of which may be empty. Ignores texts after the first `most`.
std::vector<std::string> pieces_of(const std::uint8_t* data, std::size_t size, std::size_t most);

/// Appends a text to an input, so that pieces_of returns it.
void append_piece(std::string& input, std::string_view text);

}  // namespace touchstone::fuzz
