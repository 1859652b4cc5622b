#include "reference/interpreter.h"

#include <fmt/format.h>

#include <utility>

#include "reference/interpretation.h"
#include "reference/version_function.h"
#include "spec/opset.h"

namespace touchstone::reference {

namespace {

/// Null if there is none. Every row of spec::operator_versions has one, which interpreter_test checks.
const VersionFunction* find_function(const spec::OperatorVersion& version) {
  for (const auto versions :
       {quantize_linear_versions(), dequantize_linear_versions(), microsoft_versions(), opmx_versions()})
    for (const VersionFunction& row : versions)
      if (row.domain == version.domain && row.op == version.op && row.since_version == version.since_version)
        return &row;
  return nullptr;
}

/// The version that the node's opset itself introduced, or null.
const spec::OperatorVersion* own_version(const Node& node) {
  return spec::find_operator_version(node.domain, node.op, node.opset);
}

/// An opset that introduced no version uses an older one, which not every implementation supports.
void check_opset(const Node& node, Interpretation& in) {
  in.cite("onnx-opset-resolution");
  if (own_version(node) != nullptr) return;
  if (in.reading<spec::OpsetsBetweenVersions>() == spec::OpsetsBetweenVersions::exact_only)
    in.reject("onnx-opset-resolution", "opset {} has no {} of its own", node.opset, spec::name(node.op));
}

}  // namespace

const spec::OperatorVersion& operator_version(const Node& node, const Policy& policy) {
  const spec::Opset* newest = spec::newest_of(node.domain);
  if (newest == nullptr)
    throw NoSuchOperator(fmt::format("{} has no {}: the domain is unknown", node.domain, spec::name(node.op)));
  // "The newest version not above" assumes that all versions are known, so it applies only to known opsets.
  if (node.opset > newest->number)
    throw OpsetTooNew(fmt::format("opset {} of {} is newer than the tables of this version, which end at {}",
                                  node.opset, node.domain, newest->number));
  if (spec::find_opset(node.domain, node.opset) == nullptr)
    throw NoSuchOperator(fmt::format("{} has no {} at opset {}: known are the opsets {} to {}", node.domain,
                                     spec::name(node.op), node.opset, spec::oldest_of(node.domain)->number,
                                     newest->number));
  const bool takes_the_newest = own_version(node) == nullptr && policy.reading<spec::OpsetsBetweenVersions>() ==
                                                                    spec::OpsetsBetweenVersions::newest_known;
  const int opset = takes_the_newest ? newest->number : node.opset;
  if (const spec::OperatorVersion* version = spec::resolve(node.domain, node.op, opset)) return *version;
  throw NoSuchOperator(fmt::format("{} has no {}", node.domain, spec::name(node.op)));
}

namespace {

Outcome interpret_elements(const Node& node, const Policy& policy, const std::optional<Elements>& elements) {
  const spec::OperatorVersion& version = operator_version(node, policy);
  const VersionFunction* function = find_function(version);
  if (function == nullptr)
    throw NoSuchOperator(fmt::format("no function interprets version {}", version.since_version));
  Interpretation in(version, policy, elements);
  const auto run = [&]() -> std::variant<Result, Rejection> {
    try {
      check_opset(node, in);
      return function->interpret(version, node, in);
    } catch (Rejection& rejection) {
      return std::move(rejection);
    }
  };
  auto value = run();
  return Outcome{std::move(value), in.cited(), in.consulted(), in.order()};
}

}  // namespace

Outcome interpret(const Node& node, const Policy& policy) { return interpret_elements(node, policy, std::nullopt); }

Outcome interpret(const Node& node, const Policy& policy, Elements elements) {
  return interpret_elements(node, policy, elements);
}

}  // namespace touchstone::reference
