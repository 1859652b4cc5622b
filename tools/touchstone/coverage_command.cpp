// touchstone coverage: which cases a plan has for every cell, clause and rule.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "conformance/files/file_error.h"
#include "conformance/generate/illegal_cases.h"
#include "conformance/plan/cell.h"
#include "conformance/run/runner.h"
#include "spec/clauses.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/progress.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

struct CoverageOptions {
  RunInfo run;
  std::string of;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  bool uncovered = false;
};

/// The number of entries shown of each kind without --uncovered. Most selections omit most cells.
constexpr std::size_t shown_uncovered = 20;

/// The ids of the cases that exercise something.
using Cases = std::vector<std::string>;

struct Coverage {
  std::map<Cell, Cases> cells;
  std::map<std::string_view, Cases> clauses;
  std::map<std::string, Cases> rules;   ///< must-reject cases by the end of their ids
  std::vector<std::string> unreadable;  ///< the reasons why cases cannot be read
};

/// The common part of the ids of a rule's cases, for all versions, is "must_reject/" and the rule.
constexpr std::string_view of_rules = "must_reject/";

std::string name_of(const IllegalCase& illegal) { return fmt::format("{}{}", of_rules, illegal.rule()); }

/// All known rules, whether the plan has them or not.
std::set<std::string> known_rules() {
  std::set<std::string> rules;
  for (const IllegalCase& illegal : illegal_cases(0)) rules.insert(name_of(illegal));
  return rules;
}

void add(Coverage& coverage, const CaseRecord& record) {
  if (record.verdict == Verdict::harness_error) coverage.unreadable.push_back(record.reason);
  for (const Cell& cell : record.cells) coverage.cells[cell].push_back(record.id);
  for (const std::string_view clause : record.clauses) coverage.clauses[clause].push_back(record.id);
  if (const std::size_t rule = record.id->find(of_rules); record.must_reject() && rule != std::string::npos)
    coverage.rules[std::string(record.id->substr(rule))].push_back(record.id);
}

Coverage cover(const std::vector<PlannedCase>& cases, unsigned jobs) {
  Coverage coverage;
  Progress progress(cases.size(), 0);
  describe(cases, jobs, [&](const CaseRecord& record) {
    add(coverage, record);
    progress.step(record.id, coverage.unreadable.size());
    return true;
  });
  return coverage;
}

void print_cells(const Coverage& coverage) {
  std::size_t all_legal = 0;
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    std::size_t cases = 0;
    std::size_t covered = 0;
    const std::vector<Cell> legal = legal_cells(version);
    for (const Cell& cell : legal) {
      const auto found = coverage.cells.find(cell);
      if (found == coverage.cells.end()) continue;
      ++covered;
      cases += found->second.size();
    }
    all_legal += legal.size();
    fmt::print("  {:<32} {:>6} of {:>6} cells, {:>6} cases\n",
               fmt::format("{} {}", spec::qualified_name(version.domain, version.op), version.since_version), covered,
               legal.size(), cases);
  }
  fmt::print("  {:<32} {:>6} of {:>6} cells\n", "in all", coverage.cells.size(), all_legal);
}

void print_rules(const Coverage& coverage, const std::set<std::string>& known) {
  for (const auto& [rule, cases] : coverage.rules) fmt::print("  {:<56} {:>4} cases\n", rule, cases.size());
  fmt::print("  {} of {} rules\n", coverage.rules.size(), known.size());
}

void print_clauses(const Coverage& coverage) {
  std::size_t covered = 0;
  for (const spec::Clause& clause : spec::clauses) {
    const auto found = coverage.clauses.find(clause.id);
    const std::size_t cases = found != coverage.clauses.end() ? found->second.size() : 0;
    if (cases > 0) ++covered;
    fmt::print("  {:<28} {:>6} cases\n", clause.id, cases);
  }
  fmt::print("  {} of {} clauses\n", covered, spec::clauses.size());
}

