#include "fuzz/coded_example.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

#include "conformance/generate/model_builder.h"
#include "fuzz/archive.h"
#include "fuzz/legal_choices.h"
#include "spec/opset.h"

namespace touchstone::fuzz {

using conformance::Example;
using conformance::Form;
using conformance::Source;
using conformance::Storage;
using reference::AttributeValue;
using reference::Node;
using reference::Shape;
using reference::Tensor;
using spec::AttributeMeaning;
using spec::ElementType;
using spec::OperatorVersion;

namespace {

constexpr std::int64_t most_dimensions = 8;
constexpr std::int64_t longest_dimension = 255;  // one byte; unrestricted dimensions may be longer
constexpr std::size_t longest_text = 40;
constexpr std::size_t most_operands = 4;
// Few bytes suffice for the parameters of many elements, so x is read last and lacks bytes first.
constexpr std::array<std::size_t, most_operands> elements_in_order{1, 2, 3, 0};

const std::vector<optimized::Environment>& environments() {
  static const auto all = optimized::environments();
  return all;
}

bool has_typed_field(ElementType type) {
  const spec::TypedField field = spec::info(type).typed_field;
  return field == spec::TypedField::float_data || field == spec::TypedField::int32_data;
}

/// Represents an attribute that is not a number, so that no choice matches it.
constexpr std::int64_t none_of_the_choices = std::numeric_limits<std::int64_t>::min();

struct Operand {
  bool is_given = false;
  ElementType type{};
  Shape shape;
};

/// Every member reads its values from the example or writes them to it, depending on the archive.
template <class Archive>
class Description {
 public:
  Description(Archive& archive, Example& example, bool is_free)
      : archive_(archive), example_(example), node_(example.node), is_free_(is_free) {}

  void go(Operators operators) {
    version(versions(operators));
    operands();
    for (const spec::Attribute& row : version_->attributes) attribute(row);
    foreign_attributes();
    circumstances();
    for (const std::size_t operand : elements_in_order) elements(operand);
  }

 private:
  void version(std::span<const OperatorVersion* const> table) {
    if constexpr (Archive::writes) {
      version_ = spec::resolve(node_.domain, node_.op, node_.opset);
      for (const OperatorVersion* row : table)
        if (version_ == nullptr && row->domain == node_.domain && row->op == node_.op) version_ = row;
    }
    archive_.choose(version_, table, false);
    if (version_ == nullptr) version_ = table.front();  // of an unknown domain: it cannot be written
    if constexpr (!Archive::writes) {
      node_.domain = version_->domain;
      node_.op = version_->op;
    }
    if (!archive_.choose(node_.opset, opsets(*version_), is_free_)) archive_.number(node_.opset, 0, longest_dimension);
  }

  // -- types and shapes

  void operands() {
    std::size_t count = 0;
    if constexpr (Archive::writes) {
      count = node_.inputs.size();
      for (std::size_t i = 0; i < std::min(count, most_operands); ++i)
        if (const auto& input = node_.inputs[i]) operands_[i] = {true, input->type(), input->shape()};
    }
    if (!archive_.choose(count, std::array<std::size_t, 2>{2, 3}, is_free_))
      archive_.number(count, 1, static_cast<std::int64_t>(most_operands));
    for (std::size_t i = 0; i < count; ++i) {
      archive_.number(operands_[i].is_given, i == 0 || !is_free_ ? 1 : 0, 1);
      if (operands_[i].is_given) type(i);
    }
    shape_of_x();
    layout();
    for (std::size_t i = 1; i < count; ++i)
      if (operands_[i].is_given) shape_of_parameter(i);
    if constexpr (!Archive::writes) node_.inputs.resize(count);
  }

  void type(std::size_t place) {
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
    if (place == most_operands - 1 || !archive_.choose(type, choices, is_free_))
      archive_.choose(type, all_types(), false);
  }

  void any_shape(Shape& shape) {
    std::size_t rank = shape.size();
    archive_.number(rank, 0, most_dimensions);
    shape.resize(rank);
    bool is_long =
        is_free_ && std::ranges::any_of(shape, [](std::int64_t length) { return length > longest_dimension; });
    if (is_free_) archive_.number(is_long, 0, 1);
    for (std::int64_t& length : shape)
      archive_.number(length, 0, is_long ? std::numeric_limits<std::int64_t>::max() : longest_dimension);
  }

  void shape_of_x() {
    Operand& x = operands_[0];
    const std::array<std::size_t, 1> ranks{static_cast<std::size_t>(version_->shapes.rank.value_or(0))};
    std::size_t rank = x.shape.size();
    if (ranks[0] == 0 || !archive_.choose(rank, ranks, is_free_)) {
      any_shape(x.shape);
    } else {
      x.shape.resize(rank);
      for (std::int64_t& length : x.shape) archive_.number(length, 0, longest_dimension);
    }
    archive_.fit(x.shape, spec::info(x.type).bits);
  }

