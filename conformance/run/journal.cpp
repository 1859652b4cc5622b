#include "conformance/run/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <istream>
#include <limits>
#include <numeric>
#include <utility>

#include "conformance/files/bounded_line.h"
#include "conformance/files/file_io.h"
#include "conformance/files/json_text.h"
#include "conformance/files/limits.h"
#include "conformance/judge/digests.h"
#include "conformance/judge/oracle.h"
#include "conformance/run/record_json.h"

namespace touchstone::conformance {

namespace {

/// Version 1 had digests without expected outputs and repeats. Version 2 had the clauses of each case in its line.
/// Version 3 had no checksums. Version 4 had no times, and short digests.
constexpr int format_version = 5;

/// The line of the first case, after that of the run.
constexpr std::size_t first_case_line = 2;

/// The number of records for which there is room from the start. For more, the vector grows.
constexpr std::size_t most_reserved = 1'000'000;

/// The beginning of the last line.
constexpr std::string_view inconsistencies_mark = R"({"inconsistencies":)";

/// Checks that a line begins a journal of this format. Other formats have other checksums, or none.
void check_format(const std::string& line) {
  const Json json = parse_json(line);
  if (!json.is_object() || !json.contains("journal") || !json["journal"].is_number_integer())
    throw std::runtime_error("is not the first line of a journal");
  if (json["journal"] != format_version)
    throw std::runtime_error(
        fmt::format("is of a journal of format {}, which another version of touchstone wrote; this "
                    "one reads format {}: run the cases again with it",
                    json["journal"].dump(), format_version));
}

/// Removes the member "time", and returns it: null if there is none.
Json take_time(Json& json) {
  Json time;
  if (json.is_object() && json.contains("time")) time = std::move(json["time"]);
  if (json.is_object()) json.erase("time");
  return time;
}

std::string utc_in(const Json& time) {
  if (!time.is_string() || !seconds_of(time.get<std::string>()))
    throw std::runtime_error("time: is not a time in UTC such as 2026-11-24T18:25:46Z");
  return time.get<std::string>();
}

CaseTime seconds_in(const Json& time) {
  const double microseconds = time.is_number() ? time.get<double>() * 1e6 : -1;
  if (!(0 <= microseconds && microseconds < 1e18)) throw std::runtime_error("time: is not a number of seconds");
  return {std::llround(microseconds)};
}

void parse_header(const std::string& line, Journal& journal) {
  Json json = parse_json(line);
  json.erase("journal");
  const Json time = take_time(json);
  journal.run = run_info_from_json(json);
  journal.times.started = utc_in(time);
}

/// Shortens a text of the journal for a message. Ids differ mostly in their ends.
std::string shown(std::string_view text) { return printable(text, 1000); }

/// The places of the cases, sorted by id. Throws FileError if an id occurs twice.
std::vector<std::uint32_t> places_by_id(const std::vector<CaseRecord>& records, const std::string& origin) {
  const auto id_of = [&](std::uint32_t place) -> std::string_view { return records[place].id; };
  std::vector<std::uint32_t> places(records.size());
  std::iota(places.begin(), places.end(), 0U);
  std::ranges::sort(places, {}, [&](std::uint32_t place) { return std::pair(id_of(place), place); });
  std::optional<std::uint32_t> first;  // of the cases that repeat another one
  for (std::size_t i = 1; i < places.size(); ++i)
    if (id_of(places[i - 1]) == id_of(places[i])) first = std::min(first.value_or(places[i]), places[i]);
  if (first)
    throw FileError(fmt::format("{}: line {}", origin, first_case_line + *first),
                    shown("this case stands there before: " + shown(id_of(*first))));
  return places;
}

void parse_last_line(const std::string& line, const std::vector<std::uint32_t>& places_by_id, Journal& journal) {
  const auto check = [&](std::string_view id) {
    const auto id_of = [&](std::uint32_t place) -> std::string_view { return journal.records[place].id; };
    if (!std::ranges::binary_search(places_by_id, id, {}, id_of))
      throw std::runtime_error("no such case as " + in_quotes(id));
  };
  Json json = parse_json(line);
  const Json time = take_time(json);
  for (const auto& [name, rows] : json.items()) {
    if (name != "inconsistencies" && name != "contradictions" && name != "fingerprint")
      throw std::runtime_error(name + ": unknown");
    if (!rows.is_array()) throw std::runtime_error(name + ": is not an array");
  }
  journal.times.finished = utc_in(time);
  for (const Json& row : json["inconsistencies"]) {
    journal.inconsistencies->push_back(inconsistency_from_json(row));
    for (const Inconsistency::Evidence& evidence : journal.inconsistencies->back().evidence) check(evidence.id);
  }
  if (json.contains("contradictions"))
    for (const Json& row : json["contradictions"]) {
      journal.contradictions.push_back(contradictions_from_json(row));
      for (const std::string& id : journal.contradictions.back().cases) check(id);
    }
  if (!json.contains("fingerprint")) return;
  journal.fingerprint.emplace();
  for (const Json& row : json["fingerprint"]) {
    journal.fingerprint->push_back(fingerprint_row_from_json(row));
    for (const FingerprintRow::Part& part : journal.fingerprint->back().parts)
      if (!part.id.empty()) check(part.id);
  }
}

/// The case of a line that follows those of the other cases.
CaseRecord parse_case(Json json, const std::vector<CaseRecord>& earlier) {
  const Json::json_pointer clauses("/clauses");
  if (!json.is_object() || !json.contains(clauses) || !json[clauses].is_number()) return record_from_json(json);
  const Json number = std::exchange(json[clauses], Json::array());
  const auto index = number.is_number_unsigned() ? number.get<std::size_t>() - first_case_line : earlier.size();
  if (index >= earlier.size())
    throw std::runtime_error(fmt::format("clauses: {} is not the line of an earlier case", number.dump()));
  CaseRecord record = record_from_json(json);
  record.clauses = earlier[index].clauses;
  return record;
}

CaseRecord parse_record(const std::string& line, const std::vector<CaseRecord>& earlier) {
  Json json = parse_json(line);
  const Json time = take_time(json);
  CaseRecord record = parse_case(std::move(json), earlier);
  record.time = seconds_in(time);
  return record;
}

/// Most of the cost of running a generated case is generating it, so only some of them are compared.
constexpr std::size_t compared_of_generated = 50;

/// Describes what has changed since the case was run; empty if nothing has.
std::string change_of(const EarlierCase& earlier, const PlannedCase& planned) {
  const bool was_read = earlier.digest != Sha256{};
  try {
    const Case tested = planned.read();
    const Sha256 digest = case_digest(tested, interpret(tested));
    if (digest == earlier.digest) return "";
    if (!was_read) return fmt::format("it can be read now, and could not: {}", shown(earlier.reason));
    return fmt::format("the digest of its model, data and permitted outcomes is {} now, and was {}", to_hex(digest),
                       to_hex(earlier.digest));
  } catch (const std::exception& error) {  // as in run_case
    return was_read ? fmt::format("it cannot be read any more: {}", error.what()) : "";
  }
}

}  // namespace

Journal read_journal(const std::filesystem::path& path) {
  std::error_code error;
  std::ifstream file;
  if (std::filesystem::is_regular_file(path, error)) file.open(path, std::ios::binary);  // opening a fifo would block
  if (!file.is_open()) throw FileError(path.string(), "cannot be read: is it the journal of a run?");
  if (std::filesystem::file_size(path, error) > limits().journal_bytes)
    throw FileError(path.string(), fmt::format("longer than the limit of {} bytes", limits().journal_bytes));
  return read_journal(file, path.string());
}

Journal read_journal(std::istream& content, const std::string& origin) {
  Journal journal;
  RecordPool pool;
  std::int64_t elements = 0;
  LineChain chain;
  std::size_t number = 0;
  for (std::string text;;) {
    ++number;
    try {
      const bool whole = read_line(content, text, limits().line_bytes) == LineEnd::newline;
      if (!whole && (number > 1 || text.empty())) break;
      if (!whole) throw std::runtime_error("the file ends within its first line");
      if (number == 1) check_format(text);
      const std::string line = chain.verify(text);
      if (journal.inconsistencies) throw std::runtime_error("follows the inconsistencies, which must be the last line");
      if (number == 1) {
        parse_header(line, journal);
        journal.records.reserve(std::min(journal.run.cases, most_reserved));
      } else if (line.starts_with(inconsistencies_mark)) {
        journal.inconsistencies.emplace();
        parse_last_line(line, places_by_id(journal.records, origin), journal);
        continue;
      } else {
        CaseRecord record = parse_record(line, journal.records);
        if (record.elements > std::numeric_limits<std::int64_t>::max() - elements)
          throw std::runtime_error(
              fmt::format("elements: {} more than the {} before cannot be counted", record.elements, elements));
        if (journal.records.size() == journal.run.cases)
          throw std::runtime_error(fmt::format("is one case more than the {} of its plan", journal.run.cases));
        elements += record.elements;
        pool.share(record);
        journal.records.push_back(std::move(record));
      }
    } catch (const FileError&) {
      throw;
    } catch (const std::exception& problem) {
      throw FileError(fmt::format("{}: line {}", origin, number), shown(problem.what()));
    }
    journal.whole_bytes += text.size() + 1;
    journal.sum = chain.sum();
  }
  if (journal.whole_bytes == 0) throw FileError(origin, "is empty");
  if (!journal.inconsistencies) places_by_id(journal.records, origin);
  return journal;
}

JournalState journal_state(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) return JournalState::nothing;
  if (!std::filesystem::is_regular_file(path, error)) return JournalState::unknown;
  if (std::filesystem::file_size(path, error) == 0) return JournalState::nothing;
  std::ifstream file(path, std::ios::binary);
  return journal_state(file);
}

