// touchstone check: whether a user's model is legal, and whether backends compute its parts right.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/causes/causes.h"
#include "conformance/causes/messages.h"
#include "conformance/check/doubts.h"
#include "conformance/check/legality.h"
#include "conformance/check/overview.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/files/attribute.h"
#include "conformance/files/file_io.h"
#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/causes_text.h"
#include "conformance/report/layout.h"
#include "conformance/report/replay_line.h"
#include "conformance/run/reproducer.h"
#include "conformance/session/output_directory.h"
#include "conformance/session/reproducers.h"
#include "conformance/session/run_session.h"
#include "conformance/suites/suites.h"
#include "conformance/units/unit_cases.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/emulation.h"
#include "tools/touchstone/progress.h"
#include "tools/touchstone/repairs.h"
#include "tools/touchstone/run_command.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/terminal.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

constexpr std::size_t longest_name = 60;
/// Before messages.
constexpr std::string_view message_prefix = "touchstone: ";

struct CheckOptions : RunCommandOptions {
  std::vector<std::string> backends;
  bool resumes = false;
};

template <typename... Args>
void print_lines(fmt::format_string<Args...> format, Args&&... args) {
  fmt::print("{}", in_lines(fmt::format(format, std::forward<Args>(args)...)));
}

// ---- without a backend

void print_model(const Overview& overview) {
  const onnx::ModelProto& model = overview.parts.model().proto();
  std::set<std::string> used;
  for (const onnx::NodeProto& node : model.graph().node()) used.insert(canonical_domain(node.domain()));
  std::vector<std::string> opsets;
  for (const onnx::OperatorSetIdProto& import : model.opset_import())
    if (const std::string domain = canonical_domain(import.domain()); used.contains(domain))
      opsets.push_back(domain == spec::ai_onnx
                           ? fmt::format("opset {}", import.version())
                           : fmt::format("{} {}", printable(domain, longest_name), import.version()));
  const CutModel& cut = overview.parts.cut();
  print_lines("{}\n  {}, IR {}, {}, {} of them QuantizeLinear or DequantizeLinear",
              printable(overview.path, longest_id), fmt::join(opsets, ", "), model.ir_version(),
              counted(cut.all_nodes, "node"), with_commas(overview.nodes.size()));
}

void print_remarks(const Overview& overview) {
  print_lines("  {}", overview.legality());
  for (const Remark& remark : overview.remarks()) {
    print_lines("{}", indented(remark.text, "    "));
    if (!remark.nodes.empty()) print_lines("      {}", remark.nodes_text(1));
  }
  if (const auto cells = overview.cells(); !cells.empty()) {
    Table table{{{"cells of the legal nodes", true}, {"nodes"}}, {}};
    for (const auto& [cell, count] : cells) table.rows.push_back({{cell}, {with_commas(count)}});
    fmt::print("{}", indented(render_text(table, Color::never), "  "));
  }
  std::string_view indent = "  ";
  for (const std::string& line : overview.coverage()) {
    print_lines("{}{}", indent, line);
    indent = "    ";
  }
}

/// How far the user's inputs reach.
void print_inputs(const ModelParts& parts) {
  const std::size_t sets = parts.model().inputs().size();
  std::size_t with_inputs = 0;  // the others have constants only
  for (std::size_t number = 0; number < parts.size(); ++number)
    with_inputs += parts.part(number).inputs.empty() ? 0 : 1;
  if (sets == 0 || with_inputs == 0) return;
  const std::size_t reached = parts.parts_with_inputs();
  print_lines("  {} of {} with inputs {} values from your {} of inputs{}; all get random and extreme ones", reached,
              counted(with_inputs, "part"), reached == 1 ? "gets" : "get",
              sets == 1 ? "set" : fmt::format("{} sets", sets),
              reached == with_inputs ? "" : ", the others depend on what could not be computed from them");
}

// ---- with backends

