#include "conformance/session/merge.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <span>
#include <type_traits>
#include <utility>

#include "conformance/run/record_json.h"
#include "conformance/session/output_directory.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

/// The longest quotation of a journal in a message.
constexpr std::size_t longest_quoted = 1000;

/// How many directories with the same answer a message names.
constexpr std::size_t most_named = 5;

std::string quoted(const std::string& text) { return printable(text, longest_quoted); }
std::string shown(const fs::path& directory) { return quoted(directory.string()); }

/// What all shards of a run have in common. Paths may differ, and so may the order in which a shard runs its cases.
RunInfo common_part(RunInfo run) {
  const auto leave_out = [](const RunOption& option, auto& value) {
    if (option.determines == Determines::host) value = std::remove_reference_t<decltype(value)>();
  };
  visit_run_options(leave_out, run);
  // The backend is the highest level. Causes have the names of levels.
  if (run.lower_levels.empty()) run.backend_option.clear();
  run.host.clear();
  run.balance_path.clear();
  run.expectations.clear();  // see ShardMerge::known_failures
  run.cases = 0;
  run.shard.index = 1;
  run.in_covering_order = false;
  return run;
}

/// The first difference, with the names of the journal. Prefers other members to the hash of the plan and to the name
/// of the backend, which depend on them.
std::string difference(const RunInfo& run, const RunInfo& first) {
  const Json ours = to_json(run);
  const Json theirs = to_json(first);
  std::string text;
  for (const Json& change : Json::diff(theirs, ours)) {
    Json::json_pointer path(change["path"].get<std::string>());
    // Of lists with other elements, the whole lists are shown.
    while (theirs.contains(path.parent_pointer()) && theirs[path.parent_pointer()].is_array()) path.pop_back();
    const auto value = [&](const Json& json) { return json.contains(path) ? quoted(json[path].dump()) : "absent"; };
    const bool follows = path.to_string() == "/plan/hash" || path.to_string() == "/options/backend";
    if (text.empty() || !follows)
      text = fmt::format("{} is {}, not {}", quoted(path.to_string().substr(1)), value(ours), value(theirs));
    if (!follows) break;
  }
  return text;
}

/// Allows so many open files more than usual, as far as the system permits it.
void allow_open_files(std::size_t count) {
  constexpr rlim_t others = 100;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count + others) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, count + others);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// What must be equal in all shards: the answer, and not how long it took.
bool has_same_answer(const CaseRecord& a, const CaseRecord& b) {
  return a.digest == b.digest && a.verdict == b.verdict && a.output_digest == b.output_digest;
}

}  // namespace

std::string ranges_of(const std::vector<std::size_t>& ascending) {
  std::string text;
  for (std::size_t first = 0; first < ascending.size();) {
    std::size_t last = first;
    while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ascending[first]);
    if (last > first) text += fmt::format("-{}", ascending[last]);
    first = last + 1;
  }
  return text;
}

ShardMerge::ShardMerge(const std::vector<fs::path>& directories, bool keeps_one_record) {
  allow_open_files(directories.size());
  for (const fs::path& directory : directories) open(directory);
  if (sources_.empty()) throw MergeRefused("no shard was given");
  for (const Source& source : sources_) check_same_run(source);
  std::ranges::stable_sort(sources_, {}, index_of);
  check_once();
  for (std::size_t place = 0; place < sources_.size(); ++place) {
    if (sources_[place].reader.journal().run.in_covering_order) {
      if (keeps_one_record)
        throw MergeRefused(
            fmt::format("{} was run with --time-budget, so its cases are in another order, and a merge "
                        "needs memory for all of them: leave --journal-only out",
                        shown(sources_[place].directory)));
      in_covering_order_.push_back(place);
    }
    advance(place);
  }
  run_ = first_run();
  run_.shard = {};
  run_.balance.clear();
  run_.balance_path.clear();
  run_.expectations.clear();
  run_.in_covering_order = false;
  std::set<std::string> hosts;
  for (const Source& source : sources_) {
    const RunInfo& of_shard = source.reader.journal().run;
    hosts.insert(of_shard.host);
    run_.worker.without_sandbox = run_.worker.without_sandbox || of_shard.worker.without_sandbox;
  }
  run_.host = fmt::format("{}", fmt::join(hosts, "; "));
}

