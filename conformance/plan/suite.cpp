#include "conformance/plan/suite.h"

#include <array>

#include "conformance/plan/onnx_suite.h"

namespace touchstone::conformance {

namespace {

constexpr std::array rows{
    SuiteInfo{"onnx", "the node tests that ONNX's releases shipped for these operators", plan_onnx_suite},
};

}  // namespace

std::span<const SuiteInfo> suites() { return rows; }

const SuiteInfo* find_suite(std::string_view name) {
  for (const SuiteInfo& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace touchstone::conformance
