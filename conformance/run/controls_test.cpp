#include "conformance/run/controls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/generate/illegal_cases.h"
#include "conformance/graphs/graph_cases.h"
#include "conformance/plan/ordinary_data.h"
#include "conformance/run/output_limits.h"
#include "conformance/run/reproducer.h"
#include "conformance/run/runner.h"
#include "conformance/suites/suites.h"
#include "conformance/testing.h"
#include "reference/interpreter.h"

namespace touchstone::conformance::controls_test {
namespace {

using spec::ElementType;
using testing::HasSubstr;

/// Answers chosen units with the given answer, and all others correctly.
class Chooser : public ReferenceBackend {
 public:
  using Choose = std::function<std::optional<UnitAnswer>(const Unit&)>;
  explicit Chooser(Choose choose) : choose_(std::move(choose)) {}

  std::optional<Refusal> declines(const OperatorModel& model) const override {
    return declined ? std::optional(Refusal{"no such types"}) : ReferenceBackend::declines(model);
  }
  UnitAnswer run(const Unit& unit) override {
    asked.emplace_back(unit.case_id);
    const auto chosen = choose_(unit);
    return chosen ? *chosen : ReferenceBackend::run(unit);
  }

  std::vector<std::string> asked;
  bool declined = false;

 private:
  Choose choose_;
};

bool is_control(const Unit& unit) { return unit.case_id.starts_with(control_prefix); }

/// Refuses all cases, and gives this answer to their controls; std::nullopt: the right answer.
Chooser refusing_but(std::optional<UnitAnswer> to_controls) {
  return Chooser([=](const Unit& unit) {
    return is_control(unit) ? to_controls : std::optional<UnitAnswer>(Refusal{"no kernel"});
  });
}

PlannedCase generated(const std::string& id) {
  for (PlannedCase& planned : plan_generated_suite({}))
    if (planned.id == id) return std::move(planned);
  ADD_FAILURE() << "there is no case " << id;
  return {};
}

const std::string illegal_id = "quantize_linear/13/must_reject/scale/longer";
const std::string variant_id = "quantize_linear/21/f32-f32-u8/per_tensor/zp/scale/zero";

TEST(Controls, DecideWhetherARequiredRefusalCounts) {
  const PlannedCase illegal = generated(illegal_id);
  Chooser good = refusing_but(std::nullopt);
  EXPECT_EQ(run_case(illegal, good).verdict, Verdict::pass);
  EXPECT_EQ(good.asked.size(), 2U);

  struct Row {
    UnitAnswer answer;
    const char* reason;
  };
  const std::vector<Row> rows{
      {Refusal{"no axis"}, "the backend also refuses the model without the violation: no axis"},
      {std::vector<Answer>{Refusal{"no axis"}}, "the backend also refuses the model without the violation: no axis"},
      {Breakdown{Breakdown::Kind::crash, "SIGSEGV"},
       "the backend gives no answer to the model without the violation: SIGSEGV"},
      {Breakdown{Breakdown::Kind::timeout, "30 s"},
       "the backend gives no answer to the model without the violation: 30 s"},
      {Breakdown{Breakdown::Kind::absent, "no file"},
       "the backend gives no answer to the model without the violation: no file"}};
  for (const Row& row : rows) {
    Chooser backend = refusing_but(row.answer);
    const CaseRecord record = run_case(illegal, backend);
    EXPECT_EQ(record.verdict, Verdict::not_shown);
    EXPECT_EQ(record.reason, row.reason);
    EXPECT_TRUE(record.must_reject());
  }
  // Other cases check whether the outputs are right.
  Chooser wrong = refusing_but(std::vector<Answer>{Outputs{{"other", reference::Tensor(ElementType::int8, {0})}}});
  EXPECT_EQ(run_case(illegal, wrong).verdict, Verdict::pass);
}

TEST(Controls, DecideWhetherAPermittedRefusalCounts) {
  const PlannedCase variant = generated(variant_id);
  Chooser good = refusing_but(std::nullopt);
  EXPECT_EQ(run_case(variant, good).verdict, Verdict::rejects_variant);

  Chooser refuser = refusing_but(Refusal{"no uint8"});
  const CaseRecord refused = run_case(variant, refuser);
  EXPECT_EQ(refused.verdict, Verdict::rejects_valid);
  EXPECT_TRUE(refused.readings.empty());
  EXPECT_THAT(refused.reason, HasSubstr("no kernel"));
  EXPECT_THAT(refused.reason, HasSubstr("; the backend also refuses a similar, undisputed model: no uint8"));
  Chooser crashing = refusing_but(Breakdown{Breakdown::Kind::crash, "SIGSEGV"});
  EXPECT_EQ(run_case(variant, crashing).verdict, Verdict::rejects_valid);
  for (const auto kind : {Breakdown::Kind::absent, Breakdown::Kind::protocol}) {
    Chooser unknown = refusing_but(Breakdown{kind, "unreadable"});
    EXPECT_EQ(run_case(variant, unknown).verdict, Verdict::rejects_valid) << "it is not known to be accepted";
  }
  const PlannedCase alone{.id = variant_id, .source = made_by({[&] { return variant.read(); }})};
  EXPECT_THAT(run_case(alone, good).reason,
              HasSubstr("; whether a permitted reading is the reason is not known: there is no similar model"));
}

/// The verdict on a backend that lacks a feature.
std::string_view verdict_without(const std::function<bool(const reference::Node&)>& is_lacking,
                                 const PlannedCase& planned) {
  Chooser backend([&](const Unit& unit) -> std::optional<UnitAnswer> {
    const OperatorModel model = parse_model(std::string(unit.model), "model");
    if (!is_lacking(bind_inputs(model, unit.inputs.front()))) return std::nullopt;
    return Refusal{"not implemented"};
  });
  return name(run_case(planned, backend).verdict);
}

/// A reading rejects scales of shape [1] for all elements. The control has the shape and the axis of the case.
TEST(Controls, HaveTheShapeAndTheAxisOfACaseWhoseScaleAReadingRejects) {
  const PlannedCase scalar = generated("quantize_linear/10/f32-f32-u8/per_tensor/no_zp/shape/scalar_scale1");
  const PlannedCase negative_axis =
      generated("quantize_linear/21/f32-f32-u8/per_tensor/no_zp/shape/5_scale1_axis-1_block8");
  const auto has_such_a_scale = [](const reference::Node& node) { return node.inputs[1]->rank() == 1; };
  const auto has_no_dimensions = [](const reference::Node& node) { return node.inputs[0]->rank() == 0; };
  const auto has_negative_axis = [](const reference::Node& node) {
    const auto axis = node.attributes.find("axis");
    return axis != node.attributes.end() && std::get<std::int64_t>(axis->second) < 0;
  };
  EXPECT_EQ(verdict_without(has_such_a_scale, scalar), name(Verdict::rejects_variant));
  EXPECT_EQ(verdict_without(has_such_a_scale, negative_axis), name(Verdict::rejects_variant));
  EXPECT_EQ(verdict_without(has_no_dimensions, scalar), name(Verdict::rejects_valid));
  EXPECT_EQ(verdict_without(has_negative_axis, negative_axis), name(Verdict::rejects_valid));
}

/// A reading rejects float8e8m0 scales without precision, so the control sets it. Both have output_dtype, which is
/// redundant.
TEST(Controls, HaveTheRedundantAttributesOfACaseWhoseTypesAReadingRejects) {
  const PlannedCase planned = generated("quantize_linear/25/f32-e8m0-u8/per_tensor/zp/values");
  const auto has = [](const char* attribute) {
    return [=](const reference::Node& node) { return node.attributes.contains(attribute); };
  };
  const auto has_such_a_scale = [&](const reference::Node& node) {
    return node.inputs[1]->type() == ElementType::float8e8m0 && !has("precision")(node);
  };
  EXPECT_EQ(verdict_without(has_such_a_scale, planned), name(Verdict::rejects_variant));
  EXPECT_EQ(verdict_without(has("output_dtype"), planned), name(Verdict::rejects_valid));
}

/// The draft of version 23 has no mixed types. A backend that follows it accepts them at version 24; one that lacks
/// them refuses both.
TEST(Controls, OfTheDraftOf23AreOfVersion24) {
  const PlannedCase mixed = generated("quantize_linear/23/f32-f16-e4m3fn/per_tensor/zp/saturate=1/values");
  const auto is_mixed = [](const reference::Node& node) { return node.inputs[0]->type() != node.inputs[1]->type(); };
  EXPECT_EQ(verdict_without([&](const auto& node) { return is_mixed(node) && node.opset == 23; }, mixed),
            name(Verdict::rejects_variant));
  EXPECT_EQ(verdict_without(is_mixed, mixed), name(Verdict::rejects_valid));

  const PlannedCase named = generated("dequantize_linear/23/u8-f32-f32/per_tensor/zp/redundant_output_dtype");
  const auto has_output_dtype = [](const reference::Node& node) { return node.attributes.contains("output_dtype"); };
  EXPECT_EQ(verdict_without([&](const auto& node) { return has_output_dtype(node) && node.opset == 23; }, named),
            name(Verdict::rejects_variant));
  EXPECT_EQ(verdict_without(has_output_dtype, named), name(Verdict::rejects_valid));
}

/// Tries a case of each pattern, and a sample of the others.
TEST(Controls, OfGraphsAreLegalByAllReadings) {
  std::set<std::string_view> seen;
  std::size_t place = 0;
  for (const GraphRecipe& recipe : graph_recipes(Tier::smoke, 0)) {
    if (!recipe.pattern->is_disputed(recipe.parameters)) continue;
    if (!seen.insert(recipe.pattern->name).second && ++place % 37 != 0) continue;
    const auto read = [&] { return make_case(recipe); };
    const auto offer = [&](const TakeCase& take) { offer_control_candidates(recipe, take); };
    const std::optional<Case> control = control_of({recipe.id, made_by({read, offer})});
    ASSERT_TRUE(control) << *recipe.id;
    EXPECT_TRUE(is_legal_by_all_readings(*control)) << *recipe.id;
  }
  EXPECT_GT(seen.size(), 90U);
}

TEST(Controls, OfGraphsDecideWhetherAPermittedRefusalCounts) {
  const std::vector<PlannedCase> plan = plan_graphs_suite({});
  const PlannedCase& negative = *std::ranges::find_if(plan, [](const PlannedCase& one) {
    return one.id->starts_with("graphs/ql_dq/21/") && one.id->find("/negative/") != std::string_view::npos;
  });
  Chooser follower = refusing_but(std::nullopt);
  const CaseRecord record = run_case(negative, follower);
  EXPECT_EQ(record.verdict, Verdict::rejects_variant);
  EXPECT_THAT(record.readings, testing::ElementsAre(ReadingId{"amb-scale-domain", "non-positive-invalid"}));
  Chooser refuser = refusing_but(Refusal{"nothing"});
  EXPECT_EQ(run_case(negative, refuser).verdict, Verdict::rejects_valid);
}

PlannedCase from_files(const std::filesystem::path& root, const Case& written) {
  write_reproducer(root, written, "test");
  return plan_onnx_suite({.data = root}).front();
}

/// The ways not to accept a control.
const std::vector<UnitAnswer> not_accepted{Refusal{"nothing"},
                                           std::vector<Answer>{Refusal{"nothing"}},
                                           Breakdown{Breakdown::Kind::crash, "SIGSEGV"},
                                           Breakdown{Breakdown::Kind::timeout, "30 s"},
                                           Breakdown{Breakdown::Kind::protocol, "unreadable"},
                                           Breakdown{Breakdown::Kind::absent, "no file"}};
/// Other cases check whether outputs are right.
const UnitAnswer wrong_outputs = std::vector<Answer>{Outputs{{"other", reference::Tensor(ElementType::int8, {0})}}};

/// Where the same model with ordinary values is disputed, too, the control is another model: one with a simpler shape,
/// of another version, the nearest graph, or a generated one.
TEST(Controls, ThatAreOtherModelsGiveCreditOnlyIfTheyAreAccepted) {
  const TemporaryDirectory directory;
  const PlannedCase shape = generated("quantize_linear/10/f32-f32-u8/per_tensor/no_zp/shape/scalar_scale1");
  const PlannedCase draft = generated("quantize_linear/23/f32-f16-e4m3fn/per_tensor/zp/saturate=1/values");
  const std::vector<PlannedCase> graphs = plan_graphs_suite({});
  const PlannedCase& graph = *std::ranges::find_if(graphs, [](const PlannedCase& one) {
    return one.id->starts_with("graphs/ql_dq/21/") && one.id->find("/negative/") != std::string_view::npos;
  });
  for (const PlannedCase& planned : {shape, draft, graph, from_files(directory.path(), shape.read())}) {
    SCOPED_TRACE(*planned.id);
    for (const UnitAnswer& answer : not_accepted) {
      Chooser backend = refusing_but(answer);
      const CaseRecord record = run_case(planned, backend);
      EXPECT_EQ(record.verdict, Verdict::rejects_valid) << answer.index();
      EXPECT_TRUE(record.readings.empty());
      EXPECT_EQ(record.answer_class(), AnswerClass::refused);
    }
    for (const std::optional<UnitAnswer>& answer : {std::optional<UnitAnswer>(), std::optional(wrong_outputs)}) {
      Chooser backend = refusing_but(answer);
      const CaseRecord record = run_case(planned, backend);
      EXPECT_EQ(record.verdict, Verdict::rejects_variant);
      EXPECT_FALSE(record.readings.empty());
    }
  }
}

/// What is wrong with a model from files cannot be mended.
TEST(Controls, OfIllegalModelsFromFilesAreGenerated) {
  const TemporaryDirectory directory;
  const PlannedCase illegal = from_files(directory.path() / "node", generated(illegal_id).read());
  for (const UnitAnswer& answer : not_accepted) {
    Chooser backend = refusing_but(answer);
    const CaseRecord record = run_case(illegal, backend);
    EXPECT_EQ(record.verdict, Verdict::not_shown) << answer.index();
    EXPECT_EQ(record.answer_class(), AnswerClass::undecided);
  }
  Chooser refuser = refusing_but(Refusal{"nothing"});
  EXPECT_EQ(run_case(illegal, refuser).reason, "the backend also refuses a similar, undisputed model: nothing");
  for (const std::optional<UnitAnswer>& answer : {std::optional<UnitAnswer>(), std::optional(wrong_outputs)}) {
    Chooser backend = refusing_but(answer);
    EXPECT_EQ(run_case(illegal, backend).answer_class(), AnswerClass::rejected);
  }
}

/// If only an attribute is wrong, the types of the operands are those of the case.
TEST(Controls, OfIllegalModelsFromFilesHaveTheirTypes) {
  const TemporaryDirectory directory;
  std::size_t place = 0;
  for (const IllegalCase& illegal : illegal_cases(0)) {
    if (++place % 41 != 0) continue;
    const reference::Node broken = illegal.node();
    const std::optional<Case> control = control_of(from_files(directory.path() / *illegal.id, make_case(illegal)));
    ASSERT_TRUE(control) << *illegal.id;
    EXPECT_TRUE(is_legal_by_all_readings(*control)) << *illegal.id;
    EXPECT_EQ(control->model.node.op, broken.op) << *illegal.id;
    EXPECT_EQ(control->model.node.domain, broken.domain) << *illegal.id;
    if (broken.opset == 23) continue;  // see OfTheDraftOf23AreOfVersion24
    EXPECT_EQ(control->model.node.opset, broken.opset) << *illegal.id;
    if (broken.domain != spec::ai_onnx || illegal.id->find("/attribute/") == std::string_view::npos) continue;
    const reference::Node bound = bind_inputs(control->model, control->data_sets.front().inputs);
    for (std::size_t i = 0; i < broken.inputs.size(); ++i)
      EXPECT_EQ(bound.inputs[i]->type(), broken.inputs[i]->type()) << *illegal.id << " input " << i;
  }
  EXPECT_GT(place, 2000U);
}

/// Nothing shows that a backend sees what is wrong with such a graph.
TEST(Controls, OfIllegalGraphsFromFilesAreUnknown) {
  const TemporaryDirectory directory;
  const std::vector<PlannedCase> graphs = plan_graphs_suite({.tier = Tier::smoke});
  const auto illegal = std::ranges::find_if(
      graphs, [](const PlannedCase& one) { return one.id->find("/must_reject/") != std::string_view::npos; });
  ASSERT_NE(illegal, graphs.end());
  Chooser backend = refusing_but(std::nullopt);
  const CaseRecord record = run_case(from_files(directory.path(), illegal->read()), backend);
  EXPECT_TRUE(record.must_reject());
  EXPECT_EQ(record.verdict, Verdict::not_shown);
  EXPECT_EQ(record.reason,
            "whether the backend sees what is wrong with the model is not known: there is no similar legal model to "
            "compare with");
}

TEST(Controls, RunOnlyForRefusals) {
  for (const std::string& id : {variant_id, std::string("quantize_linear/21/f32-f32-u8/per_tensor/zp/values")}) {
    const PlannedCase planned = generated(id);
    Chooser right([](const Unit&) { return std::nullopt; });
    EXPECT_TRUE(is_pass(run_case(planned, right).verdict));
    EXPECT_EQ(right.asked.size(), 1U) << id;
  }
  const PlannedCase plain = generated("quantize_linear/21/f32-f32-u8/per_tensor/zp/values");
  Chooser refuser = refusing_but(Refusal{"nothing"});
  EXPECT_EQ(run_case(plain, refuser).verdict, Verdict::rejects_valid);
  EXPECT_EQ(refuser.asked.size(), 1U);
  Chooser accepts(
      [](const Unit& unit) { return std::optional<UnitAnswer>(std::vector<Answer>(unit.inputs.size(), Outputs{})); });
  EXPECT_EQ(run_case(generated(illegal_id), accepts).verdict, Verdict::accepts_invalid);
  EXPECT_EQ(accepts.asked.size(), 1U);
}

TEST(Controls, RunOnceForAllCasesThatShareThem) {
  const std::vector<PlannedCase> plan(3, generated(illegal_id));
  std::vector<std::string> asked;
  const auto make = [&]() -> std::unique_ptr<Backend> {
    return std::make_unique<Chooser>([&](const Unit& unit) {
      asked.emplace_back(unit.case_id);
      return std::optional<UnitAnswer>(Refusal{"nothing"});
    });
  };
  run(plan, make, {}, [](const CaseRecord& record) {
    EXPECT_EQ(record.verdict, Verdict::not_shown);
    return true;
  });
  EXPECT_EQ(asked.size(), 4U);
}

TEST(Controls, AreNotGivenToABackendThatDeclinesThem) {
  const PlannedCase illegal = generated(illegal_id);
  Chooser backend([](const Unit&) { return std::nullopt; });
  backend.declined = true;
  Controls controls(backend);
  const ControlOutcome outcome = controls.outcome_of(illegal);
  EXPECT_EQ(outcome.kind, ControlOutcome::Kind::refused);
  EXPECT_EQ(outcome.why, "no such types");
  EXPECT_TRUE(backend.asked.empty());
}

TEST(Controls, KeepBothEndsOfALongRefusal) {
  Chooser backend([](const Unit&) { return UnitAnswer(Refusal{"no kernel" + std::string(5000, 'x') + "no memory"}); });
  const ControlOutcome outcome = Controls(backend).outcome_of(generated(illegal_id));
  EXPECT_THAT(outcome.why, testing::StartsWith("no kernel"));
  EXPECT_THAT(outcome.why, testing::EndsWith("no memory"));
  EXPECT_LE(outcome.why.size(), kept_of_reason);
}

TEST(Controls, AreLegalByAllReadings) {
  EXPECT_TRUE(is_legal_by_all_readings(per_axis_case()));
  EXPECT_FALSE(is_legal_by_all_readings(generated(illegal_id).read()));
  EXPECT_FALSE(is_legal_by_all_readings(generated(variant_id).read()));
}

std::pair<spec::Granularity, ElementType> granularity_and_type(const reference::Node& node) {
  const reference::Outcome outcome = reference::interpret(node);
  if (outcome.result() == nullptr) {
    ADD_FAILURE() << "it is not legal";
    return {};
  }
  const Cell cell = cell_of(node, reference::operator_version(node), *outcome.result());
  return {cell.granularity, cell.quantized_type()};
}

/// The control has the operator, the opset (24 for some of 23), the quantized type and the granularity of its case.
TEST(Controls, ResembleTheirCases) {
  std::size_t without = 0;
  for (const IllegalCase& illegal : illegal_cases(0)) {
    const PlannedCase planned{illegal.id,
                              made_by({[&] { return make_case(illegal); },
                                       [&](const TakeCase& take) { offer_control_candidates(illegal, take); }})};
    const std::optional<Case> control = control_of(planned);
    if (!control) {
      ++without;
      ADD_FAILURE() << *illegal.id << " has no control";
      continue;
    }
    const reference::Node broken = illegal.node();
    EXPECT_EQ(control->model.node.op, broken.op) << *illegal.id;
    EXPECT_EQ(control->model.node.domain, broken.domain) << *illegal.id;
    // A reading takes version 23 from a draft with fewer types and attributes.
    const int opset = control->model.node.opset;
    EXPECT_EQ(broken.opset == 23 && opset == 24 ? 23 : opset, broken.opset) << *illegal.id;
    const auto [granularity, type] = granularity_and_type(illegal.unbroken());
    const auto [granularity_of_control, type_of_control] =
        granularity_and_type(bind_inputs(control->model, control->data_sets.front().inputs));
    EXPECT_EQ(granularity_of_control, granularity) << *illegal.id;
    // An obsolete page of com.microsoft that is still published has only 8-bit types (MS-08), and so have its controls.
    const bool has_other_type = broken.domain == spec::com_microsoft && spec::info(type).bits != 8;
    EXPECT_EQ(type_of_control, has_other_type ? type_of_control : type) << *illegal.id;
    EXPECT_TRUE(control->id.starts_with(control_prefix));
    EXPECT_FALSE(describe(*control).must_reject()) << *illegal.id;
  }
  EXPECT_EQ(without, 0U);
}

TEST(Controls, OfFilesHaveOrdinaryDataForTheGraphInputs) {
  const Case given = per_axis_case();
  const Case control = with_ordinary_data(given).value();
  ASSERT_EQ(control.data_sets.size(), 1U);
  const auto& inputs = control.data_sets[0].inputs;
  EXPECT_EQ(inputs[0].value.code(5), 0x3f800000U) << "1.0";
  EXPECT_EQ(inputs[1].value.code(2), 0x3f800000U);
  EXPECT_EQ(inputs[2].value.code(2), 0U);
  EXPECT_EQ(inputs[2].value.shape(), given.data_sets[0].inputs[2].value.shape());
  EXPECT_TRUE(control.data_sets[0].expected.empty());
  EXPECT_EQ(control.model.bytes, given.model.bytes);

  Case constant = given;
  constant.data_sets[0].inputs.clear();
  EXPECT_FALSE(with_ordinary_data(constant).has_value());
}

TEST(OrdinaryData, AreOnesAndZeros) {
  const auto code = [](std::size_t operand, ElementType type) { return ordinary_data(operand, type, {2}).code(1); };
  EXPECT_EQ(code(0, ElementType::float16), 0x3c00U);
  EXPECT_EQ(code(1, ElementType::bfloat16), 0x3f80U);
  EXPECT_EQ(code(1, ElementType::float8e8m0), 0x7fU);
  EXPECT_EQ(code(0, ElementType::float8e4m3fn), 0x38U);
  EXPECT_EQ(code(0, ElementType::int2), 1U);
  EXPECT_EQ(code(0, ElementType::int4x4), 1U);
  EXPECT_EQ(code(2, ElementType::int8), 0U);
  EXPECT_EQ(code(0, ElementType::boolean), 0U);
  EXPECT_EQ(code(0, ElementType::int64), 0U) << "no operator knows it";
}

}  // namespace
}  // namespace touchstone::conformance::controls_test
