// The reports of a few handmade records.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "conformance/files/file_io.h"
#include "conformance/plan/number.h"
#include "conformance/report/causes_text.h"
#include "conformance/report/details.h"
#include "conformance/report/format.h"
#include "conformance/report/matrix.h"
#include "conformance/report/summary.h"
#include "conformance/report/support.h"
#include "conformance/testing.h"
#include "spec/opset.h"

namespace touchstone::conformance::report_test {
namespace {

using spec::ElementType;
using testing::AnyOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

CaseRecord record(const char* id, Verdict verdict, int opset, ElementType type) {
  const auto* version = spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, opset);
  CaseRecord made;
  made.id = id;
  made.verdict = verdict;
  made.subject = {version, opset, type};
  made.cells = {legal_cells(*version).front()};
  made.clauses = {"ql-formula"};
  return made;
}

RunInfo run_info(std::size_t cases) {
  RunInfo run;
  run.tool_version = "0.1.0";
  run.backend = {"fake", "1", ""};
  run.suites = {"onnx"};
  run.tier = "standard";
  run.filter = "*";
  run.plan_hash = "0123456789abcdef";
  run.cases = cases;
  run.host = "somewhere";
  return run;
}

TEST(Number, IsShownInDecimalAndInHex) {
  EXPECT_EQ(decimal(ElementType::float32, 0x3fc00000), "1.5");
  EXPECT_EQ(decimal(ElementType::float32, 0xff800000), "-inf");
  EXPECT_EQ(decimal(ElementType::int4, 0xf), "-1");
  EXPECT_EQ(decimal(ElementType::float4e2m1, 0x8), "-0");
  EXPECT_EQ(hex(ElementType::float32, 0x3fc00000), "0x3fc00000");
  EXPECT_EQ(hex(ElementType::uint8, 5), "0x05");
  EXPECT_EQ(hex(ElementType::float6e2m3, 0x3f), "0x3f");
  EXPECT_EQ(hex(ElementType::int4, 0xf), "0xf");
}

TEST(Summary, CountsARefusalThatIsPermittedAsRight) {
  CaseRecord refused = record("a", Verdict::rejects_variant, 21, ElementType::uint8);
  refused.readings = {{"amb-scale-domain", "zero-or-non-finite-invalid"}};
  const Summary summary = summarize(2, {refused, record("b", Verdict::pass, 21, ElementType::uint8)});
  EXPECT_EQ(summary.all.legal[AnswerClass::right], 2);
  EXPECT_EQ(summary.unexpected, 0);
  EXPECT_TRUE(summary.readings.empty()) << "a refusal does not show by what reading";
  ASSERT_EQ(summary.matrix.size(), 1);
  EXPECT_EQ(summary.matrix.begin()->second.total(), 2);
}

struct ClassRow {
  Verdict verdict;
  AnswerClass of_legal;
  AnswerClass of_illegal;
};

TEST(AnswerClass, FollowsFromTheVerdictUnlessTheBackendWasNotAsked) {
  using enum AnswerClass;
  const ClassRow rows[] = {
      {Verdict::pass, right, rejected},
      {Verdict::pass_variant, right, permitted},
      {Verdict::rejects_variant, right, rejected},
      {Verdict::not_shown, undecided, undecided},
      {Verdict::fail, wrong, not_rejected},
      {Verdict::accepts_invalid, wrong, not_rejected},
      {Verdict::rejects_valid, refused, undecided},
      {Verdict::crash, wrong, not_rejected},
      {Verdict::timeout, wrong, not_rejected},
      {Verdict::not_run, undecided, undecided},
      {Verdict::harness_error, undecided, undecided},
  };
  ASSERT_EQ(std::size(rows), verdicts.size());
  for (const ClassRow& row : rows) {
    EXPECT_EQ(answer_class(row.verdict, /*must_reject=*/false, /*declined=*/false), row.of_legal) << name(row.verdict);
    EXPECT_EQ(answer_class(row.verdict, /*must_reject=*/true, /*declined=*/false), row.of_illegal) << name(row.verdict);
    EXPECT_EQ(answer_class(row.verdict, /*must_reject=*/false, /*declined=*/true), not_asked) << name(row.verdict);
  }
}

TEST(Tally, CountsIllegalModelsApart) {
  Tally tally;
  const auto count = [&](Verdict verdict, std::size_t cases) {
    CaseRecord made = record("a", verdict, 21, ElementType::uint8);
    made.violated = spec::find_clause("ql-formula");
    tally.count(made, cases);
  };
  tally.count(record("a", Verdict::pass, 21, ElementType::uint8), 3);
  count(Verdict::pass, 1040);
  EXPECT_EQ(in_words(tally),
            "3 right, 0 wrong, 0 refused, 0 not asked, of 3; illegal models: 1,040 rejected, of 1,040");
  count(Verdict::pass_variant, 2);
  count(Verdict::accepts_invalid, 5);
  count(Verdict::crash, 1);
  count(Verdict::not_shown, 4);
  EXPECT_EQ(in_words(tally),
            "3 right, 0 wrong, 0 refused, 0 not asked, of 3; illegal models: 1,040 rejected, "
            "2 accepted as a reading permits, 6 not rejected, 4 undecided, of 1,052");
  EXPECT_EQ(tally.legal.total(), 3U);
  EXPECT_EQ(tally.cases(Verdict::pass), 1043U);
}

TEST(AnswerClass, CountsAddUpToTheTotal) {
  const auto counted = [](std::initializer_list<std::pair<Verdict, std::size_t>> rows, std::size_t declined) {
    Tally tally;
    for (const auto& [verdict, cases] : rows) tally.count(record("a", verdict, 21, ElementType::uint8), cases);
    CaseRecord not_asked = record("a", Verdict::rejects_valid, 21, ElementType::uint8);
    not_asked.declined = true;
    tally.count(not_asked, declined);
    return in_words(tally);
  };
  EXPECT_EQ(counted({{Verdict::pass, 9757}, {Verdict::fail, 1587}, {Verdict::rejects_valid, 42546}}, 0),
            "9,757 right, 1,587 wrong, 42,546 refused, 0 not asked, of 53,890");
  EXPECT_EQ(counted({{Verdict::pass, 999}, {Verdict::crash, 1}, {Verdict::not_shown, 2}, {Verdict::not_run, 3}}, 1000),
            "999 right, 1 wrong, 0 refused, 1,000 not asked, 5 undecided, of 2,005");
  EXPECT_EQ(counted({{Verdict::rejects_variant, 1'000'000}}, 0),
            "1,000,000 right, 0 wrong, 0 refused, 0 not asked, of 1,000,000");
}

TEST(Summary, DoesNotFailARunForInconsistencies) {
  Summary summary = summarize(1, {record("a", Verdict::pass, 21, ElementType::uint8)});
  summary.inconsistencies.emplace(1);
  EXPECT_EQ(exit_code(summary), 0);
}

struct ExitRow {
  std::vector<Verdict> verdicts;
  int code;
};

TEST(Summary, DecidesTheExitCode) {
  const ExitRow rows[] = {
      {{}, 5},
      {{Verdict::pass}, 0},
      {{Verdict::pass, Verdict::pass_variant}, 0},
      {{Verdict::pass, Verdict::fail}, 1},
      {{Verdict::pass, Verdict::rejects_variant}, 0},
      {{Verdict::rejects_variant}, 0},
      {{Verdict::pass, Verdict::not_shown}, 0},
      {{Verdict::not_shown, Verdict::not_shown}, 5},
      {{Verdict::not_shown, Verdict::rejects_valid}, 5},
      {{Verdict::rejects_valid}, 5},
      {{Verdict::pass, Verdict::rejects_valid}, 1},
      {{Verdict::rejects_valid, Verdict::harness_error}, 1},
      {{Verdict::accepts_invalid}, 1},
      {{Verdict::crash}, 1},
      {{Verdict::timeout}, 1},
      {{Verdict::pass, Verdict::harness_error}, 3},
      {{Verdict::fail, Verdict::harness_error, Verdict::not_run}, 4},
      {{Verdict::fail, Verdict::harness_error}, 1},
      {{Verdict::harness_error, Verdict::not_run}, 4},
      {{Verdict::pass, Verdict::not_run}, 4},
  };
  for (const ExitRow& row : rows) {
    std::vector<CaseRecord> records;
    for (Verdict verdict : row.verdicts) records.push_back(record("a", verdict, 21, ElementType::uint8));
    EXPECT_EQ(exit_code(summarize(records.size(), records)), row.code);
  }
}

TEST(Summary, CountsCellsOfCasesThatRanOnly) {
  EXPECT_EQ(summarize(1, {record("a", Verdict::fail, 10, ElementType::uint8)}).covered_cells, 1U);
  EXPECT_EQ(summarize(1, {record("a", Verdict::not_run, 10, ElementType::uint8)}).covered_cells, 0U);
  EXPECT_EQ(summarize(1, {record("a", Verdict::harness_error, 10, ElementType::uint8)}).covered_cells, 0U);
  EXPECT_EQ(summarize(0, {}).legal_cells, 34'786U);
}

std::string matrix_of(const std::vector<CaseRecord>& records, Color color = Color::never) {
  const std::string text = render_matrix(run_info(records.size()), summarize(records.size(), records), color);
  const std::size_t end_of_legend = text.find("\n\n");
  return end_of_legend == text.npos ? "" : text.substr(end_of_legend + 1);
}

CaseRecord not_asked(const char* id, int opset, ElementType type) {
  CaseRecord made = record(id, Verdict::rejects_valid, opset, type);
  made.declined = true;
  return made;
}

TEST(Matrix, CountsRightAskedAndWrongCasesAndOmitsUnaskedOnes) {
  const std::vector<CaseRecord> records{
      record("a", Verdict::pass, 10, ElementType::uint8),
      record("b", Verdict::fail, 10, ElementType::uint8),
      record("c", Verdict::rejects_valid, 10, ElementType::uint8),
      not_asked("d", 10, ElementType::uint8),
      not_asked("e", 10, ElementType::int8),
      record("f", Verdict::rejects_valid, 13, ElementType::int8),
      record("g", Verdict::rejects_variant, 20, ElementType::uint8),
      record("h", Verdict::pass, 20, ElementType::uint8),
      not_asked("i", 21, ElementType::int16),
  };
  EXPECT_EQ(matrix_of(records),
            "\nQuantizeLinear\n"
            "opset       u8   i8\n"
            "10       1/3✗1\n"
            "13           ·  0/1\n"
            "20 (19)      2    ·\n");
  const std::string painted = matrix_of(records, Color::always);
  EXPECT_THAT(painted, HasSubstr("\033[31m1/3✗1\033[0m")) << "red: something is wrong";
  EXPECT_THAT(painted, HasSubstr("\033[33m0/1\033[0m")) << "yellow: only refused";
  EXPECT_THAT(painted, HasSubstr("\033[32m2\033[0m"));
  EXPECT_EQ(matrix_of({records[3], records[4]}), "") << "no case was asked";
}

/// The widest line, in characters.
std::size_t width(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    widest = std::max(widest, static_cast<std::size_t>(std::ranges::count_if(
                                  line, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; })));
  return widest;
}

/// Some cases of each operator, opset and type.
std::vector<CaseRecord> whole_lattice(const std::vector<Verdict>& of_each, std::size_t times) {
  std::vector<CaseRecord> records;
  for (const spec::Opset& opset : spec::opsets)
    for (const auto op : {spec::Operator::quantize_linear, spec::Operator::dequantize_linear}) {
      const spec::OperatorVersion* version = spec::resolve(opset.domain, op, opset.number);
      if (version == nullptr) continue;
      std::set<ElementType> types;
      for (const Cell& cell : legal_cells(*version)) types.insert(cell.quantized_type());
      for (const ElementType type : types)
        for (const Verdict verdict : of_each)
          for (std::size_t i = 0; i < times; ++i) {
            CaseRecord made;
            made.id = "a";
            made.verdict = verdict;
            made.subject = {version, opset.number, type};
            records.push_back(made);
          }
    }
  return records;
}

std::size_t tables_in(const std::string& matrix) {
  std::size_t tables = 0;
  std::istringstream lines(matrix);
  for (std::string line; std::getline(lines, line);) tables += line.starts_with("opset ");
  return tables;
}

TEST(Matrix, FitsInto80ColumnsWithTheWholeLattice) {
  const std::size_t operators = 5;  // two in ai.onnx and in com.microsoft, one in opmx
  const auto right = whole_lattice({Verdict::pass}, 123);
  const std::string good = render_matrix(run_info(right.size()), summarize(right.size(), right), Color::never);
  EXPECT_LE(width(good), 80U);
  std::string headings;
  std::istringstream lines(good);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("opset ")) headings += line + ' ';
  EXPECT_LE(tables_in(good), operators + 2) << "those of ai.onnx are divided into two";
  for (const CaseRecord& row : right)
    ASSERT_THAT(headings, HasSubstr(fmt::format(" {} ", spec::info(row.subject.quantized_type).short_name)));
  const auto mixed = whole_lattice({Verdict::pass, Verdict::fail, Verdict::rejects_valid, Verdict::not_shown}, 100);
  const std::string bad = render_matrix(run_info(mixed.size()), summarize(mixed.size(), mixed), Color::never);
  EXPECT_THAT(bad, HasSubstr(" 100/400✗100 "));
  EXPECT_LE(width(bad), 80U);
}

