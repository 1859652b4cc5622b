// No permitted reading rejects an ordinary case. What such readings reject has separate cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "conformance/effort_testing.h"
#include "conformance/generate/legal_cases.h"
#include "conformance/generate/permitted_refusals_testing.h"
#include "conformance/generate/stored_tensor.h"
#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::conformance::ordinary_cases_test {
namespace {

using spec::ElementType;
using spec::Operator;

bool is_ordinary(const Recipe& recipe) {
  constexpr std::array<std::string_view, 5> families{"/values", "/form/", "/opset/", "/length/", "/block/"};
  return std::ranges::any_of(families,
                             [&](std::string_view family) { return recipe.id->find(family) != std::string::npos; });
}

bool has_family(const Recipe& recipe, const char* family) { return recipe.id->find(family) != std::string::npos; }

/// Whether the ambiguity is about a property in the case's id: the length, the form or the blocks. Then the case is a
/// separate one.
bool concerns_the_case(const Recipe& recipe, std::string_view ambiguity) {
  return (recipe.id->ends_with("/length/0") && ambiguity == "amb-empty-tensors") ||
         (has_family(recipe, "/form/") && ambiguity == "pmx-variable-parameters") ||
         (has_family(recipe, "/block/") && ambiguity == "pmx-groups-along-axis-1");
}

/// The node of the same types, precision and granularity that differs least from what all readings accept.
reference::Node plain_node(Recipe recipe) {
  recipe.values = Values::ordinary;
  recipe.leaves_out_defaults = true;
  recipe.extra_attributes = {};
  return make_node(recipe);
}

/// Whether the reading rejects the whole cell, and so also the cell's plain node.
bool rejects_the_cell(const Recipe& recipe, const ReadingId& reading) {
  if (!concerns_the_cell(reading.ambiguity)) return false;
  for (const SingleReading& one : by_single_readings(plain_node(recipe)))
    if (one.reading == reading) return one.outcome.rejection() != nullptr;
  return false;
}

/// By day, every seventh case.
TEST(OrdinaryCases, AreRejectedByNoPermittedReading) {
  std::size_t seen = 0;
  for (const Recipe& recipe : all_recipes(0)) {
    if (!is_ordinary(recipe) || !is_tried(seen++, 7)) continue;
    for (const auto& [reading, outcome] : by_single_readings(make_node(recipe))) {
      if (outcome.rejection() == nullptr) continue;
      EXPECT_TRUE(concerns_the_case(recipe, reading.ambiguity) || rejects_the_cell(recipe, reading))
          << *recipe.id << ": " << reading.ambiguity << ": " << outcome.rejection()->reason;
    }
  }
  EXPECT_GT(seen, 40000U);
}

bool is_positive_and_normal(ElementType type, std::uint64_t code) {
  const reference::Value value = reference::decode(type, code);
  if (value.kind() != reference::Value::Kind::number || value.is_negative()) return false;
  if (spec::is_integer(type)) return true;
  const int bias = spec::info(type).format->exponent_bias;
  return reference::binade(value.magnitude()) >= 1 - bias;
}

/// In every data set, because data sets differ in their scales.
TEST(OrdinaryCases, HavePositiveNormalScales) {
  std::size_t seen = 0;
  for (const Recipe& recipe : all_recipes(0)) {
    if (!is_ordinary(recipe)) continue;
    const Case made = make_case(recipe);
    for (const DataSet& data : made.data_sets) {
      if (data.repeats) continue;
      const reference::Node node = bind_inputs(made.model, data.inputs);
      const reference::Tensor& scale = *node.inputs[1];
      for (std::int64_t i = 0; i < scale.size(); ++i, ++seen)
        ASSERT_TRUE(is_positive_and_normal(scale.type(), scale.code(i))) << *recipe.id << " code " << scale.code(i);
    }
  }
  EXPECT_GT(seen, 100000U);
}

/// "When the rank of the input is 1, per-tensor quantization is applied, rendering the axis unnecessary."
TEST(OrdinaryCases, HaveOnlyPerTensorVectorsAndScalarsWithoutDimensions) {
  for (const Recipe& recipe : all_recipes(0)) {
    if (!is_ordinary(recipe)) continue;
    const Geometry& geometry = *recipe.geometry;
    EXPECT_TRUE(geometry.x.size() != 1 || geometry.granularity == spec::Granularity::per_tensor) << *recipe.id;
    EXPECT_FALSE(geometry.one_element) << *recipe.id;
  }
}

/// What ordinary cases leave out, for each version that can have it.
TEST(DedicatedCases, HaveWhatOrdinaryCasesOmit) {
  std::map<std::string, std::set<const spec::OperatorVersion*>> found;
  for (const Recipe& recipe : further_recipes(0))
    for (const char* family : {"/scale/negative", "/scale/subnormal", "/scale/zero", "/scale/infinity", "/scale/nan",
                               "/shape/7x7_scale1", "/shape/67_scale1"})
      if (recipe.id->ends_with(family)) found[family].insert(recipe.cell.version);
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    for (const char* family : {"/scale/negative", "/scale/subnormal", "/scale/zero", "/scale/infinity", "/scale/nan"})
      EXPECT_TRUE(found[family].contains(&version)) << id_of(version) << family;
    if (version.domain != spec::opmx) {
      EXPECT_TRUE(found["/shape/7x7_scale1"].contains(&version)) << id_of(version);
      EXPECT_TRUE(found["/shape/67_scale1"].contains(&version)) << id_of(version);
    }
  }
}

