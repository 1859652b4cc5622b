// touchstone selftest: whether the suite finds and names every wrong model.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "conformance/diagnose/wrong_model.h"
#include "conformance/files/file_error.h"
#include "conformance/graphs/graph_parameters.h"
#include "conformance/selftest/selftest.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/progress.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/suggestion.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

struct SelftestOptions {
  RunInfo run;
  std::vector<std::string> models;
  std::size_t pairs = 0;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
};

struct Plan {
  std::vector<PlannedCase> cases = {};
  std::optional<ReadCases> read = std::nullopt;  ///< if there are models to run on them
};

/// Models of nodes are to be found by cases of nodes, and models of graphs by graphs.
struct Plans {
  Plan nodes, graphs;

  Plan& of(const WrongModel& model) { return model.graph != nullptr ? graphs : nodes; }
};

Plans plans_of(const std::vector<PlannedCase>& cases) {
  Plans plans;
  for (const PlannedCase& planned : cases)
    (pattern_of(planned.id).empty() ? plans.nodes : plans.graphs).cases.push_back(planned);
  return plans;
}

/// The models with these names. Without names, all for which there are cases.
std::vector<const WrongModel*> chosen_models(const std::vector<std::string>& names, Plans& plans) {
  std::vector<const WrongModel*> chosen;
  if (names.empty())
    for (const std::span<const WrongModel> part : {wrong_models(), wrong_graphs()})
      for (const WrongModel& model : part)
        if (!plans.of(model).cases.empty()) chosen.push_back(&model);
  for (const std::string& name : names) {
    chosen.push_back(find_wrong_model(name));
    if (chosen.back() != nullptr) continue;
    std::vector<std::string_view> all;
    for (const std::span<const WrongModel> part : {wrong_models(), wrong_graphs()})
      for (const WrongModel& model : part) all.push_back(model.name);
    throw Exit(usage, fmt::format("--model: no wrong model is named {}{}", in_quotes(name), did_you_mean(name, all)));
  }
  return chosen;
}

std::string share(std::size_t part, std::size_t all) {
  return fmt::format("{} of {} ({:.1f} %)", part, all, 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

/// Whether enough of the pairs are named.
bool test_pairs(const std::vector<WrongPair>& pairs, Plans& plans, unsigned jobs) {
  std::size_t named = 0;
  Progress progress(pairs.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& [first, second] = pairs[i];
    auto& [plan, read] = plans.of(*first);
    if (!read) read = read_all(plan, jobs);
    const PairResult result = test_wrong_pair(pairs[i], plan, jobs, read ? &*read : nullptr);
    const bool has_both = result.is_named[0] && result.is_named[1];
    named += has_both ? 1 : 0;
    fmt::print("{:>6} cases   {}+{}{}\n", result.wrong, first->name, second->name,
               has_both                ? ""
               : result.causes.empty() ? ", reported without a name"
                                       : fmt::format(", reported as {}", fmt::join(result.causes, ", ")));
    std::fflush(stdout);
    progress.step(first->name, i + 1 - named);
  }
  fmt::print("\nboth are named of {} pairs\n", share(named, pairs.size()));
  return named * 100 >= pairs.size() * least_named_pairs;
}

ExitCode run_selftest(SelftestOptions& options) {
  const std::vector<PlannedCase> cases = select(options.run);
  Plans plans = plans_of(cases);
  const std::vector<const WrongModel*> models = chosen_models(options.models, plans);
  if (options.pairs > 0) {
    const std::vector<WrongPair> pairs = random_pairs(models, options.pairs, options.run.seed);
    if (pairs.empty()) throw Exit(usage, "--pairs: needs two models of nodes, or two of graphs");
    return test_pairs(pairs, plans, options.jobs) ? as_expected : unexpected_result;
  }
  using enum SelfTestResult::Naming;
  std::map<SelfTestResult::Naming, std::size_t> named;
  std::size_t found = 0;
  std::size_t missed = 0;
  Progress progress(models.size(), 0);
  for (const WrongModel* model : models) {
    auto& [plan, read] = plans.of(*model);
    if (!read) read = read_all(plan, options.jobs);
    const SelfTestResult result = test_wrong_model(*model, plan, options.jobs, {}, read ? &*read : nullptr);
    if (result.wrong == 0) {
      ++missed;
      fmt::print("not found      {}\n", model->name);
    } else {
      ++found;
      ++named[result.naming];
      const std::string cause = result.cause.empty() ? "no name" : result.cause;
      fmt::print("{:>6} cases   {}{}; first {}\n", result.wrong, model->name,
                 result.naming == own          ? std::string()
                 : result.naming == equivalent ? fmt::format(", named by the equivalent {}", cause)
                                               : fmt::format(", reported as {}", cause),
                 result.first);
    }
    std::fflush(stdout);
    progress.step(model->name, missed);
  }
  fmt::print("\nfound {} wrong models with {} cases; {} are named by their own cause, {} by an equivalent one\n",
             share(found, models.size()), cases.size(), named[own], named[equivalent]);
  const std::size_t least = least_named(*find_tier(options.run.tier), models.size());
  return named[own] + named[equivalent] >= least ? as_expected : unexpected_result;
}

}  // namespace

void add_selftest_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SelftestOptions>();
  options->run.tier = "smoke";  // the tier standard takes about a minute for each model
  CLI::App* command = app.add_subcommand("selftest", "Test the suite: whether it finds and names every wrong model");
  add_selection_options(*command, options->run);
  command->add_option("--model", options->models,
                      "A wrong model, as in touchstone list wrong-models; may be given more than once, by default all");
  command
      ->add_option("--pairs", options->pairs,
                   "Instead of single models, so many pairs of them in one backend, chosen at random by --seed: both "
                   "must be named of 80 % of the pairs")
      ->check(CLI::Range(1, 100'000));
  command->add_option("--jobs", options->jobs, "Threads")->check(CLI::Range(1, 1024))->capture_default_str();
  command->footer(
      std::string(exit_codes) +
      "\n"
      "Runs each wrong model as a backend, and prints how many cases find it, the first of them, and the "
      "cause that the report would show first, if that is not the model itself. It is an unexpected result if a model "
      "is not found and named by its own cause or an equivalent one; the smoke tier may miss one model in twenty.\n"
      "\n"
      "Examples:\n"
      "  touchstone selftest --tier smoke\n"
      "  touchstone selftest --suite onnx\n"
      "  touchstone selftest --model rounds-half-up\n"
      "  touchstone selftest --pairs 200\n");
  command->callback([options, &exit_code] { exit_code = run_selftest(*options); });
}

}  // namespace touchstone::tools
