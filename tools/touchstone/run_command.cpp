// touchstone run: the cases of the suites against a backend.
#include "tools/touchstone/run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "conformance/files/file_io.h"
#include "conformance/files/text.h"
#include "conformance/report/annotations.h"
#include "conformance/report/comparison.h"
#include "conformance/report/details.h"
#include "conformance/report/expectations_file.h"
#include "conformance/report/expected.h"
#include "conformance/report/format.h"
#include "conformance/report/problems.h"
#include "conformance/report/replay_line.h"
#include "conformance/run/requirement.h"
#include "conformance/session/reproducers.h"
#include "conformance/session/run_session.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/earlier_run.h"
#include "tools/touchstone/emulation.h"
#include "tools/touchstone/progress.h"
#include "tools/touchstone/repairs.h"
#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

constexpr std::size_t shown_problems = 20;

/// The time for shrinking all reproducers of a run, apart from the last calls to the backend.
constexpr std::chrono::seconds longest_shrinking(60);

/// Experiments of a short run take at least this time; with --cpu, ten times as long.
constexpr std::chrono::duration<double> shortest_experiments(1);

Requirement requirement_of(const RunInfo& run) try {
  return Requirement(run.require);
} catch (const std::invalid_argument& error) {
  throw Exit(usage, fmt::format("--require: {}", error.what()));
}

/// A requirement that selects nothing would never fail a run.
void check_requirement(const RunCommandOptions& options, const std::vector<PlannedCase>& cases) {
  const Requirement requirement = requirement_of(options.run);
  if (requirement.is_filter() &&
      std::ranges::none_of(cases, [&](const PlannedCase& planned) { return requirement.selects(planned.id); }))
    throw Exit(nothing_selected, fmt::format("--require '{}' selects none of the {} cases of the run",
                                             options.run.require, cases.size()));
}

/// All problems, unless there are too many to read. The causes show an example of each.
void print_problems(const RunInfo& info, const std::vector<CaseRecord>& records, const Summary& summary, Color color) {
  const auto [shown, count] = choose_problems(summary, records, shown_problems);
  if (shown.size() < count) return;
  for (const CaseRecord* record : shown)
    fmt::print("{}\n",
               in_lines(fmt::format("{}    {}\n", render_problem(*record, color), replay_line(info, record->id))));
}

/// Throws Exit for an unknown backend.
std::vector<Level> levels_of(const RunCommandOptions& options) {
  std::vector<Level> levels;
  for (const std::string& name : options.run.lower_levels) {
    check_backend(name, options.run.worker);
    levels.push_back({name, [&run = options.run, name] { return open_backend(name, run.worker, run.assumed); }});
  }
  return levels;
}

/// The same backend without --cpu; std::nullopt if that is not given.
std::optional<Level> host_of(const RunCommandOptions& options) {
  if (options.run.worker.cpu.empty()) return std::nullopt;
  return Level{options.run.worker.cpu, [&run = options.run] {
                 WorkerOptions worker = run.worker;
                 worker.cpu.clear();
                 return open_backend(run.backend_option, worker, run.assumed);
               }};
}

/// Decides whether a backend in its own process runs in a PID namespace, which the journal records. Returns a message
/// that says so; empty for other backends.
std::string choose_isolation(RunInfo& run) {
  const std::optional<Program> program = worker_program(run.backend_option, run.worker);
  if (!program) return "";
  if (program->in_sandbox) return "touchstone: the backend runs in a sandbox";
  if (program->in_pid_namespace) return "touchstone: the backend runs in a PID namespace and sees no other processes";
  const bool was_wanted = !std::exchange(run.worker.without_sandbox, true);
  return fmt::format("touchstone: the backend runs without a sandbox{}",
                     was_wanted ? ", because bubblewrap (bwrap) is missing or PID namespaces are not permitted" : "");
}

using Clock = std::chrono::steady_clock;