TEST(Matrix, HasATableForEachOperatorThatTheRunHas) {
  const auto of_cell = [](const char* text) {
    CaseRecord made = record(text, Verdict::pass, 21, ElementType::uint8);
    const Cell cell = *find_cell(text);
    made.cells = {cell};
    made.subject = {cell.version, cell.version->since_version, cell.quantized_type()};
    return made;
  };
  const Summary summary = summarize(2, {of_cell("com.microsoft/quantize_linear/1/f32-f32-i4/per_axis/zp"),
                                        of_cell("opmx/dequantize_linear/1/i4x4-f16-f16/blocked/zp=i8")});
  const std::string matrix = render_matrix(run_info(2), summary, Color::never);
  EXPECT_THAT(matrix, HasSubstr("\ncom.microsoft.QuantizeLinear\nopset  i4\n1       1\n"));
  EXPECT_THAT(matrix, HasSubstr("\nopmx.DequantizeLinear\nopset  i4x4\n1         1\n"));
  EXPECT_THAT(matrix, Not(HasSubstr("ai.onnx"))) << "of which there is no case";
}

TEST(Matrix, NamesABackendWithoutAVersion) {
  RunInfo run = run_info(1);
  run.backend = {"mine", "", ""};
  run.suites = {"onnx"};
  const std::string matrix = render_matrix(run, summarize(1, {}), Color::never);
  EXPECT_THAT(matrix, StartsWith("backend mine, onnx\n"));
}

