#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/run/record_json.h"
#include "conformance/run/rerun.h"
#include "conformance/run/runner.h"
#include "conformance/suites/suites.h"
#include "conformance/testing.h"

namespace touchstone::conformance::lower_levels_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A right backend, apart from the last bits of the first element of an output, which it adds this number to.
class Adding : public ReferenceBackend {
 public:
  explicit Adding(std::uint64_t number) : number_(number) {}

  UnitAnswer run(const Unit& unit) override {
    UnitAnswer answer = ReferenceBackend::run(unit);
    auto& value = std::get<Outputs>(std::get<std::vector<Answer>>(answer).front()).front().value;
    value.set_code(0, value.code(0) ^ number_);
    return answer;
  }

 private:
  std::uint64_t number_;
};

PlannedCase first_graph() { return plan_graphs_suite({.tier = Tier::smoke}).front(); }

/// Levels that add these numbers; a negative one cannot be started.
class Levels {
 public:
  explicit Levels(const std::vector<std::pair<std::string, int>>& numbers) {
    for (const auto& [name, number] : numbers)
      levels_.push_back({name, [this, name = name, number = number] {
                           started.push_back(name);
                           if (number < 0) throw BackendError("no such program");
                           return std::make_unique<Adding>(static_cast<std::uint64_t>(number));
                         }});
  }

  /// The record of a case of a backend that adds this number.
  CaseRecord record(int number, const PlannedCase& planned) {
    CaseRecord record;
    const auto make = [&] { return std::make_unique<Adding>(static_cast<std::uint64_t>(number)); };
    run(std::span(&planned, 1), make, {.lower_levels = levels_, .level = "own"}, [&](CaseRecord finished) {
      record = std::move(finished);
      return true;
    });
    return record;
  }

  std::vector<std::string> started;

 private:
  std::vector<Level> levels_;
};

std::pair<std::string, std::string> levels_of(const CaseRecord& record) {
  EXPECT_EQ(record.verdict, Verdict::fail);
  return {record.lowest_level, record.level_below};
}

using Pair = std::pair<std::string, std::string>;

TEST(LowerLevels, AreSearchedForTheLowestWithTheSameAnswer) {
  Levels levels({{"none", 0}, {"basic", 1}, {"extended", 1}});
  const CaseRecord record = levels.record(1, first_graph());
  EXPECT_EQ(levels_of(record), Pair("basic", "none"));
  EXPECT_FALSE(record.wrong_below);
  EXPECT_THAT(levels.started, ElementsAre("extended", "basic", "none"));
  EXPECT_EQ(record_from_json(to_json(record)), record);
}

TEST(LowerLevels, EndAtAnotherAnswer) {
  Levels levels({{"none", 1}, {"basic", 2}, {"extended", 1}});
  const CaseRecord record = levels.record(1, first_graph());
  EXPECT_EQ(levels_of(record), Pair("extended", "basic")) << "another wrong output";
  EXPECT_TRUE(record.wrong_below);
  EXPECT_EQ(record_from_json(to_json(record)), record);
  EXPECT_THAT(levels.started, ElementsAre("extended", "basic")) << "each when it is needed";
  EXPECT_EQ(levels_of(Levels({{"none", 0}}).record(1, first_graph())), Pair("own", "none"));
}

TEST(LowerLevels, MayAllGiveTheAnswer) {
  EXPECT_EQ(levels_of(Levels({{"none", 1}, {"basic", 1}}).record(1, first_graph())), Pair("none", ""));
}

TEST(LowerLevels, ThatCannotBeStartedShowNothing) {
  EXPECT_EQ(levels_of(Levels({{"none", 0}, {"basic", -1}}).record(1, first_graph())), Pair("", ""));
}

TEST(LowerLevels, AreNotAskedForOtherCases) {
  Levels levels({{"none", 0}});
  EXPECT_EQ(levels.record(0, first_graph()).verdict, Verdict::pass);
  const Case node = per_axis_case();
  EXPECT_EQ(levels.record(1, {node.id, made_by({[node] { return node; }})}).verdict, Verdict::fail);
  EXPECT_THAT(levels.started, IsEmpty());
}

TEST(OnHost, IsNotedIfTheAnswerOfAWrongCaseIsAnother) {
  const auto only_as = [](int own, int of_host) {
    const Case node = per_axis_case();
    const PlannedCase planned{node.id, made_by({[node] { return node; }})};
    const auto make = [](int number) {
      if (number < 0) throw BackendError("no such program");
      return std::make_unique<Adding>(static_cast<std::uint64_t>(number));
    };
    std::string found;
    run(
        std::span(&planned, 1), [&] { return make(own); }, {.on_host = Level{"haswell", [&] { return make(of_host); }}},
        [&](const CaseRecord& record) {
          found = record.only_as;
          EXPECT_EQ(record_from_json(to_json(record)), record);
          return true;
        });
    return found;
  };
  EXPECT_EQ(only_as(1, 0), "haswell");
  EXPECT_EQ(only_as(1, 2), "haswell") << "another wrong answer";
  EXPECT_EQ(only_as(1, 1), "");
  EXPECT_EQ(only_as(0, 1), "") << "a right case";
  EXPECT_EQ(only_as(1, -1), "");
}

TEST(LowerLevels, AreReadOnlyOfWrongGraphs) {
  CaseRecord record;
  record.id = "graphs/a";
  record.verdict = Verdict::fail;
  record.reason = "1 of 2 elements differ";
  record.digest = {{1}};
  record.output_digest = 1;
  record.lowest_level = "ort:basic";
  record.level_below = "ort";
  EXPECT_EQ(record_from_json(to_json(record)), record);
  CaseRecord right = record;
  right.verdict = Verdict::pass;
  right.reason = {};
  CaseRecord half = record;
  half.lowest_level = {};
  CaseRecord wrong_below = record;
  wrong_below.level_below = {};
  wrong_below.wrong_below = true;
  CaseRecord right_as = right;
  right_as.lowest_level = right_as.level_below = {};
  right_as.only_as = "haswell";
  for (const auto& [bad, said] :
       std::map<std::string, CaseRecord>{{"lowest_level: the case is not a wrong graph", right},
                                         {"lowest_level: missing", half},
                                         {"level_below: missing", wrong_below},
                                         {"only_as: the case is not wrong", right_as}}) {
    try {
      record_from_json(to_json(said));
      ADD_FAILURE() << bad;
    } catch (const std::exception& error) {
      EXPECT_EQ(error.what(), bad);
    }
  }
}

}  // namespace
}  // namespace touchstone::conformance::lower_levels_test
