#include "conformance/run/run_sweep.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/exhaustive/chunk.h"
#include "conformance/exhaustive/elements_case.h"
#include "conformance/exhaustive/exhaustive_plan.h"
#include "conformance/exhaustive/testing.h"
#include "conformance/run/record_json.h"
#include "conformance/run/reproducer.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"

namespace touchstone::conformance::run_sweep_test {
namespace {

using reference::Policy;
using spec::ElementType;
using testing::ElementsAre;
using testing::HasSubstr;

/// Begins below half a scale, where the output steps from 128 to 129.
Sweep float32_slice() {
  return sweep_of("quantize_linear/28/f32-f32-u8/per_tensor/zp", 0x3dcccccd, 0x80, 0x3d400000, 0x3d600000);
}

/// All 65,536 inputs for 40 scales between 1 and 1.04.
Sweep float16_slice(const char* text = "quantize_linear/28/f16-f16-i8/per_axis/zp") {
  Sweep sweep = sweep_of(text, 0, 0);
  sweep.scale.first = 0x3c00;
  sweep.scale.last = 0x3c27;
  return sweep;
}

CaseRecord record_of(const Sweep& sweep, Backend& backend, const JudgeOptions& options = {}) {
  Controls controls(backend);
  return run_sweep(planned_sweep(sweep), backend, options, controls).value();
}

/// The only wrong element of the sweep, which must be wrong again in a separate case.
WrongElement only_error(const Sweep& sweep, Backend& backend) {
  const CaseRecord record = record_of(sweep, backend);
  EXPECT_EQ(record.verdict, Verdict::fail);
  EXPECT_THAT(record.reason, HasSubstr(fmt::format("1 of {} elements differ", sweep.elements())));
  if (record.wrong_elements.size() != 1) throw std::logic_error(to_line(to_json(record)));
  const Case alone = reproduction(planned_sweep(sweep), record);
  EXPECT_EQ(run_case({alone.id, made_by({[alone] { return alone; }})}, backend).verdict, Verdict::fail);
  return record.wrong_elements.front();
}

TEST(Sweep, PassesARightBackend) {
  OptimizedBackend backend;
  const Sweep sweep = float32_slice();
  const CaseRecord record = record_of(sweep, backend);
  EXPECT_EQ(record.verdict, Verdict::pass) << *record.reason;
  EXPECT_EQ(record.id, id_of(sweep));
  EXPECT_EQ(record.elements, 0x200001);
  EXPECT_EQ(record.masked, 0);
  EXPECT_EQ(record.covered, sweep.codes());
  EXPECT_EQ(record.form, "initializers");
  ASSERT_EQ(record.cells.size(), 1U);
  EXPECT_EQ(record.cells.front(), sweep.cell);
  EXPECT_EQ(record_from_json(Json::parse(to_line(to_json(record)))), record);
}

// The reference itself, element by element, agrees with the results of bisection and of 64-bit integers.
TEST(Sweep, PassesTheReference) {
  ReferenceBackend backend;
  Sweep sweep = float16_slice();
  sweep.scale.last = sweep.scale.first + 1;
  EXPECT_EQ(record_of(sweep, backend).verdict, Verdict::pass);
  Sweep float32 = float32_slice();
  float32.x.first = float32.x.last - 0x8000;
  EXPECT_EQ(record_of(float32, backend).verdict, Verdict::pass);
}

// All 65,536 inputs of both types to every integer type, including types narrower and wider than a byte.
TEST(Sweep, ComparesAllNarrowInputsToEveryIntegerType) {
  OptimizedBackend backend;
  for (const char* text : {"f16-f16-u8", "f16-f16-i8", "f16-f16-u16", "f16-f16-i16", "f16-f16-u4", "f16-f16-i4",
                           "f16-f16-u2", "f16-f16-i2", "bf16-bf16-u8", "bf16-bf16-i16", "bf16-bf16-u4", "bf16-bf16-i2"})
    for (const std::uint64_t scale : {0x2e66U, 0xae66U, 0x0001U, 0x3c00U}) {
      const Sweep sweep = sweep_of(fmt::format("quantize_linear/28/{}/per_tensor/zp", text), scale,
                                   text[text[0] == 'b' ? 10 : 8] == 'u');
      const CaseRecord record = record_of(sweep, backend);
      EXPECT_EQ(record.verdict, Verdict::pass) << id_of(sweep) << ": " << *record.reason;
      EXPECT_EQ(record.elements, 65'536);
      EXPECT_EQ(record.masked, text[0] == 'b' ? 254 : 2046) << "NaN";
    }
}

TEST(Sweep, FindsOneWrongInputAmongMillions) {
  const Sweep sweep = float32_slice();
  for (const std::uint64_t input :
       {sweep.x.first, std::uint64_t{0x3d4cccce}, std::uint64_t{0x3d512345}, sweep.x.last}) {
    DefectiveBackend backend([=](auto x, auto, auto y) { return x == input ? y - 1 : y; });
    const WrongElement wrong = only_error(sweep, backend);
    EXPECT_EQ(wrong.x, (ElementCode{ElementType::float32, input}));
    EXPECT_EQ(wrong.scale, (ElementCode{ElementType::float32, 0x3dcccccd}));
    EXPECT_EQ(wrong.zero_point, (ElementCode{ElementType::uint8, 0x80}));
    EXPECT_EQ(wrong.index, static_cast<std::int64_t>(input - sweep.x.first));
    EXPECT_EQ(wrong.actual.code, wrong.expected.code - 1);
  }
}

// The tie, half the scale, becomes 0; the next input gives 1. This backend's step is one input too early.
TEST(Sweep, FindsATieThatIsRoundedWrong) {
  const Sweep sweep = float32_slice();
  DefectiveBackend backend([](auto x, auto, auto y) { return x == 0x3d4ccccd ? 0x81 : y; });
  const WrongElement wrong = only_error(sweep, backend);
  EXPECT_EQ(wrong.x->code, 0x3d4ccccdU);
  EXPECT_EQ(wrong.expected.code, 0x80U);
}

TEST(Sweep, FindsOneWrongElementOfAPackedOutput) {
  const Sweep sweep = sweep_of("quantize_linear/28/f32-f32-u4/per_tensor/zp", 0x3dcccccd, 0x8, 0x3d400001, 0x3d600000);
  for (const std::uint64_t input : {sweep.x.first, sweep.x.first + 1, sweep.x.last - 1, sweep.x.last}) {
    DefectiveBackend backend([=](auto x, auto, auto y) { return x == input ? y ^ 1 : y; });
    EXPECT_EQ(only_error(sweep, backend).x->code, input);
  }
}

TEST(Sweep, FindsOneWrongPairOfInputAndScale) {
  const Sweep sweep = float16_slice();
  DefectiveBackend backend([](auto x, auto scale, auto y) { return scale == 0x3c11 && x == 0x4321 ? y + 1 : y; });
  const WrongElement wrong = only_error(sweep, backend);
  EXPECT_EQ(wrong.scale->code, 0x3c11U);
  EXPECT_EQ(wrong.x->code, 0x4321U);
  EXPECT_EQ(wrong.index, 0x11 * 65'536 + 0x4321);
}

TEST(Sweep, CountsEveryWrongElementAndShowsTheFirst) {
  const Sweep sweep = float16_slice();
  DefectiveBackend backend([](auto, auto scale, auto y) { return scale == 0x3c20 && y == 5 ? 6 : y; });
  const CaseRecord record = record_of(sweep, backend);
  EXPECT_EQ(record.verdict, Verdict::fail);
  EXPECT_EQ(record.covered, sweep.codes()) << "it was compared";
  EXPECT_EQ(record.wrong_elements.size(), first_differences);
  for (const WrongElement& wrong : record.wrong_elements.unpacked()) {
    EXPECT_EQ(wrong.scale->code, 0x3c20U);
    EXPECT_EQ(wrong.expected.code, 5U);
  }
  EXPECT_EQ(record_from_json(Json::parse(to_line(to_json(record)))), record);
}

// NaN may become any integer, and a different one each time.
TEST(Sweep, LeavesNanOpen) {
  const Sweep sweep = sweep_of("quantize_linear/28/f32-f32-i8/per_tensor/zp", 0x3f800000, 0x80, 0x7f7f0000, 0x7f8fffff);
  DefectiveBackend backend([](auto x, auto, auto y) { return x > 0x7f800000 ? x & 0xff : y; });
  const CaseRecord record = record_of(sweep, backend);
  EXPECT_EQ(record.verdict, Verdict::pass) << *record.reason;
  EXPECT_EQ(record.masked, 0xfffff);
  Sweep nothing_else = sweep;
  nothing_else.x.first = 0x7f800001;
  EXPECT_EQ(record_of(nothing_else, backend).verdict, Verdict::not_shown) << "any backend would be right";
  DefectiveBackend wrong([](auto x, auto, auto y) { return x == 0x7f7fffff ? y - 1 : y; });
  EXPECT_EQ(only_error(sweep, wrong).x->code, 0x7f7fffffU);
  // Infinities need not saturate under a permitted reading.
  DefectiveBackend infinity([](auto x, auto, auto y) { return x == 0x7f800000 ? 0 : y; });
  EXPECT_THAT(record_of(sweep, infinity).readings, ElementsAre(ReadingId{"amb-huge-quotient", "infinities-undefined"}));
}

// Versions 19 and 21 leave the precision of float16 open: float32 by the primary reading, float16 by a permitted one.
TEST(Sweep, NamesThePermittedReadingThatExplainsEverything) {
  Sweep sweep = float16_slice("quantize_linear/21/f16-f16-i8/per_axis/zp");
  sweep.scale.first = 0x3bff;
  sweep.scale.last = 0x3bff;
  ReferenceBackend backend(
      Policy().with<spec::SameFloatDivisionBefore23>(spec::SameFloatDivisionBefore23::in_input_type));
  const CaseRecord record = record_of(sweep, backend);
  EXPECT_EQ(record.verdict, Verdict::pass_variant) << *record.reason;
  EXPECT_THAT(record.readings, ElementsAre(ReadingId{"amb-same-float-division-before-23", "in-input-type"}));
  EXPECT_TRUE(record.wrong_elements.empty());
  EXPECT_EQ(record_of(sweep, backend, {.strict = true}).verdict, Verdict::fail);
}

TEST(Sweep, RejectsAReadingThatExplainsOnlyAPart) {
  Sweep sweep = float16_slice("quantize_linear/21/f16-f16-i8/per_axis/zp");
  sweep.scale.first = sweep.scale.last = 0x3bff;
  // The division in float16 turns some quotients into ties. In addition, one infinity is treated as 0.
  class Backend : public ReferenceBackend {
   public:
    Backend()
        : ReferenceBackend(
              Policy().with<spec::SameFloatDivisionBefore23>(spec::SameFloatDivisionBefore23::in_input_type)) {}
    UnitAnswer run(const Unit& unit) override {
      UnitAnswer answer = ReferenceBackend::run(unit);
      reference::Tensor& y = std::get<Outputs>(std::get<0>(answer).front()).front().value;
      if (y.size() > 1000) y.set_code(0x7000, 3);
      return answer;
    }
  } backend;
  const CaseRecord record = record_of(sweep, backend);
  EXPECT_EQ(record.verdict, Verdict::fail);
  EXPECT_THAT(record.reason,
              HasSubstr("amb-same-float-division-before-23: in-input-type would explain some, but then 1 "
                        "of 65536 elements differ"));
}

TEST(Sweep, ReportsElementsThatAreWrongOnlyInLargeTensors) {
  class Backend : public OptimizedBackend {
   public:
    UnitAnswer run(const Unit& unit) override {
      UnitAnswer answer = OptimizedBackend::run(unit);
      reference::Tensor& y = std::get<Outputs>(std::get<0>(answer).front()).front().value;
      if (y.size() > 1000) y.set_code(y.size() - 1, 0);
      return answer;
    }
  } backend;
  const CaseRecord record = record_of(float32_slice(), backend);
  EXPECT_EQ(record.verdict, Verdict::fail);
  EXPECT_THAT(record.reason, HasSubstr("these are right in a small tensor"));
}

TEST(Sweep, JudgesMissingOutputsAsInOtherCases) {
  struct Row {
    UnitAnswer answer;
    Verdict verdict;
    const char* reason;
  };
  const Outputs other{{"y", tensor(ElementType::uint8, {2}, {1, 2})}};
  const Outputs misnamed{{"z", reference::Tensor(ElementType::uint8, {131072})}};
  const Outputs mistyped{{"y", reference::Tensor(ElementType::int8, {131072})}};
  const Row rows[] = {
      {Refusal{"no such kernel"}, Verdict::rejects_valid, "no such kernel"},
      {std::vector<Answer>{Refusal{"too large"}}, Verdict::rejects_valid, "too large"},
      {Breakdown{Breakdown::Kind::crash, "signal 11"}, Verdict::crash, "signal 11"},
      {std::vector<Answer>{Breakdown{Breakdown::Kind::timeout, "10 s"}}, Verdict::timeout, "10 s"},
      {std::vector<Answer>{}, Verdict::harness_error, "0 answers"},
      {std::vector<Answer>{other}, Verdict::fail, "the shape is [2], expected [131072]"},
      {std::vector<Answer>{Outputs{}}, Verdict::fail, "0 outputs, expected 1"},
      {std::vector<Answer>{Outputs{other.front(), other.front()}}, Verdict::fail, "2 outputs, expected 1"},
      {std::vector<Answer>{misnamed}, Verdict::fail, "the output is 'z', expected 'y'"},
      {std::vector<Answer>{mistyped}, Verdict::fail, "the type is int8, expected uint8"},
  };
  for (const Row& row : rows) {
    FakeBackend backend([&] { return row.answer; });
    const CaseRecord record = record_of(float32_slice(), backend);
    EXPECT_EQ(record.verdict, row.verdict) << *record.reason;
    EXPECT_THAT(record.reason, HasSubstr(row.reason));
    EXPECT_TRUE(record.covered.empty()) << row.reason;
  }
  FakeBackend declining([]() -> UnitAnswer { throw std::logic_error("was asked"); });
  declining.declined = Refusal{"static shapes only"};
  const CaseRecord declined = record_of(float32_slice(), declining);
  EXPECT_EQ(declined.verdict, Verdict::rejects_valid);
  EXPECT_TRUE(declined.covered.empty());
}

/// A permitted reading lets a backend refuse scales that are not positive and finite.
TEST(Sweep, CreditsARefusalOnlyIfTheSameWithOrdinaryScalesIsAccepted) {
  class Backend : public OptimizedBackend {
   public:
    explicit Backend(bool refuses_all) : refuses_all_(refuses_all) {}
    UnitAnswer run(const Unit& unit) override {
      const std::uint64_t scale = unit.inputs.front()[1].value.code(0);
      return refuses_all_ || scale == 0 || scale >= 0x8000 ? Refusal{"no"} : OptimizedBackend::run(unit);
    }

   private:
    bool refuses_all_;
  };
  Sweep sweep = float16_slice();
  sweep.scale.first = 0;
  sweep.scale.last = 3;
  for (const PlannedCase& planned :
       {planned_sweep(sweep), planned_grid(cell("dequantize_linear/28/i2-f16-f32/per_axis/zp"), 0x8001)}) {
    Backend careful(false), refusing(true);
    EXPECT_EQ(run_case(planned, careful).verdict, Verdict::rejects_variant) << *planned.id;
    const CaseRecord refused = run_case(planned, refusing);
    EXPECT_EQ(refused.verdict, Verdict::rejects_valid) << *planned.id;
    EXPECT_THAT(refused.reason, HasSubstr("also refuses a similar, undisputed model: no"));
    EXPECT_TRUE(refused.readings.empty());
  }
}

/// Wrong in its first chunk. After a few more chunks it returns an answer of another kind.
class EndingBackend : public OptimizedBackend {
 public:
  explicit EndingBackend(UnitAnswer end) : end_(std::move(end)) {}

  UnitAnswer run(const Unit& unit) override {
    if (++asked_ > 3) return end_;
    UnitAnswer answer = OptimizedBackend::run(unit);
    reference::Tensor& y = std::get<Outputs>(std::get<0>(answer).front()).front().value;
    y.set_code(0, y.code(0) ^ 1);
    return answer;
  }

 private:
  UnitAnswer end_;
  int asked_ = 0;
};

TEST(Sweep, CoversNothingIfNotAllOfItWasCompared) {
  const Outputs other{{"y", tensor(ElementType::uint8, {2}, {1, 2})}};
  EndingBackend misshapen(std::vector<Answer>{other});
  const CaseRecord record = record_of(float32_slice(), misshapen);
  EXPECT_EQ(record.verdict, Verdict::fail);
  EXPECT_EQ(record.reason, "the shape is [2], expected [131072]");
  EXPECT_EQ(record.wrong_elements.size(), 3U) << "those are known";
  EXPECT_TRUE(record.covered.empty());
  for (const auto& [kind, verdict] :
       {std::pair(Breakdown::Kind::crash, Verdict::crash), std::pair(Breakdown::Kind::timeout, Verdict::timeout)}) {
    EndingBackend broken(Breakdown{kind, "here"});
    const CaseRecord broken_off = record_of(float32_slice(), broken);
    EXPECT_EQ(broken_off.verdict, verdict);
    EXPECT_TRUE(broken_off.covered.empty());
  }
  EndingBackend refusing(Refusal{"too much"});
  EXPECT_TRUE(record_of(float32_slice(), refusing).covered.empty());
}

/// Logs the calls in order: "+1" for an announced chunk, "1" for one that is run.
class Scribe : public OptimizedBackend {
 public:
  bool works_ahead() const override { return true; }
  void announce(const Unit& unit) override {
    log += " +" + number(unit);
    announced_[number(unit)] = first_code(unit);
  }
  UnitAnswer run(const Unit& unit) override {
    log += " " + number(unit);
    EXPECT_EQ(announced_.at(number(unit)), first_code(unit)) << "another unit than was announced";
    return OptimizedBackend::run(unit);
  }
  std::string log;

 private:
  static std::string number(const Unit& unit) {
    return std::string(unit.case_id.substr(unit.case_id.find("/chunk=") + 7));
  }
  static std::uint64_t first_code(const Unit& unit) { return unit.inputs.front().front().value.code(0); }

  std::map<std::string, std::uint64_t> announced_;
};

TEST(Sweep, AnnouncesOneChunkWhileItWaitsForAnother) {
  Scribe scribe;
  Sweep sweep = float32_slice();
  sweep.x.last = sweep.x.first + 3 * elements_per_chunk;  // three chunks and one element
  EXPECT_EQ(record_of(sweep, scribe).verdict, Verdict::pass);
  EXPECT_EQ(scribe.log, " +0 +1 0 +2 1 +3 2 3");
}

TEST(Sweep, StopsBetweenChunks) {
  OptimizedBackend backend;
  int asked = 0;
  Controls controls(backend);
  EXPECT_FALSE(run_sweep(planned_sweep(float32_slice()), backend, {}, controls, [&] { return ++asked == 3; }));
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace touchstone::conformance::run_sweep_test