TEST(Matrix, TotalsHaveTheirDenominators) {
  const std::string totals = render_totals(run_info(2),
                                           summarize(2, {record("a", Verdict::pass, 10, ElementType::uint8),
                                                         record("b", Verdict::not_run, 10, ElementType::uint8)}),
                                           Color::never);
  EXPECT_THAT(totals, HasSubstr("1 right, 0 wrong, 0 refused, 0 not asked, 1 undecided, of 2\n"));
  EXPECT_THAT(totals, HasSubstr("1 of 2 cases are not run\n"));
}

TEST(Matrix, TotalsExplainTheirCounts) {
  std::vector<CaseRecord> records{record("a", Verdict::pass_variant, 21, ElementType::uint8),
                                  record("b", Verdict::pass, 21, ElementType::uint8),
                                  record("c", Verdict::accepts_invalid, 21, ElementType::uint8)};
  records[0].readings = {{"amb-nan-to-integer", "minimum"}};
  records[0].elements = 7;
  records[0].masked = 3;
  records[1].violated = records[2].violated = spec::find_clause("ql-formula");
  const std::string totals = render_totals(run_info(3), summarize(3, records), Color::never);
  EXPECT_THAT(totals, HasSubstr("\nreading amb-nan-to-integer: minimum x1\n"));
  EXPECT_THAT(totals, HasSubstr(", of 1; illegal models: 1 rejected, 1 not rejected, of 2\n"));
}

