// Reports count legal and illegal models apart.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "conformance/report/format.h"
#include "conformance/report/matrix.h"
#include "conformance/report/samples_testing.h"
#include "conformance/report/support.h"
#include "conformance/run/attempt.h"

namespace touchstone::conformance::legal_and_illegal_test {
namespace {

using spec::ElementType;
using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

CaseRecord legal(Verdict verdict, int opset = 10) {
  CaseRecord record;
  record.id = "a";
  record.verdict = verdict;
  record.subject = {spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, opset), opset, ElementType::uint8};
  return record;
}

CaseRecord illegal(Verdict verdict, int opset = 10) {
  CaseRecord record = legal(verdict, opset);
  record.violated = spec::find_clause("ql-formula");
  return record;
}

CaseRecord not_asked(CaseRecord record) {
  record.declined = true;
  record.reason = "no such types";
  return record;
}

SampleRun sample_of(std::vector<CaseRecord> records) {
  SampleRun sample{{}, std::move(records), {}};
  sample.run.cases = sample.records.size();
  return sample;
}

std::string render(std::string_view format, const SampleRun& sample) {
  std::string text;
  find_report_format(format)->render(sample.run, sample.summary(), sample.records,
                                     [&](std::string_view part) { text += part; });
  return text;
}

std::string totals_of(const SampleRun& sample) { return render_totals(sample.run, sample.summary(), Color::never); }

std::string line_of(const std::string& table, const std::string& heading) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(heading + " ")) return line;
  return "no line " + heading;
}

TEST(LegalAndIllegal, HaveVerdictsOfTheirOwn) {
  const SampleRun sample = sample_of({legal(Verdict::pass), legal(Verdict::crash), legal(Verdict::rejects_valid),
                                      not_asked(legal(Verdict::rejects_valid)), illegal(Verdict::crash),
                                      illegal(Verdict::crash), not_asked(illegal(Verdict::rejects_valid))});
  const std::string totals = totals_of(sample);
  EXPECT_THAT(totals, HasSubstr("\n1 of 4 legal models crashed the backend\n"
                                "2 of 3 illegal models crashed the backend\n"));
  EXPECT_THAT(totals, Not(HasSubstr("illegal models: rejects_valid")));
  const std::string markdown = render("markdown", sample);
  for (const char* row :
       {"| legal models: rejects\\_valid | 1 | 4 |", "| legal models: crash | 1 | 4 |",
        "| illegal models: crash | 2 | 3 |", "| legal models: not asked, as declared or assumed | 1 | 4 |",
        "| illegal models: not asked, as declared or assumed | 1 | 3 |"})
    EXPECT_THAT(markdown, HasSubstr(row));
}

TEST(LegalAndIllegal, HaveColumnsOfUndecidedCases) {
  std::vector<CaseRecord> records{illegal(Verdict::pass), illegal(Verdict::not_shown), illegal(Verdict::not_shown),
                                  illegal(Verdict::accepts_invalid, 13), legal(Verdict::pass, 13)};
  const auto matrix_of = [&] {
    const SampleRun sample = sample_of(records);
    return render_matrix(sample.run, sample.summary(), Color::never);
  };
  EXPECT_THAT(line_of(matrix_of(), "opset"), ContainsRegex(" u8 +must-reject +must-reject undecided$"));
  EXPECT_THAT(line_of(matrix_of(), "10"), ContainsRegex(" 1/3 +2$"));
  EXPECT_THAT(line_of(matrix_of(), "13"), ContainsRegex(" 1 +0/1✗1$"));
  records.push_back(legal(Verdict::not_shown, 13));
  records.push_back(legal(Verdict::not_shown, 13));
  records.push_back(legal(Verdict::not_shown, 13));
  EXPECT_THAT(line_of(matrix_of(), "opset"), ContainsRegex(" u8 +undecided +must-reject +must-reject undecided$"));
  EXPECT_THAT(line_of(matrix_of(), "10"), ContainsRegex(" 1/3 +2$"));
  EXPECT_THAT(line_of(matrix_of(), "13"), ContainsRegex(" 1/4 +3 +0/1✗1$"));

  const SampleRun sample = sample_of(records);
  EXPECT_THAT(totals_of(sample), HasSubstr(" 3 undecided, of 4; illegal models: 1 rejected, 1 not rejected, "
                                           "2 undecided, of 4\n"));
  EXPECT_THAT(render("markdown", sample), HasSubstr("| undecided | must-reject | must-reject undecided |\n"));
  const auto json = nlohmann::json::parse(render("summary", sample));
  EXPECT_EQ(json["summary"]["verdicts"]["not_shown"], 3);
  EXPECT_EQ(json["summary"]["illegal"]["verdicts"]["not_shown"], 2);
  EXPECT_EQ(json["illegal"][0]["rejected"], 1);
  EXPECT_EQ(json["illegal"][0]["undecided"], 2);
  records = {legal(Verdict::pass)};
  EXPECT_THAT(matrix_of(), Not(HasSubstr("undecided")));
  EXPECT_THAT(totals_of(sample_of(records)), Not(HasSubstr("undecided")));
}

