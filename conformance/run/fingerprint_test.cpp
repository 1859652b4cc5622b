// The reading that a backend follows is found, and none that it need not follow.
#include "conformance/run/fingerprint.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "conformance/graphs/testing.h"
#include "conformance/run/record_json.h"
#include "conformance/run/testing.h"
#include "conformance/testing.h"

namespace touchstone::conformance::fingerprint_test {
namespace {

using enum spec::ElementType;
using reference::Policy;
using reference::scalar;
using reference::vector;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Since23 = spec::SameFloatDivision;

/// For division({26}, 24): 155, in place of 156.
const Policy in_float32 = Policy{}.with<Since23>(Since23::in_float32);

class Fingerprint : public Runs, public testing::Test {
 protected:
  std::vector<FingerprintRow> find(const ExaminationOptions& options = {}) const {
    return find_fingerprint(plan_, records_, find_inconsistencies(plan_, records_, options), options);
  }

  /// The row of an ambiguity. Without parts if there is none.
  template <class A>
  FingerprintRow row() const {
    for (const FingerprintRow& one : find())
      if (one.ambiguity == A::row.id) return one;
    return {.ambiguity = "none"};
  }
};

/// The order of the members: values, readings, cases, first case.
FingerprintRow::Part part(std::vector<std::string_view> readings, std::size_t cases, const std::string& id,
                          const std::vector<std::string>& values = {}) {
  return {values, std::move(readings), cases, id};
}

TEST_F(Fingerprint, IsTheReadingThatIsFollowed) {
  struct Row {
    Policy policy;
    std::string_view reading;
  };
  for (const auto& [policy, reading] : {Row{{}, "in-scale-type"}, Row{in_float32, "in-float32"}}) {
    plan_.clear();
    records_.clear();
    add("shows nothing", division({1}, 24), policy);
    add("b", division({26}, 24), policy);
    add("c", division({1, 26}, 24), policy);
    const FingerprintRow found = row<Since23>();
    EXPECT_EQ(found.following, Following::one_reading);
    EXPECT_THAT(found.parts, ElementsAre(part({reading}, 2, "b")));
    for (const FingerprintRow& other : find())
      EXPECT_TRUE(other.ambiguity == Since23::row.id || other.following == Following::not_determined)
          << other.ambiguity;
  }
}

TEST_F(Fingerprint, IsNotDeterminedIfSeveralReadingsExplainAllCases) {
  add("a", division({1}, 24), {});
  EXPECT_EQ(row<Since23>().following, Following::not_determined);
  EXPECT_THAT(row<Since23>().parts, ElementsAre(part({"in-scale-type", "in-float32"}, 0, "")));
  plan_.clear();
  records_.clear();
  add("a", division({26}, 23), {});
  EXPECT_THAT(row<Since23>().parts, ElementsAre(part({"in-scale-type", "in-float32"}, 0, "")))
      << "155.5 is also what the draft of version 23 permits";
  add("b", division({26}, 21), {});
  EXPECT_EQ(row<Before23>().following, Following::not_determined);
  EXPECT_THAT(row<Before23>().parts, ElementsAre(part({"in-float32", "exact-quotient"}, 1, "b"))) << "155.47";
}

TEST_F(Fingerprint, OmitsAmbiguitiesOnWhichNoCaseDepends) {
  EXPECT_THAT(find(), IsEmpty());
  add("a", division({26}, 21), {});
  EXPECT_THAT(row<Since23>().parts, IsEmpty());
  EXPECT_THAT(row<spec::BiasPrecision>().parts, IsEmpty());
  EXPECT_THAT(row<Before23>().parts, SizeIs(1));
}

TEST_F(Fingerprint, NamesThePropertyThatDecides) {
  add("19", division({26}, 19), in_float16);
  add("21", division({26}, 21), {});
  add("also 21", division({26, 26}, 22), {});
  FingerprintRow found = row<Before23>();
  EXPECT_EQ(found.following, Following::several);
  EXPECT_EQ(found.property, "version");
  EXPECT_THAT(found.parts, ElementsAre(part({"in-input-type"}, 1, "19", {"QuantizeLinear-19"}),
                                       part({"in-float32", "exact-quotient"}, 2, "21", {"QuantizeLinear-21"})));
  plan_.clear();
  records_.clear();
  add("u8", division({26}, 24, uint8), {});
  add("i16", division({26}, 24, int16), in_float32);
  add("u16", division({26}, 25, uint16), in_float32);
  add("also u8", division({26}, 25, uint8), {});
  found = row<Since23>();
  EXPECT_EQ(found.following, Following::several);
  EXPECT_EQ(found.property, "type");
  EXPECT_THAT(found.parts, ElementsAre(part({"in-scale-type"}, 2, "u8", {"uint8"}),
                                       part({"in-float32"}, 2, "i16", {"int16", "uint16"})));
  plan_.clear();
  records_.clear();
  Case other = case_of("constant", division({26}, 24));
  other.form = "initializers";
  add("input", division({26}, 24), {});
  add(other, in_float32);
  found = row<Since23>();
  EXPECT_EQ(found.property, "form");
  EXPECT_THAT(found.parts, ElementsAre(part({"in-scale-type"}, 1, "input", {"inputs"}),
                                       part({"in-float32"}, 1, "constant", {"initializers"})));
}

/// A backend with a kernel of its own for one type in one version and for the other one in the next version.
TEST_F(Fingerprint, NamesNoPropertyIfSeveralDecide) {
  add("a", division({26}, 24, uint8), {});
  add("b", division({26}, 24, int16), in_float32);
  add("c", division({26}, 25, uint8), in_float32);
  add("d", division({26}, 25, int16), {});
  const FingerprintRow found = row<Since23>();
  EXPECT_EQ(found.following, Following::several);
  EXPECT_EQ(found.property, "");
  EXPECT_THAT(found.parts, ElementsAre(part({"in-scale-type"}, 2, "a"), part({"in-float32"}, 2, "b")));
}

TEST_F(Fingerprint, IsInconsistentOnlyIfThatIsProved) {
  add("a", division({26}, 24), {});
  add("b", division({26}, 24), in_float32);
  const FingerprintRow found = row<Since23>();
  EXPECT_EQ(found.following, Following::inconsistent);
  EXPECT_THAT(found.parts,
              testing::UnorderedElementsAre(part({"in-scale-type"}, 1, "a"), part({"in-float32"}, 1, "b")));
}

/// A refusal may have any reason. With a control, it shows the reading that forbids the model.
TEST_F(Fingerprint, CountsARefusalOnlyWithItsControl) {
  const auto scaled_by = [](double scale) {
    return reference::quantize(21, vector(float32, {1, -1}), scalar(float32, scale), scalar(uint8, 0));
  };
  const Policy refuses_zero = Policy{}.with<spec::ScaleDomain>(spec::ScaleDomain::zero_or_non_finite_invalid);
  add(case_of("without a control", scaled_by(0)), refuses_zero);
  EXPECT_THAT(row<spec::ScaleDomain>().parts, IsEmpty());
  add(case_of("a", scaled_by(0)), refuses_zero, [&](const TakeCase& take) { take(case_of("ordinary", scaled_by(1))); });
  const FingerprintRow found = row<spec::ScaleDomain>();
  EXPECT_EQ(found.following, Following::not_determined) << "some readings forbid negative scales, too";
  ASSERT_THAT(found.parts, SizeIs(1));
  EXPECT_EQ(found.parts[0].id, "a");
  EXPECT_THAT(found.parts[0].readings, testing::Contains("zero-or-non-finite-invalid"));
  EXPECT_THAT(found.parts[0].readings, testing::Not(testing::Contains(spec::ScaleDomain::readings[0].id)));
}

/// A backend takes subnormal operands for zero, and keeps subnormal results. As a float32 number, the float8e8m0 scale
/// 2^-127 is subnormal, and 200 * 2^-127 is not; 2^-9 and 2^-120 are not, and their product is.
TEST_F(Fingerprint, DistinguishesFlushedOperandsFromFlushedResults) {
  using A = spec::Subnormals;
  const reference::Attributes to_float32{{"output_dtype", reference::type_code(float32)}};
  const Policy policy = Policy{}.with<A>(A::flushes_wide_operands);
  add("a",
      reference::dequantize(24, vector(uint8, {200}), reference::coded(float8e8m0, {}, {0}), std::nullopt, to_float32),
      policy);
  EXPECT_EQ(row<A>().following, Following::not_determined);
  EXPECT_THAT(row<A>().parts,
              ElementsAre(part({"flushes-wide-types", "flushes-wide-operands", "flushes-float16-too"}, 1, "a")));
  add("b", reference::dequantize(24, vector(float8e4m3fn, {0x1p-9}), scalar(float32, 0x1p-120)), policy);
  EXPECT_EQ(row<A>().following, Following::one_reading);
  EXPECT_THAT(row<A>().parts, ElementsAre(part({"flushes-wide-operands"}, 2, "a")));
}

TEST_F(Fingerprint, UsesOnlyCasesWithKnownAnswers) {
  add("a", division({26}, 24), {});
  const std::vector<CaseRecord> records = records_;
  for (const VerdictInfo& verdict : verdicts) {
    if (verdict.verdict == Verdict::pass || verdict.verdict == Verdict::pass_variant ||
        verdict.verdict == Verdict::rejects_variant)
      continue;
    records_[0].verdict = verdict.verdict;
    EXPECT_THAT(find(), IsEmpty()) << verdict.name;
  }
  records_ = records;
  records_[0].flaky = "fail when it was run again";
  EXPECT_THAT(find(), IsEmpty());
  records_ = records;
  records_[0].digest.bytes[0] ^= 1;
  EXPECT_THAT(find(), IsEmpty()) << "another case of the same id";
}

/// The sample is bounded, and has the cases that differ from all others, wherever they are.
/// 65600 and 2049 have more bits than bfloat16, 2049 has more than the others, and 65600 is infinite in float16. These
/// cases have no scales, by which the readings with bfloat16 differ.
TEST_F(Fingerprint, HasTheReadingsOfOtherOperatorsInGraphs) {
  using Precision = spec::FactorPrecision;
  using Ids = std::vector<std::string_view>;
  for (const auto& [reading, ids] :
       {std::pair(Precision::as_given, Ids{"as-given"}),
        std::pair(Precision::rounded_to_bfloat16,
                  Ids{"rounded-to-bfloat16", "scales-rounded-to-bfloat16", "products-rounded-to-bfloat16",
                      "folded-scales-rounded-to-bfloat16", "weight-scales-rounded-to-bfloat16",
                      "weight-products-rounded-to-bfloat16", "activations-rounded-to-bfloat16"}),
        std::pair(Precision::rounded_to_float16, Ids{"rounded-to-float16"}),
        std::pair(Precision::rounded_to_tf32, Ids{"rounded-to-tf32"})}) {
    plan_.clear();
    records_.clear();
    const Policy policy = Policy{}.with<Precision>(reading);
    add(sum_case("graphs/small/a", {1, 2}), policy);
    add(sum_case("graphs/large/a", {65600, 2049}), policy);
    EXPECT_EQ(row<Precision>().following, ids.size() == 1 ? Following::one_reading : Following::not_determined);
    EXPECT_THAT(row<Precision>().parts, ElementsAre(part(ids, 1, "graphs/large/a")));
    EXPECT_THAT(find(), SizeIs(1)) << "one for each ambiguity of quantization operators";
  }
}

TEST_F(Fingerprint, ExaminesABoundedNumberOfSimilarCases) {
  for (std::size_t i = 0; i < 5 * most_alike; ++i) add(fmt::format("a{}", i), division({1}, 24), {});
  EXPECT_EQ(row<Since23>().following, Following::not_determined);
  Case rare = case_of("rare", division({26}, 24));
  rare.form = "initializers";
  plan_.insert(plan_.begin() + 17, {"rare", made_by({[rare] { return rare; }})});
  reference::Policy primary;
  ReferenceBackend backend(primary);
  records_.insert(records_.begin() + 17, run_case(plan_[17], backend));
  EXPECT_THAT(row<Since23>().parts, ElementsAre(part({"in-scale-type"}, 1, "rare")));
  plan_.clear();
  records_.clear();
  for (std::size_t i = 0; i < 5 * most_alike; ++i) add(fmt::format("a{}", i), division({26}, 24), {});
  ASSERT_THAT(row<Since23>().parts, SizeIs(1));
  EXPECT_EQ(row<Since23>().parts[0].cases, most_alike);
}

TEST_F(Fingerprint, DoesNotDependOnTheNumberOfThreads) {
  for (int i = 0; i < 40; ++i) {
    const spec::ElementType y = std::array{uint8, int8, uint16, int16}[static_cast<std::size_t>(i) % 4];
    add(fmt::format("case {}", i), division({26, double(i)}, i % 3 == 0 ? 24 : 19 + 2 * (i % 2), y),
        i % 5 == 0 ? in_float16 : Policy{});
  }
  const auto of_one = find({.sign_of_zero = false, .jobs = 1});
  EXPECT_GT(of_one.size(), 1U);
  EXPECT_TRUE(of_one == find({.sign_of_zero = false, .jobs = 7}));
  const std::string written = to_line(to_json(Findings{.fingerprint = of_one}));
  EXPECT_TRUE(findings_from_json(Json::parse(written)).fingerprint == of_one) << written;
}

}  // namespace
}  // namespace touchstone::conformance::fingerprint_test
