#include "conformance/generate/illegal_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "conformance/generate/control.h"
#include "conformance/generate/dealer.h"
#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/recipe.h"

namespace touchstone::conformance {

using reference::Node;
using reference::Shape;
using reference::Tensor;
using spec::ElementType;

namespace {

/// Of the two forms that most models have, those that the cell can have.
std::vector<const Form*> usual_forms(const Cell& cell) {
  std::vector<const Form*> usual;
  for (const Form& form : forms().first(2))
    if (is_usual(form, cell)) usual.push_back(&form);
  return usual;
}

}  // namespace

Tensor numbers(ElementType type, Shape shape) {
  Tensor tensor(type, std::move(shape));
  if (spec::info(type).bits > 32 || type == ElementType::boolean) return tensor;
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, nearest_code(type, 1 << (i % 3)));
  return tensor;
}

void IllegalRules::add(spec::ClauseRef clause, const std::string& rule, const Geometry& base, const Choose& choose,
                       const Break& breaks) {
  if (!clause->applies.covers(version_.domain, version_.op, version_.since_version)) return;
  const std::string id = fmt::format("{}/must_reject/{}", id_of(version_), rule);
  std::vector<Cell> cells;
  for (const Cell& cell : legal_cells(version_))
    if (cell.granularity == base.granularity && can_have(version_, cell.x, base) && choose(cell)) cells.push_back(cell);
  if (cells.empty()) return;
  Dealer dealer(id, seed_);
  const Cell& cell = dealer.one_of(cells);
  const std::vector<const Form*> forms = usual_forms(cell);
  const Form* dealt = dealer.one_of(forms);
  const auto within = [&](const Form* form) { return is_within(limits_, *form, base); };
  const auto other = within(dealt) ? forms.end() : std::ranges::find_if(forms, within);
  const Form* form = other == forms.end() ? dealt : *other;
  const auto node = [=, opset = version_.since_version, seed = seed_] {
    Node made = make_node({.id = id, .cell = cell, .opset = opset, .geometry = &base, .form = form, .seed = seed});
    breaks(made);
    return made;
  };
  const auto legal = [=, opset = version_.since_version, seed = seed_](const Form& of_control, std::size_t place) {
    return control_candidate(
        {.id = id, .cell = cell, .opset = opset, .geometry = &base, .form = &of_control, .seed = seed}, place);
  };
  cases_.push_back({id, rule, clause->id, form, cell.x, cell.y, node, legal});
  cases_.back().has_other_form = form != dealt;
}

IllegalRules::Break sets(const std::string& attribute, const reference::AttributeValue& value) {
  return [=](Node& node) { node.attributes[attribute] = value; };
}

IllegalRules::Break removes(const std::string& attribute) {
  return [=](Node& node) { node.attributes.erase(attribute); };
}

IllegalRules::Break replaces(std::size_t operand, ElementType type, const Shape& shape) {
  return [=](Node& node) { node.inputs[operand] = numbers(type, shape); };
}

IllegalRules::Break reshapes(const Shape& shape) {
  return [=](Node& node) {
    for (std::size_t i = scale_operand; i < node.inputs.size(); ++i)
      node.inputs[i] = numbers(node.inputs[i]->type(), shape);
  };
}

IllegalRules::Break reshapes_one(std::size_t operand, const Shape& shape) {
  return [=](Node& node) { node.inputs[operand] = numbers(node.inputs[operand]->type(), shape); };
}

IllegalRules::Break both(const IllegalRules::Break& first, const IllegalRules::Break& second) {
  return [=](Node& node) {
    first(node);
    second(node);
  };
}

}  // namespace touchstone::conformance
