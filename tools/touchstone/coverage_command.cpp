// touchstone coverage: which cases a plan has for every cell, clause and rule, and for pairs of what graphs vary.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "conformance/files/file_error.h"
#include "conformance/generate/illegal_cases.h"
#include "conformance/graphs/graph_pairs.h"
#include "conformance/graphs/graph_parameters.h"
#include "conformance/graphs/patterns.h"
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

/// The common part of the ids of a rule's cases, for all versions, is "must_reject/" and the rule.
constexpr std::string_view of_rules = "must_reject/";

std::vector<std::string> known_cells() {
  std::vector<std::string> cells;
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) cells.push_back(to_string(cell));
  return cells;
}

std::vector<std::string> known_clauses() {
  std::vector<std::string> clauses;
  for (const spec::Clause& clause : spec::clauses) clauses.emplace_back(clause.id);
  return clauses;
}

std::vector<std::string> known_rules() {
  std::set<std::string> rules;
  for (const IllegalCase& illegal : illegal_cases(0)) rules.insert(fmt::format("{}{}", of_rules, illegal.rule()));
  return {rules.begin(), rules.end()};
}

/// What cases may cover.
struct Kind {
  const char* names;
  const char* verb;                                            ///< what a case does to one
  std::vector<std::string> known;                              ///< whether the plan has them or not
  std::map<std::string, std::vector<std::string>> cases = {};  ///< the ids of those that cover it

  bool knows(const std::string& name) const { return std::ranges::find(known, name) != known.end(); }
  std::size_t count(const std::string& name) const {
    const auto found = cases.find(name);
    return found != cases.end() ? found->second.size() : 0;
  }
};

struct Coverage {
  Kind cells{"cells", "covers", known_cells()};
  Kind clauses{"clauses", "exercises", known_clauses()};
  Kind rules{"rules", "breaks", known_rules()};  ///< of must-reject cases, by the end of their ids
  Kind pairs{"pairs of what graphs vary", "has", known_graph_pairs()};
  std::vector<std::string> unreadable = {};  ///< the reasons why cases cannot be read

  std::array<const Kind*, 4> kinds() const { return {&cells, &clauses, &rules, &pairs}; }

  void add(const CaseRecord& record) {
    if (record.verdict == Verdict::harness_error) unreadable.push_back(record.reason);
    for (const Cell& cell : record.cells) cells.cases[to_string(cell)].push_back(record.id);
    for (const std::string_view clause : record.clauses) clauses.cases[std::string(clause)].push_back(record.id);
    for (const std::string& pair : graph_pairs_of(record.id)) pairs.cases[pair].push_back(record.id);
    if (!pattern_of(record.id).empty()) return;  // the rules that graphs violate are those of their single nodes
    if (const std::size_t rule = record.id->find(of_rules); record.must_reject() && rule != std::string::npos)
      rules.cases[std::string(record.id->substr(rule))].push_back(record.id);
  }
};

void cover(Coverage& coverage, const std::vector<PlannedCase>& cases, unsigned jobs) {
  Progress progress(cases.size(), 0);
  describe(cases, jobs, [&](const CaseRecord& record) {
    coverage.add(record);
    progress.step(record.id, coverage.unreadable.size());
    return true;
  });
}

void print_cells(const Kind& cells) {
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    std::size_t cases = 0;
    std::size_t covered = 0;
    const std::vector<Cell> legal = legal_cells(version);
    for (const Cell& cell : legal) {
      const std::size_t count = cells.count(to_string(cell));
      if (count > 0) ++covered;
      cases += count;
    }
    fmt::print("  {:<32} {:>6} of {:>6} cells, {:>6} cases\n",
               fmt::format("{} {}", spec::qualified_name(version.domain, version.op), version.since_version), covered,
               legal.size(), cases);
  }
  fmt::print("  {:<32} {:>6} of {:>6} cells\n", "in all", cells.cases.size(), cells.known.size());
}

bool is_pattern(std::string_view name) {
  return std::ranges::find(patterns(), name, &Pattern::name) != patterns().end();
}

