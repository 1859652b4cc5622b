#include "reference/interpreter.h"

#include <array>
#include <string>
#include <utility>

#include "reference/dequantize_linear.h"
#include "reference/interpretation.h"
#include "reference/quantize_linear.h"

namespace touchstone::reference {

using spec::Operator;

namespace {

struct Row {
  Operator op;
  int since_version;
  Result (*function)(const Node&, Interpretation&);
};

// clang-format off: one version per line
constexpr std::array functions{
    Row{Operator::quantize_linear, 10, quantize_linear_10},
    Row{Operator::quantize_linear, 13, quantize_linear_13},
    Row{Operator::quantize_linear, 19, quantize_linear_19},
    Row{Operator::quantize_linear, 21, quantize_linear_21},
    Row{Operator::quantize_linear, 23, quantize_linear_23},
    Row{Operator::quantize_linear, 24, quantize_linear_24},
    Row{Operator::quantize_linear, 25, quantize_linear_25},
    Row{Operator::quantize_linear, 28, quantize_linear_28},
    Row{Operator::dequantize_linear, 10, dequantize_linear_10},
    Row{Operator::dequantize_linear, 13, dequantize_linear_13},
    Row{Operator::dequantize_linear, 19, dequantize_linear_19},
    Row{Operator::dequantize_linear, 21, dequantize_linear_21},
    Row{Operator::dequantize_linear, 23, dequantize_linear_23},
    Row{Operator::dequantize_linear, 24, dequantize_linear_24},
    Row{Operator::dequantize_linear, 25, dequantize_linear_25},
    Row{Operator::dequantize_linear, 28, dequantize_linear_28},
};
// clang-format on

const Row* find_function(const spec::OperatorVersion& version) {
  for (const Row& row : functions)
    if (row.op == version.op && row.since_version == version.since_version) return &row;
  return nullptr;
}

const spec::OperatorVersion* resolve(const Node& node, const Policy& policy) {
  switch (policy.reading<spec::OpsetsBetweenVersions>()) {
    case spec::OpsetsBetweenVersions::newest_not_above: break;
    case spec::OpsetsBetweenVersions::newest_known: return spec::resolve(node.domain, node.op, spec::and_later);
    case spec::OpsetsBetweenVersions::exact_only:
      return spec::find_operator_version(node.domain, node.op, node.opset);
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
  const Row* row = find_function(version);
  if (row == nullptr) throw NoSuchOperator("no function interprets version " + std::to_string(version.since_version));
  Interpretation in(version, policy);
  in.cite("onnx-opset-resolution");
  const auto run = [&]() -> std::variant<Result, Rejection> {
    try {
      return row->function(node, in);
    } catch (Rejection& rejection) {
      return std::move(rejection);
    }
  };
  auto value = run();
  return Outcome{std::move(value), in.cited(), in.consulted()};
}

}  // namespace touchstone::reference
