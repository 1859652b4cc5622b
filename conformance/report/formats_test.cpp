// All formats make untrusted texts safe; the formats for other programs are read back.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "conformance/effort_testing.h"
#include "conformance/files/text.h"
#include "conformance/report/details.h"
#include "conformance/report/format.h"
#include "conformance/report/matrix.h"
#include "conformance/report/readings_text.h"
#include "conformance/report/replay_line.h"
#include "conformance/report/samples_testing.h"
#include "conformance/run/record_json.h"
#include "spec/ambiguities.h"

namespace touchstone::conformance::formats_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string render(std::string_view format, const SampleRun& sample) {
  std::string text;
  find_report_format(format)->render(sample.run, sample.summary(), sample.records,
                                     [&](std::string_view part) { text += part; });
  return text;
}

bool is_utf8(const std::string& text) {
  try {
    return !Json(text).dump().empty();
  } catch (const Json::exception&) {
    return false;
  }
}

struct TextRow {
  const char* text;
  const char* displayed;
  const char* on_a_line;
};

TEST(Text, ShowsWhatCannotBePrinted) {
  const TextRow rows[] = {
      {"plain <text> & \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "plain <text> & \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
       "plain <text> & \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
      {"a\nb\tc", "a\nb\tc", "a␊b␉c"},
      {"\x1b[31m\r\x7f", "␛[31m␍␡", "␛[31m␍␡"},
      {"\xff", "\xef\xbf\xbd", "\xef\xbf\xbd"},
      {"cut \xe2\x82", "cut \xef\xbf\xbd", "cut \xef\xbf\xbd"},
      {"\xc2\x9b", "\xef\xbf\xbd", "\xef\xbf\xbd"},
      {"\xe2\x80\xae\xe2\x81\xa6\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
       "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xcd\x8f\xe1\x85\x9f\xe1\x85\xa0\xe2\xa0\x80\xe3\x85\xa4\xef\xbe\xa0", "������", "������"},
      {"\xef\xb8\x80\xef\xb8\x8f\xf3\xa0\x84\x80\xf3\xa0\x87\xaf", "����", "����"},
      {"\xe1\x85\x9e\xe2\xa0\x81\xe3\x85\xa5\xef\xb8\x90", "\xe1\x85\x9e\xe2\xa0\x81\xe3\x85\xa5\xef\xb8\x90",
       "\xe1\x85\x9e\xe2\xa0\x81\xe3\x85\xa5\xef\xb8\x90"},  // their neighbours are seen
      {"", "", ""},
  };
  for (const TextRow& row : rows) {
    EXPECT_EQ(displayed(row.text), row.displayed);
    EXPECT_EQ(displayed_line(row.text), row.on_a_line);
  }
  EXPECT_EQ(displayed(std::string("\0", 1)), "␀");
}

TEST(Text, IsIndentedLineByLine) {
  EXPECT_EQ(indented("one", "  "), "  one\n");
  EXPECT_EQ(indented("one\n::two\n", "  "), "  one\n  ::two\n");
  EXPECT_EQ(indented("\n\none", "  "), "  \n  \n  one\n");
  EXPECT_EQ(indented("", "  "), "  \n");
}

TEST(Formats, AreUtf8WithoutControlCharactersForAnyInput) {
  for (const ReportFormat& format : report_formats()) {
    const std::string text = render(format.name, hostile_run());
    EXPECT_TRUE(is_utf8(text)) << format.name;
    for (const char* control : {"\x1b", "\x07", "\x7f", "\xc2\x9b"})
      EXPECT_EQ(text.find(control), std::string::npos) << format.name << ' ' << testing::PrintToString(control);
  }
}

TEST(Formats, AreTheSameFromAJournal) {
  const SampleRun sample = hostile_run();
  SampleRun read{run_info_from_json(Json::parse(to_line(to_json(sample.run)))), {}, sample.expectations};
  for (const CaseRecord& record : sample.records)
    read.records.push_back(record_from_json(Json::parse(to_line(to_json(record)))));
  const Findings findings{
      .inconsistencies = sample.inconsistencies, .fingerprint = sample.fingerprint, .stopped = sample.stopped};
  const Findings found = findings_from_json(Json::parse(to_line(to_json(findings))));
  read.inconsistencies = found.inconsistencies.value();
  read.stopped = found.stopped;
  read.fingerprint = found.fingerprint.value();
  for (const ReportFormat& format : report_formats())
    EXPECT_EQ(render(format.name, sample), render(format.name, read)) << format.name;
}

TEST(Formats, ShowHowToRunAFailureAgain) {
  const SampleRun sample = failing_run(1);
  for (const ReportFormat& format : report_formats()) {
    if (format.name == "summary" || format.name == "compact" || format.only_if) continue;  // they have no cases
    EXPECT_THAT(render(format.name, sample), HasSubstr(replay_options(sample.run, sample.records[0].id)))
        << format.name;
  }
}

/// Each ambiguity once, with the number of groups and the first of them.
TEST(Formats, ShowInconsistencies) {
  SampleRun sample = failing_run(2);
  const Cell cell = *find_cell("quantize_linear/21/f16-f16-u8/per_axis/zp");
  sample.inconsistencies = {inconsistency(cell, "inputs", "case-one", "case-two"),
                            inconsistency(cell, "initializers", "case-three", "case-four")};
  EXPECT_THAT(
      render_totals(sample.run, sample.summary(), Color::never),
      HasSubstr("inconsistent: 2 groups of cases of the same version, types and form follow different readings\n"
                "  amb-same-float-division-before-23 x2, first QuantizeLinear-21, x float16, scale float16, "
                "zero point uint8, y uint8, form inputs:\n"
                "    in-input-type (3 cases): case-one\n"
                "    in-float32 or exact-quotient (1 case): case-two\n"));
  for (const char* format : {"markdown", "html"})
    EXPECT_THAT(render(format, sample), AllOf(HasSubstr("in-float32 or exact-quotient"), HasSubstr("form inputs")))
        << format;
  const Json json = Json::parse(render("summary", sample));
  ASSERT_EQ(json["inconsistencies"].size(), 2U);
  const Json expected = Json::parse(R"({
    "ambiguity": "amb-same-float-division-before-23",
    "domain": "ai.onnx",
    "operator": "QuantizeLinear",
    "version": 21,
    "types": {"x": "float16", "scale": "float16", "zero_point": "uint8", "y": "uint8"},
    "form": "initializers",
    "evidence": [{"readings": ["in-input-type"], "cases": 3, "case": "case-three"},
                 {"readings": ["in-float32", "exact-quotient"], "cases": 1, "case": "case-four"}]
  })");
  EXPECT_EQ(json["inconsistencies"][1], expected);
}

