// A short hash, for names and quick comparisons; see content_hash.h for one that nobody can forge.
#pragma once

#include <cstdint>
#include <string_view>

#include "conformance/files/case.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

/// FNV-1a, 64 bits: the same on every machine. It detects changes, but not forgeries.
class Digest {
 public:
  Digest& add(std::string_view bytes);
  Digest& add(const reference::Tensor& tensor);
  /// The type and the shape of a tensor.
  Digest& add_form(const reference::Tensor& tensor);
  /// Eight bytes in one step. The digest differs from that of the same bytes as a string.
  Digest& add_word(std::uint64_t word);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// The digest of the model and all data sets: the inputs, the expected outputs of the case, and which data sets repeat
/// others.
std::uint64_t digest_of(const Case& tested);

}  // namespace touchstone::conformance
