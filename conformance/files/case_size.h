// Counts the memory of a case while the case is read, so that a case above the limits is refused early.
#pragma once

#include <cstdint>
#include <string>

#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"
#include "conformance/files/names.h"

namespace touchstone::conformance {

class CaseSize {
 public:
  /// Throws FileError if the case would exceed a limit with this tensor.
  void add(const Tensor& tensor, const std::string& origin) {
    add(tensor.bytes().size(), static_cast<std::uint64_t>(tensor.size()), origin);
  }

  void add(std::uint64_t bytes, std::uint64_t elements, const std::string& origin) {
    bytes_ += bytes;
    elements_ += elements;
    refuse_more(bytes_, limits().data_bytes_per_case, "bytes", "data_bytes_per_case", origin);
    refuse_more(elements_, limits().elements_per_case, "elements", "elements_per_case", origin);
  }

 private:
  static void refuse_more(std::uint64_t count, std::uint64_t limit, const std::string& unit, const std::string& name,
                          const std::string& origin) {
    if (count > limit)
      throw FileError(origin, "more than the limit of " + std::to_string(limit) + " " + unit + " in one case (" + name +
                                  "): inputs, outputs and constants, for each data set");
  }

  std::uint64_t bytes_ = 0;
  std::uint64_t elements_ = 0;
};

}  // namespace touchstone::conformance