std::size_t ShardMerge::index_of(const Source& source) { return source.reader.journal().run.shard.index; }

void ShardMerge::open(const fs::path& directory) {
  const fs::path journal = directory / journal_name;
  std::error_code error;
  if (!fs::exists(journal, error) || fs::is_empty(journal, error))
    throw RunRefused(RunRefused::Reason::no_run, directory, shown(directory) + " has no journal of a run");
  sources_.push_back({.directory = directory, .reader = JournalReader(journal, clauses_)});
}

void ShardMerge::check_same_run(const Source& source) const {
  const Source& first = sources_.front();
  const Shard& shard = source.reader.journal().run.shard;
  const Shard& first_shard = first.reader.journal().run.shard;
  if (shard.count != first_shard.count)
    throw MergeRefused(fmt::format("{} is the shard {}, and {} is {}: all must be parts of the same division",
                                   shown(source.directory), to_string(shard), shown(first.directory),
                                   to_string(first_shard)));
  const RunInfo ours = common_part(source.reader.journal().run);
  const RunInfo theirs = common_part(first.reader.journal().run);
  if (ours != theirs)
    throw MergeRefused(fmt::format("{} is not a shard of the same run as {}: {}", shown(source.directory),
                                   shown(first.directory), difference(ours, theirs)));
}

void ShardMerge::check_once() const {
  std::string text;
  for (std::size_t i = 1; i < sources_.size(); ++i)
    if (index_of(sources_[i - 1]) == index_of(sources_[i]))
      text += fmt::format("\n{} and {} both are the shard {}", shown(sources_[i - 1].directory),
                          shown(sources_[i].directory), to_string(sources_[i].reader.journal().run.shard));
  if (text.empty()) return;
  const std::vector<std::size_t> missing = missing_shards();
  throw ShardsDoubled(
      fmt::format("shards are given more than once, so nothing was merged: leave all but one of each out{}{}", text,
                  missing.empty() ? "" : "\nmissing shards: " + ranges_of(missing)));
}

void ShardMerge::advance(std::size_t place) {
  Source& source = sources_[place];
  const bool is_in_order = !source.reader.journal().run.in_covering_order;
  do {
    source.next = source.reader.next();
    if (!source.next) return;
    ++source.cases;
    const std::string id = source.next->id;
    if (is_in_order)
      next_[id].push_back(place);
    else if (!source.waiting.emplace(id, *std::move(source.next)).second)
      throw MergeRefused(fmt::format("{}: has the case {} twice", shown(source.directory), quoted(id)));
  } while (!is_in_order);
}

std::vector<std::size_t> ShardMerge::places_with(const std::string& id) {
  std::vector<std::size_t> places;
  if (const auto row = next_.find(id); row != next_.end()) {
    places = std::move(row->second);
    next_.erase(row);
  }
  for (const std::size_t place : in_covering_order_)
    if (sources_[place].waiting.contains(id)) places.push_back(place);
  std::ranges::sort(places);
  return places;
}

CaseRecord ShardMerge::take_from(std::size_t place, const std::string& id) {
  Source& source = sources_[place];
  if (source.reader.journal().run.in_covering_order) return std::move(source.waiting.extract(id).mapped());
  CaseRecord record = *std::exchange(source.next, std::nullopt);
  advance(place);
  return record;
}

