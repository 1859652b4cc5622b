// Compares every legal combination of operator version, types, granularity, presence of a zero point, saturate and
// precision with the reference.
#include <gtest/gtest.h>

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "optimized/agreement_testing.h"
#include "optimized/call_testing.h"
#include "optimized/sample_testing.h"

namespace touchstone::optimized::lattice_test {

namespace {

Geometry small_geometry(spec::Granularity granularity) {
  switch (granularity) {
    case spec::Granularity::per_tensor: return {1, 1, 45, 0};
    case spec::Granularity::per_axis: return {3, 5, 3, 0};
    case spec::Granularity::blocked: return {3, 5, 3, 2};  // the last block has one element
  }
  return {};
}

int visit_quantize(const spec::OperatorVersion& version, Sample& sample, Random& random) {
  int cells = 0;
  const auto& [x_row, scale_row, zero_point_row] = version.inputs;
  std::vector<std::int64_t> precisions{0};
  if (version.attribute("precision") != nullptr)
    for (const ElementType type : version.precisions) precisions.push_back(reference::type_code(type));
  const bool has_output_dtype = version.attribute("output_dtype") != nullptr;
  for (const ElementType x : x_row.types)
    for (const ElementType scale : scale_row.types)
      for (const ElementType y : version.output.types)
        for (const spec::Granularity granularity : version.granularities)
          for (const bool has_zero_point : {true, false})
            for (const bool saturate : {true, false})
              for (const std::int64_t precision : precisions) {
                if (scale_row.type_variable == x_row.type_variable && scale != x) continue;
                if (!has_zero_point && y != ElementType::uint8 && !has_output_dtype) continue;
                if (!saturate && !spec::is_float8(y)) continue;
                ++cells;
                if (!sample.takes_next()) continue;
                expect_agreement<Call>(
                    Example{&version, x, scale, y, small_geometry(granularity), has_zero_point, saturate, precision},
                    random);
                if (::testing::Test::HasFatalFailure()) return cells;
              }
  return cells;
}

int visit_dequantize(const spec::OperatorVersion& version, Sample& sample, Random& random) {
  int cells = 0;
  const bool has_output_dtype = version.attribute("output_dtype") != nullptr;
  for (const ElementType x : version.inputs[0].types)
    for (const ElementType scale : version.inputs[1].types)
      for (const ElementType y : version.output.types)
        for (const spec::Granularity granularity : version.granularities)
          for (const bool has_zero_point : {true, false}) {
            if (!has_output_dtype && y != scale) continue;
            ++cells;
            if (!sample.takes_next()) continue;
            expect_agreement<Call>(Example{&version, x, scale, y, small_geometry(granularity), has_zero_point}, random);
            if (::testing::Test::HasFatalFailure()) return cells;
          }
  return cells;
}

TEST(Lattice, AgreesWithTheReferenceInEveryCell) {
  Random random(20240807);
  Sample sample;
  std::map<std::pair<std::string_view, spec::Operator>, int> cells;
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    if (version.domain == spec::opmx) continue;  // covered by opmx_differential_test.cpp
    const bool quantizes = version.op == spec::Operator::quantize_linear;
    cells[{version.domain, version.op}] +=
        quantizes ? visit_quantize(version, sample, random) : visit_dequantize(version, sample, random);
    if (HasFatalFailure()) return;
  }
  // Counted by hand, version by version. QuantizeLinear: 6 + 12 + 88 + 336 + 5760 + 7200 + 8160 + 9120.
  EXPECT_EQ((cells[{spec::ai_onnx, spec::Operator::quantize_linear}]), 30682);
  // DequantizeLinear: 6 + 12 + 84 + 198 + 648 + 864 + 1008 + 1152.
  EXPECT_EQ((cells[{spec::ai_onnx, spec::Operator::dequantize_linear}]), 3972);
  // 2 granularities; 2 types of x, and y of 6 with a zero point, uint8 without.
  EXPECT_EQ((cells[{spec::com_microsoft, spec::Operator::quantize_linear}]), 28);
  // 2 granularities; x of 7 types, scale of 2, with and without a zero point.
  EXPECT_EQ((cells[{spec::com_microsoft, spec::Operator::dequantize_linear}]), 56);
}

}  // namespace

}  // namespace touchstone::optimized::lattice_test