TEST(Matrix, TheConclusionIsASentence) {
  const auto concluded = [](const std::vector<std::pair<Verdict, bool>>& cases, std::size_t planned = 0) {
    std::vector<CaseRecord> records;
    for (const auto& [verdict, is_illegal] : cases) {
      records.push_back(record("a", verdict, 21, ElementType::uint8));
      if (is_illegal) records.back().violated = spec::find_clause("ql-formula");
    }
    return conclusion(summarize(std::max(planned, records.size()), records));
  };
  using enum Verdict;
  EXPECT_EQ(concluded({{pass, false}, {pass_variant, false}, {pass, true}}), "Right: 2 of 2 legal models.");
  EXPECT_EQ(concluded({{pass, false}, {not_shown, false}}), "Right: 1 of 2 legal models.");
  EXPECT_EQ(concluded({{pass, false}, {rejects_valid, false}}), "Nothing is wrong; refused: 1 of 2 legal models.");
  EXPECT_EQ(concluded({{fail, false}, {rejects_valid, false}, {accepts_invalid, true}}),
            "Wrong: 1 of 2 legal models, not rejected: 1 of 1 illegal models.");
  EXPECT_EQ(concluded({{pass, false}, {accepts_invalid, true}}), "Not rejected: 1 of 1 illegal models.");
  EXPECT_EQ(concluded({{pass, true}}), "Rejected: 1 of 1 illegal models.");
  EXPECT_EQ(concluded({{crash, false}}, 3), "Wrong: 1 of 3 legal models, not run: 2 of 3 cases.");
}

