// A short hash of content, with which two runs can check that they had the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "conformance/files/case.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

/// FNV-1a, 64 bits: the same on every machine. It detects changes, but not forgeries.
class Digest {
 public:
  Digest() = default;
  /// Continues another digest.
  explicit Digest(std::uint64_t value) : value_(value) {}

  Digest& add(std::string_view bytes);
  Digest& add(const reference::Tensor& tensor);
  /// Adds many bytes, ten times as fast. The digest differs from that of the same bytes as a string.
  Digest& add_words(std::span<const std::byte> bytes);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// The digest of the model and all data sets: the inputs, the expected outputs of the case, and which data sets repeat
/// others.
std::uint64_t digest_of(const Case& tested);

}  // namespace touchstone::conformance
