#include "conformance/backends/assumptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <stdexcept>
#include <string>

#include "conformance/backends/limited_backend.h"
#include "conformance/generate/recipe.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"

namespace touchstone::conformance::assumptions_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Capabilities assumed(std::initializer_list<const char*> texts) {
  Capabilities capabilities;
  for (const char* text : texts) assume(capabilities, text);
  return capabilities;
}

std::string complaint(const char* text) try {
  assumed({text});
  return "";
} catch (const std::invalid_argument& error) {
  return error.what();
}

TEST(Assumptions, AreReadFromText) {
  EXPECT_EQ(assumed({}), Capabilities{});
  EXPECT_EQ(assumed({"constant-scales", "static-shapes"}),
            (Capabilities{.constant_scales_only = true, .static_shapes_only = true}));
  EXPECT_EQ(assumed({"types=FLOAT,UINT8,FLOAT8E4M3FN"}), (Capabilities{.element_types = {1, 2, 17}}));
  EXPECT_EQ(assumed({"opsets=ai.onnx:10-21,com.microsoft:1"}),
            (Capabilities{.opsets = {{"ai.onnx", 10, 21}, {"com.microsoft", 1, 1}}}));
}

TEST(Assumptions, AreAppendedIfGivenAgain) {
  EXPECT_EQ(assumed({"types=FLOAT", "types=UINT8,FLOAT"}), (Capabilities{.element_types = {1, 2}}));
  EXPECT_EQ(assumed({"opsets=ai.onnx:10", "opsets=ai.onnx:13-21"}),
            (Capabilities{.opsets = {{"ai.onnx", 10, 10}, {"ai.onnx", 13, 21}}}));
}

TEST(Assumptions, AreWrittenAsTheyAreRead) {
  EXPECT_THAT(assumptions({}), ElementsAre());
  EXPECT_THAT(assumptions({.element_types = {1, 2},
                           .opsets = {{"", 10, 21}, {"opmx", 1, 1}},
                           .constant_scales_only = true,
                           .static_shapes_only = true}),
              ElementsAre("constant-scales", "static-shapes", "types=FLOAT,UINT8", "opsets=ai.onnx:10-21,opmx:1"));
}

TEST(Assumptions, ThatAreInvalidGiveMessagesWithTheValidValues) {
  EXPECT_THAT(complaint("constant-shapes"),
              AllOf(HasSubstr("unknown assumption 'constant-shapes'; write one of constant-scales, "
                              "static-shapes, types="),
                    HasSubstr("opsets=")));
  EXPECT_THAT(complaint("types=FLOAT,float16"),
              AllOf(HasSubstr("unknown element type 'float16'; the known types are FLOAT, FLOAT16, "),
                    HasSubstr("FLOAT4E2M1")));
  EXPECT_THAT(complaint("types=UNDEFINED"), HasSubstr("unknown element type 'UNDEFINED'"));
  EXPECT_THAT(complaint("types=FLOAT,"), HasSubstr("unknown element type ''"));
  EXPECT_THAT(complaint("types="), HasSubstr("'types=': write 'types=FLOAT,UINT8,INT8'"));
  EXPECT_THAT(complaint("types"), HasSubstr("'types': write"));
  EXPECT_THAT(complaint("constant-scales=1"), HasSubstr("'constant-scales=1': write 'constant-scales'"));
  EXPECT_THAT(complaint("constant-scales="), HasSubstr("'constant-scales=': write 'constant-scales'"));
  EXPECT_THAT(complaint("opsets=onnx:10"), HasSubstr("unknown domain 'onnx'; the known domains are ai.onnx (10 to "));
  EXPECT_THAT(complaint("opsets=ai.onnx"), HasSubstr("'ai.onnx' has no opsets: write 'ai.onnx:10-21'"));
  for (const char* range : {"opsets=ai.onnx:", "opsets=ai.onnx:ten", "opsets=ai.onnx:10-", "opsets=ai.onnx:-10",
                            "opsets=ai.onnx:10-21-22", "opsets=ai.onnx:0-3", "opsets=ai.onnx:99999999999999999999"})
    EXPECT_THAT(complaint(range), HasSubstr("is not an opset range: write 'ai.onnx:10-21'")) << range;
  EXPECT_THAT(complaint("opsets=ai.onnx:21-10"), HasSubstr("'ai.onnx:21-10': the range ends before it begins"));
}

