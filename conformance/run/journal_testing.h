// For tests that change a journal.
#pragma once

#include <cstddef>
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

}  // namespace touchstone::conformance
