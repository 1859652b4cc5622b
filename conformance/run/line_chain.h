// Chains the lines of a journal by a running checksum, so that a line that was changed, removed, repeated or moved is
// found.
//
// A line is a JSON object whose last member is "checksum": the SHA-256 of the checksum of the line before it, followed
// by the line without this member (`{"id":...}`). The first line follows an empty checksum.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace touchstone::conformance {

class LineChain {
 public:
  /// A chain of no lines, or one that ends with this checksum.
  explicit LineChain(std::string checksum = "") : checksum_(std::move(checksum)) {}

  /// Appends an object that has members, in one line, with or without a newline, and returns the line with its
  /// checksum.
  std::string append(std::string_view object);
  /// Checks that the line, without its newline, is the next one, and returns its object. Throws std::runtime_error.
  std::string verify(std::string_view line);

  /// The checksum of the last line; empty if there is none.
  const std::string& checksum() const { return checksum_; }

 private:
  std::string checksum_;
};

}  // namespace touchstone::conformance
