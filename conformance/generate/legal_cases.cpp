#include "conformance/generate/legal_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_set>

#include "conformance/generate/cover.h"
#include "conformance/generate/dealer.h"
#include "spec/clauses.h"
#include "spec/opset.h"

namespace touchstone::conformance {

using spec::ElementType;
using spec::Granularity;
using spec::Operator;
using spec::OperatorVersion;

namespace {

/// Cells that differ only in types that are not quantized (of x and scale, or of scale and y), saturate and precision.
struct Group {
  const OperatorVersion* version;
  ElementType quantized;
  Granularity granularity;
  std::optional<ElementType> zero_point;
  std::vector<Cell> cells;
};

std::vector<Group> groups_of(const OperatorVersion& version) {
  std::map<std::tuple<ElementType, Granularity, std::optional<ElementType>>, std::vector<Cell>> by_key;
  for (const Cell& cell : legal_cells(version))
    by_key[{cell.quantized_type(), cell.granularity, cell.zero_point}].push_back(cell);
  std::vector<Group> groups;
  for (auto& [key, cells] : by_key) {
    const auto& [quantized, granularity, zero_point] = key;
    groups.push_back({&version, quantized, granularity, zero_point, std::move(cells)});
  }
  return groups;
}

/// The group's cell that is most similar across versions: float32 if possible, and no optional attributes.
const Cell& plainest(const Group& group) {
  const auto unusual = [](const Cell& cell) {
    const auto is_float32 = [](ElementType type) { return type == ElementType::float32; };
    const ElementType other = cell.version->op == Operator::quantize_linear ? cell.x : cell.y;
    return std::tuple(cell.precision.has_value(), !is_float32(cell.scale), !is_float32(other),
                      cell.saturate == std::optional(false));
  };
  return *std::min_element(group.cells.begin(), group.cells.end(),
                           [&](const Cell& a, const Cell& b) { return unusual(a) < unusual(b); });
}

std::vector<const Form*> forms_for(const Cell& cell, const Geometry& geometry, bool with_given_scales) {
  std::vector<const Form*> fitting;
  for (const Form& form : forms())
    if (suits(form, cell, geometry) && is_usual(form, cell) &&
        (!with_given_scales || form.parameters == Source::graph_input))
      fitting.push_back(&form);
  return fitting;
}

/// Whether the case needs all codes of a 6-bit or 8-bit type. Every case has the codes of narrower types.
bool has_all_codes(const Cell& cell) {
  const int bits = spec::info(cell.x).bits;
  return cell.version->op == Operator::dequantize_linear && (bits == 6 || bits == 8);
}

/// Whether the pages of the other domains leave open if the geometry is legal: ms-negative-axis, pmx-rank and
/// pmx-per-channel-of-axis-0. Such geometries have separate cases.
bool is_disputed(const OperatorVersion& version, const Geometry& geometry) {
  if (version.domain == spec::com_microsoft) return geometry.axis && *geometry.axis < 0;
  if (version.domain != spec::opmx) return false;
  return geometry.x.size() != 2 || (geometry.granularity == Granularity::per_axis && geometry.axis == 0);
}

/// The cell's geometries that suit its version, and the form if given.
std::vector<const Geometry*> geometries_for(const Cell& cell, const Form* form) {
  std::vector<const Geometry*> found;
  for (const Geometry& geometry : cell_geometries(cell.granularity, has_all_codes(cell)))
    if (can_have(*cell.version, cell.x, geometry) && !is_disputed(*cell.version, geometry) &&
        (form == nullptr || suits(*form, cell, geometry)))
      found.push_back(&geometry);
  return found;
}

/// The properties that a family of cases fixes. The others are dealt by the id of the case.
struct Given {
  const Geometry* geometry = nullptr;
  const Form* form = nullptr;
  bool tells_all = false;  ///< whether the case must reveal all defects of its cell
};

/// Whether one scale may not suffice to reveal all defects: if types differ, one scale reveals a conversion and another
/// one a tie. Scales are then graph inputs, which differ between data sets.
bool needs_several_scales(const Cell& cell) {
  const bool quantizes = cell.version->op == Operator::quantize_linear;
  const bool types_differ = quantizes ? cell.precision || cell.x != cell.scale : cell.scale != cell.y;
  return cell.granularity == Granularity::per_tensor && types_differ;
}

class Recipes {
 public:
  Recipes(std::uint64_t seed, const FormLimits& limits) : seed_(seed), limits_(limits) {}