/// A run of the parts, and what the reports say of it.
struct BackendColumn {
  FinishedRun run;
  CheckedBackend checked;
};

Table::Field field_of(const PartResult& result) {
  const Tone tone = result.tone();
  switch (result.verdict) {
    case Verdict::crash: return {"CRASH", tone};
    case Verdict::timeout: return {"TIMEOUT", tone};
    default: break;
  }
  switch (result.answer_class) {
    case AnswerClass::wrong: return {"WRONG", tone};
    case AnswerClass::rejected: return {"rejects it", tone};
    case AnswerClass::permitted: return {"right *", tone};
    case AnswerClass::not_rejected: return {"accepts it", tone};
    default: return {std::string(result.words()), tone};
  }
}

/// How many parts of a kind are right, and not shown otherwise.
Table::Field field_of(const ResultCounts& counts) {
  std::string text = fmt::format("{} right", counts.right);
  if (counts.undecided > 0) text += fmt::format(", {} undecided", counts.undecided);
  if (counts.not_run > 0) text += fmt::format(", {} not run", counts.not_run);
  return {std::move(text)};
}

/// Adds a row for each part of the kind, but of windows, and of many parts, only for those that are not right.
void add_rows(Table& table, const Overview& overview, std::string_view kind, std::size_t size) {
  constexpr std::size_t most_rows = 40;
  const ModelParts& parts = overview.parts;
  const bool is_short = kind == "window" || size > most_rows;
  std::vector<ResultCounts> counts(overview.backends.size());
  for (std::size_t number = 0; number < parts.size(); ++number) {
    if (parts.kind_of(number) != kind) continue;
    std::vector<Table::Field> row{{fmt::format("{} {} {}", kind, parts.part(number).first, overview.label_of(number))}};
    bool is_shown = !is_short;
    for (std::size_t b = 0; b < overview.backends.size(); ++b) {
      row.push_back(field_of(overview.backends[b].results[number]));
      const Tone tone = row.back().tone;
      counts[b].add(overview.backends[b].results[number]);
      is_shown = is_shown || (tone != Tone::right && (kind != "window" || tone != Tone::undecided));
    }
    if (is_shown) table.rows.push_back(std::move(row));
  }
  if (!is_short) return;
  auto& row = table.rows.emplace_back(std::vector<Table::Field>{{(size == 1 ? "" : "all ") + counted(size, kind)}});
  for (const ResultCounts& of : counts) row.push_back(field_of(of));
}

void print_table(const Overview& overview, Color color) {
  constexpr std::size_t table_width = matrix_width - 2;
  Table table{{{"", true}}, {}};
  for (const CheckedBackend& backend : overview.backends) table.columns.push_back({backend.name, true});
  std::map<std::string_view, std::size_t> sizes;
  for (std::size_t number = 0; number < overview.parts.size(); ++number) ++sizes[overview.parts.kind_of(number)];
  for (const auto& [kind, size] : sizes) add_rows(table, overview, kind, size);
  // Numbers in place of names, if a single table would be too wide.
  if (divided(table, table_width).size() > 1) {
    fmt::print("\n");
    for (std::size_t b = 0; b < overview.backends.size(); ++b) {
      print_lines("  [{}] {}", b + 1, overview.backends[b].name);
      table.columns[b + 1].heading = fmt::format("[{}]", b + 1);
    }
  }
  for (const Table& part : divided(table, table_width)) fmt::print("\n{}", indented(render_text(part, color), "  "));
  for (const auto& [reason, numbers] : overview.undecided())
    print_lines("  undecided in {} {}: {}", numbers.size(), numbers.size() == 1 ? "part" : "parts", reason);
  for (const std::string& assumption : overview.assumptions()) print_lines("  assumed: {}", assumption);
}

