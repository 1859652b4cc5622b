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
/// B, it selects everything but C and D.
///
/// Ids contain "-" as well. A "-" begins the patterns to exclude at the start of the text and after ":". After "*", it
/// does so if the pattern after it can match an id: in "quantize_linear/*-*/blocked/*", but not in "*/*-f32-u8/*",
/// because no id begins with f32. Any other "-" is a part of its pattern.
class Filter {
 public:
  /// Throws std::invalid_argument that says how to write it, if a "-" after "*" can have both meanings, as in
  /// "quantize_linear/*-*-u8/*"; also without any pattern, and for more patterns than Limits::filter_patterns.
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