void print_uncovered(std::string_view verb, std::string_view what, const std::vector<std::string>& names, bool all) {
  if (names.empty()) return;
  fmt::print("\nno case {} these {} {}:\n", verb, names.size(), what);
  const std::size_t shown = all ? names.size() : std::min(names.size(), shown_uncovered);
  for (std::size_t i = 0; i < shown; ++i) fmt::print("  {}\n", names[i]);
  if (shown < names.size()) fmt::print("  ... and {} more; --uncovered shows all\n", names.size() - shown);
}

void print_uncovered(const Coverage& coverage, const std::set<std::string>& known, bool all) {
  std::vector<std::string> cells;
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version))
      if (!coverage.cells.contains(cell)) cells.push_back(to_string(cell));
  std::vector<std::string> clauses;
  for (const spec::Clause& clause : spec::clauses)
    if (!coverage.clauses.contains(clause.id)) clauses.emplace_back(clause.id);
  std::vector<std::string> rules;
  for (const std::string& rule : known)
    if (!coverage.rules.contains(rule)) rules.push_back(rule);
  print_uncovered("covers", "cells", cells, all);
  print_uncovered("exercises", "clauses", clauses, all);
  print_uncovered("breaks", "rules", rules, all);
}

int coverage_command(CoverageOptions& options) {
  const std::vector<PlannedCase> cases = select(options.run);
  const auto cell = find_cell(options.of);
  const spec::Clause* clause = spec::find_clause(options.of);
  const std::set<std::string> rules = known_rules();
  if (!options.of.empty() && !cell && clause == nullptr && !rules.contains(options.of))
    throw Exit(usage,
               fmt::format("--of {}: there is no such clause, cell or rule; touchstone list clauses shows the clauses, "
                           "and the id of a generated case begins with its cell or ends with its rule "
                           "(must_reject/...)",
                           options.of));
  const Coverage coverage = cover(cases, options.jobs);
  if (options.of.empty()) {
    fmt::print("cells of the lattice\n");
    print_cells(coverage);
    fmt::print("\nclauses\n");
    print_clauses(coverage);
    fmt::print("\nrules that must-reject cases break\n");
    print_rules(coverage, rules);
    print_uncovered(coverage, rules, options.uncovered);
    for (const std::string& reason : coverage.unreadable)
      write_to_stderr(fmt::format("not counted: {}\n", printable(reason, longest_id)));
    return as_expected;
  }
  const auto print = [](const auto& map, const auto& key) {
    const auto found = map.find(key);
    if (found == map.end()) return;
    for (const std::string& id : found->second) fmt::print("{}\n", printable(id, longest_id));
  };
  if (cell) print(coverage.cells, *cell);
  if (clause != nullptr) print(coverage.clauses, clause->id);
  print(coverage.rules, options.of);
  return as_expected;
}

}  // namespace

void add_coverage_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CoverageOptions>();
  CLI::App* command = app.add_subcommand("coverage", "Count the cases of a plan by cell, clause and rule");
  command->add_option("--of", options->of, "List the ids of the cases of only this clause, cell or rule");
  add_selection_options(*command, options->run);
  command->add_option("--jobs", options->jobs, "Threads")->check(CLI::Range(1, 1024))->capture_default_str();
  command->add_flag("--uncovered", options->uncovered,
                    "List everything that no case covers, not only the first entries");
  command->footer(
      "It interprets every case, which takes as long as a run of the reference.\n"
      "\n"
      "Examples:\n"
      "  touchstone coverage\n"
      "  touchstone coverage --suite onnx\n"
      "  touchstone coverage --of qdq-tail-block --filter '*/blocked/*'\n"
      "  touchstone coverage --of must_reject/attribute/axis --suite generated\n");
  command->callback([options, &exit_code] { exit_code = coverage_command(*options); });
}

}  // namespace touchstone::tools
