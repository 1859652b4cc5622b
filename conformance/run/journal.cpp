#include "conformance/run/journal.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <unordered_set>

#include "conformance/run/record_json.h"

namespace touchstone::conformance {

namespace {

constexpr int format_version = 1;

RunInfo parse_header(const std::string& line) {
  const Json json = Json::parse(line);
  if (!json.is_object() || json.value("journal", 0) != format_version)
    throw std::runtime_error(fmt::format("is not the first line of a journal of format {}", format_version));
  return run_info_from_json(json);
}

}  // namespace

Journal read_journal(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code error;
  if (!file || !std::filesystem::is_regular_file(path, error))
    throw FileError(path.string(), "cannot be read: is it the journal of a run?");

  Journal journal;
  std::unordered_set<std::string> ids;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const bool whole = !file.eof();  // getline stops at the end of the file only if no newline came before
    if (!whole && number > 1) break;
    try {
      if (!whole) throw std::runtime_error("the file ends within its first line");
      if (number == 1) {
        journal.run = parse_header(line);
      } else {
        CaseRecord record = record_from_json(Json::parse(line));
        if (!ids.insert(record.id).second) throw std::runtime_error("this case stands there before: " + record.id);
        journal.records.push_back(std::move(record));
      }
    } catch (const std::exception& problem) {
      throw FileError(fmt::format("{}: line {}", path.string(), number), problem.what());
    }
    journal.whole_bytes += line.size() + 1;
  }
  if (number == 0) throw FileError(path.string(), "is empty");
  if (journal.records.size() > journal.run.cases)
    throw FileError(path.string(),
                    fmt::format("has {} cases, and its plan {}", journal.records.size(), journal.run.cases));
  return journal;
}

JournalWriter::JournalWriter(std::string path, const char* mode)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), mode), std::fclose) {
  if (file_ == nullptr) throw FileError(path_, std::string("cannot be written: ") + std::strerror(errno));
}

JournalWriter JournalWriter::begin(const std::filesystem::path& path, const RunInfo& run) {
  JournalWriter writer(path.string(), "wb");
  Json header{{"journal", format_version}};
  header.update(to_json(run));
  writer.write(to_line(header));
  return writer;
}

JournalWriter JournalWriter::go_on(const std::filesystem::path& path, const Journal& read) {
  std::error_code error;
  std::filesystem::resize_file(path, read.whole_bytes, error);
  if (error) throw FileError(path.string(), "cannot be continued: " + error.message());
  return {path.string(), "ab"};
}

void JournalWriter::write(std::span<const CaseRecord> unit) {
  std::string lines;
  for (const CaseRecord& record : unit) lines += to_line(to_json(record));
  write(lines);
}

void JournalWriter::write(const std::string& lines) {
  if (std::fwrite(lines.data(), 1, lines.size(), file_.get()) != lines.size() || std::fflush(file_.get()) != 0)
    throw FileError(path_, std::string("cannot be written: ") + std::strerror(errno));
}

}  // namespace touchstone::conformance