/// An implementation may treat NaN differently in each type, for example because it clamps only some of them.
TEST(DedicatedCases, HaveNanAsScaleOfEveryFloatType) {
  std::set<std::pair<const spec::OperatorVersion*, ElementType>> found;
  for (const Recipe& recipe : further_recipes(0))
    if (recipe.id->ends_with("/scale/nan")) found.emplace(recipe.cell.version, recipe.cell.scale);
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const ElementType scale : version.inputs[1].types)
      EXPECT_NE(found.contains({&version, scale}), spec::is_integer(scale)) << id_of(version) << spec::name(scale);
}

/// Every quantized type has groups along dimension 1 whose size does not divide dimension 0.
TEST(DedicatedCases, HaveGroupsThatAReadingOfOpmxRejects) {
  std::set<ElementType> quantized;
  std::set<ElementType> found;
  for (const Recipe& recipe : further_recipes(0)) {
    if (recipe.cell.version->domain != spec::opmx) continue;
    quantized.insert(recipe.cell.quantized_type());
    if (!has_family(recipe, "/block/")) continue;
    for (const std::string& refusal : refusals(make_node(recipe)))
      if (refusal.starts_with("pmx-groups-along-axis-1")) found.insert(recipe.cell.quantized_type());
  }
  EXPECT_EQ(found, quantized);
}

/// A draft of DequantizeLinear 23 lacks the attribute, so every quantized type has a case with it.
TEST(DedicatedCases, HaveARedundantOutputDtype) {
  std::set<ElementType> found;
  for (const Recipe& recipe : further_recipes(0))
    if (has_family(recipe, "/redundant_output_dtype")) {
      EXPECT_TRUE(make_node(recipe).attributes.contains("output_dtype")) << *recipe.id;
      EXPECT_FALSE(plain_node(recipe).attributes.contains("output_dtype")) << *recipe.id << ": it is not redundant";
      found.insert(recipe.cell.quantized_type());
    }
  const auto types = spec::resolve(spec::ai_onnx, Operator::dequantize_linear, 23)->inputs[0].types;
  EXPECT_EQ(found, std::set<ElementType>(types.begin(), types.end()));
}

