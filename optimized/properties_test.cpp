// Any legal node, in any environment, between guard pages: the reference, and every instruction set, agree. The number
// of nodes is that of rapidcheck: RC_PARAMS="max_success=100000".
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "optimized/testing.h"

namespace touchstone::optimized {

namespace {

ElementType any_of(spec::TypeList types) {
  return *rc::gen::elementOf(std::vector<ElementType>(types.begin(), types.end()));
}

Geometry any_geometry(const spec::OperatorVersion& version, int largest) {
  Geometry geometry{*rc::gen::inRange(0, 4), *rc::gen::inRange(0, largest), *rc::gen::inRange(0, largest), 0};
  const auto kind =
      *rc::gen::elementOf(std::vector<spec::Granularity>(version.granularities.begin(), version.granularities.end()));
  if (kind == spec::Granularity::per_tensor) geometry.axis = 1;
  if (kind == spec::Granularity::blocked) geometry.block = *rc::gen::inRange(1, static_cast<int>(geometry.axis) + 2);
  return geometry;
}

Example any_example(spec::Operator op, int largest) {
  std::vector<const spec::OperatorVersion*> versions;
  for (const spec::OperatorVersion& row : spec::operator_versions)
    if (row.domain != spec::opmx && row.op == op) versions.push_back(&row);
  Example example{};
  example.version = *rc::gen::elementOf(versions);
  const spec::OperatorVersion& version = *example.version;
  const auto& [x, scale, zero_point] = version.inputs;
  const bool one_type = !scale.type_variable.empty() && scale.type_variable == x.type_variable;
  example.x_type = any_of(x.types);
  example.scale_type = one_type ? example.x_type : any_of(scale.types);
  example.has_zero_point = *rc::gen::arbitrary<bool>();
  const bool has_output_dtype = version.attribute("output_dtype") != nullptr;
  if (op == spec::Operator::quantize_linear)
    example.y_type = example.has_zero_point || has_output_dtype ? any_of(version.output.types) : ElementType::uint8;
  else
    example.y_type = has_output_dtype ? any_of(version.output.types) : example.scale_type;
  example.saturate = version.attribute("saturate") == nullptr || *rc::gen::arbitrary<bool>();
  if (version.attribute("precision") != nullptr && *rc::gen::arbitrary<bool>())
    example.precision = reference::type_code(any_of(version.precisions));
  example.geometry = any_geometry(version, largest);
  return example;
}

void expect_agreement(const Example& example, std::uint64_t seed, const Environment& environment, Edge edge) {
  Random random(seed);
  const Data data = random_data(random, example);
  const reference::Outcome outcome = reference::interpret(node_of(example, data));
  if (outcome.rejection() != nullptr) RC_FAIL(outcome.rejection()->reason);
  for (const Isa isa : available_isas()) {
    const Call call(example, data, edge);
    Status status;
    RC_ASSERT(is_restored_by(environment, [&] { status = call(isa); }));
    RC_ASSERT(status.error == Error::none);
    const auto agreement = agrees(data, call.y(), *outcome.result());
    if (!agreement) RC_FAIL(std::string(name(isa)) + ", " + to_text(example) + ": " + agreement.message());
  }
}

void any_node_agrees(spec::Operator op, int largest) {
  const Example example = any_example(op, largest);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Environment environment = *rc::gen::elementOf(environments());
  const Edge edge = *rc::gen::element(Edge::back, Edge::front);
  expect_agreement(example, seed, environment, edge);
}

RC_GTEST_PROP(Properties, QuantizeLinearIsThatOfTheReference, ()) {
  any_node_agrees(spec::Operator::quantize_linear, 12);
}

RC_GTEST_PROP(Properties, DequantizeLinearIsThatOfTheReference, ()) {
  any_node_agrees(spec::Operator::dequantize_linear, 12);
}

// Rows longer than vectors and tiles.
RC_GTEST_PROP(Properties, QuantizeLinearOfLongRowsIsThatOfTheReference, ()) {
  any_node_agrees(spec::Operator::quantize_linear, 90);
}

RC_GTEST_PROP(Properties, DequantizeLinearOfLongRowsIsThatOfTheReference, ()) {
  any_node_agrees(spec::Operator::dequantize_linear, 90);
}

}  // namespace

}  // namespace touchstone::optimized
