#include "conformance/generate/illegal_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "conformance/generate/picker.h"

namespace touchstone::conformance {

namespace {

/// The two most common forms, as far as the cell can have them.
std::vector<const Form*> usual_forms(const Cell& cell) {
  std::vector<const Form*> usual;
  for (const Form& form : forms().first(2))
    if (is_usual(form, cell)) usual.push_back(&form);
  return usual;
}

/// The cells that most backends support, among cells with one granularity.
std::vector<Cell> most_usual(std::vector<Cell> cells) {
  const auto unusual = [](const Cell& cell) {
    const bool quantizes = cell.version->op == Operator::quantize_linear;
    const ElementType quantized = cell.quantized_type();
    return std::tuple(cell.precision.has_value(), cell.scale != ElementType::float32,
                      (quantizes ? cell.x : cell.y) != ElementType::float32, quantized != ElementType::uint8,
                      quantized != ElementType::int8, cell.saturate == std::optional(false));
  };
  const auto least = unusual(*std::ranges::min_element(cells, {}, unusual));
  std::erase_if(cells, [&](const Cell& cell) { return unusual(cell) != least; });
  return cells;
}

}  // namespace

void IllegalRules::add(spec::ClauseRef clause, const std::string& rule, const Geometry& base, const Choose& choose,
                       const Break& breaks) {
  if (!clause->applies.covers(version_.domain, version_.op, version_.since_version)) return;
  const std::string id = fmt::format("{}{}{}", id_of(version_), must_reject, rule);
  std::vector<Cell> cells;
  for (const Cell& cell : legal_cells(version_))
    if (cell.granularity == base.granularity && can_have(version_, cell.x, base) && choose(cell)) cells.push_back(cell);
  if (cells.empty()) return;
  Picker picker(id, seed_);
  cells = most_usual(std::move(cells));
  const Cell& cell = picker.one_of(cells);
  const std::vector<const Form*> forms = usual_forms(cell);
  const Form* picked = picker.one_of(forms);
  const auto within = [&](const Form* form) { return is_within(limits_, *form, base); };
  const auto other = within(picked) ? forms.end() : std::ranges::find_if(forms, within);
  const Form* form = other == forms.end() ? picked : *other;
  cases_.push_back({{.id = id,
                     .cell = cell,
                     .opset = version_.since_version,
                     .values = Values::exact,
                     .has_other_form = form != picked,
                     .geometry = &base,
                     .form = form,
                     .seed = seed_},
                    clause->id,
                    breaks});
}

void IllegalRules::add_with_4_bits(spec::ClauseRef clause, const std::string& rule, const Geometry& base,
                                   const Choose& choose, const Break& breaks) {
  const auto has_4_bits = [](ElementType type) { return spec::is_integer(type) && spec::info(type).bits == 4; };
  add(clause, rule, base, choose, breaks);
  add(
      clause, rule + "/4_bits", base,
      [&](const Cell& cell) { return has_4_bits(cell.quantized_type()) && choose(cell); }, breaks);
}

IllegalRules::Break sets(const std::string& attribute, const reference::AttributeValue& value) {
  return [=](Node& node) { node.attributes[attribute] = value; };
}

IllegalRules::Break removes(const std::string& attribute) {
  return [=](Node& node) { node.attributes.erase(attribute); };
}

IllegalRules::Break replaces(std::size_t operand, ElementType type, const Shape& shape) {
  return [=](Node& node) { node.inputs[operand] = exact_data(operand, type, shape); };
}

IllegalRules::Break reshapes(const Shape& shape) {
  return [=](Node& node) {
    for (std::size_t i = scale_operand; i < node.inputs.size(); ++i)
      node.inputs[i] = exact_data(i, node.inputs[i]->type(), shape);
  };
}

IllegalRules::Break reshapes_one(std::size_t operand, const Shape& shape) {
  return [=](Node& node) { node.inputs[operand] = exact_data(operand, node.inputs[operand]->type(), shape); };
}

IllegalRules::Break both(const IllegalRules::Break& first, const IllegalRules::Break& second) {
  return [=](Node& node) {
    first(node);
    second(node);
  };
}

}  // namespace touchstone::conformance
