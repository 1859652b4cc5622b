#include "conformance/causes/causes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/causes/messages.h"
#include "conformance/causes/testing.h"

namespace touchstone::conformance::causes_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// A case that must be rejected.
CaseRecord illegal(std::string_view violated, Verdict verdict) {
  CaseRecord record = record_of("quantize_linear/21/f32-f32-u8/per_tensor/zp", verdict);
  record.cells = {};
  record.violated = spec::find_clause(violated);
  return record;
}

const std::string float32_cell = "quantize_linear/21/f32-f32-u8/per_tensor/zp";
const std::string float16_cell = "quantize_linear/21/f16-f16-u8/per_tensor/zp";
const std::string blocked_cell = "quantize_linear/21/f32-f32-u8/blocked/zp";

TEST(Causes, DoNotExistWithoutProblems) {
  CaseRecord declined = record_of(float16_cell, Verdict::rejects_valid, "not asked");
  declined.declined = true;
  EXPECT_THAT(
      find_causes(std::vector{record_of(float32_cell, Verdict::pass), declined, illegal("onnx-inputs", Verdict::pass),
                              record_of(float32_cell, Verdict::rejects_variant)}),
      IsEmpty());
}

TEST(Causes, OfRefusalsAreRulesWithTheMessageThatDistinguishesThem) {
  const std::vector records{
      record_of(float32_cell, Verdict::pass),
      record_of(float16_cell, Verdict::rejects_valid, "data set 0: no kernel for float16 in node 17"),
      record_of(float16_cell, Verdict::rejects_valid, "no kernel for float16 in node 18"),
      record_of(float16_cell, Verdict::rejects_valid, "out of memory"),
      record_of(blocked_cell, Verdict::rejects_valid,
                "no blocks (code 9); the backend also refuses a similar, undisputed model: no blocks (code 9)"),
      record_of(blocked_cell, Verdict::rejects_valid, "no blocks (code 9)"),
  };
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_FALSE(causes[0].is_wrong);
  EXPECT_EQ(causes[0].where, "any operand of type float16");
  EXPECT_EQ(causes[0].message, "no kernel for float16 in node 17");
  EXPECT_EQ(causes[0].other_messages, 1U);
  EXPECT_THAT(causes[0].cases, ElementsAre(1, 2, 3));
  EXPECT_EQ(causes[1].where, "blocked");
  EXPECT_EQ(causes[1].message, "no blocks (code 9)");
  EXPECT_EQ(causes[1].other_messages, 0U);
}

TEST(Causes, ThatNoRuleSeparatesAreGroupedByTheMessage) {
  const std::vector records{
      record_of(float32_cell, Verdict::pass),
      record_of(float32_cell, Verdict::rejects_valid, "bad value 3"),
      record_of(float32_cell, Verdict::rejects_valid, "bad value 4"),
      record_of(float32_cell, Verdict::rejects_valid, "bad luck"),
  };
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].message, "bad value 3");
  EXPECT_THAT(causes[0].cases, ElementsAre(1, 2));
  EXPECT_TRUE(causes[0].is_explained);
  EXPECT_THAT(causes[1].cases, ElementsAre(3));
  EXPECT_FALSE(causes[1].is_explained);
}

TEST(Causes, OfRulesForFewCasesWithTheSameMessageAreOne) {
  const std::string int8_cell = "quantize_linear/21/f32-f32-i8/per_tensor/zp";
  std::vector<CaseRecord> records(500, record_of(float16_cell, Verdict::rejects_valid, "no kernel"));
  records.push_back(record_of(float32_cell, Verdict::pass));
  for (const std::string& cell : {blocked_cell, int8_cell})
    for (int i = 0; i < 2; ++i)
      records.push_back(record_of(cell, Verdict::rejects_valid, fmt::format("bad value {}", i)));
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[1].where, "any operand of type int8; blocked");
  EXPECT_THAT(causes[1].cases, ElementsAre(501, 502, 503, 504));
  EXPECT_TRUE(causes[1].is_explained);
}

