// Reads lines of an untrusted file; a line cannot use more memory than a limit.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>

namespace touchstone::conformance {

enum class LineEnd { newline, end_of_file };

/// Like std::getline, but returns what ended the line; a last line may have no newline. Throws
/// std::runtime_error as soon as the line is longer than `limit` bytes.
inline LineEnd read_line(std::istream& file, std::string& line, std::uint64_t limit) {
  using Traits = std::istream::traits_type;
  line.clear();
  std::streambuf& bytes = *file.rdbuf();
  for (Traits::int_type byte = bytes.sbumpc(); !Traits::eq_int_type(byte, Traits::eof()); byte = bytes.sbumpc()) {
    if (Traits::to_char_type(byte) == '\n') return LineEnd::newline;
    if (line.size() == limit) throw std::runtime_error(fmt::format("longer than the limit of {} bytes", limit));
    line += Traits::to_char_type(byte);
  }
  return LineEnd::end_of_file;
}

}  // namespace touchstone::conformance