TEST(Formats, DistinguishNoInconsistenciesFromNoSearch) {
  const SampleRun sample = failing_run(2);
  Summary summary = sample.summary();
  const auto json = [&] { return Json::parse(json_summary(sample.run, summary, sample.records)); };
  EXPECT_EQ(json()["inconsistencies"], Json::array());
  summary.inconsistencies.reset();
  EXPECT_FALSE(json().contains("inconsistencies"));
  EXPECT_THAT(render_totals(sample.run, sample.summary(), Color::never), Not(HasSubstr("inconsistent")));
}

constexpr const char* fingerprint_text =
    R"(6 ambiguities: 1 inconsistent, 1 several readings, 1 another reading than the primary one, 1 the primary reading, 2 not determined

inconsistent
  amb-same-float-division-before-23:
    in-input-type (3 cases): case-one
    in-float32 or exact-quotient (1 case): case-two

several readings
  amb-same-float-division:
    in-scale-type for form inputs, symbolic (5 cases): case-one
    in-float32 for form initializers (4 cases): case-two

another reading than the primary one
  amb-huge-quotient: @1.1 (1 case): case-two

the primary reading
  amb-nan-to-integer: @0.0 (1,234 cases): case-one

not determined
  amb-scale-domain: @2.0 or @2.1
  amb-rounding-order: @3.0 or @3.1 (2 cases): case-one
)";

/// Replaces @A.R by the id of a reading.
std::string with_readings(std::string text) {
  for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@')) {
    const auto& readings = spec::ambiguities[static_cast<std::size_t>(text[at + 1] - '0')]->readings;
    text.replace(at, 4, readings[static_cast<std::size_t>(text[at + 3] - '0')].id);
  }
  return text;
}

