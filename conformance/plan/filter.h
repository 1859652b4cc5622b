// Which cases of a suite to take: GoogleTest's patterns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::conformance {

/// Whether one pattern matches: `*` stands for any text, `?` for one character. The time is at most that of the product
/// of both lengths.
bool matches(std::string_view pattern, std::string_view id);

/// `A:B-C:D` takes what matches A or B and neither C nor D; `*` stands for any text, `?` for one character. Without A
/// and B, everything is taken but C and D. As ids may contain a "-", only one that begins the text, or that follows ":"
/// or "*", begins the patterns to leave out.
class Filter {
 public:
  explicit Filter(std::string_view patterns = "*");
  bool matches(const std::string& id) const;

  /// The patterns of which one has to match, and those of which none may.
  const std::vector<std::string>& wanted() const { return wanted_; }
  const std::vector<std::string>& unwanted() const { return unwanted_; }

 private:
  std::vector<std::string> wanted_;
  std::vector<std::string> unwanted_;
};

}  // namespace touchstone::conformance