/// How wrong the parts are, and the programs that show it.
void print_wrong(const Overview& overview, const CheckedBackend& checked, const std::string& directory) {
  constexpr std::size_t most_wrong = 10;
  std::size_t count = 0;
  for (std::size_t number = 0; number < checked.results.size(); ++number) {
    const PartResult& result = checked.results[number];
    if (result.tone() != Tone::wrong || ++count > most_wrong) continue;
    print_lines("  {} {} {}", overview.parts.kind_of(number), overview.parts.part(number).first,
                overview.label_of(number));
    print_lines("    {}: {}", field_of(result).text, displayed_line(result.reason));
    if (!result.reproducer.empty())
      print_lines("    {}", (std::filesystem::path(directory) / result.reproducer).string());
  }
  if (count > most_wrong) print_lines("  ... and {} more, in check.html", count - most_wrong);
}

/// For which wrong parts not all hypotheses were tried.
void print_large(const ModelParts& parts, const CheckedBackend& checked) {
  std::size_t too_large = 0;
  for (std::size_t number = 0; number < parts.size(); ++number)
    if (checked.results[number].verdict == Verdict::fail && is_too_large_for_all_hypotheses(parts.make_case(number, 0)))
      ++too_large;
  if (too_large > 0)
    print_lines("  {} wrong {} more than {} elements: only the precision of factors was tried as the cause", too_large,
                too_large == 1 ? "part has" : "parts have", most_elements_for_all_hypotheses);
}

void print_backend(const Overview& overview, const BackendColumn& column, const std::string& directory, Color color) {
  const auto& [run, checked] = column;
  const Summary& summary = run.summary;
  const std::string version = checked.version.empty() ? "" : ", " + printable(checked.version, longest_name);
  print_lines("\n{}{}\n  {}\n  {}", checked.name, version, in_words(overview.count_parts(checked), "part"),
              in_words(overview.count_nodes(checked), "node"));
  if (!checked.unfinished.empty()) print_lines("  UNFINISHED: {}", checked.unfinished);
  print_wrong(overview, checked, directory);
  print_lines("{}", render_causes(summary, color));
  for (const std::string& explanation : std::span(checked.causes).subspan(summary.causes.size()))
    print_lines("  {}", explanation);
  print_large(overview.parts, checked);
  for (const std::string& reading : checked.readings) print_lines("  * {}", reading);
  print_lines("  report: {}", (run.session->directory() / "report.html").string());
}

/// Tries the parts that are wrong or refused with other configurations of the runtime, and prints and returns which
/// are right with them.
std::vector<std::string> fixes_of(const BackendColumn& column, const CheckOptions& options) {
  std::vector<FailedKind> failed{{"wrong", {}}, {"refused", {}}};
  const std::vector<PlannedCase>& cases = column.run.session->cases();
  for (std::size_t number = 0; number < cases.size(); ++number) {
    if (column.checked.results[number].answer_class == AnswerClass::wrong) failed[0].cases.push_back(&cases[number]);
    if (column.checked.results[number].answer_class == AnswerClass::refused) failed[1].cases.push_back(&cases[number]);
  }
  std::vector<std::string> fixes = try_repairs(column.run.session->info(), failed, "part", progress_interval(options));
  for (const std::string& fix : fixes) print_lines("  Fix: {}", fix);
  return fixes;
}

/// A name for a directory: "ort:optimized" becomes "ort-optimized".
std::string directory_name(const std::string& backend) {
  std::string name = backend;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; }, '-');
  return name.substr(0, longest_name);
}

