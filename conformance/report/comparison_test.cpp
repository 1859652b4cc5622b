// Comparisons of runs: their numbers, what they share, and what only one of them does.
#include "conformance/report/comparison.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "conformance/report/samples_testing.h"

namespace touchstone::conformance::comparison_test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Journal journal_of(const SampleRun& sample, const std::string& backend) {
  Journal journal;
  journal.run = sample.run;
  journal.records = sample.records;
  journal.run.backend.name = backend;
  journal.is_finished = true;
  journal.fingerprint = sample.fingerprint;
  journal.sum = fmt::format("{:0>64}", backend);
  return journal;
}

/// Cases of one cell each. All are right.
SampleRun run_of(const std::vector<const char*>& cells) {
  SampleRun sample = failing_run(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    CaseRecord& record = sample.records[i];
    record.id = fmt::format("{}/{}", cells[i], i);
    record.cells = {*find_cell(cells[i])};
    const Cell& cell = record.cells.front();
    record.subject = {cell.version, cell.version->since_version, cell.quantized_type()};
    record.verdict = Verdict::pass;
    record.reason = {};
    record.wrong_elements = {};
    record.hypotheses = {};
  }
  return sample;
}

void give(CaseRecord& record, Verdict verdict, const std::string& reason = "") {
  record.verdict = verdict;
  record.reason = reason;
}

constexpr const char* quantize_10 = "quantize_linear/10/f32-f32-u8/per_tensor/zp";
constexpr const char* quantize_13 = "quantize_linear/13/f32-f32-u8/per_tensor/zp";
constexpr const char* quantize_19 = "quantize_linear/19/f32-f32-u8/per_tensor/zp";
constexpr const char* dequantize_13 = "dequantize_linear/13/u8-f32-f32/per_axis/zp";

/// The first backend is wrong in version 13 of QuantizeLinear; the second refuses DequantizeLinear.
RunComparison two_runs() {
  SampleRun wrong = run_of({quantize_10, quantize_13, quantize_19, dequantize_13});
  SampleRun refusing = wrong;
  give(wrong.records[1], Verdict::fail, "1 of 2 elements differ");
  give(refusing.records[3], Verdict::rejects_valid, "no kernel");
  std::vector<ComparedRun> runs;
  runs.push_back(compared_run("out/wrong", journal_of(wrong, "wrong-npu")));
  runs.push_back(compared_run("out/refusing", journal_of(refusing, "refusing-npu")));
  return compare_runs(std::move(runs));
}

std::vector<std::string> words_of(const RunComparison::Row& row) {
  std::vector<std::string> words;
  for (const auto& counts : row.counts)
    words.push_back(!counts ? "no case"
                    : result_word(*counts).empty()
                        ? fmt::format("{} of {} right", (*counts)[AnswerClass::right], counts->total())
                        : std::string(result_word(*counts)));
  return words;
}

TEST(RunComparison, ShowsResultsSideBySide) {
  const RunComparison comparison = two_runs();
  EXPECT_TRUE(comparison.has_same_cases);
  EXPECT_THAT(comparison.notes, IsEmpty());
  ASSERT_THAT(comparison.operators, SizeIs(2));
  EXPECT_THAT(comparison.operators[0].path, ElementsAre("QuantizeLinear", "uint8", "per_tensor"));
  EXPECT_THAT(words_of(comparison.operators[0]), ElementsAre("2 of 3 right", "all right"));
  EXPECT_THAT(words_of(comparison.operators[1]), ElementsAre("all right", "refused"));
  ASSERT_THAT(comparison.versions, SizeIs(1)) << "the other versions have the same result, and DequantizeLinear one";
  EXPECT_THAT(comparison.versions[0].path, ElementsAre("QuantizeLinear", "uint8", "per_tensor", "13"));
  EXPECT_THAT(words_of(comparison.versions[0]), ElementsAre("wrong", "all right"));
}

TEST(RunComparison, ShowsWhatUsersKnowBeforeTheOperators) {
  RunComparison comparison = two_runs();
  comparison.uses = {{{"int8 CNN"}, {comparison.operators[1].counts}}};
  EXPECT_THAT(comparison_text(comparison, 20),
              ContainsRegex("graphs of networks: .*\n.*\nint8 CNN .*\n\nQuantizeLinear: "));
}

TEST(RunComparison, NamesTheCasesOfASingleRun) {
  const RunComparison comparison = two_runs();
  ASSERT_THAT(comparison.only_here, SizeIs(2));
  EXPECT_TRUE(comparison.only_here[0].is_wrong);
  EXPECT_EQ(comparison.only_here[0].run, 0U);
  EXPECT_THAT(comparison.only_here[0].ids, ElementsAre(fmt::format("{}/1", quantize_13)));
  EXPECT_FALSE(comparison.only_here[1].is_wrong);
  EXPECT_EQ(comparison.only_here[1].run, 1U) << "a refusal is not wrong";
  EXPECT_THAT(comparison.only_here[1].ids, ElementsAre(fmt::format("{}/1", quantize_13)));
}

