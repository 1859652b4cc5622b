#include "fuzz/seeds/case_seeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "conformance/generate/illegal_cases.h"
#include "conformance/generate/legal_cases.h"
#include "conformance/judge/oracle.h"
#include "fuzz/reading_choices.h"
#include "reference/codec.h"
#include "reference/interpreter.h"
#include "reference/random/choices.h"

namespace touchstone::fuzz {

using namespace conformance;
using reference::Outcome;

namespace {

constexpr std::uint64_t seed_of_plan = 0;
constexpr std::int64_t few = 40;  ///< more elements hold more of the directed values

bool is_of(Operators operators, const spec::OperatorVersion& version) {
  const auto list = versions(operators);
  return std::find(list.begin(), list.end(), &version) != list.end();
}

bool is_of(Operators operators, const IllegalCase& illegal) {
  const bool quantizes = illegal.node().op == spec::Operator::quantize_linear;
  return quantizes == (operators == Operators::quantize_linear);
}

std::string file_name(std::string text) {
  std::replace(text.begin(), text.end(), '/', '.');
  return text;
}

/// The smallest geometry with enough elements for a SIMD vector and a remainder, if the version has one that is smaller
/// than the recipe's. It may differ from those of all cases.
const Geometry& small_geometry(const Recipe& recipe) {
  constexpr std::int64_t least = 9;
  const Geometry* smallest = recipe.geometry;
  for (const Geometry& one : special_geometries(recipe.cell.granularity))
    if (least <= one.elements() && one.elements() < smallest->elements() &&
        can_have(*recipe.cell.version, recipe.cell.x, one))
      smallest = &one;
  return *smallest;
}

/// Geometries with several rows, runs and periods of whole vectors each. Kernels have separate code for them, which a
/// fuzzer rarely reaches from smaller shapes.
std::span<const Geometry> wide_geometries() {
  using enum spec::Granularity;
  static const std::vector<Geometry> rows{
      {per_tensor, {8, 64}},       {per_axis, {4, 128}, 0},   {per_axis, {12, 64}, 1},     {per_axis, {64, 7}, 0},
      {per_axis, {2, 8, 32}, 1},   {blocked, {12, 32}, 0, 3}, {blocked, {2, 6, 32}, 1, 3}, {blocked, {2, 256}, 1, 32},
      {blocked, {4, 128}, 1, 128}, {blocked, {64, 8}, 0, 32},
  };
  return rows;
}

Example example_of(Recipe recipe, const Geometry& geometry) {
  recipe.geometry = &geometry;
  return {make_node(recipe), recipe.form};
}

/// Sets the scales to 1, 2 and 4, which every type of scale represents. With hard scales, kernels take slow paths.
Example with_ordinary_scales(Example example) {
  reference::Tensor& scale = *example.node.inputs[1];
  for (std::int64_t i = 0; i < scale.size(); ++i)
    scale.set_code(i, reference::encode(scale.type(), reference::Value::of(reference::Integer(1 << i % 3))));
  return example;
}

/// Seeds by their purpose. The first seed for each purpose is kept.
class Seeds {
 public:
  /// Adds seeds for the properties of the recipe in its tables, and for everything that the interpreter applies to it.
  void offer(const Recipe& recipe) {
    const Cell& cell = recipe.cell;
    const std::string of_version = id_of(*cell.version);
    const std::string group = fmt::format("{}/{}", of_version, spec::name(cell.granularity));
    std::vector<std::string> names{
        fmt::format("{}/{}", group, spec::info(cell.quantized_type()).short_name),
        fmt::format("{}/{}-{}", of_version, spec::info(cell.x).short_name, spec::info(cell.scale).short_name),
        fmt::format("form/{}", recipe.form->name)};
    // Other recipes of the same kind apply no other clauses.
    const std::string kind = fmt::format(
        "{} {} {} {} {} {} {} {} {} {} {}", names.front(), recipe.geometry->elements() > few ? "many" : "few",
        static_cast<int>(recipe.values), recipe.opset, cell.scale == cell.x, cell.zero_point == cell.quantized_type(),
        cell.has_zero_point(), cell.saturate.value_or(true), cell.precision.has_value(),
        recipe.extra_attributes.empty() ? -1 : static_cast<int>(recipe.extra_attributes.begin()->first),
        recipe.geometry->block_size > 0);
    const bool is_new_kind = kinds_.insert(kind).second;
    std::erase_if(names, [&](const std::string& name) { return seeds_.contains(name); });
    if (is_new_kind) {
      const Example example{make_node(recipe), recipe.form};
      std::vector<std::string> reached;
      add_reached(reference::interpret(node_in_model(example)), reached);
      offer(reached, example);
    }
    if (recipe.values != Values::directed || !recipe.extra_attributes.empty()) return;
    offer_wide(recipe);
    if (cell.version->domain == spec::opmx) offer_flags(recipe);
    if (!names.empty()) offer(names, example_of(recipe, small_geometry(recipe)));
  }

  void offer(const IllegalCase& illegal) {
    const Example example{illegal.node(), illegal.form};
    std::vector<std::string> names;
    add_reached(interpret(case_of(example)).front().outcome, names);
    offer(names, example);
  }

  std::vector<Seed> take() {
    std::vector<Seed> taken;
    for (auto& [name, example] : seeds_) taken.push_back({file_name(name), std::move(example)});
    return taken;
  }