TEST(Formats, ShowTheFingerprint) {
  SampleRun sample = failing_run(2);
  sample.fingerprint = fingerprint("symbolic", "case-one", "case-two");
  EXPECT_EQ(render_fingerprint(sample.fingerprint), with_readings(fingerprint_text));
  // The inconsistent ones are among the totals of the same text.
  EXPECT_EQ(render_fingerprint(sample.summary()),
            with_readings("fingerprint of 6 ambiguities: 1 inconsistent, 1 several readings, 1 another reading than "
                          "the primary one, 1 the primary reading, 2 not determined\n"
                          "  amb-same-float-division:\n"
                          "    in-scale-type for form inputs, symbolic (5 cases): case-one\n"
                          "    in-float32 for form initializers (4 cases): case-two\n"
                          "  amb-huge-quotient: @1.1 (1 case): case-two\n"
                          "  all of them: touchstone fingerprint DIR\n"));
  const std::string markdown = render("markdown", sample);
  for (const std::string_view line :
       {"| amb-same-float-division | several readings | in-float32 | form initializers | 4 | case-two |\n",
        "* the primary reading: amb-nan-to-integer\n", "* not determined: amb-scale-domain, amb-rounding-order\n"})
    EXPECT_THAT(markdown, HasSubstr(line));
  for (const char* text : {"form initializers", "in-float32 or exact-quotient", "case-two"})
    EXPECT_THAT(render("html", sample), HasSubstr(text));
  const Json json = Json::parse(render("summary", sample))["fingerprint"];
  EXPECT_EQ(json, Json::parse(json_fingerprint(sample.fingerprint)));
  ASSERT_EQ(json.size(), 6U);
  EXPECT_EQ(json[5], Json::parse(R"({
    "ambiguity": "amb-same-float-division",
    "result": "differs",
    "property": "form",
    "parts": [{"values": ["inputs", "symbolic"], "readings": ["in-scale-type"], "cases": 5, "case": "case-one"},
              {"values": ["initializers"], "readings": ["in-float32"], "cases": 4, "case": "case-two"}]
  })"));
}

TEST(Formats, OmitTheFingerprintIfTheRunHasNone) {
  const SampleRun sample = failing_run(2);
  Summary summary = sample.summary();
  summary.fingerprint.reset();
  EXPECT_FALSE(Json::parse(json_summary(sample.run, summary, sample.records)).contains("fingerprint"));
  EXPECT_EQ(render_fingerprint(summary), "");
  EXPECT_THAT(markdown_report(sample.run, summary, sample.records), Not(HasSubstr("Fingerprint")));
}

/// Without those that only say what is unexpected.
std::vector<ReportFormat> whole_reports() {
  std::vector<ReportFormat> formats;
  for (const ReportFormat& format : report_formats())
    if (format.only_if == nullptr) formats.push_back(format);
  return formats;
}

TEST(Formats, NameThePlan) {
  const SampleRun sample = failing_run(1);
  for (const ReportFormat& format : whole_reports())
    EXPECT_THAT(render(format.name, sample), HasSubstr(sample.run.plan_hash)) << format.name;
}

TEST(Formats, ShowTheHashOfTheContent) {
  const SampleRun sample = failing_run(1);
  const std::string content = sample.summary().content;
  EXPECT_EQ(content.size(), 64U);
  for (const ReportFormat& format : whole_reports())
    EXPECT_THAT(render(format.name, sample), HasSubstr(content)) << format.name;
  SampleRun other = sample;
  other.records[0].verdict = Verdict::pass;
  EXPECT_EQ(other.summary().content, content);
  other.records[0].digest.bytes[0] ^= 1;
  EXPECT_NE(other.summary().content, content);
}

TEST(Formats, ShowTheTimesOnlyInTheSummaries) {
  const SampleRun sample = failing_run(1);
  const auto has = [&](std::string_view format, const std::string& time) {
    return render(format, sample).find(time) != std::string::npos;
  };
  const RunTimes times = sample.summary().times;
  for (const ReportFormat& format : report_formats()) {
    EXPECT_EQ(has(format.name, times.started), format.name == "summary") << format.name;
    EXPECT_EQ(has(format.name, times.finished), format.name == "summary" || format.name == "compact") << format.name;
  }
  EXPECT_THAT(render("summary", sample), HasSubstr(R"("seconds":120)"));
}

