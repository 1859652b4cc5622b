// Backends that follow permitted readings are not accused, and must follow them consistently.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "conformance/effort_testing.h"
#include "conformance/judge/alternatives.h"
#include "conformance/mutant_testing.h"
#include "conformance/run/fingerprint.h"
#include "conformance/run/inconsistencies.h"

namespace touchstone::conformance::permitted_readings_test {
namespace {

using reference::Node;
using reference::Policy;

struct ReadingRow {
  const char* where;
  std::string_view ambiguity;
  Policy policy;
};

template <class A>
ReadingRow reading(const char* where, typename A::Reading one) {
  return {where, A::row.id, Policy{}.with<A>(one)};
}

const std::vector<ReadingRow>& permitted_readings() {
  static const std::vector<ReadingRow> rows{
      reading<spec::ScaleDomain>("quantize_linear/2?/*/scale/*", spec::ScaleDomain::zero_or_non_finite_invalid),
      reading<spec::ScaleDomain>("quantize_linear/2?/*/scale/*", spec::ScaleDomain::non_positive_invalid),
      reading<spec::ScaleDomain>("dequantize_linear/21/*/scale/*:opmx/*/scale/*",
                                 spec::ScaleDomain::zero_or_non_finite_invalid),
      reading<spec::ScaleDomain>("dequantize_linear/24/*/scale/*:com.microsoft/*/scale/*",
                                 spec::ScaleDomain::non_positive_invalid),
      reading<spec::EmptyTensors>("*quantize_linear/21/*/shape/*", spec::EmptyTensors::invalid),
      reading<spec::DequantizeOverflow>("dequantize_linear/21/*-f16-*", spec::DequantizeOverflow::clamped),
      reading<spec::FourBitRange>("com.microsoft/*", spec::FourBitRange::symmetric),
      reading<spec::Int32SubtractionOverflow>("com.microsoft/*", spec::Int32SubtractionOverflow::wrapping_int32),
      reading<spec::Int32InputDivision>("quantize_linear/23/i32-f32-*", spec::Int32InputDivision::in_float64),
      {"quantize_linear/23/f32-f32-*", spec::DivisionOfTheDraftOf23::row.id,
       Policy{}
           .with<spec::WhichVersion23>(spec::WhichVersion23::draft)
           .with<spec::DivisionOfTheDraftOf23>(spec::DivisionOfTheDraftOf23::exact_quotient)},
      reading<spec::Float8ZeroPointDequantize>("dequantize_linear/19/*/zp/*", spec::Float8ZeroPointDequantize::invalid),
      reading<spec::E8m0ScaleWithoutPrecision>("quantize_linear/24/*?e8m0-*/per_tensor/*",
                                               spec::E8m0ScaleWithoutPrecision::invalid),
      reading<spec::VectorsWithoutAxis>("com.microsoft/*", spec::VectorsWithoutAxis::axis_1),
      reading<spec::ScalarsWithAxis>("com.microsoft/*", spec::ScalarsWithAxis::per_tensor),
      reading<spec::OneElementWithAxis>("com.microsoft/*", spec::OneElementWithAxis::per_tensor),
      reading<spec::Int32ZeroPointOfMicrosoft>("com.microsoft/*", spec::Int32ZeroPointOfMicrosoft::invalid),
      reading<spec::TypesBeyondThePage>("com.microsoft/*", spec::TypesBeyondThePage::invalid),
      reading<spec::ZeroPointThatMustBe>("com.microsoft/*", spec::ZeroPointThatMustBe::required),
      reading<spec::NegativeAxis>("com.microsoft/*", spec::NegativeAxis::invalid),
      reading<spec::Int4WithoutZeroPoint>("opmx/*", spec::Int4WithoutZeroPoint::twos_complement),
      reading<spec::Int4FloatZeroPoint>("opmx/*", spec::Int4FloatZeroPoint::twos_complement),
      reading<spec::Int4IntegerZeroPoint>("opmx/*", spec::Int4IntegerZeroPoint::twos_complement),
      reading<spec::BiasPrecision>("opmx/*", spec::BiasPrecision::in_scale_type),
      reading<spec::BiasPrecision>("opmx/*", spec::BiasPrecision::fused),
      reading<spec::BiasPrecision>("opmx/*", spec::BiasPrecision::promoted),
      reading<spec::MixedFloatZeroPoint>("opmx/*", spec::MixedFloatZeroPoint::rounded_to_scale_type),
      reading<spec::PerChannelShape>("opmx/*", spec::PerChannelShape::one_dimension_too),
      reading<spec::PerChannelOfAxis0>("opmx/*", spec::PerChannelOfAxis0::invalid),
      reading<spec::GivenQuantMethod>("opmx/*", spec::GivenQuantMethod::invalid),
      reading<spec::BooleanValues>("opmx/*", spec::BooleanValues::only_one_is_true),
      reading<spec::BooleanValues>("opmx/*", spec::BooleanValues::other_values_invalid),
      reading<spec::FloatTypedZeroPoint>("opmx/*", spec::FloatTypedZeroPoint::invalid),
      reading<spec::VariableParameters>("opmx/*", spec::VariableParameters::invalid),
      reading<spec::GroupsAlongAxis1>("opmx/*", spec::GroupsAlongAxis1::divide_both_dimensions),
      reading<spec::GroupsAlongAxis1>("opmx/*", spec::GroupsAlongAxis1::divide_dimension_0),
      reading<spec::Rank1Vector>("*quantize_linear/21/*", spec::Rank1Vector::invalid),
      reading<spec::Rank1Blocked>("*quantize_linear/21/*", spec::Rank1Blocked::invalid),
      reading<spec::Rank1BlockedDefaultAxis>("*quantize_linear/21/*", spec::Rank1BlockedDefaultAxis::axis_0),
      reading<spec::AxisForPerTensor>("*quantize_linear/21/*", spec::AxisForPerTensor::always_checked),
      reading<spec::ScalarShape>("*quantize_linear/13/*", spec::ScalarShape::one_dimension_invalid),
      reading<spec::Int32ZeroPoint>("dequantize_linear/21/*", spec::Int32ZeroPoint::ignored),
      reading<spec::Float8ZeroPointDequantize>("dequantize_linear/19/*", spec::Float8ZeroPointDequantize::ignored),
      reading<spec::WhichVersion23>("dequantize_linear/23/*", spec::WhichVersion23::draft),
      reading<spec::WhichVersion23>("quantize_linear/23/*?u8/*", spec::WhichVersion23::draft),
      reading<spec::FloatZeroPointSum>("quantize_linear/28/*float_zero_point",
                                       spec::FloatZeroPointSum::in_division_type),
      reading<spec::FloatZeroPointSum>("quantize_linear/28/*float_zero_point", spec::FloatZeroPointSum::in_wider_type),
      reading<spec::Int32InputDivision>("quantize_linear/23/i32-f16-*", spec::Int32InputDivision::in_float32),
      reading<spec::Int32InputDivision>("quantize_linear/23/i32-bf16-*", spec::Int32InputDivision::in_float32),
      reading<spec::DoubleRoundingToFloat8>("quantize_linear/19/i32-i32-e5m2/*",
                                            spec::DoubleRoundingToFloat8::through_float32),
      reading<spec::Int32ToBfloat16>("quantize_linear/23/*i32-*bf16*", spec::Int32ToBfloat16::through_float32),
      reading<spec::Int32ToBfloat16>("quantize_linear/24/i32-e8m0-*/precision=bf16/*",
                                     spec::Int32ToBfloat16::through_float32),
      reading<spec::E8m0ScaleWithoutPrecision>("quantize_linear/24/i32-e8m0-*",
                                               spec::E8m0ScaleWithoutPrecision::exact_quotient),
      reading<spec::Subnormals>("dequantize_linear/24/*", spec::Subnormals::flushes_float32_and_bfloat16),
      reading<spec::Subnormals>("dequantize_linear/24/*", spec::Subnormals::flushes_wide_results),
      reading<spec::Subnormals>("dequantize_linear/24/*", spec::Subnormals::flushes_wide_operands),
      reading<spec::Subnormals>("dequantize_linear/21/*-f16-*:quantize_linear/21/f16-*",
                                spec::Subnormals::flushes_float16_too),
      reading<spec::Subnormals>("dequantize_linear/21/*-f16-*:quantize_linear/23/*f16-*",
                                spec::Subnormals::flushes_results),
      reading<spec::Subnormals>("dequantize_linear/21/*-f16-*:quantize_linear/23/*f16-*",
                                spec::Subnormals::flushes_float16_only),
      {"quantize_linear/21/f16-f16-e5m2/*", spec::Subnormals::row.id,
       Policy{}
           .with<spec::SameFloatDivisionBefore23>(spec::SameFloatDivisionBefore23::in_input_type)
           .with<spec::Subnormals>(spec::Subnormals::flushes_float16_too)},
      reading<spec::ZeroPointAddition>("quantize_linear/23/f16-f16-?16/*", spec::ZeroPointAddition::in_division_type),
      reading<spec::LargeIntegerProduct>("dequantize_linear/23/?16-f16-*", spec::LargeIntegerProduct::rounded_operands),
      reading<spec::OpmxRank>("opmx/*", spec::OpmxRank::two_dimensions_only),
      reading<spec::LoneFloatFlag>("opmx/*", spec::LoneFloatFlag::invalid),
  };
  return rows;
}

void PrintTo(const ReadingRow& row, std::ostream* out) { *out << row.ambiguity; }

/// One line for each.
std::vector<std::string> in_words(const std::vector<Inconsistency>& inconsistencies) {
  std::vector<std::string> lines;
  for (const auto& [ambiguity, group, evidence] : inconsistencies)
    lines.push_back(fmt::format("{}: {} in {}, {} in {}", ambiguity, fmt::join(evidence[0].readings, " or "),
                                evidence[0].id, fmt::join(evidence[1].readings, " or "), evidence[1].id));
  return lines;
}

/// Fails for each row without the reading that the backend follows where its version permits it, and otherwise the
/// primary one.
void expect_readings(const std::vector<FingerprintRow>& fingerprint, const Policy& policy) {
  for (const FingerprintRow& row : fingerprint) {
    EXPECT_NE(row.following, Following::inconsistent) << row.ambiguity;
    const auto a = std::ranges::find(spec::ambiguities, row.ambiguity, &spec::Ambiguity::id);
    const auto reading = policy.reading_index(static_cast<std::size_t>(a - spec::ambiguities.begin()));
    const spec::ReadingInfo& followed = (*a)->readings[reading];
    const bool is_always_permitted =
        followed.status != spec::ReadingStatus::rejected && followed.permitted_in.count == 0;
    if (is_always_permitted) {
      EXPECT_THAT(row.parts, testing::SizeIs(1)) << row.ambiguity;
    }
    for (const FingerprintRow::Part& part : row.parts)
      EXPECT_TRUE(std::ranges::find(part.readings, followed.id) != part.readings.end() ||
                  (!is_always_permitted && part.readings.front() == (*a)->readings.front().id))
          << fmt::format("{}: {} in {}", row.ambiguity, fmt::join(part.readings, " or "), part.id);
  }
}

/// Without those of 66,033 elements, which show nothing more about readings.
std::vector<PlannedCase> small_cases_of(std::string where) { return cases_of(where += ":-*/large/*"); }

/// By day, one of five if they are more than 2,600, most of which differ only in their types.
std::vector<PlannedCase> tried_cases_of(const std::string& where) {
  std::vector<PlannedCase> cases = small_cases_of(where);
  if (cases.size() <= 2600) return cases;
  std::size_t seen = 0;
  std::erase_if(cases, [&](const PlannedCase&) { return !is_tried(seen++, 5); });
  return cases;
}

class PermittedReadings : public testing::TestWithParam<ReadingRow> {};

TEST_P(PermittedReadings, PassAndAreNamed) {
  const ReadingRow& row = GetParam();
  const Defect defect{.policy = [&](const Node&) { return row.policy; }};
  const std::vector<PlannedCase> cases = tried_cases_of(row.where);
  const std::vector<CaseRecord> records = records_of(defect, cases);
  std::size_t named = 0;
  for (const CaseRecord& record : records) {
    EXPECT_TRUE(is_permitted(record.verdict)) << *record.id << ": " << *record.reason;
    named +=
        static_cast<std::size_t>(std::count_if(record.readings.begin(), record.readings.end(),
                                               [&](const ReadingId& id) { return id.ambiguity == row.ambiguity; }));
  }
  EXPECT_GT(named, 0U) << "no case distinguishes the reading from the primary one";
  EXPECT_THAT(in_words(find_inconsistencies(cases, records, {.jobs = 2})), testing::IsEmpty());
  expect_readings(find_fingerprint(cases, records, {}, {.jobs = 2}), row.policy);
}

INSTANTIATE_TEST_SUITE_P(Conformance, PermittedReadings, testing::ValuesIn(permitted_readings()),
                         [](const testing::TestParamInfo<ReadingRow>& row) {
                           return with_underscores(fmt::format("{}_{}", row.param.ambiguity, row.index));
                         });

// ---- permitted readings must be followed consistently

/// A backend that follows a permitted reading where a condition holds, and the primary one elsewhere.
struct VaryingRow {
  std::string name;
  const char* where;
  std::string_view ambiguity;
  Policy policy;
  std::function<bool(const Node&)> condition;
  std::string_view property;  ///< of cases, that decides; empty: the backend is inconsistent
};

template <class A>
VaryingRow varying(std::string name, const char* where, typename A::Reading reading,
                   const std::function<bool(const Node&)>& condition, std::string_view property = {}) {
  return {std::move(name), where, A::row.id, Policy{}.with<A>(reading), condition, property};
}

bool has_odd_length(const Node& node) { return node.inputs[0]->size() % 2 == 1; }
bool has_several_scales(const Node& node) { return node.inputs[1]->size() > 1; }

const std::vector<VaryingRow>& varying_readings() {
  using Before23 = spec::SameFloatDivisionBefore23;
  using enum spec::ElementType;
  static const std::vector<VaryingRow> rows{
      varying<Before23>("by the length", "quantize_linear/21/f16-f16-*", Before23::in_input_type, has_odd_length),
      varying<Before23>("by the number of scales", "quantize_linear/21/f16-f16-*", Before23::in_input_type,
                        has_several_scales),
      varying<spec::InfinityToFnuz>("by the number of scales", "quantize_linear/19/*",
                                    spec::InfinityToFnuz::always_maximum, has_several_scales),
      varying<spec::ProductPrecision>("by the length", "dequantize_linear/23/*f16*", spec::ProductPrecision::in_float32,
                                      has_odd_length),
      varying<spec::ScaleDomain>("by the length", "quantize_linear/2?/*/scale/*",
                                 spec::ScaleDomain::zero_or_non_finite_invalid, has_odd_length),
      varying<spec::NegativeAxis>("by the rank", "com.microsoft/*", spec::NegativeAxis::invalid,
                                  [](const Node& node) { return node.inputs[0]->rank() > 2; }),
      varying<spec::BiasPrecision>("by the length", "opmx/*", spec::BiasPrecision::fused,
                                   [](const Node& node) { return node.inputs[0]->size() % 3 == 0; }),
      // As a backend with separate kernels for each of these.
      varying<Before23>(
          "by the type of y", "quantize_linear/21/f16-f16-*", Before23::in_input_type,
          [](const Node& node) {
            const reference::Outcome outcome = reference::interpret(node);
            return outcome.result() != nullptr && outcome.result()->y.type() == int8;
          },
          "type"),
      varying<Before23>(
          "by the type of x", "quantize_linear/21/*f16-*", Before23::in_input_type,
          [](const Node& node) { return is_of_type(node, bfloat16); }, "x"),
      varying<Before23>(
          "by the version", "quantize_linear/19/f16-*:quantize_linear/21/f16-*", Before23::in_input_type,
          [](const Node& node) { return reference::operator_version(node).since_version == 19; }, "version"),
      varying<Before23>(
          "by what is constant", "quantize_linear/21/f16-f16-*", Before23::in_input_type,
          [](const Node& node) { return node.variable_inputs.contains(1); }, "form"),
  };
  return rows;
}

void PrintTo(const VaryingRow& row, std::ostream* out) { *out << row.ambiguity << ' ' << row.name; }

class VaryingReadings : public testing::TestWithParam<VaryingRow> {};

TEST_P(VaryingReadings, AreReportedForCasesThatMustFollowOneReading) {
  const VaryingRow& row = GetParam();
  const Defect defect{.policy = [&](const Node& node) { return row.condition(node) ? row.policy : Policy{}; }};
  const std::vector<PlannedCase> cases = small_cases_of(row.where);
  const std::vector<CaseRecord> records = records_of(defect, cases);
  EXPECT_TRUE(std::ranges::any_of(records, [&](const CaseRecord& record) {
    return std::ranges::any_of(record.readings, [&](const ReadingId& id) { return id.ambiguity == row.ambiguity; });
  })) << "no case shows the reading";
  const std::vector<Inconsistency> found = find_inconsistencies(cases, records, {.jobs = 2});
  const std::vector<FingerprintRow> fingerprint = find_fingerprint(cases, records, found, {.jobs = 2});
  const auto of_ambiguity = std::ranges::find(fingerprint, row.ambiguity, &FingerprintRow::ambiguity);
  ASSERT_NE(of_ambiguity, fingerprint.end());
  if (!row.property.empty()) {
    EXPECT_THAT(in_words(found), testing::IsEmpty());
    EXPECT_EQ(of_ambiguity->following, Following::several);
    EXPECT_EQ(of_ambiguity->property, row.property);
    return;
  }
  EXPECT_EQ(of_ambiguity->following, Following::inconsistent);
  EXPECT_FALSE(found.empty());
  EXPECT_TRUE(found == find_inconsistencies(cases, records));
  for (const Inconsistency& one : found) EXPECT_EQ(one.ambiguity, row.ambiguity) << in_words({one}).front();
}

INSTANTIATE_TEST_SUITE_P(Conformance, VaryingReadings, testing::ValuesIn(varying_readings()),
                         [](const testing::TestParamInfo<VaryingRow>& row) {
                           return with_underscores(fmt::format("{} {}", row.param.ambiguity, row.param.name));
                         });

/// Those of the choices that are permitted in the version of the node.
Policy permitted_policy(const std::vector<Choice>& choices, const Node& node) {
  const spec::OperatorVersion& version = reference::operator_version(node);
  Policy policy;
  for (const Choice& choice : choices)
    if (spec::is_permitted(spec::ambiguities[choice.ambiguity]->readings[choice.reading], version.domain, version.op,
                           version.since_version))
      policy = policy.with(choice.ambiguity, choice.reading);
  return policy;
}

/// Combines permitted readings of all ambiguities at random. The backend follows them consistently.
class AnyReadings : public testing::TestWithParam<const char*> {};

TEST_P(AnyReadings, AreNeitherAccusedNorReportedIfTheyAreFollowedThroughout) {
  const std::vector<PlannedCase> cases = small_cases_of(GetParam());
  std::size_t variants = 0;
  for (unsigned seed = 0; seed < (is_nightly() ? 4 : 2); ++seed) {
    std::mt19937 random(seed);
    std::vector<Choice> choices;
    for (std::size_t a = 0; a < spec::ambiguities.size(); ++a) {
      const auto& readings = spec::ambiguities[a]->readings;
      const std::size_t r = 1 + random() % (readings.size() - 1);
      // With many refusals there would be little to compare.
      const bool refuses = readings[r].id.find("invalid") != readings[r].id.npos && random() % 4 != 0;
      if (!refuses) choices.push_back({a, r});
    }
    const Defect defect{.policy = [&](const Node& node) { return permitted_policy(choices, node); }};
    const std::vector<CaseRecord> records = records_of(defect, cases);
    for (const CaseRecord& record : records) {
      EXPECT_TRUE(is_permitted(record.verdict)) << *record.id << ": " << *record.reason << ", seed " << seed;
      if (!record.readings.empty()) ++variants;
    }
    EXPECT_THAT(in_words(find_inconsistencies(cases, records, {.jobs = 2})), testing::IsEmpty()) << "seed " << seed;
    expect_readings(find_fingerprint(cases, records, {}, {.jobs = 2}), policy_of(choices));
  }
  EXPECT_GT(variants, 20U);
}

INSTANTIATE_TEST_SUITE_P(Conformance, AnyReadings,
                         testing::Values("quantize_linear/10/*", "quantize_linear/19/f16-*",
                                         "quantize_linear/21/*f16-*", "quantize_linear/28/*?e8m0-*/per_tensor/*",
                                         "quantize_linear/24/*/scale/*", "dequantize_linear/19/*",
                                         "dequantize_linear/24/i32-*", "dequantize_linear/28/*e8m0-*",
                                         "com.microsoft/*", "opmx/*"),
                         [](const testing::TestParamInfo<const char*>& row) { return with_underscores(row.param); });

}  // namespace
}  // namespace touchstone::conformance::permitted_readings_test
