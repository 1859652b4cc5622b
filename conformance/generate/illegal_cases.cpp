#include "conformance/generate/illegal_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "conformance/generate/control.h"
#include "conformance/generate/illegal_rules.h"
#include "conformance/generate/model_builder.h"
#include "conformance/generate/stored_tensor.h"

namespace touchstone::conformance {

namespace {

constexpr std::array<const char*, 3> operands{"x", "scale", "zero_point"};

std::int64_t code(ElementType type) { return static_cast<std::int64_t>(type); }

constexpr std::int64_t no_element_type = 99;

class Illegal : public IllegalRules {
 public:
  using IllegalRules::IllegalRules;

  std::vector<IllegalCase> make() {
    attributes();
    number_of_inputs();
    types();
    bindings();
    output_types();
    axes();
    scale_shapes();
    blocks();
    int32_zero_points();
    float6_padding();
    add_rules_of_axis_without_default(*this);
    add_rules_of_opmx(*this);
    return take();
  }

 private:
  bool quantizes() const { return version().op == Operator::quantize_linear; }

  /// Every attribute of any version, and an invented one.
  void attributes() {
    std::map<std::string, spec::Attribute> known{{"rounding", {"rounding", AttributeMeaning::reserved, 0}}};
    for (const OperatorVersion& version : spec::operator_versions)
      for (const spec::Attribute& row : version.attributes) known.emplace(row.name, row);
    for (const auto& [name, row] : known) {
      const bool is_integer = row.type == spec::AttributeType::integer;
      const reference::AttributeValue number = row.default_value.value_or(0);
      const reference::AttributeValue text = std::string("1");
      if (version().attribute(name) == nullptr) {
        add("onnx-known-attributes", fmt::format("attribute/{}", name), tensor_base, any,
            sets(name, is_integer ? number : text));
        continue;
      }
      const std::string rule = fmt::format("attribute_type/{}", name);
      add("onnx-attribute-type", rule + "/float", tensor_base, any, sets(name, reference::ForeignAttribute{"FLOAT"}));
      add("onnx-attribute-type", rule + (is_integer ? "/string" : "/int"), tensor_base, any,
          sets(name, is_integer ? text : number));
      if (row.required)
        add("onnx-required-attributes", fmt::format("attribute_missing/{}", name), tensor_base, any, removes(name));
    }
  }

  void number_of_inputs() {
    add("onnx-inputs", "inputs/only_x", tensor_base, any, [](Node& node) { node.inputs.resize(1); });
    add("onnx-inputs", "inputs/four", tensor_base, with_zero_point,
        [](Node& node) { node.inputs.push_back(node.inputs.back()); });
  }

  void types() {
    for (std::size_t operand = 0; operand < operands.size(); ++operand)
      for (const ElementTypeInfo& row : spec::element_types) {
        if (row.carrier || can_be_given(operand, row.type)) continue;
        const Shape shape = operand == x_operand ? tensor_base.x : tensor_base.parameters();
        add("onnx-type-constraint", fmt::format("type/{}/{}", operands[operand], row.short_name), tensor_base,
            with_zero_point, replaces(operand, row.type, shape));
      }
  }

  bool can_be_given(std::size_t operand, ElementType type) const {
    const spec::TypeList types = version().inputs[operand].types;
    return std::any_of(types.begin(), types.end(), [&](ElementType one) { return spec::tensor_type(one) == type; });
  }

  /// Operands that share a type variable with x and have another type than x.
  void bindings() {
    for (const std::size_t operand : {scale_operand, zero_point_operand}) {
      const spec::Parameter& row = version().inputs[operand];
      if (row.type_variable.empty() || row.type_variable != version().inputs[x_operand].type_variable) continue;
      for (std::size_t i = 0; i < row.types.size(); ++i) {
        const ElementType x = row.types[i];
        const ElementType other = row.types[(i + 1) % row.types.size()];
        add(
            "onnx-type-binding", fmt::format("binding/{}-{}", spec::info(x).short_name, spec::info(other).short_name),
            tensor_base, [=](const Cell& cell) { return cell.has_zero_point() && cell.x == x; },
            replaces(operand, other, tensor_base.parameters()));
      }
    }
  }