  /// Adds a case of a cell, at the opset of its version, with a compatible geometry and form.
  Recipe& add(const Cell& cell, const std::string& what, const Given& given = {}) {
    Recipe recipe{.id = fmt::format("{}/{}", to_string(cell), what),
                  .cell = cell,
                  .opset = cell.version->since_version,
                  .geometry = given.geometry,
                  .form = given.form,
                  .seed = seed_};
    Dealer dealer(recipe.id, seed_);
    if (recipe.geometry == nullptr) recipe.geometry = dealer.one_of(geometries_for(cell, given.form));
    if (recipe.form == nullptr) {
      const bool with_given_scales = given.tells_all && needs_several_scales(cell);
      recipe.form = dealer.one_of(forms_for(cell, *recipe.geometry, with_given_scales));
      if (!is_within(limits_, *recipe.form, *recipe.geometry)) deal_another_form(recipe, with_given_scales);
    }
    ids_.insert(*recipe.id);
    recipes_.push_back(std::move(recipe));
    return recipes_.back();
  }

  /// As add(), unless a case has this id already.
  void add_unless_there(const Cell& cell, const std::string& what, const Given& given) {
    if (!ids_.contains(fmt::format("{}/{}", to_string(cell), what))) add(cell, what, given);
  }

  std::vector<Recipe> take() { return std::move(recipes_); }

 private:
  /// Uses a dealer of its own, so that all other choices stay the same. The case keeps its id, which does not depend on
  /// the dealt form; a case whose id names the form is not dealt one. If no form is within the limits, the case keeps
  /// its form.
  void deal_another_form(Recipe& recipe, bool rather_with_given_scales) const {
    for (const bool with_given_scales : {rather_with_given_scales, false}) {
      std::vector<const Form*> left = forms_for(recipe.cell, *recipe.geometry, with_given_scales);
      std::erase_if(left, [&](const Form* form) { return !is_within(limits_, *form, *recipe.geometry); });
      if (left.empty()) continue;
      recipe.form = Dealer(std::string(recipe.id) + " in another form", seed_).one_of(left);
      recipe.has_other_form = true;
      return;
    }
  }

