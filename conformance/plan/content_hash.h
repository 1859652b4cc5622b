// The SHA-256 of content, with which runs prove that they had the same.
#pragma once

#include <cstdint>
#include <string_view>

#include "conformance/files/case.h"
#include "conformance/files/sha256.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

/// Hashes a sequence of values. Each is preceded by its size, so that "ab", "c" and "a", "bc" have different hashes.
class ContentHash {
 public:
  ContentHash& add(std::string_view bytes);
  ContentHash& add_number(std::uint64_t number);
  ContentHash& add(const reference::Tensor& tensor);
  /// The model, the inputs and expected outputs, and which data sets repeat others.
  ContentHash& add(const Case& content);

  /// Nothing can be added afterwards.
  Sha256 finish() { return stream_.finish(); }

 private:
  Sha256Stream stream_;
};

}  // namespace touchstone::conformance