  void layout() {
    unpacked_ = unpacked(*version_, operands_[0].type, operands_[0].shape);
    const auto rank = static_cast<std::int64_t>(unpacked_.size());
    if constexpr (Archive::writes) layout_ = layout_of(node_, *version_, unpacked_, operands_[1].shape);
    archive_.number(layout_.granularity, 0, static_cast<std::int64_t>(version_->granularities.size()) - 1);
    archive_.number(layout_.dimension, 0, std::max<std::int64_t>(rank - 1, 0));
    archive_.number(layout_.block, 1, largest_block);
    if (is_free_ || !version_->shapes.whole_blocks || rank == 0) return;
    const std::int64_t whole = std::gcd(layout_.block, unpacked_[static_cast<std::size_t>(layout_.dimension)]);
    if (Archive::writes && whole != layout_.block) archive_.refuse();
    layout_.block = whole;
  }

  void shape_of_parameter(std::size_t place) {
    Operand& operand = operands_[place];
    Choices<Shape, 2> choices;
    if (auto shape = parameter_shape(*version_, layout_, unpacked_)) {
      choices.add(*std::move(shape));
    } else {
      choices.add({});
      choices.add({1});
    }
    if (!archive_.choose(operand.shape, choices, is_free_)) any_shape(operand.shape);
    archive_.limit(operand.shape);
  }

  // -- attributes

