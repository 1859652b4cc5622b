#include "reference/random/node_generator.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

#include "reference/random/values.h"
#include "spec/opset.h"

namespace touchstone::reference {

using spec::AttributeMeaning;
using spec::OperatorVersion;

namespace {

constexpr std::int64_t most_dimensions = 8;
constexpr std::int64_t longest_dimension = 255;  // one byte; unrestricted dimensions may be longer
constexpr std::size_t longest_text = 40;
// Few choices suffice for the parameters of many elements, so x is chosen last and lacks data first.
constexpr std::array<std::size_t, NodeGenerator::most_operands> elements_in_order{1, 2, 3, 0};

constexpr Choices::Range usual_length{1, 6};

/// Represents an attribute that is not a number, so that no choice matches it.
constexpr std::int64_t none_of_the_choices = std::numeric_limits<std::int64_t>::min();

}  // namespace

void NodeGenerator::structure(std::span<const OperatorVersion* const> versions) {
  choose_version(versions);
  choose_operands();
  for (const spec::Attribute& row : version_->attributes) attribute(row);
  foreign_attributes();
}

void NodeGenerator::elements() {
  for (const std::size_t operand : elements_in_order) elements(operand);
}

void NodeGenerator::choose_version(std::span<const OperatorVersion* const> table) {
  if (choices_.records()) {
    version_ = spec::resolve(node_.domain, node_.op, node_.opset);
    for (const OperatorVersion* row : table)
      if (version_ == nullptr && row->domain == node_.domain && row->op == node_.op) version_ = row;
  }
  choices_.choose(version_, table, false);
  if (version_ == nullptr) version_ = table.front();  // of an unknown domain: it cannot be written
  if (!choices_.records()) {
    node_.domain = version_->domain;
    node_.op = version_->op;
  }
  if (!choices_.choose(node_.opset, opsets(*version_), is_free_))
    choices_.number(node_.opset, {0, longest_dimension}, {1, spec::newest_opset + 1});
}

// -- types and shapes

void NodeGenerator::choose_operands() {
  std::size_t count = 0;
  if (choices_.records()) {
    count = node_.inputs.size();
    for (std::size_t i = 0; i < std::min(count, most_operands); ++i)
      if (const auto& input = node_.inputs[i]) operands_[i] = {true, input->type(), input->shape()};
  }
  if (!choices_.choose(count, std::array<std::size_t, 2>{2, 3}, is_free_))
    choices_.number(count, 1, static_cast<std::int64_t>(most_operands));
  for (std::size_t i = 0; i < count; ++i) {
    choices_.number(operands_[i].is_given, {i == 0 || !is_free_ ? 1 : 0, 1}, {1, 1});
    if (operands_[i].is_given) type(i);
  }
  shape_of_x();
  layout();
  for (std::size_t i = 1; i < count; ++i)
    if (operands_[i].is_given) shape_of_parameter(i);
  if (!choices_.records()) node_.inputs.resize(count);
}

void NodeGenerator::type(std::size_t place) {
  ElementType& type = operands_[place].type;
  TypeChoices choices;
  if (place < version_->inputs.size()) {
    const spec::Parameter& row = version_->inputs[place];
    const bool is_bound =
        place > 0 && !row.type_variable.empty() && row.type_variable == version_->inputs[0].type_variable;
    if (is_bound)
      choices.add(operands_[0].type);
    else
      for (const ElementType one : row.types) choices.add(spec::tensor_type(one));
  }
  if (place == most_operands - 1 || !choices_.choose(type, choices, is_free_))
    choices_.choose(type, all_types(), false);
}

void NodeGenerator::any_shape(Shape& shape) {
  std::size_t rank = shape.size();
  choices_.number(rank, {0, most_dimensions}, {0, 3});
  shape.resize(rank);
  bool is_long = is_free_ && std::ranges::any_of(shape, [](std::int64_t length) { return length > longest_dimension; });
  if (is_free_) choices_.number(is_long, {0, 1}, {0, 0});
  for (std::int64_t& length : shape)
    choices_.number(length, {0, is_long ? std::numeric_limits<std::int64_t>::max() : longest_dimension}, usual_length);
}

void NodeGenerator::shape_of_x() {
  Operand& x = operands_[0];
  const std::array<std::size_t, 1> ranks{static_cast<std::size_t>(version_->shapes.rank.value_or(0))};
  std::size_t rank = x.shape.size();
  if (ranks[0] == 0 || !choices_.choose(rank, ranks, is_free_)) {
    any_shape(x.shape);
  } else {
    x.shape.resize(rank);
    for (std::int64_t& length : x.shape) choices_.number(length, {0, longest_dimension}, usual_length);
  }
  choices_.fit(x.shape, spec::info(x.type).bits);
}

void NodeGenerator::layout() {
  unpacked_ = unpacked(*version_, operands_[0].type, operands_[0].shape);
  const auto rank = static_cast<std::int64_t>(unpacked_.size());
  if (choices_.records()) layout_ = layout_of(node_, *version_, unpacked_, operands_[1].shape);
  choices_.number(layout_.granularity, 0, static_cast<std::int64_t>(version_->granularities.size()) - 1);
  choices_.number(layout_.dimension, 0, std::max<std::int64_t>(rank - 1, 0));
  const std::int64_t length = rank == 0 ? 1 : unpacked_[static_cast<std::size_t>(layout_.dimension)];
  choices_.number(layout_.block, {1, largest_block}, {1, std::clamp<std::int64_t>(length, 3, largest_block - 1) + 1});
  if (is_free_ || !version_->shapes.whole_blocks || rank == 0) return;
  const std::int64_t whole = std::gcd(layout_.block, length);
  if (choices_.records() && whole != layout_.block) choices_.refuse();
  layout_.block = whole;
}

void NodeGenerator::shape_of_parameter(std::size_t place) {
  Operand& operand = operands_[place];
  ChoiceList<Shape, 2> choices;
  if (auto shape = parameter_shape(*version_, layout_, unpacked_)) {
    choices.add(*std::move(shape));
  } else {
    choices.add({});
    choices.add({1});
  }
  if (!choices_.choose(operand.shape, choices, is_free_)) any_shape(operand.shape);
  choices_.limit(operand.shape);
}

// -- attributes

NumberChoices NodeGenerator::choices_of(const spec::Attribute& row) const {
  const auto rank = static_cast<std::int64_t>(unpacked_.size());
  const Operand& zero_point = operands_[2];
  switch (row.meaning) {
    case AttributeMeaning::axis: return axis_choices(*version_, row, layout_, rank);
    case AttributeMeaning::block_size: return block_size_choices(*version_, row, layout_, rank);
    case AttributeMeaning::output_dtype:
      return output_dtype_choices(*version_, operands_[1].type, zero_point.is_given ? &zero_point.type : nullptr);
    case AttributeMeaning::precision: return precision_choices(*version_);
    case AttributeMeaning::saturate: return flag_choices(true, true);
    case AttributeMeaning::has_zero_point: return flag_choices(!zero_point.is_given, zero_point.is_given);
    case AttributeMeaning::zero_point_is_float:
      return flag_choices(true, !zero_point.is_given || !spec::is_integer(zero_point.type));
    case AttributeMeaning::type_of_x:
    case AttributeMeaning::reserved: break;
  }
  return flag_choices(true, false);
}

void NodeGenerator::attribute(const spec::Attribute& row) {
  std::optional<AttributeValue> value;
  if (choices_.records()) {
    const auto found = node_.attributes.find(std::string(row.name));
    if (found != node_.attributes.end()) value = found->second;
  }
  const bool is_chosen = row.type == spec::AttributeType::integer ? number(value, row) : text(value, row);
  if (!is_chosen) any_value(value, row);
  if (!choices_.records() && value) node_.attributes.emplace(row.name, *std::move(value));
}

bool NodeGenerator::number(std::optional<AttributeValue>& value, const spec::Attribute& row) {
  std::optional<std::int64_t> number;
  const auto* given = value ? std::get_if<std::int64_t>(&*value) : nullptr;
  if (given != nullptr) number = *given;
  if (value && given == nullptr) number = none_of_the_choices;
  if (!choices_.choose(number, choices_of(row), is_free_)) return false;
  if (!choices_.records() && number) value = *number;
  return true;
}

bool NodeGenerator::text(std::optional<AttributeValue>& value, const spec::Attribute& row) {
  ChoiceList<std::optional<AttributeValue>, 2> choices;
  if (!row.required) choices.add(std::nullopt);
  if (row.meaning == AttributeMeaning::type_of_x)
    choices.add(std::string(operands_[0].type == ElementType::int8 ? "int8" : "int4"));
  return choices_.choose(value, choices, is_free_);
}

/// Includes absent values.
void NodeGenerator::any_value(std::optional<AttributeValue>& value, const spec::Attribute& row) {
  enum Kind { is_absent, is_short, is_long, is_text, is_foreign };
  int kind = is_absent;
  std::int64_t number = 0;
  std::string words;
  if (choices_.records()) {
    if (const auto* given = value ? std::get_if<std::int64_t>(&*value) : nullptr) {
      number = *given;
      kind = number == static_cast<std::int8_t>(number) ? is_short : is_long;
    } else if (value && std::holds_alternative<std::string>(*value)) {
      words = std::get<std::string>(*value);
      kind = is_text;
    } else if (value) {
      kind = is_foreign;
    }
  }
  const Kind usual = row.type == spec::AttributeType::string ? is_text : is_short;
  choices_.number(kind, {is_absent, is_foreign}, {usual, usual});
  const bool is_type = row.meaning == AttributeMeaning::output_dtype || row.meaning == AttributeMeaning::precision;
  const Choices::Range usual_number = is_type ? Choices::Range{0, 29} : Choices::Range{-3, 4};
  using Limits = std::numeric_limits<std::int64_t>;
  if (kind == is_short) choices_.number(number, {-128, 127}, usual_number);
  if (kind == is_long) choices_.number(number, {Limits::min(), Limits::max()}, usual_number);
  if (kind == is_text) {
    std::size_t length = words.size();
    choices_.number(length, 0, longest_text);
    words.resize(length);
    choices_.bytes(std::as_writable_bytes(std::span(words)));
  }
  if (!choices_.records()) {
    if (kind == is_short || kind == is_long) value = number;
    if (kind == is_text) value = std::move(words);
    if (kind == is_foreign) value = ForeignAttribute{"FLOAT"};  // the one that build_model writes
  }
}

void NodeGenerator::foreign_attributes() {
  std::vector<std::pair<std::string, AttributeValue>> all;
  for (const auto& row : node_.attributes)
    if (choices_.records() && version_->attribute(row.first) == nullptr) all.push_back(row);
  constexpr int another = 3;  // one of four values, so that few examples have many
  for (std::size_t place = 0; is_free_; ++place) {
    int next = place < all.size() ? another : 0;
    choices_.number(next, {0, another}, {0, another - 1});
    if (next != another || place == attribute_names().size()) break;
    if (!choices_.records()) all.emplace_back();
  }
  if (!is_free_ && !all.empty()) choices_.refuse();
  for (auto& [name, given] : all) {
    choices_.choose(name, attribute_names(), false);
    std::optional<AttributeValue> value = given;
    any_value(value, {.name = name, .meaning = AttributeMeaning::reserved, .default_value = {}});
    if (!choices_.records() && value) node_.attributes.emplace(name, *value);
  }
}

void NodeGenerator::elements(std::size_t place) {
  const Operand& operand = operands_[place];
  if (!operand.is_given) return;
  const auto elements = element_count(operand.shape);
  if (choices_.records() && *elements > most_elements) return;  // refused already
  std::vector<std::byte> bytes(static_cast<std::size_t>(byte_count(operand.type, elements.value()).value()));
  if (choices_.records()) std::ranges::copy(node_.inputs[place]->bytes(), bytes.begin());
  const std::int64_t in_last_byte = *elements * spec::info(operand.type).bits % 8;
  // "There's no zero point in the case of dequantizing int32."
  const bool has_zeros_only = place == 2 && !is_free_ && operand.type == ElementType::int32;
  if (!has_zeros_only)
    choices_.bytes(bytes);
  else if (std::ranges::any_of(bytes, [](std::byte byte) { return byte != std::byte{0}; }))
    choices_.refuse();
  if (in_last_byte != 0) bytes.back() &= static_cast<std::byte>((1 << in_last_byte) - 1);
  if (!choices_.records()) node_.inputs[place].emplace(operand.type, operand.shape, std::move(bytes));
}

std::vector<const OperatorVersion*> versions_of(std::string_view domain) {
  std::vector<const OperatorVersion*> versions;
  for (const OperatorVersion& row : spec::operator_versions)
    if (row.domain == domain) versions.push_back(&row);
  return versions;
}

void complete(RandomChoices& choices, const NodeGenerator& generator, Node& node) {
  const bool has_operator = spec::find_opset(node.domain, node.opset) != nullptr &&
                            spec::resolve(node.domain, node.op, node.opset) != nullptr;
  if (!has_operator) node.opset = generator.version().since_version;
  Random random(choices.seed());
  draw_values(random, node, generator.is_free() && choices.once_in(3));
}

Node random_node(RandomChoices& choices, std::span<const OperatorVersion* const> versions) {
  Node node;
  NodeGenerator generator(choices, node, choices.once_in(3));
  generator.structure(versions);
  generator.elements();
  complete(choices, generator, node);
  if (generator.is_free() && choices.once_in(8)) node.variable_inputs = {1, 2};
  return node;
}

}  // namespace touchstone::reference
