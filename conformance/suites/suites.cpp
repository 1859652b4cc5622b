#include "conformance/suites/suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "conformance/suites/generated_suite.h"
#include "conformance/suites/onnx_suite.h"

namespace touchstone::conformance {

namespace {

constexpr std::array rows{
    SuiteInfo{"onnx", "the node tests that ONNX's releases shipped for these operators", true, plan_onnx_suite},
    SuiteInfo{"generated", "every legal combination, every clause, every rule", false, plan_generated_suite},
};

}  // namespace

std::span<const SuiteInfo> suites() { return rows; }

const SuiteInfo* find_suite(std::string_view name) {
  for (const SuiteInfo& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

std::vector<PlannedCase> plan_suites(std::span<const std::string> names, SuiteOptions options) {
  std::vector<PlannedCase> cases;
  for (const std::string& name : names) {
    const SuiteInfo* suite = find_suite(name);
    if (suite == nullptr) throw std::invalid_argument(fmt::format("there is no suite '{}'", name));
    if (suite->reads_files && options.data.empty()) options.data = default_onnx_tests();
    std::ranges::move(suite->plan(options), std::back_inserter(cases));
  }
  return cases;
}

const SuiteInfo& suite_of(std::string_view id) {
  // Ids of cases from files begin with the name of their suite, those of generated cases with the operator.
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const SuiteInfo& row) {
    return !row.reads_files || (id.starts_with(row.name) && id.substr(row.name.size()).starts_with('/'));
  });
  return *found;
}

}  // namespace touchstone::conformance
