#include "conformance/session/run_session.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "conformance/backends/assumptions.h"
#include "conformance/files/limits.h"
#include "conformance/files/output_file.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/covering_order.h"
#include "conformance/report/format.h"
#include "conformance/run/fingerprint.h"
#include "conformance/run/inconsistencies.h"
#include "conformance/run/runner.h"
#include "conformance/session/experiments.h"
#include "conformance/session/reproducers.h"
#include "conformance/version.h"
#include "reference/interruption.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

/// The maximum length of a quotation from a journal or a backend in a message.
constexpr std::size_t longest_identity = 1000;

/// The limits for shrinking the example of a cause at the end of a run.
constexpr std::size_t most_calls_of_graphs = 60;
constexpr std::int64_t most_graph_elements = std::int64_t{1} << 18;

/// System, machine and processor: "Linux 6.1.0 x86_64, Intel(R) Xeon(R) ...". Contains no host or user name.
std::string host_description() {
  utsname system{};
  if (::uname(&system) != 0) return "unknown";
  std::string host = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (const std::size_t name = line.find(": ") + 2; line.starts_with("model name") && name > 2 && name < line.size())
      return host + ", " + line.substr(name);
  return host;
}

/// As in the variable.
std::string settings_of(const std::map<std::string, std::uint64_t>& limits) {
  std::string text;
  for (const auto& [name, value] : limits) text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  return text;
}

std::string limits_in_words(const std::map<std::string, std::uint64_t>& limits) {
  return limits.empty() ? "the default limits" : fmt::format("the limits {}", settings_of(limits));
}

std::string to_get(const std::map<std::string, std::uint64_t>& limits) {
  return limits.empty() ? fmt::format("to continue it, unset {}", limits_variable)
                        : fmt::format("to continue it, set {}={}", limits_variable, settings_of(limits));
}

}  // namespace

std::string absolute_path(const std::string& path) {
  if (path.empty()) return "";
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  return (absolute.has_filename() ? absolute : absolute.parent_path()).string();
}

RunInfo describe_run(RunInfo options, const Backend& backend, const std::vector<PlannedCase>& plan) {
  options.tool_version = touchstone_version;
  options.backend = backend.identity();
  options.declared = backend.declares();
  options.changed_limits = changed_limits();
  options.plan_hash = plan_hash(plan, options.tier, options.seed, options.settings());
  options.cases = plan.size();
  options.host = host_description();
  options.data = absolute_path(options.data);
  return options;
}

RunSession::RunSession(OutputDirectory output, Setup setup)
    : output_(std::move(output)),
      setup_(std::move(setup)),
      info_(setup_.backend != nullptr ? describe_run(setup_.options, *setup_.backend, setup_.cases) : setup_.options),
      experiments_(setup_.experiments),
      journal_(start()),
      texts_(records_) {}

void RunSession::choose_cases() {
  std::vector<PlannedCase>& cases = setup_.cases;
  cases = cases_of(info_.shard, std::move(cases), setup_.durations ? &*setup_.durations : nullptr);
  if (info_.in_covering_order) cases = in_covering_order(std::move(cases));
  info_.cases = cases.size();
}

JournalWriter RunSession::start() {
  choose_cases();
  const std::optional<std::string> known_failures = known_failures_content(setup_.known_failures, output_.path);
  times_ = output_.resumed ? output_.resumed->times : setup_.times;
  if (times_.started.empty()) times_.started = utc_now();
  info_.expectations = hash_of_known_failures(known_failures);
  if (setup_.backend == nullptr) {
    if (known_failures) known_failures_ = parse_known_failures(*known_failures, setup_.known_failures.string());
    pending_.emplace(output_, setup_.options.data, known_failures);
    return JournalWriter::begin(pending_->path(), info_, times_.started);
  }
  if (output_.resumed) check_resumed(*output_.resumed);
  claim(output_, setup_.options.data);
  if (!output_.resumed) keep_journal_before(output_, info_.last_failed);
  remove_results(output_);
  if (!output_.resumed || known_failures) save_known_failures(output_.path, known_failures);
  const bool keeps_known_failures = output_.resumed && !known_failures;
  if (keeps_known_failures) info_.expectations = output_.resumed->run.expectations;
  known_failures_ = saved_known_failures(output_.path, info_);
  if (!output_.resumed) return JournalWriter::begin(output_.journal(), info_, times_.started);
  const RunInfo& recorded = output_.resumed->run;
  const bool keeps_first_line =
      info_.expectations == recorded.expectations && info_.worker.without_sandbox == recorded.worker.without_sandbox;
  JournalWriter journal = keeps_first_line ? JournalWriter::resume(output_.journal(), *output_.resumed)
                                           : with_other_first_line(output_.resumed->records);
  records_ = std::move(output_.resumed->records);
  for (std::size_t i = 0; i < records_.size(); ++i) records_[i].id = setup_.cases[i].id;  // to share the same text
  return journal;
}