/// Only one of many words differs, such as the name of a kernel. In a short message every word counts.
TEST(Causes, OfSimilarLongMessagesAreOne) {
  const std::vector records{
      record_of(float32_cell, Verdict::pass),
      record_of(float32_cell, Verdict::rejects_valid, "the kernel Maximum was called with shapes that differ"),
      record_of(float32_cell, Verdict::rejects_valid, "the kernel Maximum was called with shapes that differ"),
      record_of(float32_cell, Verdict::rejects_valid, "the kernel Multiply was called with shapes that differ"),
      record_of(float32_cell, Verdict::rejects_valid, "the kernel Multiply was called with types that differ"),
      record_of(float32_cell, Verdict::rejects_valid, "no such operator"),
      record_of(float32_cell, Verdict::rejects_valid, "no such file"),
  };
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(4));
  EXPECT_EQ(causes[0].message, "the kernel Maximum was called with shapes that differ");
  EXPECT_EQ(causes[0].other_messages, 1U);
  EXPECT_THAT(causes[0].cases, ElementsAre(1, 2, 3));
  EXPECT_TRUE(causes[0].is_explained);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_THAT(causes[i].cases, SizeIs(1));
}

TEST(Causes, AreMessagesWhereRulesCoverFewOfTheirCases) {
  const std::vector records{
      record_of(float32_cell, Verdict::pass),
      record_of(float32_cell, Verdict::rejects_valid, "bad value 3"),
      record_of(float32_cell, Verdict::rejects_valid, "bad value 4"),
      record_of(float32_cell, Verdict::rejects_valid, "bad value 5"),
      record_of(blocked_cell, Verdict::rejects_valid, "bad value 6"),
      record_of(blocked_cell, Verdict::rejects_valid, "bad value 7"),
  };
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].where, "blocked; and others");
  EXPECT_THAT(causes[0].cases, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_TRUE(causes[0].is_explained);
}

TEST(Causes, OfAcceptedModelsAreClauses) {
  const std::vector records{illegal("onnx-inputs", Verdict::accepts_invalid), illegal("onnx-inputs", Verdict::pass),
                            illegal("qdq-axis-range", Verdict::accepts_invalid),
                            illegal("qdq-axis-range", Verdict::accepts_invalid)};
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_TRUE(causes[0].is_wrong);
  EXPECT_EQ(causes[0].sentence, "accepts models that violate qdq-axis-range");
  EXPECT_EQ(causes[0].where, "2 of 2 such cases");
  EXPECT_THAT(causes[0].clauses, ElementsAre("qdq-axis-range"));
  EXPECT_EQ(causes[1].where, "1 of 2 such cases: nothing that distinguishes these cases");
}

/// The rules hold for no model with the same violated clause that the backend rejects.
TEST(Causes, OfAcceptedModelsSayWhichViolationsAreAccepted) {
  std::vector<CaseRecord> records;
  const auto add = [&](std::string_view clause, const std::string& id, Verdict verdict) {
    records.push_back(illegal(clause, verdict));
    records.back().id = "quantize_linear/21/" + id;
  };
  for (const char* type : {"f16", "f64"}) {
    add("onnx-type-constraint", fmt::format("must_reject/type/scale/{}", type), Verdict::accepts_invalid);
    add("onnx-type-constraint", fmt::format("must_reject/type/x/{}", type), Verdict::pass);
    add("onnx-type-constraint", fmt::format("must_reject/type/zero_point/{}", type), Verdict::accepts_invalid);
    add("onnx-type-constraint", fmt::format("must_reject/type/y/{}", type), Verdict::not_shown);
  }
  add("qdq-axis-range", "must_reject/axis/above", Verdict::pass);
  for (const char* violation : {"u2", "u4", "i2", "i4", "f64", "bool"})
    add("ql-output-dtype-allowed", fmt::format("must_reject/output_dtype/{}", violation),
        violation == std::string_view("u4") ? Verdict::pass : Verdict::accepts_invalid);
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].where,
            "5 of 6 such cases: must_reject/output_dtype/bool or must_reject/output_dtype/f64 or "
            "must_reject/output_dtype/i2 or must_reject/output_dtype/i4 or 1 other");
  EXPECT_EQ(causes[1].where, "4 of 8 such cases: must_reject/type/scale or must_reject/type/zero_point");
}

