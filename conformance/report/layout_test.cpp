#include "conformance/report/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "conformance/report/format.h"

namespace touchstone::conformance::layout_test {
namespace {

using testing::HasSubstr;

std::vector<CaseRecord> of_forms() {
  std::vector<CaseRecord> records;
  const auto add = [&](const char* form, Verdict verdict) {
    CaseRecord record;
    record.id = std::to_string(records.size());
    record.verdict = verdict;
    record.form = form;
    records.push_back(record);
  };
  add("unheard_of", Verdict::crash);
  add("symbolic", Verdict::fail);
  add("symbolic", Verdict::pass);
  add("symbolic", Verdict::pass_variant);
  add("inputs", Verdict::pass);
  add("inputs", Verdict::rejects_valid);
  add("inputs", Verdict::rejects_valid);
  records.back().declined = true;
  return records;
}

TEST(Forms, AreATableOfAnswerClassesInTheOrderOfTheForms) {
  const std::string table = render_forms(summarize(7, of_forms()), Color::never);
  EXPECT_EQ(table,
            "form                 right  wrong  refused  not asked\n"
            "inputs                 1/2               1          1\n"
            "symbolic               2/3      1\n"
            "unknown: unheard_of    0/1      1\n");
  EXPECT_THAT(render_forms(summarize(7, of_forms()), Color::always), HasSubstr("\033"));
  EXPECT_EQ(render_forms(summarize(1, {CaseRecord{}}), Color::never), "") << "files have no form";
}

TEST(Forms, AreATableInMarkdownAndJson) {
  const std::vector<CaseRecord> records = of_forms();
  const Summary summary = summarize(records.size(), records);
  const std::string markdown = markdown_report(RunInfo(), summary, records);
  EXPECT_THAT(markdown, HasSubstr("| form | right | wrong | refused | not asked |\n"));
  EXPECT_THAT(markdown, HasSubstr("| symbolic: graph inputs with symbolic dimensions | **2/3** | 1 |  |  |\n"));
  std::string text;
  json_report(RunInfo(), summary, records, [&](std::string_view part) { text += part; });
  const auto row = nlohmann::json::parse(text)["forms"][1];
  EXPECT_EQ(row["form"], "symbolic");
  EXPECT_EQ(row["description"], "graph inputs with symbolic dimensions");
  EXPECT_EQ(row["right"], 2);
  EXPECT_EQ(row["total"], 3);
  EXPECT_EQ(row["verdicts"]["fail"], 1);
  EXPECT_EQ(row["verdicts"]["timeout"], 0);
}

CaseRecord graph(const std::string& parameters, Verdict verdict, const std::string& refused_operator = "") {
  CaseRecord record;
  record.id = "graphs/ql_reshape_dq/" + parameters + "/f32/per_tensor/zp/positive/same/inputs";
  record.verdict = verdict;
  record.refused_operator = refused_operator;
  return record;
}

TEST(Graphs, AreATableWithTheRefusalsOfAnotherOperator) {
  std::vector<CaseRecord> records{graph("13/u8", Verdict::pass), graph("19/u8", Verdict::rejects_valid),
                                  graph("19/e4m3fn", Verdict::rejects_valid, "Reshape of float8e4m3fn")};
  Summary summary = summarize(records.size(), records);
  summary.all_cases = true;
  EXPECT_EQ(in_words(summary.all), "1 right, 0 wrong, 2 refused (1 of another operator), 0 not asked, of 3");
  EXPECT_EQ(render_text(graphs_table(summary), Color::never),
            "opset   u8  e4m3fn  another operator refused\n"
            "13       1\n"
            "19     0/1     0/1                         1\n");
  EXPECT_THAT(markdown_report(RunInfo(), summary, records),
              HasSubstr("| opset | u8 | e4m3fn | another operator refused |\n|:---|---:|---:|---:|\n"));
  std::string text;
  json_report(RunInfo(), summary, records, [&](std::string_view part) { text += part; });
  const auto report = nlohmann::json::parse(text);
  EXPECT_EQ(report["summary"]["refused_other_operator"], 1);
  EXPECT_FALSE(report["graphs"][1].contains("refused_other_operator"));
  EXPECT_EQ(report["graphs"][2]["refused_other_operator"], 1);
  EXPECT_EQ(report["cases"][2]["refused_operator"], "Reshape of float8e4m3fn");

  records.pop_back();
  const Summary without = summarize(records.size(), records);
  EXPECT_EQ(in_words(without.all), "1 right, 0 wrong, 1 refused, 0 not asked, of 2");
  EXPECT_EQ(render_text(graphs_table(without), Color::never), "opset   u8\n13       1\n19     0/1\n");
}

}  // namespace
}  // namespace touchstone::conformance::layout_test