/// A case of this cell in this form.
Case case_of(const char* cell_text, const char* form) {
  const Cell cell = *find_cell(cell_text);
  return make_case({.id = cell_text,
                    .cell = cell,
                    .opset = cell.version->since_version,
                    .geometry = &cell_geometries(cell.granularity, false).front(),
                    .form = &form_named(form)});
}

constexpr const char* float32_to_uint8 = "quantize_linear/13/f32-f32-u8/per_tensor/zp";

class Declaring : public FakeBackend {
 public:
  explicit Declaring(Capabilities declared)
      : FakeBackend([]() -> UnitAnswer { throw std::logic_error("was asked"); }), declared_(std::move(declared)) {}
  Capabilities declares() const override { return declared_; }
  std::optional<Refusal> declines(const OperatorModel& model) const override {
    return Backend::declines(model);  // NOLINT(bugprone-parent-virtual-call): not as the fake does
  }

 private:
  Capabilities declared_;
};

std::string reason(const Backend& backend, const Case& tested) {
  const auto refusal = backend.declines(tested.model);
  return refusal ? refusal->reason : "";
}

TEST(Capabilities, ChangeOnlyWhereSomethingIsAssumed) {
  const Capabilities known{{1, 2}, {{"", 10, 21}}, true, false};
  EXPECT_EQ(with_assumed(known, {}), known);
  EXPECT_EQ(with_assumed(known, {{3}, {}, false, true}), (Capabilities{{3}, {{"", 10, 21}}, true, true}));
  EXPECT_EQ(with_assumed(known, {{}, {{"", 13, 13}}, false, false}),
            (Capabilities{{1, 2}, {{"", 13, 13}}, true, false}));
}

TEST(LimitedBackend, DeclinesWhatIsBeyondTheAssumptionsAndWhatTheBackendDeclines) {
  const auto backend = limited(std::make_unique<Declaring>(Capabilities{.constant_scales_only = true}),
                               assumed({"types=FLOAT,UINT8", "opsets=ai.onnx:10-13"}));
  EXPECT_EQ(reason(*backend, case_of(float32_to_uint8, "initializers")), "");
  EXPECT_THAT(reason(*backend, case_of(float32_to_uint8, "inputs")),
              HasSubstr("the backend declares that it takes constant scales and zero points only"));
  EXPECT_THAT(reason(*backend, case_of("quantize_linear/13/f32-f32-i8/per_tensor/zp", "initializers")),
              HasSubstr("--assume: the backend takes some element types only; 'y' is of INT8"));
  EXPECT_THAT(reason(*backend, case_of("quantize_linear/19/f32-f32-u8/per_tensor/zp", "initializers")),
              HasSubstr("--assume: the backend takes the opsets ai.onnx 10 to 13; this is ai.onnx 19"));
  EXPECT_EQ(backend->declares(), (Capabilities{.constant_scales_only = true})) << "the backend's own declaration";
}

TEST(LimitedBackend, IsTheBackendItselfIfNothingIsAssumed) {
  auto backend = std::make_unique<FakeBackend>([]() -> UnitAnswer { return Refusal{}; });
  const Backend* before = backend.get();
  EXPECT_EQ(limited(std::move(backend), {}).get(), before);
}

/// This holds for legal and for illegal cases.
TEST(Declined, CasesNeitherRunNorPass) {
  Declaring backend({.opsets = {{"", 10, 10}}});
  const auto run = [&](const Case& tested) {
    return run_case({tested.id, made_by({[&] { return tested; }})}, backend);
  };
  const CaseRecord valid = run(case_of(float32_to_uint8, "initializers"));
  EXPECT_EQ(valid.verdict, Verdict::rejects_valid);
  EXPECT_TRUE(valid.declined);
  EXPECT_EQ(valid.output_digest, 0U);
  Case broken = case_of(float32_to_uint8, "initializers");
  broken.model.node.attributes["nonsense"] = std::int64_t{1};
  const CaseRecord invalid = run(broken);
  ASSERT_TRUE(invalid.must_reject());
  EXPECT_EQ(invalid.verdict, Verdict::rejects_valid);
  EXPECT_TRUE(invalid.declined);
  EXPECT_THAT(invalid.reason, HasSubstr("; whether it sees what is wrong with the model is not known"));
}

}  // namespace
}  // namespace touchstone::conformance::assumptions_test