/// A case that is in no cell of the lattice still has a quantized type.
TEST(Causes, OfRefusalsCoverCasesOutsideTheLattice) {
  std::vector records{record_of(float32_cell, Verdict::pass),
                      record_of("quantize_linear/21/f32-f32-e4m3fn/per_tensor/zp/saturate=1", Verdict::rejects_valid),
                      record_of("quantize_linear/21/f32-f32-e5m2/per_tensor/zp/saturate=1", Verdict::rejects_valid)};
  records.push_back(records.back());
  records.back().cells = {};
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].where, "any operand of a float8 type");
}

/// A refused case of a pattern, with the operator that is refused alone.
CaseRecord refused_graph(const std::string& pattern, const std::string& refused_operator) {
  CaseRecord record;
  record.id = "graphs/" + pattern + "/21/u8/f32/per_tensor/zp/positive/same/inputs";
  record.verdict = Verdict::rejects_valid;
  record.reason = "no kernel";
  record.refused_operator = refused_operator;
  return record;
}

TEST(Causes, OfRefusalsOfOtherOperatorsAreTheseOperators) {
  const std::vector<Cause> causes = find_causes(std::vector{
      refused_graph("dq_tile", ""), refused_graph("ql_reshape_dq", "Reshape of int4"),
      refused_graph("dq_reshape", "Reshape of float8e4m3fn"), refused_graph("ql_reshape_dq", "Reshape of int4"),
      refused_graph("dq_cast", "Cast of float and float16"), refused_graph("dq_cast", "Cast of float and float16")});
  ASSERT_THAT(causes, SizeIs(3));
  EXPECT_EQ(causes[0].sentence, "refuses Reshape of float8e4m3fn or int4");
  EXPECT_EQ(causes[0].where, "2 patterns");
  EXPECT_EQ(causes[0].message, "no kernel");
  EXPECT_THAT(causes[0].cases, ElementsAre(1, 2, 3));
  EXPECT_TRUE(causes[0].is_explained);
  EXPECT_EQ(causes[1].sentence, "refuses Cast of float and float16");
  EXPECT_EQ(causes[1].where, "pattern dq_cast");
  EXPECT_EQ(causes[2].sentence, "refuses");
  EXPECT_THAT(causes[2].cases, ElementsAre(0));
}

TEST(Causes, OfGraphsSayFromWhichLevelOn) {
  const auto where = [](const std::vector<std::pair<std::string, std::string>>& levels) {
    std::vector<CaseRecord> records;
    for (const auto& [lowest, below] : levels) {
      records.push_back(refused_graph("dq_relu_ql", ""));
      records.back().verdict = Verdict::crash;
      records.back().lowest_level = lowest;
      records.back().level_below = below;
    }
    return find_causes(records).at(0).where;
  };
  EXPECT_THAT(where({{"ort:basic", "ort"}, {"ort:basic", "ort"}, {"", ""}}), testing::EndsWith("; from ort:basic on"));
  EXPECT_THAT(where({{"ort:basic", "ort"}, {"ort:extended", "ort:basic"}}),
              testing::EndsWith("; from ort:basic or ort:extended on"));
  EXPECT_THAT(where({{"ort", ""}, {"ort", ""}}), testing::EndsWith("; at every level"));
  EXPECT_THAT(where({{"ort", ""}, {"ort:basic", "ort"}}), testing::EndsWith("; at every level, or from ort:basic on"));
  EXPECT_THAT(where({{"", ""}, {"", ""}}), testing::Not(testing::HasSubstr("level")));
}

TEST(Causes, OfGraphsSayIfLowerLevelsAreWrongInAnotherWay) {
  const auto where = [](bool first, bool second) {
    std::vector<CaseRecord> records;
    for (const bool is_wrong_below : {first, second}) {
      records.push_back(refused_graph("dq_relu_ql", ""));
      records.back().verdict = Verdict::crash;
      records.back().lowest_level = "ort:basic";
      records.back().level_below = "ort";
      records.back().wrong_below = is_wrong_below;
    }
    return find_causes(records).at(0).where;
  };
  EXPECT_THAT(where(true, true), testing::EndsWith("; from ort:basic on (wrong in another way below that)"));
  EXPECT_THAT(where(true, false), testing::EndsWith("; from ort:basic on"));
}