/// Parts are run in their order, and an unfinished run has the first ones only.
CheckedBackend checked(const ModelParts& parts, const std::string& name, const FinishedRun& run) {
  const std::vector<CaseRecord>& records = run.session->records();
  const JudgedParts judged{parts, records, run.summary.contradictions};
  CheckedBackend made{.name = name,
                      .version = run.session->info().backend.version,
                      .results = std::vector<PartResult>(parts.size()),
                      .readings = permitted_readings(judged),
                      .report = run.session->directory().filename().string()};
  for (std::size_t number = 0; number < records.size(); ++number) {
    const CaseRecord& record = records[number];
    const std::filesystem::path shown = reproducers_in("") / reproducer_path(record.id) / "show.py";
    const bool has_reproducer = std::filesystem::exists(run.session->directory() / shown);
    made.results.at(number) = {record.verdict, record.answer_class(), std::string(message_with_size(record)),
                               has_reproducer ? (std::filesystem::path(made.report) / shown).string() : "",
                               is_expected(run.summary.expectations, record)};
  }
  for (const Cause& cause : run.summary.causes)
    made.causes.push_back(fmt::format("{} (in {})", cause.sentence, counted(cause.cases.size(), "part")));
  std::ranges::move(local_explanations(judged, run.summary.causes), std::back_inserter(made.causes));
  if (!run.message.empty())
    made.unfinished = run.message.substr(0, run.message.find('\n')).substr(message_prefix.size());
  return made;
}

struct OverviewFile {
  const char* name;
  std::string (*render)(const Overview& overview);
};
constexpr OverviewFile overview_files[]{
    {"check.json", overview_json}, {"check.junit.xml", overview_junit}, {"check.html", overview_html}};

void write_overview(const std::filesystem::path& directory, const Overview& overview) {
  for (const OverviewFile& file : overview_files) write_file_whole(directory / file.name, file.render(overview));
  print_lines("\nall backends, and the model as a drawing: {}", (directory / "check.html").string());
}

/// What the check leaves open, as its last lines.
void print_gaps(const Overview& overview) {
  if (const std::size_t invalid = overview.parts.invalid_inputs().size(); invalid > 0)
    print_lines("INVALID INPUTS: {} cannot take them", counted(invalid, "node"));
  if (const std::size_t unexamined = overview.unexamined(); unexamined > 0)
    print_lines("NOT EXAMINED: {} of {} quantization nodes", with_commas(unexamined),
                with_commas(overview.nodes.size()));
  const CutModel& cut = overview.parts.cut();
  if (const std::size_t others = cut.all_nodes - cut.in_units; others > 0 && !overview.backends.empty())
    print_lines("NOT CHECKED: {} of {}, which {} in no part", with_commas(others), counted(cut.all_nodes, "node"),
                others == 1 ? "is" : "are");
  for (const CheckedBackend& backend : overview.backends) {
    const ResultCounts counts = overview.count_parts(backend);
    if (const std::size_t open = counts.undecided + counts.not_run; open > 0)
      print_lines("NOT JUDGED: {} of {} for {}", open, counted(backend.results.size(), "part"), backend.name);
  }
}

/// Those of an earlier check would be mistaken for the results of this one if it is killed.
void remove_overview(const std::filesystem::path& directory) {
  std::error_code error;
  for (const OverviewFile& file : overview_files) std::filesystem::remove(directory / file.name, error);
}

/// Parts that could not be judged are undecided, and printed as such: they are no failure of the infrastructure.
int code_of(const BackendColumn& column) {
  const int code = exit_code(column.run.summary);
  const std::vector<CaseRecord>& records = column.run.session->records();
  if (code != broken || records.size() != column.run.session->cases().size()) return code;
  const bool is_any_right =
      std::ranges::any_of(records, [](const CaseRecord& record) { return is_right(record.answer_class()); });
  return is_any_right ? as_expected : nothing_selected;
}

/// The exit code of two that says more: a failed backend, then an unfinished run, then what was found.
int graver(int one, int other) {
  constexpr std::array order{as_expected, nothing_selected, unexpected_result, incomplete, broken};
  return std::ranges::find(order, one) < std::ranges::find(order, other) ? other : one;
}

