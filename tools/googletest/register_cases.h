// One test of GoogleTest for each case, in a program of a vendor's own:
//
//   int main(int argc, char** argv) {
//     testing::InitGoogleTest(&argc, argv);
//     touchstone::conformance::register_conformance_tests([] { return std::make_unique<MyBackend>(); });
//     return RUN_ALL_TESTS();
//   }
//
// Link Touchstone::googletest. Only here is GoogleTest included, so that it is compiled with that of the program. What
// chooses and shards tests (--gtest_filter, GTEST_TOTAL_SHARDS, ...) is GoogleTest's own; names come from ids, whose
// "-" and "." become "_". The id itself is the test's value parameter: --gtest_list_tests shows it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "case_tests.h"  // without its folder, which has another name in the installed package

namespace touchstone::conformance {

class ConformanceTest : public ::testing::Test {
 public:
  ConformanceTest(std::shared_ptr<CaseTests> tests, const CaseTest& test) : tests_(std::move(tests)), test_(test) {}

  void TestBody() override {
    const CaseTestResult result = tests_->run(test_);
    RecordProperty("verdict", std::string(name(result.verdict)));
    if (result.kind == CaseTestResult::Kind::skipped) GTEST_SKIP() << result.text;
    if (result.kind == CaseTestResult::Kind::failed) FAIL() << result.text;
  }

 private:
  std::shared_ptr<CaseTests> tests_;
  const CaseTest& test_;
};

/// To be called before RUN_ALL_TESTS. The backend is made once, when the first test runs. Throws as CaseTests does.
inline void register_conformance_tests(MakeBackend make_backend, const CaseTestOptions& options = {}) {
  const auto tests = std::make_shared<CaseTests>(std::move(make_backend), options);
  for (const CaseTest& test : tests->tests())
    ::testing::RegisterTest(test.suite.c_str(), test.name.c_str(), nullptr, test.planned.id.c_str(), __FILE__, __LINE__,
                            [tests, &test]() -> ConformanceTest* { return new ConformanceTest(tests, test); });
}

}  // namespace touchstone::conformance
