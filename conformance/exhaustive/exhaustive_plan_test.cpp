#include "conformance/exhaustive/exhaustive_plan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "conformance/exhaustive/testing.h"
#include "conformance/files/file_error.h"
#include "conformance/report/covered_spaces.h"
#include "conformance/run/reproducer.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"
#include "reference/codec.h"

namespace touchstone::conformance::exhaustive_plan_test {
namespace {

using spec::ElementType;
using testing::ElementsAre;
using testing::IsSupersetOf;

/// Records as if every case had run, without running it.
std::vector<CaseRecord> records_of(const std::vector<PlannedCase>& plan) {
  std::vector<CaseRecord> records;
  for (const PlannedCase& planned : plan) {
    CaseRecord record;
    record.id = planned.id;
    record.verdict = Verdict::pass;
    record.covered = planned.value_space()->codes;
    // exhaustive/<cell>/scale=...
    const std::size_t begin = std::string("exhaustive/").size();
    record.cells = {cell(std::string(planned.id->substr(begin, planned.id->find("/scale=") - begin)))};
    records.push_back(record);
  }
  return records;
}

TEST(ExhaustivePlan, HasEveryIntegerTypeAndNoGaps) {
  std::map<std::string, std::uint64_t> elements;
  for (const CoveredSpace& space : covered_spaces(records_of(plan_exhaustive(0)))) {
    const std::string cell = to_string(space.cell);
    EXPECT_TRUE(space.x.size() == 1 && space.x.front().is_whole()) << cell;
    EXPECT_TRUE(elements.emplace(cell, space.elements()).second) << cell << " has all combinations of its codes";
  }
  constexpr std::uint64_t of_float32 = (std::uint64_t{1} << 32) * 23 * 3;
  constexpr std::uint64_t of_float16 = (std::uint64_t{1} << 32) * 2;
  std::map<std::string, std::uint64_t> quantizing;
  for (const char* y : {"u8", "i8"}) {
    quantizing[fmt::format("quantize_linear/13/f32-f32-{}/per_tensor/zp", y)] = of_float32;
    for (const char* x : {"f16", "bf16"})
      for (const int version : {21, 28})
        quantizing[fmt::format("quantize_linear/{}/{}-{}-{}/per_axis/zp", version, x, x, y)] = of_float16;
  }
  for (const char* y : {"u8", "i8", "u16", "i16", "u4", "i4", "u2", "i2"})
    quantizing[fmt::format("quantize_linear/28/f32-f32-{}/per_tensor/zp", y)] = of_float32;
  for (const auto& [cell, size] : elements)
    if (cell.starts_with("quantize")) {
      EXPECT_EQ(quantizing[cell], size) << cell;
    }
  for (const auto& [cell, size] : quantizing) EXPECT_TRUE(elements.contains(cell)) << cell << ", " << size;

  const auto size_of = [&](const char* cell) { return elements[std::string("dequantize_linear/") + cell]; };
  EXPECT_EQ(size_of("13/u8-f32-f32/per_axis/zp"), 256U * 256U * 23U);
  EXPECT_EQ(size_of("21/e4m3fn-f16-f16/per_axis/zp"), 256U * 256U * 18U);
  EXPECT_EQ(size_of("28/i2-bf16-f32/per_axis/zp"), 4U * 4U * 18U);
  EXPECT_EQ(size_of("28/e3m2-e8m0-f32/per_axis/zp"), 64U * 64U * 9U);
}

// The contents of the plan follow from the tables of spec/, which grow.
TEST(ExhaustivePlan, HasTheNewestOfEquivalentVersions) {
  std::map<spec::Operator, std::set<int>> versions;
  for (const CaseRecord& record : records_of(plan_exhaustive(0)))
    versions[record.cells.front().version->op].insert(record.cells.front().version->since_version);
  EXPECT_THAT(versions[spec::Operator::quantize_linear], ElementsAre(13, 21, 28));
  EXPECT_THAT(versions[spec::Operator::dequantize_linear], ElementsAre(13, 21, 28));
}

TEST(ExhaustivePlan, IsTheSameForTheSameSeedAndHasEveryCaseOnce) {
  std::set<std::string> ids;
  const std::vector<PlannedCase> plan = plan_exhaustive(7);
  for (const PlannedCase& planned : plan) EXPECT_TRUE(ids.insert(planned.id).second) << *planned.id;
  const std::vector<PlannedCase> again = plan_exhaustive(7);
  ASSERT_EQ(plan.size(), again.size());
  for (std::size_t i = 0; i < plan.size(); ++i) ASSERT_EQ(plan[i].id, again[i].id);
}

TEST(ExhaustivePlan, SamplesOfSweepsAreLegal) {
  const std::vector<PlannedCase> plan = plan_exhaustive(0);
  for (std::size_t i = 0; i < plan.size(); i += 97) {
    const CaseRecord record = describe(plan[i].read());
    EXPECT_EQ(record.id, plan[i].id);
    EXPECT_EQ(record.reason, "");
    EXPECT_EQ(record.cells.size(), 1U) << *plan[i].id;
    EXPECT_FALSE(record.must_reject());
  }
}

TEST(HardScales, AreFiniteAndDistinct) {
  for (const ElementType type :
       {ElementType::float32, ElementType::float16, ElementType::bfloat16, ElementType::float8e8m0})
    for (const std::uint64_t seed : {0U, 1U, 2U}) {
      const std::vector<std::uint64_t> scales = hard_scales(type, seed);
      EXPECT_EQ(std::set(scales.begin(), scales.end()).size(), scales.size());
      for (const std::uint64_t scale : scales)
        EXPECT_EQ(reference::decode(type, scale).kind(), reference::Value::Kind::number) << std::hex << scale;
    }
  EXPECT_NE(hard_scales(ElementType::float32, 0), hard_scales(ElementType::float32, 1));
  const std::vector<std::uint64_t> known{0x3f800000, 0x3dcccccd, 0x3eaaaaab, 0xbdcccccd, 0x00000001,
                                         0x007fffff, 0x00800000, 0x7f7fffff, 0x7f000000, 0x3fffffff};
  EXPECT_THAT(hard_scales(ElementType::float32, 0), IsSupersetOf(known));
}

std::vector<PlannedCase> small_plan() {
  std::vector<PlannedCase> plan;
  for (const std::uint64_t first : {0x3c00U, 0x3c02U, 0x3c04U}) {
    Sweep sweep = sweep_of("quantize_linear/28/f16-f16-i8/per_axis/zp", first, 0);
    sweep.scale.last = first + 1;
    plan.push_back(planned_sweep(sweep));
  }
  for (const std::uint64_t scale : {0x3f800000U, 0x3dcccccdU})
    plan.push_back(planned_grid(cell("dequantize_linear/28/i4-f32-f32/per_axis/zp"), scale));
  return plan;
}

TEST(ExhaustiveCases, RunLikeOtherCases) {
  const std::vector<PlannedCase> plan = small_plan();
  for (const unsigned jobs : {1U, 3U}) {
    std::vector<CaseRecord> records;
    run(
        plan, [] { return std::make_unique<OptimizedBackend>(); }, {.judge = {}, .jobs = jobs},
        [&](CaseRecord record) {
          records.push_back(std::move(record));
          return true;
        });
    ASSERT_EQ(records.size(), plan.size());
    for (std::size_t i = 0; i < plan.size(); ++i) {
      EXPECT_EQ(records[i].id, plan[i].id);
      EXPECT_EQ(records[i].verdict, Verdict::pass) << *records[i].reason;
      EXPECT_EQ(records[i].covered, plan[i].value_space()->codes);
    }
  }
}

TEST(ExhaustiveCases, HaveNoRecordIfTheSweepIsStopped) {
  std::vector<CaseRecord> records;
  run(
      small_plan(), [] { return std::make_unique<OptimizedBackend>(); },
      {.judge = {}, .jobs = 1, .stop = [&] { return !records.empty(); }},
      [&](CaseRecord record) {
        records.push_back(std::move(record));
        return true;
      });
  EXPECT_EQ(records.size(), 1U);
}

TEST(ExhaustiveCases, CoverNothingIfNothingWasCompared) {
  const PlannedCase planned = planned_grid(cell("dequantize_linear/28/i4-f32-f32/per_axis/zp"), 0x3f800000);
  const Outputs other{{"y", reference::Tensor(ElementType::float32, {2})}};
  for (const UnitAnswer& answer :
       {UnitAnswer(Refusal{"no such kernel"}), UnitAnswer(std::vector<Answer>{Refusal{"too large"}}),
        UnitAnswer(Breakdown{Breakdown::Kind::crash, "signal 11"}), UnitAnswer(std::vector<Answer>{other}),
        UnitAnswer(std::vector<Answer>{Outputs{}})}) {
    FakeBackend backend([&] { return answer; });
    const CaseRecord record = run_case(planned, backend);
    EXPECT_FALSE(is_pass(record.verdict));
    EXPECT_TRUE(record.covered.empty()) << *record.reason;
  }
}

TEST(ExhaustiveCases, HaveConstantScalesIfRequired) {
  const Cell tested = cell("dequantize_linear/28/e5m2-f32-f32/per_axis/zp");
  const PlannedCase plain = planned_grid(tested, 0x3f800000);
  const PlannedCase constant = planned_grid(tested, 0x3f800000, {.constant_scales_only = true});
  const auto takes = [](const Case& made) { return !declined({.constant_scales_only = true}, made.model); };
  EXPECT_FALSE(takes(plain.read()));
  EXPECT_TRUE(takes(constant.read()));
  EXPECT_EQ(constant.id, plain.id);
  EXPECT_EQ(constant.other_form(), "initializers");
  OptimizedBackend right;
  EXPECT_EQ(run_case(constant, right).covered, plain.value_space()->codes);
  DefectiveBackend backend([](auto x, auto, auto y) { return x == 0xfe ? 0x7f800000 : y; });
  EXPECT_TRUE(takes(reproduction(constant, run_case(constant, backend))));
}

// Float8 has several NaN codes. Each must become NaN.
TEST(ExhaustiveCases, FindOneWrongNan) {
  const PlannedCase planned = planned_grid(cell("dequantize_linear/28/e5m2-f32-f32/per_axis/zp"), 0x3f800000);
  OptimizedBackend right;
  EXPECT_EQ(run_case(planned, right).verdict, Verdict::pass);
  DefectiveBackend backend([](auto x, auto, auto y) { return x == 0xfe ? 0x7f800000 : y; });
  const CaseRecord record = run_case(planned, backend);
  EXPECT_EQ(record.verdict, Verdict::fail);
  ASSERT_FALSE(record.wrong_elements.empty());
  EXPECT_EQ(record.wrong_elements.front().x->code, 0xfeU);

  const Case small = reproduction(planned, record);
  EXPECT_EQ(small.id, planned.id);
  EXPECT_EQ(small.data_sets.front().inputs.front().value.size(), static_cast<std::int64_t>(first_differences));
  EXPECT_EQ(run_case({"small", made_by({[&] { return small; }})}, backend).verdict, Verdict::fail);
  EXPECT_EQ(run_case({"small", made_by({[&] { return small; }})}, right).verdict, Verdict::pass);
}

// Somebody can write such a record into a journal.
TEST(ExhaustiveCases, RefuseWrongElementsOfOtherCases) {
  const PlannedCase planned = planned_grid(cell("dequantize_linear/28/e5m2-f32-f32/per_axis/zp"), 0x3f800000);
  DefectiveBackend backend([](auto x, auto, auto y) { return x == 0xfe ? 0x7f800000 : y; });
  CaseRecord record = run_case(planned, backend);
  const WrongElement found = record.wrong_elements.front();
  for (const auto& edit : std::vector<std::function<void(WrongElement&)>>{
           [](WrongElement& wrong) { wrong.x.reset(); },
           [](WrongElement& wrong) { wrong.x->type = ElementType::uint8; },
           [](WrongElement& wrong) { wrong.scale->code += 1; },
       }) {
    WrongElement wrong = found;
    edit(wrong);
    record.wrong_elements = {wrong};
    EXPECT_THROW(reproduction(planned, record), FileError);
  }
}

// Only one code with one zero point and one scale is wrong.
TEST(ExhaustiveCases, FindOneWrongCombination) {
  const PlannedCase planned = planned_grid(cell("dequantize_linear/28/u8-f32-f16/per_axis/zp"), 0x3dcccccd);
  class Backend : public OptimizedBackend {
   public:
    UnitAnswer run(const Unit& unit) override {
      UnitAnswer answer = OptimizedBackend::run(unit);
      reference::Tensor& y = std::get<Outputs>(std::get<0>(answer).front()).front().value;
      y.set_code(0x7f * 256 + 0x11, y.code(0x7f * 256 + 0x11) ^ 1);
      return answer;
    }
  } backend;
  const CaseRecord record = run_case(planned, backend);
  EXPECT_EQ(record.verdict, Verdict::fail);
  EXPECT_EQ(record.covered, planned.value_space()->codes) << "it was compared";
  ASSERT_EQ(record.wrong_elements.size(), 1U);
  EXPECT_EQ(record.wrong_elements.front().x->code, 0x11U);
  EXPECT_EQ(record.wrong_elements.front().zero_point->code, 0x7fU);
}

}  // namespace
}  // namespace touchstone::conformance::exhaustive_plan_test