/// The command that continues the check, with its options.
std::string command_to_continue(const CheckOptions& options) {
  std::vector<std::string> words{"touchstone", "check", options.run.data, "--resume", "--output", options.output};
  for (const std::string& backend : options.backends) words.insert(words.end(), {"--backend", backend});
  for (const std::string& dimension : options.run.dimensions) words.insert(words.end(), {"--dim", dimension});
  if (!options.run.inputs.empty()) words.insert(words.end(), {"--data", options.run.inputs});
  std::ranges::transform(words, words.begin(), shell_quoted);
  return fmt::format("{}", fmt::join(words, " "));
}

/// Whether the run of this backend was begun by an earlier check. Throws Exit if that was of another model.
bool is_begun(const CheckOptions& options) {
  if (!options.resumes || !std::filesystem::exists(std::filesystem::path(options.output) / journal_name)) return false;
  const RunInfo before = read_run(options.output).run;
  if (before.data != absolute_path(options.run.data) || before.inputs != options.run.inputs)
    throw Exit(usage, fmt::format("--resume: {} is of the model {}{}", options.output, before.data,
                                  before.inputs.empty() ? "" : " with --data " + before.inputs));
  return true;
}

/// So many threads that judging the largest part in each of them takes no more than some hundred megabytes.
unsigned most_jobs(const ModelParts& parts) {
  constexpr std::uint64_t most_bytes = std::uint64_t{300} << 20, bytes_of_weight = 8;
  std::uint64_t largest = 1;
  for (std::size_t number = 0; number < parts.size(); ++number) largest = std::max(largest, parts.part(number).weights);
  return static_cast<unsigned>(std::clamp<std::uint64_t>(most_bytes / bytes_of_weight / largest, 1, 1024));
}

BackendColumn run_backend(const CLI::App& command, const ModelParts& parts, CheckOptions options,
                          const std::string& backend) {
  const std::string to_continue = command_to_continue(options);
  options.to_continue = to_continue;
  options.run.backend_option = usual_level_of(backend);
  if (command.count("--jobs") == 0) options.jobs = std::min(options.jobs, most_jobs(parts));
  options.on_begin = [overview = options.output] { remove_overview(overview); };
  options.output = (std::filesystem::path(options.output) / directory_name(backend)).string();
  if (is_begun(options)) options.resume = options.output;
  const std::string name = options.run.backend_option;
  FinishedRun run = [&] {
    try {
      return run_cases(command, options);
    } catch (const BackendError& error) {
      throw Exit(broken, error.what());
    } catch (const RunRefused& refused) {
      if (refused.reason() != RunRefused::Reason::unfinished_run) throw;
      throw Exit(usage,
                 fmt::format("{}: continue it with {}, or replace it with --overwrite", refused.what(), to_continue));
    }
  }();
  for (Cause& cause : run.summary.causes) cause.tested.clear();  // check makes no experiments
  {
    const ActivityLine line("[writing the reports]");
    run.session->write_results(run.summary, options.reproducers);
  }
  CheckedBackend made = checked(parts, name, run);
  return {std::move(run), std::move(made)};
}

/// Throws Exit if the backend does not start.
void try_to_open(const std::string& backend, const CheckOptions& options) try {
  const ActivityLine line(fmt::format("[starting {}]", printable(backend, longest_name)));
  open_backend(backend, options.run.worker, options.run.assumed);
} catch (const BackendError& error) {
  throw Exit(broken, error.what());
}

/// Throws Exit if the directory cannot be made, before the model is examined. Its first file makes it.
void check_output(const std::string& output) {
  std::filesystem::path existing = std::filesystem::absolute(output);
  std::error_code none;
  while (!std::filesystem::exists(existing, none) && existing.has_relative_path()) existing = existing.parent_path();
  errno = ENOTDIR;
  if (!std::filesystem::is_directory(existing, none) || ::access(existing.c_str(), W_OK | X_OK) != 0)
    throw Exit(usage, fmt::format("--output {}: {}", output, std::generic_category().message(errno)));
}

