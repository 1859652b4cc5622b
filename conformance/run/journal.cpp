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
#include <mutex>
#include <numeric>
#include <utility>

#include "conformance/files/file_descriptor.h"
#include "conformance/files/file_error.h"
#include "conformance/files/json_text.h"
#include "conformance/files/limits.h"
#include "conformance/files/threads.h"
#include "conformance/run/read_case.h"
#include "conformance/run/record_json.h"

namespace touchstone::conformance {

namespace {

/// The line of the first case, after that of the run.
constexpr std::size_t first_case_line = 2;

/// The number of records for which there is room from the start. For more, the vector grows.
constexpr std::size_t most_reserved = 1'000'000;

/// The beginning of the first line.
constexpr std::string_view header_mark = R"({"journal":)";

/// The beginning of the last line.
constexpr std::string_view last_line_mark = R"({"finished":)";

/// Checks that a line begins a journal of this format. Other formats have other checksums, or none.
void check_format(const std::string& line) {
  const Json json = parse_json(line);
  if (!json.is_object() || !json.contains("journal") || !json["journal"].is_number_integer())
    throw std::runtime_error("is not the first line of a journal");
  if (json["journal"] != journal_format)
    throw std::runtime_error(
        fmt::format("is of a journal of format {}, which another version of touchstone wrote; this "
                    "one reads format {}: run the cases again with it",
                    json["journal"].dump(), journal_format));
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

void parse_last_line(const std::string& line, std::size_t cases, Journal& journal) {
  Json json = parse_json(line);
  const Json time = take_time(json);
  if (const Json& count = json["finished"]; count != cases)
    throw std::runtime_error(fmt::format("finished: is {}, but {} cases come before it", count.dump(), cases));
  json.erase("finished");
  static_cast<Findings&>(journal) = findings_from_json(json);
  journal.is_finished = true;
  journal.times.finished = utc_in(time);
}

/// The ids in the last line.
std::vector<std::string_view> ids_in_last_line(const Journal& journal) {
  std::vector<std::string_view> ids;
  if (journal.inconsistencies)
    for (const Inconsistency& row : *journal.inconsistencies)
      for (const Inconsistency::Evidence& evidence : row.evidence) ids.push_back(evidence.id);
  for (const Contradictions& row : journal.contradictions)
    for (const std::string& id : row.cases) ids.push_back(id);
  if (journal.fingerprint)
    for (const FingerprintRow& row : *journal.fingerprint)
      for (const FingerprintRow::Part& part : row.parts)
        if (!part.id.empty()) ids.push_back(part.id);
  for (const Experiment& row : journal.experiments) ids.push_back(row.base);
  return ids;
}

/// The clauses that lines have written out.
class ClausesOfLines {
 public:
  explicit ClausesOfLines(std::shared_ptr<ClauseLists> lists) : lists_(std::move(lists)) {}

  /// Adds those of a line after all others.
  void add(std::size_t line, CaseRecord& record) {
    if (record.clauses.empty()) return;
    lists_->share(record.clauses);
    lines_.emplace_back(line, record.clauses);
  }

  /// Null if the line has none.
  const Shared<std::vector<std::string_view>>* find(std::size_t line) const {
    const auto found = std::ranges::lower_bound(lines_, line, {}, &Line::first);
    return found != lines_.end() && found->first == line ? &found->second : nullptr;
  }

 private:
  using Line = std::pair<std::size_t, Shared<std::vector<std::string_view>>>;

  std::shared_ptr<ClauseLists> lists_;
  std::vector<Line> lines_;  ///< in ascending order
};

/// The case of a line, whose clauses may be in an earlier line.
CaseRecord parse_case(Json json, std::size_t line, ClausesOfLines& written_out) {
  const Json::json_pointer clauses("/clauses");
  if (!json.is_object() || !json.contains(clauses) || !json[clauses].is_number()) {
    CaseRecord record = record_from_json(json);
    written_out.add(line, record);
    return record;
  }
  const Json number = std::exchange(json[clauses], Json::array());
  const auto* const found = number.is_number_unsigned() ? written_out.find(number.get<std::size_t>()) : nullptr;
  if (found == nullptr)
    throw std::runtime_error(fmt::format("clauses: {} is not the line of an earlier case with clauses", number.dump()));
  CaseRecord record = record_from_json(json);
  record.clauses = *found;
  return record;
}

CaseRecord parse_record(const std::string& text, std::size_t line, ClausesOfLines& written_out) {
  Json json = parse_json(text);
  const Json time = take_time(json);
  CaseRecord record = parse_case(std::move(json), line, written_out);
  record.time = seconds_in(time);
  return record;
}

/// Shortens a text of the journal for a message. Ids differ mostly in their ends.
std::string shown(std::string_view text) { return printable(text, 1000); }

std::string beyond_limit() { return fmt::format("longer than the limit of {} bytes", limits().journal_bytes); }

/// Describes what has changed since the case was run; empty if nothing has.
std::string change_of(const EarlierCase& earlier, const PlannedCase& planned) {
  const bool was_read = earlier.digest != Sha256{};
  if (!was_read && !planned.is_from_files) return "";  // for example because there was not enough memory
  try {
    const CaseRecord now = ReadCase(planned).description;
    if (!was_read) return fmt::format("it can be read now, and could not: {}", shown(earlier.reason));
    if (now.digest != earlier.digest)
      return fmt::format("the digest of its model, data and permitted outcomes is {} now, and was {}",
                         to_hex(now.digest), to_hex(earlier.digest));
    const bool is_described = description_digest(now, planned.is_sweep()) == earlier.description;
    return is_described ? "" : "its types, shape, form, cells, clauses or numbers of elements are others now";
  } catch (const std::exception& error) {  // as in run_case
    return was_read ? fmt::format("it cannot be read any more: {}", error.what()) : "";
  }
}

std::unique_ptr<std::istream> open_journal(const std::filesystem::path& path) {
  std::error_code error;
  auto file = std::make_unique<std::ifstream>();
  const bool is_file = std::filesystem::is_regular_file(path, error);
  errno = 0;
  if (is_file) file->open(path, std::ios::binary);  // opening a fifo would block
  if (!file->is_open())
    throw FileError(path.string(),
                    fmt::format("cannot be read: {}",
                                is_file && errno != 0 ? std::strerror(errno) : "is it the journal of a run?"));
  return file;
}

Journal read_all(JournalReader reader) {
  std::vector<CaseRecord> records;
  records.reserve(std::min(reader.journal().run.cases, most_reserved));
  RecordPool pool;
  while (std::optional<CaseRecord> record = reader.next()) {
    pool.share(*record);
    records.push_back(*std::move(record));
  }
  const auto id_of = [&](std::uint32_t place) -> std::string_view { return records[place].id; };
  std::vector<std::uint32_t> by_id(records.size());
  std::iota(by_id.begin(), by_id.end(), 0U);
  std::ranges::stable_sort(by_id, {}, id_of);
  std::vector<std::uint32_t> repeated;
  for (std::size_t i = 1; i < by_id.size(); ++i)
    if (id_of(by_id[i - 1]) == id_of(by_id[i])) repeated.push_back(by_id[i]);
  if (const auto first = std::ranges::min_element(repeated); first != repeated.end())
    reader.refuse(fmt::format("this case stands there before: {}", id_of(*first)), first_case_line + *first);
  for (const std::string_view id : ids_in_last_line(reader.journal()))
    if (!std::ranges::binary_search(by_id, id, {}, id_of)) reader.refuse("no such case as " + in_quotes(id));
  Journal journal = reader.journal();
  journal.records = std::move(records);
  return journal;
}

void check_ids(const std::filesystem::path& path, std::span<const CaseRecord> records,
               const std::vector<PlannedCase>& plan) {
  const auto fail = [&](const std::string& what) { throw FileError(path.string(), what); };
  for (std::size_t i = 0; i < records.size(); ++i) {
    const SharedText& id = records[i].id;
    if (i >= plan.size()) fail(fmt::format("has the case {}, and the plan now ends before it", shown(id)));
    if (id != plan[i].id) fail(fmt::format("has the case {} where the plan now has {}", shown(id), shown(plan[i].id)));
  }
}

void check_contents(const std::filesystem::path& path, std::size_t count,
                    const std::function<EarlierCase(std::size_t place)>& earlier, const std::vector<PlannedCase>& plan,
                    bool from_files, const CaseComparison& comparison) {
  std::mutex mutex;
  std::size_t first_changed = count;
  std::string change;
  for_each_in_threads(comparison.jobs, count, [&](std::size_t i) {
    if (plan[i].is_from_files != from_files) return;
    std::string found = change_of(earlier(i), plan[i]);
    const std::lock_guard lock(mutex);
    if (comparison.on_case) comparison.on_case(*plan[i].id);
    if (found.empty() || i > first_changed) return;
    first_changed = i;
    change = std::move(found);
  });
  if (!change.empty())
    throw FileError(path.string(),
                    fmt::format("{} is another case than the one that was run ({}): its files or the program "
                                "changed; --overwrite starts again",
                                shown(plan[first_changed].id), change));
}

}  // namespace

struct JournalReader::State {
  State(std::unique_ptr<std::istream> content, std::string path, std::shared_ptr<ClauseLists> lists)
      : file(std::move(content)), lines(*file), origin(std::move(path)), clauses(std::move(lists)) {}