  std::uint64_t seed_;
  FormLimits limits_;
  std::vector<Recipe> recipes_;
  std::unordered_set<std::string_view> ids_;  ///< of the recipes
};

// ---- families of cases

/// The id of a case names its cell, so the choice of the cell must not depend on a seed.
constexpr std::uint64_t any_seed = 0;

void add_forms(const Group& group, Recipes& recipes) {
  for (const Form& form : forms()) {
    if (!suits(form, group.cells.front())) continue;
    Dealer dealer(fmt::format("{}/{}", to_string(group.cells.front()), form.name), any_seed);
    recipes.add(dealer.one_of(group.cells), fmt::format("form/{}", form.name), {.form = &form});
  }
}

/// Backends support these types with float32 first, and some support no others.
bool is_first_choice(ElementType quantized) {
  return quantized == ElementType::uint8 || quantized == ElementType::int8;
}

/// Backends dispatch on the opset number, so opsets in which nothing changed also have cases.
void add_opsets(const Group& group, Recipes& recipes) {
  for (const spec::Opset& opset : spec::opsets) {
    const OperatorVersion* version = spec::resolve(opset.domain, group.version->op, opset.number);
    if (version != group.version || opset.number == group.version->since_version) continue;
    Dealer dealer(fmt::format("{}/{}", to_string(group.cells.front()), opset.number), any_seed);
    std::vector<Cell> cells{dealer.one_of(group.cells)};
    const Cell& plain = plainest(group);
    if (is_first_choice(group.quantized) && plain != cells.front()) cells.push_back(plain);
    for (const Cell& cell : cells) recipes.add(cell, fmt::format("opset/{}", opset.number)).opset = opset.number;
  }
}

/// Not in ai.onnx, which forbids them.
bool has_int32_zero_points(const Group& group) {
  const OperatorVersion& version = *group.version;
  return group.zero_point == ElementType::int32 &&
         !spec::find_clause("dq-int32-zero-point")->applies.covers(version.domain, version.op, version.since_version);
}

/// Zero points of a separate type may have values outside the quantized type.
bool has_wide_zero_points(const Group& group) {
  const spec::ElementTypeInfo& zero_point = spec::info(*group.zero_point);
  return spec::is_integer(zero_point.type) && zero_point.bits > spec::info(group.quantized).bits;
}

/// An attribute whose value is redundant or discouraged.
struct UnusualAttribute {
  const char* family;
  spec::AttributeMeaning meaning;
  reference::AttributeValue value;
  bool (*concerns)(const Group&);
};

const std::vector<UnusualAttribute>& unusual_attributes() {
  using enum spec::AttributeMeaning;
  const auto all = [](const Group&) { return true; };
  static const std::vector<UnusualAttribute> rows{
      {"unused_saturate", saturate, 0, [](const Group& group) { return !spec::is_float8(group.quantized); }},
      {"reserved_attribute", reserved, std::string("RTN"), all},
      {"zero_point_announced_by_2", has_zero_point, 2, all},
      {"float_zero_point_not_announced", zero_point_is_float, 0,
       [](const Group& group) { return !spec::is_integer(*group.zero_point); }},
      {"redundant_output_dtype", output_dtype, static_cast<std::int64_t>(ElementType::float32),
       [](const Group& group) { return may_be_unknown(*group.version, output_dtype); }},
  };
  return rows;
}

/// If an attribute says that there is no zero point, so may a zero point without elements.
void add_empty_zero_point(const Group& group, Recipes& recipes) {
  if (group.zero_point || group.version->attribute(spec::AttributeMeaning::has_zero_point) == nullptr) return;
  recipes.add(plainest(group), "empty_zero_point").values = Values::empty_zero_point;
}

/// Separate from the directed values, because rejecting them is permitted.
void add_int32_zero_points(const Group& group, Recipes& recipes) {
  if (!has_int32_zero_points(group)) return;
  for (const Cell& cell : group.cells) recipes.add(cell, "int32_zero_point").values = Values::int32_zero_point;
}

/// A cell for each type to which quotients may be rounded before a floating-point zero point is added.
void add_float_zero_points(const Group& group, Recipes& recipes) {
  if (spec::is_integer(group.quantized)) return;
  recipes.add(plainest(group), "float_zero_point").values = Values::float_zero_point;
  if (group.version->op != Operator::quantize_linear) return;
  for (const ElementType narrow : {ElementType::float16, ElementType::bfloat16})
    for (const Cell& cell : group.cells)
      if (cell.x == narrow && cell.scale == narrow && !cell.precision && cell.saturate != std::optional(false))
        recipes.add(cell, "float_zero_point").values = Values::float_zero_point;
}

/// Zero points that no attribute announces, and announced ones that are missing. Backends may accept or reject both.
void add_contradicting_flags(const Group& group, Recipes& recipes) {
  using enum spec::AttributeMeaning;
  if (group.version->attribute(has_zero_point) == nullptr) return;
  const Cell& cell = plainest(group);
  if (!group.zero_point)
    recipes.add(cell, "float_flag_without_zero_point").extra_attributes = {{zero_point_is_float, 1}};
  else if (spec::is_integer(*group.zero_point))
    recipes.add(cell, "zero_point_not_announced").extra_attributes = {{has_zero_point, 0}};
  else
    recipes.add(cell, "float_flag_without_announcement").extra_attributes = {{has_zero_point, 0}};
}

/// The group's cell with this scale type that has as few other types as possible and no optional attributes.
const Cell* plainest_with_scale(const Group& group, ElementType scale) {
  const auto unusual = [](const Cell& cell) {
    const ElementType other = cell.version->op == Operator::quantize_linear ? cell.x : cell.y;
    return std::tuple(cell.precision.has_value(), other != cell.scale, other != ElementType::float32,
                      cell.saturate == std::optional(false));
  };
  const Cell* found = nullptr;
  for (const Cell& cell : group.cells)
    if (cell.scale == scale && (found == nullptr || unusual(cell) < unusual(*found))) found = &cell;
  return found;
}

/// As many elements as the longest lists of inputs need.
const Geometry& of_listed_inputs() {
  static const Geometry geometry{Granularity::per_tensor, {128}};
  return geometry;
}

/// Optimizers remove such a scale if it is constant.
void add_scales_of_1(const Group& group, Recipes& recipes) {
  const Form& form = form_named("initializers");
  const auto add = [&](const Cell& cell, const Geometry* geometry) {
    recipes.add(cell, "scale/one", {.geometry = geometry, .form = &form}).values = Values::scale_of_1;
  };
  if (group.granularity != Granularity::per_tensor) return add(plainest(group), nullptr);
  const bool quantizes = group.version->op == Operator::quantize_linear;
  for (const ElementType type : group.version->inputs[1].types)
    if (const Cell* cell = plainest_with_scale(group, type)) add(*cell, quantizes ? &of_listed_inputs() : nullptr);
}

/// One case for each pair of divided types, and for each precision one for each type that both operands can have.
void add_quotients_beyond_range(const Group& group, Recipes& recipes) {
  if (group.version->op != Operator::quantize_linear) return;
  if (group.granularity != Granularity::per_tensor || !group.zero_point) return;
  for (const Cell& cell : group.cells)
    if (!cell.precision || cell.x == cell.scale)
      recipes.add(cell, "beyond_range", {.geometry = &of_listed_inputs()}).values = Values::beyond_range;
}

/// For DequantizeLinear, only integers wide enough to contain them.
void add_powers_of_two(const Group& group, Recipes& recipes) {
  const bool quantizes = group.version->op == Operator::quantize_linear;
  const spec::ElementTypeInfo& quantized = spec::info(group.quantized);
  if (group.granularity != Granularity::per_tensor || spec::info(quantized.type).carrier) return;
  if (!quantizes && (!spec::is_integer(quantized.type) || quantized.bits < 16)) return;
  recipes.add(plainest(group), "powers_of_two", {.geometry = &of_listed_inputs()}).values = Values::powers_of_two;
}

/// Scales of every type that are not positive normal numbers.
void add_unusual_scales(const Group& group, Recipes& recipes) {
  const auto add = [&](const Cell& cell, const char* family, Values values) {
    recipes.add(cell, fmt::format("scale/{}", family)).values = values;
  };
  const auto add_zeros_and_infinity = [&](const Cell& cell) {
    add(cell, "zero", Values::zero_scale);
    add(cell, "negative_zero", Values::negative_zero_scale);
    add(cell, "infinity", Values::infinite_scale);
  };
  const Cell& plain = plainest(group);
  add_zeros_and_infinity(plain);
  add(plain, "nan", Values::nan_scale);
  for (const ElementType scale : group.version->inputs[1].types) {
    const Cell* cell = plainest_with_scale(group, scale);
    if (cell == nullptr) continue;
    if (scale != ElementType::float8e8m0) add(*cell, "negative", Values::negative_scale);
    if (spec::is_integer(scale)) continue;
    if (scale != plain.scale) {
      if (scale != ElementType::float8e8m0) add_zeros_and_infinity(*cell);
      add(*cell, "nan", Values::nan_scale);
    }
    add(*cell, "subnormal", Values::subnormal_scale);
  }
}

void add_unusual_operands(const Group& group, Recipes& recipes) {
  if (group.granularity != Granularity::per_tensor || !group.zero_point) return;
  const Cell& cell = plainest(group);
  add_float_zero_points(group, recipes);
  const bool quantizes = group.version->op == Operator::quantize_linear;
  if (quantizes && spec::info(group.quantized).bits <= 8) {
    const Geometry& geometry = cell_geometries(group.granularity, true).front();
    recipes.add(cell, "every_result", {.geometry = &geometry}).values = Values::every_result;
  }
  if (has_wide_zero_points(group)) recipes.add(cell, "wide_zero_point").values = Values::wide_zero_point;
  for (const UnusualAttribute& row : unusual_attributes())
    if (group.version->attribute(row.meaning) != nullptr && row.concerns(group))
      recipes.add(cell, row.family).extra_attributes = {{row.meaning, row.value}};
  add_unusual_scales(group, recipes);
}

std::string dealt_by(const OperatorVersion& version) {
  return fmt::format("{}/{}", spec::qualified_name(version.domain, version.op), version.since_version);
}

std::vector<const Group*> groups_for(const Geometry& geometry, const std::vector<Group>& groups) {
  std::vector<const Group*> fitting;
  for (const Group& group : groups)
    if (group.granularity == geometry.granularity && can_have(*group.version, group.cells.front().x, geometry))
      fitting.push_back(&group);
  return fitting;
}

/// Adds each geometry of a table to one group, which is dealt by its name.
void add_geometries(const std::vector<Group>& groups, std::span<const Geometry> geometries, const std::string& family,
                    bool runs_again, Recipes& recipes) {
  for (const Geometry& geometry : geometries) {
    const std::vector<const Group*> fitting_groups = groups_for(geometry, groups);
    if (fitting_groups.empty()) continue;
    const OperatorVersion& version = *groups.front().version;
    Dealer dealer(fmt::format("{}/{}", dealt_by(version), geometry.name()), any_seed);
    const Group& group = *dealer.one_of(fitting_groups);
    recipes.add(dealer.one_of(group.cells), fmt::format("{}/{}", family, geometry.name()), {.geometry = &geometry})
        .runs_again = runs_again;
  }
}

/// For every group, without the attribute.
void add_default_blocks(const Group& group, Recipes& recipes) {
  const spec::Attribute* block_size = group.version->attribute(spec::AttributeMeaning::block_size);
  if (block_size == nullptr || block_size->default_value == 0) return;
  for (const Geometry& geometry : default_block_geometries())
    if (geometry.granularity == group.granularity && can_have(*group.version, group.cells.front().x, geometry))
      recipes.add(plainest(group), fmt::format("default_block/{}", geometry.name()), {.geometry = &geometry})
          .leaves_out_defaults = true;
}

/// For versions that one reading restricts to a single rank. These are separate cases, because a refusal is permitted.
/// Each rank has a case with one of the groups of every quantized type.
void add_other_ranks(const std::vector<Group>& groups, Recipes& recipes) {
  const OperatorVersion& version = *groups.front().version;
  if (!version.shapes.rank) return;
  for (const Geometry& geometry : other_rank_geometries()) {
    std::map<ElementType, std::vector<const Group*>> by_type;
    for (const Group& group : groups)
      if (group.granularity == geometry.granularity && can_have_at_any_rank(version, group.cells.front().x, geometry))
        by_type[group.quantized].push_back(&group);
    for (const auto& [type, fitting] : by_type) {
      Dealer dealer(fmt::format("{}/{}/rank/{}", dealt_by(version), spec::name(type), geometry.name()), any_seed);
      recipes.add(dealer.one_of(dealer.one_of(fitting)->cells), fmt::format("rank/{}", geometry.name()),
                  {.geometry = &geometry});
    }
  }
}

/// Quantized types for which backends have separate kernels and may refuse separately.
struct TypeClass {
  const char* name;
  bool (*has)(ElementType);
};

constexpr std::array type_classes{
    TypeClass{"uint8", [](ElementType type) { return type == ElementType::uint8; }},
    TypeClass{"int8", [](ElementType type) { return type == ElementType::int8; }},
    TypeClass{"4 bits", [](ElementType type) { return spec::is_integer(type) && spec::info(type).bits == 4; }},
    TypeClass{"16 bits", [](ElementType type) { return spec::is_integer(type) && spec::info(type).bits == 16; }},
    TypeClass{"float", [](ElementType type) { return !spec::is_integer(type); }},
};

/// Special geometries also have a case with each class of types together with float32: a backend that lacks a kernel
/// for the dealt types would not show how it handles a shape.
void add_geometries_of_every_class(const std::vector<Group>& groups, std::span<const Geometry> geometries,
                                   Recipes& recipes) {
  for (const Geometry& geometry : geometries)
    for (const TypeClass& type_class : type_classes) {
      std::vector<const Group*> fitting_groups = groups_for(geometry, groups);
      std::erase_if(fitting_groups, [&](const Group* group) { return !type_class.has(group->quantized); });
      if (fitting_groups.empty()) continue;
      const std::string dealt = dealt_by(*groups.front().version);
      Dealer dealer(fmt::format("{}/{}/{}", dealt, geometry.name(), type_class.name), any_seed);
      recipes.add_unless_there(plainest(*dealer.one_of(fitting_groups)), fmt::format("shape/{}", geometry.name()),
                               {.geometry = &geometry});
    }
}

/// Adds common block sizes with every quantized type, because kernels are specialized for a type and a block size.
void add_common_blocks(const std::vector<Group>& groups, Recipes& recipes) {
  std::map<ElementType, std::vector<Group>> by_type;
  for (const Group& group : groups) by_type[group.quantized].push_back(group);
  for (const auto& [type, groups_of_type] : by_type)
    add_geometries(groups_of_type, common_block_geometries(), "block", true, recipes);
}

constexpr std::int64_t longest = 67;

/// Whether no older version of the operator has the quantized type.
bool introduces(const OperatorVersion& version, ElementType quantized) {
  for (const OperatorVersion& older : spec::operator_versions) {
    const bool is_older =
        older.domain == version.domain && older.op == version.op && older.since_version < version.since_version;
    const spec::TypeList types = older.op == Operator::quantize_linear ? older.output.types : older.inputs[0].types;
    if (is_older && spec::contains(types, quantized)) return false;
  }
  return true;
}

bool introduces(const OperatorVersion& version, Granularity granularity) {
  for (const OperatorVersion& older : spec::operator_versions)
    if (older.domain == version.domain && older.op == version.op && older.since_version < version.since_version &&
        older.has(granularity))
      return false;
  return version.has(granularity);
}

/// 0 to 67 elements: every remainder of a vector register, with every number of elements in the last byte.
const Geometry& of_length(std::int64_t length) {
  static const std::vector<Geometry> rows = [] {
    std::vector<Geometry> all;
    for (std::int64_t n = 0; n <= longest; ++n) all.push_back({Granularity::per_tensor, {n}});
    return all;
  }();
  return rows[static_cast<std::size_t>(length)];
}

/// A type has all lengths in the version that introduces it. Every version also has each length with one dealt type.
void add_lengths(const std::vector<Group>& groups, Recipes& recipes) {
  const OperatorVersion& version = *groups.front().version;
  std::vector<const Group*> per_tensor;
  for (const Group& group : groups)
    if (group.granularity == Granularity::per_tensor && group.zero_point &&
        can_have(version, group.cells.front().x, of_length(longest)) && !is_disputed(version, of_length(longest)))
      per_tensor.push_back(&group);
  if (per_tensor.empty()) return;
  const auto add = [&](const Group& group, std::int64_t length, Dealer& dealer) {
    recipes.add_unless_there(dealer.one_of(group.cells), fmt::format("length/{}", length),
                             {.geometry = &of_length(length)});
  };
  for (std::int64_t length = 0; length <= longest; ++length) {
    Dealer dealer(fmt::format("{}/length/{}", dealt_by(version), length), any_seed);
    add(*dealer.one_of(per_tensor), length, dealer);
    for (const Group* group : per_tensor)
      if (introduces(version, group->quantized)) add(*group, length, dealer);
  }
}

/// A version that introduces a granularity has all of its large geometries. Every version also has one of those of its
/// older granularities.
void add_large(const std::vector<Group>& groups, Recipes& recipes) {
  const OperatorVersion& version = *groups.front().version;
  std::vector<const Geometry*> others;
  for (const Granularity granularity : version.granularities)
    if (introduces(version, granularity))
      add_geometries(groups, large_geometries(granularity), "large", false, recipes);
    else
      for (const Geometry& geometry : large_geometries(granularity))
        if (!groups_for(geometry, groups).empty()) others.push_back(&geometry);
  if (others.empty()) return;
  Dealer dealer(fmt::format("{}/large", dealt_by(version)), any_seed);
  add_geometries(groups, {dealer.one_of(others), 1}, "large", false, recipes);
}

/// Whether backends are likely to support the types.
bool has_plain_types(const Cell& cell) {
  const bool quantizes = cell.version->op == Operator::quantize_linear;
  return is_first_choice(cell.quantized_type()) && cell.scale == ElementType::float32 && !cell.precision &&
         (quantizes ? cell.x : cell.y) == ElementType::float32;
}

/// What a recipe tests besides its cell: a shape, an unusual scale, and so on. Forms, opsets and lengths have no kind,
/// because the cases of the cells are dealt many of them. All long tensors have the same kind, because they take long.
std::optional<std::string> kind_of(const Recipe& recipe) {
  const std::string kind(recipe.id->substr(to_string(recipe.cell).size() + 1));
  const std::string_view family = std::string_view(kind).substr(0, kind.find('/'));
  if (family == "values" || family == "form" || family == "opset" || family == "length") return std::nullopt;
  if (family == "large") return std::string(family);
  return fmt::format("{}/{}", spec::name(recipe.cell.granularity), kind);
}

/// One recipe of each kind for every operator: if possible with plain types, and in the oldest version, because most
/// backends support these. The recipes stay in their order.
std::vector<Recipe> one_of_each_kind(std::vector<Recipe> recipes) {
  std::map<std::tuple<std::string_view, Operator, std::string>, std::size_t> chosen;
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    const std::optional<std::string> kind = kind_of(recipes[i]);
    if (!kind) continue;
    const Cell& cell = recipes[i].cell;
    const auto [place, is_new] = chosen.try_emplace({cell.version->domain, cell.version->op, *kind}, i);
    if (!is_new && has_plain_types(cell) && !has_plain_types(recipes[place->second].cell)) place->second = i;
  }
  std::vector<std::size_t> order;
  for (const auto& [kind, place] : chosen) order.push_back(place);
  std::ranges::sort(order);
  std::vector<Recipe> kept;
  for (const std::size_t place : order) kept.push_back(std::move(recipes[place]));
  return kept;
}

}  // namespace

