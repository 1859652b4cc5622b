// The readings of the ambiguities of opmx's shapes: PMX-09 to 12 and 15; and of the ambiguities of ai.onnx that opmx
// shares.

#include "reference/opmx_testing.h"

namespace touchstone::reference::readings_opmx_shapes_test {
namespace {

using enum spec::ElementType;

/// 1, -2, 3 and 4, 5, -6.
const Tensor matrix = tensor(int8, {2, 3}, {1, -2, 3, 4, 5, -6});

TEST(ReadingsOfOpmxShapes, Pmx09GroupIndex) {
  using A = spec::GroupIndex;
  const Tensor x = coded(int16, {4, 1}, {0x9999, 0x9999, 0x9999, 0x9999});  // 16 ones
  const Tensor scales = tensor(float32, {8, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
  expect_readings<A>(int4_node(x, scales, groups(0, 2)),
                     {{A::logical_row, gives({1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8})},
                      {A::packed_row, gives({1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2})}});
  const OutcomeMatcher ones = gives({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  expect_no_question<A>(int4_node(x, tensor(float32, {1, 1}, {1}), groups(0, 16)), ones);
  expect_no_question<A>(int4_node(x, tensor(float32, {16, 1}, Numbers(16, 1)), groups(1, 1)), ones);
  expect_no_question<A>(int8_node(matrix, tensor(float32, {2, 3}, {1, 1, 1, 2, 2, 2}), groups(0, 1)),
                        gives({1, -2, 3, 8, 10, -12}));
}

TEST(ReadingsOfOpmxShapes, Pmx10DefaultGroupSize) {
  using A = spec::DefaultGroupSize;
  const Tensor x = tensor(int8, {1, 128}, Numbers(128, 3));
  expect_readings<A>(
      int8_node(x, scalar(float32, 2), Attributes{}),
      {{A::groups_of_128, rejected_by("pmx-grouped-shape")}, {A::ungrouped, gives(NumbersOrOpen(128, 6))}});
  const Tensor wide = tensor(int8, {1, 256}, Numbers(256, 3));
  NumbersOrOpen two_groups(256, 6);
  for (std::size_t i = 128; i < 256; ++i) two_groups[i] = 30;
  expect_readings<A>(int8_node(wide, tensor(float32, {1, 2}, {2, 10}), Attributes{}),
                     {{A::groups_of_128, gives(two_groups)}, {A::ungrouped, rejected_by("pmx-ungrouped-shape")}});
  expect_no_question<A>(int8_node(wide, tensor(float32, {1, 2}, {2, 10}), groups(1, 128)), gives(two_groups));
}

TEST(ReadingsOfOpmxShapes, Pmx10PartialGroup) {
  using A = spec::PartialGroup;
  expect_readings<A>(
      int8_node(matrix, tensor(float32, {2, 2}, {1, 10, 100, 1000}), groups(1, 2)),
      {{A::invalid, rejected_by("pmx-whole-groups")}, {A::short_last_group, gives({1, -2, 30, 400, 500, -6000})}});
  expect_readings<A>(
      int8_node(matrix, tensor(float32, {1, 3}, {1, 10, 100}), groups(0, 128)),
      {{A::invalid, rejected_by("pmx-whole-groups")}, {A::short_last_group, gives({1, -20, 300, 4, 50, -600})}});
}

/// The page: "group_size != 0 and quant_axis == 1: (d0, d1/group_size, ..., dn). d0 must be aligned with group_size."
TEST(ReadingsOfOpmxShapes, Pmx10GroupsAlongAxis1) {
  using A = spec::GroupsAlongAxis1;
  const OutcomeMatcher invalid = rejected_by("pmx-whole-groups");
  // 2 divides the 2 rows, but not the 3 columns.
  expect_readings<A>(int8_node(matrix, tensor(float32, {2, 2}, {1, 10, 100, 1000}), groups(1, 2)),
                     {{A::divide_dimension_1, invalid},
                      {A::divide_both_dimensions, invalid},
                      {A::divide_dimension_0, gives({1, -2, 30, 400, 500, -6000})}});
  // 3 divides the columns, but not the rows.
  expect_readings<A>(int8_node(matrix, tensor(float32, {2, 1}, {1, 10}), groups(1, 3)),
                     {{A::divide_dimension_1, gives({1, -2, 3, 40, 50, -60})},
                      {A::divide_both_dimensions, invalid},
                      {A::divide_dimension_0, invalid}});
  expect_no_question<A>(int8_node(matrix, tensor(float32, {1, 3}, {1, 10, 100}), groups(0, 2)),
                        gives({1, -20, 300, 4, 50, -600}));
}

TEST(ReadingsOfOpmxShapes, Pmx11PerChannelShape) {
  using A = spec::PerChannelShape;
  expect_readings<A>(
      int8_node(matrix, vector(float32, {1, 10}), no_groups),
      {{A::rank_of_x, rejected_by("pmx-ungrouped-shape")}, {A::one_dimension_too, gives({1, -2, 3, 40, 50, -60})}});
  expect_readings<A>(
      int8_node(matrix, vector(float32, {1, 10, 100}), vector(int8, {0, 1, 2}),
                {{"group_size", 0}, {"quant_axis", 0}, {"has_zeropoint", 1}}),
      {{A::rank_of_x, rejected_by("pmx-ungrouped-shape")}, {A::one_dimension_too, gives({1, -30, 100, 4, 40, -800})}});
  expect_no_question<A>(int8_node(matrix, tensor(float32, {2, 1}, {1, 10}), no_groups), gives({1, -2, 3, 40, 50, -60}));
  expect_no_question<A>(int8_node(matrix, vector(float32, {1, 10, 100}), no_groups),  // the columns, not the rows
                        rejected_by("pmx-ungrouped-shape"));
}

TEST(ReadingsOfOpmxShapes, Pmx12Rank) {
  using A = spec::OpmxRank;
  const auto expect = [](const Node& node, const OutcomeMatcher& accepted) {
    expect_readings<A>(node, {{A::any_rank, accepted}, {A::two_dimensions_only, rejected_by("qdq-output-shape")}});
  };
  const Tensor cube = tensor(int8, {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  expect(int8_node(cube, tensor(float32, {2, 1, 2}, {1, 10, 100, 1000}), no_groups),
         gives({1, 20, 3, 40, 500, 6000, 700, 8000}));
  expect(int4_node(coded(int16, {1}, {0x780F}), scalar(float32, 1), no_groups), gives({7, -8, 0, -1}));
  expect(int8_node(scalar(int8, 3), scalar(float32, 2), no_groups), gives({6}));
  expect_no_question<A>(int8_node(matrix, scalar(float32, 1), no_groups), gives({1, -2, 3, 4, 5, -6}));
}

TEST(ReadingsOfOpmxShapes, Pmx15PerChannelOfAxis0) {
  using A = spec::PerChannelOfAxis0;
  expect_readings<A>(
      int8_node(matrix, tensor(float32, {1, 3}, {1, 10, 100}), groups(0, 0)),
      {{A::by_symmetry, gives({1, -20, 300, 4, 50, -600})}, {A::invalid, rejected_by("pmx-ungrouped-shape")}});
  expect_no_question<A>(int8_node(matrix, scalar(float32, 1), groups(0, 0)), gives({1, -2, 3, 4, 5, -6}));
}

// ---- ambiguities shared with ai.onnx

TEST(ReadingsOfOpmxShapes, Amb40ScalarShape) {
  using A = spec::ScalarShape;
  const OutcomeMatcher accepted = gives({0, -3, 2, 3, 4, -7});
  const auto node = [](const Tensor& scale, const Tensor& zero_point) {
    return int8_node(matrix, scale, zero_point, asymmetric);
  };
  expect_readings<A>(node(vector(float32, {1}), vector(int8, {1})),
                     {{A::one_element_is_scalar, accepted},
                      {A::mixed_ranks_invalid, accepted},
                      {A::one_dimension_invalid, rejected_by("pmx-ungrouped-shape")}});
  for (const Node& mixed : {node(scalar(float32, 1), vector(int8, {1})), node(vector(float32, {1}), scalar(int8, 1))})
    expect_readings<A>(mixed, {{A::one_element_is_scalar, accepted},
                               {A::mixed_ranks_invalid, rejected_by("qdq-same-shape")},
                               {A::one_dimension_invalid, rejected_by("pmx-ungrouped-shape")}});
  expect_no_question<A>(node(scalar(float32, 1), scalar(int8, 1)), accepted);
}

TEST(ReadingsOfOpmxShapes, Amb51EmptyTensors) {
  using A = spec::EmptyTensors;
  for (const Node& node : {int8_node(Tensor(int8, {0, 3}), scalar(float32, 1), no_groups),
                           int4_node(Tensor(int16, {0, 3}), tensor(float32, {0, 3}, {}), groups(1, 1))})
    expect_readings<A>(node,
                       {{A::empty_result, gives_type(float32, {0, 3})}, {A::invalid, rejected_by("qdq-output-shape")}});
}

TEST(ReadingsOfOpmxShapes, Amb54OneElementScaleOfHigherRank) {
  using A = spec::OneElementScaleOfHigherRank;
  expect_readings<A>(
      int8_node(matrix, tensor(float32, {1, 1}, {2}), no_groups),
      {{A::invalid, rejected_by("pmx-ungrouped-shape")}, {A::per_tensor, gives({2, -4, 6, 8, 10, -12})}});
  // A single row has a single channel.
  expect_no_question<A>(int8_node(tensor(int8, {1, 2}, {3, 4}), tensor(float32, {1, 1}, {2}), no_groups),
                        gives({6, 8}));
}

}  // namespace
}  // namespace touchstone::reference::readings_opmx_shapes_test
