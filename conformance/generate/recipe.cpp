#include "conformance/generate/recipe.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <set>
#include <tuple>

#include "conformance/generate/directed_values.h"
#include "conformance/generate/distributed_inputs.h"
#include "conformance/generate/exact_data.h"
#include "conformance/generate/listed_inputs.h"
#include "conformance/generate/model_builder.h"
#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/picker.h"
#include "conformance/generate/quantize_quotients.h"
#include "conformance/generate/scales.h"
#include "conformance/generate/stored_tensor.h"
#include "conformance/plan/ordinary_data.h"
#include "reference/codec.h"
#include "spec/ambiguities.h"

namespace touchstone::conformance {

namespace {

std::uint64_t nan_code(ElementType type) {
  if (type == ElementType::float8e8m0) return 0xff;
  return static_cast<std::uint64_t>(highest_place(type)) + 1 +
         (std::uint64_t{1} << (spec::info(type).format->fraction_bits - 1));
}

std::uint64_t sign_bit(ElementType type) { return std::uint64_t{1} << (spec::info(type).bits - 1); }

/// The scale that replaces a directed one; std::nullopt if none does.
std::optional<std::uint64_t> unusual_scale(const Recipe& recipe, std::uint64_t parameter) {
  const ElementType type = recipe.cell.scale;
  switch (recipe.values) {
    case Values::zero_scale: return 0;
    case Values::negative_zero_scale: return sign_bit(type);
    case Values::infinite_scale: return static_cast<std::uint64_t>(highest_place(type)) + 1;
    case Values::nan_scale: return nan_code(type);
    case Values::scale_of_1:
    case Values::scale_of_1_zero_point_0: return nearest_code(type, 1);
    case Values::every_scale: return parameter % 256;
    case Values::every_normal_scale: return 1 + parameter % 254;
    case Values::similar_scales: return similar_scale(type, parameter % 2 != 0);
    case Values::powers_of_two: return nearest_code(type, reference::Rational(1, 4));
    default: return std::nullopt;
  }
}

Scales directed_scales(Values values) {
  switch (values) {
    case Values::negative_scale: return Scales::negative;
    case Values::subnormal_scale: return Scales::subnormal;
    case Values::smallest_scale: return Scales::smallest;
    case Values::smallest_normal_scale: return Scales::smallest_normal;
    default: return Scales::ordinary;
  }
}

/// The zero point that replaces the directed ones. For floating-point types, numbers around 1 with both signs that all
/// of them can represent.
std::optional<std::uint64_t> unusual_zero_point(const Recipe& recipe, std::size_t index) {
  const ElementType type = *recipe.cell.zero_point;
  constexpr std::array<int, 4> halves{2, -2, 1, 3};
  constexpr std::array<int, 4> integers{5, -3, 1 << 30, -(1 << 30)};
  constexpr std::array<int, 4> bytes{-1, 100, -128, 23};
  if (recipe.values == Values::float_zero_point)
    return nearest_code(type, reference::Rational(halves[index % halves.size()], 2));
  if (recipe.values == Values::int32_zero_point) return code_at(type, integers[index % integers.size()]);
  if (recipe.values == Values::wide_zero_point) return code_at(type, bytes[index % bytes.size()]);
  if (recipe.values == Values::scale_of_1_zero_point_0) return 0;
  if (recipe.values == Values::every_zero_point) return index % (std::size_t{1} << spec::info(type).bits);
  return std::nullopt;
}

/// The name of the type in attributes: that of the numbers, however they are packed.
std::string name_of_type(ElementType type) {
  return type == ElementType::int4x4 ? "int4" : std::string(spec::name(type));
}

/// The output type without the attribute output_dtype; std::nullopt if the attribute is required.
std::optional<ElementType> inherited_output_type(const Cell& cell) {
  if (cell.version->op == Operator::dequantize_linear) return cell.scale;
  return cell.has_zero_point() ? *cell.zero_point : ElementType::uint8;
}

/// The value of the case for an attribute with this meaning; std::nullopt if the case can only omit it.
std::optional<reference::AttributeValue> value_of(AttributeMeaning meaning, const Recipe& recipe) {
  using enum AttributeMeaning;
  const Cell& cell = recipe.cell;
  const auto number = [](auto value) { return reference::AttributeValue(static_cast<std::int64_t>(value)); };
  if (const auto extra = recipe.extra_attributes->find(meaning); extra != recipe.extra_attributes.end())
    return extra->second;
  switch (meaning) {
    case axis: return recipe.geometry->axis ? std::optional(number(*recipe.geometry->axis)) : std::nullopt;
    case block_size: return number(recipe.geometry->block_size);
    case output_dtype: return number(cell.y);
    case precision: return cell.precision ? std::optional(number(*cell.precision)) : std::nullopt;
    case saturate: return cell.saturate ? std::optional(number(*cell.saturate)) : std::nullopt;
    case type_of_x: return name_of_type(cell.x);
    case has_zero_point: return number(cell.has_zero_point());
    case zero_point_is_float: return number(cell.has_zero_point() && !spec::is_integer(*cell.zero_point));
    case reserved: return std::nullopt;
  }
  return std::nullopt;
}

/// Whether the attribute is redundant: the node means the same without it.
bool goes_without_saying(const spec::Attribute& attribute, const reference::AttributeValue& value, const Cell& cell) {
  if (attribute.meaning == AttributeMeaning::output_dtype) return cell.y == inherited_output_type(cell);
  const auto* number = std::get_if<std::int64_t>(&value);
  return number != nullptr && attribute.default_value == *number;
}

/// The attributes that the cell or the recipe demands. Redundant attributes are sometimes present, sometimes not.
std::map<std::string, reference::AttributeValue> attributes(const Recipe& recipe, Picker& picker) {
  std::map<std::string, reference::AttributeValue> made;
  for (const spec::Attribute& attribute : recipe.cell.version->attributes) {
    const auto value = value_of(attribute.meaning, recipe);
    if (!value) continue;
    const bool is_chosen = attribute.meaning == AttributeMeaning::axis ||  // the geometry determines these
                           recipe.extra_attributes->contains(attribute.meaning);
    const bool may_be_redundant =
        !recipe.leaves_out_defaults && !may_be_unknown(*recipe.cell.version, attribute.meaning);
    if (is_chosen || !goes_without_saying(attribute, *value, recipe.cell) || (may_be_redundant && picker.coin()))
      made.emplace(attribute.name, *value);
  }
  return made;
}

/// The part of the directed values that a data set uses.
struct Start {
  std::vector<std::size_t> order;  ///< the index of the values of each parameter
  std::uint64_t x;                 ///< the start position in the lists of inputs
  std::size_t data_set = 0;
};

/// Empty for data that do not depend on the cell.
const std::vector<DirectedValues>& kinds_of(const Recipe& recipe) {
  static const std::vector<DirectedValues> none;
  if (recipe.values == Values::ordinary || recipe.values == Values::exact) return none;
  return directed_values(value_kind(recipe.cell, directed_scales(recipe.values)));
}

class Operands {
 public:
  explicit Operands(const Recipe& recipe)
      : recipe_(recipe),
        geometry_(*recipe.geometry),
        kinds_(kinds_of(recipe)),
        sharing_(geometry_.sharing()),
        has_equal_dimensions_(std::set(geometry_.x.begin(), geometry_.x.end()).size() < geometry_.x.size()) {}

