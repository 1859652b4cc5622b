// A short name for content: so that two runs can tell whether they had the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "conformance/plan/case.h"
#include "reference/tensor.h"

namespace touchstone::conformance {

/// FNV-1a, 64 bits: the same on every machine. It finds what changed, and withstands no forger.
class Digest {
 public:
  Digest() = default;
  /// Goes on where another one ended.
  explicit Digest(std::uint64_t value) : value_(value) {}

  Digest& add(std::string_view bytes);
  Digest& add(const reference::Tensor& tensor);
  /// Many bytes, ten times as fast; another digest than that of the same bytes as a string.
  Digest& add_words(std::span<const std::byte> bytes);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// Of the model and all data sets: inputs, the outputs that the case brings, and what repeats what.
std::uint64_t digest_of(const Case& tested);

}  // namespace touchstone::conformance
