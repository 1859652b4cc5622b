// The two hashes of content: a short one for names and quick comparisons, and one that nobody can forge.
#pragma once

#include <cstdint>
#include <string_view>

#include "conformance/files/case.h"
#include "conformance/files/names.h"
#include "conformance/files/sha256.h"

namespace touchstone::conformance {

/// FNV-1a, 64 bits: the same on every machine. It detects changes, but not forgeries.
class Digest {
 public:
  Digest& add(std::string_view bytes);
  Digest& add(const Tensor& tensor);
  /// The type and the shape of a tensor.
  Digest& add_form(const Tensor& tensor);
  /// Eight bytes in one step. The digest differs from that of the same bytes as a string.
  Digest& add_word(std::uint64_t word);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// The digest of the model and all data sets: the inputs, the expected outputs of the case, and which data sets repeat
/// others.
std::uint64_t digest_of(const Case& tested);

/// The SHA-256 of a sequence of values, with which runs prove that they had the same. Each value is preceded by its
/// size, so that "ab", "c" and "a", "bc" have different hashes.
class ContentHash {
 public:
  ContentHash& add(std::string_view bytes);
  ContentHash& add_number(std::uint64_t number);
  ContentHash& add(const Tensor& tensor);
  /// The model, the inputs and expected outputs, and which data sets repeat others.
  ContentHash& add(const Case& content);

  /// Nothing can be added afterwards.
  Sha256 finish() { return stream_.finish(); }

 private:
  Sha256Stream stream_;
};

}  // namespace touchstone::conformance
