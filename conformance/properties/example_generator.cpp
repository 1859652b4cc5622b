#include "conformance/properties/example_generator.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "conformance/generate/directed_values.h"
#include "conformance/plan/cell.h"
#include "reference/interpreter.h"
#include "reference/random/values.h"

namespace touchstone::conformance {

using reference::Choices;
using reference::Node;
using reference::NodeGenerator;
using reference::Random;
using reference::Result;
using reference::Tensor;
using spec::ElementType;
using spec::OperatorVersion;

namespace {

bool has_typed_field(ElementType type) {
  const spec::TypedField field = spec::info(type).typed_field;
  return field == spec::TypedField::float_data || field == spec::TypedField::int32_data;
}

/// Whether build_model supports the form.
bool is_possible(const Form& form, const NodeGenerator& generator, std::size_t operands) {
  if (form.empty_name && operands != 2) return false;
  return form.storage != Storage::typed_field ||
         std::ranges::all_of(generator.operands(), [](const NodeGenerator::Operand& one) {
           return !one.is_given || has_typed_field(one.type);
         });
}

void choose_form(Choices& choices, const NodeGenerator& generator, Example& example) {
  std::array<const Form*, 16> table{};
  std::size_t count = 0;
  for (const Form& form : forms()) {
    const bool is_usual = form.parameters != Source::graph_input || !generator.version().inputs[1].constant;
    if ((is_usual || generator.is_free()) && is_possible(form, generator, example.node.inputs.size()))
      table.at(count++) = &form;
  }
  choices.choose(example.form, std::span(table).first(count), false);
}

void choose_environment(Choices& choices, optimized::Environment& environment) {
  static const auto all = optimized::environments();
  choices.choose(environment, all, false);
}

/// Uses values of the generated suite, one of its rows for each parameter. Does not change packed elements of x.
void take_directed_values(Random& random, Node& node) {
  const reference::Outcome outcome = reference::interpret(node);
  if (outcome.result() == nullptr || outcome.result()->y.size() == 0) return;
  const Result& result = *outcome.result();
  const auto& rows = directed_values(value_kind(cell_of(node, reference::operator_version(node), result)));
  if (rows.empty()) return;
  Tensor& scale = *node.inputs[1];
  std::vector<const DirectedValues*> row_of(static_cast<std::size_t>(scale.size()));
  for (std::int64_t i = 0; i < scale.size(); ++i) {
    const DirectedValues& row = rows[random() % rows.size()];
    row_of[static_cast<std::size_t>(i)] = &row;
    scale.set_code(i, row.scale);
    if (reference::zero_point_of(node, result) != nullptr && i < node.inputs[2]->size())
      node.inputs[2]->set_code(i, row.zero_point);
  }
  Tensor& x = *node.inputs[0];
  if (result.x.type() != x.type()) return;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const DirectedValues& row = *row_of[static_cast<std::size_t>(result.parameters.scale(i))];
    const bool is_covering = !row.covering_inputs.empty() && random() % 2 == 0;
    const auto& codes = is_covering ? row.covering_inputs[random() % row.covering_inputs.size()] : row.x;
    if (!codes.empty()) x.set_code(i, codes[random() % codes.size()]);
  }
}

/// Domains with few versions have kernels of their own, so their versions are tried more often.
const std::vector<const OperatorVersion*>& weighted_versions() {
  static const auto versions = [] {
    std::vector<const OperatorVersion*> all;
    for (const auto& [domain, times] : {std::pair{spec::ai_onnx, 1}, {spec::com_microsoft, 2}, {spec::opmx, 3}})
      for (int i = 0; i < times; ++i) std::ranges::copy(reference::versions_of(domain), std::back_inserter(all));
    return all;
  }();
  return versions;
}

}  // namespace

NodeGenerator choose_example(Choices& choices, Example& example, bool is_free,
                             std::span<const OperatorVersion* const> versions) {
  NodeGenerator generator(choices, example.node, is_free);
  generator.structure(versions);
  choose_form(choices, generator, example);
  choose_environment(choices, example.environment);
  generator.elements();
  return generator;
}

Example random_example(std::uint64_t seed, std::uint64_t number) {
  std::seed_seq seeds{seed & 0xffffffff, seed >> 32, number & 0xffffffff, number >> 32};
  Random random(seeds);
  reference::RandomChoices choices([&](std::uint64_t below) { return random() % below; });
  Example example{{}, nullptr};
  const NodeGenerator generator = choose_example(choices, example, choices.once_in(3), weighted_versions());
  if (choices.once_in(2)) example.environment = {};
  complete(choices, generator, example.node);
  if (choices.once_in(10)) take_directed_values(random, example.node);
  // From a model with this fault, no subject gets a node.
  if (sets_float6_padding(example)) example.form = &form_named("initializers");
  return example;
}

}  // namespace touchstone::conformance
