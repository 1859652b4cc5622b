// Describes a run: enough to determine whether another run is comparable, or can resume it.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/assumptions.h"
#include "conformance/backends/backend.h"
#include "conformance/backends/workers/worker_options.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/shard.h"

namespace touchstone::conformance {

struct RunInfo {
  std::string tool_version = {};
  BackendIdentity backend = {};
  std::vector<std::string> suites = {};
  std::string tier = "standard";
  std::uint64_t seed = 0;
  std::uint64_t examples = 0;  ///< the value of --examples, of the suite `random`; 0 without it
  std::string filter = "*";
  bool last_failed = false;    ///< only the cases that the run before in the directory did not do right
  std::string plan_hash = {};  ///< of the whole plan, see plan_hash: 64 hex digits
  std::size_t cases = 0;       ///< of the run: in the plan, or in the shard
  Shard shard = {};            ///< of the plan
  std::string balance = {};    ///< Journal::sum of the earlier run whose durations balance the shards; empty: ids do
  bool in_covering_order = false;  ///< see in_covering_order; otherwise the cases are in the order of the plan
  bool strict = false;             ///< only primary readings pass
  bool sign_of_zero = false;       ///< +0 differs from -0, in all cases
  std::string host = {};           ///< system and processor, for readers
  // Needed to resume the run, or to run one of its cases again:
  std::string backend_option = {};             ///< the value of --backend
  std::string data = {};                       ///< the absolute path of --data; empty: the location of tools/setup
  bool follow_symlinks = false;                ///< out of `data`
  std::vector<std::string> dimensions = {};    ///< the values of --dim, of a user's model
  std::string inputs = {};                     ///< the absolute path of --inputs, of a user's model; may be empty
  std::string balance_path = {};               ///< the absolute path of --balance
  WorkerOptions worker = {};                   ///< of a backend in a separate process
  Capabilities assumed = {};                   ///< the values of --assume
  std::vector<std::string> lower_levels = {};  ///< the values of --lower-level, see rerun.h
  std::string require = {};                    ///< the value of --require, see Requirement; empty: not given
  std::string expectations = {};               ///< the SHA-256 of the file of known failures; empty: there is none
  Capabilities declared = {};                  ///< by the backend itself
  std::map<std::string, std::uint64_t> changed_limits = {};  ///< on what is read, see limits.h

  /// Whether it has all cases that its options select, so that expectations which none of them meets are stale.
  bool is_whole() const { return shard.is_whole() && !last_failed; }

  /// The limits that the forms of the plan respect.
  FormLimits form_limits() const { return assumed.form_limits() | declared.form_limits(); }

  JudgeOptions judge_options() const { return {.strict = strict, .sign_of_zero = sign_of_zero}; }

  /// What decides verdicts apart from the backend and the cases, as texts for plan_hash.
  std::vector<std::string> settings() const;

  bool operator==(const RunInfo&) const = default;
};

/// What an option of `touchstone run` determines.
enum class Determines {
  cases,    ///< what is asked
  backend,  ///< what answers
  judging,  ///< which answers are right
  results,  ///< what reports make of the answers to all cases
  host,     ///< where something is on this machine: it may differ between the shards of a run
};

/// An option that a RunInfo records.
struct RunOption {
  std::string_view name;
  Determines determines;
};

/// Calls `visit` with each of these options and its value in each of the runs, in the order of printed commands.
void visit_run_options(const auto& visit, auto&... runs) {
  using enum Determines;
  visit(RunOption{"--backend", backend}, runs.backend_option...);
  visit(RunOption{"--cpu", backend}, runs.worker.cpu...);
  visit(RunOption{"--suite", cases}, runs.suites...);
  visit(RunOption{"--tier", cases}, runs.tier...);
  visit(RunOption{"--seed", cases}, runs.seed...);
  visit(RunOption{"--examples", cases}, runs.examples...);
  visit(RunOption{"--filter", cases}, runs.filter...);
  visit(RunOption{"--last-failed", cases}, runs.last_failed...);
  visit(RunOption{"--data", host}, runs.data...);
  visit(RunOption{"--follow-symlinks", cases}, runs.follow_symlinks...);
  visit(RunOption{"--dim", cases}, runs.dimensions...);
  visit(RunOption{"--inputs", host}, runs.inputs...);
  visit(RunOption{"--timeout", backend}, runs.worker.timeout...);
  visit(RunOption{"--memory-limit", backend}, runs.worker.memory_limit...);
  visit(RunOption{"--python", host}, runs.worker.python...);
  visit(RunOption{"--pass-env", backend}, runs.worker.passed_variables...);
  visit(RunOption{"--sandbox", backend}, runs.worker.in_sandbox...);
  visit(RunOption{"--no-sandbox", host}, runs.worker.without_sandbox...);
  visit(RunOption{"--show-ids", backend}, runs.worker.shows_ids...);
  visit(RunOption{"--assume", backend}, runs.assumed...);
  visit(RunOption{"--strict", judging}, runs.strict...);
  visit(RunOption{"--sign-of-zero", judging}, runs.sign_of_zero...);
  visit(RunOption{"--lower-level", results}, runs.lower_levels...);
  visit(RunOption{"--require", results}, runs.require...);
}

/// The values of an option as they are given to it, which may be given more than once.
std::vector<std::string> option_values(const auto& value) { return {fmt::format("{}", value)}; }
inline std::vector<std::string> option_values(const std::vector<std::string>& values) { return values; }
inline std::vector<std::string> option_values(const Capabilities& assumed) { return assumptions(assumed); }

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