  /// An order of the values in which the first ones reveal as many defects as possible that other data sets do not. The
  /// first data set begins with an ordinary scale, because with a single extreme one few inputs are revealing.
  std::vector<std::size_t> order(Picker& picker, std::uint64_t revealed, bool is_first) const {
    if (kinds_.empty()) return {};
    std::vector<std::size_t> places(kinds_.size());
    std::iota(places.begin(), places.end(), 0);
    std::rotate(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(picker.below(places.size())),
                places.end());
    bool begins_ordinary = is_first;
    const auto worth = [&](std::size_t place) {
      const DirectedValues& row = kinds_[place];
      return std::tuple(begins_ordinary && row.ordinary, std::popcount(row.reveals & ~revealed),
                        is_first && row.ordinary);
    };
    const auto less = [&](std::size_t left, std::size_t right) { return worth(left) < worth(right); };
    for (auto next = places.begin(); next != places.end(); ++next, begins_ordinary = false) {
      const auto best = std::max_element(next, places.end(), less);
      std::rotate(next, best, best + 1);
      revealed |= kinds_[*next].reveals;
    }
    return places;
  }

  /// The defects that a data set reveals.
  std::uint64_t reveals(const Start& start) const {
    const auto parameters = static_cast<std::size_t>(*reference::element_count(geometry_.parameters()));
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < std::min(start.order.size(), parameters); ++i) bits |= kinds_[start.order[i]].reveals;
    return bits;
  }

