// touchstone run: the cases of the suites against a backend.
#include "tools/touchstone/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "conformance/backends/assumptions.h"
#include "conformance/backends/backend.h"
#include "conformance/files/output_file.h"
#include "conformance/files/text.h"
#include "conformance/report/details.h"
#include "conformance/report/format.h"
#include "conformance/report/forms_table.h"
#include "conformance/report/matrix.h"
#include "conformance/report/problems.h"
#include "conformance/report/replay_line.h"
#include "conformance/report/summary.h"
#include "conformance/run/inconsistencies.h"
#include "conformance/run/journal.h"
#include "conformance/run/journal_lock.h"
#include "conformance/run/known_failures.h"
#include "conformance/run/output_limits.h"
#include "conformance/run/reproducer.h"
#include "conformance/run/runner.h"
#include "conformance/version.h"
#include "tools/touchstone/backend_option.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/host.h"
#include "tools/touchstone/output_directory.h"
#include "tools/touchstone/progress.h"
#include "tools/touchstone/reproducers.h"
#include "tools/touchstone/saved_known_failures.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

using namespace conformance;
namespace fs = std::filesystem;

namespace {

using Options = RunCommandOptions;

constexpr std::size_t shown_problems = 20;

/// The longest quotation of a journal or a backend in a message.
constexpr std::size_t longest_quoted = 1000;

RunInfo describe_run(const Options& options, const Backend& backend, const std::vector<PlannedCase>& cases) {
  return {.tool_version = std::string(version),
          .backend = backend.identity(),
          .suites = options.selection.suites,
          .tier = options.selection.tier,
          .seed = options.selection.seed,
          .filter = options.selection.filter,
          .plan_hash = plan_hash(cases, options.selection.tier, options.selection.seed),
          .cases = cases.size(),
          .strict = options.judge.strict,
          .sign_of_zero = options.judge.sign_of_zero,
          .host = host_description(),
          .backend_option = options.backend,
          .data = absolute_path(options.selection.data),
          .worker = options.worker,
          .assumed = options.selection.assumed,
          .declared = backend.declares()};
}

std::vector<KnownFailure> expectations_of(const Options& options) {
  if (options.expectations.empty()) return {};
  try {
    return read_known_failures(options.expectations);
  } catch (const FileError& error) {
    throw Exit(usage, fmt::format("--expectations {}", error.what()));
  }
}

/// Before the run: to find out afterwards that nothing can be written would be a pity.
void prepare_output(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (!error && !fs::is_directory(directory)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw Exit(usage, fmt::format("--output {}: {}", directory.string(), error.message()));
  // Only trying tells: permissions say nothing of a file system that is read-only.
  const fs::path probe = directory / fmt::format(".probe.{}", ::getpid());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(probe.c_str(), "wxe"), std::fclose);
  if (file == nullptr)
    throw Exit(usage, fmt::format("--output {}: nothing can be written in there: {}", directory.string(),
                                  std::strerror(errno)));
  fs::remove(probe, error);
}

/// What decides the plan and the judging is the resumed run's. Throws Exit if something else was asked for here.
void take_options(const CLI::App& command, const RunInfo& run, Options& options) {
  const auto take = [&](const char* name, auto& option, const auto& recorded, const auto& show) {
    if (command.get_option(name)->count() > 0 && show(option) != show(recorded))
      throw Exit(usage, fmt::format("--resume {}: that run has {} {}, not {}; leave the option out to continue it",
                                    options.resume, name, printable(show(recorded), longest_quoted), show(option)));
    option = recorded;
  };
  const auto plain = [](const auto& value) { return fmt::format("'{}'", value); };
  const auto list = [](const std::vector<std::string>& names) { return fmt::format("'{}'", fmt::join(names, ", ")); };
  const auto assumed = [&](const Capabilities& capabilities) { return list(assumptions(capabilities)); };
  const auto path = [](const std::optional<std::string>& data) {
    return data ? fmt::format("'{}'", absolute_path(data)) : "its default";
  };
  take("--suite", options.selection.suites, run.suites, list);
  take("--tier", options.selection.tier, run.tier, plain);
  take("--seed", options.selection.seed, run.seed, plain);
  take("--filter", options.selection.filter, run.filter, plain);
  take("--data", options.selection.data, run.data.empty() ? std::nullopt : std::optional(run.data), path);
  take("--backend", options.backend, run.backend_option, plain);
  take("--timeout", options.worker.timeout, run.worker.timeout, plain);
  take("--memory-limit", options.worker.memory_limit, run.worker.memory_limit, plain);
  take("--python", options.worker.python, run.worker.python, plain);
  take("--assume", options.selection.assumed, run.assumed, assumed);
  take("--strict", options.judge.strict, run.strict, plain);
  take("--sign-of-zero", options.judge.sign_of_zero, run.sign_of_zero, plain);
}

/// The journal of the run that is to go on, whose options become these. Throws Exit.
Journal journal_to_resume(const CLI::App& command, Options& options) {
  try {
    Journal journal = read_journal(fs::path(options.resume) / journal_name);
    if (journal.run.tool_version != version)
      throw Exit(usage, fmt::format("--resume {}: that run is of touchstone {}, this is {}, whose cases may be others",
                                    options.resume, printable(journal.run.tool_version, 100), version));
    if (!find_tier(journal.run.tier))
      throw FileError(fmt::format("{}: line 1", (fs::path(options.resume) / journal_name).string()),
                      fmt::format("there is no tier {}", in_quotes(journal.run.tier)));
    take_options(command, journal.run, options);
    return journal;
  } catch (const FileError& error) {
    throw Exit(broken, error.what());
  }
}

/// What the run that is resumed has done. Throws Exit if it was a run of something else.
std::vector<CaseRecord> records_to_resume(const Journal& journal, const RunInfo& now,
                                          const std::vector<PlannedCase>& cases, const std::string& directory) {
  const auto show = [](const BackendIdentity& backend) {
    return printable(fmt::format("'{} {}: {}'", backend.name, backend.version, backend.description), longest_quoted);
  };
  const auto show_declared = [](const Capabilities& declared) {
    return printable(fmt::format("{}", fmt::join(assumptions(declared), " ")), longest_quoted);
  };
  if (journal.run.backend != now.backend)
    throw Exit(usage, fmt::format("--resume {}: that run is of the backend {}, which is {} now", directory,
                                  show(journal.run.backend), show(now.backend)));
  if (journal.run.declared != now.declared)
    throw Exit(usage, fmt::format("--resume {}: when that run began the backend declared that it takes '{}', and now "
                                  "'{}': its cases would have other forms",
                                  directory, show_declared(journal.run.declared), show_declared(now.declared)));
  try {
    check_same_cases(fs::path(directory) / journal_name, journal, cases);
  } catch (const FileError& error) {
    throw Exit(usage, fmt::format("--resume {}: {}", directory, error.what()));
  }
  return journal.records;
}

/// How many timeouts it met.
std::size_t run_rest(const std::vector<PlannedCase>& cases, const Options& options, std::unique_ptr<Backend> first,
                     JournalWriter& journal, std::vector<CaseRecord>& records) {
  // What is not on a terminal keeps every line.
  Progress progress(cases.size(), records.size(), options.quiet ? std::chrono::seconds(0) : Progress::usual_interval);
  std::size_t problems = 0;
  std::size_t timeouts = 0;
  OutputBudget outputs(records);
  const std::span<const PlannedCase> rest = std::span(cases).subspan(records.size());
  std::mutex mutex;
  const auto make = [&] {
    const std::lock_guard lock(mutex);
    return first != nullptr ? std::move(first)
                            : open_backend(options.backend, options.worker, options.selection.assumed);
  };
  run(rest, make, {options.judge, options.jobs, stop_requested}, [&](CaseRecord record) {
    outputs.cut(record.output);
    journal.write({&record, 1});
    if (!is_permitted(record.verdict) && !record.declined) ++problems;
    if (record.verdict == Verdict::timeout) ++timeouts;
    progress.step(record.id, problems);
    records.push_back(std::move(record));
    return options.max_timeouts == 0 || timeouts < options.max_timeouts;
  });
  return timeouts;
}

void print_problems(const RunInfo& info, const std::vector<CaseRecord>& records, const Summary& summary, Color color) {
  const auto [shown, count] = choose_problems(summary, records, shown_problems);
  for (const CaseRecord* record : shown)
    fmt::print("{}    {}\n\n", render_problem(*record, color), replay_line(info, record->id));
  if (shown.size() < count) fmt::print("... and {} more, in report.json\n\n", count - shown.size());
}

void write_reproducers(const fs::path& directory, const RunInfo& info, const Options& options,
                       const std::vector<PlannedCase>& cases, const std::vector<CaseRecord>& records) {
  for (const std::size_t place : choose_reproducers(records, options.reproducers)) {
    const fs::path reproducer = reproducers_in("") / reproducer_path(records[place].id);
    mark_reproducer(directory, reproducer_path(records[place].id));
    write_reproducer(directory, reproduction(cases[place], records[place]), reproducer);
    write_file_below(directory, reproducer / "replay.txt",
                     fmt::format("{}\n# {}: {}\n", replay_line(info, records[place].id), name(records[place].verdict),
                                 displayed_line(reason_text(records[place]))));
    if (!records[place].output.empty()) write_file_below(directory, reproducer / "output.txt", records[place].output);
  }
}

/// All that can be written: one is of use without the others. Throws FileError of those that cannot be.
void write_results(const fs::path& directory, const Options& options, const std::vector<PlannedCase>& cases,
                   const RunInfo& info, const Summary& summary, const std::vector<CaseRecord>& records) {
  std::vector<FileError> unwritten;
  const auto attempt = [&](const auto& write) {
    try {
      write();
    } catch (const FileError& error) {
      unwritten.push_back(error);
    }
  };
  for (const ReportFormat& format : report_formats())
    attempt([&] {
      write_file_below(directory, format.file_name,
                       [&](const Sink& sink) { format.render(info, summary, records, sink); });
    });
  attempt([&] { write_reproducers(directory, info, options, cases, records); });
  if (unwritten.empty()) return;
  std::string more;
  for (std::size_t i = 1; i < unwritten.size(); ++i) more += fmt::format("; {}", unwritten[i].what());
  throw FileError(unwritten[0].origin(), unwritten[0].reason() + more);
}

}  // namespace

