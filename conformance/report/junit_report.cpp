#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/details.h"
#include "conformance/report/expected.h"
#include "conformance/report/format.h"
#include "conformance/report/junit.h"
#include "conformance/report/layout.h"
#include "conformance/report/replay_line.h"

namespace touchstone::conformance {

namespace {

/// By JunitResult.
constexpr std::array<const char*, 4> element_names{nullptr, "failure", "error", "skipped"};

JunitResult kind_of(const CaseRecord& record, const Summary& summary) {
  if (passed_against(summary, record)) return JunitResult::failure;
  if (expected_by(summary, record)) return JunitResult::skipped;
  switch (record.verdict) {
    case Verdict::crash:
    case Verdict::timeout:
    case Verdict::harness_error: return JunitResult::error;
    default: break;
  }
  switch (record.answer_class()) {
    case AnswerClass::right:
    case AnswerClass::rejected:
    case AnswerClass::permitted: return JunitResult::passed;
    case AnswerClass::wrong:
    case AnswerClass::not_rejected: return JunitResult::failure;
    case AnswerClass::refused:
    case AnswerClass::not_asked:
      return summary.requirement.is_missed_by(record) ? JunitResult::failure : JunitResult::skipped;
    case AnswerClass::undecided: break;
  }
  return JunitResult::skipped;
}

/// The number of cases of each JunitResult.
using TestCounts = std::array<std::size_t, element_names.size()>;

JunitCase test_case(const RunInfo& run, const CaseRecord& record, const Summary& summary) {
  const JunitResult kind = kind_of(record, summary);
  if (const KnownFailure* expectation = passed_against(summary, record))
    return {record.id, kind, "unexpected_pass", "unexpected pass: " + why(*expectation)};
  std::string details = fmt::format("\n{}\n", replay_line(run, record.id));
  if (!record.wrong_elements.empty()) details += render_elements(element_rows(record));
  if (!record.output.empty()) details += "the backend printed:\n" + printed_end(record, "  ");
  if (const KnownFailure* expectation = expected_by(summary, record))
    return {record.id, kind, "", "expected: " + why(*expectation), details};
  std::string message = reason_text(record);
  if (record.answer_class() == AnswerClass::not_asked) message = "not asked: " + message;
  return {record.id, kind, std::string(name(record.verdict)), std::move(message), details};
}

// ---- Writing elements one by one: a document of all cases would take several times the memory of their records.

std::string in_xml(const std::string& text) {
  std::string result;
  for (const char character : text) switch (character) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += character;
    }
  return result;
}

using Attributes = std::initializer_list<std::pair<std::string_view, std::string>>;

/// An element, without its end. Values are on one line, because XML readers convert line feeds in them to spaces.
std::string element_start(std::string_view element, Attributes attributes) {
  std::string text = fmt::format("<{}", element);
  for (const auto& [name, value] : attributes) text += fmt::format(" {}=\"{}\"", name, in_xml(displayed_line(value)));
  return text;
}

/// The element with this text in it; empty: without one.
std::string whole_element(std::string_view element, Attributes attributes, const std::string& text) {
  if (text.empty()) return element_start(element, attributes) + " />\n";
  return fmt::format("{}>{}</{}>\n", element_start(element, attributes), in_xml(displayed(text)), element);
}

std::string element_start(std::string_view element, const std::string& name, const TestCounts& counts) {
  const auto of = [&](JunitResult result) { return std::to_string(counts[static_cast<std::size_t>(result)]); };
  return element_start(element,
                       {{"name", name},
                        {"tests", std::to_string(std::accumulate(counts.begin(), counts.end(), std::size_t{0}))},
                        {"failures", of(JunitResult::failure)},
                        {"errors", of(JunitResult::error)},
                        {"skipped", of(JunitResult::skipped)}});
}

std::string case_text(const std::string& suite, const JunitCase& one) {
  const Attributes names{{"classname", suite}, {"name", one.name}};
  if (one.result == JunitResult::passed && one.message.empty()) return "  " + whole_element("testcase", names, "");
  const char* element = element_names[static_cast<std::size_t>(one.result)];
  std::string outcome;
  if (one.result == JunitResult::passed)
    outcome = whole_element("system-out", {}, one.message);
  else if (one.result == JunitResult::skipped)
    outcome = whole_element(element, {{"message", one.message}}, one.details);
  else
    outcome = whole_element(element, {{"type", one.type}, {"message", one.message}}, one.details);
  return fmt::format("  {}>\n   {}  </testcase>\n", element_start("testcase", names), outcome);
}

using OnCase = std::function<void(const JunitCase&)>;

/// A suite whose cases are made one by one.
struct Suite {
  std::string name;
  TestCounts counts{};
  std::function<void(const OnCase&)> for_each_case;