TEST(Formats, ShowTheChecksumOfTheJournal) {
  const SampleRun sample = failing_run(1);
  const std::string checksum = sample.summary().journal;
  EXPECT_EQ(checksum.size(), 64U);
  for (const ReportFormat& format : whole_reports())
    EXPECT_THAT(render(format.name, sample), HasSubstr(checksum)) << format.name;
}

TEST(Formats, AreFoundByName) {
  EXPECT_EQ(find_report_format("nosuch"), nullptr);
  for (const ReportFormat& format : report_formats()) EXPECT_EQ(find_report_format(format.name), &format);
}

TEST(Terminal, EscapesHostileTexts) {
  for (const CaseRecord& record : hostile_run().records) {
    const std::string text = render_problem(record, Color::never);
    EXPECT_TRUE(is_utf8(text));
    EXPECT_THAT(text, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\r")), Not(HasSubstr("\xc2\x9b"))));
  }
  const SampleRun sample = hostile_run();
  EXPECT_THAT(render_matrix(sample.run, sample.summary(), Color::never), Not(HasSubstr("\x1b")));
  EXPECT_THAT(render_totals(sample.run, sample.summary(), Color::never), Not(HasSubstr("\x1b")));
}

// ---- HTML: see also html_test.py, which uses a browser

TEST(HtmlReport, StaysSmallWhenEveryCaseFails) {
  if (is_sanitized()) GTEST_SKIP() << "other tests make the same page of fewer cases";
  EXPECT_LE(render("html", failing_run()).size(), 10'000'000U);
}

/// A backend may refuse every case with another long reason.
TEST(HtmlReport, StaysSmallWhenReasonsAreLong) {
  if (is_sanitized()) GTEST_SKIP() << "other tests make the same page of fewer cases";
  SampleRun sample = failing_run(3000);
  const std::size_t size_without = render("html", sample).size();
  for (std::size_t i = 0; i < sample.records.size(); ++i)
    sample.records[i].reason = fmt::format("{} {}", i, std::string(4000, 'x'));
  const std::string page = render("html", sample);
  EXPECT_LE(page.size(), size_without + (std::size_t{4} << 20)) << "of 12 MB of reasons";
  EXPECT_THAT(page, HasSubstr("This one is in report.json."));
}

TEST(HtmlReport, ExplainsAReadingThatPermitsOnlyARefusal) {
  SampleRun sample = failing_run(1);
  const spec::Ambiguity& ambiguity = *spec::ambiguities[0];
  sample.records[0].verdict = Verdict::rejects_variant;
  sample.records[0].readings = {{ambiguity.id, ambiguity.readings[1].id}};
  EXPECT_THAT(render("html", sample), HasSubstr(ambiguity.readings[1].sentence));
}

TEST(HtmlReport, ContainsNoTextThatCouldEndItsScript) {
  const std::string text = render("html", hostile_run());
  const std::size_t data = text.find("<script type=\"application/json\"");
  EXPECT_EQ(text.find('<', data + 1), text.find("</script>\n<script>", data));
}

// ---- JUnit

pugi::xml_document parsed_junit(const SampleRun& sample) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(render("junit", sample).c_str());
  EXPECT_TRUE(result) << result.description();
  return document;
}

TEST(JunitReport, CountsItsTestCases) {
  const SampleRun sample = hostile_run();
  const pugi::xml_document document = parsed_junit(sample);
  const pugi::xml_node root = document.child("testsuites");
  std::map<std::string, int> all;
  for (const pugi::xml_node suite : root.children("testsuite")) {
    std::map<std::string, int> found{{"tests", 0}, {"failures", 0}, {"errors", 0}, {"skipped", 0}};
    for (const pugi::xml_node test : suite.children("testcase")) {
      EXPECT_STREQ(test.attribute("classname").value(), suite.attribute("name").value());
      ++found["tests"];
      found["failures"] += !test.child("failure").empty();
      found["errors"] += !test.child("error").empty();
      found["skipped"] += !test.child("skipped").empty();
    }
    for (const auto& [name, count] : found) {
      EXPECT_EQ(suite.attribute(name.c_str()).as_int(), count) << suite.attribute("name").value() << ' ' << name;
      all[name] += count;
    }
  }
  for (const auto& [name, count] : all) EXPECT_EQ(root.attribute(name.c_str()).as_int(), count) << name;
  EXPECT_EQ(all["tests"], static_cast<int>(sample.records.size()) + 2)
      << "one for all that have not run, one for the stale expectation";
  EXPECT_EQ(all["errors"], 5) << "two crashes, timeout, harness_error and what cannot be read";
  EXPECT_EQ(all["skipped"], 6)
      << "not_shown, not_run, what was not asked, a refusal that --require permits, what has not run, what is expected";
}