JournalState journal_state(std::istream& content) try {
  std::string line;
  const auto next = [&] { return read_line(content, line, limits().line_bytes) == LineEnd::newline; };
  if (!next()) return JournalState::unknown;
  check_json_limits(line);
  const Json header = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  const Json::json_pointer cases("/plan/cases");
  if (!header.is_object() || !header.contains("journal") || !header.contains(cases) ||
      !header[cases].is_number_unsigned())
    return JournalState::unknown;
  std::size_t records = 0;
  while (next())
    if (!line.starts_with(inconsistencies_mark)) ++records;
  return records < header[cases].get<std::size_t>() ? JournalState::unfinished : JournalState::finished;
} catch (const std::runtime_error&) {  // beyond a limit: no run wrote that
  return JournalState::unknown;
}

void check_same_cases(const std::filesystem::path& path, const RunInfo& run, std::span<const EarlierCase> earlier,
                      const std::vector<PlannedCase>& plan) {
  const auto fail = [&](const std::string& what) { throw FileError(path.string(), what); };
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    const std::string_view id = earlier[i].id;
    if (i >= plan.size()) fail(fmt::format("has the case {}, and the plan now ends before it", shown(id)));
    if (id != *plan[i].id) fail(fmt::format("has the case {} where the plan now has {}", shown(id), shown(plan[i].id)));
  }
  const auto check_contents = [&](bool from_files) {
    std::size_t generated = 0;
    for (std::size_t i = 0; i < earlier.size(); ++i) {
      if (plan[i].is_from_files != from_files) continue;
      const bool is_last = i + 1 == earlier.size();
      if (!from_files && generated++ % compared_of_generated != 0 && !is_last) continue;
      if (const std::string change = change_of(earlier[i], plan[i]); !change.empty())
        fail(fmt::format("{} is another case than the one that was run: {}", shown(plan[i].id), change));
    }
  };
  check_contents(/*from_files=*/true);  // before the hash, which does not name the case
  const std::string hash = plan_hash(plan, run.tier, run.seed, run.settings());
  if (hash != run.plan_hash)
    fail(
        fmt::format("is of a plan of {} cases with the hash {}; now there are {} with the hash {}: some were added, "
                    "removed, renamed or changed",
                    run.cases, shown(run.plan_hash), plan.size(), hash));
  check_contents(/*from_files=*/false);
}