std::string absolute_path(const std::optional<std::string>& data) {
  if (!data) return "";
  std::error_code none_of_nothing;
  const fs::path path = fs::absolute(*data, none_of_nothing).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).string();
}

int run_command(const CLI::App& command, Options& options, const CheckPlan& check_plan) {
  std::optional<Journal> resumed;
  std::optional<JournalLock> lock;
  refuse_links(options.resume.empty() ? "--output" : "--resume",
               options.resume.empty() ? options.output : options.resume);
  if (!options.resume.empty()) {
    lock.emplace(lock_run(options.resume));
    resumed = journal_to_resume(command, options);
  }
  // First the backend: what it declares decides the forms of the cases.
  std::unique_ptr<Backend> backend = open_backend(options.backend, options.worker, options.selection.assumed);
  const std::vector<PlannedCase> cases = select(options.selection, backend->declares());
  check_plan(cases);
  const RunInfo info = describe_run(options, *backend, cases);
  const fs::path directory = options.resume.empty() ? options.output : options.resume;
  const fs::path journal_path = directory / journal_name;
  std::vector<KnownFailure> expectations = expectations_of(options);

  std::vector<CaseRecord> records;
  std::optional<JournalWriter> journal;
  // Before there is a journal: whoever sees one can interrupt the run.
  const std::string to_continue =
      fmt::format("to continue: touchstone run --resume {}", shell_quoted(directory.string()));
  watch_for_stop(fmt::format(
      "touchstone: finishing the cases that are being run, and the reports; again to stop now\n  {}\n", to_continue));
  try {
    if (!resumed) {
      prepare_output(directory);
      refuse_to_lose_reproducers(directory, options.selection.data);
      lock.emplace(lock_new_run(directory));
      if (!options.overwrite) refuse_to_lose_a_run(directory);
      remove_results(directory);
      save_known_failures(directory, options.expectations);
      journal.emplace(JournalWriter::begin(journal_path, info));
    } else {
      records = records_to_resume(*resumed, info, cases, options.resume);
      refuse_to_lose_reproducers(directory, options.selection.data);
      remove_results(directory);
      if (options.expectations.empty())
        expectations = saved_known_failures(directory);
      else
        save_known_failures(directory, options.expectations);
      journal.emplace(JournalWriter::resume(journal_path, *resumed));
    }
    const std::size_t timeouts = run_rest(cases, options, std::move(backend), *journal, records);
    Summary summary = summarize(cases.size(), records, apply(expectations, records, today()));
    summary.inconsistencies =
        find_inconsistencies(cases, records, {.sign_of_zero = options.judge.sign_of_zero, .jobs = options.jobs});
    // First what remains, then what is printed: each is of use without the other.
    std::exception_ptr unwritten;
    try {
      journal->finish(*summary.inconsistencies);
      write_results(directory, options, cases, info, summary, records);
    } catch (const FileError&) {
      unwritten = std::current_exception();
    }
    const Color color = color_for(options.color);
    if (!options.quiet) {
      print_problems(info, records, summary, color);
      fmt::print("{}\n", render_matrix(info, summary, color));
      if (const std::string forms = render_forms(summary, color); !forms.empty()) fmt::print("{}\n", forms);
    }
    fmt::print("{}", render_totals(info, summary, color));
    if (options.max_timeouts > 0 && timeouts >= options.max_timeouts && records.size() < cases.size())
      print_message(fmt::format(
          "touchstone: {} cases had no answer within {:g} s, and --max-timeouts allows no more: {} are not run\n{}",
          timeouts, options.worker.timeout, cases.size() - records.size(), to_continue));
    else if (stop_requested() && records.size() < cases.size())
      print_message(fmt::format("touchstone: interrupted: {} of {} cases are not run\n{}",
                                cases.size() - records.size(), cases.size(), to_continue));
    if (unwritten) std::rethrow_exception(unwritten);
    fmt::print("reports: {}\n", directory.string());
    if (fs::exists(reproducers_in(directory)))
      fmt::print("reproducers, for touchstone run --suite onnx --data: {}\n", reproducers_in(directory).string());
    return exit_code(summary);
  } catch (const FileError& error) {
    throw Exit(broken, error.what());
  } catch (const BackendError& error) {
    throw Exit(broken, fmt::format("{}\nthe results so far are kept; {}", error.what(), to_continue));
  }
}