/// For each pattern, how many of its values cases have.
void print_patterns(const Kind& pairs) {
  struct Count {
    std::size_t covered = 0, known = 0;
  };
  std::map<std::string, Count> counts;
  for (const std::string& pair : pairs.known) {
    const std::string first = pair.substr(0, pair.find(" x "));
    Count& count = counts[is_pattern(first) ? first : "of other parameters"];
    ++count.known;
    if (pairs.count(pair) > 0) ++count.covered;
  }
  for (const auto& [pattern, count] : counts)
    fmt::print("  {:<32} {:>6} of {:>6} pairs\n", pattern, count.covered, count.known);
  fmt::print("  {:<32} {:>6} of {:>6} pairs\n", "in all", pairs.cases.size(), pairs.known.size());
}

void print_all(const Coverage& coverage) {
  fmt::print("cells of the lattice\n");
  print_cells(coverage.cells);
  fmt::print("\nclauses\n");
  for (const std::string& clause : coverage.clauses.known)
    fmt::print("  {:<28} {:>6} cases\n", clause, coverage.clauses.count(clause));
  fmt::print("  {} of {} clauses\n", coverage.clauses.cases.size(), coverage.clauses.known.size());
  fmt::print("\nrules that must-reject cases break\n");
  for (const auto& [rule, cases] : coverage.rules.cases) fmt::print("  {:<56} {:>4} cases\n", rule, cases.size());
  fmt::print("  {} of {} rules\n", coverage.rules.cases.size(), coverage.rules.known.size());
  fmt::print("\npairs of pattern, type, granularity, form, zero points, axis and scales of graphs\n");
  print_patterns(coverage.pairs);
}

void print_uncovered(const Kind& kind, bool all) {
  std::vector<std::string> uncovered;
  std::ranges::copy_if(kind.known, std::back_inserter(uncovered),
                       [&](const std::string& name) { return kind.count(name) == 0; });
  if (uncovered.empty()) return;
  fmt::print("\nno case {} these {} {}:\n", kind.verb, uncovered.size(), kind.names);
  const std::size_t shown = all ? uncovered.size() : std::min(uncovered.size(), shown_uncovered);
  for (std::size_t i = 0; i < shown; ++i) fmt::print("  {}\n", uncovered[i]);
  if (shown < uncovered.size()) fmt::print("  ... and {} more; --uncovered shows all\n", uncovered.size() - shown);
}

int coverage_command(CoverageOptions& options) {
  const std::vector<PlannedCase> cases = select(options.run);
  Coverage coverage;
  const auto kinds = coverage.kinds();
  if (!options.of.empty() && std::ranges::none_of(kinds, [&](const Kind* kind) { return kind->knows(options.of); }))
    throw Exit(
        usage,
        fmt::format("--of {}: there is no such clause, cell, rule or pair; touchstone list clauses shows the clauses, "
                    "and the id of a generated case begins with its cell or ends with its rule "
                    "(must_reject/...)",
                    options.of));
  cover(coverage, cases, options.jobs);
  if (options.of.empty()) {
    print_all(coverage);
    for (const Kind* kind : kinds) print_uncovered(*kind, options.uncovered);
    for (const std::string& reason : coverage.unreadable)
      write_to_stderr(fmt::format("not counted: {}\n", printable(reason, longest_id)));
    return as_expected;
  }
  for (const Kind* kind : kinds)
    if (const auto found = kind->cases.find(options.of); found != kind->cases.end())
      for (const std::string& id : found->second) fmt::print("{}\n", printable(id, longest_id));
  return as_expected;
}

}  // namespace

void add_coverage_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CoverageOptions>();
  CLI::App* command = app.add_subcommand(
      "coverage", "Count the cases of a plan by cell, clause and rule, and by pairs of what graphs vary");
  command->add_option("--of", options->of, "List the ids of the cases of only this clause, cell, rule or pair");
  add_selection_options(*command, options->run);
  add_jobs_option(*command, options->jobs);
  command->add_flag("--uncovered", options->uncovered,
                    "List everything that no case covers, not only the first entries");
  command->footer(
      "It interprets every case, which takes as long as a run of the reference.\n"
      "\n"
      "Examples:\n"
      "  touchstone coverage\n"
      "  touchstone coverage --suite onnx\n"
      "  touchstone coverage --of qdq-tail-block --filter '*/blocked/*'\n"
      "  touchstone coverage --of must_reject/attribute/axis --suite generated\n"
      "  touchstone coverage --of 'blocked_dq_matmul x zp_highest' --suite graphs\n");
  command->callback([options, &exit_code] { exit_code = coverage_command(*options); });
}

}  // namespace touchstone::tools