/// Runs the remaining cases, and returns how many failed. Runs at least one: a backend that takes longer to
/// start than the time budget must not be in vain. Throws Exit.
FailedCases run_rest(RunSession& session, const RunCommandOptions& options, const std::function<bool()>& is_out_of_time,
                     const std::string& to_continue) try {
  std::atomic<bool> has_run_one = false;
  Progress progress(session.cases().size(), session.records().size(), progress_interval(options));
  return session.run(
      options.most_failed, [&] { return stop_requested() || (has_run_one && is_out_of_time()); },
      [&](const CaseRecord& record, std::size_t problems) {
        has_run_one = true;
        progress.step(record.id, problems);
      });
} catch (const BackendError& error) {
  throw Exit(broken, fmt::format("{}\nthe results so far are kept; {}", error.what(), to_continue));
}

/// Tries to refute the causes for a share of the time that the cases took.
void make_experiments(RunSession& session, const RunCommandOptions& options,
                      const std::function<bool()>& is_out_of_time) {
  if (options.experiments <= 0) return;
  const auto share = session.time_of_cases() * options.experiments / 100 / options.jobs;
  const auto shortest = std::chrono::ceil<Clock::duration>(
      shortest_experiments * (options.run.worker.cpu.empty() ? 1 : times_slower_emulated));
  std::optional<Clock::time_point> end;  // the time begins with the first experiment
  std::optional<ActivityLine> line;
  std::size_t made = 0;
  const auto is_over = [&] {
    if (!end) end = Clock::now() + std::max<Clock::duration>(share, shortest);
    return stop_requested() || is_out_of_time() || Clock::now() > *end;
  };
  session.make_experiments(is_over, [&](const std::string& id) {
    if (!line) line.emplace();
    line->show(fmt::format("[experiment {}] {}", ++made, id));
  });
}

/// Shrinks reproducers until the time is over. The others stay as they are: reproducers need not be small.
void shrink_reproducers(RunSession& session, const Summary& summary, std::size_t most,
                        const std::function<bool()>& is_out_of_time) {
  const Clock::time_point end = Clock::now() + longest_shrinking;
  std::optional<ActivityLine> line;
  session.shrink_reproducers(
      summary, most, [&] { return stop_requested() || is_out_of_time() || Clock::now() > end; },
      [&](std::size_t place, std::size_t all, const std::string& id, std::size_t calls) {
        if (!line) line.emplace();
        line->show(fmt::format("[shrinking reproducer {}/{}, {} calls] {}", place, all, calls, id));
      });
}

/// Tries the first wrong cases of a whole run with other configurations of the runtime.
std::vector<std::string> fixes_of(const FinishedRun& run, const RunCommandOptions& options) {
  constexpr std::size_t most_tried = 100;
  if (!options.asks_backend || !run.message.empty() || !run.session->info().shard.is_whole()) return {};
  std::map<SharedText, const PlannedCase*> cases;
  for (const PlannedCase& planned : run.session->cases()) cases.emplace(planned.id, &planned);
  FailedKind wrong{"wrong", {}};
  for (const CaseRecord& record : run.session->records())
    if (record.verdict == Verdict::fail) wrong.cases.push_back(cases.at(record.id));
  if (wrong.cases.size() > most_tried) {
    wrong.cases.resize(most_tried);
    wrong.name = "tried wrong";
  }
  return try_repairs(run.session->info(), {wrong}, "case", progress_interval(options));
}

/// Tells the engine of CI that runs this what is unexpected, unless it is a shard, about which its merge tells.
void tell_engine(const RunSession& session, const Summary& summary) {
  if (!session.info().shard.is_whole()) return;
  if (find_report_format("github")->is_written())
    fmt::print("{}", github_report(session.info(), summary, session.records()));
  if (const ReportFormat& gitlab = *find_report_format("gitlab"); gitlab.is_written())
    fmt::print("{}", in_lines(fmt::format("Code Quality report for GitLab: {}\n",
                                          (session.directory() / gitlab.file_name).string())));
}