TEST(RunComparison, PutsCausesNextToEachOther) {
  SampleRun sample = run_of({quantize_10, quantize_13});
  give(sample.records[0], Verdict::fail);
  sample.records[0].hypotheses = {"ignores-axis"};
  std::vector<ComparedRun> runs;
  runs.push_back(compared_run("a", journal_of(sample, "one")));
  give(sample.records[1], Verdict::rejects_valid, "no kernel");
  runs.push_back(compared_run("b", journal_of(sample, "other")));
  const RunComparison comparison = compare_runs(std::move(runs));
  ASSERT_THAT(comparison.causes, SizeIs(2));
  EXPECT_THAT(comparison.causes[0].parts, SizeIs(2));
  EXPECT_EQ(comparison.causes[0].parts[0].cause->name, "ignores-axis");
  EXPECT_THAT(comparison.causes[1].parts, SizeIs(1));
  const std::string text = comparison_text(comparison, 0);
  EXPECT_THAT(text, AllOf(HasSubstr("\n  A B wrong: "), HasSubstr("[ignores-axis]\n    A  1 case: "),
                          HasSubstr("\n    B  1 case: "), HasSubstr("\n  B refused: ")));
}

TEST(RunComparison, ComparesTheCasesThatRunsOfDifferentPlansShare) {
  const SampleRun more = run_of({quantize_10, quantize_13, quantize_19});
  SampleRun fewer = run_of({quantize_10, quantize_13});
  fewer.run.plan_hash.front() = 'f';
  fewer.records[1].digest.bytes[0] ^= 1;  // the same id, but another case
  std::vector<ComparedRun> runs;
  runs.push_back(compared_run("a", journal_of(more, "one")));
  runs.push_back(compared_run("b", journal_of(fewer, "other")));
  const RunComparison comparison = compare_runs(std::move(runs));
  ASSERT_THAT(comparison.notes, SizeIs(1));
  EXPECT_THAT(comparison.notes[0], HasSubstr("different plans, of 3, 2 cases. Compared are the 1 cases"));
  for (const ComparedRun& run : comparison.runs) EXPECT_EQ(run.result.total.legal.total(), 1U);
  EXPECT_TRUE(comparison.has_same_cases);
}

TEST(RunComparison, SaysThatNumbersAreOfDifferentCases) {
  const SampleRun sample = run_of({quantize_10, quantize_13});
  SampleRun other = run_of({dequantize_13});
  other.run.plan_hash.front() = 'f';
  for (const bool have_journals : {true, false}) {
    std::vector<ComparedRun> runs;
    runs.push_back(compared_run("a", journal_of(sample, "one")));
    runs.push_back(compared_run("b", journal_of(other, "other")));
    if (!have_journals) runs[0].journal.reset();
    const RunComparison comparison = compare_runs(std::move(runs));
    EXPECT_FALSE(comparison.has_same_cases);
    ASSERT_THAT(comparison.notes, SizeIs(1));
    EXPECT_THAT(comparison.notes[0], HasSubstr(have_journals ? "no case is common to all of them" : "different cases"));
    for (const std::string& text : {comparison_text(comparison, 0), comparison_markdown(comparison, 0)}) {
      EXPECT_THAT(text, AllOf(HasSubstr("2/2"), HasSubstr("1/1"), Not(HasSubstr("all right"))));
      EXPECT_THAT(text, HasSubstr("different cases"));
    }
  }
}

TEST(RunComparison, SaysThatCasesHaveOtherData) {
  const SampleRun sample = run_of({quantize_10, quantize_13});
  SampleRun changed = sample;
  changed.records[1].digest.bytes[0] ^= 1;
  SampleRun strict = sample;
  strict.run.strict = true;
  strict.run.plan_hash.front() = 'f';
  const auto compared = [&](const SampleRun& other, bool have_journals) {
    std::vector<ComparedRun> runs;
    runs.push_back(compared_run("a", journal_of(sample, "one")));
    runs.push_back(compared_run("b", journal_of(other, "other")));
    if (!have_journals) runs[0].journal.reset();
    return compare_runs(std::move(runs));
  };
  const RunComparison whole = compared(changed, false);
  EXPECT_FALSE(whole.has_same_cases);
  EXPECT_THAT(whole.notes, ElementsAre(HasSubstr("some cases in different forms or with different data: the numbers")));
  const RunComparison shared = compared(changed, true);
  EXPECT_TRUE(shared.has_same_cases);
  EXPECT_THAT(shared.notes, ElementsAre(HasSubstr("different data, of 2, 2 cases. Compared are the 1 cases")));
  const RunComparison judged = compared(strict, false);
  EXPECT_TRUE(judged.has_same_cases) << "the hash of the plan is another one, because the judge is";
  EXPECT_THAT(judged.notes, ElementsAre(HasSubstr("judged with different options")));
}

