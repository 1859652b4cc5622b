#include "conformance/report/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "conformance/plan/number.h"
#include "conformance/report/layout.h"
#include "conformance/report/support.h"
#include "conformance/run/reproducer.h"

namespace touchstone::conformance {

namespace {

namespace fs = std::filesystem;

using Rows = ResultRows CompactResult::*;

/// The rows with the first names of their path, and their sums.
ResultRows summed(const ResultRows& rows, std::size_t names) {
  ResultRows sums;
  for (const auto& [path, counts] : rows)
    sums[ResultPath(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(std::min(names, path.size())))] += counts;
  return sums;
}

std::vector<RunComparison::Row> side_by_side(const std::vector<ResultRows>& runs, std::size_t names) {
  std::map<ResultPath, std::vector<std::optional<Counts>>, InSpecOrder> found;
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const auto& [path, counts] : summed(runs[run], names)) {
      auto& of_path = found[path];
      of_path.resize(runs.size());
      of_path[run] = counts;
    }
  std::vector<RunComparison::Row> sides;
  for (auto& [path, counts] : found) sides.push_back({path, std::move(counts)});
  return sides;
}

std::vector<RunComparison::Row> side_by_side(const std::vector<ComparedRun>& runs, Rows rows, std::size_t names) {
  std::vector<ResultRows> of_runs;
  for (const ComparedRun& run : runs) of_runs.push_back(run.result.*rows);
  return side_by_side(of_runs, names);
}

/// Whether two runs that have such cases have different results, whatever the number of cases.
bool has_differences(const RunComparison::Row& row) {
  std::set<std::string> results;
  for (const auto& counts : row.counts) {
    if (!counts) continue;
    const std::string_view word = result_word(*counts);
    results.insert(word.empty() ? field_of(*counts).text : std::string(word));
  }
  return results.size() > 1;
}

std::vector<RunComparison::Row> differing(std::vector<RunComparison::Row> rows) {
  std::erase_if(rows, [](const RunComparison::Row& row) { return !has_differences(row); });
  return rows;
}

bool has_same_words(const RunComparison::Row& one, const RunComparison::Row& other) {
  return std::ranges::equal(one.counts, other.counts, [](const auto& left, const auto& right) {
    return left.has_value() == right.has_value() && (!left || result_word(*left) == result_word(*right));
  });
}

/// The versions in which the runs differ, if not all versions of a row have the same results. Neighbours with the same
/// results share a row.
std::vector<RunComparison::Row> version_rows(const std::vector<ResultRows>& operators) {
  std::vector<RunComparison::Row> shown;
  const std::vector<RunComparison::Row> all = side_by_side(operators, 4);
  const auto is_same_row = [](const RunComparison::Row& one, const RunComparison::Row& other) {
    return std::equal(one.path.begin(), one.path.begin() + 3, other.path.begin());
  };
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::find_if_not(first, all.end(), [&](const auto& row) { return is_same_row(*first, row); });
    std::vector<RunComparison::Row> merged;
    std::string begin;
    for (auto row = first; row != last; ++row) {
      if (merged.empty() || !has_same_words(merged.back(), *row)) {
        merged.push_back(*row);
        begin = row->path[3];
        continue;
      }
      for (std::size_t run = 0; run < operators.size(); ++run)
        if (row->counts[run]) *merged.back().counts[run] += *row->counts[run];
      merged.back().path[3] = fmt::format("{} to {}", begin, row->path[3]);
    }
    if (merged.size() > 1) std::ranges::copy(differing(std::move(merged)), std::back_inserter(shown));
    first = last;
  }
  return shown;
}

/// The operators of each run. Where a run has only rows of all granularities together, the others have such rows, too.
std::vector<ResultRows> operators_of(RunComparison& comparison) {
  std::vector<ResultRows> operators;
  std::vector<std::string> without;
  std::set<ResultPath> operators_and_types;
  for (const ComparedRun& run : comparison.runs) {
    operators.push_back(run.result.operators);
    if (run.result.has_granularities()) continue;
    without.push_back(run.origin);
    for (const auto& [path, counts] : run.result.operators) operators_and_types.insert({path[0], path[1]});
  }
  if (without.empty() || without.size() == operators.size()) return operators;
  comparison.notes.push_back(
      fmt::format("These have no granularities, and are in the rows of all granularities together: {}. Give the run "
                  "directory, or its result.json.",
                  fmt::join(without, ", ")));
  for (ResultRows& rows : operators)
    for (const auto& [path, counts] : without_granularities(rows))
      if (operators_and_types.contains({path[0], path[1]})) rows[path] = counts;
  return operators;
}

/// A pattern without a row is among those that share one.
void fill_in_patterns(RunComparison& comparison) {
  std::vector<RunComparison::Row>& rows = comparison.graphs;
  for (std::size_t run = 0; run < comparison.runs.size(); ++run) {
    const ResultRows sums = summed(comparison.runs[run].result.graphs, 1);
    if (!sums.contains({right_patterns}) || sums.contains({other_patterns})) continue;
    // The number is not known, and a row that is all right does not show it.
    Counts right;
    right.by_class[static_cast<std::size_t>(AnswerClass::right)] = 1;
    for (RunComparison::Row& row : rows)
      if (!row.counts[run] && row.path[0] != other_patterns && row.path[0] != any_name) row.counts[run] = right;
  }
  std::erase_if(rows, [](const RunComparison::Row& row) { return row.path[0] == right_patterns; });
}

