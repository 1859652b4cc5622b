#include "conformance/causes/rules.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "conformance/causes/testing.h"

namespace touchstone::conformance {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// All combinations of versions, types and granularities that a rule needs to be found.
std::vector<CaseRecord> lattice() {
  std::vector<CaseRecord> records;
  for (const char* version : {"21", "23", "24"})
    for (const char* types : {"f32-f32-u8", "f32-f32-i8", "f16-f16-u8", "f16-f16-i8"})
      for (const char* granularity : {"per_tensor", "per_axis", "blocked"})
        for (const char* zero_point : {"zp", "no_zp"}) {
          if (std::string_view(types).ends_with("i8") && std::string_view(zero_point) == "no_zp") continue;
          records.push_back(record_of(
              fmt::format("quantize_linear/{}/{}/{}/{}", version, types, granularity, zero_point), Verdict::pass));
        }
  for (const char* version : {"21", "23"})
    records.push_back(record_of(fmt::format("dequantize_linear/{}/u8-f32-f32/per_tensor/zp", version), Verdict::pass));
  return records;
}

/// The rules for the cases that the condition selects, in words.
std::vector<std::string> rules_where(const std::function<bool(const Cell&)>& condition) {
  const std::vector<CaseRecord> records = lattice();
  CaseSet group(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) group.set(i, condition(records[i].cells.front()));
  const CaseFacts facts(records);
  std::vector<std::string> words;
  for (const RuleMatch& match : find_rules(facts, group, ~group)) words.push_back(in_words(match.rule));
  return words;
}

TEST(Rules, NeedOneConditionForAPropertyOfACase) {
  EXPECT_THAT(rules_where([](const Cell& cell) { return cell.granularity == spec::Granularity::blocked; }),
              ElementsAre("blocked"));
  EXPECT_THAT(rules_where([](const Cell& cell) { return cell.version->op == spec::Operator::dequantize_linear; }),
              ElementsAre("DequantizeLinear"));
  EXPECT_THAT(rules_where([](const Cell& cell) { return cell.scale == spec::ElementType::float16; }),
              ElementsAre("any operand of type float16"));
}

TEST(Rules, KnowRangesOfVersions) {
  EXPECT_THAT(rules_where([](const Cell& cell) { return cell.version->since_version >= 23; }),
              ElementsAre("operator version 23 and later"));
  EXPECT_THAT(rules_where([](const Cell& cell) { return cell.version->since_version == 23; }),
              ElementsAre("operator version 23"));
  EXPECT_THAT(rules_where([](const Cell& cell) {
                return cell.version->op == spec::Operator::quantize_linear && cell.version->since_version <= 23;
              }),
              ElementsAre("QuantizeLinear up to 23"));
}

TEST(Rules, CombineConditions) {
  EXPECT_THAT(rules_where([](const Cell& cell) {
                return cell.granularity == spec::Granularity::per_axis && cell.x == spec::ElementType::float16 &&
                       cell.version->since_version == 24;
              }),
              ElementsAre("operator version 24, any operand of type float16, per axis"));
}

TEST(Rules, FormAList) {
  EXPECT_THAT(rules_where([](const Cell& cell) {
                return cell.granularity == spec::Granularity::blocked || cell.x == spec::ElementType::float16;
              }),
              ElementsAre("any operand of type float16", "blocked"));
}

TEST(Rules, CoverNothingThatEqualCasesContradict) {
  const std::vector<CaseRecord> records(4, record_of("quantize_linear/21/f32-f32-u8/per_tensor/zp", Verdict::pass));
  CaseSet group(records.size());
  group.set(1);
  EXPECT_THAT(find_rules(CaseFacts(records), group, ~group), IsEmpty());
}

TEST(Rules, CoverEveryCaseIfNoneContradicts) {
  const std::vector<CaseRecord> records = lattice();
  CaseSet all(records.size());
  all.set();
  const std::vector<RuleMatch> rules = find_rules(CaseFacts(records), all, ~all);
  ASSERT_EQ(rules.size(), 1U);
  EXPECT_EQ(in_words(rules[0].rule), "every case");
  EXPECT_EQ(rules[0].cases, all);
}

TEST(Rules, AreInWords) {
  using enum Condition::Relation;
  const Condition op{Dimension::op, is, 0, "QuantizeLinear"};
  const Condition from{Dimension::version, at_least, 13, ""};
  const Condition to{Dimension::version, at_most, 21, ""};
  EXPECT_EQ(in_words({{op, from, to}}), "QuantizeLinear 13 to 21");
  EXPECT_EQ(in_words({{{Dimension::opset, is, 28, ""}, {Dimension::zero_point, is, 0, "absent"}}}),
            "opset 28, without zero point");
  EXPECT_EQ(in_words({{{Dimension::y, is, 0, "int4"}, {Dimension::y, is, 0, "uint4"}}}), "y int4 or uint4");
  EXPECT_EQ(in_words({{{Dimension::form, is, 0, "initializers"}, {Dimension::form, is, 0, "symbolic"}}}),
            "form initializers or symbolic");
}

TEST(Rules, NameWhatCasesHaveInCommon) {
  const std::vector<CaseRecord> records = lattice();
  CaseSet some(records.size());
  for (std::size_t i = 0, found = 0; i < records.size() && found < 2; ++i)
    if (records[i].cells.front().granularity == spec::Granularity::blocked) some.set(i), ++found;
  const Rule common = common_conditions(CaseFacts(records), some, ~some);
  EXPECT_THAT(in_words(common), testing::HasSubstr("blocked"));
}

RC_GTEST_PROP(Rules, HoldForNoOtherCase, ()) {
  static const std::vector<CaseRecord> records = lattice();
  static const CaseFacts facts(records);
  CaseSet group(records.size());
  CaseSet others(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const int kind = *rc::gen::inRange(0, 3);
    group.set(i, kind == 0);
    others.set(i, kind == 1);
  }
  CaseSet covered(records.size());
  for (const RuleMatch& match : find_rules(facts, group, others)) {
    RC_ASSERT(match.cases.any());
    RC_ASSERT(match.cases.is_subset_of(group));
    RC_ASSERT(!match.cases.intersects(covered));
    covered |= match.cases;
    CaseSet meeting(records.size());
    meeting.set();
    for (const Condition& condition : match.rule.conditions)
      for (std::size_t i = 0; i < facts.conditions().size(); ++i)
        if (facts.conditions()[i] == condition) meeting &= facts.meeting(i);
    RC_ASSERT(match.cases.is_subset_of(meeting));
    RC_ASSERT(!meeting.intersects(others));
  }
}

}  // namespace
}  // namespace touchstone::conformance
