// Chains the lines of a journal by a running checksum, so that a line that was changed, removed, repeated or moved is
// found.
//
// A line is a JSON object. Its sum is the SHA-256 of the sum of the line before it, followed by the line without its
// times: the members "time" and "checksum", which come last. So two runs with the same results have the same sums. The
// first line follows an empty sum. The checksum of a line is the SHA-256 of its sum followed by the value of its time.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace touchstone::conformance {

class LineChain {
 public:
  /// A chain of no lines, or one whose last line has this sum.
  explicit LineChain(std::string sum = "") : sum_(std::move(sum)) {}

  /// Appends an object that has members, in one line, with or without a newline, and returns the line with its
  /// checksum.
  std::string append(std::string_view object);
  /// Checks that the line, without its newline, is the next one, and returns its object. Throws std::runtime_error.
  std::string verify(std::string_view line);

  /// The checksum of the last line; empty if there is none.
  const std::string& sum() const { return sum_; }

 private:
  /// Takes the next object, and returns its checksum.
  std::string add(std::string_view object);

  std::string sum_;
};

}  // namespace touchstone::conformance
