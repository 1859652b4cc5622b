#include "conformance/causes/tested.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

#include "conformance/diagnose/hypotheses.h"

namespace touchstone::conformance {

namespace {

/// The number of hypotheses that experiments separate from that of a cause, and of those that a cause lists.
constexpr std::size_t most_rivals = 11;
constexpr std::size_t most_alternatives = 3;

/// What is left of a hypothesis without the parts that are causes themselves; all of it if nothing else is.
std::string own_part(std::string_view hypothesis, std::span<const Cause> causes, const std::string& own) {
  std::vector<std::string_view> parts;
  for (const auto part : std::views::split(hypothesis, '+')) {
    const std::string_view text(part.begin(), part.end());
    if (text == own || std::ranges::find(causes, text, &Cause::name) == causes.end()) parts.push_back(text);
  }
  return parts.empty() ? std::string(hypothesis) : fmt::format("{}", fmt::join(parts, "+"));
}

/// The experiments of each cause: those that vary one of its cases.
std::vector<std::vector<const Experiment*>> by_cause(std::span<const Cause> causes, std::span<const CaseRecord> records,
                                                     std::span<const Experiment> experiments) {
  std::map<std::string_view, std::vector<const Experiment*>> by_case;
  for (const Experiment& one : experiments) by_case[one.base].push_back(&one);
  std::vector<std::vector<const Experiment*>> rows(causes.size());
  for (std::size_t i = 0; i < causes.size(); ++i)
    for (const std::size_t place : causes[i].cases)
      if (const auto found = by_case.find(records[place].id); found != by_case.end())
        rows[i].insert(rows[i].end(), found->second.begin(), found->second.end());
  return rows;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether it has an answer to other values in the same circumstances.
bool is_test_of(const Experiment& one, const std::string& name) {
  return one.outcome == ExperimentOutcome::answered && one.change == ExperimentChange::values &&
         contains(one.tested, name);
}

/// "either rounds half up; or rounds up"
std::string sentence_of_one_of(const std::vector<std::string>& names) {
  std::vector<std::string> sentences;
  for (const std::string& name : names | std::views::take(most_alternatives)) sentences.push_back(sentence_of(name));
  const std::size_t others = names.size() - sentences.size();
  return fmt::format("one of: {}{}", fmt::join(sentences, "; or "),
                     others == 0   ? ""
                     : others == 1 ? "; or another one"
                                   : fmt::format("; or {} others", others));
}

std::string reason_of(const std::vector<const Experiment*>& rows) {
  for (const Experiment* one : rows)
    for (const ExperimentOutcomeInfo& row : experiment_outcomes)
      if (row.outcome == one->outcome && !row.sentence.empty()) return std::string(row.sentence);
  return "";
}

/// Says of a cause with a name what the experiments show of it.
void describe_tests(Cause& cause, std::vector<std::string> alive, const std::vector<const Experiment*>& rows) {
  if (std::ranges::any_of(rows, [&](const Experiment* one) {
        return is_test_of(*one, cause.name) && !contains(one->consistent, cause.name);
      })) {  // and there were too many to replace it
    cause.tested = fmt::format("experiments refute: {}", std::exchange(cause.sentence, "gives wrong values"));
    cause.name.clear();
    return;
  }
  std::erase_if(alive, [&](const std::string& name) {
    return std::ranges::any_of(
        rows, [&](const Experiment* one) { return is_test_of(*one, cause.name) && !contains(one->consistent, name); });
  });
  std::size_t shown = 0;
  std::vector<std::string> elsewhere;
  std::vector<std::string> nowhere;  // circumstances in which the results are right
  for (const Experiment* one : rows) {
    if (one->outcome != ExperimentOutcome::answered || !contains(one->tested, cause.name)) continue;
    const bool is_wrong = one->verdict == Verdict::fail;
    const bool is_consistent = contains(one->consistent, cause.name);
    if (one->change == ExperimentChange::values) {
      cause.experiments += is_consistent ? 1 : 0;
      shown += is_consistent && is_wrong ? 1 : 0;
    } else if (is_wrong == is_consistent) {  // right although it would show, or wrong as it predicts
      const auto where = experiment_changes[static_cast<std::size_t>(one->change)].where;
      std::vector<std::string>& places = is_wrong ? elsewhere : nowhere;
      if (!contains(places, std::string(where))) places.emplace_back(where);
    }
  }
  std::erase_if(nowhere, [&](const std::string& where) { return contains(elsewhere, where); });
  if (alive.size() > 1) {
    cause.one_of = std::move(alive);
    cause.sentence = sentence_of_one_of(cause.one_of);
  }
  const std::string reason = reason_of(rows);
  if (shown == 0) {
    cause.experiments = 0;
    cause.tested = fmt::format("not tested{}{}", reason.empty() ? "" : ": ", reason);
    return;
  }
  cause.tested =
      fmt::format("confirmed by {} {}", cause.experiments, cause.experiments == 1 ? "experiment" : "experiments");
  if (!elsewhere.empty()) cause.tested += fmt::format(", also {}", fmt::join(elsewhere, ", "));
  if (!nowhere.empty()) cause.tested += fmt::format(", not {}", fmt::join(nowhere, ", not "));
  const bool lacked_time =
      std::ranges::any_of(rows, [](const Experiment* one) { return one->outcome == ExperimentOutcome::no_time; });
  if (!reason.empty() && !lacked_time) cause.tested += fmt::format("; no more, because {}", reason);
}

/// Says of a cause without a name which hypothesis would have explained most of its cases.
void describe_refuted(Cause& cause, std::span<const CaseRecord> records, const Refuted& refuted) {
  std::map<std::string_view, std::size_t> counts;
  for (const auto& [name, cases] : refuted)
    for (const std::size_t place : cause.cases) {
      const std::vector<std::string>& names = *records[place].hypotheses;
      if (cases.test(place) && contains(names, name)) ++counts[name];
    }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& row) { return row.second; });
  if (most != counts.end()) cause.tested = fmt::format("experiments refute: {}", sentence_of(most->first));
}

}  // namespace

