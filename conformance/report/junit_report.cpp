#include <fmt/format.h>

#include <array>
#include <map>
#include <pugixml.hpp>
#include <string_view>

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

struct TestCounts {
  std::size_t tests = 0;
  std::array<std::size_t, element_names.size()> by_kind{};

  void count(JunitResult kind) {
    ++tests;
    ++by_kind[static_cast<std::size_t>(kind)];
  }
};

/// Writes the value on one line, because XML readers convert line feeds in attributes to spaces.
void set(pugi::xml_node node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute).set_value(displayed_line(value).c_str());
}

void set_counts(pugi::xml_node node, const TestCounts& counts) {
  const auto of_kind = [&](JunitResult kind) { return std::to_string(counts.by_kind[static_cast<std::size_t>(kind)]); };
  set(node, "tests", std::to_string(counts.tests));
  set(node, "failures", of_kind(JunitResult::failure));
  set(node, "errors", of_kind(JunitResult::error));
  set(node, "skipped", of_kind(JunitResult::skipped));
}

void append_text(pugi::xml_node node, const std::string& text) {
  node.append_child(pugi::node_pcdata).set_value(displayed(text).c_str());
}

/// Appends the properties to the suite, and returns them.
pugi::xml_node properties(pugi::xml_node suite, const RunInfo& run, const Summary& summary) {
  const std::pair<const char*, std::string> rows[] = {
      {"backend", title(run.backend)},    {"tier", run.tier},
      {"seed", std::to_string(run.seed)}, {"plan hash", run.plan_hash},
      {"content hash", summary.content},  {"journal", summary.journal},
      {"touchstone", run.tool_version},   {"part", summary.part},
  };
  pugi::xml_node all = suite.append_child("properties");
  for (const auto& [name, value] : rows) {
    if (value.empty()) continue;
    pugi::xml_node property = all.append_child("property");
    set(property, "name", name);
    set(property, "value", value);
  }
  return all;
}

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

class ToSink : public pugi::xml_writer {
 public:
  explicit ToSink(const Sink& sink) : sink_(sink) {}
  void write(const void* data, std::size_t size) override { sink_({static_cast<const char*>(data), size}); }

 private:
  const Sink& sink_;
};

void write_whole(pugi::xml_node node, unsigned depth, const Sink& sink) {
  ToSink writer(sink);
  node.print(writer, " ", pugi::format_default, pugi::encoding_utf8, depth);
}

/// Writes the start tag of an element without children.
void write_start(pugi::xml_node node, unsigned depth, const Sink& sink) {
  constexpr std::string_view end = " />\n";
  std::string tag;
  write_whole(node, depth, [&](std::string_view part) { tag += part; });
  tag.resize(tag.size() - end.size());
  sink(tag + ">\n");
}

pugi::xml_node append_case(pugi::xml_node parent, const std::string& suite, const JunitCase& one) {
  pugi::xml_node test = parent.append_child("testcase");
  set(test, "classname", suite);
  set(test, "name", one.name);
  if (one.result == JunitResult::passed) {
    if (!one.message.empty()) append_text(test.append_child("system-out"), one.message);
  } else {
    pugi::xml_node outcome = test.append_child(element_names[static_cast<std::size_t>(one.result)]);
    if (one.result != JunitResult::skipped) set(outcome, "type", one.type);
    set(outcome, "message", one.message);
    if (!one.details.empty()) append_text(outcome, one.details);
  }
  return test;
}

std::string case_text(const std::string& suite, const JunitCase& one) {
  pugi::xml_document document;
  std::string text;
  write_whole(append_case(document, suite, one), 2, [&](std::string_view part) { text += part; });
  return text;
}

/// GitLab ignores reports of 30 MB. Without messages and details, all cases of the tier standard take 13 MB.
constexpr std::size_t space_for_messages = 14'000'000;