  void count(JunitResult result) { ++counts[static_cast<std::size_t>(result)]; }
};

Suite suite_of(const JunitSuite& given) {
  Suite suite{given.name, {}, [cases = given.cases](const OnCase& on_case) {
                for (const JunitCase& one : cases) on_case(one);
              }};
  for (const JunitCase& one : given.cases) suite.count(one.result);
  return suite;
}

/// When the space for test cases with messages and details is used up, they refer to another report.
void write_report(const std::string& title, const std::vector<Suite>& suites, const std::string& properties,
                  std::size_t space, const Sink& sink) {
  TestCounts all{};
  for (const Suite& suite : suites) std::ranges::transform(all, suite.counts, all.begin(), std::plus());
  sink(fmt::format("<?xml version=\"1.0\"?>\n{}{}>\n", element_start("testsuites", title, all),
                   suites.empty() ? " /" : ""));
  for (const Suite& suite : suites) {
    const bool is_empty = suite.counts == TestCounts{};
    sink(fmt::format(" {}{}>\n{}", element_start("testsuite", suite.name, suite.counts), is_empty ? " /" : "",
                     is_empty ? "" : properties));
    suite.for_each_case([&](const JunitCase& one) {
      std::string text = case_text(suite.name, one);
      if (!one.message.empty() || !one.details.empty()) {
        if (text.size() > space)
          text = case_text(suite.name, {one.name, one.result, one.type, "see report.html"});
        else
          space -= text.size();
      }
      sink(text);
    });
    if (!is_empty) sink(" </testsuite>\n");
  }
  if (!suites.empty()) sink("</testsuites>\n");
}

/// GitLab ignores reports of 30 MB. Without messages and details, all cases of the tier standard take 13 MB.
constexpr std::size_t space_for_messages = 14'000'000;

std::string properties(const RunInfo& run, const Summary& summary) {
  const std::pair<const char*, std::string> rows[] = {
      {"backend", title(run.backend)},    {"tier", run.tier},
      {"seed", std::to_string(run.seed)}, {"plan hash", run.plan_hash},
      {"content hash", summary.content},  {"journal", summary.journal},
      {"touchstone", run.tool_version},   {"part", summary.part},
  };
  std::string text = "  <properties>\n";
  for (const auto& [name, value] : rows)
    if (!value.empty()) text += "   " + whole_element("property", {{"name", name}, {"value", value}}, "");
  return text + "  </properties>\n";
}

std::string suite_name(const CaseRecord& record) {
  return record.subject ? version_name(*record.subject.version) : "unreadable";
}

/// Suites in the order of the table of versions; the unreadable cases come last.
std::vector<std::string> suite_names() {
  std::vector<std::string> names;
  for (const spec::OperatorVersion& version : spec::operator_versions) names.push_back(version_name(version));
  names.emplace_back("unreadable");
  return names;
}

/// The cases that passed and are not listed, as a single test case, so that a suite without failures has one.
JunitCase unlisted_cases(std::size_t count) {
  return {"right cases", JunitResult::passed, "",
          fmt::format("{} of them; --all-cases lists them", with_commas(count))};
}

std::vector<JunitCase> cases_without_a_record(const Summary& summary, std::size_t records) {
  if (summary.cases == records) return {};
  return {{fmt::format("{} of the {} cases of the plan", summary.cases - records, summary.cases), JunitResult::skipped,
           "", summary.stopped.empty() ? "the run ended before" : summary.stopped}};
}

/// The expectations that should be removed from the file.
std::vector<JunitCase> stale_expectations(const Summary& summary) {
  std::vector<JunitCase> stale;
  for (const KnownFailureOutcome& row : summary.expectations)
    if (row.stale())
      stale.push_back({cases_in_words(row.expectation), JunitResult::failure, "stale",
                       fmt::format("{}: {}", state_in_words(row), why(row.expectation))});
  return stale;
}

}  // namespace

void junit_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records,
                  const Sink& sink) {
  struct Cases {
    std::vector<const CaseRecord*> listed;
    std::size_t unlisted = 0;  // that passed
  };
  std::map<std::string, Cases> by_suite;
  for (const CaseRecord& record : records) {
    Cases& cases = by_suite[suite_name(record)];
    if (summary.all_cases || kind_of(record, summary) != JunitResult::passed)
      cases.listed.push_back(&record);
    else
      ++cases.unlisted;
  }
  std::vector<Suite> suites;
  for (const std::string& name : suite_names()) {
    const auto found = by_suite.find(name);
    if (found == by_suite.end()) continue;
    const Cases& cases = found->second;
    Suite& suite = suites.emplace_back(Suite{name, {}, [&](const OnCase& on_case) {
                                               for (const CaseRecord* record : cases.listed)
                                                 on_case(test_case(run, *record, summary));
                                               if (cases.unlisted > 0) on_case(unlisted_cases(cases.unlisted));
                                             }});
    for (const CaseRecord* record : cases.listed) suite.count(kind_of(*record, summary));
    if (cases.unlisted > 0) suite.count(JunitResult::passed);
  }
  for (const JunitSuite& rest : {JunitSuite{"not run", cases_without_a_record(summary, records.size())},
                                 JunitSuite{"expectations", stale_expectations(summary)}})
    if (!rest.cases.empty()) suites.push_back(suite_of(rest));
  write_report("touchstone: " + title(run.backend), suites, properties(run, summary), space_for_messages, sink);
}

std::string junit_text(const std::string& title, const std::vector<JunitSuite>& given) {
  std::vector<Suite> suites;
  for (const JunitSuite& one : given) suites.push_back(suite_of(one));
  std::string text;
  write_report(title, suites, "", std::numeric_limits<std::size_t>::max(),
               [&](std::string_view part) { text += part; });
  return text;
}

}  // namespace touchstone::conformance
