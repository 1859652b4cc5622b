// What a JUnit report consists of, for reports that do not come from one journal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::conformance {

enum class JunitResult : std::uint8_t { passed, failure, error, skipped };

struct JunitCase {
  std::string name;
  JunitResult result;
  std::string type;     ///< of a failure or an error
  std::string message;  ///< empty for a plain pass
  std::string details = {};
};

struct JunitSuite {
  std::string name;
  std::vector<JunitCase> cases;
};

/// The report as XML, in which texts from models and backends are escaped.
std::string junit_text(const std::string& title, const std::vector<JunitSuite>& suites);

}  // namespace touchstone::conformance
