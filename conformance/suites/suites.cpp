#include "conformance/suites/suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "conformance/exhaustive/exhaustive_plan.h"
#include "conformance/files/characters.h"
#include "conformance/files/file_error.h"
#include "conformance/files/test_directory.h"
#include "conformance/generate/control.h"
#include "conformance/generate/illegal_cases.h"
#include "conformance/generate/legal_cases.h"
#include "conformance/generate/node_case.h"
#include "conformance/generate/random_node.h"
#include "conformance/graphs/graph_cases.h"
#include "conformance/plan/ordinary_data.h"
#include "conformance/units/unit_cases.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

// ---- the suites `generated` and `graphs`

namespace {

const Form& form_of(const Recipe& recipe) { return *recipe.form; }
const Form& form_of(const GraphRecipe& recipe) { return *recipe.parameters.form; }

/// The cases of recipes, illegal ones too, or of graphs.
template <class Recipe>
class GeneratedCases : public CaseSource {
 public:
  explicit GeneratedCases(std::vector<Recipe> recipes) : recipes_(std::move(recipes)) {}

  const std::vector<Recipe>& recipes() const { return recipes_; }
  Case read(std::size_t number) const override { return make_case(recipes_[number]); }
  void offer_control_candidates(std::size_t number, const TakeCase& take) const override {
    conformance::offer_control_candidates(recipes_[number], take);
  }
  std::string_view other_form(std::size_t number) const override {
    const Recipe& recipe = recipes_[number];
    return recipe.has_other_form ? form_of(recipe).name : std::string_view();
  }

 private:
  std::vector<Recipe> recipes_;
};

template <class Recipe>
void append(std::vector<PlannedCase>& cases, std::vector<Recipe> recipes) {
  const boost::intrusive_ptr<const GeneratedCases<Recipe>> source(new GeneratedCases<Recipe>(std::move(recipes)));
  cases.reserve(cases.size() + source->recipes().size());
  std::uint32_t number = 0;
  for (const Recipe& recipe : source->recipes()) cases.push_back({recipe.id, source, number++});
}

}  // namespace

std::vector<PlannedCase> plan_generated_suite(const SuiteOptions& options) {
  std::vector<PlannedCase> cases;
  if (options.tier == Tier::exhaustive) return plan_exhaustive(options.seed, options.limits);
  if (options.tier == Tier::smoke) {
    append(cases, smoke_recipes(options.seed, options.limits));
    append(cases, illegal_smoke_cases(options.seed, options.limits));
    return cases;
  }
  append(cases, all_recipes(options.seed, options.limits));
  append(cases, illegal_cases(options.seed, options.limits));
  return cases;
}

std::vector<PlannedCase> plan_graphs_suite(const SuiteOptions& options) {
  std::vector<PlannedCase> cases;
  if (options.tier != Tier::exhaustive) append(cases, graph_recipes(options.tier, options.seed, options.limits));
  return cases;
}

// ---- the suite `onnx`

namespace {

std::filesystem::path environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : "";
}

std::filesystem::path default_cache() {
  if (const auto cache = environment("TOUCHSTONE_CACHE"); !cache.empty()) return cache;
  if (const auto caches = environment("XDG_CACHE_HOME"); !caches.empty()) return caches / "touchstone";
  // Without HOME, ".cache" would be relative to the current directory.
  if (const auto home = environment("HOME"); !home.empty()) return home / ".cache" / "touchstone";
  throw FileError("ONNX's tests",
                  "their location is unknown: set HOME, TOUCHSTONE_CACHE or TOUCHSTONE_DATA, or give a directory with "
                  "--data");
}

/// An ordinary name as it is. In one that is not UTF-8, the bytes that are not, and '%', become %XX: journals and
/// reports are UTF-8.
std::string in_utf8(const std::string& name) {
  std::string escaped;
  bool is_valid = true;
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    is_valid = is_valid && length > 0;
    const std::string_view character = rest.substr(0, std::max<std::size_t>(length, 1));
    escaped += length == 0 || character == "%" ? fmt::format("%{:02X}", static_cast<unsigned char>(character.front()))
                                               : std::string(character);
    rest.remove_prefix(character.size());
  }
  return is_valid ? name : escaped;
}