/// What the backend refused, or was not asked, is not judged.
TEST(Summary, CountsTheElementsOfAnswers) {
  std::vector<CaseRecord> records;
  for (const Verdict verdict : {Verdict::pass, Verdict::fail, Verdict::rejects_valid, Verdict::rejects_valid,
                                Verdict::crash, Verdict::not_run}) {
    records.push_back(record("a", verdict, 21, ElementType::uint8));
    records.back().elements = 10;
    records.back().masked = 1;
  }
  records[3].declined = true;
  const Summary summary = summarize(records.size(), records);
  EXPECT_EQ(summary.elements, 20);
  EXPECT_EQ(summary.masked, 2);
}

TEST(CausesText, NamesEachClauseOnce) {
  Summary summary;
  Cause cause{.sentence = "accepts models that violate other clauses", .where = "onnx-inputs (1 of 2 cases)"};
  cause.clauses = {"onnx-inputs", "ql-formula"};
  EXPECT_EQ(violated_clauses(cause), "clause ql-formula");
  cause.clauses = {"onnx-inputs"};
  EXPECT_EQ(violated_clauses(cause), "");
  summary.causes = {cause};
  const std::string text = render_causes(summary, Color::never);
  EXPECT_EQ(text.find("onnx-inputs"), text.rfind("onnx-inputs"));
  EXPECT_THAT(text, Not(HasSubstr("clause onnx-inputs")));
}

TEST(CausesText, CountsProblemsThatNoCauseExplains) {
  Summary summary;
  summary.causes = {{.sentence = "refuses", .cases = {0, 1, 2}, .is_explained = false}};
  EXPECT_EQ(causes_headline(summary), "3 problems without a known cause");
  summary.causes.push_back({.is_wrong = true, .sentence = "rounds half up", .cases = {3}});
  EXPECT_EQ(causes_headline(summary), "1 cause explains 1 of 4 problems; 1 of them is a wrong result");
}

TEST(Support, IsRightInAllCases) {
  std::vector<CaseRecord> records;
  const auto add = [&](Verdict verdict, int opset, ElementType type) {
    records.push_back(record("a", verdict, opset, type));
  };
  for (const int opset : {10, 13}) add(Verdict::pass, opset, ElementType::uint8);
  for (const Verdict verdict : {Verdict::pass, Verdict::fail, Verdict::rejects_valid, Verdict::not_shown})
    add(verdict, 21, ElementType::uint8);
  add(Verdict::rejects_valid, 23, ElementType::uint8);
  for (const Verdict verdict : {Verdict::pass, Verdict::not_shown}) add(verdict, 24, ElementType::uint8);
  add(Verdict::fail, 21, ElementType::int4);
  add(Verdict::rejects_valid, 21, ElementType::int4);
  for (const int opset : {21, 23}) add(Verdict::rejects_valid, opset, ElementType::int8);
  records.push_back(not_asked("a", 28, ElementType::int8));
  std::vector<std::string> rows;
  for (const Support& row : supported(summarize(records.size(), records))) rows.push_back(in_words(row));
  EXPECT_THAT(rows, testing::ElementsAre(
                        "QuantizeLinear uint8: opset 10 to 13 all right; opset 21 right in 1 of 4, wrong in 1, "
                        "refused 1, undecided 1; opset 23 refused; opset 24 all right or undecided",
                        "QuantizeLinear int8: opset 21 to 23 refused; opset 28 not asked",
                        "QuantizeLinear int4: opset 21 right in 0 of 2, wrong in 1, refused 1"));
  EXPECT_THAT(supported(summarize(1, {records[0]})), testing::IsEmpty());
}