std::vector<Recipe> cell_recipes(std::uint64_t seed, const FormLimits& limits) {
  Recipes recipes(seed, limits);
  for (const OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) recipes.add(cell, "values", {.tells_all = true});
  return recipes.take();
}

std::vector<Recipe> further_recipes(std::uint64_t seed, const FormLimits& limits) {
  Recipes recipes(seed, limits);
  for (const OperatorVersion& version : spec::operator_versions) {
    const std::vector<Group> groups = groups_of(version);
    for (const Group& group : groups) {
      add_forms(group, recipes);
      add_opsets(group, recipes);
      add_int32_zero_points(group, recipes);
      add_empty_zero_point(group, recipes);
      add_unusual_operands(group, recipes);
      add_contradicting_flags(group, recipes);
      add_scales_of_1(group, recipes);
      add_quotients_beyond_range(group, recipes);
      add_powers_of_two(group, recipes);
      add_default_blocks(group, recipes);
    }
    add_common_blocks(groups, recipes);
    add_other_ranks(groups, recipes);
    for (const Granularity granularity : version.granularities) {
      add_geometries(groups, special_geometries(granularity), "shape", true, recipes);
      add_geometries_of_every_class(groups, special_geometries(granularity), recipes);
    }
    add_large(groups, recipes);
    add_lengths(groups, recipes);
  }
  return recipes.take();
}

std::vector<Recipe> all_recipes(std::uint64_t seed, const FormLimits& limits) {
  std::vector<Recipe> recipes = cell_recipes(seed, limits);
  for (Recipe& recipe : further_recipes(seed, limits)) recipes.push_back(std::move(recipe));
  return recipes;
}

std::vector<Recipe> smoke_recipes(std::uint64_t seed, const FormLimits& limits) {
  Recipes covering(seed, limits);
  for (const OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : covering_array(legal_cells(version))) covering.add(cell, "values", {.tells_all = true});
  std::vector<Recipe> recipes = covering.take();
  for (Recipe& recipe : one_of_each_kind(further_recipes(seed, limits))) recipes.push_back(std::move(recipe));
  return recipes;
}

}  // namespace touchstone::conformance
