#include "conformance/causes/hypothesis_causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <tuple>
#include <utility>

#include "conformance/causes/rules.h"
#include "conformance/diagnose/hypotheses.h"

namespace touchstone::conformance {

namespace {

/// A hypothesis is a cause only if it explains this share of the failures. If it explains fewer, it is likely a
/// coincidence, because many hypotheses explain a case with few wrong elements.
constexpr std::size_t hypotheses_share = 500;  // 1/500

/// The failures that each hypothesis explains, and where.
class Hypotheses {
 public:
  Hypotheses(std::span<const CaseRecord> records, const CaseFacts& facts,
             std::span<const Contradictions> contradictions, const Refuted& refuted)
      : facts_(facts), asked_(select(records, [](const CaseRecord& record) { return !record.declined; })) {
    std::map<std::string_view, PackedCaseSet> explained;
    for (const std::size_t place :
         places(select(records, [](const CaseRecord& record) { return record.verdict == Verdict::fail; })))
      for (const std::string& name : records[place].hypotheses)
        if (const auto found = refuted.find(name); found == refuted.end() || !found->second.test(place))
          explained.try_emplace(name, records.size()).first->second.add(place);
    std::map<std::string_view, std::vector<std::string_view>> contradicted;  // by the id of the case
    for (const Contradictions& row : contradictions)
      for (const std::string& id : row.cases) contradicted[id].push_back(row.hypothesis);
    std::map<std::string_view, CaseSet> contradicting;
    for (std::size_t place = 0; place < records.size(); ++place)
      if (const auto found = contradicted.find(records[place].id); found != contradicted.end())
        for (const std::string_view name : found->second) {
          CaseSet& cases = contradicting[name];
          if (cases.empty()) cases.resize(records.size());
          cases.set(place);
        }
    const auto failures = static_cast<std::size_t>(
        std::ranges::count(records, Verdict::fail, [](const CaseRecord& record) { return record.verdict; }));
    for (auto& [name, cases] : explained) {
      Row row{.cases = std::move(cases), .contradicting = {}, .rules = {}};
      if (const auto found = contradicting.find(name); found != contradicting.end())
        row.contradicting = std::move(found->second);
      // It holds only where no right case contradicts it.
      if (row.contradicting.any()) {
        CaseSet held = row.cases.unpacked();
        // A hypothesis that explains few failures is not a cause by itself, so fewer rules are enough.
        const bool is_rare = held.count() * hypotheses_share < failures;
        row.rules =
            find_rules(facts, held, row.contradicting, {.most_rules = is_rare ? most_rules_shown : most_rules_of_one});
        held.reset();
        for (const RuleMatch& match : row.rules) held |= match.cases;
        row.cases = PackedCaseSet(held);
      }
      rows_.emplace(name, std::move(row));
    }
  }

  /// See add_hypotheses.
  CaseSet add(CaseSet rest, std::vector<Cause>& causes) const {
    const std::size_t least_cases = rest.count() / hypotheses_share;
    std::vector<Chosen> chosen;
    while (true) {
      for (const auto& [name, row] : rows_) {
        const CaseSet cases = row.cases.unpacked();
        if (!cases.intersects(rest) || !without(name, chosen).empty()) continue;
        rarest_part(name, chosen).add(row, rest);
        rest -= cases;
      }
      std::map<std::string, std::vector<const Row*>> candidates;
      for (const auto& [name, row] : rows_)
        if (row.cases.unpacked().intersects(rest)) candidates[without(name, chosen)].push_back(&row);
      std::optional<Chosen> best;  // the only one whose cases are kept: there are hundreds of candidates
      for (const auto& [name, rows] : candidates) {
        Chosen candidate{name, CaseSet(rest.size()), {}};
        for (const Row* row : rows) candidate.add(*row, rest);
        if (candidate.cases.count() < least_cases) continue;
        // A rule that right cases force costs as much as a case explains. If two are equally good, a single defect
        // comes before a pair, and then the one that fewer right cases contradict.
        const auto order = [](const Chosen& one) {
          return std::tuple(static_cast<std::ptrdiff_t>(one.cases.count()) - one.most_rules(),
                            -std::ranges::count(one.name, '+'), -static_cast<std::ptrdiff_t>(one.contradicted_by()));
        };
        if (!best || order(*best) < order(candidate)) best = std::move(candidate);
      }
      if (!best) break;
      rest -= best->cases;
      chosen.push_back(*std::move(best));
    }
    for (const Chosen& one : chosen)
      causes.push_back({.is_wrong = true,
                        .name = one.name,
                        .sentence = sentence_of(one.name),
                        .where = where(one),
                        .contradicted_by = one.contradicted_by(),
                        .cases = places(one.cases)});
    return rest;
  }