/// All checksums depend on it.
JournalWriter RunSession::with_other_first_line(std::span<const CaseRecord> records) {
  const fs::path partial = output_.path / partial_name(std::string(journal_name));
  JournalWriter journal = JournalWriter::begin(partial, info_, times_.started);
  journal.write(records);
  replace_journal(output_, partial);
  return journal;
}

void RunSession::check_resumed(const Journal& journal) const {
  const auto refuse = [&](const std::string& message) {
    throw RunRefused(RunRefused::Reason::resumed_run, output_.path,
                     fmt::format("{}: {}", output_.path.string(), message));
  };
  const auto show = [](const BackendIdentity& backend) {
    return printable(fmt::format("'{} {}: {}'", backend.name, backend.version, backend.description), longest_identity);
  };
  const auto show_declared = [](const Capabilities& declared) {
    return printable(fmt::format("{}", fmt::join(assumptions(declared), " ")), longest_identity);
  };
  if (journal.run.backend != info_.backend)
    refuse(
        fmt::format("that run is of the backend {}, which is {} now", show(journal.run.backend), show(info_.backend)));
  if (journal.run.declared != info_.declared)
    refuse(
        fmt::format("when that run began the backend declared that it takes '{}', and now '{}': its cases would "
                    "have other forms",
                    show_declared(journal.run.declared), show_declared(info_.declared)));
  if (journal.run.changed_limits != info_.changed_limits)
    refuse(fmt::format("that run has {}, and this one has {}: the same models could have other verdicts; {}",
                       limits_in_words(journal.run.changed_limits), limits_in_words(info_.changed_limits),
                       to_get(journal.run.changed_limits)));
  try {
    check_same_cases(output_.journal(), journal.run, journal.records, setup_.cases, info_.plan_hash,
                     {setup_.jobs, setup_.on_compared});
    if (journal.run.cases != info_.cases)
      refuse(fmt::format("that run has {} cases, and the shard {} has {} now: it was balanced by another journal",
                         journal.run.cases, to_string(info_.shard), info_.cases));
  } catch (const FileError& error) {
    refuse(error.what());
  }
}

bool RunSession::is_unexpected(const CaseRecord& record, const Requirement& requirement) const {
  return (is_wrong(record.answer_class()) || requirement.is_missed_by(record)) &&
         !may_be_expected(apply(known_failures_, {&record, 1}, today()), record);
}

FailedCases RunSession::run(const FailedCases& most, const std::function<bool()>& stop, const OnCase& on_case) {
  std::size_t problems = 0;
  FailedCases found;
  const Requirement requirement(info_.require);
  records_.reserve(setup_.cases.size());
  std::mutex mutex;
  const auto make_backend = [&] {
    const std::lock_guard lock(mutex);
    return setup_.backend != nullptr ? std::move(setup_.backend) : setup_.make_backend();
  };
  conformance::run(
      std::span(setup_.cases).subspan(records_.size()), make_backend,
      {info_.judge_options(), setup_.jobs, stop, setup_.lower_levels, info_.backend_option, setup_.on_host},
      [&](CaseRecord record) {
        write(record);
        records_.push_back(std::move(record));
        const CaseRecord& added = records_.back();
        if (added.is_problem()) ++problems;
        if (added.verdict == Verdict::timeout) ++found.timeouts;
        if (added.verdict == Verdict::crash) ++found.crashes;
        if (most.unexpected > 0 && is_unexpected(added, requirement)) ++found.unexpected;
        on_case(added, problems);
        return (most.timeouts == 0 || found.timeouts < most.timeouts) &&
               (most.crashes == 0 || found.crashes < most.crashes) &&
               (most.unexpected == 0 || found.unexpected < most.unexpected);
      });
  return found;
}

void RunSession::add_all(std::vector<CaseRecord> records) {
  for (CaseRecord& record : records) write(record);
  records_ = std::move(records);
}

/// Writes the next record of the journal, cut to what the journal keeps.
void RunSession::write(CaseRecord& record) {
  texts_.cut(record);
  journal_.write({&record, 1});
  pool_.share(record);
}

std::vector<Contradictions> RunSession::contradictions(const std::function<bool()>& stop) const {
  if (contradictions_) return *contradictions_;
  return find_contradictions(setup_.cases, records_,
                             {.sign_of_zero = info_.sign_of_zero, .jobs = setup_.jobs, .stop = stop});
}