void ShardMerge::check_same_answers(const std::string& id, const std::vector<std::size_t>& places,
                                    const std::vector<CaseRecord>& records) const {
  if (records.size() < 2) return;
  struct Group {
    const CaseRecord* record;
    std::vector<std::string> directories;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto is_same = [&](const Group& group) { return has_same_answer(*group.record, records[i]); };
    auto group = std::ranges::find_if(groups, is_same);
    if (group == groups.end()) group = groups.insert(group, {&records[i], {}});
    group->directories.push_back(shown(sources_[places[i]].directory));
  }
  if (groups.size() < 2) return;
  std::ranges::stable_sort(groups, std::greater(), [](const Group& group) { return group.directories.size(); });
  std::string text;
  for (const auto& [record, directories] : groups) {
    const std::size_t named = std::min(directories.size(), most_named);
    text += fmt::format("\n{}{}, output {:016x}, in {}", name(record->verdict),
                        record->reason->empty() ? "" : fmt::format(" ({})", quoted(record->reason)),
                        record->output_digest, fmt::join(std::span(directories).first(named), ", "));
    if (named < directories.size()) text += fmt::format(" and {} more", directories.size() - named);
  }
  throw MergeRefused(fmt::format(
      "shards have different answers to the case {}, which every shard runs: they are not of the same backend, or it "
      "does not always give the same answers. Run those with the rarer answer again, with the backend of the others:{}",
      quoted(id), text));
}

std::optional<CaseRecord> ShardMerge::take(std::string_view id, bool is_identity_case) {
  const std::string key(id);
  const std::vector<std::size_t> places = places_with(key);
  if (places.size() > 1 && !is_identity_case)
    throw MergeRefused(fmt::format("{} and {} both have the case {}: their cases were distributed in different ways",
                                   shown(sources_[places[0]].directory), shown(sources_[places[1]].directory),
                                   quoted(key)));
  std::vector<CaseRecord> records;
  for (const std::size_t place : places) records.push_back(take_from(place, key));
  check_same_answers(key, places, records);
  const std::size_t needed = is_identity_case ? sources_.size() : 1;
  return records.size() == needed ? std::optional(std::move(records.front())) : std::nullopt;
}

void ShardMerge::finish() const {
  for (const Source& source : sources_) {
    std::optional<std::string_view> id;
    if (source.next) id = source.next->id;
    if (!source.waiting.empty()) id = source.waiting.begin()->first;
    if (id)
      throw MergeRefused(
          fmt::format("{}: has the case {}, which is not the next one of its part of the plan: it was "
                      "merged already, or the plan does not have it",
                      shown(source.directory), quoted(std::string(*id))));
  }
}

RunTimes ShardMerge::times() const {
  RunTimes times = sources_.front().reader.journal().times;
  for (const Source& source : sources_) {
    const RunTimes& of_shard = source.reader.journal().times;
    times.started = std::min(times.started, of_shard.started);
    times.finished = std::max(times.finished, of_shard.finished);
  }
  return times;
}

std::vector<Experiment> ShardMerge::experiments() const {
  std::vector<Experiment> all;
  for (const Source& source : sources_) std::ranges::copy(source.reader.journal().experiments, std::back_inserter(all));
  return all;
}

std::map<std::size_t, fs::path> ShardMerge::directories() const {
  std::map<std::size_t, fs::path> directories;
  for (const Source& source : sources_) directories.emplace(index_of(source), source.directory);
  return directories;
}

std::map<fs::path, std::vector<KnownFailure>> ShardMerge::known_failures() const {
  std::map<fs::path, std::vector<KnownFailure>> rows;
  for (const Source& source : sources_)
    rows.emplace(source.directory, saved_known_failures(source.directory, source.reader.journal().run));
  return rows;
}

std::vector<std::size_t> ShardMerge::missing_shards() const {
  std::vector<std::size_t> missing;
  for (std::size_t index = 1; index <= first_run().shard.count; ++index)
    if (!std::ranges::binary_search(sources_, index, {}, index_of)) missing.push_back(index);
  return missing;
}

std::vector<fs::path> ShardMerge::unfinished() const {
  std::vector<fs::path> directories;
  for (const Source& source : sources_)
    if (const Journal& read = source.reader.journal(); !read.is_finished || source.cases < read.run.cases)
      directories.push_back(source.directory);
  return directories;
}

}  // namespace touchstone::conformance