/// The path relative to the root. If the root itself is a test, its own name.
std::string name_below(const std::filesystem::path& root, const std::filesystem::path& directory) {
  const std::filesystem::path below = directory.lexically_relative(root);
  if (!below.empty() && below != ".") return below.generic_string();
  const std::filesystem::path absolute = std::filesystem::absolute(directory).lexically_normal();
  return (absolute.has_filename() ? absolute : absolute.parent_path()).filename().string();
}

/// How much of the node differs from the cell. A difference in the granularity counts less than one in a type.
int distance(const Node& node, const Cell& cell) {
  const auto type_of = [&](std::size_t input) {
    const bool is_given = input < node.inputs.size() && node.inputs[input].has_value();
    return is_given ? std::optional(node.inputs[input]->type()) : std::nullopt;
  };
  int types = static_cast<int>(type_of(0) != cell.x) + static_cast<int>(type_of(1) != cell.scale) +
              static_cast<int>(type_of(2) != cell.zero_point);
  if (const auto output = node.attributes.find("output_dtype"); output != node.attributes.end())
    if (const auto* code = std::get_if<std::int64_t>(&output->second))
      types += static_cast<int>(spec::element_type_from_code(*code) != cell.y);
  const std::size_t rank = type_of(1) ? node.inputs[1]->shape().size() : 0;
  const Granularity usual = rank == 0   ? Granularity::per_tensor
                            : rank == 1 ? Granularity::per_axis
                                        : Granularity::blocked;
  return 2 * types + static_cast<int>(cell.granularity != usual);
}

/// The cell of a legal node; of an illegal one, the legal cell of its version that is most like it.
Cell cell_like(const Node& node) {
  const OperatorVersion& version = reference::operator_version(node);
  const reference::Outcome outcome = reference::interpret(node, {}, {});
  if (const reference::Result* result = outcome.result()) return cell_of(node, version, *result);
  return *std::ranges::min_element(legal_cells(version), {}, [&](const Cell& cell) { return distance(node, cell); });
}

/// Offers the controls of a generated case of the node's cell.
void offer_generated_controls(const Node& node, const Form& form, const std::string& id, const TakeCase& take) {
  const Cell cell = cell_like(node);
  const auto fits = [&](const Geometry& geometry) {
    return can_have(*cell.version, cell.x, geometry) && suits(form, cell, geometry);
  };
  const std::span<const Geometry> geometries = cell_geometries(cell.granularity, false);
  if (const auto geometry = std::ranges::find_if(geometries, fits); geometry != geometries.end())
    offer_control_candidates(
        Recipe{.id = id, .cell = cell, .opset = node.opset, .geometry = &*geometry, .form = &form, .seed = 0}, take);
}

/// Offers the same model with ordinary data. A permitted reading may reject the shapes of a legal model, and those of
/// an illegal one may be what is wrong, so the controls of a generated case of the same cell follow.
void offer_control_candidates(const Case& given, const TakeCase& take) {
  if (const std::optional<Case> ordinary = with_ordinary_data(given); ordinary && take(*ordinary)) return;
  if (given.model.graph != nullptr || given.data_sets.empty()) return;
  offer_generated_controls(bind_inputs(given.model, given.data_sets.front().inputs), plain_form(), given.id, take);
}

}  // namespace

std::vector<PlannedCase> plan_onnx_suite(const SuiteOptions& options) {
  std::vector<PlannedCase> cases;
  const std::filesystem::path root = options.follow_symlinks ? std::filesystem::path() : options.data;
  for (const std::filesystem::path& directory : find_test_directories(options.data)) {
    std::string id = "onnx/" + in_utf8(name_below(options.data, directory));
    const auto read = [directory, id, root] { return read_test_directory(directory, id, root); };
    const auto offer_candidates = [read](const TakeCase& take) { offer_control_candidates(read(), take); };
    cases.push_back({.id = id, .source = made_by({read, offer_candidates}), .is_from_files = true});
  }
  const auto id_of = [](const PlannedCase& planned) -> std::string_view { return planned.id; };
  std::ranges::sort(cases, {}, id_of);
  if (const auto same = std::ranges::adjacent_find(cases, {}, id_of); same != cases.end())
    throw FileError(options.data.string(),
                    fmt::format("two of its directories would have the id {}: the name of one is not UTF-8; rename it",
                                in_quotes(*same->id)));
  return cases;
}