std::chrono::microseconds RunSession::time_of_cases() const {
  std::chrono::microseconds time{0};
  for (const CaseRecord& record : records_) time += std::chrono::microseconds(record.time.microseconds);
  return time;
}

void RunSession::make_experiments(const std::function<bool()>& stop,
                                  const std::function<void(const std::string& id)>& on_experiment) {
  contradictions_ = contradictions();
  experiments_ = conformance::make_experiments(
      setup_.cases, records_, *contradictions_, setup_.make_backend,
      {.judge = info_.judge_options(), .seed = info_.seed, .stop = stop, .on_experiment = on_experiment});
}

Summary RunSession::summarize(const std::function<bool()>& stop) const {
  RunTimes times = times_;
  if (setup_.times.finished.empty()) times.finished = utc_now();
  const ExaminationOptions options{.sign_of_zero = info_.sign_of_zero, .jobs = setup_.jobs, .stop = stop};
  Findings findings{.experiments = experiments_};
  std::vector<CaseRecord> unexplained;
  try {
    findings.contradictions = contradictions(stop);
  } catch (const reference::Interrupted&) {
    findings.stopped = "interrupted before the results were compared";
    unexplained = records_;
    for (CaseRecord& record : unexplained) record.hypotheses = {};
  }
  try {
    findings.inconsistencies = find_inconsistencies(setup_.cases, records_, options);
    // It takes long, and the merged run has it.
    if (info_.shard.is_whole())
      findings.fingerprint = find_fingerprint(setup_.cases, records_, *findings.inconsistencies, options);
  } catch (const reference::Interrupted&) {
  }
  const std::vector<CaseRecord>& records = findings.stopped.empty() ? records_ : unexplained;
  Summary summary = conformance::summarize(setup_.cases.size(), records, apply(known_failures_, records, today()),
                                           Requirement(info_.require), findings);
  if (!info_.is_whole()) summary.expectations.remove_stale();
  summary.all_cases = setup_.all_cases;
  summary.journal = journal_.sum();
  summary.times = times;
  return summary;
}

void RunSession::shrink_reproducers(const Summary& summary, std::size_t max_reproducers,
                                    const std::function<bool()>& stop, const OnShrink& on_call) try {
  const std::map<std::size_t, const Cause*> first = first_reproducers(records_, summary, max_reproducers);
  // The first causes come first, in case that time runs out, and those of timeouts last.
  std::vector<std::pair<std::size_t, const Cause*>> chosen(first.begin(), first.end());
  std::ranges::sort(chosen, {}, [&](const auto& row) {
    return std::pair(records_[row.first].verdict == Verdict::timeout, row.second);
  });
  std::vector<std::string> names;
  for (const Cause& cause : summary.causes)
    if (!cause.name.empty()) names.push_back(cause.name);
  std::unique_ptr<Backend> backend;
  std::size_t place = 0;
  for (const auto& [index, cause] : chosen) {
    ++place;
    const CaseRecord& record = records_[index];
    if (stop() || !record.flaky.empty() || record.answer_class() == AnswerClass::undecided) continue;
    if (backend == nullptr) backend = setup_.make_backend();
    const bool is_graph = !record.subject;
    const ShrinkOptions options{
        .judge = info_.judge_options(),
        .most_calls = is_graph ? most_calls_of_graphs : ShrinkOptions().most_calls,
        .most_graph_elements = most_graph_elements,
        .hypothesis = cause->name,
        .other_hypotheses = names,
        .stop = stop,
        .on_call = [&, of = place](std::size_t calls) { on_call(of, chosen.size(), record.id, calls); }};
    const reference::Interruptible interruptible(stop);
    shrunk_.emplace(index, shrink(setup_.cases[index], record, *backend, options));
  }
} catch (const reference::Interrupted&) {
} catch (const std::exception&) {  // no backend, a file that is gone, too little memory: whole cases will do
}

void RunSession::write_results(const Summary& summary, std::size_t max_reproducers) {
  journal_.finish(summary, summary.times.finished);
  if (pending_) pending_->put_in_place();
  std::optional<FileError> unwritten;
  const auto attempt = [&](const auto& write) {
    try {
      write();
    } catch (const FileError& error) {
      unwritten =
          unwritten ? FileError(unwritten->origin(), fmt::format("{}; {}", unwritten->reason(), error.what())) : error;
    }
  };
  for (const ReportFormat& format : report_formats())
    attempt([&] {
      if (!format.is_written()) return;
      write_file_below(output_.path, format.file_name,
                       [&](const Sink& sink) { format.render(info_, summary, records_, sink); });
    });
  attempt([&] { write_reproducers(output_.path, info_, setup_.cases, records_, summary, max_reproducers, shrunk_); });
  if (unwritten) throw FileError(*unwritten);
}

}  // namespace touchstone::conformance
