#include "conformance/plan/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/generate/generated_suite.h"
#include "conformance/plan/digest.h"
#include "conformance/plan/onnx_suite.h"

namespace touchstone::conformance {

namespace {

constexpr std::array rows{
    SuiteInfo{"onnx", "the node tests that ONNX's releases shipped for these operators", true, plan_onnx_suite},
    SuiteInfo{"generated", "every legal combination, every clause, every rule", false, plan_generated_suite},
};

}  // namespace

std::optional<Tier> find_tier(std::string_view name) {
  if (name == "smoke") return Tier::smoke;
  if (name == "standard") return Tier::standard;
  if (name == "exhaustive") return Tier::exhaustive;
  return std::nullopt;
}

std::span<const SuiteInfo> suites() { return rows; }

const SuiteInfo* find_suite(std::string_view name) {
  for (const SuiteInfo& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

const SuiteInfo& suite_of(std::string_view id) {
  // Ids of cases from files begin with the name of their suite, those of generated cases with the operator.
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const SuiteInfo& row) {
    return !row.reads_files || (id.starts_with(row.name) && id.substr(row.name.size()).starts_with('/'));
  });
  return *found;
}

std::string plan_hash(const std::vector<PlannedCase>& cases, std::string_view tier, std::uint64_t seed) {
  Digest digest;
  digest.add(fmt::format("{}\n{}\n", tier, seed));
  for (const PlannedCase& planned : cases) {
    digest.add(planned.id);
    if (!planned.other_form.empty()) digest.add(" as ").add(planned.other_form);
    digest.add("\n");
  }
  return fmt::format("{:016x}", digest.value());
}

}  // namespace touchstone::conformance
