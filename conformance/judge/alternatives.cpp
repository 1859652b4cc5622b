#include "conformance/judge/alternatives.h"

#include <algorithm>

namespace touchstone::conformance {

namespace {

template <spec::AmbiguityStruct... A>
Consulted set_of() {
  Consulted set;
  (set.set(spec::ambiguity_index<A>), ...);
  return set;
}

}  // namespace

const Consulted& ambiguities_that_reject_nothing() {
  using namespace spec;
  static const Consulted set =
      set_of<HugeQuotient, RoundingOrder, Float32Division, SameFloatDivisionBefore23, SameFloatDivision,
             MixedTypeDivision, Int32InputDivision, Int32Scale, ZeroPointAddition, Float16QuotientOverflow, Subnormals,
             FloatOutputRounding, InfinityToFnuz, Float8OverflowTest, Float8NanSign, NegativeZeroWithZeroPoint,
             NanToFloat4, DoubleRoundingToFloat8, SubtractionWidth, Int32SubtractionOverflow, LargeIntegerProduct,
             ProductPrecisionBefore23, ProductPrecision, E8m0ScaleToFloat16, DequantizeOverflow, DequantizeSignedZero,
             DivisionOfTheDraftOf23, Ties, DefaultZeroPoint, Int8Range, NanToFloat6, OverflowToFloat6,
             NegativeZeroToFloat6, SaturateWithFloat4, FloatZeroPointSum, Int32ToBfloat16, FourBitRange, NanToInteger,
             Int4WithoutZeroPoint, Int4IntegerZeroPoint, Int4FloatZeroPoint, Int8Codes, BiasPrecision,
             FactorPrecision>();
  return set;
}

ReadingId id_of(const Choice& choice) {
  const spec::Ambiguity& row = *spec::ambiguities[choice.ambiguity];
  return {row.id, row.readings[choice.reading].id};
}

reference::Policy policy_of(std::span<const Choice> choices) {
  reference::Policy policy;
  for (const Choice& choice : choices) policy = policy.with(choice.ambiguity, choice.reading);
  return policy;
}

std::vector<Choice> alternatives(const OperatorVersion& version, const Consulted& consulted,
                                 std::span<const Choice> choices) {
  const OperatorVersion* const only = &version;
  return alternatives(std::span(&only, 1), consulted, choices);
}

std::vector<Choice> alternatives(std::span<const OperatorVersion* const> versions, const Consulted& consulted,
                                 std::span<const Choice> choices) {
  std::vector<Choice> found;
  for (std::size_t a = 0; a < spec::ambiguities.size(); ++a) {
    const bool decided =
        std::any_of(choices.begin(), choices.end(), [&](const Choice& choice) { return choice.ambiguity == a; });
    if (!consulted.test(a) || decided) continue;
    const auto& readings = spec::ambiguities[a]->readings;
    for (std::size_t r = 1; r < readings.size(); ++r)
      if (std::ranges::any_of(versions, [&](const OperatorVersion* version) {
            return spec::is_permitted(readings[r], version->domain, version->op, version->since_version);
          }))
        found.push_back({a, r});
  }
  return found;
}

}  // namespace touchstone::conformance
