// Compact results: small for every run, complete in their numbers, and read only if they are what they claim to be.
#include "conformance/report/compact_result.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>

#include "conformance/graphs/patterns.h"
#include "conformance/report/format.h"
#include "conformance/report/samples_testing.h"

namespace touchstone::conformance::compact_result_test {
namespace {

using testing::HasSubstr;

CompactResult result_of(const SampleRun& sample) {
  return compact_result(sample.run, sample.summary(), sample.records);
}

Json written(const SampleRun& sample) { return Json::parse(to_text(result_of(sample))); }

/// A case of every pattern and type of graphs, of which each number says how it ends.
CaseRecord graph_case(std::string_view pattern, std::string_view type, Verdict verdict) {
  CaseRecord record;
  record.id = fmt::format("graphs/{}/21/{}/f32/per_tensor/zp/positive/same/inputs", pattern, type);
  record.verdict = verdict;
  record.reason = fmt::format("there is no kernel for {} of {}", pattern, type);
  return record;
}

/// A run over the whole lattice, most of whose cases are wrong or refused, and graphs of all patterns that are right,
/// wrong or refused by type.
SampleRun failing_standard_run() {
  SampleRun sample = failing_run(12'000);
  std::size_t number = 0;
  for (CaseRecord& record : sample.records)
    if (++number % 3 == 0) {
      record.verdict = Verdict::rejects_valid;
      record.wrong_elements = {};
      record.reason = fmt::format("no kernel of kind {}", std::string(1 + number % 60, 'k'));
    }
  for (const Pattern& pattern : patterns())
    for (const std::string_view type : {"u8", "i8", "u16", "i16", "u4", "i4", "e4m3fn", "e5m2"})
      sample.records.push_back(graph_case(
          pattern.name, type, std::array{Verdict::pass, Verdict::fail, Verdict::rejects_valid}[++number % 3]));
  sample.run.cases = sample.records.size();
  return sample;
}

/// Its result, with as many causes as the worst backends have.
const CompactResult& failing_result() {
  static const CompactResult found = [] {
    CompactResult result = result_of(failing_standard_run());
    while (result.causes.size() < 60) {
      result.causes.push_back(result.causes.front());
      result.causes.back().name = fmt::format("does-{}", result.causes.size());
      result.causes.back().is_wrong = result.causes.size() < 30;
      result.causes.back().sentence = fmt::format("does {} instead of what is required", std::string(150, 'x'));
    }
    return result;
  }();
  return found;
}

Counts sum_of(const ResultRows& rows) {
  Counts sum;
  for (const auto& [path, counts] : rows) sum += counts;
  return sum;
}

TEST(CompactResult, IsSmallWhateverFails) {
  for (const CompactResult& result : {failing_result(), result_of(large_run(10'000)), result_of(hostile_run())}) {
    const std::string text = to_text(result);
    EXPECT_LE(text.size(), compact_result_bytes) << result.backend.name;
    const Json json = Json::parse(text);
    EXPECT_GE(json["causes"].size(), std::min<std::size_t>(result.causes.size(), 5)) << "there is room for some";
    EXPECT_FALSE(json["operators"].empty());
  }
}

/// With the longest texts and numbers that a journal may have.
TEST(CompactResult, IsSmallWhateverAJournalSays) {
  CompactResult result = failing_result();
  for (ResultRows* rows : {&result.operators, &result.float_types, &result.illegal, &result.graphs, &result.forms})
    for (auto& [path, counts] : *rows) counts.by_class.fill(123'456);
  std::string long_text;
  for (int i = 0; i < 1'000; ++i) long_text += hostile_texts[static_cast<std::size_t>(i) % hostile_texts.size()];
  result.backend = {long_text, long_text, long_text};
  for (std::string* text : {&result.command, &result.cpu, &result.host, &result.finished, &result.not_run_reason})
    *text = long_text;
  result.plan["filter"] = long_text;
  result.plan["suites"] = std::vector<std::string>(100, long_text);
  for (ResultCause& cause : result.causes)
    cause = {true, long_text, long_text, long_text, 1, long_text, long_text, long_text};
  for (int i = 0; i < 200; ++i) result.fingerprint[fmt::format("amb-{}", i)] = std::string(100, 'r');
  const std::string text = to_text(result);
  EXPECT_LE(text.size(), compact_result_bytes);
  const CompactResult read = read_result(text);
  EXPECT_FALSE(read.has_granularities());
  EXPECT_EQ(sum_of(read.operators)[AnswerClass::right], sum_of(result.operators)[AnswerClass::right]);
}

TEST(CompactResult, SaysWhatItLeavesOut) {
  const CompactResult& result = failing_result();
  const CompactResult kept = read_result(to_text(result));
  EXPECT_GT(kept.more_causes, 0U);
  EXPECT_EQ(kept.causes.size() + kept.more_causes, result.causes.size());
  EXPECT_EQ(kept.causes.size() + kept.more_names.size(), result.causes.size()) << "each has a name of its own";
  EXPECT_EQ(kept.more_names.back(), result.causes.back().name);
  EXPECT_TRUE(kept.causes.front().is_wrong);
  // Patterns share rows, but no case is lost.
  EXPECT_LT(kept.graphs.size(), result.graphs.size());
  EXPECT_EQ(sum_of(kept.graphs).by_class, sum_of(result.graphs).by_class);
  EXPECT_EQ(kept.operators.size(), result.operators.size());
}

/// Every legal case of a known operator or pattern is in one row, and every illegal one.
TEST(CompactResult, HasAllCases) {
  for (const CompactResult& result : {result_of(large_run(5'000)), failing_result()}) {
    Counts rows = sum_of(result.operators);
    rows += sum_of(result.graphs);
    EXPECT_EQ(rows.by_class, result.total.legal.by_class);
    EXPECT_EQ(sum_of(result.float_types).by_class, sum_of(result.operators).by_class);
    EXPECT_EQ(sum_of(result.illegal).by_class, result.total.illegal.by_class);
  }
}

TEST(CompactResult, IsReadAsItIsWritten) {
  for (const SampleRun& sample : {hostile_run(), large_run(2'000)}) {
    const std::string text = to_text(result_of(sample));
    EXPECT_EQ(to_text(read_result(text)), text);
  }
}

/// Counted by hand.
TEST(CompactResult, CountsByOperatorTypeGranularityAndVersion) {
  SampleRun sample = failing_run(3);
  sample.inconsistencies.clear();
  const auto have = [&](std::size_t place, const char* cell, Verdict verdict) {
    CaseRecord& record = sample.records[place];
    record.cells = {*find_cell(cell)};
    const Cell& one = record.cells.front();
    record.subject = {one.version, one.version->since_version, one.quantized_type()};
    record.verdict = verdict;
  };
  have(0, "quantize_linear/21/f16-f16-u8/per_axis/zp", Verdict::fail);
  have(1, "quantize_linear/21/f16-f16-u8/per_axis/zp", Verdict::pass);
  have(2, "dequantize_linear/10/u8-f32-f32/per_tensor/zp", Verdict::rejects_valid);
  const Json json = written(sample);
  EXPECT_EQ(json["operators"], Json::parse(R"({"QuantizeLinear": {"uint8": {"per_axis": {"21": [1, 1]}}},
                                               "DequantizeLinear": {"uint8": {"per_tensor": {"10": [0, 0, 1]}}}})"));
  EXPECT_EQ(json["float_types"], Json::parse(R"({"float": {"DequantizeLinear": {"10": [0, 0, 1]}},
                                                 "float16": {"QuantizeLinear": {"21": [1, 1]}}})"));
  EXPECT_EQ(json["total"], Json::parse(R"({"right": 1, "wrong": 1, "refused": 1, "not_asked": 0, "undecided": 0,
                                           "total": 3})"));
  EXPECT_FALSE(json.contains("not_run"));
}

TEST(CompactResult, CountsGraphsOfNetworks) {
  SampleRun sample = failing_run(1);
  sample.records = {
      graph_case("dq_conv_ql", "u8", Verdict::pass),      graph_case("dq_conv_ql", "i4", Verdict::pass),
      graph_case("relu_ql_dq", "i8", Verdict::fail),      graph_case("dq_matmul_ql", "i8", Verdict::fail),
      graph_case("blocked_dq_gemm", "u4", Verdict::fail), graph_case("dq_relu_ql", "e4m3fn", Verdict::fail)};
  sample.run.cases = sample.records.size();
  EXPECT_EQ(written(sample)["uses"],
            Json::parse(R"({"float8 activations": [0, 1], "int4 weights of an LLM": [0, 1], "int8 CNN": [1, 1]})"));
}

TEST(CompactResult, SharesRowsOfPatterns) {
  SampleRun sample = failing_run(1);
  for (const Pattern& pattern : patterns()) sample.records.push_back(graph_case(pattern.name, "u8", Verdict::pass));
  sample.records.push_back(graph_case(patterns().front().name, "i8", Verdict::fail));
  sample.run.cases = sample.records.size();
  const std::size_t right = patterns().size() - 1;
  const Json graphs = written(sample)["graphs"];
  EXPECT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[std::string(patterns().front().name)], Json::parse(R"({"types": {"uint8": [1], "int8": [0, 1]}})"));
  EXPECT_EQ(graphs[right_patterns], Json::parse(fmt::format(R"({{"types": {{"uint8": [{}]}}}})", right)));
}

TEST(CompactResult, NamesTheRun) {
  SampleRun sample = failing_run(2);
  sample.run.backend_option = "ort:optimized";
  sample.run.worker.cpu = "haswell";
  sample.run.assumed = {.constant_scales_only = true};
  sample.run.cases = 5;
  const Json json = written(sample);
  EXPECT_EQ(json["touchstone_result"], compact_result_format);
  EXPECT_EQ(json["command"], "ort:optimized");
  EXPECT_EQ(json["configuration"],
            Json({{"variant", "optimized"}, {"cpu", "haswell"}, {"assume", {"constant-scales"}}}));
  EXPECT_EQ(json["plan"]["hash"], sample.run.plan_hash);
  EXPECT_EQ(json["finished"], sample.summary().times.finished);
  EXPECT_EQ(json["not_run"], Json::parse(R"({"cases": 3, "reason": "the run was not finished"})"));
  sample.run.backend_option = "reference";
  sample.run.worker.cpu.clear();
  sample.run.assumed = {};
  EXPECT_EQ(written(sample)["configuration"], Json::object());
}

TEST(CompactResult, SaysThatItIsAPart) {
  const SampleRun sample = failing_run(2);
  Summary summary = sample.summary();
  summary.part = "granularity blocked";
  RunInfo run = sample.run;
  run.cases = 10;
  const CompactResult result = compact_result(run, summary, sample.records);
  EXPECT_EQ(result.not_run, 8U);
  EXPECT_EQ(result.not_run_reason, "only a part of the run: granularity blocked");
}

TEST(CompactResult, HasTheFingerprint) {
  SampleRun sample = failing_run(2);
  sample.fingerprint = fingerprint("symbolic", "case-one", "case-two");
  const Json json = written(sample)["fingerprint"];
  EXPECT_EQ(json["amb-same-float-division"],
            Json::parse(R"({"form": {"inputs, symbolic": "in-scale-type", "initializers": "in-float32"}})"));
  EXPECT_EQ(json["amb-same-float-division-before-23"],
            Json::parse(R"({"inconsistent": ["in-input-type", ["in-float32", "exact-quotient"]]})"));
  EXPECT_TRUE(json["amb-huge-quotient"].is_string());
  EXPECT_EQ(json["amb-rounding-order"].size(), 2U) << "two readings that no case tells apart";
  EXPECT_FALSE(json.contains("amb-scale-domain")) << "nothing is known";
}

/// A report has the same numbers, without granularities and patterns.
TEST(CompactResult, IsReadFromReports) {
  const SampleRun sample = large_run(2'000);
  const CompactResult whole = result_of(sample);
  for (const char* format : {"json", "summary"}) {
    std::string text;
    find_report_format(format)->render(sample.run, sample.summary(), sample.records,
                                       [&](std::string_view part) { text += part; });
    const CompactResult read = read_result(text);
    EXPECT_EQ(sum_of(read.operators).by_class, sum_of(whole.operators).by_class) << format;
    EXPECT_EQ(read.total.illegal.by_class, whole.total.illegal.by_class);
    EXPECT_EQ(read.causes.size(), whole.causes.size());
    EXPECT_EQ(read.fingerprint, whole.fingerprint);
    EXPECT_EQ(read.journal, whole.journal);
    EXPECT_FALSE(read.has_granularities());
  }
}

std::string message_for(const std::string& text) {
  try {
    read_result(text);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(CompactResult, RefusesWhatItIsNot) {
  const std::string good = to_text(result_of(failing_run(3)));
  ASSERT_EQ(message_for(good), "");
  EXPECT_THAT(message_for(good.substr(0, good.size() / 2)), HasSubstr("is not JSON"));
  EXPECT_THAT(message_for(""), HasSubstr("is not JSON"));
  for (const char* other : {"[]", "1", "{}", R"({"check": 1})"})
    EXPECT_EQ(message_for(other), "is neither a compact result nor a report") << other;

  const std::pair<const char*, std::function<void(Json&)>> rows[] = {
      {"touchstone_result: the version of the format is 2, and this program reads 1",
       [](Json& json) { json["touchstone_result"] = 2; }},
      {"touchstone_result: has another type", [](Json& json) { json["touchstone_result"] = "1"; }},
      {"journal: missing", [](Json& json) { json.erase("journal"); }},
      {"backend: has another type", [](Json& json) { json["backend"] = "ort"; }},
      {"name: has another type", [](Json& json) { json["backend"]["name"] = 1; }},
      {"cases: has another type", [](Json& json) { json["plan"]["cases"] = -1; }},
      {"suites: has another type", [](Json& json) { json["plan"]["suites"] = {1}; }},
      {"strict: has another type", [](Json& json) { json["judge"]["strict"] = 1; }},
      {"assume: has another type", [](Json& json) { json["configuration"]["assume"] = {1}; }},
      {"refused: missing", [](Json& json) { json["total"].erase("refused"); }},
      {"wrong: has another type", [](Json& json) { json["total"]["wrong"] = 1.5; }},
      {"operators.QuantizeLinear: has another type",
       [](Json& json) {
         json["operators"] = {{"QuantizeLinear", 1}};
       }},
      {"graphs.a.types.uint8: has another type",
       [](Json& json) {
         json["graphs"] = {{"a", {{"types", {{"uint8", {-1}}}}}}};
       }},
      {"forms.inputs: has more numbers than classes",
       [](Json& json) {
         json["forms"] = {{"inputs", {1, 2, 3, 4, 5, 6}}};
       }},
      {"causes: has another type", [](Json& json) { json["causes"] = {1}; }},
      {"class: is neither wrong nor refused", [](Json& json) { json["causes"][0]["class"] = "fine"; }},
      {"fingerprint: has another type", [](Json& json) { json["fingerprint"] = {1}; }},
  };
  for (const auto& [message, change] : rows) {
    Json json = Json::parse(good);
    change(json);
    EXPECT_THAT(message_for(json.dump()), HasSubstr(message));
  }
  EXPECT_THAT(message_for(std::string(100, '[')), HasSubstr("is nested deeper than the limit"));
}

}  // namespace
}  // namespace touchstone::conformance::compact_result_test
