#include "conformance/judge/digests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "conformance/judge/compare.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"

namespace touchstone::conformance::digests_test {
namespace {

using reference::Tensor;
using spec::ElementType;

Sha256 digest_of_case(const Case& tested) { return case_digest(tested, interpret(tested)); }

TEST(CaseDigest, DependsOnTheFilesAndNotOnTheId) {
  const Sha256 before = digest_of_case(per_axis_case("a"));
  EXPECT_EQ(digest_of_case(per_axis_case("b")), before);
  const std::function<void(Case&)> changes[] = {
      [](Case& made) { made.model.bytes += "\x7a"; },
      [](Case& made) { made.data_sets[0].inputs[0].value.set_code(0, 1); },
      [](Case& made) { made.data_sets[0].expected[0].name += "x"; },
      [](Case& made) { made.data_sets[0].expected[0].value.set_code(5, 32); },
      [](Case& made) { made.data_sets[0].expected.clear(); },
      [](Case& made) { made.data_sets.push_back(made.data_sets[0]); },
  };
  for (const auto& change : changes) {
    Case made = per_axis_case("a");
    change(made);
    EXPECT_NE(digest_of_case(made), before);
  }
  Case twice = per_axis_case();
  twice.data_sets.push_back(twice.data_sets[0]);
  Case repeated = twice;
  repeated.data_sets[1].repeats = 0;
  EXPECT_NE(digest_of_case(twice), digest_of_case(repeated));
}

/// Another version of Touchstone may demand other outputs of the same files.
TEST(CaseDigest, DependsOnWhatIsDemanded) {
  const Case tested = per_axis_case();
  const std::vector<ReferenceOutcome> interpreted = interpret(tested);
  const std::function<void(reference::Outcome&)> changes[] = {
      [](reference::Outcome& outcome) { std::get<reference::Result>(outcome.value).y.set_code(0, 11); },
      [](reference::Outcome& outcome) { std::get<reference::Result>(outcome.value).unspecified[2] = true; },
      [](reference::Outcome& outcome) {
        outcome.value = reference::Rejection{"qdq-axis-range", "made up"};
      },
      [](reference::Outcome& outcome) {
        outcome.value = reference::Rejection{"ql-formula", "made up"};
      },
      [](reference::Outcome& outcome) { outcome.consulted.flip(spec::ambiguity_index<spec::NanToInteger>); },
  };
  std::set<std::string> digests{to_hex(case_digest(tested, interpreted))};
  for (const auto& change : changes) {
    std::vector<ReferenceOutcome> other = interpreted;
    change(other[0].outcome);
    EXPECT_TRUE(digests.insert(to_hex(case_digest(tested, other))).second) << digests.size();
  }
}

std::uint64_t digest_of(const Tensor& output, bool sign_of_zero,
                        const std::vector<ReferenceOutcome>& interpreted = {}) {
  return answer_digest(std::vector<Answer>{Outputs{{"y", output}}}, interpreted, sign_of_zero);
}

TEST(AnswerDigest, LeavesOutWhatMayBeAnything) {
  const Case tested = per_axis_case();
  std::vector<ReferenceOutcome> interpreted = interpret(tested);
  std::get<reference::Result>(interpreted[0].outcome.value).unspecified[1] = true;
  Tensor output = tested.data_sets[0].expected[0].value;
  const std::uint64_t before = digest_of(output, false, interpreted);
  output.set_code(1, 99);
  EXPECT_EQ(digest_of(output, false, interpreted), before);
  output.set_code(2, 99);
  EXPECT_NE(digest_of(output, false, interpreted), before);
  EXPECT_NE(digest_of(tensor(ElementType::uint8, {6}, {10, 99, 30, 13, 22, 31}), false, interpreted), before)
      << "another shape";
}

constexpr std::uint64_t nan_code = 0x7fc00000;
constexpr std::uint64_t other_nan = 0xffc00001;
constexpr std::uint64_t minus_zero = 0x80000000;

/// Has two elements. The scale of the first is NaN, and that of the second is -1.
Case nan_and_minus_zero() {
  Case made;
  made.id = "nan_and_minus_zero";
  made.model = parse_model(operator_model("DequantizeLinear", {"x", "s", "z"}).SerializeAsString(), "memory");
  made.data_sets.push_back({{{"x", tensor(ElementType::int8, {1, 2}, {5, 0})},
                             {"s", tensor(ElementType::float32, {2}, {nan_code, 0xbf800000})},
                             {"z", tensor(ElementType::int8, {2}, {0, 0})}},
                            {}});
  return made;
}

TEST(AnswerDigest, IsTheSameForEqualBackends) {
  const auto record_of = [](std::uint64_t nan, std::uint64_t zero, bool sign_of_zero) {
    FakeBackend backend([=] {
      return std::vector<Answer>{Outputs{{"y", tensor(ElementType::float32, {1, 2}, {nan, zero})}}};
    });
    return run_case({"a", made_by({nan_and_minus_zero})}, backend, {.sign_of_zero = sign_of_zero});
  };
  const CaseRecord record = record_of(nan_code, minus_zero, false);
  const CaseRecord other = record_of(other_nan, 0, false);
  EXPECT_EQ(record.verdict, Verdict::pass);
  EXPECT_EQ(other.verdict, Verdict::pass);
  EXPECT_EQ(record.masked, 0);
  EXPECT_EQ(other.output_digest, record.output_digest);

  const CaseRecord strict = record_of(nan_code, minus_zero, true);
  EXPECT_EQ(record_of(other_nan, minus_zero, true).output_digest, strict.output_digest);
  EXPECT_NE(record_of(nan_code, 0, true).output_digest, strict.output_digest);
  EXPECT_NE(record_of(nan_code, 0, true).verdict, Verdict::pass);
}

/// Answers have the same digest if, and only if, the judge finds no difference.
RC_GTEST_PROP(AnswerDigest, AgreesWithTheJudge, ()) {
  std::vector<const spec::ElementTypeInfo*> rows;
  for (const spec::ElementTypeInfo& one : spec::element_types)
    if (!one.carrier) rows.push_back(&one);
  const spec::ElementTypeInfo& row = **rc::gen::elementOf(rows);
  const std::uint64_t last = ~std::uint64_t{0} >> (64 - row.bits);
  const std::uint64_t sign = std::uint64_t{1} << (row.bits - 1);
  const auto code =
      rc::gen::oneOf(rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [=](std::uint64_t any) { return any & last; }),
                     rc::gen::elementOf(std::vector<std::uint64_t>{0, sign, last, last & ~sign, last - 1, 1}),
                     // An infinity or NaN of the IEEE types.
                     rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 4), [=, &row](std::uint64_t low) {
                       return row.format ? (last & ~sign & (last << row.format->fraction_bits)) | low : low;
                     }));
  const Tensor left = tensor(row.type, {1}, {*code & last});
  const Tensor right = tensor(row.type, {1}, {*code & last});
  for (const bool sign_of_zero : {false, true})
    RC_ASSERT((digest_of(left, sign_of_zero) == digest_of(right, sign_of_zero)) ==
              compare(left, right, {.sign_of_zero = sign_of_zero}).none());
}

}  // namespace
}  // namespace touchstone::conformance::digests_test