/// Writes test cases. When the space is used up, they refer to another report.
class CaseWriter {
 public:
  explicit CaseWriter(const Sink& sink) : sink_(sink) {}

  void write(const std::string& suite, const JunitCase& one) {
    const std::string text = case_text(suite, one);
    if (one.message.empty() && one.details.empty()) return sink_(text);
    if (text.size() > space_) return sink_(case_text(suite, {one.name, one.result, one.type, "see report.html"}));
    space_ -= text.size();
    sink_(text);
  }

 private:
  const Sink& sink_;
  std::size_t space_ = space_for_messages;
};

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
  struct Suite {
    std::vector<const CaseRecord*> listed;
    std::size_t unlisted = 0;  // that passed
  };
  std::map<std::string, Suite> cases;
  for (const CaseRecord& record : records) {
    Suite& suite = cases[suite_name(record)];
    if (summary.all_cases || kind_of(record, summary) != JunitResult::passed)
      suite.listed.push_back(&record);
    else
      ++suite.unlisted;
  }
  const std::vector<JunitCase> rest = cases_without_a_record(summary, records.size());
  const std::vector<JunitCase> stale = stale_expectations(summary);

  TestCounts all;
  for (const auto& [name, suite] : cases) {
    for (const CaseRecord* record : suite.listed) all.count(kind_of(*record, summary));
    if (suite.unlisted > 0) all.count(JunitResult::passed);
  }
  for (const std::vector<JunitCase>* others : {&rest, &stale})
    for (const JunitCase& one : *others) all.count(one.result);
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "touchstone: " + title(run.backend));
  set_counts(root, all);
  sink("<?xml version=\"1.0\"?>\n");
  if (all.tests == 0) return write_whole(root, 0, sink);
  write_start(root, 0, sink);
  CaseWriter writer(sink);
  const auto write_suite = [&](const std::string& name, const auto& tests, const auto& kind_in, const auto& test_in,
                               std::size_t unlisted = 0) {
    if (tests.empty() && unlisted == 0) return;
    TestCounts counts;
    for (const auto& one : tests) counts.count(kind_in(one));
    if (unlisted > 0) counts.count(JunitResult::passed);
    pugi::xml_node suite = root.append_child("testsuite");
    set(suite, "name", name);
    set_counts(suite, counts);
    write_start(suite, 1, sink);
    write_whole(properties(suite, run, summary), 2, sink);
    for (const auto& one : tests) writer.write(name, test_in(one));
    if (unlisted > 0) writer.write(name, unlisted_cases(unlisted));
    sink(" </testsuite>\n");
  };
  for (const std::string& name : suite_names())
    write_suite(
        name, cases[name].listed, [&](const CaseRecord* record) { return kind_of(*record, summary); },
        [&](const CaseRecord* record) { return test_case(run, *record, summary); }, cases[name].unlisted);
  const auto kind = [](const JunitCase& one) { return one.result; };
  const auto itself = [](const JunitCase& one) { return one; };
  write_suite("not run", rest, kind, itself);
  write_suite("expectations", stale, kind, itself);
  sink("</testsuites>\n");
}

std::string junit_text(const std::string& title, const std::vector<JunitSuite>& suites) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", title);
  TestCounts all;
  for (const JunitSuite& suite : suites)
    for (const JunitCase& one : suite.cases) all.count(one.result);
  set_counts(root, all);
  for (const JunitSuite& suite : suites) {
    pugi::xml_node node = root.append_child("testsuite");
    set(node, "name", suite.name);
    TestCounts counts;
    for (const JunitCase& one : suite.cases) counts.count(one.result);
    set_counts(node, counts);
    for (const JunitCase& one : suite.cases) append_case(node, suite.name, one);
  }
  std::string text = "<?xml version=\"1.0\"?>\n";
  write_whole(root, 0, [&](std::string_view part) { text += part; });
  return text;
}

}  // namespace touchstone::conformance