/// Throws Exit if a backend is not one, or given twice.
void check_backends(const CheckOptions& options) {
  std::set<std::string> directories, configurations;
  for (const std::string& backend : options.backends) {
    const std::string configuration = usual_level_of(backend);
    check_backend(configuration, options.run.worker);
    if (!configurations.insert(configuration).second || !directories.insert(directory_name(backend)).second)
      throw Exit(usage, fmt::format("--backend {}: {} is given twice", backend, configuration));
  }
}

/// The gravest exit code of what the model and its inputs show. Throws Exit if there is nothing to do.
int code_of_model(const Overview& overview, const CheckOptions& options) {
  const std::string path = options.run.data;
  int code = overview.is_legal() ? as_expected : unexpected_result;
  if (!overview.parts.invalid_inputs().empty()) code = graver(code, broken);
  if (overview.is_legal() && overview.unexamined() == overview.nodes.size()) code = graver(code, incomplete);
  const ExitCode without_parts = overview.is_legal() ? nothing_selected : unexpected_result;
  if (overview.nodes.empty())
    throw Exit(without_parts, fmt::format("{} has no QuantizeLinear or DequantizeLinear node", path));
  if (overview.parts.size() == 0 && !options.backends.empty())
    throw Exit(
        without_parts,
        fmt::format("{}: there is nothing to run: no QuantizeLinear or DequantizeLinear node can be checked", path));
  return code;
}

/// Prints the results of all backends, and returns the gravest exit code.
int report(Overview& overview, const std::vector<BackendColumn>& columns, const CheckOptions& options) {
  int code = as_expected;
  if (!columns.empty()) print_table(overview, color_for(options.color));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    print_backend(overview, columns[c], options.output, color_for(options.color));
    overview.backends[c].fixes = fixes_of(columns[c], options);
    code = graver(code, columns[c].run.message.empty() ? code_of(columns[c]) : incomplete);
  }
  return code;
}