TEST(RunComparison, KeepsTheGranularitiesThatSomeRunsHave) {
  const SampleRun sample = run_of({quantize_10, dequantize_13});
  std::vector<ComparedRun> runs;
  runs.push_back(compared_run("a", journal_of(sample, "one")));
  runs.push_back(compared_run("report.json", journal_of(sample, "other")));
  ResultRows& rows = runs[1].result.operators;
  rows = {{{"QuantizeLinear", "uint8", any_name, "10"}, rows.begin()->second}};
  const RunComparison comparison = compare_runs(std::move(runs));
  ASSERT_THAT(comparison.operators, SizeIs(3));
  EXPECT_THAT(comparison.operators[0].path, ElementsAre("QuantizeLinear", "uint8", "per_tensor"));
  EXPECT_THAT(words_of(comparison.operators[0]), ElementsAre("all right", "no case"));
  EXPECT_THAT(comparison.operators[1].path, ElementsAre("QuantizeLinear", "uint8", any_name));
  EXPECT_THAT(words_of(comparison.operators[1]), ElementsAre("all right", "all right"));
  EXPECT_THAT(comparison.operators[2].path, ElementsAre("DequantizeLinear", "uint8", "per_axis"));
  EXPECT_THAT(comparison.notes, ElementsAre(HasSubstr(": report.json. Give the run directory")));
  EXPECT_TRUE(comparison.runs[0].result.has_granularities()) << "the page has them";
}

/// A pattern without a row of its own is right if those patterns share a row, and unknown otherwise.
TEST(RunComparison, FillsInPatternsThatShareARow) {
  Counts right;
  right.by_class[static_cast<std::size_t>(AnswerClass::right)] = 3;
  Counts wrong;
  wrong.by_class[static_cast<std::size_t>(AnswerClass::wrong)] = 3;
  const auto rows_if = [&](const char* shared) {
    const SampleRun sample = run_of({quantize_10});
    std::vector<ComparedRun> runs;
    runs.push_back(compared_run("a", journal_of(sample, "one")));
    runs.push_back(compared_run("b", journal_of(sample, "other")));
    runs[0].result.graphs = {{{"dq_conv_ql", "types", "uint8"}, wrong}};
    runs[1].result.graphs = {{{shared, "types", "uint8"}, right}};
    return compare_runs(std::move(runs)).graphs;
  };
  ASSERT_THAT(rows_if(right_patterns), SizeIs(1));
  EXPECT_THAT(words_of(rows_if(right_patterns)[0]), ElementsAre("wrong", "all right"));
  EXPECT_THAT(rows_if(other_patterns), IsEmpty());
}

TEST(RunComparison, ShowsFingerprintsWhereTheyDiffer) {
  const SampleRun sample = run_of({quantize_10});
  std::vector<ComparedRun> runs;
  for (const char* name : {"a", "b", "c", "d"}) runs.push_back(compared_run(name, journal_of(sample, name)));
  runs[0].result.fingerprint = Json::parse(R"({"amb-a": "zero", "amb-b": "same", "amb-c": ["x", "y"]})");
  runs[1].result.fingerprint =
      Json::parse(R"({"amb-a": {"type": {"uint8, int8": "zero", "int4": ["p", "q"]}}, "amb-b": "same"})");
  runs[2].result.fingerprint = Json::parse(R"({"amb-a": {"inconsistent": ["zero", ["p", "q"]]}})");
  runs[3].result.fingerprint = Json::parse(R"({"amb-a": "zero"})");
  const RunComparison comparison = compare_runs(std::move(runs));
  ASSERT_THAT(comparison.fingerprint, SizeIs(1));
  EXPECT_THAT(comparison_text(comparison, 0),
              HasSubstr("  amb-a\n    A D  zero\n    B  type: zero for uint8, int8; p or q for int4\n"
                        "    C  inconsistent: zero; p or q\n"));
}

