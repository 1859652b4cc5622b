#include "conformance/session/merge.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/files/text.h"
#include "conformance/run/record_json.h"
#include "conformance/session/output_directory.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

/// The longest quotation of a journal in a message.
constexpr std::size_t longest_quoted = 1000;

std::string quoted(const std::string& text) { return printable(text, longest_quoted); }

/// What all shards of a run have in common. Paths may differ, and so may the order in which a shard runs its cases.
RunInfo common_part(RunInfo run) {
  run.host.clear();
  run.data.clear();
  run.balance_path.clear();
  run.backend_option.clear();
  run.worker.python.clear();
  run.cases = 0;
  run.shard.index = 1;
  run.in_covering_order = false;
  return run;
}

/// The first difference, with the names of the journal. Prefers other members to the hash of the plan, which depends on
/// them.
std::string difference(const RunInfo& run, const RunInfo& first) {
  const Json ours = to_json(run);
  const Json theirs = to_json(first);
  std::string text;
  for (const Json& change : Json::diff(theirs, ours)) {
    const Json::json_pointer path(change["path"].get<std::string>());
    const auto value = [&](const Json& json) { return json.contains(path) ? quoted(json[path].dump()) : "absent"; };
    if (text.empty() || path.to_string() != "/plan/hash")
      text = fmt::format("{} is {}, not {}", quoted(path.to_string().substr(1)), value(ours), value(theirs));
    if (path.to_string() != "/plan/hash") break;
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

ShardMerge::ShardMerge(const std::vector<fs::path>& directories) {
  allow_open_files(directories.size());
  for (const fs::path& directory : directories) add(directory);
  if (sources_.empty()) throw MergeRefused("no shard was given");
  run_ = first_run();
  run_.shard = {};
  run_.balance.clear();
  run_.balance_path.clear();
  run_.in_covering_order = false;
  std::set<std::string> hosts;
  for (const Source& source : sources_) hosts.insert(source.reader.journal().run.host);
  run_.host = fmt::format("{}", fmt::join(hosts, "; "));
}

void ShardMerge::add(const fs::path& directory) {
  if (journal_state(directory / journal_name) == JournalState::nothing)
    throw RunRefused(RunRefused::Reason::no_run, directory, directory.string() + " has no journal of a run");
  const std::size_t place = sources_.size();
  sources_.push_back({.directory = directory, .reader = JournalReader(directory / journal_name)});
  check_same_run(sources_.back());
  const Shard& shard = sources_.back().reader.journal().run.shard;
  if (const auto [other, is_new] = places_.emplace(shard.index, place); !is_new)
    throw MergeRefused(fmt::format("{} and {} both are the shard {}: leave one of them out",
                                   sources_[other->second].directory.string(), directory.string(), to_string(shard)));
  if (sources_.back().reader.journal().run.in_covering_order) in_covering_order_.push_back(place);
  advance(place);
}

void ShardMerge::check_same_run(const Source& source) const {
  const RunInfo ours = common_part(source.reader.journal().run);
  const RunInfo theirs = common_part(first_run());
  if (ours != theirs)
    throw MergeRefused(fmt::format("{} is not a shard of the same run as {}: {}", source.directory.string(),
                                   sources_.front().directory.string(), difference(ours, theirs)));
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
      throw MergeRefused(fmt::format("{}: has the case {} twice", source.directory.string(), quoted(id)));
  } while (!is_in_order);
}

std::optional<CaseRecord> ShardMerge::take_from(std::size_t place, const std::string& id) {
  Source& source = sources_[place];
  if (source.reader.journal().run.in_covering_order) {
    const auto row = source.waiting.extract(id);
    return row ? std::optional(std::move(row.mapped())) : std::nullopt;
  }
  std::optional<CaseRecord> record = std::move(source.next);
  advance(place);
  return record;
}

std::optional<CaseRecord> ShardMerge::take(std::string_view id, bool is_identity_case) {
  const std::string key(id);
  std::vector<std::size_t> places;
  if (const auto row = next_.find(key); row != next_.end()) {
    places = std::move(row->second);
    next_.erase(row);
  }
  for (const std::size_t place : in_covering_order_)
    if (sources_[place].waiting.contains(key)) places.push_back(place);
  std::optional<CaseRecord> merged;
  fs::path merged_from;
  for (const std::size_t place : places) {
    std::optional<CaseRecord> record = take_from(place, key);
    const fs::path& directory = sources_[place].directory;
    if (merged && !is_identity_case)
      throw MergeRefused(fmt::format("{} and {} both have the case {}: their cases were dealt in different ways",
                                     merged_from.string(), directory.string(), quoted(key)));
    if (merged && !has_same_answer(*merged, *record))
      throw MergeRefused(
          fmt::format("{} and {} have different answers to the case {}, which every shard runs: {} ({}) and {} ({}). "
                      "They are not of the same backend, or it does not always give the same answers",
                      merged_from.string(), directory.string(), quoted(key), name(merged->verdict),
                      quoted(*merged->reason), name(record->verdict), quoted(*record->reason)));
    if (merged) continue;
    merged = std::move(record);
    merged_from = directory;
  }
  return merged;
}

void ShardMerge::finish() const {
  for (const Source& source : sources_) {
    const std::string* id = source.next ? &*source.next->id : nullptr;
    if (!source.waiting.empty()) id = &source.waiting.begin()->first;
    if (id != nullptr)
      throw MergeRefused(
          fmt::format("{}: has the case {}, which is not the next one of its part of the plan: it was "
                      "merged already, or the plan does not have it",
                      source.directory.string(), quoted(*id)));
  }
}

std::vector<std::size_t> ShardMerge::missing_shards() const {
  std::vector<std::size_t> missing;
  for (std::size_t index = 1; index <= first_run().shard.count; ++index)
    if (!places_.contains(index)) missing.push_back(index);
  return missing;
}

std::vector<fs::path> ShardMerge::unfinished() const {
  std::vector<fs::path> directories;
  for (const Source& source : sources_)
    if (source.cases < source.reader.journal().run.cases) directories.push_back(source.directory);
  return directories;
}

}  // namespace touchstone::conformance
