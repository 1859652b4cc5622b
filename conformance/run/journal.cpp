#include "conformance/run/journal.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <unordered_set>

#include "conformance/plan/digest.h"
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

/// What has changed since the case was run; empty if nothing has.
std::string change_of(const CaseRecord& record, const PlannedCase& planned) {
  const bool was_read = record.digest != 0;
  try {
    const std::uint64_t digest = digest_of(planned.read());
    if (digest == record.digest) return "";
    if (!was_read) return fmt::format("it can be read now, and could not: {}", record.reason);
    return fmt::format("its model and data have the digest {:016x} now, and had {:016x}", digest, record.digest);
  } catch (const FileError& error) {
    return was_read ? fmt::format("it cannot be read any more: {}", error.what()) : "";
  }
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

bool is_unfinished(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  const auto next = [&] { return std::getline(file, line) && !file.eof(); };
  if (!next()) return false;
  const Json header = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  const Json::json_pointer member("/plan/cases");
  if (!header.is_object() || !header.contains(member) || !header[member].is_number_unsigned()) return false;
  std::size_t records = 0;
  while (next()) ++records;
  return records < header[member].get<std::size_t>();
}

void check_same_cases(const std::filesystem::path& path, const Journal& journal, const std::vector<PlannedCase>& plan) {
  const auto fail = [&](const std::string& what) { throw FileError(path.string(), what); };
  for (std::size_t i = 0; i < journal.records.size(); ++i) {
    const std::string& id = journal.records[i].id;
    if (i >= plan.size()) fail(fmt::format("has the case {}, and the plan now ends before it", id));
    if (id != plan[i].id) fail(fmt::format("has the case {} where the plan now has {}", id, plan[i].id));
  }
  const std::string hash = plan_hash(plan, journal.run.tier, journal.run.seed);
  if (hash != journal.run.plan_hash)
    fail(
        fmt::format("is of a plan of {} cases with the hash {}; now there are {} with the hash {}: some were added, "
                    "removed or renamed",
                    journal.run.cases, journal.run.plan_hash, plan.size(), hash));
  for (std::size_t i = 0; i < journal.records.size(); ++i) {
    if (!suite_of(plan[i].id).reads_files) continue;  // generated ones follow from the plan and the tool's version
    if (const std::string change = change_of(journal.records[i], plan[i]); !change.empty())
      fail(fmt::format("{} is another case than the one that was run: {}", plan[i].id, change));
  }
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