TEST(Causes, SayIfTheHostGivesOtherAnswers) {
  const auto where = [](const std::vector<std::string>& processors) {
    std::vector<CaseRecord> records;
    for (const std::string& only_as : processors) {
      records.push_back(refused_graph("dq_relu_ql", ""));
      records.back().verdict = Verdict::crash;
      records.back().only_as = only_as;
    }
    return find_causes(records).at(0).where;
  };
  EXPECT_THAT(where({"haswell", "haswell"}), testing::EndsWith("; only as haswell"));
  EXPECT_THAT(where({"haswell", "", ""}), testing::EndsWith("; in 1 of 3 cases only as haswell"));
  EXPECT_THAT(where({"", ""}), testing::Not(testing::HasSubstr("only as")));
}

TEST(Causes, OfRarelyAcceptedModelsAreOneCause) {
  std::vector<CaseRecord> records;
  for (const char* clause : {"onnx-inputs", "qdq-scale-rank"})
    records.push_back(illegal(clause, Verdict::accepts_invalid));
  records.push_back(illegal("onnx-inputs", Verdict::pass));
  for (const char* clause :
       {"onnx-type-constraint", "onnx-type-binding", "qdq-axis-range", "qdq-same-shape", "onnx-attribute-type"})
    for (int i = 0; i < 2; ++i) records.push_back(illegal(clause, Verdict::accepts_invalid));
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(6));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_THAT(causes[i].clauses, SizeIs(1));
  EXPECT_EQ(causes[5].sentence, "accepts models that violate other clauses");
  EXPECT_EQ(causes[5].where, "onnx-inputs (1 of 2 cases), qdq-scale-rank (1 of 1 cases)");
  EXPECT_THAT(causes[5].clauses, ElementsAre("onnx-inputs", "qdq-scale-rank"));
  EXPECT_THAT(causes[5].cases, ElementsAre(0, 1));
}

TEST(Causes, OfOutputsOfAnotherTypeNameTheType) {
  const std::vector records{
      record_of(float32_cell, Verdict::pass),
      record_of("quantize_linear/21/f32-f32-i8/per_tensor/zp", Verdict::fail,
                "data set 0: the type is uint8, expected int8; of the codes 3 of 4 elements differ"),
      record_of("quantize_linear/21/f32-f32-i4/per_tensor/zp", Verdict::fail,
                "data set 0: the type is uint8, expected int4; element 1 is not a code of it"),
  };
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].sentence, "gives outputs of another type: uint8");
  EXPECT_THAT(causes[0].cases, ElementsAre(1, 2));
}

/// A failure that these hypotheses explain.
CaseRecord failure(const std::string& cell_text, std::vector<std::string> hypotheses) {
  CaseRecord record = record_of(cell_text, Verdict::fail, "data set 0: 1 of 4 elements differ");
  record.hypotheses = std::move(hypotheses);
  return record;
}

TEST(Causes, OfIllegalModelsNameTheClause) {
  const std::string begin = "data set 0: the rewritten model is ";
  const std::vector<Cause> causes = find_causes(std::vector{
      record_of(float32_cell, Verdict::fail, begin + "invalid: onnx-known-attributes: no attribute axis; checker: bad"),
      record_of(blocked_cell, Verdict::fail, begin + "illegal: onnx-known-attributes: no attribute block_size"),
      record_of(float16_cell, Verdict::fail, begin + "invalid: checker: bad node")});
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].sentence, "gives models that violate onnx-known-attributes");
  EXPECT_THAT(causes[0].cases, ElementsAre(0, 1));
  EXPECT_EQ(causes[1].sentence, "gives illegal models");
  EXPECT_TRUE(causes[1].is_wrong);
}

TEST(Causes, OfWrongValuesAreAsFewHypothesesAsPossible) {
  const std::vector records{record_of(float32_cell, Verdict::pass),
                            failure(float16_cell, {"rounds-half-away-from-zero"}),
                            failure(float16_cell, {"rounds-half-up", "rounds-half-away-from-zero"}),
                            failure(blocked_cell, {"ignores-zero-point"}), failure(blocked_cell, {})};
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(3));
  EXPECT_EQ(causes[0].name, "rounds-half-away-from-zero");
  EXPECT_EQ(causes[0].where, "x float16, scale float16") << "no right case forces 'per tensor'";
  EXPECT_THAT(causes[0].cases, ElementsAre(1, 2));
  EXPECT_EQ(causes[1].name, "ignores-zero-point");
  EXPECT_THAT(causes[1].cases, ElementsAre(3));
  EXPECT_EQ(causes[2].name, "");
  EXPECT_THAT(causes[2].cases, ElementsAre(4));
}