 private:
  static void add_reached(const Outcome& outcome, std::vector<std::string>& names) {
    for (std::size_t i = 0; i < outcome.cited.size(); ++i)
      if (outcome.cited.test(i)) names.push_back(fmt::format("clause/{}", spec::clauses[i].id));
    for (std::size_t i = 0; i < outcome.consulted.size(); ++i)
      if (outcome.consulted.test(i)) names.push_back(fmt::format("ambiguity/{}", spec::ambiguities[i]->id));
  }

  /// Adds seeds with flags that contradict the operands, in small shapes.
  void offer_flags(const Recipe& recipe) {
    const auto flags = {std::pair{spec::AttributeMeaning::has_zero_point, recipe.cell.has_zero_point() ? 0 : 1},
                        std::pair{spec::AttributeMeaning::zero_point_is_float, 1}};
    for (const auto& [meaning, value] : flags) {
      Example example = example_of(recipe, small_geometry(recipe));
      example.node.attributes[std::string(recipe.cell.version->attribute(meaning)->name)] = std::int64_t{value};
      std::vector<std::string> reached;
      add_reached(reference::interpret(node_in_model(example)), reached);
      offer(reached, example);
    }
  }

  /// Adds seeds with wide geometries, for one version only, because kernels do not depend on the version.
  void offer_wide(const Recipe& recipe) {
    const Cell& cell = recipe.cell;
    for (const Geometry& wide : wide_geometries()) {
      if (wide.granularity != cell.granularity || !can_have(*cell.version, cell.x, wide)) continue;
      const std::string name =
          fmt::format("wide/{}/{}/{}", cell.version->domain, spec::info(cell.quantized_type()).short_name, wide.name());
      if (!seeds_.contains(name)) offer({name}, with_ordinary_scales(example_of(recipe, wide)));
    }
  }

  void offer(const std::vector<std::string>& names, const Example& example) {
    if (!encode(example, Operators::both)) return;
    for (const std::string& name : names) seeds_.try_emplace(name, example);
  }

  std::map<std::string, Example> seeds_;
  std::set<std::string> kinds_;
};

std::vector<Seed> made_seeds(Operators operators) {
  std::vector<Recipe> recipes = all_recipes(seed_of_plan);
  std::erase_if(recipes, [&](const Recipe& recipe) {
    return !is_of(operators, *recipe.cell.version) || recipe.geometry->elements() > reference::most_elements;
  });
  std::ranges::stable_sort(recipes, {}, [](const Recipe& recipe) { return recipe.geometry->elements(); });
  Seeds seeds;
  for (const Recipe& recipe : recipes) seeds.offer(recipe);
  for (const IllegalCase& illegal : illegal_cases(seed_of_plan))
    if (is_of(operators, illegal)) seeds.offer(illegal);
  return seeds.take();
}

/// The seeds of each operator, made only once.
const std::vector<Seed>& seeds_of_one(Operators operators) {
  static const std::vector<Seed> of_quantize_linear = made_seeds(Operators::quantize_linear);
  static const std::vector<Seed> of_dequantize_linear = made_seeds(Operators::dequantize_linear);
  return operators == Operators::quantize_linear ? of_quantize_linear : of_dequantize_linear;
}

template <Operators operators>
SeedContents contents() {
  SeedContents all;
  for (const Seed& seed : example_seeds(operators)) {
    const std::vector<std::uint8_t> bytes = encode(seed.example, operators).value();
    all.emplace(seed.name, std::string(bytes.begin(), bytes.end()));
  }
  return all;
}

/// For every version, and every non-primary reading of its ambiguities: an example whose outcome depends on the
/// reading.
SeedContents contents_of_readings() {
  SeedContents all;
  for (const Operators operators : {Operators::quantize_linear, Operators::dequantize_linear})
    for (const Seed& seed : seeds_of_one(operators)) {
      const std::vector<std::uint8_t> bytes = encode(seed.example, Operators::both).value();
      const ReferenceOutcome primary = interpret(case_of(seed.example)).front();
      const std::string version = id_of(reference::operator_version(primary.node));
      std::string content(most_readings, '\0');
      content.append(bytes.begin(), bytes.end());
      for (const Choice& choice : other_readings(primary.outcome.consulted, {})) {
        ++content.front();
        const ReadingId id = id_of(choice);
        all.try_emplace(file_name(fmt::format("{}/{}={}", version, id.ambiguity, id.reading)), content);
      }
    }
  return all;
}

}  // namespace

std::vector<Seed> example_seeds(Operators operators) {
  if (operators != Operators::both) return seeds_of_one(operators);
  std::vector<Seed> all;
  for (const auto& [one, prefix] :
       {std::pair{Operators::quantize_linear, "quantize."}, std::pair{Operators::dequantize_linear, "dequantize."}})
    for (const Seed& seed : seeds_of_one(one)) all.push_back({prefix + seed.name, seed.example});
  return all;
}

std::span<const TargetSeeds> case_seeds() {
  static constexpr std::array table{
      TargetSeeds{"backend_differential", contents<Operators::both>},
      TargetSeeds{"dequantize_differential", contents<Operators::dequantize_linear>},
      TargetSeeds{"quantize_differential", contents<Operators::quantize_linear>},
      TargetSeeds{"readings", contents_of_readings},
  };
  return table;
}

}  // namespace touchstone::fuzz
