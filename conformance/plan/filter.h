// Which cases of a suite to take: GoogleTest's patterns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::conformance {

/// `A:B-C:D` takes what matches A or B and neither C nor D; `*` stands for any text, `?` for one character. Without A
/// and B, everything is taken but C and D. As ids may contain a "-", only one that begins the text, or that follows ":"
/// or "*", begins the patterns to leave out.
class Filter {
 public:
  explicit Filter(std::string_view patterns = "*");
  bool takes(const std::string& id) const;

 private:
  std::vector<std::string> wanted_;
  std::vector<std::string> unwanted_;
};

}  // namespace touchstone::conformance
