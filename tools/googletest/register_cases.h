// Registers one GoogleTest test for each case in a vendor's own program:
//
//   int main(int argc, char** argv) {
//     testing::InitGoogleTest(&argc, argv);
//     touchstone::conformance::register_conformance_tests([] { return std::make_unique<MyBackend>(); });
//     return RUN_ALL_TESTS();
//   }
//
// Link Touchstone::googletest. Only this header includes GoogleTest, so it is compiled with the program's GoogleTest.
// GoogleTest selects and shards the tests (--gtest_filter, GTEST_TOTAL_SHARDS, ...). Test names are ids with "_"
// instead of "-" and "."; --gtest_list_tests shows the id itself as the value parameter.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "case_tests.h"  // no folder: it has another name in the installed package

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

/// Must be called before RUN_ALL_TESTS. The backend is created once, when the first test runs. Throws like CaseTests.
inline void register_conformance_tests(MakeBackend make_backend, const CaseTestOptions& options = {}) {
  const auto tests = std::make_shared<CaseTests>(std::move(make_backend), options);
  for (const CaseTest& test : tests->tests())
    ::testing::RegisterTest(test.suite.c_str(), test.name.c_str(), nullptr, std::string(test.planned.id).c_str(),
                            __FILE__, __LINE__,
                            [tests, &test]() -> ConformanceTest* { return new ConformanceTest(tests, test); });
}

}  // namespace touchstone::conformance