/// Writes the file of --write-expectations, and says so. Throws FileError.
void write_new_expectations(const RunSession& session, const RunCommandOptions& options, const Summary& summary) {
  if (options.new_expectations.empty()) return;
  if (summary.all.cases(Verdict::not_run) > 0)
    return print_message(fmt::format("touchstone: --write-expectations {}: not written, because not all cases are run",
                                     options.new_expectations));
  const std::string content = expectations_file(session.info(), summary, session.records(), options.new_expectations);
  check_new_expectations(options);
  write_file_whole(options.new_expectations, content);
  fmt::print("{}", in_lines(fmt::format("Expectations: {}; give each entry its issue, and the day when it expires.\n",
                                        options.new_expectations)));
}

/// Runs the cases on each processor of the list in `options`, in a directory of its own below the output directory.
/// Compares the results. Returns the first exit code of a run that is not 0. Throws Exit.
int run_on_processors(const CLI::App& command, const RunCommandOptions& options) {
  if (!options.resume.empty())
    throw Exit(usage, "--cpu with several processors: --resume continues the run on one of them, without --cpu");
  if (!options.new_expectations.empty())
    throw Exit(usage, "--cpu with several processors: --write-expectations is for the run on one of them");
  if (!find_shard(options.shard).shard.is_whole())
    throw Exit(usage, "--cpu with several processors does not run shards: run each processor's shards by themselves");
  int code = as_expected;
  std::vector<ComparedRun> runs;
  for (const std::string& cpu : start_emulators(options.run.worker.cpu)) {
    RunCommandOptions each = options;
    each.output = (std::filesystem::path(options.output) / cpu).string();
    each.run.worker.cpu = cpu == host_processor ? "" : cpu;
    fmt::print("{}On {}:\n", runs.empty() ? "" : "\n", cpu);
    const int code_of_run = run_command(command, each);
    if (code == as_expected) code = code_of_run;
    if (stop_requested()) return code;
    runs.push_back(compared_run(each.output, read_run(each.output)));
  }
  fmt::print("\n{}", in_lines(comparison_text(compare_runs(std::move(runs)), shown_problems)));
  return code;
}

}  // namespace

void check_new_expectations(const RunCommandOptions& options) {
  std::error_code error;
  const std::string& file = options.new_expectations;
  if (!file.empty() && std::filesystem::exists(std::filesystem::symlink_status(file, error)))
    throw Exit(usage, fmt::format("--write-expectations {}: exists; remove it, or give another name", file));
}

int write_results(RunSession& session, const RunCommandOptions& options, const Summary& summary,
                  const std::string& message, const std::vector<std::string>& fixes) {
  // Writes the files first, and prints the results even if this fails.
  std::exception_ptr unwritten;
  try {
    const ActivityLine line("[writing the reports]");
    session.write_results(summary, options.reproducers);
  } catch (const FileError&) {
    unwritten = std::current_exception();
  }
  const Color color = color_for(options.color);
  if (!options.quiet) print_problems(session.info(), session.records(), summary, color);
  fmt::print("{}", in_lines(options.quiet ? render_totals(session.info(), summary, color)
                                          : results_text(session.info(), summary, color)));
  for (const std::string& fix : fixes) fmt::print("{}", in_lines(fmt::format("Fix: {}\n", fix)));
  fmt::print("{}", in_lines(unexpected_text(session.records(), summary, shown_problems)));
  tell_engine(session, summary);
  if (!message.empty()) print_message(message);
  if (unwritten) std::rethrow_exception(unwritten);
  write_new_expectations(session, options, summary);
  const std::filesystem::path& directory = session.directory();
  if (std::filesystem::exists(reproducers_in(directory)))
    fmt::print("Reproducers, for touchstone run --suite onnx --data:\n  {}\n", reproducers_in(directory).string());
  fmt::print("{}", in_lines(fmt::format("{} Report: {}\n", conclusion(summary), (directory / "report.html").string())));
  const int code = exit_code(summary);
  if (code != nothing_selected || session.info().shard.is_whole()) return code;
  // A shard may have no case at all, or none that is right, but not a refusal of what is required.
  return summary.missed > 0 ? unexpected_result : as_expected;
}