CaseRecord graph(const char* opset, Verdict verdict, const char* refused_operator = "") {
  CaseRecord record;
  record.id = fmt::format("graphs/ql_reshape_dq/{}/u8/f32/per_tensor/zp/positive/same/inputs", opset);
  record.verdict = verdict;
  record.refused_operator = std::string(refused_operator);
  return record;
}

/// Refused Reshape says nothing about the quantization operators.
TEST(Support, SeparatesRefusalsOfOtherOperators) {
  const char* const other = "Reshape of uint8";
  const SampleRun sample = sample_of({graph("13", Verdict::rejects_valid, other),
                                      graph("19", Verdict::rejects_valid, other), graph("21", Verdict::rejects_valid),
                                      graph("23", Verdict::rejects_valid, other), graph("23", Verdict::rejects_valid),
                                      graph("24", Verdict::pass), graph("24", Verdict::rejects_valid, other),
                                      graph("24", Verdict::rejects_valid), graph("24", Verdict::rejects_valid)});
  const std::vector<Support> rows = supported(sample.summary());
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(in_words(rows[0]),
            "graphs uint8: opset 13 to 19 refused (of another operator); opset 21 to 23 refused (1 of "
            "another operator); opset 24 right in 1 of 4, refused 3 (1 of another operator)");
  const auto json = nlohmann::json::parse(render("summary", sample))["support"][0]["opsets"];
  ASSERT_EQ(json.size(), 3U);
  for (const auto& [place, refused, of_others] : {std::tuple<std::size_t, int, int>{0, 2, 2}, {1, 3, 1}, {2, 3, 1}}) {
    EXPECT_EQ(json[place]["refused"], refused);
    EXPECT_EQ(json[place]["refused_other_operator"], of_others);
  }
  const SampleRun without = sample_of({graph("13", Verdict::rejects_valid)});
  EXPECT_THAT(render("summary", without), Not(HasSubstr("refused_other_operator")));
}

TEST(Formats, SayThatAnOpsetIsNewerThanTheTables) {
  CaseRecord newer = not_asked(CaseRecord{});
  newer.verdict = Verdict::rejects_valid;
  newer.reason = fmt::format("{}opset 29 is newer than the tables, which end at 28", unknown_opset);
  const SampleRun sample = sample_of({legal(Verdict::pass), newer, newer});
  for (const char* format : {"markdown", "html", "json", "summary"})
    EXPECT_THAT(render(format, sample), HasSubstr("newer than the tables, which end at 28")) << format;
  EXPECT_THAT(totals_of(sample), HasSubstr("2 of 3 cases are not asked: unknown: opset 29"));
  for (const char* format : {"json", "summary"})
    EXPECT_EQ(nlohmann::json::parse(render(format, sample))["summary"]["newer_opsets"]["cases"], 2) << format;
  EXPECT_THAT(render("summary", sample_of({legal(Verdict::pass)})), Not(HasSubstr("newer_opsets")));
}

TEST(Summary, CountsMissedLegalAndIllegalModelsApart) {
  SampleRun sample =
      sample_of({legal(Verdict::rejects_valid), legal(Verdict::pass), illegal(Verdict::pass),
                 not_asked(illegal(Verdict::rejects_valid)), not_asked(illegal(Verdict::rejects_valid))});
  EXPECT_THAT(totals_of(sample), AllOf(HasSubstr("1 of 2 legal models are required and were refused;"),
                                       Not(HasSubstr("illegal models are required"))));
  sample.run.require = "all";
  EXPECT_THAT(totals_of(sample), AllOf(HasSubstr("1 of 2 legal models are required and were refused or not asked\n"),
                                       HasSubstr("2 of 3 illegal models are required and were not asked\n")));
}

/// To expect that everything is refused does not make it a result.
TEST(Summary, ExpectedRefusalsAreNoResults) {
  const auto code = [](std::vector<CaseRecord> records, Verdict expected) {
    SampleRun sample = sample_of(std::move(records));
    sample.expectations = {{"*", expected, "known", "X-1"}};
    return exit_code(sample.summary());
  };
  EXPECT_EQ(code({legal(Verdict::rejects_valid), illegal(Verdict::not_shown)}, Verdict::rejects_valid), 5);
  EXPECT_EQ(code({not_asked(legal(Verdict::rejects_valid))}, Verdict::rejects_valid), 5);
  EXPECT_EQ(code({legal(Verdict::fail)}, Verdict::fail), 0);
  EXPECT_EQ(code({legal(Verdict::rejects_valid), legal(Verdict::fail)}, Verdict::rejects_valid), 1);
  EXPECT_EQ(code({legal(Verdict::rejects_valid), illegal(Verdict::rejects_variant)}, Verdict::rejects_valid), 0)
      << "an illegal model is rejected";
}

}  // namespace
}  // namespace touchstone::conformance::legal_and_illegal_test
