// The reports of a few handmade records.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "conformance/files/file_io.h"
#include "conformance/plan/number.h"
#include "conformance/report/details.h"
#include "conformance/report/format.h"
#include "conformance/report/matrix.h"
#include "conformance/report/summary.h"
#include "conformance/testing.h"

namespace touchstone::conformance {
namespace {

using spec::ElementType;
using testing::AnyOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

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

TEST(Summary, CountsARefusalThatIsPermittedAsNeitherPassedNorWrong) {
  CaseRecord refused = record("a", Verdict::rejects_variant, 21, ElementType::uint8);
  refused.readings = {{"amb-scale-domain", "zero-or-non-finite-invalid"}};
  const Summary summary = summarize(2, {refused, record("b", Verdict::pass, 21, ElementType::uint8)});
  EXPECT_EQ(summary.passed(), 1);
  EXPECT_EQ(summary.unexpected, 0);
  EXPECT_TRUE(summary.readings.empty()) << "a refusal does not show by what reading";
  ASSERT_EQ(summary.matrix.size(), 1);
  EXPECT_EQ(summary.matrix.begin()->second.passed, 1);
  EXPECT_EQ(summary.matrix.begin()->second.total, 2);
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
      {{Verdict::pass, Verdict::not_shown}, 0},
      {{Verdict::not_shown, Verdict::not_shown}, 5},
      {{Verdict::not_shown, Verdict::rejects_valid}, 1},
      {{Verdict::rejects_valid}, 1},
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

std::string line_of(const std::string& text, const std::string& start) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(start)) return line;
  return "";
}

TEST(Matrix, TellsPassedUntouchedAndAbsentApart) {
  const Summary summary = summarize(
      3, {record("a", Verdict::pass, 10, ElementType::uint8), record("b", Verdict::fail, 10, ElementType::uint8),
          record("c", Verdict::pass, 20, ElementType::float8e5m2)});
  const std::string matrix = render_matrix(run_info(3), summary, Color::never);
  EXPECT_THAT(line_of(matrix, "QuantizeLinear 10"), ContainsRegex("^QuantizeLinear 10 +1/2 +·$"))
      << "int8 is not touched";
  EXPECT_THAT(line_of(matrix, "QuantizeLinear 20 (19)"), HasSubstr("1/1"));
  EXPECT_THAT(line_of(matrix, "QuantizeLinear 28"), Not(HasSubstr("/")));
  EXPECT_THAT(line_of(matrix, "DequantizeLinear 28"), HasSubstr("·"));
  EXPECT_THAT(matrix, Not(HasSubstr("\033")));
  EXPECT_THAT(render_matrix(run_info(3), summary, Color::always), HasSubstr("\033"));
}

TEST(Matrix, HasATableForEachDomainThatTheRunHas) {
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
  EXPECT_THAT(line_of(matrix, "com.microsoft opset"), ContainsRegex(" u16 +i16 +u8 +i8 +u4 +i4$"));
  EXPECT_THAT(line_of(matrix, "QuantizeLinear 1 "), ContainsRegex("· +1/1$"));
  EXPECT_THAT(line_of(matrix, "opmx opset"), ContainsRegex(" i8 +i4x4$"));
  EXPECT_THAT(matrix, ContainsRegex("DequantizeLinear 1 +· +1/1\n"));
  EXPECT_THAT(matrix, Not(HasSubstr("ai.onnx"))) << "of which there is no case";
}

TEST(Matrix, TotalsHaveTheirDenominators) {
  const std::string totals = render_totals(run_info(2),
                                           summarize(2, {record("a", Verdict::pass, 10, ElementType::uint8),
                                                         record("b", Verdict::not_run, 10, ElementType::uint8)}),
                                           Color::never);
  EXPECT_THAT(totals, HasSubstr("1 of 2 cases passed"));
  EXPECT_THAT(totals, HasSubstr("1 of 2 cases: not_run"));
  EXPECT_THAT(totals, HasSubstr("1 of 34786 legal cells"));
}

TEST(Matrix, TotalsSayWhatIsBehindThem) {
  std::vector<CaseRecord> records{record("a", Verdict::pass_variant, 21, ElementType::uint8),
                                  record("b", Verdict::pass, 21, ElementType::uint8),
                                  record("c", Verdict::accepts_invalid, 21, ElementType::uint8)};
  records[0].readings = {{"amb-nan-to-integer", "minimum"}};
  records[0].elements = 7;
  records[0].masked = 3;
  records[1].violated = records[2].violated = "ql-formula";
  const std::string totals = render_totals(run_info(3), summarize(3, records), Color::never);
  EXPECT_THAT(totals, HasSubstr("1 of 3 cases: pass_variant\n  amb-nan-to-integer: minimum x1\n"));
  EXPECT_THAT(totals, HasSubstr("1 of 2 must-reject cases passed"));
  EXPECT_THAT(totals, HasSubstr("3 of 7 elements are masked"));
}

TEST(Reports, CountWhatIsNotShownByItself) {
  std::vector<CaseRecord> records{record("a", Verdict::pass, 10, ElementType::uint8),
                                  record("b", Verdict::not_shown, 10, ElementType::uint8),
                                  record("c", Verdict::not_shown, 10, ElementType::uint8),
                                  record("d", Verdict::accepts_invalid, 13, ElementType::uint8),
                                  record("e", Verdict::pass, 13, ElementType::uint8)};
  for (std::size_t i = 0; i < 4; ++i) records[i].violated = "ql-formula";
  const Summary summary = summarize(5, records);
  EXPECT_EQ(summary.passed(), 2);
  EXPECT_EQ(summary.unexpected, 1);
  const std::string matrix = render_matrix(run_info(5), summary, Color::never);
  EXPECT_THAT(line_of(matrix, "ai.onnx opset"), ContainsRegex(" reject +not shown$"));
  EXPECT_THAT(line_of(matrix, "QuantizeLinear 10"), ContainsRegex(" 1/3 +2$"));
  EXPECT_THAT(line_of(matrix, "QuantizeLinear 13"), ContainsRegex(" 0/1$"));
  const std::string totals = render_totals(run_info(5), summary, Color::never);
  EXPECT_THAT(totals, HasSubstr("2 of 5 cases: not_shown\n"));
  EXPECT_THAT(totals, HasSubstr("1 of 4 must-reject cases passed; 2 not shown\n"));
  const std::string markdown = markdown_report(run_info(5), summary, records);
  EXPECT_THAT(markdown, HasSubstr("| must-reject cases not shown | 2 | 4 |"));
  EXPECT_THAT(markdown, HasSubstr("| must-reject | not shown |\n"));
  EXPECT_THAT(markdown, HasSubstr("| 1/3 | 2 |\n"));
  const auto json = nlohmann::json::parse(json_summary(run_info(5), summary, records));
  EXPECT_EQ(json["summary"]["verdicts"]["not_shown"], 2);
  EXPECT_EQ(json["must_reject"][0]["passed"], 1);
  EXPECT_EQ(json["must_reject"][0]["not_shown"], 2);
  // Legal cases count in the same column.
  records.push_back(record("f", Verdict::not_shown, 13, ElementType::uint8));
  records.push_back(record("g", Verdict::not_shown, 14, ElementType::uint8));
  const Summary legal_too = summarize(7, records);
  const std::string more = render_matrix(run_info(7), legal_too, Color::never);
  EXPECT_THAT(line_of(more, "QuantizeLinear 10"), ContainsRegex(" 1/3 +2$"));
  EXPECT_THAT(line_of(more, "QuantizeLinear 13"), ContainsRegex(" 0/1 +1$"));
  EXPECT_EQ(line_of(more, "QuantizeLinear 14").size(), line_of(more, "QuantizeLinear 13").size())
      << "aligned without must-reject cases";
  EXPECT_THAT(markdown_report(run_info(7), legal_too, records), HasSubstr("|  | 1 |\n"));
  const Summary all_shown = summarize(1, {records[0]});
  EXPECT_THAT(render_matrix(run_info(1), all_shown, Color::never), Not(HasSubstr("not shown")));
  EXPECT_THAT(render_totals(run_info(1), all_shown, Color::never), HasSubstr("1 of 1 must-reject cases passed\n"));
}

TEST(Matrix, TotalsCountWhatWasNotAskedAndWhatIsFlaky) {
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
  for (const char* line : {"1 of 3 cases were not asked: ", "1 of 3 cases are flaky: ",
                           "the backend declares: constant-scales\n", "the backend is assumed: types=FLOAT,UINT8\n"})
    EXPECT_THAT(totals, HasSubstr(line));
  const std::string markdown = markdown_report(run, summary, records);
  for (const char* line :
       {"| not asked, as declared or assumed | 1 | 3 |", "| flaky: another outcome when run again | 1 | 3 |",
        "The backend declares: constant-scales."})
    EXPECT_THAT(markdown, HasSubstr(line));
  const std::string quiet = render_totals(run_info(1), summarize(1, {records[2]}), Color::never);
  EXPECT_THAT(quiet, Not(AnyOf(HasSubstr("asked"), HasSubstr("flaky"), HasSubstr("the backend"))));
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

TEST(JsonReport, HasTheWholeRun) {
  const std::vector<CaseRecord> records{record("a", Verdict::pass, 10, ElementType::uint8), hostile()};
  std::string text;
  json_report(run_info(records.size()), summarize(records.size(), records), records,
              [&](std::string_view part) { text += part; });
  const auto report = nlohmann::json::parse(text);
  EXPECT_EQ(report["summary"]["cases"], 2);
  EXPECT_EQ(report["summary"]["verdicts"].size(), verdicts.size()) << "zeros included";
  EXPECT_EQ(report["summary"]["verdicts"]["pass"], 1);
  EXPECT_EQ(report["summary"]["verdicts"]["crash"], 0);
  EXPECT_EQ(report["summary"]["cells"]["legal"], 34'786);
  EXPECT_EQ(report["summary"]["cells"]["covered"], 2);
  ASSERT_EQ(report["cases"].size(), 2U);
  EXPECT_EQ(report["cases"][0]["operator"], "QuantizeLinear");
  EXPECT_EQ(report["cases"][1]["id"], hostile().id);
  EXPECT_EQ(report["cases"][1]["wrong_elements"][0]["expected"]["code"], "0x02");
  EXPECT_TRUE(report["cases"][1]["wrong_elements"][0]["zero_point"].is_null());
  EXPECT_EQ(report["cases"][1]["wrong_elements"][0]["position"], nlohmann::json({1, 3}));
  EXPECT_EQ(report["cases"][1]["wrong_elements"][0]["scale_index"], 5);
  EXPECT_EQ(report["cases"][1]["wrong_elements"][0]["block"], 2);
  EXPECT_EQ(report["cases"][1]["wrong_elements"][0]["quotient"], "1.5");
}

TEST(WriteFileWhole, MakesDirectoriesAndReplacesInOneStep) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "a" / "b" / "report.json";
  write_file_whole(path, "old");
  write_file_whole(path, "new");
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  EXPECT_EQ(content.str(), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), 1)
      << "nothing is left beside it";
}

TEST(WriteFileWhole, LeavesTheOldOneIfThereWillBeNoMore) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "report.json";
  write_file_whole(path, [](const Sink& sink) {
    sink("on");
    sink("e");
  });
  const auto stop = [](const Sink& sink) {
    sink("tw");
    throw FileError("input", "ends here");
  };
  EXPECT_THAT(failure_of([&] { write_file_whole(path, stop); }), HasSubstr("ends here"));
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  EXPECT_EQ(content.str(), "one");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
}