 private:
  struct Row {
    PackedCaseSet cases;    ///< that it explains
    CaseSet contradicting;  ///< the right cases in which it would show; without a size if there are none
    std::vector<RuleMatch> rules;
  };

  /// A hypothesis that becomes a cause.
  struct Chosen {
    std::string name;
    CaseSet cases;
    std::vector<const Row*> rows;  ///< its own, and those of pairs with other causes

    void add(const Row& row, const CaseSet& rest) {
      cases |= row.cases.unpacked() & rest;
      rows.push_back(&row);
    }

    /// The number of rules of the row that has the most.
    std::ptrdiff_t most_rules() const {
      std::size_t most = 0;
      for (const Row* row : rows) most = std::max(most, row->rules.size());
      return static_cast<std::ptrdiff_t>(most);
    }

    std::size_t contradicted_by() const {
      CaseSet contradicting(cases.size());
      for (const Row* row : rows)
        if (row->contradicting.any()) contradicting |= row->contradicting;
      return contradicting.count();
    }
  };

  /// The parts of a hypothesis that are not chosen: "NAME", "NAME+NAME" or nothing.
  static std::string without(std::string_view name, const std::vector<Chosen>& chosen) {
    std::vector<std::string_view> parts;
    for (const auto part : std::views::split(name, '+')) {
      const std::string_view text(part.begin(), part.end());
      if (std::ranges::find(chosen, text, &Chosen::name) == chosen.end()) parts.push_back(text);
    }
    return fmt::format("{}", fmt::join(parts, "+"));
  }

  /// Returns the hypothesis or the part of it that was chosen and has the fewest cases. At least one must be chosen.
  static Chosen& rarest_part(std::string_view name, std::vector<Chosen>& chosen) {
    Chosen* rarest = nullptr;
    for (Chosen& one : chosen) {
      const bool is_part = one.name == name || std::ranges::any_of(std::views::split(name, '+'), [&](const auto part) {
                             return std::string_view(part.begin(), part.end()) == one.name;
                           });
      if (is_part && (rarest == nullptr || one.cases.count() < rarest->cases.count())) rarest = &one;
    }
    return *rarest;
  }

  std::string where(const Chosen& chosen) const {
    if (std::ranges::all_of(chosen.rows, [](const Row* row) { return row->rules.empty(); }))
      return in_words(extent(facts_, chosen.cases, asked_));
    std::map<std::string, std::size_t> cases_of_rules;
    for (const Row* row : chosen.rows) {
      if (const CaseSet own = row->cases.unpacked() & chosen.cases; row->rules.empty())
        cases_of_rules[in_words(extent(facts_, own, asked_))] += own.count();
      for (const RuleMatch& match : row->rules)
        if (const CaseSet own = match.cases & chosen.cases; own.any())
          cases_of_rules[in_words(match.rule)] += own.count();
    }
    std::vector<std::pair<std::size_t, std::string>> order;
    for (auto& [rule, count] : cases_of_rules) order.emplace_back(count, rule);
    std::ranges::stable_sort(order, std::greater(), &std::pair<std::size_t, std::string>::first);
    std::vector<std::string> rules;
    for (auto& [count, rule] : order | std::views::take(most_rules_shown)) rules.push_back(std::move(rule));
    if (order.size() > rules.size()) rules.emplace_back("and others");
    return fmt::format("{}", fmt::join(rules, "; "));
  }

  const CaseFacts& facts_;
  const CaseSet asked_;
  std::map<std::string_view, Row> rows_;
};

}  // namespace

CaseSet add_hypotheses(std::span<const CaseRecord> records, const CaseFacts& facts,
                       std::span<const Contradictions> contradictions, const Refuted& refuted, CaseSet failures,
                       std::vector<Cause>& causes) {
  return Hypotheses(records, facts, contradictions, refuted).add(std::move(failures), causes);
}

}  // namespace touchstone::conformance