void check_same_cases(const std::filesystem::path& path, const Journal& journal, const std::vector<PlannedCase>& plan) {
  std::vector<EarlierCase> earlier;
  earlier.reserve(journal.records.size());
  for (const CaseRecord& record : journal.records) earlier.push_back({record.id, record.digest, *record.reason});
  check_same_cases(path, journal.run, earlier, plan);
}

JournalWriter::JournalWriter(std::string path, int flags) : path_(std::move(path)), file_(nullptr, std::fclose) {
  FileDescriptor opened(::open(path_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0666));
  if (opened.is_open()) file_.reset(::fdopen(opened.get(), (flags & O_APPEND) != 0 ? "ab" : "wb"));
  if (file_ != nullptr) opened.release();
  if (file_ == nullptr) throw FileError(path_, std::string("cannot be written: ") + std::strerror(errno));
}

JournalWriter JournalWriter::begin(const std::filesystem::path& path, const RunInfo& run, const std::string& started) {
  JournalWriter writer(path.string(), O_TRUNC);
  Json header{{"journal", format_version}};
  header.update(to_json(run));
  header["time"] = started;
  writer.write(writer.chain_.append(to_line(header)));
  return writer;
}

JournalWriter JournalWriter::resume(const std::filesystem::path& path, const Journal& read) {
  JournalWriter writer(path.string(), O_APPEND);
  if (::ftruncate(::fileno(writer.file_.get()), static_cast<off_t>(read.whole_bytes)) != 0)
    throw FileError(path.string(), std::string("cannot be continued: ") + std::strerror(errno));
  writer.chain_ = LineChain(read.sum);
  for (const CaseRecord& record : read.records) writer.line_of_clauses(record);
  return writer;
}

