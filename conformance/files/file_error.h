// The error for a file that cannot be read or written: which file, and what is wrong with it.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

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

/// Whether no other path on this device would help: it is full, or fails.
bool is_failure_of_device(const std::error_code& error);

/// Untrusted text, made safe for a terminal: control characters, characters that change the direction of writing, and
/// invalid UTF-8 become \xNN. A result longer than `limit` bytes is truncated and ends in "...".
std::string printable(std::string_view text, std::size_t limit);

/// Text from a file for a message: printable, quoted and short.
std::string in_quotes(std::string_view text);

}  // namespace touchstone::conformance