TEST(DedicatedCases, HaveTheScalesThatTheyName) {
  using enum ElementType;
  std::map<std::string_view, std::set<ElementType>> types;
  for (const Recipe& recipe : further_recipes(0)) {
    const bool is_negative = recipe.values == Values::negative_scale;
    if (!is_negative && recipe.values != Values::subnormal_scale) continue;
    const reference::Tensor scale = *make_node(recipe).inputs[1];
    for (std::int64_t i = 0; i < scale.size(); ++i) {
      const reference::Value value = reference::decode(scale.type(), scale.code(i));
      ASSERT_EQ(value.kind(), reference::Value::Kind::number) << *recipe.id;
      EXPECT_EQ(value.is_negative(), is_negative) << *recipe.id;
      EXPECT_EQ(is_positive_and_normal(scale.type(), scale.code(i)), false) << *recipe.id;
    }
    types[is_negative ? "negative" : "subnormal"].insert(scale.type());
  }
  // The smallest subnormal and the smallest normal number have one bit each.
  for (const Recipe& recipe : further_recipes(0)) {
    const bool is_normal = recipe.values == Values::smallest_normal_scale;
    if (!is_normal && recipe.values != Values::smallest_scale) continue;
    const ElementType type = recipe.cell.scale;
    const std::uint64_t normal = type == float32 ? 1 << 23 : type == float16 ? 1 << 10 : 1 << 7;
    EXPECT_EQ(make_node(recipe).inputs[1]->code(0), is_normal ? normal : 1) << *recipe.id;
    types[is_normal ? "smallest normal" : "smallest"].insert(type);
  }
  EXPECT_EQ(types["smallest"], (std::set<ElementType>{float32, float16, bfloat16}));
  EXPECT_EQ(types["smallest normal"], (std::set<ElementType>{float32, float16, bfloat16}));
  EXPECT_EQ(types["negative"], (std::set<ElementType>{float32, float16, bfloat16, int32}));
  EXPECT_EQ(types["subnormal"], (std::set<ElementType>{float32, float16, bfloat16, float8e8m0}));
}

// ---- types

enum class Class { uint8, int8, four_bits, sixteen_bits, floating_point };

std::optional<Class> class_of(ElementType type) {
  if (type == ElementType::uint8) return Class::uint8;
  if (type == ElementType::int8) return Class::int8;
  if (!spec::is_integer(type)) return Class::floating_point;
  switch (spec::info(type).bits) {
    case 4: return Class::four_bits;
    case 16: return Class::sixteen_bits;
    default: return std::nullopt;
  }
}

/// x and scale, or scale and y, are float32, and there are no optional attributes.
bool is_plain(const Cell& cell) {
  const ElementType other = cell.version->op == Operator::quantize_linear ? cell.x : cell.y;
  return other == ElementType::float32 && cell.scale == ElementType::float32 && !cell.precision &&
         cell.saturate.value_or(true);
}

TEST(ShapeCases, HaveEveryClassOfTypesForEveryGeometry) {
  using Key = std::tuple<const spec::OperatorVersion*, const Geometry*, Class>;
  std::set<Key> found;
  for (const Recipe& recipe : further_recipes(0))
    if (const auto type_class = class_of(recipe.cell.quantized_type()); type_class && is_plain(recipe.cell))
      found.emplace(recipe.cell.version, recipe.geometry, *type_class);
  std::size_t seen = 0;
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) {
      const auto type_class = class_of(cell.quantized_type());
      if (!type_class || !is_plain(cell)) continue;
      for (const Geometry& geometry : special_geometries(cell.granularity)) {
        if (!can_have(version, cell.x, geometry)) continue;
        ++seen;
        // A geometry may be possible for only some packed types. One of them is enough.
        EXPECT_TRUE(found.contains({&version, &geometry, *type_class}))
            << to_string(cell) << ' ' << geometry.name() << " has no case with such a type";
      }
    }
  EXPECT_GT(seen, 5000U);
}