std::size_t JournalWriter::line_of_clauses(const CaseRecord& record) {
  const std::size_t line = first_case_line + cases_++;
  return lines_of_clauses_.try_emplace(record.clauses, line).first->second;
}

void JournalWriter::write(std::span<const CaseRecord> records) {
  std::string lines;
  for (const CaseRecord& record : records) {
    Json json = to_json(record);
    const std::size_t this_line = first_case_line + cases_;
    if (const std::size_t line = line_of_clauses(record); line < this_line && !record.clauses.empty())
      json["clauses"] = line;
    json["time"] = static_cast<double>(record.time.microseconds) / 1e6;
    lines += chain_.append(to_line(json));
  }
  write(lines);
}

void JournalWriter::finish(const std::vector<Inconsistency>& inconsistencies,
                           const std::vector<Contradictions>& contradictions,
                           const std::optional<std::vector<FingerprintRow>>& fingerprint, const std::string& finished) {
  const auto rows = [](const auto& all) {
    Json json = Json::array();
    for (const auto& one : all) json.push_back(to_json(one));
    return json;
  };
  Json line{{"inconsistencies", rows(inconsistencies)}};
  if (!contradictions.empty()) line["contradictions"] = rows(contradictions);
  if (fingerprint) line["fingerprint"] = rows(*fingerprint);
  line["time"] = finished;
  write(chain_.append(to_line(line)));
}

void JournalWriter::write(const std::string& lines) {
  if (std::fwrite(lines.data(), 1, lines.size(), file_.get()) != lines.size() || std::fflush(file_.get()) != 0)
    throw FileError(path_, std::string("cannot be written: ") + std::strerror(errno));
}

}  // namespace touchstone::conformance