bool is_used_up(std::size_t most, std::size_t found) { return most > 0 && found >= most; }

std::string why_stopped(const RunCommandOptions& options, const FailedCases& failed) {
  const FailedCases& most = options.most_failed;
  if (is_used_up(most.unexpected, failed.unexpected))
    return fmt::format("stopped after {} unexpected {}, because of --maxfail", failed.unexpected,
                       failed.unexpected == 1 ? "result" : "results");
  if (is_used_up(most.timeouts, failed.timeouts))
    return fmt::format("{} cases had no answer within {:g} s, and --max-timeouts allows no more", failed.timeouts,
                       options.run.worker.seconds_for_case());
  if (is_used_up(most.crashes, failed.crashes))
    return fmt::format("the backend crashed in {} cases, and --max-crashes allows no more", failed.crashes);
  return stop_requested() ? "interrupted" : "the time budget is used up";
}

/// What the run begins with: the directory, and what earlier runs say.
struct Start {
  OutputDirectory output;
  std::optional<Journal> earlier;  ///< whose failed cases are to be run
  std::optional<Durations> durations;
};

/// Reads the options of a run that is continued. Throws Exit if options contradict each other.
Start start_run(const CLI::App& command, RunCommandOptions& options) {
  check_new_expectations(options);
  std::optional<Journal> earlier;
  if (options.run.last_failed) earlier = take_last_failed(command, options);
  std::optional<Durations> durations =
      options.resume.empty() && !earlier ? choose_shard(command, options) : std::nullopt;
  OutputDirectory output =
      options.resume.empty() ? new_run_in(options.output, options.overwrite) : resumed_run_in(options.resume);
  if (output.resumed) {
    take_options(command, fmt::format("--resume {}", options.resume), output.resumed->run, options);
    durations = resume_shard(options);
    if (options.run.last_failed) earlier = read_journal(journal_before_in(output.path));
  } else if (options.run.lower_levels.empty()) {
    options.run.lower_levels = lower_levels_of(options.run.backend_option);
  }
  if (!options.new_expectations.empty() && !options.run.is_whole())
    throw Exit(usage,
               "--write-expectations: this run has not all cases; give the option to touchstone merge, or to a "
               "run without --last-failed");
  check_selection(options.run);
  requirement_of(options.run);
  known_failures_content(options.expectations, output.path);
  return {std::move(output), std::move(earlier), std::move(durations)};
}