TEST(RunComparison, ListsAsManyCasesAsAsked) {
  const std::vector<const char*> cells(5, quantize_10);
  SampleRun wrong = run_of(cells);
  for (CaseRecord& record : wrong.records) give(record, Verdict::fail);
  std::vector<ComparedRun> runs;
  runs.push_back(compared_run("a", journal_of(wrong, "one")));
  runs.push_back(compared_run("b", journal_of(run_of(cells), "other")));
  const RunComparison comparison = compare_runs(std::move(runs));
  EXPECT_THAT(comparison_text(comparison, 2),
              AllOf(HasSubstr("wrong only in A: 5\n"), HasSubstr("/1\n  ... and 3 more: --most 0 shows all\n")));
  EXPECT_THAT(comparison_text(comparison, 0), AllOf(HasSubstr("/4\n"), Not(HasSubstr("more"))));
  const Json json = Json::parse(comparison_json(comparison));
  EXPECT_EQ(json["only_here"][0]["class"], "wrong");
  EXPECT_EQ(json["only_here"][0]["cases"].size(), 5U);
}

TEST(RunComparison, IsWrittenAsJson) {
  const Json json = Json::parse(comparison_json(two_runs()));
  EXPECT_EQ(json["comparison"], 1);
  EXPECT_EQ(json["runs"][1]["origin"], "out/refusing");
  EXPECT_EQ(json["runs"][1]["result"]["backend"]["name"], "refusing-npu");
  EXPECT_EQ(json["operators"][0],
            Json::parse(R"({"path": ["QuantizeLinear", "uint8", "per_tensor"], "counts": [[2, 1], [3]]})"));
  EXPECT_EQ(json["causes"][1]["class"], "refused");
  EXPECT_EQ(json["causes"][1]["runs"][0]["run"], 1);
}

/// The tables fit into a terminal. Prose is broken by the program.
TEST(RunComparison, HasNarrowTables) {
  std::vector<ComparedRun> runs;
  for (int i = 0; i < 28; ++i) {
    SampleRun sample = large_run(200);
    for (std::size_t k = 0; k < sample.records.size(); k += static_cast<std::size_t>(i) + 2)
      give(sample.records[k], Verdict::rejects_valid, "no kernel");
    runs.push_back(compared_run("a", journal_of(sample, fmt::format("backend {}", i))));
  }
  std::istringstream lines(comparison_text(compare_runs(std::move(runs)), 1));
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool is_prose = line.starts_with(' ');
    if (is_prose || (line.find(" per_") == std::string::npos && line.find(" blocked") == std::string::npos)) continue;
    ++rows;
    std::size_t width = 0;
    for (const char byte : line) width += (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
    EXPECT_LE(width, 80U) << line;
  }
  EXPECT_GT(rows, 20U);
}

TEST(RunComparison, LetsNoTextActAsMarkup) {
  const SampleRun hostile = hostile_run();
  SampleRun other = hostile;
  for (CaseRecord& record : other.records)
    if (record.verdict == Verdict::fail) record.verdict = Verdict::pass;
  std::vector<ComparedRun> runs;
  runs.push_back(compared_run(std::string(hostile_texts[5]), journal_of(hostile, std::string(hostile_texts[1]))));
  runs.push_back(compared_run(std::string(hostile_texts[3]), journal_of(other, std::string(hostile_texts[6]))));
  const RunComparison comparison = compare_runs(std::move(runs));
  const std::string text = comparison_text(comparison, 0);
  const std::string markdown = comparison_markdown(comparison, 0);
  const std::string json = comparison_json(comparison);
  for (const std::string& one : {text, markdown, json})
    for (const char* control : {"\x1b", "\x07", "\x7f", "\xc2\x9b", "\r", "\nlines"})
      EXPECT_THAT(one, Not(HasSubstr(control))) << testing::PrintToString(control);
  EXPECT_THAT(markdown, AllOf(Not(HasSubstr("<script")), HasSubstr("&lt;script&gt;")));
  EXPECT_TRUE(std::ranges::all_of(json, [](char byte) { return static_cast<unsigned char>(byte) < 0x80; }));
  EXPECT_EQ(Json::parse(json)["runs"].size(), 2U);
}

TEST(RunComparison, KnowsTheSameRun) {
  const ComparedRun run = compared_run("a", journal_of(run_of({quantize_10}), "one"));
  EXPECT_TRUE(is_same_run(run.result, read_result(to_text(run.result))));
  EXPECT_FALSE(is_same_run(run.result, compared_run("a", journal_of(run_of({quantize_10}), "two")).result));
}

TEST(RunComparison, IsPossibleForASingleRun) {
  std::vector<ComparedRun> runs;
  runs.push_back(compared_run("a", journal_of(run_of({quantize_10}), "one")));
  const std::string text = comparison_text(compare_runs(std::move(runs)), 0);
  EXPECT_THAT(text, AllOf(HasSubstr("run\n  A: one 2.4.1"), HasSubstr("\nuint8 per_tensor  all right\n"),
                          Not(HasSubstr("only in"))));
}

}  // namespace
}  // namespace touchstone::conformance::comparison_test
