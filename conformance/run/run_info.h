// Describes a run: enough to determine whether another run is comparable, or can resume it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/worker_options.h"
#include "conformance/plan/shard.h"

namespace touchstone::conformance {

struct RunInfo {
  std::string tool_version = {};
  BackendIdentity backend = {};
  std::vector<std::string> suites;
  std::string tier;
  std::uint64_t seed = 0;
  std::string filter;
  std::string plan_hash = {};  ///< of the whole plan, see plan_hash: 64 hex digits
  std::size_t cases = 0;       ///< of the run: in the plan, or in the shard
  Shard shard = {};            ///< of the plan
  std::string balance = {};    ///< Journal::sum of the earlier run whose durations deal the cases; empty: their ids do
  bool in_covering_order = false;  ///< see in_covering_order; otherwise the cases are in the order of the plan
  bool strict = false;             ///< only primary readings pass
  bool sign_of_zero = false;       ///< +0 differs from -0, in all cases
  std::string host = {};           ///< system and processor, for readers
  // Needed to resume the run, or to run one of its cases again:
  std::string backend_option = {};             ///< the value of --backend
  std::string data = {};                       ///< the absolute path of --data; empty: the location of tools/setup
  bool follow_symlinks = false;                ///< out of `data`
  std::string balance_path = {};               ///< the absolute path of --balance
  WorkerOptions worker = {};                   ///< of a backend in a separate process
  Capabilities assumed = {};                   ///< the values of --assume
  std::vector<std::string> lower_levels = {};  ///< the values of --lower-level, see lower_levels.h
  std::string require = {};                    ///< the value of --require, see Requirement; empty: not given
  Capabilities declared = {};                  ///< by the backend itself
  std::map<std::string, std::uint64_t> changed_limits = {};  ///< on what is read, see limits.h

  /// The limits that the forms of the plan respect.
  FormLimits form_limits() const { return assumed.form_limits() | declared.form_limits(); }

  /// What decides verdicts apart from the backend and the cases, as texts for plan_hash.
  std::vector<std::string> settings() const;

  bool operator==(const RunInfo&) const = default;
};

/// When a run began and ended, in UTC: 2026-11-24T18:25:46Z. Only the journal and summary.json have it, so that the
/// other reports of two equal runs are equal.
struct RunTimes {
  std::string started = {};
  std::string finished = {};  ///< when its last case was finished; empty if it was killed before it could write that

  /// Between the two, also while an interrupted run waited to be resumed; std::nullopt if one of them is missing.
  std::optional<std::int64_t> seconds() const;
};

std::string utc_now();
/// In seconds since 1970; std::nullopt if it is not a time like that of utc_now.
std::optional<std::int64_t> seconds_of(const std::string& utc);

}  // namespace touchstone::conformance