FinishedRun run_cases(const CLI::App& command, RunCommandOptions& options, const CheckPlan& check_plan) {
  const Clock::time_point start = Clock::now();
  auto [output, earlier, durations] = start_run(command, options);
  const std::string isolation = choose_isolation(options.run);
  std::vector<Level> lower_levels = levels_of(options);
  // Opens the backend first, because its declared limits determine the forms of the cases.
  std::unique_ptr<Backend> backend = options.open_backend();
  if (!isolation.empty() && !options.quiet) print_message(isolation);
  std::vector<PlannedCase> plan = select(options.run, backend->declares());
  if (earlier) keep_failed(*earlier, plan, options);
  check_plan(plan);
  if (!earlier) check_requirement(options, plan);
  // Before the journal exists: somebody who sees it may interrupt the run at once.
  const std::string to_continue = fmt::format(
      "to continue: {}", options.to_continue.empty() ? "touchstone run --resume " + shell_quoted(output.path.string())
                                                     : options.to_continue);
  watch_for_stop(fmt::format("touchstone: finishing the current cases and the reports; interrupt again to stop now\n{}",
                             options.to_continue.empty() ? fmt::format("  {}\n", to_continue) : ""));
  std::optional<Progress> comparing;
  if (output.resumed) comparing.emplace(output.resumed->records.size(), 0, progress_interval(options), "comparing");
  auto session = std::make_unique<RunSession>(
      std::move(output), RunSession::Setup{.options = options.run,
                                           .cases = std::move(plan),
                                           .backend = std::move(backend),
                                           .make_backend = [&] { return options.open_backend(); },
                                           .lower_levels = std::move(lower_levels),
                                           .on_host = host_of(options),
                                           .known_failures = options.expectations,
                                           .jobs = options.jobs,
                                           .durations = std::move(durations),
                                           .all_cases = options.all_cases,
                                           .on_compared = [&](std::string_view id) { comparing->step(id, 0); }});
  comparing.reset();
  if (options.on_begin) options.on_begin();
  const auto is_out_of_time = [&, end = start + std::chrono::duration<double>(options.time_budget)] {
    return options.time_budget > 0 && Clock::now() > end;
  };
  const FailedCases failed = run_rest(*session, options, is_out_of_time, to_continue);
  if (options.asks_backend) make_experiments(*session, options, is_out_of_time);
  Summary summary = [&] {
    const ActivityLine line("[comparing causes with right results]");
    const Clock::time_point end = Clock::now() + std::chrono::seconds(stop_requested() ? 1 : 0);
    return session->summarize([&] { return options.ends_at_once && stop_requested() && Clock::now() > end; });
  }();
  // The reproducers of shards are shrunk after the merge, if at all.
  if (options.asks_backend && session->info().shard.is_whole())
    shrink_reproducers(*session, summary, options.reproducers, is_out_of_time);
  const std::size_t not_run = session->cases().size() - session->records().size();
  const bool had_enough = not_run > 0 && is_used_up(options.most_failed.unexpected, failed.unexpected);
  if (not_run > 0) summary.stopped = why_stopped(options, failed);
  std::string message;
  if (not_run > 0)
    message = fmt::format("touchstone: {}: {} of {} cases are not run\n{}", summary.stopped, not_run,
                          session->cases().size(), to_continue);
  else if (!summary.stopped.empty())
    message = fmt::format("touchstone: {}\n{}", summary.stopped, to_continue);
  return {std::move(session), std::move(summary), std::move(message), had_enough};
}

int run_command(const CLI::App& command, RunCommandOptions& options, const CheckPlan& check_plan) {
  const FinishedRun run = run_cases(command, options, check_plan);
  const int code = write_results(*run.session, options, run.summary, run.message, fixes_of(run, options));
  return run.had_enough && code == incomplete ? unexpected_result : code;
}

void add_all_cases_option(CLI::App& command, bool& all_cases) {
  command.add_flag("--all-cases", all_cases,
                   "List the right cases in report.json, report.csv and report.junit.xml, too: they take most of the "
                   "space. The matrix, the page and all totals have them anyway");
}

void add_output_options(CLI::App& command, RunCommandOptions& options) {
  command.add_option("-o,--output", options.output, "The directory that gets the journal and the reports made from it")
      ->capture_default_str();
  command.add_flag("--overwrite", options.overwrite, "Replace an unfinished or damaged run in the output directory");
  add_all_cases_option(command, options.all_cases);
  add_jobs_option(command, options.jobs, "Threads; the reports do not depend on their number");
  command.add_option("--expectations", options.expectations,
                     "A JSON file that says which cases or causes are known to fail, how and why; they do not fail "
                     "the run, but unexpected passes and entries that match nothing do");
  command
      .add_option("--write-expectations", options.new_expectations,
                  "Write a file for --expectations, with which nothing in this run would be unexpected: failures by "
                  "their causes, those that no cause explains by their ids, and the entries of --expectations that "
                  "hold. The file must not exist")
      ->check(not_empty("give a file"));
  add_number_option(
      command, "--max-reproducers", options.reproducers,
      "The maximum number of failures to write as tests in ONNX's backend-test layout, one of each cause first. "
      "touchstone run writes the smallest model that it finds for each cause");
  command.add_flag("-q,--quiet", options.quiet, "Print the totals only");
  add_color_option(command, options.color);
}