  std::vector<std::optional<Tensor>> at(const Start& start) const {
    std::vector<std::optional<Tensor>> operands{in_carrier(x(start)), scale(start)};
    if (recipe_.cell.has_zero_point()) operands.emplace_back(zero_point(start));
    if (recipe_.values == Values::empty_zero_point)
      operands.emplace_back(Tensor(recipe_.cell.version->inputs[2].types.front(), {0}));
    return operands;
  }

 private:
  /// With equal dimensions, the kinds begin one place further each time. Otherwise a period could match two dimensions,
  /// and nothing would distinguish them.
  std::size_t kind_of(const Start& start, std::int64_t parameter) const {
    const auto place = static_cast<std::size_t>(parameter);
    const std::size_t kinds = start.order.size();
    return start.order[(place + (has_equal_dimensions_ ? place / kinds : 0)) % kinds];
  }

  const DirectedValues& values(const Start& start, std::int64_t parameter) const {
    return kinds_[kind_of(start, parameter)];
  }

  Tensor x(const Start& start) const {
    if (recipe_.values == Values::ordinary) return ordinary_data(0, recipe_.cell.x, geometry_.x);
    if (recipe_.values == Values::exact) return exact_data(x_operand, recipe_.cell.x, geometry_.x);
    Tensor tensor(recipe_.cell.x, geometry_.x);
    std::vector<std::size_t> row_of(static_cast<std::size_t>(tensor.size()));
    for (std::int64_t i = 0; i < tensor.size(); ++i) row_of[static_cast<std::size_t>(i)] = kind_of(start, sharing_(i));
    if (recipe_.values == Values::every_result) {
      for (std::int64_t i = 0; i < tensor.size(); ++i)
        tensor.set_code(i, input_for_result(kinds_[row_of[static_cast<std::size_t>(i)]], i));
      return tensor;
    }
    if (is_listed()) return listed(row_of, start.x);
    if (has_inputs_of_each_parameter()) return inputs_of_each_parameter(start);
    std::vector<std::uint64_t> codes = distribute_inputs(kinds_, row_of, special_inputs(recipe_.cell.x), start.x);
    if (recipe_.values == Values::float_zero_point && recipe_.cell.version->op == Operator::quantize_linear)
      put_beside_midpoints(start, codes);
    return Tensor::from_codes(recipe_.cell.x, geometry_.x, codes);
  }

  /// At every second element.
  void put_beside_midpoints(const Start& start, std::vector<std::uint64_t>& codes) const {
    const Tensor scales = scale(start);
    const Tensor zero_points = zero_point(start);
    for (std::size_t i = 1; i < codes.size(); i += 2) {
      const std::int64_t parameter = sharing_(static_cast<std::int64_t>(i));
      const auto inputs = inputs_beside_midpoints(recipe_.cell, scales.code(parameter), zero_points.code(parameter));
      codes[i] = inputs[i / 2 % inputs.size()];
    }
  }

  bool is_listed() const {
    const bool quantizes = recipe_.cell.version->op == Operator::quantize_linear;
    return recipe_.values == Values::beyond_range || recipe_.values == Values::powers_of_two ||
           recipe_.values == Values::scale_of_1_zero_point_0 || (recipe_.values == Values::scale_of_1 && quantizes);
  }

  std::vector<std::uint64_t> list_of(const DirectedValues& row) const {
    const Cell& cell = recipe_.cell;
    const reference::Value scale = reference::decode(cell.scale, unusual_scale(recipe_, 0).value_or(row.scale));
    switch (recipe_.values) {
      case Values::beyond_range: return inputs_beyond_range(cell.x, cell.y, scale);
      case Values::powers_of_two: return inputs_at_powers_of_two(cell.x, scale);
      case Values::scale_of_1_zero_point_0: return inputs_at_steps(cell.x, cell.y, 0);
      default: return inputs_at_steps(cell.x, cell.y, row.zero_point);
    }
  }