  /// Reads the next line, without the newline; false at the end, where an incomplete line is ignored. Throws FileError.
  bool read_next(std::optional<CaseRecord>& record);
  CaseRecord record_of(const std::string& line);

  std::unique_ptr<std::istream> file;
  GzipLineReader lines;
  std::string origin;
  Journal journal = {};
  ClausesOfLines clauses;
  std::size_t cases = 0;
  std::int64_t elements = 0;
  LineChain chain{};
  std::size_t number = 0;  ///< of the line
  std::string text = {};
};

CaseRecord JournalReader::State::record_of(const std::string& line) {
  CaseRecord record = parse_record(line, number, clauses);
  if (record.elements > std::numeric_limits<std::int64_t>::max() - elements)
    throw std::runtime_error(
        fmt::format("elements: {} more than the {} before cannot be counted", record.elements, elements));
  if (journal.run.strict && !record.readings->empty())
    throw std::runtime_error("readings: no other readings are permitted with --strict");
  if (cases == journal.run.cases)
    throw std::runtime_error(fmt::format("is one case more than the {} of its plan", journal.run.cases));
  elements += record.elements;
  ++cases;
  return record;
}

bool JournalReader::State::read_next(std::optional<CaseRecord>& record) {
  ++number;
  try {
    const bool whole = lines.next(text, limits().line_bytes);
    if (!whole && (number > 1 || text.empty())) {
      --number;
      return false;
    }
    if (!whole) throw std::runtime_error("the file ends within its first line");
    if (lines.place().text_bytes > limits().journal_bytes) throw std::runtime_error(beyond_limit());
    if (number == 1) check_format(text);
    const std::string line = chain.verify(text);
    if (journal.is_finished) throw std::runtime_error("follows the line that must be the last one");
    if (number == 1) {
      parse_header(line, journal);
    } else if (line.starts_with(last_line_mark)) {
      parse_last_line(line, cases, journal);
      return true;  // a resumed run continues before it
    } else {
      record = record_of(line);
    }
  } catch (const std::exception& problem) {
    throw FileError(fmt::format("{}: line {}", origin, number), shown(problem.what()));
  }
  journal.whole = lines.place();
  journal.sum = chain.sum();
  return true;
}

JournalReader::JournalReader(std::unique_ptr<State> state) : state_(std::move(state)) {
  std::optional<CaseRecord> none;
  if (!state_->read_next(none)) throw FileError(state_->origin, "is empty");
}

JournalReader::JournalReader(const std::filesystem::path& path, std::shared_ptr<ClauseLists> clauses)
    : JournalReader(std::make_unique<State>(open_journal(path), path.string(), std::move(clauses))) {}

JournalReader::JournalReader(std::istream& content, std::string origin)
    : JournalReader(std::make_unique<State>(std::make_unique<std::istream>(content.rdbuf()), std::move(origin),
                                            std::make_shared<ClauseLists>())) {}

JournalReader::~JournalReader() = default;
JournalReader::JournalReader(JournalReader&& other) noexcept = default;
JournalReader& JournalReader::operator=(JournalReader&& other) noexcept = default;

const Journal& JournalReader::journal() const { return state_->journal; }

void JournalReader::refuse(const std::string& what, std::optional<std::size_t> line) const {
  throw FileError(fmt::format("{}: line {}", state_->origin, line.value_or(state_->number)), shown(what));
}

std::optional<CaseRecord> JournalReader::next() {
  std::optional<CaseRecord> record;
  while (!record && state_->read_next(record)) {
  }
  return record;
}

Journal read_journal(const std::filesystem::path& path) { return read_all(JournalReader(path)); }
Journal read_journal(std::istream& content, const std::string& origin) {
  return read_all(JournalReader(content, origin));
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
  GzipLineReader lines(content);
  const auto next = [&] { return lines.next(line, limits().line_bytes); };
  if (!next()) {  // the line was not written completely
    const std::size_t length = std::min(line.size(), header_mark.size());
    return line.starts_with(header_mark.substr(0, length)) ? JournalState::nothing : JournalState::unknown;
  }
  check_json_limits(line);
  const Json header = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  const Json::json_pointer cases("/plan/cases");
  if (!header.is_object() || !header.contains("journal") || !header.contains(cases) ||
      !header[cases].is_number_unsigned())
    return JournalState::unknown;
  std::size_t records = 0;
  bool has_last_line = false;
  while (next()) {
    if (line.starts_with(last_line_mark))
      has_last_line = true;
    else
      ++records;
  }
  const bool needs_last_line = header["journal"] == journal_format;  // others may call it something else
  const bool is_finished = (has_last_line || !needs_last_line) && records >= header[cases].get<std::size_t>();
  return is_finished ? JournalState::finished : JournalState::unfinished;
} catch (const std::runtime_error&) {  // beyond a limit: no run wrote that
  return JournalState::unknown;
}

void check_same_plan(const std::filesystem::path& path, const RunInfo& run, const std::vector<PlannedCase>& plan,
                     const std::string& hash) {
  const std::string now = hash.empty() ? plan_hash(plan, run.tier, run.seed, run.settings()) : hash;
  if (now == run.plan_hash) return;
  throw FileError(
      path.string(),
      fmt::format("is of a plan of {} cases with the hash {}; now there are {} with the hash {}: some were added, "
                  "removed, renamed or changed",
                  run.cases, shown(run.plan_hash), plan.size(), now));
}

void check_same_cases(const std::filesystem::path& path, const RunInfo& run, std::size_t count,
                      const std::function<EarlierCase(std::size_t place)>& earlier,
                      const std::vector<PlannedCase>& plan, const std::string& hash, const CaseComparison& comparison) {
  check_contents(path, count, earlier, plan, /*from_files=*/true, comparison);  // the hash does not name the case
  check_same_plan(path, run, plan, hash);
  check_contents(path, count, earlier, plan, /*from_files=*/false, comparison);
}

void check_same_cases(const std::filesystem::path& path, const RunInfo& run, std::span<const CaseRecord> records,
                      const std::vector<PlannedCase>& plan, const std::string& hash, const CaseComparison& comparison) {
  check_ids(path, records, plan);
  const auto earlier = [&](std::size_t i) {
    return EarlierCase{records[i].digest, description_digest(records[i], plan[i].is_sweep()), records[i].reason};
  };
  check_same_cases(path, run, records.size(), earlier, plan, hash, comparison);
}

JournalWriter::JournalWriter(std::string path, int flags) : path_(std::move(path)), file_(nullptr, std::fclose) {
  FileDescriptor opened(::open(path_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0666));
  if (opened.is_open()) file_.reset(::fdopen(opened.get(), (flags & O_APPEND) != 0 ? "ab" : "wb"));
  if (file_ != nullptr) opened.release();
  if (file_ == nullptr) throw FileError(path_, std::string("cannot be written: ") + std::strerror(errno));
}

JournalWriter JournalWriter::begin(const std::filesystem::path& path, const RunInfo& run, const std::string& started) {
  JournalWriter writer(path.string(), O_TRUNC);
  Json header{{"journal", journal_format}};
  header.update(to_json(run));
  header["time"] = started;
  writer.write(writer.next_line(header));
  return writer;
}

JournalWriter JournalWriter::resume(const std::filesystem::path& path, const Journal& read) {
  JournalWriter writer(path.string(), O_APPEND);
  if (::ftruncate(::fileno(writer.file_.get()), static_cast<off_t>(read.whole.bytes)) != 0)
    throw FileError(path.string(), std::string("cannot be continued: ") + std::strerror(errno));
  writer.chain_ = LineChain(read.sum);
  writer.gzip_ = GzipLineWriter(read.whole);
  for (const CaseRecord& record : read.records) writer.line_of_clauses(record);
  return writer;
}

std::size_t JournalWriter::line_of_clauses(const CaseRecord& record) {
  const std::size_t line = first_case_line + cases_++;
  return lines_of_clauses_.try_emplace(record.clauses, line).first->second;
}

std::string JournalWriter::next_line(const Json& object) {
  std::string bytes = gzip_.add(chain_.append(to_line(object)));
  if (gzip_.place().text_bytes > limits().journal_bytes)
    throw FileError(path_, fmt::format("cannot be written: {}, so nothing could read it; journal_bytes in {} sets the "
                                       "limit",
                                       beyond_limit(), limits_variable));
  return bytes;
}

void JournalWriter::write(std::span<const CaseRecord> records) {
  std::string bytes;
  for (const CaseRecord& record : records) {
    Json json = to_json(record);
    const std::size_t this_line = first_case_line + cases_;
    if (const std::size_t line = line_of_clauses(record); line < this_line && !record.clauses.empty())
      json["clauses"] = line;
    json["time"] = static_cast<double>(record.time.microseconds) / 1e6;
    bytes += next_line(json);
  }
  write(bytes);
}

void JournalWriter::finish(const Findings& findings, const std::string& finished) {
  Json line{{"finished", cases_}};
  line.update(to_json(findings));
  line["time"] = finished;
  const std::string bytes = next_line(line);
  write(bytes + gzip_.finish());
}

void JournalWriter::write(const std::string& bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size() || std::fflush(file_.get()) != 0)
    throw FileError(path_, std::string("cannot be written: ") + std::strerror(errno));
}

}  // namespace touchstone::conformance
