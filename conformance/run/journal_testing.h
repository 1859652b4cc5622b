// For tests that change or compare journals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

#include "conformance/run/line_chain.h"

namespace touchstone::conformance {

/// The journal with the right checksums in all complete lines that are objects, whatever they had.
inline std::string with_checksums(std::string_view journal) {
  std::string result;
  LineChain chain;
  while (!journal.empty()) {
    const std::size_t end = journal.find('\n');
    std::string line(journal.substr(0, end));
    journal.remove_prefix(end == journal.npos ? journal.size() : end + 1);
    if (const std::size_t old = line.rfind(R"(,"checksum":")"); old != line.npos) line.replace(old, line.npos, "}");
    if (end != journal.npos && line.ends_with('}')) line = chain.append(line);
    result += line;
    if (end != journal.npos) result += '\n';
  }
  return result;
}

/// A journal or summary.json without what two equal runs have different: the times, and the checksums that depend on
/// them.
inline std::string without_times(const std::string& content) {
  std::string result;
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(R"(  "time": {)")) continue;
    if (line.ends_with("\"}")) line.resize(std::min(line.size(), line.rfind(R"(,"time":)")));
    result += line + '\n';
  }
  return result;
}

}  // namespace touchstone::conformance