std::string where_reproducer_is(const ComparedRun& run, const ResultCause& cause) {
  if (!run.journal || cause.example.empty()) return "";
  const fs::path path = fs::path(run.origin) / "reproducers" / reproducer_path(cause.example);
  std::error_code error;
  return fs::is_directory(path, error) ? path.string() : "";
}

void share_causes(RunComparison& comparison) {
  std::vector<RunComparison::SharedCause>& causes = comparison.causes;
  for (std::size_t run = 0; run < comparison.runs.size(); ++run)
    for (const ResultCause& cause : comparison.runs[run].result.causes) {
      const auto is_same = [&](const RunComparison::SharedCause& one) {
        const ResultCause& other = *one.parts.front().cause;
        return cause.is_wrong == other.is_wrong && cause.name == other.name &&
               (!cause.name.empty() || (cause.sentence == other.sentence && cause.where == other.where));
      };
      auto shared = std::ranges::find_if(causes, is_same);
      if (shared == causes.end()) shared = causes.insert(shared, RunComparison::SharedCause{});
      shared->parts.push_back({run, &cause, where_reproducer_is(comparison.runs[run], cause)});
    }
  std::ranges::stable_sort(causes, std::greater(), [](const RunComparison::SharedCause& one) {
    std::set<std::size_t> runs;
    std::size_t cases = 0;
    for (const auto& part : one.parts) {
      runs.insert(part.run);
      cases += part.cause->cases;
    }
    return std::tuple(one.parts.front().cause->is_wrong, runs.size(), cases);
  });
}

void compare_fingerprints(RunComparison& comparison) {
  std::vector<RunComparison::Readings> rows;
  for (std::size_t run = 0; run < comparison.runs.size(); ++run)
    for (const auto& [ambiguity, readings] : comparison.runs[run].result.fingerprint.items()) {
      auto row = std::ranges::find(rows, ambiguity, &RunComparison::Readings::ambiguity);
      if (row == rows.end()) row = rows.insert(row, {ambiguity, std::vector<Json>(comparison.runs.size())});
      row->readings[run] = readings;
    }
  for (RunComparison::Readings& row : rows) {
    std::set<std::string> known;
    for (const Json& readings : row.readings)
      if (!readings.is_null()) known.insert(to_line(readings));
    if (known.size() > 1) comparison.fingerprint.push_back(std::move(row));
  }
}

bool all_have_journals(const std::vector<ComparedRun>& runs) {
  return runs.size() > 1 && std::ranges::all_of(runs, [](const ComparedRun& run) { return run.journal.has_value(); });
}

/// The ids of the cases that all runs have, with the same content.
std::set<std::string_view> shared_cases(const std::vector<ComparedRun>& runs) {
  struct Seen {
    const CaseRecord* first;
    std::size_t runs = 0;
  };
  std::unordered_map<std::string_view, Seen> seen;
  for (const ComparedRun& run : runs)
    for (const CaseRecord& record : run.journal->records) {
      Seen& of_id = seen.try_emplace(*record.id, Seen{&record}).first->second;
      if (of_id.first->digest == record.digest) ++of_id.runs;
    }
  std::set<std::string_view> ids;
  for (const auto& [id, of_id] : seen)
    if (of_id.runs == runs.size()) ids.insert(id);
  return ids;
}

/// The run, as if its plan had so many cases.
ComparedRun compared_run(std::string origin, Journal journal, std::size_t planned) {
  Summary summary = summarize(planned, journal.records, {}, Requirement(journal.run.require), journal);
  summary.journal = journal.sum;
  summary.times = journal.times;
  CompactResult result = compact_result(journal.run, summary, journal.records);
  return {std::move(origin), std::move(result), std::move(journal)};
}

/// Takes only these cases. The fingerprint remains that of the whole run.
void keep(const std::set<std::string_view>& ids, ComparedRun& run) {
  Journal journal = *std::move(run.journal);
  std::erase_if(journal.records, [&](const CaseRecord& record) { return !ids.contains(*record.id); });
  const std::size_t kept = journal.records.size();
  run = compared_run(run.origin, std::move(journal), kept);
}

/// Why the runs have different cases; empty if they have the same ones.
std::string different_cases(const std::vector<ComparedRun>& runs) {
  std::set<std::string> plans;
  std::set<std::string> contents;
  bool has_not_run = false;
  for (const ComparedRun& run : runs) {
    nlohmann::json plan = run.result.plan;  // sorts its members
    plan.erase("hash");                     // which also depends on how the runs are judged
    plans.insert(plan.dump());
    contents.insert(run.result.content);
    has_not_run = has_not_run || run.result.not_run > 0;
  }
  if (plans.size() > 1) return "The runs have different plans";
  if (has_not_run) return "Not all cases of the plan were run";
  return contents.size() > 1 ? "The runs have some cases in different forms or with different data" : "";
}

