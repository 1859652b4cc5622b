#include "conformance/run/known_failures.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "conformance/files/file_io.h"
#include "conformance/files/json_text.h"
#include "conformance/files/limits.h"
#include "conformance/plan/id_index.h"

namespace touchstone::conformance {

namespace {

constexpr std::array<std::string_view, 8> members{"pattern", "cause",  "where", "message",
                                                  "verdict", "reason", "issue", "expires"};

[[noreturn]] void fail_of_too_many() {
  throw std::runtime_error(
      fmt::format("has more than the limit of {} patterns (expectations); a pattern with * matches many cases",
                  limits().expectations));
}

/// Throws std::runtime_error that locates a syntax error or names a repeated member. The parser would silently use the
/// last one.
nlohmann::json parse(std::string_view content) {
  std::vector<std::set<std::string>> open_objects;
  std::size_t entries = 0;
  // The maximum number of values in a file: the file, its comment, its list, and each entry with its members.
  const std::uint64_t most_values = 3 + limits().expectations * (1 + members.size());
  std::uint64_t values = 0;
  const auto check_members = [&](int, nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
    const bool is_value = event == nlohmann::json::parse_event_t::object_start ||
                          event == nlohmann::json::parse_event_t::array_start ||
                          event == nlohmann::json::parse_event_t::value;
    if (is_value && ++values > most_values) fail_of_too_many();
    if (event == nlohmann::json::parse_event_t::object_start) {
      open_objects.emplace_back();
      if (open_objects.size() == 2) ++entries;
    } else if (event == nlohmann::json::parse_event_t::object_end) {
      open_objects.pop_back();
    } else if (event == nlohmann::json::parse_event_t::key &&
               !open_objects.back().insert(parsed.get<std::string>()).second) {
      const std::string where = open_objects.size() > 1 ? fmt::format("expectation {}: ", entries) : "";
      throw std::runtime_error(fmt::format("{}{} is given twice", where, in_quotes(parsed.get<std::string>())));
    }
    return true;
  };
  try {
    check_json_limits(content);
    return nlohmann::json::parse(content, check_members);
  } catch (const nlohmann::json::exception& error) {
    const std::string_view what = error.what();  // "[json.exception...] parse error at line 1, column 2: ..."
    throw std::runtime_error(fmt::format("is not JSON: {}", printable(what.substr(what.find("] ") + 2), 1000)));
  }
}

std::string text(const nlohmann::json& entry, const char* name) {
  if (!entry.contains(name)) throw std::runtime_error(fmt::format("\"{}\" is missing", name));
  const auto* value = entry[name].get_ptr<const std::string*>();
  if (value == nullptr || value->find_first_not_of(" \t\r\n") == std::string::npos)
    throw std::runtime_error(fmt::format("\"{}\" is not a text, or blank", name));
  return *value;
}

/// Throws std::runtime_error for a pattern that Filter refuses.
std::string checked_pattern(std::string pattern) try {
  const Filter filter(pattern);
  return pattern;
} catch (const std::invalid_argument& error) {
  throw std::runtime_error(fmt::format("\"pattern\": {}", error.what()));
}

Verdict failing_verdict(const std::string& wanted) {
  for (const VerdictInfo& row : verdicts)
    if (row.name == wanted && !is_permitted(row.verdict) && row.verdict != Verdict::not_run) return row.verdict;
  throw std::runtime_error(fmt::format("\"verdict\": {} is not a verdict that can be expected", in_quotes(wanted)));
}

void check_date(const std::string& date) {
  constexpr std::string_view form = "0000-00-00";
  const auto fits = [](char letter, char place) {
    return place == '-' ? letter == '-' : '0' <= letter && letter <= '9';
  };
  const bool has_form = std::equal(date.begin(), date.end(), form.begin(), form.end(), fits);
  const auto number = [&](std::size_t first, std::size_t last) {
    unsigned value = 0;
    std::from_chars(date.data() + first, date.data() + last, value);
    return value;
  };
  const auto exists = [&] {
    return std::chrono::year_month_day(std::chrono::year(static_cast<int>(number(0, 4))),
                                       std::chrono::month(number(5, 7)), std::chrono::day(number(8, 10)))
        .ok();
  };
  if (!has_form || !exists())
    throw std::runtime_error(fmt::format("\"expires\": {} is not a date like 2027-06-30", in_quotes(date)));
}

KnownFailure parse_entry(const nlohmann::json& entry) {
  if (!entry.is_object()) throw std::runtime_error("is not an object");
  for (const auto& [name, value] : entry.items())
    if (std::find(members.begin(), members.end(), name) == members.end())
      throw std::runtime_error(fmt::format("{} is unknown; known: {}", in_quotes(name), fmt::join(members, ", ")));
  const bool has_cause = entry.contains("cause");
  KnownFailure parsed{has_cause && !entry.contains("pattern") ? "*" : checked_pattern(text(entry, "pattern")),
                      failing_verdict(text(entry, "verdict")), text(entry, "reason"), text(entry, "issue")};
  if (has_cause) parsed.cause = text(entry, "cause");
  for (const auto& [name, value] : {std::pair("where", &parsed.where), std::pair("message", &parsed.message)})
    if (entry.contains(name)) {
      *value = text(entry, name);
      if (!has_cause) throw std::runtime_error(fmt::format("\"{}\" is that of a cause: add \"cause\"", name));
    }
  if (entry.contains("expires")) {
    parsed.expires = text(entry, "expires");
    check_date(*parsed.expires);
  }
  return parsed;
}

}  // namespace

std::string cases_in_words(const KnownFailure& expectation) {
  const auto& [pattern, verdict, reason, issue, expires, cause, where, message] = expectation;
  if (cause.empty()) return pattern;
  return fmt::format("cause {}{}{}{}", cause, where.empty() ? "" : ": " + where,
                     message.empty() ? "" : ", " + in_quotes(message), pattern == "*" ? "" : ", cases " + pattern);
}

std::vector<KnownFailure> read_known_failures(const std::filesystem::path& path) {
  return parse_known_failures(read_bounded_file(path, limits().file_bytes), path.string());
}

std::vector<KnownFailure> parse_known_failures(std::string_view content, const std::string& origin) {
  const auto fail = [&](const std::string& what) { throw FileError(origin, what); };
  nlohmann::json json;
  try {
    json = parse(content);
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
  const bool has_comment = json.is_object() && json.contains("comment") && json["comment"].is_string();
  const bool known = json.is_object() && json.size() == (has_comment ? 2 : 1) && json.contains("expectations");
  if (!known || !json["expectations"].is_array())
    fail("is not an object with one member, the array \"expectations\", and perhaps a text \"comment\"");
  std::vector<KnownFailure> expectations;
  std::uint64_t patterns = 0;
  for (const nlohmann::json& entry : json["expectations"]) try {
      KnownFailure parsed = parse_entry(entry);
      patterns += 1 + static_cast<std::uint64_t>(std::count(parsed.pattern.begin(), parsed.pattern.end(), ':'));
      if (patterns > limits().expectations) fail_of_too_many();
      expectations.push_back(std::move(parsed));
    } catch (const std::runtime_error& error) {
      fail(fmt::format("expectation {}: {}", expectations.size() + 1, error.what()));
    }
  return expectations;
}

KnownFailureOutcomes::KnownFailureOutcomes(const std::vector<KnownFailure>& expectations,
                                           std::span<const CaseRecord> records, const std::string& today) {
  for (const KnownFailure& row : expectations)
    rows_.push_back({.expectation = row, .unexpected_passes = {}, .expired = row.expires && *row.expires < today});
  for (std::size_t first = 0; first < records.size(); first += PlaceSet::capacity)
    add(records.subspan(first, std::min(PlaceSet::capacity, records.size() - first)));
}

void KnownFailureOutcomes::add(std::span<const CaseRecord> records) {
  std::vector<std::string_view> ids;
  for (const CaseRecord& record : records) ids.emplace_back(record.id);
  const IdIndex index(ids);
  PlaceSet undecided = PlaceSet::first(ids.size());
  for (std::size_t row = 0; row < rows_.size() && !undecided.empty(); ++row) {
    if (!rows_[row].expectation.cause.empty()) continue;
    const PlaceSet decided = index.taken(rows_[row].filter, undecided);
    undecided -= decided;
    for (const std::size_t place : decided.places()) count(row, records[place]);
  }
}

void KnownFailureOutcomes::count(std::size_t place, const CaseRecord& record) {
  KnownFailureOutcome& outcome = rows_[place];
  deciding_.emplace(record.id, place);
  if (is_pass(record.verdict)) outcome.unexpected_passes.push_back(record.id);
  if (record.verdict == outcome.expectation.verdict) ++outcome.met;
}

void KnownFailureOutcomes::decide(std::size_t place, const CaseRecord& record) {
  if (!deciding_.contains(record.id) && rows_[place].filter.matches(record.id)) count(place, record);
}

void KnownFailureOutcomes::remove_stale() {
  std::vector<std::size_t> new_places(rows_.size());
  std::vector<KnownFailureOutcome> kept;
  for (std::size_t place = 0; place < rows_.size(); ++place) {
    new_places[place] = kept.size();
    if (!rows_[place].stale()) kept.push_back(std::move(rows_[place]));
  }
  new_places.push_back(kept.size());
  std::erase_if(deciding_, [&](const auto& row) { return new_places[row.second] == new_places[row.second + 1]; });
  for (auto& [id, place] : deciding_) place = new_places[place];
  rows_ = std::move(kept);
}

const KnownFailureOutcome* KnownFailureOutcomes::deciding(const CaseRecord& record) const {
  const auto found = deciding_.find(record.id);
  return found == deciding_.end() ? nullptr : &rows_[found->second];
}

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

KnownFailureOutcomes apply(const std::vector<KnownFailure>& expectations, std::span<const CaseRecord> records,
                           const std::string& today) {
  return {expectations, records, today};
}

bool is_expected(const KnownFailureOutcomes& outcomes, const CaseRecord& record) {
  if (is_pass(record.verdict)) return false;
  const KnownFailureOutcome* row = outcomes.deciding(record);
  return row != nullptr && !row->expired && row->expectation.verdict == record.verdict;
}

bool may_be_expected(const KnownFailureOutcomes& outcomes, const CaseRecord& record) {
  if (is_expected(outcomes, record)) return true;
  if (outcomes.deciding(record) != nullptr) return false;
  return std::any_of(outcomes.begin(), outcomes.end(), [&](const KnownFailureOutcome& row) {
    const KnownFailure& expectation = row.expectation;
    return !expectation.cause.empty() && !row.expired && expectation.verdict == record.verdict &&
           row.filter.matches(record.id);
  });
}

}  // namespace touchstone::conformance
