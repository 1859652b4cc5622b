// touchstone diff: what changed between two runs.
#include <fmt/format.h>

#include <string_view>

#include "conformance/backends/assumptions.h"
#include "conformance/causes/cause_changes.h"
#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/summary.h"
#include "conformance/run/diff.h"
#include "conformance/session/output_directory.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

struct DiffOptions {
  std::string before;
  std::string after;
  std::size_t most = 20;
};

void print_runs(const RunInfo& before, const RunInfo& after) {
  for (const auto& [name, run] : {std::pair("old", &before), std::pair("new", &after)})
    fmt::print("{}: {}, {}, tier {}, seed {}, filter '{}', plan {} ({} cases){}{}\n", name,
               displayed_line(title(run->backend)), displayed_line(fmt::format("{}", fmt::join(run->suites, " and "))),
               displayed_line(run->tier), run->seed, displayed_line(run->filter), displayed_line(run->plan_hash),
               run->cases, run->strict ? ", strict" : "", run->sign_of_zero ? ", sign of zero" : "");
  for (const auto& [name, run] : {std::pair("old", &before), std::pair("new", &after)})
    for (const auto& [verb, capabilities] :
         {std::pair("declares", &run->declared), std::pair("is assumed", &run->assumed)})
      if (const auto texts = assumptions(*capabilities); !texts.empty())
        fmt::print("{}: the backend {}: {}\n", name, verb, displayed_line(fmt::format("{}", fmt::join(texts, ", "))));
  if (before.form_limits() != after.form_limits())
    fmt::print("the backends support different forms: cases of the same id may have different models\n");
  const auto judging = [](const RunInfo& run) { return std::pair(run.strict, run.sign_of_zero); };
  if (judging(before) != judging(after))
    fmt::print("the runs were judged with different options: the same outputs may have different verdicts\n");
  if (before.changed_limits != after.changed_limits)
    fmt::print("the runs had different limits: the same cases may have different verdicts\n");
  if (before.plan_hash != after.plan_hash && before.settings() == after.settings())
    fmt::print("the plan has changed\n");
}

template <class Rows, class Print>
void print_section(const char* title, const Rows& rows, std::size_t most, const Print& print) {
  if (rows.empty()) return;
  fmt::print("\n{}: {}\n", title, rows.size());
  for (std::size_t i = 0; i < rows.size() && (most == 0 || i < most); ++i) print(rows[i]);
  if (most > 0 && rows.size() > most) fmt::print("  ... and {} more: --most 0 shows all\n", rows.size() - most);
}

/// The verdict, or that the backend was not asked.
std::string_view result_of(const CaseRecord& record) {
  return record.declined ? info(AnswerClass::not_asked).words : name(record.verdict);
}

void print_counts(std::string_view which, const Journal& journal) {
  Tally tally;
  for (const CaseRecord& record : journal.records) tally.count(record);
  fmt::print("{}: {}\n", which, in_words(tally));
}

std::string_view kind_of(const CauseChange& row) {
  if (row.before == nullptr) return "new cause";
  return row.after == nullptr ? "gone" : "changed";
}

void print_cause_change(const CauseChange& row) {
  const Cause& cause = row.after != nullptr ? *row.after : *row.before;
  fmt::print("  {}: {}: {}\n", kind_of(row), cause.is_wrong ? "wrong" : "refused", displayed_line(cause.sentence));
  for (const auto& [when, one] : {std::pair("was", row.before), std::pair("is", row.after)})
    if (one != nullptr)
      fmt::print("    {:3} {} {}: {}\n", when, with_commas(one->cases.size()),
                 one->cases.size() == 1 ? "case" : "cases", displayed_line(one->where));
}

int diff_command(const DiffOptions& options) {
  const Journal before = read_run(options.before);
  const Journal after = read_run(options.after);
  const RunDiff found = diff(before, after);
  print_runs(before.run, after.run);
  print_counts("old", before);
  print_counts("new", after);

  const std::vector<Cause> causes_before = find_causes(before.records, before.contradictions, before.experiments);
  const std::vector<Cause> causes_after = find_causes(after.records, after.contradictions, after.experiments);
  print_section("causes", compare_causes(causes_before, before.records, causes_after, after.records), options.most,
                print_cause_change);
  const auto change = [](const Change& row) {
    fmt::print("  {}: {} -> {}{}{}\n", displayed_line(row.after->id), result_of(*row.before), result_of(*row.after),
               row.after->reason.empty() ? "" : ": ", displayed_line(row.after->reason));
  };
  const auto id_of_change = [](const Change& row) { fmt::print("  {}\n", displayed_line(row.after->id)); };
  const auto id_of_case = [](const CaseRecord* row) {
    fmt::print("  {}: {}\n", displayed_line(row->id), result_of(*row));
  };
  print_section("newly failing", found.newly_failing, options.most, change);
  print_section("newly passing", found.newly_passing, options.most, change);
  print_section("another verdict or reading", found.other_verdict, options.most, change);
  print_section("other outputs", found.other_output, options.most, id_of_change);
  print_section("the same id, other content", found.other_case, options.most, id_of_change);
  print_section("only in the old run", found.only_before, options.most, id_of_case);
  print_section("only in the new run", found.only_after, options.most, id_of_case);
  if (found.none()) fmt::print("no difference in {} cases\n", after.records.size());
  return found.newly_failing.empty() && found.only_before.empty() ? as_expected : unexpected_result;
}

}  // namespace

void add_diff_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command =
      app.add_subcommand("diff", "Compare two runs: their causes, what fails now, what passes, what else changed");
  command->add_option("OLD", options->before, "The output directory of the earlier run")->required();
  command->add_option("NEW", options->after, "The output directory of the later run")->required();
  add_number_option(*command, "--most", options->most, "The number of cases to list in each section; 0 lists all");
  command->footer(
      "Exit codes: 0 no case is missing or newly failing, 1 some cases are, or passed and are no longer asked, "
      "2 usage, or no journal, 3 a journal is corrupt. New causes of cases that failed before do not change the exit "
      "code: a newer program may know more causes.\n"
      "\n"
      "Examples:\n"
      "  touchstone diff baseline touchstone-report\n");
  command->callback([options, &exit_code] { exit_code = diff_command(*options); });
}

}  // namespace touchstone::tools
