#include "conformance/report/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace touchstone::conformance {

using spec::Operator;

namespace {

template <class Predicate>
std::vector<spec::ElementTypeInfo> types_of_versions(Predicate wanted) {
  std::vector<spec::ElementTypeInfo> types;
  for (const spec::ElementTypeInfo& type : spec::element_types)
    if (std::any_of(
            spec::operator_versions.begin(), spec::operator_versions.end(),
            [&](const spec::OperatorVersion& version) { return wanted(version) && standard_has(version, type.type); }))
      types.push_back(type);
  return types;
}

}  // namespace

bool standard_has(const spec::OperatorVersion& version, spec::ElementType quantized) {
  const spec::TypeList types = version.op == Operator::quantize_linear ? version.output.types : version.inputs[0].types;
  return spec::contains(types, quantized);
}

std::vector<spec::ElementTypeInfo> quantized_types() {
  return types_of_versions([](const spec::OperatorVersion&) { return true; });
}

std::vector<spec::ElementTypeInfo> quantized_types(Operator op) {
  return types_of_versions([&](const spec::OperatorVersion& version) { return version.op == op; });
}

std::string version_name(const spec::OperatorVersion& version) {
  return fmt::format("{}-{}", spec::name(version.op), version.since_version);
}

std::vector<std::string_view> granularities(const CaseRecord& record) {
  std::set<spec::Granularity> found;
  for (const Cell& cell : record.cells) found.insert(cell.granularity);
  std::vector<std::string_view> names;
  for (const spec::Granularity granularity : found) names.push_back(spec::name(granularity));
  return names;
}

}  // namespace touchstone::conformance