void take_shared_cases(RunComparison& comparison) {
  std::vector<ComparedRun>& runs = comparison.runs;
  if (runs.size() < 2) return;
  std::set<std::string> judges;
  for (const ComparedRun& run : runs) judges.insert(to_line(run.result.judge));
  if (judges.size() > 1)
    comparison.notes.emplace_back(
        "The runs were judged with different options (--strict, --sign-of-zero): the same outputs may have different "
        "verdicts.");
  const std::string why = different_cases(runs);
  comparison.has_same_cases = why.empty();
  if (comparison.has_same_cases) return;
  if (all_have_journals(runs)) {
    const std::set<std::string_view> ids = shared_cases(runs);
    std::vector<std::string> sizes;
    for (const ComparedRun& run : runs) sizes.push_back(with_commas(run.journal->records.size()));
    if (!ids.empty()) {
      // The ids are those of records that `keep` removes.
      const std::set<std::string> copied(ids.begin(), ids.end());
      const std::set<std::string_view> kept(copied.begin(), copied.end());
      comparison.notes.push_back(
          fmt::format("{}, of {} cases. Compared are the {} cases that all of them have; only the fingerprints are of "
                      "all cases.",
                      why, fmt::join(sizes, ", "), with_commas(kept.size())));
      for (ComparedRun& run : runs) keep(kept, run);
      comparison.has_same_cases = true;
      return;
    }
    comparison.notes.push_back(
        fmt::format("{}, and no case is common to all of them: the numbers are of different cases.", why));
    return;
  }
  comparison.notes.push_back(fmt::format(
      "{}: the numbers are of different cases. Run directories are compared on the cases that all of them have.", why));
}

void find_only_here(RunComparison& comparison) {
  const std::vector<ComparedRun>& runs = comparison.runs;
  if (!all_have_journals(runs)) return;
  struct Answers {
    std::size_t wrong = 0, right = 0;
    std::size_t last_wrong = 0, last_right = 0;  ///< runs
  };
  std::unordered_map<std::string_view, Answers> answers;
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const CaseRecord& record : runs[run].journal->records) {
      Answers& of_case = answers[*record.id];
      const AnswerClass answer = record.answer_class();
      if (is_wrong(answer)) {
        ++of_case.wrong;
        of_case.last_wrong = run;
      } else if (is_right(answer)) {
        ++of_case.right;
        of_case.last_right = run;
      }
    }
  for (const bool wrong : {true, false})
    for (std::size_t run = 0; run < runs.size(); ++run) {
      std::vector<std::string> ids;
      for (const CaseRecord& record : runs[run].journal->records) {
        const Answers& of_case = answers[*record.id];
        const bool is_only = wrong ? of_case.wrong == 1 && of_case.last_wrong == run && of_case.right > 0
                                   : of_case.right == 1 && of_case.last_right == run && of_case.wrong > 0;
        if (is_only) ids.emplace_back(record.id);
      }
      if (!ids.empty()) comparison.only_here.push_back({run, wrong, std::move(ids)});
    }
}

}  // namespace

std::string_view result_word(const Counts& counts) {
  if (const std::string_view word = common_result(counts); !word.empty()) return word;
  const std::size_t asked = counts.asked();
  if (counts[AnswerClass::wrong] == asked) return "wrong";
  if (counts[AnswerClass::not_rejected] == asked) return "none rejected";
  return counts[AnswerClass::rejected] + counts[AnswerClass::permitted] == asked ? "all rejected" : "";
}

ComparedRun compared_run(std::string origin, Journal journal) {
  const std::size_t planned = journal.run.cases;
  return compared_run(std::move(origin), std::move(journal), planned);
}

bool is_same_run(const CompactResult& one, const CompactResult& other) {
  return one.journal == other.journal && one.content == other.content;
}

RunComparison compare_runs(std::vector<ComparedRun> runs) {
  RunComparison comparison{std::move(runs)};
  take_shared_cases(comparison);
  const std::vector<ResultRows> operators = operators_of(comparison);
  comparison.operators = side_by_side(operators, 3);
  comparison.versions = version_rows(operators);
  comparison.float_types = differing(side_by_side(comparison.runs, &CompactResult::float_types, 2));
  comparison.illegal = differing(side_by_side(comparison.runs, &CompactResult::illegal, 1));
  comparison.uses = side_by_side(comparison.runs, &CompactResult::uses, 1);
  comparison.forms = differing(side_by_side(comparison.runs, &CompactResult::forms, 1));
  comparison.graphs = side_by_side(comparison.runs, &CompactResult::graphs, 1);
  fill_in_patterns(comparison);
  comparison.graphs = differing(std::move(comparison.graphs));
  share_causes(comparison);
  compare_fingerprints(comparison);
  find_only_here(comparison);
  return comparison;
}

}  // namespace touchstone::conformance
