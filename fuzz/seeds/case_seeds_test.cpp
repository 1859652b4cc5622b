// Slow, because every case of the plan is built.
#include "fuzz/seeds/case_seeds.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "conformance/judge/oracle.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/planned_case.h"
#include "conformance/suites/suites.h"
#include "reference/interpreter.h"

namespace touchstone::fuzz::case_seeds_test {

namespace {

using namespace conformance;

/// The ids of the cited clauses and the consulted ambiguities.
std::set<std::string> reached(const reference::Outcome& outcome) {
  std::set<std::string> ids;
  for (std::size_t i = 0; i < outcome.cited.size(); ++i)
    if (outcome.cited.test(i)) ids.emplace(spec::clauses[i].id);
  for (std::size_t i = 0; i < outcome.consulted.size(); ++i)
    if (outcome.consulted.test(i)) ids.emplace(spec::ambiguities[i]->id);
  return ids;
}

struct Found {
  std::set<std::string> ids;
  std::set<std::string> groups;  ///< operator version, granularity and type

  void add(const Case& tested) {
    for (const ReferenceOutcome& one : interpret(tested)) add(one);
  }

 private:
  void add(const ReferenceOutcome& one) {
    ids.merge(reached(one.outcome));
    const reference::Result* result = one.outcome.result();
    if (result == nullptr) return;
    const Cell cell = cell_of(one.node, reference::operator_version(one.node), *result);
    groups.insert(
        fmt::format("{} {} {}", id_of(*cell.version), spec::name(cell.granularity), spec::name(cell.quantized_type())));
  }
};

Found of_seeds(Operators operators) {
  Found found;
  for (const Seed& seed : example_seeds(operators))
    found.add(case_of(decode(encode(seed.example, operators).value(), operators)));
  return found;
}

TEST(CaseSeeds, ReachEverythingThatThePlanReaches) {
  Found both;
  Found quantize;
  Found dequantize;
  for (const PlannedCase& planned : find_suite("generated")->plan({})) {
    const Case tested = planned.read();
    both.add(tested);
    (tested.model.node.op == spec::Operator::quantize_linear ? quantize : dequantize).add(tested);
  }
  const auto expect_all = [](const Found& of_plan, Operators operators) {
    const Found found = of_seeds(operators);
    EXPECT_THAT(found.ids, testing::IsSupersetOf(of_plan.ids));
    EXPECT_THAT(found.groups, testing::IsSupersetOf(of_plan.groups));
  };
  expect_all(both, Operators::both);
  expect_all(quantize, Operators::quantize_linear);
  expect_all(dequantize, Operators::dequantize_linear);
}

/// Ambiguities about files are exempt, because examples have no files. The seeds of tensor_file cover them. The
/// division of the draft of 23 is exempt, because only a reading that is not the primary one has the question.
TEST(CaseSeeds, ReachEveryClauseAndEveryAmbiguity) {
  const std::set<std::string> reached = of_seeds(Operators::both).ids;
  std::vector<std::string> missing;
  for (const spec::Clause& clause : spec::clauses)
    if (!reached.contains(std::string(clause.id))) missing.emplace_back(clause.id);
  for (const spec::Ambiguity* ambiguity : spec::ambiguities)
    if (!reached.contains(std::string(ambiguity->id))) missing.emplace_back(ambiguity->id);
  EXPECT_THAT(missing, testing::UnorderedElementsAre("amb-division-of-the-draft-of-23", "amb-float4-layout",
                                                     "amb-packed-zero-points", "amb-padding-of-2-bit-inputs",
                                                     "amb-padding-of-inputs", "amb-padding-of-outputs"));
}

TEST(CaseSeeds, AreSmallAndFew) {
  const std::vector<Seed> seeds = example_seeds(Operators::both);
  EXPECT_LT(seeds.size(), 2000U);
  std::size_t bytes = 0;
  for (const Seed& seed : seeds) bytes += encode(seed.example, Operators::both).value().size();
  EXPECT_LT(bytes / seeds.size(), 400U);
}

}  // namespace

}  // namespace touchstone::fuzz::case_seeds_test