  /// The elements of each row have its list from some position on, and then again from its beginning.
  Tensor listed(const std::vector<std::size_t>& row_of, std::uint64_t first) const {
    Tensor tensor(recipe_.cell.x, geometry_.x);
    std::vector<std::vector<std::uint64_t>> lists(kinds_.size());
    std::vector<std::uint64_t> taken(kinds_.size(), first);
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      const std::size_t row = row_of[static_cast<std::size_t>(i)];
      if (lists[row].empty()) lists[row] = list_of(kinds_[row]);
      tensor.set_code(i, lists[row][taken[row]++ % lists[row].size()]);
    }
    return tensor;
  }

  bool has_inputs_of_each_parameter() const {
    return recipe_.cell.version->op == Operator::quantize_linear &&
           (recipe_.values == Values::every_scale || recipe_.values == Values::every_normal_scale ||
            recipe_.values == Values::every_zero_point || recipe_.values == Values::similar_scales);
  }

  /// Each parameter begins one place further in its list.
  Tensor inputs_of_each_parameter(const Start& start) const {
    const Tensor scales = scale(start);
    Tensor tensor(recipe_.cell.x, geometry_.x);
    std::vector<std::vector<std::uint64_t>> lists(static_cast<std::size_t>(scales.size()));
    std::vector<std::size_t> taken(lists.size());
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      const auto parameter = static_cast<std::size_t>(sharing_(i));
      std::vector<std::uint64_t>& list = lists[parameter];
      if (list.empty()) list = inputs_of(start, sharing_(i), scales.code(sharing_(i)));
      tensor.set_code(i, list[(parameter + taken[parameter]++ + start.data_set) % list.size()]);
    }
    return tensor;
  }

  /// Similar scales have the same inputs, which are ties with one of them.
  std::vector<std::uint64_t> inputs_of(const Start& start, std::int64_t parameter, std::uint64_t scale) const {
    const Cell& cell = recipe_.cell;
    const bool are_similar = recipe_.values == Values::similar_scales;
    const std::vector<reference::Value> quotients =
        are_similar ? ties_away_from_zero(cell.y, values(start, parameter).zero_point) : small_quotients();
    reference::Value divisor = reference::decode(cell.scale, are_similar ? similar_scale(cell.scale, false) : scale);
    if (divisor.is_nan()) divisor = reference::Value::of(reference::Integer(1));
    std::vector<std::uint64_t> codes;
    for (const reference::Value& quotient : quotients)
      codes.push_back(code_at(cell.x, place_near(cell.x, multiply(quotient, divisor))));
    return codes;
  }

  /// An input whose result is the code at place `i`, counted from the lowest.
  std::uint64_t input_for_result(const DirectedValues& row, std::int64_t i) const {
    const ElementType y = recipe_.cell.y;
    const std::int64_t results = highest_place(y) - lowest_place(y) + 1;
    const auto number = [&](std::uint64_t code) { return reference::decode(y, code).rational(); };
    const reference::Rational quotient = number(code_at(y, lowest_place(y) + i % results)) - number(row.zero_point);
    return nearest_code(recipe_.cell.x, quotient * reference::decode(recipe_.cell.scale, row.scale).rational());
  }

  Tensor scale(const Start& start) const {
    if (recipe_.values == Values::ordinary) return ordinary_data(1, recipe_.cell.scale, geometry_.parameters());
    if (recipe_.values == Values::exact) return exact_data(scale_operand, recipe_.cell.scale, geometry_.parameters());
    Tensor tensor(recipe_.cell.scale, geometry_.parameters());
    for (std::int64_t i = 0; i < tensor.size(); ++i)
      tensor.set_code(i, unusual_scale(recipe_, static_cast<std::uint64_t>(i)).value_or(values(start, i).scale));
    return tensor;
  }

  Tensor zero_point(const Start& start) const {
    if (recipe_.values == Values::ordinary) return ordinary_data(2, *recipe_.cell.zero_point, geometry_.parameters());
    if (recipe_.values == Values::exact)
      return exact_data(zero_point_operand, *recipe_.cell.zero_point, geometry_.parameters());
    Tensor tensor(*recipe_.cell.zero_point, geometry_.parameters());
    const std::size_t first = recipe_.values == Values::every_zero_point
                                  ? start.data_set * static_cast<std::size_t>(tensor.size())
                                  : start.order.front();
    for (std::int64_t i = 0; i < tensor.size(); ++i)
      tensor.set_code(
          i, unusual_zero_point(recipe_, first + static_cast<std::size_t>(i)).value_or(values(start, i).zero_point));
    return tensor;
  }

  const Recipe& recipe_;
  const Geometry& geometry_;
  const std::vector<DirectedValues>& kinds_;
  const reference::Sharing sharing_;
  const bool has_equal_dimensions_;
};