int check(const CLI::App& command, CheckOptions& options) {
  check_selection(options.run);
  check_backends(options);
  if (!options.backends.empty() || command.count("--output") > 0) check_output(options.output);
  int code = as_expected;
  /// Whether the function succeeds for the backend. If not, the results of the other backends stay.
  const auto succeeds = [&](const std::string& backend, const auto& function) {
    try {
      function(backend);
      return true;
    } catch (const Exit& failed) {
      if (failed.code != broken || options.backends.size() == 1) throw;
      print_message(fmt::format("touchstone: {}: {}", backend, failed.what()));
      code = graver(code, failed.code);
      return false;
    }
  };
  // Before the model is examined, which may take long.
  std::vector<std::string> backends;
  std::ranges::copy_if(options.backends, std::back_inserter(backends), [&](const std::string& backend) {
    return succeeds(backend, [&](const std::string& name) { try_to_open(usual_level_of(name), options); });
  });
  if (backends.empty() && !options.backends.empty()) return code;
  const std::string path = options.run.data;
  std::optional<ActivityLine> line("[reading the model]");
  const ModelParts parts(path, lengths_of(options.run.dimensions), options.run.inputs);
  line->show("[examining its nodes]");
  const std::vector<ExaminedNode> nodes = examine(parts);
  Overview overview{
      .path = path, .parts = parts, .nodes = nodes, .invalid = invalid_nodes(parts), .seed = options.run.seed};
  line.reset();
  print_model(overview);
  print_remarks(overview);
  print_inputs(parts);
  code = graver(code, code_of_model(overview, options));
  std::vector<BackendColumn> columns;
  for (const std::string& backend : backends) {
    if (!succeeds(backend,
                  [&](const std::string& name) { columns.push_back(run_backend(command, parts, options, name)); }))
      continue;
    overview.backends.push_back(columns.back().checked);
    overview.seed = columns.back().run.session->info().seed;  // of a check that is continued
  }
  code = graver(code, report(overview, columns, options));
  if (!columns.empty() || command.count("--output") > 0) write_overview(options.output, overview);
  print_gaps(overview);
  // One command continues all backends, and UNFINISHED says of each why.
  const auto stopped = std::ranges::find_if(columns, [](const auto& column) { return !column.run.message.empty(); });
  if (stopped != columns.end()) print_message(stopped->run.message);
  return code;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  options->asks_backend = true;
  options->ends_at_once = true;
  options->experiments = 0;  // its reports are about this model, and not about the backend elsewhere
  options->output = "touchstone-check";
  options->run.suites = {std::string(model_suite)};
  CLI::App* command =
      app.add_subcommand("check", "Check a model of your own: is it legal, and does a runtime compute it right?");
  command->add_option("MODEL", options->run.data, "An ONNX file, with external data next to it, if it has any")
      ->required();
  command
      ->add_option("--backend", options->backends,
                   "A backend that runs the parts of the model; may be given more than once. A named backend runs with "
                   "the optimizations that it has by default, and what is wrong also with fewer; see touchstone list "
                   "backends. Without it, only the model is examined, and files are written only if --output is given")
      ->type_name("BACKEND")
      ->allow_extra_args(false);
  add_inputs_option(*command, "--data", options->run);
  add_dimension_option(*command, options->run);
  command->add_option("--seed", options->run.seed, "A different seed gives the parts different inputs")
      ->check(whole_number())
      ->capture_default_str();
  add_assume_option(*command, options->run.assumed);
  add_cpu_option(*command, options->run.worker.cpu);
  add_worker_options(*command, options->run.worker);
  add_output_options(*command, *options);
  command->remove_option(command->get_option("--write-expectations"));  // it has several runs
  command->get_option("--output")->description("The directory that gets a directory of reports for each backend");
  command
      ->add_flag("--resume", options->resumes,
                 "Continue an unfinished check with the same options: parts that have a result in the directory are "
                 "not run again")
      ->excludes(command->get_option("--overwrite"));
  add_judge_options(*command, options->run.strict, options->run.sign_of_zero);
  command->footer(
      "Exit codes: 0 the model is legal, and nothing is wrong or refused; 1 it is illegal, or something is; 2 usage; "
      "3 the model or the inputs cannot be read or do not fit, or a backend failed; 4 incomplete: an unfinished check, "
      "or of no quantization "
      "node it is known whether it is legal; 5 the model has no quantization operators (with "
      "a backend: outside of branches and loops), or "
      "nothing is right.\n"
      "INVALID INPUTS says that nodes cannot take what --data gives them, which ends with 3.\n"
      "0 says that nothing wrong was found in what was judged. How much was not is in the last lines: NOT EXAMINED "
      "(quantization nodes that may be illegal), NOT CHECKED (nodes in no part) and NOT JUDGED (parts that are "
      "undecided or were not run). --strict does not change that: with it, what only a permitted reading makes right "
      "is wrong.\n"
      "\n"
      "Each QuantizeLinear and DequantizeLinear node runs on its own, and each unit: the operators between quantized "
      "tensors, with the nodes that dequantize their inputs; and each window of two or three units, across which "
      "optimizers work. Parts with equal operators, attributes, types and shapes, and similar parameters, run once. "
      "The inputs are random and "
      "extreme values, and with --data what your inputs give. Exact results are compared bit for bit; where sums "
      "round, "
      "a result must be one that some order of rounding gives. What cannot be decided is reported as undecided, and "
      "operators that are not checked are counted.\n"
      "\n"
      "Examples:\n"
      "  touchstone check model.onnx\n"
      "  touchstone check model.onnx --backend ort --backend openvino\n"
      "  touchstone check model.onnx --data inputs/ --backend ort\n"
      "  touchstone check model.onnx --dim batch=1 --backend onnx:my_runtime.backend\n"
      "  touchstone replay --suite model --data model.onnx model/model/unit/4/Conv --backend ort:optimized\n");
  command->callback([command, options, &exit_code] { exit_code = check(*command, *options); });
}

}  // namespace touchstone::tools
