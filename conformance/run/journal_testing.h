// For tests that change or compare journals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include "conformance/files/gzip_lines.h"
#include "conformance/run/line_chain.h"

namespace touchstone::conformance {

/// The file of a journal with these lines; the last one may be incomplete.
inline std::string compressed(std::string_view lines) {
  std::string bytes;
  GzipLineWriter writer;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
    bytes += writer.add(lines.substr(0, end));
    lines.remove_prefix(end);
  }
  return bytes;
}

/// The lines of a journal, and what there is of an incomplete line; empty if there is no journal.
inline std::string lines_of_journal(const std::filesystem::path& path) {
  std::string lines;
  std::ifstream file(path, std::ios::binary);
  GzipLineReader reader(file);
  std::string line;
  while (reader.next(line, std::numeric_limits<std::uint32_t>::max())) lines += line + '\n';
  return lines + line;
}

/// Where a line ends in the file.
inline std::size_t end_of_line(const std::filesystem::path& path, std::size_t number) {
  std::ifstream file(path, std::ios::binary);
  GzipLineReader reader(file);
  for (std::string line; number > 0; --number) reader.next(line, std::numeric_limits<std::uint32_t>::max());
  return reader.place().bytes;
}

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

/// A journal, summary.json or result.json without what two equal runs have different: the times, and the checksums that
/// depend on them.
inline std::string without_times(const std::string& content) {
  std::string result;
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(R"(  "time": {)") || line.starts_with(R"( "finished":)")) continue;
    if (line.ends_with("\"}")) line.resize(std::min(line.size(), line.rfind(R"(,"time":)")));
    result += line + '\n';
  }
  return result;
}

}  // namespace touchstone::conformance