/// The common start of all data sets of a recipe. Later values of the picker belong to later data sets.
struct Beginning {
  Picker picker;
  Operands operands;
  Node node;
  Start start;

  explicit Beginning(const Recipe& recipe)
      : picker(recipe.id, recipe.seed),
        operands(recipe),
        node{.domain = std::string(recipe.cell.version->domain),
             .op = recipe.cell.version->op,
             .opset = recipe.opset,
             .attributes = attributes(recipe, picker)},
        start{operands.order(picker, 0, true), picker.next()} {
    node.inputs = operands.at(start);
    node.variable_inputs = variable_inputs(node, *recipe.form);
  }
};

/// The number of data sets in which the zero points have every code.
std::size_t sets_of_every_zero_point(const Recipe& recipe) {
  const auto parameters = static_cast<std::size_t>(*reference::element_count(recipe.geometry->parameters()));
  const std::size_t codes = std::size_t{1} << spec::info(*recipe.cell.zero_point).bits;
  return (codes + parameters - 1) / parameters;
}

/// The geometry of the second data set. If dimensions are symbolic, x is longer in all dimensions that constant
/// parameters do not fix: a compiler must not keep sizes and strides of the first run.
Geometry second_geometry(const Recipe& recipe) {
  Geometry geometry = *recipe.geometry;
  // The pages of other domains restrict lengths.
  if (recipe.form->dimensions == Dimensions::fixed || recipe.cell.version->domain == spec::opmx) return geometry;
  for (std::int64_t& length : geometry.x) {
    ++length;
    const bool fits =
        recipe.form->parameters == Source::graph_input || geometry.parameters() == recipe.geometry->parameters();
    if (!fits || !can_have(*recipe.cell.version, recipe.cell.x, geometry)) --length;
  }
  return geometry;
}

}  // namespace

bool may_be_unknown(const OperatorVersion& version, AttributeMeaning attribute) {
  return attribute == AttributeMeaning::output_dtype && version.op == Operator::dequantize_linear &&
         spec::WhichVersion23::row.applies.covers(version.domain, version.op, version.since_version);
}

Node make_node(const Recipe& recipe) { return Beginning(recipe).node; }

Case make_case(const Recipe& recipe) {
  const Form& form = *recipe.form;
  Beginning beginning(recipe);
  Node& node = beginning.node;
  Case made{.id = recipe.id,
            .model = build_model(node, form, recipe.cell.y, recipe.geometry->x),
            .data_sets = {{graph_inputs(node, form), {}}},
            .form = std::string(form.name)};
  if (!recipe.runs_again) return made;
  Picker& picker = beginning.picker;
  const auto add = [&](const Operands& operands, const Start& start) {
    node.inputs = operands.at(start);
    made.data_sets.push_back({graph_inputs(node, form), {}});
  };
  Recipe changed = recipe;
  const Geometry geometry = second_geometry(recipe);
  changed.geometry = &geometry;
  const Operands second(changed);
  if (recipe.values == Values::every_zero_point && form.parameters == Source::graph_input)
    for (std::size_t set = 1; set < sets_of_every_zero_point(recipe); ++set)
      add(beginning.operands, {beginning.start.order, beginning.start.x, set});
  if (form.x == Source::graph_input && form.parameters != Source::graph_input)
    add(second, {beginning.start.order, picker.next()});
  if (form.x == Source::graph_input && form.parameters == Source::graph_input) {
    std::uint64_t revealed = beginning.operands.reveals(beginning.start);
    for (bool is_second = true;; is_second = false) {
      const Operands& operands = is_second ? second : beginning.operands;
      const Start start{operands.order(picker, revealed, false), picker.next()};
      const std::uint64_t revealed_now = revealed | operands.reveals(start);
      // Rarely more than two: only as long as new scales reveal new defects.
      if (!is_second && revealed_now == revealed) break;
      add(operands, start);
      revealed = revealed_now;
    }
  }
  made.data_sets.push_back({.inputs = made.data_sets.front().inputs, .expected = {}, .repeats = 0});
  return made;
}

}  // namespace touchstone::conformance