TEST(CausesText, SuggestsOptions) {
  Summary summary;
  summary.all.count(record("a", Verdict::rejects_valid, 28, ElementType::uint8));
  summary.matrix[{{spec::ai_onnx, spec::Operator::quantize_linear, 28}, ElementType::uint8}] = summary.all.legal;
  EXPECT_EQ(render_support(summary), "supported\n  QuantizeLinear uint8: opset 28 refused\n");
  summary.limits.opsets = {{"ai.onnx", 10, 10}};
  summary.limits.static_shapes_only = true;
  EXPECT_THAT(render_support(summary),
              EndsWith("  a run with these options does not ask for types, opsets and forms that were always refused:\n"
                       "    --assume static-shapes --assume opsets=ai.onnx:10\n"));
}

TEST(Matrix, TotalsCountUnaskedAndFlakyCases) {
  std::vector<CaseRecord> records{record("a", Verdict::rejects_valid, 21, ElementType::uint8),
                                  record("b", Verdict::fail, 21, ElementType::uint8),
                                  record("c", Verdict::pass, 21, ElementType::uint8)};
  records[0].declined = true;
  records[1].flaky = "pass when it was run again";
  RunInfo run = run_info(3);
  run.declared = {.constant_scales_only = true};
  run.assumed = {.element_types = {1, 2}};
  const Summary summary = summarize(3, records);
  EXPECT_EQ(summary.covered_cells, 1U) << "by b and c: the same cell, and a was not run";
  const std::string totals = render_totals(run, summary, Color::never);
  EXPECT_THAT(totals, Not(HasSubstr("rejects_valid"))) << "nothing that was asked was refused";
  for (const char* line : {"1 right, 1 wrong, 0 refused, 1 not asked, of 3\n", "1 of 3 cases are flaky: ",
                           "the backend declares: constant-scales\n", "the backend is assumed: types=FLOAT,UINT8\n"})
    EXPECT_THAT(totals, HasSubstr(line));
  const std::string markdown = markdown_report(run, summary, records);
  for (const char* line :
       {"**1 right, 1 wrong, 0 refused, 1 not asked, of 3.**",
        "| legal models: not asked, as declared or assumed | 1 | 3 |",
        "| flaky: another outcome when run again | 1 | 3 |", "The backend declares: constant-scales."})
    EXPECT_THAT(markdown, HasSubstr(line));
  const std::string quiet = render_totals(run_info(1), summarize(1, {records[2]}), Color::never);
  EXPECT_THAT(quiet, Not(AnyOf(HasSubstr("asked:"), HasSubstr("flaky"), HasSubstr("the backend"))));
}

CaseRecord hostile() {
  CaseRecord made = record("onnx/\"quoted\"\n<id>", Verdict::fail, 21, ElementType::uint8);
  made.reason = "bytes \xff\xfe that are no UTF-8";
  made.wrong_elements = {{.index = 7,
                          .x = ElementCode{ElementType::float32, 0x3fc00000},
                          .scale = ElementCode{ElementType::float32, 0x3f800000},
                          .zero_point = {},
                          .expected = {ElementType::uint8, 2},
                          .actual = {ElementType::uint8, 1},
                          .position = {1, 3},
                          .scale_index = 5,
                          .block = 2}};
  return made;
}