void add_report_options(CLI::App& command, RunCommandOptions& options) {
  add_output_options(command, options);
  add_judge_options(command, options.run.strict, options.run.sign_of_zero);
  command
      .add_option("--require", options.run.require,
                  "The cases that the backend must not refuse: 'all', 'none', or patterns like those of --filter. "
                  "A required case fails the run even if the backend is declared or assumed not to support it. By "
                  "default every case that the backend is asked is required")
      ->check(not_empty("write all, none or patterns"))
      ->type_name("WHAT");
}

/// The options of `run` in the groups of its help text, which has the most used ones first.
struct HelpGroup {
  const char* name;
  std::vector<const char*> options;
};

const std::vector<HelpGroup>& help_groups() {
  static const std::vector<HelpGroup> groups{
      {"Most used",
       {"--help", "--suite", "--tier", "--assume", "--filter", "--backend", "--output", "--jobs", "--expectations",
        "--maxfail", "-x", "--last-failed", "--resume"}},
      {"Cases", {"--seed", "--examples", "--data", "--follow-symlinks", "--dim", "--inputs", "--shard", "--balance"}},
      {"Backend",
       {"--cpu", "--timeout", "--memory-limit", "--python", "--pass-env", "--sandbox", "--no-sandbox", "--show-ids",
        "--max-timeouts", "--max-crashes", "--lower-level", "--experiments", "--time-budget"}},
      {"Output", {"--overwrite", "--all-cases", "--max-reproducers", "--write-expectations", "--quiet", "--color"}},
      {"Judging", {"--strict", "--sign-of-zero", "--require"}},
  };
  return groups;
}