  void output_types() {
    if (!has(AttributeMeaning::output_dtype)) return;
    const auto is_output = [&](ElementType type) { return spec::contains(version().output.types, type); };
    for (const ElementTypeInfo& row : spec::element_types) {
      const auto forbid = [&](spec::ClauseRef clause) {
        add(clause, fmt::format("output_dtype/{}", row.short_name), tensor_base, quantizes() ? without_zero_point : any,
            sets("output_dtype", code(row.type)));
      };
      if (row.carrier || is_output(row.type)) continue;
      if (quantizes())
        forbid("ql-output-dtype-allowed");
      else
        forbid("dq-output-dtype-allowed");
    }
    if (!quantizes()) {
      add("dq-output-dtype-allowed", "output_dtype/no_element_type", tensor_base, any,
          sets("output_dtype", no_element_type));
      add(
          "dq-output-dtype-allowed", "output_dtype/missing_with_f8e8m0_scale", tensor_base,
          [](const Cell& cell) { return cell.scale == ElementType::float8e8m0; }, removes("output_dtype"));
      return;
    }
    add("ql-output-dtype-allowed", "output_dtype/no_element_type", tensor_base, without_zero_point,
        sets("output_dtype", no_element_type));
    const spec::TypeList types = version().output.types;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const ElementType zero_point = types[i];
      const ElementType other = types[(i + 1) % types.size()];
      add(
          "ql-output-dtype-agrees",
          fmt::format("output_dtype/{}_with_{}_zero_point", spec::info(other).short_name,
                      spec::info(zero_point).short_name),
          tensor_base, [=](const Cell& cell) { return cell.has_zero_point() && cell.y == zero_point; },
          sets("output_dtype", code(other)));
    }
  }

  void axes() {
    constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    for (const Geometry* base : {&axis_base, &blocked_base})
      for (const auto& [name, axis] : std::initializer_list<std::pair<const char*, std::int64_t>>{
               {"rank", 2}, {"below_minus_rank", -3}, {"greatest", greatest}, {"least", least}})
        add_with_4_bits("qdq-axis-range", fmt::format("axis/{}/{}", spec::name(base->granularity), name), *base, any,
                        sets("axis", axis));
    add_with_4_bits("qdq-axis-range", "axis/per_axis/default_of_rank_1", axis_base, any, [](Node& node) {
      node.attributes.erase("axis");
      node.inputs[x_operand] = exact_data(x_operand, node.inputs[x_operand]->type(), {5});
    });
    add_with_4_bits("qdq-axis-range", "axis/blocked/default_of_rank_1", blocked_base, any, [](Node& node) {
      node.attributes.erase("axis");
      reshapes({2})(node);
      node.inputs[x_operand] = exact_data(x_operand, node.inputs[x_operand]->type(), {8});
    });
  }

  void scale_shapes() {
    if (!has(AttributeMeaning::axis)) {
      for (const auto& [name, shape] : std::initializer_list<std::pair<const char*, Shape>>{
               {"along_axis_0", {3}}, {"along_axis_1", {5}}, {"of_x", {3, 5}}, {"empty", {0}}})
        add_with_4_bits("qdq-scale-is-scalar", fmt::format("scale/{}", name), tensor_base, any, reshapes(shape));
      add_with_4_bits("qdq-scale-is-scalar", "shapes/zero_point_along_axis", tensor_base, with_zero_point,
                      reshapes_one(zero_point_operand, {5}));
      return;
    }
    for (const auto& [name, shape] : std::initializer_list<std::pair<const char*, Shape>>{
             {"longer", {6}}, {"shorter", {4}}, {"of_other_axis", {3}}, {"empty", {0}}})
      add_with_4_bits("qdq-per-axis-length", fmt::format("scale/{}", name), axis_base, any, reshapes(shape));
    add_with_4_bits("qdq-same-shape", "shapes/scalar_zero_point", axis_base, with_zero_point,
                    reshapes_one(zero_point_operand, {}));
    add_with_4_bits("qdq-same-shape", "shapes/scalar_scale", axis_base, with_zero_point,
                    reshapes_one(scale_operand, {}));
    add_with_4_bits("qdq-same-shape", "shapes/longer_zero_point", axis_base, with_zero_point,
                    reshapes_one(zero_point_operand, {6}));
    if (!has(AttributeMeaning::block_size)) {
      for (const auto& [name, shape] : std::initializer_list<std::pair<const char*, Shape>>{
               {"of_x", {3, 5}}, {"blocked", {3, 2}}, {"one_element_of_rank_2", {1, 1}}})
        add_with_4_bits("qdq-scale-rank-before-21", fmt::format("scale/{}", name), tensor_base, any, reshapes(shape));
      return;
    }
    add_with_4_bits("qdq-scale-rank", "scale/of_rank_3", tensor_base, any, reshapes({3, 5, 2}));
    add_with_4_bits("qdq-scale-rank", "scale/one_element_of_rank_3", tensor_base, any, reshapes({1, 1, 1}));
    add_with_4_bits("qdq-same-shape", "shapes/blocked_scale_scalar_zero_point", blocked_base, with_zero_point,
                    reshapes_one(zero_point_operand, {}));
    add_with_4_bits("qdq-same-shape", "shapes/blocked_scale_other_zero_point", blocked_base, with_zero_point,
                    reshapes_one(zero_point_operand, {3, 3}));
  }