TEST(Details, ShowAWrongElementWhole) {
  const std::string text = render_problem(hostile(), Color::never);
  for (const char* part : {"index", "7", "[1,3]", "1.5 (0x3fc00000)", "1 (0x3f800000)", "scale index", "5", "block",
                           "x / scale", "1.5", "2 (0x02)", "1 (0x01)"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, Not(HasSubstr("zero point"))) << "there is none";
  const std::vector<CaseRecord> records{hostile()};
  const std::string markdown = markdown_report(run_info(1), summarize(1, records), records);
  for (const char* part : {"element 7", "index 5", "of block 2", "x / scale 1.5"})
    EXPECT_THAT(markdown, HasSubstr(part));
}

TEST(JsonReport, CountsAnswerClasses) {
  std::vector<CaseRecord> records{record("a", Verdict::pass, 10, ElementType::uint8),
                                  record("b", Verdict::rejects_variant, 10, ElementType::uint8),
                                  record("c", Verdict::fail, 10, ElementType::uint8),
                                  record("d", Verdict::rejects_valid, 10, ElementType::uint8),
                                  record("e", Verdict::not_shown, 10, ElementType::uint8),
                                  not_asked("f", 10, ElementType::uint8),
                                  not_asked("g", 10, ElementType::uint8)};
  for (CaseRecord& row : records) row.form = "inputs";
  Summary summary = summarize(8, records);
  summary.all_cases = true;
  std::string text;
  json_report(run_info(8), summary, records, [&](std::string_view part) { text += part; });
  const auto report = nlohmann::json::parse(text);
  const auto expect = [](const nlohmann::json& counts, int undecided) {
    EXPECT_EQ(counts["asked"], 4 + undecided);
    EXPECT_EQ(counts["right"], 2);
    EXPECT_EQ(counts["wrong"], 1);
    EXPECT_EQ(counts["refused"], 1);
    EXPECT_EQ(counts["not_asked"], 2);
    EXPECT_EQ(counts["undecided"], undecided);
  };
  expect(report["summary"], 2);  // one of the eight cases has not run
  expect(report["matrix"][0], 1);
  expect(report["forms"][0], 1);
  EXPECT_EQ(report["matrix"][0]["total"], 7);
  EXPECT_EQ(report["summary"]["verdicts"]["rejects_valid"], 3);
  const char* const classes[] = {"right", "right", "wrong", "refused", "undecided", "not_asked", "not_asked"};
  for (std::size_t i = 0; i < std::size(classes); ++i) EXPECT_EQ(report["cases"][i]["class"], classes[i]) << i;
}

TEST(JsonReport, HasTheWholeRun) {
  const std::vector<CaseRecord> records{record("a", Verdict::pass, 10, ElementType::uint8), hostile()};
  Summary summary = summarize(records.size(), records);
  summary.all_cases = true;
  std::string text;
  json_report(run_info(records.size()), summary, records, [&](std::string_view part) { text += part; });
  const auto report = nlohmann::json::parse(text);
  EXPECT_EQ(report["summary"]["cases"], 2);
  EXPECT_EQ(report["summary"]["verdicts"].size(), verdicts.size()) << "zeros included";
  EXPECT_EQ(report["summary"]["verdicts"]["pass"], 1);
  EXPECT_EQ(report["summary"]["verdicts"]["crash"], 0);
  EXPECT_EQ(report["summary"]["cells"]["legal"], 34'786);
  EXPECT_EQ(report["summary"]["cells"]["covered"], 2);
  ASSERT_EQ(report["cases"].size(), 2U);
  EXPECT_EQ(report["cases"][0]["operator"], "QuantizeLinear");
  EXPECT_EQ(report["cases"][1]["id"], *hostile().id);
  EXPECT_EQ(report["cases"][1]["wrong_elements"][0]["expected"]["code"], "0x02");
  EXPECT_TRUE(report["cases"][1]["wrong_elements"][0]["zero_point"].is_null());
  EXPECT_EQ(report["cases"][1]["wrong_elements"][0]["position"], nlohmann::json({1, 3}));
  EXPECT_EQ(report["cases"][1]["wrong_elements"][0]["scale_index"], 5);
  EXPECT_EQ(report["cases"][1]["wrong_elements"][0]["block"], 2);
  EXPECT_EQ(report["cases"][1]["wrong_elements"][0]["quotient"], "1.5");
}

}  // namespace
}  // namespace touchstone::conformance::report_test
