// Merges the journals of shards into one run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/run/journal.h"
#include "conformance/run/known_failures.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// The directories do not have the shards of one run. The message names the directories. Nothing was changed.
class MergeRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Several directories have the same shard.
class ShardsDoubled : public MergeRefused {
 public:
  using MergeRefused::MergeRefused;
};

/// "1,4-7"
std::string ranges_of(const std::vector<std::size_t>& ascending);

/// Reads the journals of shards side by side. Keeps one record of each, or all of those whose cases are in covering
/// order.
class ShardMerge {
 public:
  /// Throws MergeRefused if the runs differ in anything that affects results; ShardsDoubled; RunRefused if a directory
  /// has no journal; FileError if a journal is damaged. With `keeps_one_record` also MergeRefused if a shard is in
  /// covering order.
  explicit ShardMerge(const std::vector<std::filesystem::path>& directories, bool keeps_one_record = false);

  /// The run that has the cases of all shards, except that its number of cases is not known yet.
  const RunInfo& run() const { return run_; }

  /// The run of the shard with the lowest index.
  const RunInfo& first_run() const { return sources_.front().reader.journal().run; }
  /// By the indices of their shards.
  std::map<std::size_t, std::filesystem::path> directories() const;

  /// The known failures of the shards, by their directories. Throws FileError.
  std::map<std::filesystem::path, std::vector<KnownFailure>> known_failures() const;

  /// The result of the case that follows in the order of the plan; std::nullopt if it has not been run. All shards must
  /// have run an identity case (see identity_places), with the same result. Throws MergeRefused; FileError.
  std::optional<CaseRecord> take(std::string_view id, bool is_identity_case);

  /// To be called after the last case of the plan. Throws MergeRefused if a shard has other cases, or a case twice.
  void finish() const;

  /// From the beginning of the first shard to the end of the last one. To be called after the last case of the plan.
  RunTimes times() const;

  /// The experiments of all shards. To be called after the last case of the plan.
  std::vector<Experiment> experiments() const;

  /// The indices of the shards without a directory, in ascending order.
  std::vector<std::size_t> missing_shards() const;
  /// The directories of runs that have not run all of their cases, or have no last line. To be called after the last
  /// case of the plan.
  std::vector<std::filesystem::path> unfinished() const;

 private:
  struct Source {
    std::filesystem::path directory;
    JournalReader reader;
    std::optional<CaseRecord> next = std::nullopt;
    std::size_t cases = 0;                                     ///< that were read
    std::unordered_map<std::string, CaseRecord> waiting = {};  ///< in covering order: all cases that were not taken
  };

  static std::size_t index_of(const Source& source);
  void open(const std::filesystem::path& directory);
  void check_same_run(const Source& source) const;
  void check_once() const;
  void advance(std::size_t place);
  std::vector<std::size_t> places_with(const std::string& id);
  CaseRecord take_from(std::size_t place, const std::string& id);
  void check_same_answers(const std::string& id, const std::vector<std::size_t>& places,
                          const std::vector<CaseRecord>& records) const;

  RunInfo run_;
  std::shared_ptr<ClauseLists> clauses_ = std::make_shared<ClauseLists>();
  std::vector<Source> sources_;                 ///< in the order of their shards
  std::vector<std::size_t> in_covering_order_;  ///< the places of such sources
  /// The places of the sources whose next case has the id.
  std::unordered_map<std::string, std::vector<std::size_t>> next_;
};

}  // namespace touchstone::conformance
