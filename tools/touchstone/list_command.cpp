// touchstone list: cases, clauses, ambiguities, suites, backends, processors, wrong models and limits.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/builtin/builtin_backends.h"
#include "conformance/diagnose/wrong_backend.h"
#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"
#include "conformance/suites/suites.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/emulation.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

using conformance::RunInfo;

namespace {

struct ListOptions {
  std::string what = "cases";
  RunInfo run;
};

void list_cases(RunInfo& run) {
  for (const conformance::PlannedCase& planned : select(run))
    fmt::print("{}\n", conformance::printable(planned.id, longest_id));
}

void list_clauses(RunInfo&) {
  for (const spec::Clause& clause : spec::clauses) fmt::print("{:<30} {}\n", clause.id, clause.sentence);
}

void list_ambiguities(RunInfo&) {
  for (const spec::Ambiguity* row : spec::ambiguities) fmt::print("{:<38} {}\n", row->id, row->question);
}

void list_suites(RunInfo&) {
  for (const conformance::SuiteInfo& suite : conformance::suites())
    fmt::print("{:<12} {}\n", suite.name, suite.description);
}

void list_backends(RunInfo&) {
  for (const conformance::BackendInfo& backend : conformance::builtin_backends())
    fmt::print("{:<16} {}\n", backend.name, backend.description);
  for (const std::string& name : worker_names()) fmt::print("{:<16} {}\n", name, worker_description(name));
  fmt::print("\nYours:\n{}\n", fmt::join(worker_forms(), "\n"));
}

void list_wrong_models(RunInfo&) {
  for (const auto& models : {conformance::wrong_models(), conformance::wrong_graphs()})
    for (const conformance::WrongModel& model : models)
      fmt::print("{:<40} {:<16} {}\n", model.name, conformance::name(model.group), model.sentence);
}

void list_cpus(RunInfo&) {
  for (const Processor& row : processors())
    fmt::print("{:<12} {:<8} has {}; lacks {}\n", row.name, name(row.architecture), row.has, row.lacks);
}

void list_limits(RunInfo&) { fmt::print("{}", conformance::limits_text()); }

const std::map<std::string, void (*)(RunInfo&)> lists{
    {"cases", list_cases},   {"clauses", list_clauses},   {"cpus", list_cpus},     {"ambiguities", list_ambiguities},
    {"suites", list_suites}, {"backends", list_backends}, {"limits", list_limits}, {"wrong-models", list_wrong_models},
};

}  // namespace

void add_list_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ListOptions>();
  std::vector<std::string> names;
  for (const auto& [name, print] : lists) names.push_back(name);
  CLI::App* command = app.add_subcommand(
      "list", "List cases, clauses, ambiguities, suites, backends, processors, wrong models or limits");
  command
      ->add_option("what", options->what,
                   "cases (the default), clauses, ambiguities, suites, backends, cpus (processors for --cpu), limits "
                   "on what is read, or "
                   "wrong-models (backends with a known defect)")
      ->check(one_of(names));
  add_selection_options(*command, options->run);
  command->footer(
      fmt::format("{}\n"
                  "Examples:\n"
                  "  touchstone list --filter '*blocked*'\n"
                  "  touchstone list clauses\n"
                  "  touchstone list wrong-models\n"
                  "  TOUCHSTONE_LIMITS=rank=8,file_bytes=1000000 touchstone list limits\n",
                  exit_codes));
  command->callback([command, options, &exit_code] {
    if (options->what != "cases") refuse_options(*command, options->what);
    lists.at(options->what)(options->run);
    exit_code = as_expected;
  });
}

}  // namespace touchstone::tools