TEST(WriteFileWhole, WritesIntoPipesAndLeavesThem) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  std::filesystem::create_symlink("pipe", directory.path() / "link");
  for (const char* name : {"pipe", "link"}) {
    write_file_whole(directory.path() / name, "text");
    std::array<char, 10> read{};
    EXPECT_EQ(::read(reader, read.data(), read.size()), 4) << name;
    EXPECT_STREQ(read.data(), "text");
    const auto stop = [](const Sink&) { throw FileError("input", "ends here"); };
    EXPECT_THROW(write_file_whole(directory.path() / name, stop), FileError);
    EXPECT_TRUE(std::filesystem::is_fifo(path));
  }
  ::close(reader);
  EXPECT_TRUE(std::filesystem::is_symlink(directory.path() / "link"));
}

TEST(WriteFileWhole, ReplacesWhatSymbolicLinksLeadTo) {
  const TemporaryDirectory directory;
  const auto at = [&](const char* name) { return directory.path() / name; };
  std::filesystem::create_directory(at("there"));
  write_file(at("there") / "file", "old");
  std::filesystem::create_symlink("there/file", at("link"));
  std::filesystem::create_symlink(at("link"), at("link to it"));
  std::filesystem::create_symlink("there/nothing yet", at("dangling"));
  write_file_whole(at("link to it"), "new");
  write_file_whole(at("dangling"), "first");
  EXPECT_EQ(read_bounded_file(at("there") / "file", 10), "new");
  EXPECT_EQ(read_bounded_file(at("there") / "nothing yet", 10), "first");
  for (const char* name : {"link", "link to it", "dangling"})
    EXPECT_TRUE(std::filesystem::is_symlink(at(name))) << name;
  std::filesystem::create_symlink("circle", at("circle"));
  EXPECT_THAT(failure_of([&] { write_file_whole(at("circle"), "never"); }), HasSubstr("circle"));
  EXPECT_TRUE(std::filesystem::is_symlink(at("circle")));
}

TEST(WriteFileWhole, SaysWhatIsInTheWay) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "file", "");
  EXPECT_THAT(failure_of([&] { write_file_whole(directory.path() / "file" / "report.json", ""); }), HasSubstr("file"));
  std::filesystem::create_directories(directory.path() / "report.json" / "inside");
  EXPECT_THAT(failure_of([&] { write_file_whole(directory.path() / "report.json", ""); }),
              HasSubstr("cannot be replaced"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 2) << "nothing new beside it";
}

}  // namespace
}  // namespace touchstone::conformance