void add_run_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunCommandOptions>();
  options->asks_backend = true;
  CLI::App* command = app.add_subcommand("run", "Run the cases of the suites against a backend and report compliance");
  add_selection_options(*command, options->run);
  add_backend_option(*command, options->run.backend_option);
  CLI::Option* cpu = add_cpu_option(*command, options->run.worker.cpu);
  cpu->description(cpu->get_description() +
                   ". A list such as host,haswell runs the cases on each in a directory of its own, and compares the "
                   "results")
      ->type_name("NAME[,NAME...]");
  add_worker_options(*command, options->run.worker);
  add_report_options(*command, *options);
  CLI::Option* maxfail =
      command
          ->add_option("--maxfail", options->most_failed.unexpected,
                       "Stop the run after this many unexpected results, with exit code 1: wrong results, and refusals "
                       "that fail the run; 0: never. --resume continues")
          ->check(whole_number())
          ->type_name("N");
  command
      ->add_flag_callback(
          "-x", [options] { options->most_failed.unexpected = 1; }, "The same as --maxfail 1")
      ->excludes(maxfail);
  add_number_option(*command, "--max-timeouts", options->most_failed.timeouts,
                    "Stop the run after this many cases without an answer within --timeout; 0: never");
  add_number_option(*command, "--max-crashes", options->most_failed.crashes,
                    "Stop the run after this many cases in which the backend crashed; 0: never");
  command
      ->add_option("--lower-level", options->run.lower_levels,
                   "A backend that is the same runtime with fewer optimizations; may be given more than once, the "
                   "fewest first. Graphs with wrong results are also run with it, and their causes say from which "
                   "level on they are wrong. By default, those that the file 'levels' of a named backend lists")
      ->type_name("BACKEND")
      ->allow_extra_args(false);
  command
      ->add_option("--experiments", options->experiments,
                   "The time for experiments, in percent of the time of all cases, but at least a second: the backend "
                   "is asked for models and inputs that could refute the causes of wrong values; 0: none")
      ->check(CLI::Range(0, 100))
      ->type_name("PERCENT")
      ->capture_default_str();
  add_shard_options(*command, options->shard);
  command
      ->add_option(
          "--time-budget", options->time_budget,
          "Stop after this time, such as 90s, 10m or 2h, but not before the first result, with exit code 4. "
          "The cases that tell most are run first; --resume continues. With --resume, a run keeps the order in "
          "which it began")
      ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}}))
      ->check([](const std::string& seconds) {  // CLI::PositiveNumber would show the largest double
        return std::strtod(seconds.c_str(), nullptr) > 0 ? std::string() : std::string("must be more than 0");
      })
      ->type_name("TIME");
  command
      ->add_option("--resume", options->resume,
                   "Continue the run whose journal is in this directory, with the same cases, backend and judging. "
                   "First compares its finished cases with the plan, which takes as long as the reference needs for "
                   "them")
      ->excludes(command->get_option("--output"), command->get_option("--overwrite"));
  command
      ->add_flag("--last-failed", options->run.last_failed,
                 "Only the cases that failed in the run in the output directory: that were wrong or refused, or could "
                 "not be judged. With the options and expectations of that run, whose results it replaces")
      ->excludes(command->get_option("--resume"), command->get_option("--shard"), command->get_option("--balance"),
                 command->get_option("--write-expectations"));
  for (const HelpGroup& group : help_groups())
    for (const char* name : group.options) command->get_option(name)->group(group.name);
  command->footer(
      std::string(exit_codes) +
      "After one interrupt (Ctrl-C) the program finishes the current cases, writes the reports and prints the command "
      "that continues the run. A sweep of the tier exhaustive is cancelled instead; --resume starts it again.\n"
      "\n"
      "Examples:\n"
      "  touchstone run\n"
      "  touchstone run --tier smoke --suite generated\n"
      "  touchstone run --tier exhaustive --filter 'exhaustive/quantize_linear/*-u8/*scale=0x3dcccccd/*'\n"
      "  touchstone run --filter 'onnx/1.22.0/*:quantize_linear/28/*-*/blocked/*'\n"
      "  touchstone run --suite onnx --data my-tests --output my-report --quiet\n"
      "  touchstone run -x -k 'quantize_linear/*' -j 8\n"
      "  touchstone run --resume my-report\n"
      "  touchstone run --last-failed --output my-report\n"
      "  touchstone run --backend lib:./libvendor.so --assume constant-scales --assume static-shapes\n"
      "  touchstone run --backend ort --assume types=FLOAT,UINT8,INT8 --assume opsets=ai.onnx:10-21\n"
      "  touchstone run --backend ort --require 'quantize_linear/*:dequantize_linear/*'\n"
      "  touchstone run --expectations known.json --strict --sign-of-zero\n"
      "  touchstone run --backend ort --shard 3/16 --output shards/3\n"
      "  touchstone run --backend ort --time-budget 10m\n"
      "  touchstone run --backend ort:optimized --suite graphs --tier smoke --cpu host,haswell,cortex-a72\n"
      "\n"
      "An expectation file:\n"
      "  {\"expectations\": [{\"pattern\": \"quantize_linear/*/f16-*\", \"verdict\": \"rejects_valid\",\n"
      "     \"reason\": \"no float16 kernels yet\", \"issue\": \"PROJ-123\", \"expires\": \"2027-06-30\"}]}\n"
      "\n"
      "Instead of \"pattern\", an entry can have the name or the sentence of a cause in report.json, \"cause\", with "
      "its "
      "rule, \"where\", and for refusals its \"message\". Then it expects all cases of that cause, as long as the rule "
      "is the same.\n");
  command->callback([command, options, &exit_code] {
    const bool is_list = options->run.worker.cpu.find(',') != std::string::npos;
    exit_code = is_list ? run_on_processors(*command, *options) : run_command(*command, *options);
  });
}

}  // namespace touchstone::tools