TEST(OpsetCases, HaveFloat32WithUint8AndInt8) {
  std::set<std::tuple<std::string_view, Operator, int, ElementType>> found;
  for (const Recipe& recipe : further_recipes(0))
    if (is_plain(recipe.cell) && recipe.id->find("/opset/") != std::string::npos)
      found.emplace(recipe.cell.version->domain, recipe.cell.version->op, recipe.opset, recipe.cell.quantized_type());
  for (const Operator op : {Operator::quantize_linear, Operator::dequantize_linear})
    for (const int opset : {11, 12, 14, 15, 16, 17, 18, 20, 22, 26, 27})
      for (const ElementType type : {ElementType::uint8, ElementType::int8})
        EXPECT_TRUE(found.contains({spec::ai_onnx, op, opset, type}))
            << spec::name(op) << ' ' << opset << ' ' << spec::name(type);
}

// ---- the cases of a version depend only on older versions

bool has_quantized_type(const spec::OperatorVersion& version, ElementType type) {
  return std::ranges::any_of(legal_cells(version), [&](const Cell& cell) { return cell.quantized_type() == type; });
}

/// Whether the version is the first one with the quantized type. Later versions do not matter.
bool is_first_with(const spec::OperatorVersion& version, ElementType type) {
  return std::ranges::none_of(spec::operator_versions, [&](const spec::OperatorVersion& other) {
    return other.domain == version.domain && other.op == version.op && other.since_version < version.since_version &&
           has_quantized_type(other, type);
  });
}

TEST(LengthCases, ExistForEachNewTypeAndForOneTypeOfEveryVersion) {
  std::map<const spec::OperatorVersion*, std::map<ElementType, std::set<std::int64_t>>> lengths;
  for (const Recipe& recipe : further_recipes(0))
    if (recipe.id->find("/length/") != std::string::npos)
      lengths[recipe.cell.version][recipe.cell.quantized_type()].insert(recipe.geometry->x[0]);
  for (const auto& [version, by_type] : lengths) {
    std::size_t picked = 0;
    std::set<std::int64_t> all;
    for (const auto& [type, found] : by_type) {
      if (is_first_with(*version, type))
        EXPECT_EQ(found.size(), 68U) << id_of(*version) << ' ' << spec::name(type);
      else
        picked += found.size();
      all.insert(found.begin(), found.end());
    }
    EXPECT_LE(picked, 68U) << id_of(*version);
    EXPECT_EQ(all.size(), 68U) << id_of(*version);
  }
  EXPECT_EQ(lengths.size(), 18U) << "all but that of opmx, whose tensors are matrices";
}

TEST(LargeCases, ExistForEachNewGranularityAndForOneOfEveryVersion) {
  std::map<const spec::OperatorVersion*, std::map<spec::Granularity, std::size_t>> found;
  for (const Recipe& recipe : further_recipes(0))
    if (recipe.id->find("/large/") != std::string::npos) ++found[recipe.cell.version][recipe.cell.granularity];
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    std::size_t others = 0;
    for (const spec::Granularity granularity : version.granularities) {
      const bool is_new = std::ranges::none_of(spec::operator_versions, [&](const spec::OperatorVersion& other) {
        return other.domain == version.domain && other.op == version.op &&
               other.since_version < version.since_version && other.has(granularity);
      });
      std::size_t possible = 0;
      for (const Geometry& geometry : large_geometries(granularity))
        possible += can_have(version, legal_cells(version).front().x, geometry);
      if (is_new)
        EXPECT_EQ(found[&version][granularity], possible) << id_of(version) << ' ' << spec::name(granularity);
      else
        others += found[&version][granularity];
    }
    EXPECT_EQ(others, version.domain == spec::ai_onnx && version.since_version > 10 ? 1U : 0U) << id_of(version);
  }
}

}  // namespace
}  // namespace touchstone::conformance::ordinary_cases_test