  NumberChoices choices_of(const spec::Attribute& row) const {
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

  void attribute(const spec::Attribute& row) {
    std::optional<AttributeValue> value;
    if constexpr (Archive::writes) {
      const auto found = node_.attributes.find(std::string(row.name));
      if (found != node_.attributes.end()) value = found->second;
    }
    const bool is_chosen = row.type == spec::AttributeType::integer ? number(value, row) : text(value, row);
    if (!is_chosen) any_value(value);
    if constexpr (!Archive::writes)
      if (value) node_.attributes.emplace(row.name, *std::move(value));
  }

  bool number(std::optional<AttributeValue>& value, const spec::Attribute& row) {
    std::optional<std::int64_t> number;
    const auto* given = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    if (given != nullptr) number = *given;
    if (value && given == nullptr) number = none_of_the_choices;
    if (!archive_.choose(number, choices_of(row), is_free_)) return false;
    if (!Archive::writes && number) value = *number;
    return true;
  }

  bool text(std::optional<AttributeValue>& value, const spec::Attribute& row) {
    Choices<std::optional<AttributeValue>, 2> choices;
    if (!row.required) choices.add(std::nullopt);
    if (row.meaning == AttributeMeaning::type_of_x)
      choices.add(std::string(operands_[0].type == ElementType::int8 ? "int8" : "int4"));
    return archive_.choose(value, choices, is_free_);
  }

  /// Includes absent values.
  void any_value(std::optional<AttributeValue>& value) {
    enum Kind { is_absent, is_short, is_long, is_text, is_foreign };
    int kind = is_absent;
    std::int64_t number = 0;
    std::string words;
    if constexpr (Archive::writes) {
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
    archive_.number(kind, is_absent, is_foreign);
    using Limits = std::numeric_limits<std::int64_t>;
    if (kind == is_short) archive_.number(number, -128, 127);
    if (kind == is_long) archive_.number(number, Limits::min(), Limits::max());
    if (kind == is_text) {
      std::size_t length = words.size();
      archive_.number(length, 0, longest_text);
      words.resize(length);
      archive_.bytes(words.data(), length);
    }
    if constexpr (!Archive::writes) {
      if (kind == is_short || kind == is_long) value = number;
      if (kind == is_text) value = std::move(words);
      if (kind == is_foreign) value = reference::ForeignAttribute{"FLOAT"};  // the one that build_model writes
    }
  }

  void foreign_attributes() {
    std::vector<std::pair<std::string, AttributeValue>> all;
    for (const auto& row : node_.attributes)
      if (Archive::writes && version_->attribute(row.first) == nullptr) all.push_back(row);
    constexpr int another = 3;  // one of four values, so that few examples have many
    for (std::size_t place = 0; is_free_; ++place) {
      int next = place < all.size() ? another : 0;
      archive_.number(next, 0, another);
      if (next != another || place == attribute_names().size()) break;
      if (!Archive::writes) all.emplace_back();
    }
    if (!is_free_ && !all.empty()) archive_.refuse();
    for (auto& [name, given] : all) {
      archive_.choose(name, attribute_names(), false);
      std::optional<AttributeValue> value = given;
      any_value(value);
      if (!Archive::writes && value) node_.attributes.emplace(name, *value);
    }
  }

  // -- the form

  void circumstances() {
    std::array<const Form*, 16> table{};
    std::size_t count = 0;
    for (const Form& form : conformance::forms()) {
      const bool is_usual = form.parameters != Source::graph_input || !version_->inputs[1].constant;
      if ((is_usual || is_free_) && is_possible(form)) table.at(count++) = &form;
    }
    archive_.choose(example_.form, std::span(table).first(count), false);
    std::size_t place = 0;
    if constexpr (Archive::writes) {
      const auto& given = example_.environment;
      while (place < environments().size() &&
             !(environments()[place].rounding == given.rounding && environments()[place].flushes == given.flushes &&
               environments()[place].traps == given.traps))
        ++place;
    }
    archive_.number(place, 0, static_cast<std::int64_t>(environments().size()) - 1);
    if constexpr (!Archive::writes) example_.environment = environments()[place];
  }

  /// Whether build_model supports the form.
  bool is_possible(const Form& form) const {
    if (form.empty_name && node_.inputs.size() != 2) return false;
    return form.storage != Storage::typed_field ||
           std::all_of(operands_.begin(), operands_.end(),
                       [](const Operand& one) { return !one.is_given || has_typed_field(one.type); });
  }

  /// "There's no zero point in the case of dequantizing int32."
  bool has_zeros_only(std::size_t place) const {
    return place == 2 && !is_free_ && operands_[place].type == ElementType::int32;
  }

  void elements(std::size_t place) {
    const Operand& operand = operands_[place];
    if (!operand.is_given) return;
    const auto elements = reference::element_count(operand.shape);
    if constexpr (Archive::writes)
      if (!archive_.can_be_written()) return;  // too many elements
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(reference::byte_count(operand.type, elements.value()).value()));
    if constexpr (Archive::writes) std::ranges::copy(node_.inputs[place]->bytes(), bytes.begin());
    const std::int64_t in_last_byte = *elements * spec::info(operand.type).bits % 8;
    if (has_zeros_only(place))
      archive_.zeros(bytes);
    else
      archive_.bytes(bytes.data(), bytes.size());
    if (in_last_byte != 0) bytes.back() &= static_cast<std::byte>((1 << in_last_byte) - 1);
    if constexpr (!Archive::writes) node_.inputs[place].emplace(operand.type, operand.shape, std::move(bytes));
  }

  Archive& archive_;
  Example& example_;
  Node& node_;
  const bool is_free_;
  const OperatorVersion* version_ = nullptr;
  std::array<Operand, most_operands> operands_{};
  Shape unpacked_;  // the shape of x
  Layout layout_;
};

/// Sets the bits after the last element.
void set_padding(Tensor& tensor) {
  const std::int64_t in_last_byte = tensor.size() * spec::info(tensor.type()).bits % 8;
  if (in_last_byte == 0) return;
  std::vector<std::byte> bytes(tensor.bytes().begin(), tensor.bytes().end());
  bytes.back() |= static_cast<std::byte>(0xff << in_last_byte);
  tensor = Tensor(tensor.type(), tensor.shape(), std::move(bytes));
}

std::optional<std::vector<std::uint8_t>> encode(Example example, Operators operators, bool is_free) {
  Writer writer;
  writer.number(is_free, 0, 1);
  Description<Writer>(writer, example, is_free).go(operators);
  if (!writer.can_be_written()) return std::nullopt;
  return writer.written();
}

}  // namespace

std::span<const OperatorVersion* const> versions(Operators operators) {
  static const auto lists = [] {
    std::array<std::vector<const OperatorVersion*>, 3> all;
    for (const OperatorVersion& row : spec::operator_versions) {
      const auto one =
          row.op == spec::Operator::quantize_linear ? Operators::quantize_linear : Operators::dequantize_linear;
      for (const Operators list : {one, Operators::both}) all[static_cast<std::size_t>(list)].push_back(&row);
    }
    return all;
  }();
  return lists[static_cast<std::size_t>(operators)];
}

Example decode(std::span<const std::uint8_t> bytes, Operators operators) {
  Example example{{}, nullptr};
  Reader reader(bytes);
  bool is_free = false;
  reader.number(is_free, 0, 1);
  Description<Reader>(reader, example, is_free).go(operators);
  return example;
}

std::optional<std::vector<std::uint8_t>> encode(const Example& example, Operators operators) {
  Example given = example;
  auto& inputs = given.node.inputs;
  if (given.form->empty_name && inputs.size() == 3 && !inputs[2]) inputs.pop_back();
  if (inputs.empty() || inputs.size() > most_operands || !inputs[0]) return std::nullopt;
  auto bytes = encode(given, operators, false);
  return bytes ? bytes : encode(given, operators, true);
}

Node node_in_model(const Example& example) {
  const Form& form = *example.form;
  Node node = example.node;
  node.variable_inputs = conformance::variable_inputs(node, form);
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (form.storage == Storage::raw_data_with_garbage && node.inputs[i] && !node.variable_inputs.contains(i))
      set_padding(*node.inputs[i]);
  if (form.empty_name && node.inputs.size() == 2) node.inputs.emplace_back();
  return node;
}

}  // namespace touchstone::fuzz
