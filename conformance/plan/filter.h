// Selects cases of a suite with GoogleTest's patterns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::conformance {

/// Whether one pattern matches: `*` matches any text, `?` one character. Takes time at most proportional to the product
/// of both lengths.
bool matches(std::string_view pattern, std::string_view id);

/// `A:B-C:D` selects ids that match A or B and neither C nor D; `*` matches any text, `?` one character. Without A and
/// B, it selects everything but C and D. Since ids may contain a "-", only one at the beginning of the text, or after
/// ":" or "*", begins the patterns to exclude.
class Filter {
 public:
  explicit Filter(std::string_view patterns = "*");
  bool matches(const std::string& id) const;

  /// The patterns of which one must match, and those of which none may match.
  const std::vector<std::string>& wanted() const { return wanted_; }
  const std::vector<std::string>& unwanted() const { return unwanted_; }

 private:
  std::vector<std::string> wanted_;
  std::vector<std::string> unwanted_;
};

}  // namespace touchstone::conformance
