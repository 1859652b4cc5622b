#include "tools/googletest/case_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "conformance/backends/limited_backend.h"
#include "conformance/files/text.h"
#include "conformance/plan/filter.h"
#include "conformance/report/details.h"
#include "conformance/report/expected.h"
#include "conformance/run/runner.h"
#include "conformance/suites/suites.h"

namespace touchstone::conformance {

namespace {

/// Replaces "-", ":", "*" and "?", which have a meaning in --gtest_filter, and ".", which separates names.
std::string plain(std::string_view text) {
  std::string name(text);
  const auto is_plain = [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '/' || c == '=';
  };
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return !is_plain(c); }, '_');
  return name;
}

/// The suite ends after the version of the operator or of ONNX; if an id has no version, after its first part.
std::size_t end_of_suite(const std::string& id) {
  const std::size_t first = id.find('/');
  for (std::size_t slash = first; slash != std::string::npos; slash = id.find('/', slash + 1)) {
    const std::size_t end = id.find('/', slash + 1);
    if (end != std::string::npos && '0' <= id[slash + 1] && id[slash + 1] <= '9') return end;
  }
  return first == std::string::npos ? 0 : first;
}

CaseTest test_of(PlannedCase planned, std::set<std::pair<std::string, std::string>>& taken) {
  const std::size_t end = end_of_suite(planned.id);
  const std::string suite = end > 0 ? plain(planned.id->substr(0, end)) : "cases";
  const std::string name = plain(planned.id->substr(end > 0 ? end + 1 : 0));
  std::string unique = name;
  for (int number = 2; !taken.emplace(suite, unique).second; ++number) unique = fmt::format("{}_{}", name, number);
  return {suite, unique, std::move(planned)};
}

std::vector<PlannedCase> plan_of(const CaseTestOptions& options) {
  const Filter filter(options.filter);
  std::vector<PlannedCase> plan = plan_suites(options.suites, {.data = options.data,
                                                               .tier = options.tier,
                                                               .seed = options.seed,
                                                               .examples = options.examples,
                                                               .limits = options.assumed.form_limits()});
  std::erase_if(plan, [&](const PlannedCase& planned) { return !filter.matches(planned.id); });
  // A program without tests would pass.
  if (plan.empty()) throw std::invalid_argument(fmt::format("the filter '{}' matches no case", options.filter));
  return plan;
}

}  // namespace

CaseTests::CaseTests(MakeBackend make_backend, const CaseTestOptions& options)
    : make_backend_([make = std::move(make_backend), assumed = options.assumed] { return limited(make(), assumed); }),
      judge_(options.judge) {
  if (!options.expectations.empty()) expectations_ = read_known_failures(options.expectations);
  for (const KnownFailure& row : expectations_)
    if (!row.cause.empty())
      throw FileError(
          options.expectations.string(),
          fmt::format("{}: only touchstone run finds causes: write a pattern", displayed_line(cases_in_words(row))));
  std::set<std::pair<std::string, std::string>> taken;
  for (PlannedCase& planned : plan_of(options)) tests_.push_back(test_of(std::move(planned), taken));
}

CaseTestResult CaseTests::run(const CaseTest& test) {
  using Kind = CaseTestResult::Kind;
  if (backend_ == nullptr) backend_ = make_backend_();
  const CaseRecord record = run_case(test.planned, *backend_, judge_);
  const KnownFailureOutcomes known = apply(expectations_, std::span(&record, 1), today());
  const KnownFailureOutcome* expected = known.deciding(record);
  if (is_expected(known, record))
    return {Kind::skipped, record.verdict,
            displayed_line(fmt::format("{}: a known failure: {}", *record.id, why(expected->expectation)))};
  if (record.answer_class() == AnswerClass::not_asked)
    return {Kind::skipped, record.verdict,
            displayed_line(fmt::format("{}: not asked: {}", *record.id, *record.reason))};
  if (record.verdict == Verdict::not_shown)
    return {Kind::skipped, record.verdict,
            displayed_line(fmt::format("{}: not shown: {}", *record.id, *record.reason))};
  if (!is_right(record.answer_class())) return {Kind::failed, record.verdict, render_problem(record, Color::never)};
  if (expected != nullptr && is_pass(record.verdict))
    return {Kind::failed, record.verdict,
            displayed_line(fmt::format("{}: passes, but the expectation is {}: {}; remove the entry", *record.id,
                                       name(expected->expectation.verdict), why(expected->expectation)))};
  return {Kind::passed, record.verdict};
}

}  // namespace touchstone::conformance
