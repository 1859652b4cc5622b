// Plans for backends that support only constant scales or only static shapes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/backends/builtin/optimized_backend.h"
#include "conformance/generate/illegal_cases.h"
#include "conformance/generate/legal_cases.h"
#include "conformance/plan/digest.h"
#include "conformance/run/runner.h"
#include "conformance/suites/suites.h"

namespace touchstone::conformance::limits_test {
namespace {

constexpr std::array some_limits{FormLimits{.constant_scales_only = true}, FormLimits{.static_shapes_only = true},
                                 FormLimits{.constant_scales_only = true, .static_shapes_only = true}};

Capabilities capabilities(const FormLimits& limits) {
  return {.constant_scales_only = limits.constant_scales_only, .static_shapes_only = limits.static_shapes_only};
}

bool takes(const FormLimits& limits, const Case& made) { return !declined(capabilities(limits), made.model); }

/// Recorded digests of cases without limits.
TEST(Limits, DoNotChangeThePlanIfAbsent) {
  const std::vector<PlannedCase> plan = plan_generated_suite({.tier = Tier::smoke});
  for (const PlannedCase& planned : plan) EXPECT_TRUE(planned.other_form().empty()) << *planned.id;
  const std::map<std::string, std::uint64_t> noted{
      {"quantize_linear/13/f32-f32-u8/per_tensor/zp/values", 0xd923404d6cb30088},        // initializers
      {"quantize_linear/21/f16-f16-i4/blocked/zp/values", 0x89967238a93aae76},           // inputs
      {"dequantize_linear/19/e4m3fn-f32-f32/per_tensor/zp/values", 0x23625f67f041ca8f},  // symbolic_initializers
      {"com.microsoft/dequantize_linear/1/u16-f32-f32/per_axis/zp/values", 0xe28e646e6bd7c0f4},  // all_constant
      // all_typed_fields: FNV-1a of the model that Python's onnx serializes, and of "repeats 0".
      {"dequantize_linear/21/u4-bf16-bf16/per_tensor/zp/values", 0xa1f122f2465cebb8},
      {"quantize_linear/10/must_reject/attribute/axis", 0xbd03887204526382},  // initializers
  };
  std::size_t seen = 0;
  for (const PlannedCase& planned : plan_generated_suite({})) {
    const auto found = noted.find(planned.id);
    if (found == noted.end()) continue;
    ++seen;
    EXPECT_EQ(digest_of(planned.read()), found->second) << *planned.id;
  }
  EXPECT_EQ(seen, noted.size());
}

TEST(Limits, ChangeTheHashAndNoId) {
  const std::vector<PlannedCase> plain = plan_generated_suite({.tier = Tier::smoke});
  std::set<std::string> hashes{plan_hash(plain, "smoke", 0)};
  for (const FormLimits& limits : some_limits) {
    const std::vector<PlannedCase> limited = plan_generated_suite({.tier = Tier::smoke, .limits = limits});
    ASSERT_EQ(limited.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(limited[i].id, plain[i].id);
    EXPECT_TRUE(hashes.insert(plan_hash(limited, "smoke", 0)).second);
  }
}

/// The limits change only forms, and only those that are beyond them.
TEST(Limits, ChangeFormsAndNothingElse) {
  const std::vector<Recipe> plain = all_recipes(0);
  for (const FormLimits& limits : some_limits) {
    const std::vector<Recipe> limited = all_recipes(0, limits);
    ASSERT_EQ(limited.size(), plain.size());
    std::size_t changed = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      const Recipe& before = plain[i];
      const Recipe& after = limited[i];
      ASSERT_EQ(after.id, before.id);
      EXPECT_TRUE(after.cell == before.cell && after.opset == before.opset && after.geometry == before.geometry &&
                  after.values == before.values && after.extra_attributes == before.extra_attributes &&
                  after.runs_again == before.runs_again)
          << *after.id;
      EXPECT_EQ(after.has_other_form, after.form != before.form) << *after.id;
      EXPECT_TRUE(after.form == before.form || !is_within(limits, *before.form, *before.geometry)) << *after.id;
      if (!after.has_other_form || ++changed % 50 != 0) continue;
      const reference::Node made = make_node(after);
      const reference::Node made_before = make_node(before);
      EXPECT_EQ(made.attributes, made_before.attributes) << *after.id;
      ASSERT_EQ(made.inputs.size(), made_before.inputs.size()) << *after.id;
      for (std::size_t k = 0; k < made.inputs.size(); ++k)
        EXPECT_TRUE(std::ranges::equal(made.inputs[k]->bytes(), made_before.inputs[k]->bytes())) << *after.id;
    }
    EXPECT_GT(changed, 1000U);
  }
}

/// A case that remains beyond the limits names its form in its id, or its cell can have no other form.
TEST(Limits, AreExceededOnlyIfNoOtherFormIsPossible) {
  for (const FormLimits& limits : some_limits) {
    std::size_t beyond = 0;
    for (const Recipe& recipe : all_recipes(0, limits)) {
      EXPECT_TRUE(suits(*recipe.form, recipe.cell, *recipe.geometry)) << *recipe.id;
      if (is_within(limits, *recipe.form, *recipe.geometry)) continue;
      ++beyond;
      EXPECT_NE(recipe.id->find(fmt::format("/form/{}", recipe.form->name)), std::string::npos)
          << *recipe.id << ": every cell can have initializers, and fixed shapes";
    }
    EXPECT_GT(beyond, 0U);
    for (const IllegalCase& illegal : illegal_cases(0, limits))
      EXPECT_TRUE(takes(limits, make_case(illegal))) << *illegal.id;
  }
}

/// The plan and the backend's capabilities agree about which forms of a model are beyond the limits.
TEST(Limits, AreThoseOfTheModels) {
  std::map<std::pair<std::string, bool>, int> seen;
  const std::vector<Recipe> recipes = all_recipes(0);
  for (std::size_t i = 0; i < recipes.size(); i += 29) {
    const Case made = make_case(recipes[i]);
    for (const FormLimits& limits : some_limits) {
      const bool within = is_within(limits, *recipes[i].form, *recipes[i].geometry);
      EXPECT_EQ(within, takes(limits, made)) << made.id << " as " << made.form;
      ++seen[{made.form, within}];
    }
  }
  EXPECT_TRUE((seen[{"symbolic", false}] > 0 && seen[{"inputs", true}] > 0 && seen[{"inputs", false}] > 0));
}

/// A geometry in which every operand has dimensions. Operands without dimensions have no symbolic ones.
const Geometry matrix_of_vectors{spec::Granularity::per_axis, {3, 5}, 1};

/// Every form within the limits occurs with every possible operator, granularity and quantized type, even without the
/// cases whose ids name a form.
TEST(Limits, KeepTheVarietyOfTheRemainingForms) {
  for (const FormLimits& limits : some_limits) {
    std::set<std::pair<std::string, std::string_view>> possible;
    std::set<std::pair<std::string, std::string_view>> met;
    for (const Recipe& recipe : all_recipes(0, limits)) {
      const Cell& cell = recipe.cell;
      if (recipe.id->find("/form/") != std::string::npos) continue;
      for (const std::string& value :
           {spec::qualified_name(cell.version->domain, cell.version->op), std::string(spec::name(cell.granularity)),
            std::string(spec::name(cell.quantized_type()))}) {
        met.emplace(value, recipe.form->name);
        for (const Form& form : forms()) {
          const bool is_left = is_within(limits, form, matrix_of_vectors);
          if (is_left && suits(form, cell, *recipe.geometry) && is_usual(form, cell))
            possible.emplace(value, form.name);
        }
      }
    }
    for (const auto& pair : possible) EXPECT_TRUE(met.contains(pair)) << pair.first << ' ' << pair.second;
    EXPECT_GT(possible.size(), 100U);
  }
}

/// Forms that are picked again are picked evenly.
TEST(Limits, PickTheRemainingFormsEvenly) {
  for (const FormLimits& limits : some_limits) {
    std::map<std::string_view, double> fair;
    std::map<std::string_view, int> picked;
    for (const Recipe& recipe : cell_recipes(0, limits)) {
      if (!recipe.has_other_form || recipe.geometry->granularity == spec::Granularity::per_tensor) continue;
      std::vector<std::string_view> left;
      for (const Form& form : forms())
        if (suits(form, recipe.cell, *recipe.geometry) && is_within(limits, form, *recipe.geometry))
          left.push_back(form.name);
      for (const std::string_view form : left) fair[form] += 1.0 / static_cast<double>(left.size());
      ++picked[recipe.form->name];
    }
    EXPECT_GE(fair.size(), 7U);
    for (const auto& [form, cases] : fair) EXPECT_NEAR(picked[form], cases, 0.25 * cases + 5) << form;
  }
}

/// Supports constant scales and static shapes, and refuses everything else.
class Compiler : public OptimizedBackend {
 public:
  UnitAnswer run(const Unit& unit) override {
    const OperatorModel model = parse_model(std::string(unit.model), "model");
    if (!declined({.constant_scales_only = true, .static_shapes_only = true}, model))
      return OptimizedBackend::run(unit);
    return Refusal{"a dynamic scale, or a dynamic shape"};
  }
};

TEST(Limits, GiveACompilerNoCasesThatItRefuses) {
  const auto rejected = [](const FormLimits& limits) {
    Compiler compiler;
    std::size_t cases = 0;
    for (const PlannedCase& planned : plan_generated_suite({.tier = Tier::smoke, .limits = limits}))
      cases += run_case(planned, compiler).verdict == Verdict::rejects_valid;
    return cases;
  };
  EXPECT_GT(rejected({}), 100U);
  EXPECT_EQ(rejected({.constant_scales_only = true, .static_shapes_only = true}), 0U);
}

}  // namespace
}  // namespace touchstone::conformance::limits_test
