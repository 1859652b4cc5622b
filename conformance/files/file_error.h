// What reading of a file from outside reports: which file, and what is wrong with it.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace touchstone::conformance {

class FileError : public std::runtime_error {
 public:
  FileError(const std::string& origin, const std::string& reason)
      : std::runtime_error(origin + ": " + reason), origin_(origin), reason_(reason) {}

  const std::string& origin() const { return origin_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string origin_;
  std::string reason_;
};

/// Text from outside as a terminal may get it: control characters, those that change the direction of writing, and what
/// is not UTF-8 as \xNN; what would be longer than `limit` bytes is cut, and ends in "...".
std::string printable(std::string_view text, std::size_t limit);

/// Text from a file for use in a message: in quotes, printable, and short.
std::string in_quotes(std::string_view text);

}  // namespace touchstone::conformance