/// Where two defects meet, a pair explains the outputs. It is not a third cause.
TEST(Causes, OfPairsAreTheirParts) {
  const std::string int4_cell = "quantize_linear/21/f32-f32-i4/per_tensor/zp";
  const std::vector records{
      record_of(float32_cell, Verdict::pass),        failure(float16_cell, {"rounds-half-up"}),
      failure(float16_cell, {"rounds-half-up"}),     failure(int4_cell, {"rounds-half-up+swaps-nibbles-of-output"}),
      failure(blocked_cell, {"ignores-zero-point"}), failure(blocked_cell, {"ignores-zero-point+rounds-half-up"})};
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(3));
  std::map<std::string, std::vector<std::size_t>> cases;
  for (const Cause& cause : causes) cases[cause.name] = cause.cases;
  EXPECT_THAT(cases["rounds-half-up"], ElementsAre(1, 2));
  EXPECT_THAT(cases["swaps-nibbles-of-output"], ElementsAre(3));
  EXPECT_THAT(cases["ignores-zero-point"], ElementsAre(4, 5));
}

/// A hypothesis explains only cases that a rule separates from the right cases that contradict it.
TEST(Causes, ExcludePlacesWhereARightCaseContradictsThem) {
  std::vector records{record_of(float32_cell, Verdict::pass), failure(float32_cell, {"rounds-half-up"}),
                      failure(blocked_cell, {"rounds-half-up"})};
  records[1].id = std::string(records[1].id) + "/2";
  const std::vector<Contradictions> contradictions{
      {.hypothesis = "rounds-half-up", .checked = 1, .cases = {records[0].id}}};
  const std::vector<Cause> causes = find_causes(records, contradictions);
  ASSERT_THAT(causes, SizeIs(2));
  const auto named = std::ranges::find(causes, "rounds-half-up", &Cause::name);
  ASSERT_NE(named, causes.end());
  EXPECT_EQ(named->where, "blocked");
  EXPECT_EQ(named->contradicted_by, 1U);
  EXPECT_THAT(named->cases, ElementsAre(2));
}

/// Of two hypotheses that explain the same cases, the one that fits the right cases too is more likely.
TEST(Causes, PreferWhatFewerRightCasesContradict) {
  std::vector records{record_of(float32_cell, Verdict::pass),
                      failure(blocked_cell, {"inverts-saturate", "never-saturates-float8"}),
                      failure(blocked_cell, {"inverts-saturate", "never-saturates-float8"})};
  records[1].id = std::string(records[1].id) + "/2";
  const std::vector<Contradictions> contradictions{
      {.hypothesis = "inverts-saturate", .checked = 1, .cases = {records[0].id}},
      {.hypothesis = "never-saturates-float8", .checked = 1, .cases = {}}};
  const std::vector<Cause> causes = find_causes(records, contradictions);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].name, "never-saturates-float8");
}

/// One hypothesis explains three cases, but needs a rule for two of them and another one for the third.
TEST(Causes, PreferTwoWithoutRulesToOneWithTwoRules) {
  const std::string up = "rounds-half-up", away = "rounds-half-away-from-zero", ignores = "ignores-zero-point";
  const std::vector records{record_of(float32_cell, Verdict::pass), failure(float16_cell, {up, away}),
                            failure(float16_cell, {up, away}), failure(blocked_cell, {up, ignores})};
  const std::vector<Contradictions> contradictions{{.hypothesis = up, .checked = 1, .cases = {records[0].id}}};
  const std::vector<Cause> causes = find_causes(records, contradictions);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].name, away);
  EXPECT_EQ(causes[1].name, ignores);
}

