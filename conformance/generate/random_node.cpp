#include "conformance/generate/random_node.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <vector>

#include "conformance/generate/directed_values.h"
#include "conformance/generate/model_builder.h"
#include "conformance/plan/cell.h"
#include "reference/interpreter.h"
#include "reference/random/values.h"

namespace touchstone::conformance {

using reference::Choices;
using reference::NodeGenerator;
using reference::Random;
using reference::Result;

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

/// Whether the model of a legal node in this form is legal, too: Constant supports the types of its operands, and
/// padding that is not zero is only that of 4-bit types.
bool is_legal_in(const Form& form, const Node& node) {
  const int opset = opset_of_onnx(*spec::find_opset(node.domain, node.opset));
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const Source source = i == 0 ? form.x : form.parameters;
    if (!node.inputs[i] || source == Source::graph_input) continue;
    const ElementType type = node.inputs[i]->type();
    if (source == Source::constant_node && !constant_can_hold(type, opset)) return false;
    const int bits = spec::info(type).bits;
    if (form.storage == Storage::raw_data_with_garbage && bits < 8 && bits != 4) return false;
  }
  return true;
}

/// Uses values of the generated suite, one of its rows for each parameter. Does not change packed elements of x.
void take_directed_values(Random& random, Node& node) {
  const reference::Outcome outcome = reference::interpret(node, {}, {});
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

void choose_form(Choices& choices, const NodeGenerator& generator, std::size_t inputs, const Form*& form) {
  std::array<const Form*, 16> table{};
  std::size_t count = 0;
  for (const Form& row : forms()) {
    const bool is_usual = row.parameters != Source::graph_input || !generator.version().inputs[1].constant;
    if ((is_usual || generator.is_free()) && is_possible(row, generator, inputs)) table.at(count++) = &row;
  }
  choices.choose(form, std::span(table).first(count), false);
}

RandomNode random_node(std::uint64_t seed, std::uint64_t number) {
  std::seed_seq seeds{seed & 0xffffffff, seed >> 32, number & 0xffffffff, number >> 32};
  Random random(seeds);
  reference::RandomChoices choices([&](std::uint64_t below) { return random() % below; });
  RandomNode made{{}, nullptr};
  NodeGenerator generator(choices, made.node, choices.once_in(3));
  generator.structure(weighted_versions());
  choose_form(choices, generator, made.node.inputs.size(), made.form);
  generator.elements();
  complete(choices, generator, made.node);
  if (choices.once_in(10)) take_directed_values(random, made.node);
  if (!is_legal_in(*made.form, made.node)) made.form = &form_named("initializers");
  return made;
}

}  // namespace touchstone::conformance
