#include "reference/interpreter.h"

#include <string>
#include <utility>

#include "reference/dequantize_linear.h"
#include "reference/interpretation.h"
#include "reference/quantize_linear.h"
#include "spec/opset.h"

namespace touchstone::reference {

using spec::Operator;

namespace {

/// Null if there is none: every row of spec::operator_versions has one, and interpreter_test holds that.
const VersionFunction* find_function(const spec::OperatorVersion& version) {
  const auto functions =
      version.op == Operator::quantize_linear ? quantize_linear_versions() : dequantize_linear_versions();
  for (const VersionFunction& row : functions)
    if (row.since_version == version.since_version) return &row;
  return nullptr;
}

/// The version that came with the node's opset itself, or null.
const spec::OperatorVersion* own_version(const Node& node) {
  return spec::find_operator_version(node.domain, node.op, node.opset);
}

const spec::OperatorVersion* resolve(const Node& node, const Policy& policy) {
  if (const spec::OperatorVersion* own = own_version(node)) return own;
  switch (policy.reading<spec::OpsetsBetweenVersions>()) {
    case spec::OpsetsBetweenVersions::newest_not_above: break;
    case spec::OpsetsBetweenVersions::newest_known: return spec::resolve(node.domain, node.op, spec::newest_opset);
    case spec::OpsetsBetweenVersions::exact_only: return nullptr;
  }
  return spec::resolve(node.domain, node.op, node.opset);
}

}  // namespace

const spec::OperatorVersion& operator_version(const Node& node, const Policy& policy) {
  const spec::OperatorVersion* version = resolve(node, policy);
  if (version == nullptr)
    throw NoSuchOperator(node.domain + " has no " + std::string(spec::name(node.op)) + " at opset " +
                         std::to_string(node.opset));
  return *version;
}

Outcome interpret(const Node& node, const Policy& policy) {
  const spec::OperatorVersion& version = operator_version(node, policy);
  const VersionFunction* function = find_function(version);
  if (function == nullptr)
    throw NoSuchOperator("no function interprets version " + std::to_string(version.since_version));
  Interpretation in(version, policy);
  in.cite("onnx-opset-resolution");
  if (own_version(node) == nullptr) in.mark_as_consulted<spec::OpsetsBetweenVersions>();
  const auto run = [&]() -> std::variant<Result, Rejection> {
    try {
      return function->interpret(version, node, in);
    } catch (Rejection& rejection) {
      return std::move(rejection);
    }
  };
  auto value = run();
  return Outcome{std::move(value), in.cited(), in.consulted()};
}

}  // namespace touchstone::reference