/// Many hypotheses explain a case with few wrong elements. What explains only one failure in a thousand is not a cause.
TEST(Causes, ExcludeCoincidences) {
  std::vector<CaseRecord> records(1000, failure(float16_cell, {"rounds-half-up"}));
  records.push_back(failure(blocked_cell, {"ignores-zero-point"}));
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].name, "rounds-half-up");
  EXPECT_EQ(causes[1].name, "");
}

TEST(Causes, NameTheClausesThatTheCasesExercise) {
  std::vector records{failure(float16_cell, {"rounds-half-up"}), failure(float16_cell, {"rounds-half-up"})};
  records[1].clauses = {"ql-formula", "ql-round-half-even"};
  EXPECT_THAT(find_causes(records).at(0).clauses, ElementsAre("ql-round-half-even"));
}

TEST(Causes, BeginWithWrongResults) {
  const std::vector records{
      record_of(float32_cell, Verdict::pass), record_of(float16_cell, Verdict::rejects_valid, "no"),
      record_of(float16_cell, Verdict::rejects_valid, "no"), record_of(blocked_cell, Verdict::crash, "signal 11")};
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].sentence, "crashes");
  EXPECT_TRUE(causes[0].is_wrong);
  EXPECT_EQ(causes[1].sentence, "refuses");
}

/// A backend that refuses every second case with a new message, for a reason that no fact shows.
TEST(Causes, AreFewForManyMessages) {
  std::vector<CaseRecord> records;
  for (const Cell& cell : legal_cells(*spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, 21)))
    for (std::size_t i = 0; i < 2; ++i) {
      std::string word;
      for (std::size_t rest = records.size(); rest > 0; rest /= 26) word += static_cast<char>('a' + rest % 26);
      records.push_back(record_of(to_string(cell), i == 0 ? Verdict::pass : Verdict::rejects_valid, word + " failed"));
    }
  ASSERT_GE(records.size(), 500U);
  const std::vector<Cause> causes = find_causes(records);
  EXPECT_LE(causes.size(), 30U);
  std::multiset<std::size_t> explained;
  for (const Cause& cause : causes) explained.insert(cause.cases.begin(), cause.cases.end());
  std::multiset<std::size_t> problems;
  for (std::size_t i = 1; i < records.size(); i += 2) problems.insert(i);
  EXPECT_EQ(explained, problems);
}

TEST(NormalizedMessage, KeepsTheCommonPartOfSimilarMessages) {
  EXPECT_EQ(normalized_message("Unsupported model IR version: 14, max supported IR version: 13"),
            "Unsupported model IR version: N, max supported IR version: N");
  EXPECT_EQ(normalized_message("Unknown DatumType Float8e4m3fnuz"), normalized_message("Unknown DatumType Bfloat16"));
  EXPECT_EQ(normalized_message("no kernel for tensor(uint8) in 'node_1'"),
            normalized_message("no kernel for tensor(float16) in 'y'"));
  EXPECT_EQ(normalized_message("interior point"), "interior point");
  EXPECT_EQ(normalized_message("no output of shape [2, 3,4]"), "no output of shape [...]");
  EXPECT_EQ(normalized_message("lengths 2, 3,4 of x"), "lengths N of x");
  EXPECT_EQ(normalized_message("input 1, axis 2"), "input N, axis N");
  EXPECT_NE(normalized_message("no such file"), normalized_message("no such operator"));
  EXPECT_EQ(normalized_message("an open 'quote"), "an open 'quote");
}

TEST(NormalizedMessage, OmitsListsInBrackets) {
  EXPECT_EQ(
      normalized_message("cannot compile %1 = Op(%a1, %2) <{axis = -1}> : (tensor<[3],f32>, none) -> tensor<[],f32>"),
      "cannot compile %N = Op(...) <...> : (...) -> tensor<...>");
  EXPECT_EQ(normalized_message("bad input (invalid argument): axis 3"), "bad input (invalid argument): axis N");
  EXPECT_EQ(normalized_message("x < 3 (of y)"), "x < N (of y)");
  EXPECT_EQ(normalized_message("f(x, 3"), "f(x, N");
  EXPECT_EQ(normalized_message("f(<2)>"), "f(...)>");
  EXPECT_EQ(normalized_message(std::string(100, '(') + "3" + std::string(100, ')')), "(...)" + std::string(84, ')'));
}

}  // namespace
}  // namespace touchstone::conformance::causes_test
