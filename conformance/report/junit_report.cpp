#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "conformance/files/text.h"
#include "conformance/report/details.h"
#include "conformance/report/expected.h"
#include "conformance/report/format.h"
#include "conformance/report/layout.h"
#include "conformance/report/replay_line.h"

namespace touchstone::conformance {

namespace {

/// The results of a JUnit test case.
enum class Kind { passed, failure, error, skipped };

constexpr std::array<const char*, 4> element_names{nullptr, "failure", "error", "skipped"};

Kind kind_of(const CaseRecord& record, const Requirement& requirement) {
  switch (record.verdict) {
    case Verdict::crash:
    case Verdict::timeout:
    case Verdict::harness_error: return Kind::error;
    default: break;
  }
  switch (record.answer_class()) {
    case AnswerClass::right: return Kind::passed;
    case AnswerClass::wrong: return Kind::failure;
    case AnswerClass::refused:
    case AnswerClass::not_asked: return requirement.is_missed_by(record) ? Kind::failure : Kind::skipped;
    case AnswerClass::undecided: break;
  }
  return Kind::skipped;
}

struct Counts {
  std::size_t tests = 0;
  std::array<std::size_t, element_names.size()> by_kind{};

  void count(Kind kind) {
    ++tests;
    ++by_kind[static_cast<std::size_t>(kind)];
  }
  Counts& operator+=(const Counts& other) {
    tests += other.tests;
    for (std::size_t i = 0; i < by_kind.size(); ++i) by_kind[i] += other.by_kind[i];
    return *this;
  }
};

/// Writes the value on one line, because XML readers convert line feeds in attributes to spaces.
void set(pugi::xml_node node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute).set_value(displayed_line(value).c_str());
}

void set_counts(pugi::xml_node node, const Counts& counts) {
  const auto of_kind = [&](Kind kind) { return std::to_string(counts.by_kind[static_cast<std::size_t>(kind)]); };
  set(node, "tests", std::to_string(counts.tests));
  set(node, "failures", of_kind(Kind::failure));
  set(node, "errors", of_kind(Kind::error));
  set(node, "skipped", of_kind(Kind::skipped));
}

void append_text(pugi::xml_node node, const std::string& text) {
  node.append_child(pugi::node_pcdata).set_value(displayed(text).c_str());
}

void append_properties(pugi::xml_node suite, const RunInfo& run, const Summary& summary) {
  const std::pair<const char*, std::string> rows[] = {
      {"backend", run.backend.name + " " + run.backend.version},
      {"tier", run.tier},
      {"seed", std::to_string(run.seed)},
      {"plan hash", run.plan_hash},
      {"content hash", summary.content},
      {"journal", summary.journal},
      {"touchstone", run.tool_version},
      {"part", summary.part},
  };
  pugi::xml_node properties = suite.append_child("properties");
  for (const auto& [name, value] : rows) {
    if (value.empty()) continue;
    pugi::xml_node property = properties.append_child("property");
    set(property, "name", name);
    set(property, "value", value);
  }
}

struct TestCase {
  std::string name;
  Kind kind;
  std::string type;     ///< of a failure or an error
  std::string message;  ///< empty for a plain pass
  std::string details = {};
};

TestCase test_case(const RunInfo& run, const CaseRecord& record, const Summary& summary) {
  if (const KnownFailure* expectation = passed_against(summary, record))
    return {record.id, Kind::failure, "unexpected_pass", "unexpected pass: " + why(*expectation)};
  std::string details = fmt::format("\n{}\n", replay_line(run, record.id));
  if (!record.wrong_elements.empty()) details += render_elements(element_rows(record));
  if (!record.output.empty()) details += "the backend printed:\n" + printed_end(record, "  ");
  if (const KnownFailure* expectation = expected_by(summary, record))
    return {record.id, Kind::skipped, "", "expected: " + why(*expectation), details};
  std::string message = reason_text(record);
  if (record.answer_class() == AnswerClass::not_asked) message = "not asked: " + message;
  return {record.id, kind_of(record, summary.requirement), std::string(name(record.verdict)), std::move(message),
          details};
}

void append_case(pugi::xml_node suite, const TestCase& one) {
  pugi::xml_node test = suite.append_child("testcase");
  test.append_copy(suite.attribute("name")).set_name("classname");
  set(test, "name", one.name);
  if (one.kind == Kind::passed) {
    if (!one.message.empty()) append_text(test.append_child("system-out"), one.message);
    return;
  }
  pugi::xml_node outcome = test.append_child(element_names[static_cast<std::size_t>(one.kind)]);
  if (one.kind != Kind::skipped) set(outcome, "type", one.type);
  set(outcome, "message", one.message);
  if (!one.details.empty()) append_text(outcome, one.details);
}

std::string suite_name(const CaseRecord& record) {
  return record.subject ? version_name(*record.subject->version) : "unreadable";
}

/// Suites in the order of the table of versions; the unreadable cases come last.
std::vector<std::string> suite_names() {
  std::vector<std::string> names;
  for (const spec::OperatorVersion& version : spec::operator_versions) names.push_back(version_name(version));
  names.emplace_back("unreadable");
  return names;
}

/// The expectations that should be removed from the file.
std::vector<TestCase> stale_expectations(const Summary& summary) {
  std::vector<TestCase> stale;
  for (const KnownFailureOutcome& row : summary.expectations)
    if (row.stale())
      stale.push_back({row.expectation.pattern, Kind::failure, "stale",
                       fmt::format("{}: {}", state_in_words(row), why(row.expectation))});
  return stale;
}

}  // namespace

std::string junit_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records) {
  std::map<std::string, std::vector<TestCase>> cases;
  for (const CaseRecord& record : records) cases[suite_name(record)].push_back(test_case(run, record, summary));

  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", fmt::format("touchstone: {} {}", run.backend.name, run.backend.version));
  Counts all;
  const auto append_suite = [&](const std::string& name, const std::vector<TestCase>& of_suite) {
    if (of_suite.empty()) return;
    Counts counts;
    for (const TestCase& one : of_suite) counts.count(one.kind);
    all += counts;
    pugi::xml_node suite = root.append_child("testsuite");
    set(suite, "name", name);
    set_counts(suite, counts);
    append_properties(suite, run, summary);
    for (const TestCase& one : of_suite) append_case(suite, one);
  };

  for (const std::string& name : suite_names()) append_suite(name, cases[name]);
  if (const std::size_t rest = summary.cases - records.size(); rest > 0)
    append_suite("not run", {{fmt::format("{} of the {} cases of the plan", rest, summary.cases), Kind::skipped, "",
                              "the run ended before"}});
  append_suite("expectations", stale_expectations(summary));
  set_counts(root, all);

  std::ostringstream text;
  document.save(text, " ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

}  // namespace touchstone::conformance