TEST(JunitReport, HasASuiteForEachOperatorVersion) {
  std::vector<std::string> names;
  const pugi::xml_document document = parsed_junit(hostile_run());
  for (const pugi::xml_node suite : document.child("testsuites").children("testsuite"))
    names.emplace_back(suite.attribute("name").value());
  EXPECT_THAT(names, ElementsAre("QuantizeLinear-21", "DequantizeLinear-23", "unreadable", "not run", "expectations"));
}

TEST(JunitReport, FailsOnlyForUnexpectedResults) {
  const SampleRun sample = hostile_run();
  const pugi::xml_document document = parsed_junit(sample);
  const auto outcome_of = [&](const std::string& name) {
    for (const pugi::xpath_node found : document.select_nodes("//testcase"))
      if (found.node().attribute("name").value() == displayed_line(name)) return found.node().first_child();
    return pugi::xml_node();
  };
  const auto id_of = [&](const char* start) {
    return std::find_if(sample.records.begin(), sample.records.end(),
                        [&](const CaseRecord& record) { return record.id->starts_with(start); })
        ->id;
  };
  const pugi::xml_node expected = outcome_of(id_of("onnx/11 "));
  EXPECT_STREQ(expected.name(), "skipped");
  EXPECT_EQ(expected.attribute("message").value(),
            fmt::format("expected: {} ({})", hostile_texts[1], hostile_texts[7]));
  const pugi::xml_node pass = outcome_of(sample.records.front().id);
  EXPECT_STREQ(pass.name(), "failure");
  EXPECT_STREQ(pass.attribute("message").value(), "unexpected pass: fixed by now (NPU-2)");
  EXPECT_STREQ(outcome_of(id_of("onnx/12 ")).name(), "failure") << "that expectation has expired";
  const pugi::xml_node stale = outcome_of(cases_in_words(sample.expectations[2]));
  EXPECT_STREQ(stale.name(), "failure");
  EXPECT_STREQ(stale.parent().attribute("classname").value(), "expectations");
}

TEST(JunitReport, SkipsRefusedAndUnaskedCasesUnlessRequired) {
  SampleRun sample = failing_run(3);
  for (CaseRecord& record : sample.records) record.verdict = Verdict::rejects_valid;
  sample.records[1].declined = true;
  sample.records[2].verdict = Verdict::rejects_variant;
  const auto outcomes = [&](const std::string& require) {
    sample.run.require = require;
    std::vector<std::string> names;
    const pugi::xml_document document = parsed_junit(sample);
    for (const CaseRecord& record : sample.records)
      for (const pugi::xpath_node found : document.select_nodes("//testcase"))
        if (found.node().attribute("name").value() == displayed_line(record.id))
          names.emplace_back(found.node().first_child().name());
    return names;
  };
  EXPECT_THAT(outcomes(""), ElementsAre("failure", "skipped", "system-out"));
  EXPECT_THAT(outcomes("none"), ElementsAre("skipped", "skipped", "system-out"));
  EXPECT_THAT(outcomes("all"), ElementsAre("failure", "failure", "system-out"));
  EXPECT_THAT(outcomes(sample.records[1].id), ElementsAre("skipped", "failure", "system-out"));
}

TEST(JunitReport, FailsForExpiredExpectationsThatShouldBeRemoved) {
  SampleRun sample = failing_run(1);
  sample.records[0].verdict = Verdict::pass;
  sample.expectations = {{sample.records[0].id, Verdict::fail, "fixed", "NPU-1", "2026-01-01"},
                         {"nothing", Verdict::fail, "gone", "NPU-2", "2026-01-01"}};
  const pugi::xml_document document = parsed_junit(sample);
  std::vector<std::string> messages;
  for (const pugi::xpath_node found : document.select_nodes("//failure"))
    messages.emplace_back(found.node().attribute("message").value());
  EXPECT_THAT(messages,
              ElementsAre("unexpected pass: fixed (NPU-1)", "expired, stale: no case fails in this way: gone (NPU-2)"));
}