bool add_refuted(std::span<const Cause> causes, std::span<const CaseRecord> records,
                 std::span<const Experiment> experiments, Refuted& refuted) {
  bool is_new = false;
  const auto rows = by_cause(causes, records, experiments);
  for (std::size_t i = 0; i < causes.size(); ++i) {
    std::set<std::string> names;
    for (const Experiment* one : rows[i])
      for (const std::string& name : one->tested)
        if (is_test_of(*one, name) && !contains(one->consistent, name)) names.insert(name);
    if (names.empty()) continue;
    for (const std::size_t place : causes[i].cases)
      for (const std::string& name : records[place].hypotheses) {
        if (!names.contains(name) && !names.contains(own_part(name, causes, causes[i].name))) continue;
        CaseSet& cases = refuted[name];
        if (cases.empty()) cases.resize(records.size());
        is_new = is_new || !cases.test(place);
        cases.set(place);
      }
  }
  return is_new;
}

void describe_tests(std::span<Cause> causes, std::span<const CaseRecord> records,
                    std::span<const Experiment> experiments, const Refuted& refuted) {
  const auto rows = by_cause(causes, records, experiments);
  for (std::size_t i = 0; i < causes.size(); ++i)
    if (!causes[i].name.empty())
      describe_tests(causes[i], rivals(causes[i], causes, records), rows[i]);
    else if (records[causes[i].cases.front()].verdict == Verdict::fail)
      describe_refuted(causes[i], records, refuted);
}

std::vector<std::string> rivals(const Cause& cause, std::span<const Cause> causes,
                                std::span<const CaseRecord> records) {
  std::map<std::string, std::size_t> counts;
  for (const std::size_t place : cause.cases) {
    std::set<std::string> names;
    for (const std::string& name : records[place].hypotheses) names.insert(own_part(name, causes, cause.name));
    for (const std::string& name : names) ++counts[name];
  }
  std::map<std::string_view, std::size_t> all;
  for (const CaseRecord& record : records)
    for (const std::string& name : record.hypotheses) ++all[name];
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [name, count] : counts)
    if (name != cause.name && count == cause.cases.size()) order.emplace_back(all[name], name);
  std::ranges::stable_sort(order, std::greater(), &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> names{cause.name};
  for (auto& [count, name] : order | std::views::take(most_rivals)) names.push_back(std::move(name));
  return names;
}

}  // namespace touchstone::conformance