  void blocks() {
    if (!has(AttributeMeaning::block_size)) return;
    add_with_4_bits("qdq-block-size-given", "block_size/missing", blocked_base, any, removes("block_size"));
    add_with_4_bits("qdq-block-size-given", "block_size/zero", blocked_base, any, sets("block_size", 0));
    add_with_4_bits("qdq-block-size-given", "block_size/missing_with_one_element_of_rank_2", tensor_base, any,
                    reshapes({1, 1}));
    for (const auto& [name, size] : std::initializer_list<std::pair<const char*, std::int64_t>>{
             {"minus_one", -1}, {"least", std::numeric_limits<std::int64_t>::min()}})
      add_with_4_bits("qdq-block-size-positive", fmt::format("block_size/{}", name), blocked_base, any,
                      sets("block_size", size));
    // Two blocks of 8 elements: 4 to 7 in the first.
    for (const auto& [name, size] : std::initializer_list<std::pair<const char*, std::int64_t>>{
             {"one", 1}, {"too_small", 3}, {"whole_axis", 8}, {"greatest", std::numeric_limits<std::int64_t>::max()}})
      add_with_4_bits("qdq-block-size-range", fmt::format("block_size/{}", name), blocked_base, any,
                      sets("block_size", size));
    for (const auto& [name, shape] :
         std::initializer_list<std::pair<const char*, Shape>>{{"other_axis_differs", {2, 2}},
                                                              {"two_blocked_axes", {1, 2}},
                                                              {"transposed", {2, 3}},
                                                              {"no_blocks", {3, 0}}})
      add_with_4_bits("qdq-blocked-shape", fmt::format("scale/{}", name), blocked_base, any, reshapes(shape));
  }

  void int32_zero_points() {
    if (quantizes()) return;
    for (const Geometry* base : {&tensor_base, &axis_base, &blocked_base})
      add(
          "dq-int32-zero-point", fmt::format("int32_zero_point/{}", spec::name(base->granularity)), *base,
          [](const Cell& cell) { return cell.has_zero_point() && cell.x == ElementType::int32; },
          [](Node& node) {
            Tensor& zero_point = *node.inputs[zero_point_operand];
            zero_point = numbers(zero_point.type(), zero_point.shape());
          });
  }

  /// The model file is invalid here, not the node.
  void float6_padding() {
    for (const ElementType type : version().inputs[zero_point_operand].types) {
      if (!spec::is_float6(type)) continue;
      add(
          "onnx-6-bit-padding", fmt::format("padding/{}", spec::info(type).short_name), tensor_base,
          [=](const Cell& cell) { return cell.has_zero_point() && cell.quantized_type() == type; }, [](Node&) {});
      last().float6_padding_is_set = true;
      last().form = &form_named("garbage_padding");  // within all limits: no operand is a graph input
      last().has_other_form = false;
    }
  }
};

/// The form without the fault, if the form has the fault.
const Form& legal_form(const IllegalCase& illegal) {
  return illegal.float6_padding_is_set ? form_named("all_constant") : *illegal.form;
}

}  // namespace

std::vector<IllegalCase> illegal_cases(std::uint64_t seed, const FormLimits& limits) {
  std::vector<IllegalCase> all;
  for (const OperatorVersion& version : spec::operator_versions)
    for (IllegalCase& illegal : Illegal(version, seed, limits).make()) all.push_back(std::move(illegal));
  return all;
}

std::vector<IllegalCase> illegal_smoke_cases(std::uint64_t seed, const FormLimits& limits) {
  std::vector<IllegalCase> first;
  std::set<std::tuple<std::string_view, Operator, std::string_view>> violated;
  for (const OperatorVersion& version : spec::operator_versions)
    for (IllegalCase& illegal : Illegal(version, seed, limits).make())
      if (violated.insert({version.domain, version.op, illegal.clause}).second) first.push_back(std::move(illegal));
  return first;
}

Node IllegalCase::node() const {
  Node made = unbroken();
  breaks(made);
  return made;
}

std::string_view IllegalCase::rule() const { return id->substr(id->find(must_reject) + must_reject.size()); }

Case make_case(const IllegalCase& illegal) {
  const Node node = illegal.node();
  const ElementType y = illegal.cell.y;
  const Shape y_shape = out_of_carrier(node.inputs[x_operand]->shape(), illegal.cell.x);
  // The node can be read only from a model without the fault.
  const Form& readable = legal_form(illegal);
  Case made{.id = illegal.id,
            .model = build_model(node, readable, y, y_shape),
            .data_sets = {{graph_inputs(node, *illegal.form), {}}},
            .form = std::string(illegal.form->name),
            .float6_padding_is_set = illegal.float6_padding_is_set};
  if (illegal.float6_padding_is_set) made.model.bytes = model_file(node, *illegal.form, y, y_shape);
  return made;
}

void offer_control_candidates(const IllegalCase& illegal, const TakeCase& take) {
  Recipe legal = illegal;
  legal.form = &legal_form(illegal);
  offer_control_candidates(legal, take);
}

}  // namespace touchstone::conformance
