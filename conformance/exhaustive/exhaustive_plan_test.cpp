#include "conformance/exhaustive/exhaustive_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "conformance/exhaustive/hard_scales.h"
#include "conformance/exhaustive/testing.h"
#include "conformance/report/covered_spaces.h"
#include "conformance/run/reproducer.h"
#include "conformance/run/runner.h"
#include "reference/codec.h"

namespace touchstone::conformance {
namespace {

using spec::ElementType;
using testing::IsSupersetOf;

/// As if every case had run, without running it.
std::vector<CaseRecord> records_of(const std::vector<PlannedCase>& plan) {
  std::vector<CaseRecord> records;
  for (const PlannedCase& planned : plan) {
    CaseRecord record;
    record.id = planned.id;
    record.verdict = Verdict::pass;
    record.covered = planned.covers;
    // exhaustive/<cell>/scale=...
    const std::size_t begin = std::string("exhaustive/").size();
    record.cells = {cell(planned.id.substr(begin, planned.id.find("/scale=") - begin))};
    records.push_back(record);
  }
  return records;
}

TEST(ExhaustivePlan, HasEveryIntegerTypeAndNoGaps) {
  std::vector<std::string> texts;
  for (const CoveredSpace& space : covered_spaces(records_of(plan_exhaustive(0)))) texts.push_back(to_string(space));
  EXPECT_THAT(texts,
              IsSupersetOf({
                  "QuantizeLinear-13 per_tensor: x all 4294967296 codes, scale 23 codes, zero point 3 codes: "
                  "296352743424 elements of each of f32-f32-u8, f32-f32-i8",
                  "QuantizeLinear-28 per_tensor: x all 4294967296 codes, scale 23 codes, zero point 3 codes: "
                  "296352743424 elements of each of f32-f32-u8, f32-f32-i8, f32-f32-u16, f32-f32-i16, f32-f32-u4, "
                  "f32-f32-i4, f32-f32-u2, f32-f32-i2",
                  "QuantizeLinear-21 per_axis: x all 65536 codes, scale all 65536 codes, zero point 2 codes: "
                  "8589934592 elements of each of f16-f16-u8, f16-f16-i8, bf16-bf16-u8, bf16-bf16-i8",
                  "QuantizeLinear-28 per_axis: x all 65536 codes, scale all 65536 codes, zero point 2 codes: "
                  "8589934592 elements of each of f16-f16-u8, f16-f16-i8, bf16-bf16-u8, bf16-bf16-i8",
                  "DequantizeLinear-13 per_axis: x all 256 codes, scale 23 codes, zero point all 256 codes: 1507328 "
                  "elements of each of u8-f32-f32, i8-f32-f32",
              }))
      << testing::PrintToString(texts);
}

TEST(ExhaustivePlan, IsTheSameForTheSameSeedAndHasEveryCaseOnce) {
  std::set<std::string> ids;
  const std::vector<PlannedCase> plan = plan_exhaustive(7);
  for (const PlannedCase& planned : plan) EXPECT_TRUE(ids.insert(planned.id).second) << planned.id;
  const std::vector<PlannedCase> again = plan_exhaustive(7);
  ASSERT_EQ(plan.size(), again.size());
  for (std::size_t i = 0; i < plan.size(); ++i) ASSERT_EQ(plan[i].id, again[i].id);
}

TEST(ExhaustivePlan, ReadsASampleOfEachSweepThatIsLegal) {
  const std::vector<PlannedCase> plan = plan_exhaustive(0);
  for (std::size_t i = 0; i < plan.size(); i += 97) {
    const CaseRecord record = describe(plan[i].read());
    EXPECT_EQ(record.id, plan[i].id);
    EXPECT_EQ(record.reason, "");
    EXPECT_EQ(record.cells.size(), 1U) << plan[i].id;
    EXPECT_FALSE(record.must_reject());
  }
}

TEST(HardScales, AreFiniteNumbersAndDifferent) {
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

TEST(CoveredSpaces, NameTheIntervalsOfWhatRan) {
  const Sweep whole = sweep_of("quantize_linear/28/f32-f32-u8/per_tensor/zp", 0x3f800000, 0x80);
  Sweep low = whole;
  low.x.last = 0x7fffffff;
  Sweep high = whole;
  high.x.first = 0x80000000;
  std::vector<CaseRecord> records = records_of({planned_sweep(low), planned_sweep(high)});
  EXPECT_THAT(covered_spaces(records).front().x, "all 4294967296 codes");
  records[1].verdict = Verdict::crash;
  EXPECT_THAT(covered_spaces(records).front().x, "0x00000000..0x7fffffff");
  EXPECT_THAT(covered_spaces(records).front().scale, "1 code");
  records[0].verdict = Verdict::fail;
  EXPECT_EQ(covered_spaces(records).size(), 1U) << "it was compared";
  records[0].verdict = Verdict::harness_error;
  EXPECT_TRUE(covered_spaces(records).empty());
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

TEST(ExhaustiveCases, RunLikeAllOthers) {
  const std::vector<PlannedCase> plan = small_plan();
  for (const unsigned jobs : {1U, 3U}) {
    std::vector<CaseRecord> records;
    run(
        plan, [] { return std::make_unique<OptimizedBackend>(); }, {.judge = {}, .jobs = jobs},
        [&](std::span<const CaseRecord> unit) {
          EXPECT_LE(unit.size(), 2U) << "a sweep is a unit";
          records.insert(records.end(), unit.begin(), unit.end());
          return true;
        });
    ASSERT_EQ(records.size(), plan.size());
    for (std::size_t i = 0; i < plan.size(); ++i) {
      EXPECT_EQ(records[i].id, plan[i].id);
      EXPECT_EQ(records[i].verdict, Verdict::pass) << records[i].reason;
      EXPECT_EQ(records[i].covered, plan[i].covers);
    }
  }
}

TEST(ExhaustiveCases, LeaveNoRecordOfASweepThatIsStopped) {
  std::vector<CaseRecord> records;
  run(
      small_plan(), [] { return std::make_unique<OptimizedBackend>(); },
      {.judge = {}, .jobs = 1, .stop = [&] { return !records.empty(); }},
      [&](std::span<const CaseRecord> unit) {
        records.insert(records.end(), unit.begin(), unit.end());
        return true;
      });
  EXPECT_EQ(records.size(), 1U);
}

// Float8 has several NaN: each must become one.
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
  EXPECT_EQ(run_case({"small", [&] { return small; }}, backend).verdict, Verdict::fail);
  EXPECT_EQ(run_case({"small", [&] { return small; }}, right).verdict, Verdict::pass);
}

// One code with one zero point and one scale.
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
  ASSERT_EQ(record.wrong_elements.size(), 1U);
  EXPECT_EQ(record.wrong_elements.front().x->code, 0x11U);
  EXPECT_EQ(record.wrong_elements.front().zero_point->code, 0x7fU);
}

}  // namespace
}  // namespace touchstone::conformance
