// The register of ambiguities: every point that the specification of the quantization operators leaves open.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "spec/ambiguities/axes.h"
#include "spec/ambiguities/blocks.h"
#include "spec/ambiguities/dequantization.h"
#include "spec/ambiguities/division.h"
#include "spec/ambiguities/float4_and_float6.h"
#include "spec/ambiguities/float_outputs.h"
#include "spec/ambiguities/graphs.h"
#include "spec/ambiguities/integers.h"
#include "spec/ambiguities/microsoft.h"
#include "spec/ambiguities/multiplication.h"
#include "spec/ambiguities/opmx.h"
#include "spec/ambiguities/opmx_shapes.h"
#include "spec/ambiguities/opmx_zero_points.h"
#include "spec/ambiguities/shapes.h"
#include "spec/ambiguities/storage_and_scope.h"
#include "spec/ambiguity.h"

namespace touchstone::spec {

/// A struct of the register: its possible readings, and its row.
template <class A>
concept AmbiguityStruct = std::is_enum_v<typename A::Reading> && std::same_as<decltype(A::row), const Ambiguity>;

template <AmbiguityStruct... A>
struct AmbiguityList {
  static constexpr std::array<const Ambiguity*, sizeof...(A)> rows{&A::row...};

  template <class Wanted>
  static constexpr bool contains = (std::same_as<Wanted, A> || ...);

  /// The index of `Wanted` in the list, or the size of the list.
  template <class Wanted>
  static constexpr std::size_t position() {
    std::size_t index = 0;
    static_cast<void>(((std::same_as<Wanted, A> || (++index, false)) || ...));
    return index;
  }
};

/// Ordered by series and number. A number occurs more than once if its parts can be read independently.
using AllAmbiguities = AmbiguityList<
    NanToInteger, HugeQuotient, ScaleDomain, RoundingOrder, Float32Division, SameFloatDivisionBefore23,
    SameFloatDivision, MixedTypeDivision, PrecisionValues, E8m0ScaleWithoutPrecision, Int32InputDivision, Int32Scale,
    Int32InputFloatScale, ZeroPointAddition, Float16QuotientOverflow, Subnormals, OutputTypeSelection,
    FloatOutputRounding, InfinityToFnuz, Float8OverflowTest, Float8NanSign, Float8ZeroPointQuantize,
    NegativeZeroWithZeroPoint, NanToFloat4, DoubleRoundingToFloat8, Float4ZeroPointQuantize, Float4ZeroPointDequantize,
    SaturateValues, SubtractionWidth, Int32ZeroPoint, Int32SubtractionOverflow, LargeIntegerProduct,
    ProductPrecisionBefore23, ProductPrecision, E8m0ScaleToFloat16, E8m0ScaleWithoutOutputDtype,
    Float8ZeroPointDequantize, DequantizeOverflow, DequantizeSignedZero, DequantizeOutputDtype, ScalarShape,
    ScaleZeroPointShapes, Rank1DefaultAxis, Rank1Vector, OneElement1dScale, AxisForPerTensor, Rank0Input,
    MissingBlockSize, BlockSizeWith1dScale, Rank1BlockedDefaultAxis, BlockSizeWithScalarScale, Rank1Blocked,
    BlockCoversRank1Input, BlockSizeRange, SingleBlock, TailBlock, EmptyTensors, EmptyBlockedAxis, NegativeBlockSize,
    BlockedBefore21, PerAxisBefore13, OneElementScaleOfHigherRank, SeveralBlockedDimensions, PaddingOfOutputs,
    PaddingOfInputs, PaddingOf2BitInputs, Float4Layout, PackedZeroPoints, WhichVersion23, DivisionOfTheDraftOf23,
    OpsetsBetweenVersions, Ties, DefaultZeroPoint, Int8Range, NanToFloat6, Float6ZeroPointQuantize,
    Float6ZeroPointDequantize, OverflowToFloat6, NegativeZeroToFloat6, Float6Padding, SaturateWithFloat4,
    FloatZeroPointSum, Int32ToBfloat16, FactorPrecision, VectorsWithoutAxis, ScalarsWithAxis, OneElementWithAxis,
    FourBitRange, Int32ZeroPointOfMicrosoft, TypesBeyondThePage, ZeroPointThatMustBe, NegativeAxis, Rank1WithoutAxis,
    Int4WithoutZeroPoint, Int4IntegerZeroPoint, Int4FloatZeroPoint, Int8Codes, UnannouncedZeroPoint, MissingZeroPoint,
    LoneFloatFlag, BiasPrecision, OpmxOutputType, GroupIndex, DefaultGroupSize, PartialGroup, GroupsAlongAxis1,
    PerChannelShape, OpmxRank, Float32ScaleOfInt4, VariableParameters, PerChannelOfAxis0, GivenQuantMethod, NibbleOrder,
    FloatTypedZeroPoint, MixedFloatZeroPoint, BooleanValues>;

/// The rows, in the same order.
inline constexpr std::array ambiguities = AllAmbiguities::rows;

/// The index of an ambiguity's row in `ambiguities`.
template <AmbiguityStruct A>
  requires AllAmbiguities::contains<A>
inline constexpr std::size_t ambiguity_index = AllAmbiguities::position<A>();

/// The row with this id, or nullptr.
constexpr const Ambiguity* find_ambiguity(std::string_view id) {
  for (const Ambiguity* row : ambiguities)
    if (row->id == id) return row;
  return nullptr;
}

}  // namespace touchstone::spec