std::filesystem::path default_onnx_tests() {
  if (const auto data = environment("TOUCHSTONE_DATA"); !data.empty()) return data;
  return default_cache() / "onnx-node-tests";
}

// ---- the suite `random`

namespace {

class RandomCases : public CaseSource {
 public:
  RandomCases(std::uint64_t seed, const FormLimits& limits) : seed_(seed), limits_(limits) {}

  std::string id(std::size_t number) const { return fmt::format("{}/{}/{}", random_suite, seed_, number); }

  Case read(std::size_t number) const override {
    const RandomNode made = node(number);
    Case tested = case_of(made.node, *made.form);
    tested.id = id(number);
    return tested;
  }

  /// Offers the same node with ordinary values, and then as for tests from files.
  void offer_control_candidates(std::size_t number, const TakeCase& take) const override {
    RandomNode made = node(number);
    for (std::size_t i = 0; i < made.node.inputs.size(); ++i)
      if (auto& input = made.node.inputs[i]) input = ordinary_data(i, input->type(), input->shape());
    if (!take(case_of(made.node, *made.form)))
      offer_generated_controls(made.node, form_named("initializers"), id(number), take);
  }

  std::string_view other_form(std::size_t number) const override {
    if (limits_ == FormLimits{}) return {};  // without making the node
    const Form* form = node(number).form;
    return form == random_node(seed_, number).form ? std::string_view() : form->name;
  }

 private:
  RandomNode node(std::size_t number) const {
    RandomNode made = random_node(seed_, number);
    if (!is_within(limits_, *made.form)) made.form = &form_named("initializers");
    return made;
  }

  const std::uint64_t seed_;
  const FormLimits limits_;
};

}  // namespace

std::vector<PlannedCase> plan_random_suite(const SuiteOptions& options) {
  const boost::intrusive_ptr<const RandomCases> source(new RandomCases(options.seed, options.limits));
  std::vector<PlannedCase> cases;
  cases.reserve(options.examples);
  for (std::uint64_t number = 0; number < options.examples; ++number)
    cases.push_back({source->id(number), source, static_cast<std::uint32_t>(number)});
  return cases;
}

// ---- the suite `model`

std::vector<PlannedCase> plan_model_suite(const SuiteOptions& options) {
  return plan_parts(std::make_shared<const ModelParts>(options.data, options.dimensions, options.inputs), options.seed);
}

// ---- all suites

namespace {

constexpr std::string_view generated = "generated";

constexpr std::array rows{
    SuiteInfo{"onnx", "the node tests that ONNX's releases shipped for these operators", true, true, plan_onnx_suite},
    SuiteInfo{"graphs", "small graphs around these operators, which optimizers rewrite", false, true,
              plan_graphs_suite},
    SuiteInfo{model_suite, "the parts of a model of your own, which --data names", true, false, plan_model_suite},
    SuiteInfo{random_suite, "random nodes of any version, legal and illegal: --examples many of --seed", false, false,
              plan_random_suite},
    SuiteInfo{generated, "every legal combination, every clause, every rule", false, true, plan_generated_suite},
};

}  // namespace

std::span<const SuiteInfo> suites() { return rows; }

const SuiteInfo* find_suite(std::string_view name) {
  for (const SuiteInfo& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

std::vector<PlannedCase> plan_suites(std::span<const std::string> names, SuiteOptions options) {
  std::vector<PlannedCase> cases;
  for (const std::string& name : names) {
    const SuiteInfo* suite = find_suite(name);
    if (suite == nullptr) throw std::invalid_argument(fmt::format("unknown suite '{}'", name));
    if (suite->reads_files && options.data.empty()) options.data = default_onnx_tests();
    std::vector<PlannedCase> of_suite = suite->plan(options);
    cases.reserve(cases.size() + of_suite.size());
    std::ranges::move(of_suite, std::back_inserter(cases));
  }
  return cases;
}

const SuiteInfo& suite_of(std::string_view id) {
  // Ids begin with the name of their suite, except for those of the suite `generated`, which begin with the operator.
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const SuiteInfo& row) {
    return row.name == generated || (id.starts_with(row.name) && id.substr(row.name.size()).starts_with('/'));
  });
  return *found;
}

}  // namespace touchstone::conformance