void add_report_options(CLI::App& command, Options& options) {
  command.add_option("--output", options.output, "The directory that gets the journal and the reports made from it")
      ->capture_default_str();
  command.add_flag("--overwrite", options.overwrite, "Replace an unfinished or damaged run in the output directory");
  command.add_option("--jobs", options.jobs, "Threads; the reports do not depend on their number")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  add_judge_options(command, options.judge);
  command.add_option("--expectations", options.expectations,
                     "A JSON file that says which cases are known to fail, how and why; they do not fail the run, "
                     "but unexpected passes and entries that match nothing do");
  command
      .add_option("--max-reproducers", options.reproducers,
                  "How many failures to write as directories in ONNX's backend-test layout, different ones first")
      ->check(whole_number())
      ->capture_default_str();
  command.add_flag("--quiet", options.quiet, "Print the totals only");
  command.add_option("--color", options.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

void add_run_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Run the cases of the suites against a backend and report compliance");
  add_selection_options(*command, options->selection);
  add_backend_option(*command, options->backend);
  add_worker_options(*command, options->worker);
  add_report_options(*command, *options);
  command
      ->add_option("--max-timeouts", options->max_timeouts,
                   "Stop the run after this many cases without an answer within --timeout; 0: never")
      ->check(whole_number())
      ->capture_default_str();
  command
      ->add_option("--resume", options->resume,
                   "Continue the run whose journal is in this directory, with the same cases, backend and judging")
      ->excludes(command->get_option("--output"), command->get_option("--overwrite"));
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
      "  touchstone run --resume my-report\n"
      "  touchstone run --backend lib:./libvendor.so --assume constant-scales --assume static-shapes\n"
      "  touchstone run --backend ort --assume types=FLOAT,UINT8,INT8 --assume opsets=ai.onnx:10-21\n"
      "  touchstone run --expectations known.json --strict --sign-of-zero\n"
      "\n"
      "An expectation file:\n"
      "  {\"expectations\": [{\"pattern\": \"quantize_linear/*/f16-*\", \"verdict\": \"rejects_valid\",\n"
      "     \"reason\": \"no float16 kernels yet\", \"issue\": \"PROJ-123\", \"expires\": \"2027-06-30\"}]}\n");
  command->callback([command, options, &exit_code] { exit_code = run_command(*command, *options); });
}

}  // namespace touchstone::tools
