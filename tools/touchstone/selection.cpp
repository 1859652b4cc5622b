#include "tools/touchstone/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "conformance/backends/assumptions.h"
#include "conformance/files/limits.h"
#include "conformance/plan/filter.h"
#include "conformance/session/run_session.h"
#include "conformance/suites/suites.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/suggestion.h"

namespace touchstone::tools {

using conformance::PlannedCase;
using conformance::RunInfo;
using conformance::SuiteInfo;

namespace {

constexpr std::uint64_t default_examples = 1000;
constexpr std::uint64_t most_examples = 1'000'000;  ///< the plan and the results of a run are in memory

std::vector<std::string_view> suite_names() {
  std::vector<std::string_view> names;
  for (const SuiteInfo& row : conformance::suites()) names.push_back(row.name);
  return names;
}

conformance::Filter filter_of(const RunInfo& run) try {
  return conformance::Filter(run.filter);
} catch (const std::invalid_argument& error) {
  throw Exit(usage, fmt::format("--filter: {}", error.what()));
}

void fill_in_suites(RunInfo& run) {
  for (const std::string& name : run.suites)
    if (conformance::find_suite(name) == nullptr)
      throw Exit(usage, fmt::format("unknown suite '{}'; the suites are {}{}", name, fmt::join(suite_names(), ", "),
                                    did_you_mean(name, suite_names())));
  for (auto name = run.suites.begin(); name != run.suites.end(); ++name)
    if (std::find(run.suites.begin(), name, *name) != name)
      throw Exit(usage, fmt::format("--suite {} is given twice: each case runs once", *name));
  if (!run.suites.empty()) return;
  for (const SuiteInfo& row : conformance::suites())
    if (row.is_default && (run.data.empty() || row.reads_files)) run.suites.emplace_back(row.name);
}

bool has_suite(const RunInfo& run, std::string_view name) {
  return std::ranges::find(run.suites, name) != run.suites.end();
}

/// Throws Exit if there are too many, or they are for no suite.
void fill_in_examples(RunInfo& run) {
  const bool has_random = has_suite(run, conformance::random_suite);
  if (!has_random && run.examples > 0)
    throw Exit(usage, fmt::format("--examples is for the suite {}: add --suite {}", conformance::random_suite,
                                  conformance::random_suite));
  if (has_random && run.examples == 0) run.examples = default_examples;
  if (run.examples > most_examples)
    throw Exit(usage,
               fmt::format("--examples {}: at most {}; another --seed gives others", run.examples, most_examples));
}

bool reads_files(const RunInfo& run) {
  return std::ranges::any_of(run.suites, [](const auto& name) { return conformance::find_suite(name)->reads_files; });
}

/// Throws Exit unless the model can be the only suite, and its options are given.
void check_model_options(const RunInfo& run) {
  const bool has_model = has_suite(run, conformance::model_suite);
  if (!has_model && !run.dimensions.empty())
    throw Exit(usage, fmt::format("--dim is for the suite {}", conformance::model_suite));
  if (!has_model && !run.inputs.empty())
    throw Exit(usage, fmt::format("--inputs is for the suite {}", conformance::model_suite));
  if (!has_model) return;
  if (run.suites.size() > 1)
    throw Exit(usage, fmt::format("--suite {}: there can be no other suite, because --data names its model",
                                  conformance::model_suite));
  if (run.data.empty())
    throw Exit(usage, fmt::format("--suite {}: give the model with --data", conformance::model_suite));
}

std::filesystem::path data_directory(const RunInfo& run) {
  const std::filesystem::path data =
      run.data.empty() ? conformance::default_onnx_tests() : std::filesystem::path(run.data);
  std::error_code error;
  if (has_suite(run, conformance::model_suite) && !std::filesystem::is_directory(data, error)) return data;
  if (std::filesystem::is_directory(data, error)) return data;
  const std::string why = error ? error.message() : "not a directory";
  if (!run.data.empty()) throw Exit(usage, fmt::format("--data {}: {}", data.string(), why));
  throw Exit(broken, fmt::format("ONNX's tests are not in {}: run tools/setup, give a directory with --data, or "
                                 "leave the suite onnx out",
                                 data.string()));
}

}  // namespace

conformance::DimensionLengths lengths_of(const std::vector<std::string>& dimensions) {
  conformance::DimensionLengths lengths;
  for (const std::string& text : dimensions) {
    const std::size_t equals = text.rfind('=');
    std::int64_t length = -1;
    if (equals != std::string::npos && equals > 0)
      if (const auto [end, error] = std::from_chars(text.data() + equals + 1, text.data() + text.size(), length);
          error != std::errc() || end != text.data() + text.size())
        length = -1;
    if (length < 0) throw Exit(usage, fmt::format("--dim '{}': write NAME=LENGTH, for example batch=1", text));
    if (length == 0)
      throw Exit(usage, fmt::format("--dim '{}': the length must be at least 1: empty tensors show nothing", text));
    const auto [known, is_new] = lengths.emplace(text.substr(0, equals), length);
    if (known->second != length)
      throw Exit(usage, fmt::format("--dim {} contradicts --dim {}={}", text, known->first, known->second));
  }
  return lengths;
}

void take_limits() try {
  if (const char* text = std::getenv(conformance::limits_variable)) conformance::set_limits(text);
} catch (const std::invalid_argument& error) {
  throw Exit(usage, error.what());
}

void add_data_options(CLI::App& command, RunInfo& run, const std::string& help) {
  command.add_option("--data", run.data, help)->check(not_empty("give a directory"));
  command.add_flag("--follow-symlinks", run.follow_symlinks,
                   "Follow symbolic links in tests even if they lead out of the directory of --data");
}

void add_inputs_option(CLI::App& command, const std::string& name, RunInfo& run) {
  command
      .add_option(name, run.inputs,
                  "Inputs of a user's model, from which the inputs of its parts are computed: a directory with a file "
                  "NAME.npy or input_N.pb for each input, or with a directory of such files for each set, such as "
                  "test_data_set_0; an archive of numpy.savez (.npz); for a model with one input, a file")
      ->transform([](const std::string& path) { return conformance::absolute_path(path); });
}

void add_dimension_option(CLI::App& command, RunInfo& run) {
  command
      .add_option(
          "--dim", run.dimensions,
          "The length of a symbolic dimension of a user's model, by its name or by its place in an input, such as "
          "'x[0]=1'; may be given more than once")
      ->type_name("NAME=LENGTH")
      ->allow_extra_args(false);
}

void add_assume_option(CLI::App& command, conformance::Capabilities& assumed) {
  const auto add = [&assumed](const std::vector<std::string>& texts) {
    try {
      for (const std::string& text : texts) conformance::assume(assumed, text);
    } catch (const std::invalid_argument& error) {
      throw Exit(usage, fmt::format("--assume: {}", error.what()));
    }
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--assume", add,
          "A limit of the backend, in addition to those that it declares itself; may be given more than once: " +
              conformance::assumption_forms() +
              ". Where possible, generated cases get forms within the limits; cases beyond the limits are not asked, "
              "which does not fail the run unless --require selects them. The ids of the cases do not change")
      ->type_name("WHAT")
      ->allow_extra_args(false);
}

void add_plan_options(CLI::App& command, RunInfo& run) {
  std::string suites = "A suite of cases; may be given more than once; by default:";
  for (const bool is_default : {true, false}) {
    if (!is_default) suites += "\nIf they are named:";
    for (const SuiteInfo& row : conformance::suites())
      if (row.is_default == is_default) suites += fmt::format("\n  {} ({})", row.name, row.description);
  }
  command.add_option("--suite", run.suites, suites);
  add_choice_option(
      command, "--tier", run.tier,
      "The size of the generated suite: smoke (about 5,200 cases: every pair of lattice dimensions, every "
      "quantized type with float32 numbers, and every shape, special value and violated clause once), "
      "standard (every "
      "combination, clause and rule) or exhaustive (only complete "
      "value spaces, such as all 2^32 float32 inputs: about two hours of processor time)",
      {"smoke", "standard", "exhaustive"});
  add_number_option(command, "--seed", run.seed,
                    "A different seed gives the generated cases different values, and the suite random other cases");
  command
      .add_option("--examples", run.examples,
                  fmt::format("The number of cases of the suite random, at most {}; by default {}", most_examples,
                              default_examples))
      ->check(whole_number())
      ->check([](const std::string& number) {
        return number.find_first_not_of('0') == std::string::npos ? "must be more than 0" : "";
      });
  add_data_options(command, run,
                   "A directory of ONNX backend tests, at any depth; by default the one that tools/setup downloaded. "
                   "For the suite model, the file of the model");
  add_dimension_option(command, run);
  add_inputs_option(command, "--inputs", run);
  add_assume_option(command, run.assumed);
}

void add_selection_options(CLI::App& command, RunInfo& run) {
  add_plan_options(command, run);
  command
      .add_option(
          "-k,--filter", run.filter,
          "Only the cases whose id matches. Patterns are like GoogleTest's: A:B:-C:D for A and B without C and D, with "
          "* for any text and ? for one character. A - at the start or after : begins the patterns to exclude. After "
          "*, "
          "it does so if an id can match the pattern after it; otherwise it is a part of an id, as in '*/*-u8/*'")
      ->capture_default_str();
}

void check_selection(RunInfo& run) {
  filter_of(run);
  fill_in_suites(run);
  fill_in_examples(run);
  check_model_options(run);
  lengths_of(run.dimensions);
  if (reads_files(run)) data_directory(run);
}

std::vector<PlannedCase> plan(RunInfo& run, const conformance::Capabilities& declared) {
  fill_in_suites(run);
  fill_in_examples(run);
  conformance::SuiteOptions options{.follow_symlinks = run.follow_symlinks,
                                    .tier = *conformance::find_tier(run.tier),
                                    .seed = run.seed,
                                    .examples = run.examples,
                                    .dimensions = lengths_of(run.dimensions),
                                    .inputs = run.inputs,
                                    .limits = run.assumed.form_limits() | declared.form_limits()};
  if (reads_files(run)) options.data = data_directory(run);
  return conformance::plan_suites(run.suites, options);
}

std::vector<PlannedCase> select(RunInfo& run, const conformance::Capabilities& declared) {
  const conformance::Filter filter = filter_of(run);
  std::vector<PlannedCase> all = plan(run, declared);
  if (all.empty() && has_suite(run, conformance::model_suite))
    throw Exit(nothing_selected, fmt::format("{} has no QuantizeLinear or DequantizeLinear node", run.data));
  if (all.empty())
    throw Exit(nothing_selected,
               fmt::format("no test directory (with a model.onnx) at or below {}; symbolic links are not followed",
                           data_directory(run).string()));
  const auto is_selected = [&](const PlannedCase& planned) { return filter.matches(planned.id); };
  if (std::ranges::none_of(all, is_selected))
    throw Exit(nothing_selected,
               fmt::format("--filter '{}' selects none of the {} cases of {}; touchstone list shows them{}", run.filter,
                           all.size(), fmt::join(run.suites, ", "), did_you_mean(filter, ids_of(all))));
  std::erase_if(all, std::not_fn(is_selected));
  return all;
}

std::vector<std::string_view> ids_of(std::span<const PlannedCase> cases) {
  std::vector<std::string_view> ids;
  for (const PlannedCase& planned : cases) ids.push_back(planned.id);
  return ids;
}

}  // namespace touchstone::tools