TEST(JunitReport, IsAcceptedByGitLabIfAllCasesFail) {
  if (is_sanitized()) GTEST_SKIP() << "other tests write the same report of fewer cases";
  SampleRun sample = failing_run(68'223);
  for (CaseRecord& record : sample.records) {
    record.wrong_elements = {};
    record.reason = std::string(300, 'x');
  }
  const std::string text = render("junit", sample);
  EXPECT_LT(text.size(), 30'000'000);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(text.c_str()));
  std::size_t failures = 0;
  std::size_t complete = 0;
  for (const pugi::xml_node suite : document.child("testsuites").children("testsuite"))
    for (const pugi::xml_node test : suite.children("testcase")) {
      const pugi::xml_node failure = test.child("failure");
      EXPECT_STREQ(failure.attribute("type").value(), "fail");
      EXPECT_STRNE(failure.attribute("message").value(), "");
      complete += std::string_view(failure.text().get()).find("touchstone replay") != std::string_view::npos ? 1 : 0;
      ++failures;
    }
  EXPECT_EQ(failures, sample.records.size());
  EXPECT_GT(complete, failures / 4);
}

TEST(JunitReport, KeepsTextsWhenRead) {
  const SampleRun sample = hostile_run();
  const pugi::xml_document document = parsed_junit(sample);
  std::map<std::string, std::string> messages;
  for (const pugi::xpath_node found : document.select_nodes("//testcase/*[@message]"))
    messages[found.node().parent().attribute("name").value()] = found.node().attribute("message").value();
  for (const CaseRecord& record : sample.records)
    if (record.answer_class() != AnswerClass::right && !is_expected(sample.summary().expectations, record)) {
      const std::string alone =
          record.refused_operator.empty() ? "" : fmt::format("; also refuses {} alone", *record.refused_operator);
      const std::string flaky = record.flaky.empty() ? "" : "; flaky: " + std::string(record.flaky);
      const std::string not_asked = record.declined ? "not asked: " : "";
      EXPECT_EQ(messages[displayed_line(record.id)],
                displayed_line(not_asked + std::string(record.reason) + alone + flaky));
    }
}

// ---- CSV

/// Parses CSV as in RFC 4180.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> lines{{""}};
  bool in_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    if (character == '"' && in_quotes && text[i + 1] == '"') {
      lines.back().back() += text[++i];
    } else if (character == '"') {
      in_quotes = !in_quotes;
    } else if (character == ',' && !in_quotes) {
      lines.back().emplace_back();
    } else if (character == '\r' && !in_quotes) {
      EXPECT_EQ(text[++i], '\n');
      lines.push_back({""});
    } else {
      lines.back().back() += character;
    }
  }
  lines.pop_back();
  return lines;
}

TEST(CsvReport, HasALineForEachCase) {
  const SampleRun sample = hostile_run();
  const auto lines = parse_csv(render("csv", sample));
  ASSERT_EQ(lines.size(), sample.records.size() + 1);
  EXPECT_EQ(lines[0].front(), "id");
  EXPECT_THAT(lines[0], testing::IsSupersetOf({"reason", "class", "journal", "content"}));
  const auto expected_column =
      static_cast<std::size_t>(std::find(lines[0].begin(), lines[0].end(), "expected") - lines[0].begin());
  ASSERT_LT(expected_column, lines[0].size());
  for (std::size_t i = 0; i < sample.records.size(); ++i) {
    ASSERT_EQ(lines[i + 1].size(), lines[0].size()) << i;
    EXPECT_EQ(lines[i + 1].front(), displayed(sample.records[i].id));
    EXPECT_EQ(lines[i + 1][1], name(sample.records[i].verdict));
    const std::string reason = displayed(sample.records[i].reason);
    EXPECT_EQ(lines[i + 1][lines[0].size() - 4], reason.starts_with('=') ? "'" + reason : reason);
    EXPECT_EQ(lines[i + 1][lines[0].size() - 3], info(sample.records[i].answer_class()).id);
    EXPECT_EQ(lines[i + 1][lines[0].size() - 2], sample.summary().journal);
    EXPECT_EQ(lines[i + 1].back(), sample.summary().content);
    const bool expected = sample.records[i].id->starts_with("onnx/11 ");
    EXPECT_EQ(lines[i + 1][expected_column], expected ? fmt::format("'{}", hostile_texts[7]) : "") << "its issue";
  }
}

// ---- Markdown

/// A run with right cases: they are a single test case of each suite, and no line of the others.
TEST(Formats, ListTheRightCasesOnlyIfAsked) {
  const SampleRun sample = large_run(2'000);
  Summary summary = sample.summary();
  const auto lines_of = [&](std::string_view format, std::string_view text) {
    std::string report;
    find_report_format(format)->render(sample.run, summary, sample.records,
                                       [&](std::string_view part) { report += part; });
    std::size_t found = 0;
    for (std::size_t at = report.find(text); at != report.npos; at = report.find(text, at + 1)) ++found;
    return found;
  };
  const std::size_t right = summary.all.legal[AnswerClass::right] + summary.all.illegal[AnswerClass::rejected];
  const std::size_t all = summary.cases;
  ASSERT_GT(right, 1'000U);
  for (const bool all_cases : {true, false}) {
    summary.all_cases = all_cases;
    EXPECT_EQ(lines_of("json", "\n    {\"id\":"), all_cases ? all : all - right);
    EXPECT_EQ(lines_of("csv", "\r\n"), 1 + (all_cases ? all : all - right));
    EXPECT_EQ(lines_of("json", all_cases ? "\n  \"all_cases\": true," : "\n  \"all_cases\": false,"), 1U);
    EXPECT_EQ(lines_of("junit", "name=\"right cases\"") > 0, !all_cases);
    EXPECT_EQ(lines_of("junit", "<testcase") < right, !all_cases);
  }
}

TEST(MarkdownReport, HasTotalsMatrixReadingsAndTheFirstProblems) {
  const std::string text = render("markdown", large_run(4000));
  for (const char* part : {" not asked, of 3,", "; illegal models: ", "### QuantizeLinear", "### DequantizeLinear",
                           "| 20 (19) |", "✗", "### Readings", "### Forms", "### Problems: 20 of ",
                           "## Touchstone: example-npu 2.4.1 \\(a run that is made up\\)"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, AllOf(HasSubstr("\n20. **"), Not(HasSubstr("\n21. **"))));
}

TEST(MarkdownReport, SeparatesExpectedFailuresFromProblems) {
  const std::string text = render("markdown", hostile_run());
  for (const char* part :
       {"### Expectations", "| 1 | 0 | holds |", "| fixed by now | NPU-2 |  | 0 | 1 | some cases pass |",
        "| stale: no case fails in this way |", "| 2026-03-31 | 1 | 0 | expired |",
        "| wrong or refused as expected | 1 |", "onnx/12 &lt;script"})
    EXPECT_THAT(text, HasSubstr(part));
  const std::size_t problems = text.find("### Problems");
  EXPECT_THAT(text.substr(problems, text.find("\n### QuantizeLinear") - problems), Not(HasSubstr("onnx/11 \"double")));
  EXPECT_THAT(render("markdown", failing_run(10)),
              AllOf(Not(HasSubstr("Expectations")), Not(HasSubstr("as expected"))));
}

TEST(MarkdownReport, ShowsSomeStaleExpectationsAndCountsTheOthers) {
  SampleRun sample = failing_run(1);
  for (int i = 1; i <= 20; ++i) sample.expectations.push_back({fmt::format("gone/{}", i), Verdict::fail, "r", "i"});
  const std::string all = render("markdown", sample);
  EXPECT_THAT(all, AllOf(HasSubstr("| gone/20 |"), Not(HasSubstr("others"))));
  for (int i = 21; i <= 23; ++i) sample.expectations.push_back({fmt::format("gone/{}", i), Verdict::fail, "r", "i"});
  sample.expectations.push_back({sample.records[0].id, Verdict::fail, "not stale", "i"});
  const std::string some = render("markdown", sample);
  EXPECT_THAT(some, AllOf(HasSubstr("| gone/20 |"), Not(HasSubstr("gone/21")), HasSubstr("| not stale |"),
                          HasSubstr("\n\nand 3 others that are stale\n\n")));
}

TEST(MarkdownReport, LetsNoTextActAsMarkup) {
  const std::string text = render("markdown", hostile_run());
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(text, HasSubstr("a \\| b \\` c \\*\\* d \\_\\_ e \\[link\\]\\(javascript"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_THAT(line, Not(testing::StartsWith("lines"))) << "a line feed in a reason begins no line";
}

}  // namespace
}  // namespace touchstone::conformance::formats_test
