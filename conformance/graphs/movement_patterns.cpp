// Patterns with operators that move elements: the scales along an axis move with it, or do not fit any more.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/graphs/pattern_conditions.h"
#include "conformance/graphs/patterns.h"

namespace touchstone::conformance {

namespace {

using namespace conditions;
using Graph = GraphBuilder;
using Integers = std::vector<std::int64_t>;

/// A moved tensor.
struct Moved {
  std::string value;
  Shape shape;
  std::array<std::optional<std::int64_t>, 3> axes;  ///< where each axis of the cube is now; std::nullopt: nowhere
};
/// Moves a tensor of the shape `cube`.
using Move = Moved (*)(Graph& g, const std::string& x);

constexpr std::nullopt_t nowhere = std::nullopt;

Quantization after(Graph& g, const Moved& moved, Second difference) {
  // The scales stay with their channels. Where these are gone, one scale remains.
  const auto axis = moved.axes.at(static_cast<std::size_t>(g.quantized_axis(3)));
  return g.second(moved.shape, axis, difference);
}

template <Move move>
void dq_moved(Graph& g) {
  const auto first = g.first(g.cube());
  g.output(move(g, g.dequantize({g.quantized_x(g.cube()), first})).value);
}

template <Move move>
void dq_moved_ql(Graph& g) {
  const auto first = g.first(g.cube());
  const Moved moved = move(g, g.dequantize({g.quantized_x(g.cube()), first}));
  g.output(g.quantize({moved.value, after(g, moved, g.parameters().second)}));
}

template <Move move>
void ql_moved_dq(Graph& g) {
  const auto first = g.first(g.cube());
  const Moved moved = move(g, g.quantize({g.number_x(g.cube()), first}));
  g.output(g.dequantize({moved.value, after(g, moved, Second::same)}));
}

template <Move move>
void int32_dq_moved(Graph& g) {
  const auto first = g.first(g.cube());
  g.output(move(g, g.dequantize({g.int32_x(g.cube()), first})).value);
}

template <Move move>
void int32_dq_moved_ql(Graph& g) {
  const auto first = g.first(g.cube());
  const Moved moved = move(g, g.dequantize({g.int32_x(g.cube()), first}));
  g.output(g.quantize({moved.value, after(g, moved, g.parameters().second)}));
}

template <Move move>
void ms_dq_moved_ql(Graph& g) {
  const auto first = g.of_microsoft(g.first(g.cube()));
  const Moved moved = move(g, g.dequantize({g.quantized_x(g.cube()), first}));
  g.output(g.quantize({moved.value, after(g, moved, g.parameters().second)}));
}

template <Move move>
void constant_dq_moved(Graph& g) {
  const auto first = g.first(g.cube());
  const std::string constant = move(g, g.dequantize({g.quantized_constant(g.cube()), first})).value;
  const std::string x = g.number_x({1}, Data::small);
  g.output(constant);
  g.output(g.node("Identity", {x}));
}

void constant_dq_cast(Graph& g) {
  const auto first = g.first(g.cube());
  const std::string value = g.dequantize({g.quantized_constant(g.cube(), Data::small), first});
  g.output(g.node("Cast", {value}, {{"to", static_cast<std::int64_t>(ElementType::float64)}}));
}

void constant_dq_ql_dq(Graph& g) {
  const auto q = g.first(g.cube());
  const std::string value = g.dequantize({g.quantized_constant(g.cube()), q});
  g.output(g.dequantize({g.quantize({value, q}), q}));
}

/// x has 1 or 4 to 8 dimensions, which an arbitrary permutation exchanges.
template <bool is_quantized>
void dq_transpose_of_any_rank(Graph& g) {
  constexpr std::array<std::size_t, 6> ranks{1, 4, 5, 6, 7, 8};
  const std::size_t picked = g.picker().one_of(ranks);
  const std::size_t rank = picked == 1 && is_blocked(g.parameters()) ? 4 : picked;
  constexpr std::array<std::int64_t, 8> lengths{0, 3, 4, 5, 1, 2, 1, 2};
  Shape shape(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(rank));
  shape[0] = g.rows(rank == 1 ? 8 : 2);
  Integers perm(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    perm[i] = static_cast<std::int64_t>(i);
    std::swap(perm[i], perm[g.picker().below(i + 1)]);
  }
  const auto first = g.first(shape);
  const std::string moved = g.node("Transpose", {g.dequantize({g.quantized_x(shape), first})}, {{"perm", perm}});
  if (!is_quantized) return g.output(moved);
  Shape after;
  for (const std::int64_t axis : perm) after.push_back(shape[static_cast<std::size_t>(axis)]);
  const std::int64_t axis = std::ranges::find(perm, g.quantized_axis(rank)) - perm.begin();
  g.output(g.quantize({moved, g.second(after, axis)}));
}

void concat_of_two_ql(Graph& g) {
  const std::string a = g.dequantize({g.quantized_x(g.cube()), g.first(g.cube())});
  const std::string b = g.dequantize({g.quantized_x(g.cube()), g.second(g.cube())});
  const std::int64_t axis = g.quantized_axis(3) == 2 ? 0 : 2;
  g.output(g.quantize({g.node("Concat", {a, b}, {{"axis", g.written_axis(axis, 3)}}), g.first(g.cube())}));
}

// ---- the operators

std::string reshaped(Graph& g, const std::string& x, const Shape& shape) {
  return g.node("Reshape", {x, g.integers(shape)});
}

Moved identity(Graph& g, const std::string& x) { return {g.node("Identity", {x}), g.cube(), {0, 1, 2}}; }
Moved reshape(Graph& g, const std::string& x) {
  // 0 copies a length, so that the constant fits every first and second one.
  const std::int64_t third = g.has_distinct_lengths() ? 1 : 2;
  return {reshaped(g, x, {0, 0, third, 4 / third}), {g.cube()[0], g.cube()[1], third, 4 / third}, {0, 1, nowhere}};
}
Moved reshape_channels(Graph& g, const std::string& x) {
  return {reshaped(g, x, {-1, 0, 8}), {g.cube()[0] / 2, g.cube()[1], 8}, {}};
}
Moved flatten_to_vector(Graph& g, const std::string& x) {
  const std::int64_t length = g.cube()[0] * g.cube()[1] * g.cube()[2];
  return {g.node("Reshape", {x, g.integers({-1})}), {length}, {}};
}
Moved flatten(Graph& g, const std::string& x) {
  return {g.node("Flatten", {x}), {g.cube()[0], g.cube()[1] * g.cube()[2]}, {0, nowhere, nowhere}};
}
Moved flatten_before_last(Graph& g, const std::string& x) {
  const std::string value = g.node("Flatten", {x}, {{"axis", std::int64_t{-1}}});
  return {value, {g.cube()[0] * g.cube()[1], g.cube()[2]}, {nowhere, nowhere, 1}};
}
Moved unsqueeze(Graph& g, const std::string& x) {
  return {g.node("Unsqueeze", {x, g.integers({g.written_axis(0, 4)})}),
          {1, g.cube()[0], g.cube()[1], g.cube()[2]},
          {1, 2, 3}};
}
Moved squeeze(Graph& g, const std::string& x) {
  std::vector<std::string> inputs{reshaped(g, x, {0, 1, -1, 4})};
  // Without axes, Squeeze removes all dimensions of length 1.
  if (g.picker().coin()) inputs.push_back(g.integers({g.written_axis(1, 4)}));
  return {g.node("Squeeze", inputs), g.cube(), {0, 1, 2}};
}
Moved transpose(Graph& g, const std::string& x) {
  return {g.node("Transpose", {x}, {{"perm", Integers{0, 2, 1}}}), {g.cube()[0], g.cube()[2], g.cube()[1]}, {0, 2, 1}};
}
/// A permutation that is not its own inverse.
Moved rotate(Graph& g, const std::string& x) {
  return {g.node("Transpose", {x}, {{"perm", Integers{1, 2, 0}}}), {g.cube()[1], g.cube()[2], g.cube()[0]}, {2, 0, 1}};
}
Moved transpose_by_default(Graph& g, const std::string& x) {
  return {g.node("Transpose", {x}), {g.cube()[2], g.cube()[1], g.cube()[0]}, {2, 1, 0}};
}
Moved transpose_of_8_dimensions(Graph& g, const std::string& x) {
  const Shape& cube = g.cube();
  const std::string wide = reshaped(g, x, {0, 1, -1, 1, 1, 4, 1, 1});
  return {g.node("Transpose", {wide}, {{"perm", Integers{1, 2, 4, 5, 0, 3, 7, 6}}}),
          {1, cube[1], 1, cube[2], cube[0], 1, 1, 1},
          {4, 1, 3}};
}
Moved slice(Graph& g, const std::string& x) {
  const auto axis = g.integers({g.written_axis(2, 3)});
  return {g.node("Slice", {x, g.integers({1}), g.integers({4}), axis, g.integers({2})}),
          {g.cube()[0], g.cube()[1], 2},
          {0, 1, nowhere}};
}
Moved slice_by_default(Graph& g, const std::string& x) {
  return {g.node("Slice", {x, g.integers({0, 1, 0}), g.integers({2, 5, 4})}),
          {2, std::min<std::int64_t>(g.cube()[1], 5) - 1, 4},
          {nowhere, nowhere, 2}};
}
/// Since version 11, the page says how a negative step reaches the first element.
Moved slice_backwards(Graph& g, const std::string& x) {
  return {g.node("Slice", {x, g.integers({-1}), g.integers({-100}), g.integers({2}), g.integers({-1})}),
          g.cube(),
          {0, 1, nowhere}};
}
Moved slice_channels(Graph& g, const std::string& x) {
  const auto axis = g.integers({g.written_axis(1, 3)});
  return {g.node("Slice", {x, g.integers({1}), g.integers({3}), axis}), {g.cube()[0], 2, g.cube()[2]}, {0, nowhere, 2}};
}
Moved split(Graph& g, const std::string& x) {
  const auto parts = g.node_with_outputs("Split", {x, g.integers({2, 2})}, 2, {{"axis", g.written_axis(2, 3)}});
  return {parts[1], {g.cube()[0], g.cube()[1], 2}, {0, 1, nowhere}};
}
Moved split_by_default(Graph& g, const std::string& x) {
  const std::int64_t rest = g.cube()[0] - 1;
  const auto parts = g.node_with_outputs("Split", {x, g.integers({1, rest})}, 2);
  return {parts[1], {rest, g.cube()[1], g.cube()[2]}, {nowhere, 1, 2}};
}
Moved gather(Graph& g, const std::string& x) {
  // The scales of all channels would fit as many others.
  const Integers channels = g.has_distinct_lengths() ? Integers{3, 0, 1, 1, 5} : Integers{3, 0, 1, 1};
  return {g.node("Gather", {x, g.integers(channels)}, {{"axis", g.written_axis(1, 3)}}),
          {g.cube()[0], std::ssize(channels), g.cube()[2]},
          {0, nowhere, 2}};
}
Moved gather_by_default(Graph& g, const std::string& x) {
  const Integers places = g.has_distinct_lengths() ? Integers{1, 0, 1} : Integers{1, 0, 1, 1};
  return {g.node("Gather", {x, g.integers(places)}), {std::ssize(places), g.cube()[1], g.cube()[2]}, {nowhere, 1, 2}};
}
Moved expand(Graph& g, const std::string& x) {
  const std::int64_t copies = g.has_distinct_lengths() ? 3 : 4;
  return {
      g.node("Expand", {x, g.integers({copies, 1, 1, 1})}), {copies, g.cube()[0], g.cube()[1], g.cube()[2]}, {1, 2, 3}};
}
Moved tile(Graph& g, const std::string& x) {
  return {g.node("Tile", {x, g.integers({1, 1, 2})}), {g.cube()[0], g.cube()[1], 8}, {0, 1, nowhere}};
}
Moved concat_self(Graph& g, const std::string& x) {
  return {g.node("Concat", {x, x}, {{"axis", g.written_axis(2, 3)}}), {g.cube()[0], g.cube()[1], 8}, {0, 1, nowhere}};
}
Moved pad_edge(Graph& g, const std::string& x) {
  return {g.node("Pad", {x, g.integers({0, 0, 1, 0, 0, 3})}, {{"mode", std::string("edge")}}),
          {g.cube()[0], g.cube()[1], 8},
          {0, 1, nowhere}};
}

/// An index tensor of some shape.
std::string indices(Graph& g, const Shape& shape, const Integers& values) {
  const std::vector<std::uint64_t> codes(values.begin(), values.end());
  return g.constant(Tensor::from_codes(ElementType::int64, shape, codes));
}

/// Without axis, the operators of elements choose along the first one.
Moved gather_elements(Graph& g, const std::string& x) {
  if (g.picker().coin())
    return {g.node("GatherElements", {x, indices(g, {2, 1, 3}, {1, 0, 1, 0, 0, 1})}), {2, 1, 3}, {}};
  const std::string places = indices(g, {2, 1, 3}, {3, 0, 1, 2, 2, 0});
  return {g.node("GatherElements", {x, places}, {{"axis", g.written_axis(2, 3)}}), {2, 1, 3}, {}};
}
Moved gather_nd(Graph& g, const std::string& x) {
  return {g.node("GatherND", {x, indices(g, {3, 2}, {1, 0, 0, 3, 1, 2})}), {3, g.cube()[2]}, {nowhere, nowhere, 1}};
}
Moved scatter_elements(Graph& g, const std::string& x) {
  const bool has_axis = g.picker().coin();
  const std::string places = indices(g, {2, 1, 3}, has_axis ? Integers{3, 1, 2, 0, 2, 3} : Integers{1, 0, 1, 0, 1, 0});
  const std::string updates = g.numbers({2, 1, 3}, {0.5, -2, 3, 0, 1, -1.5});
  const NodeAttributes attributes = has_axis ? NodeAttributes{{"axis", g.written_axis(2, 3)}} : NodeAttributes{};
  return {g.node("ScatterElements", {x, places, updates}, attributes), g.cube(), {0, 1, 2}};
}
Moved scatter_nd(Graph& g, const std::string& x) {
  const std::string updates = g.numbers({3, 4}, {0.5, -2, 3, 0, 1, 1.5, -1, 4, -3, 0, 2, 0.5});
  return {g.node("ScatterND", {x, indices(g, {3, 2}, {1, 0, 0, 3, 1, 2}), updates}), g.cube(), {0, 1, 2}};
}
Moved compress(Graph& g, const std::string& x) {
  const std::string chosen =
      g.constant(Tensor::from_codes(ElementType::boolean, {3}, std::array<std::uint64_t, 3>{0, 1, 1}));
  // Without axis, Compress chooses among the elements of the flattened tensor.
  if (g.picker().coin()) return {g.node("Compress", {x, chosen}), {2}, {}};
  return {g.node("Compress", {x, chosen}, {{"axis", g.written_axis(1, 3)}}),
          {g.cube()[0], 2, g.cube()[2]},
          {0, nowhere, 2}};
}
/// Reverses the first channels, as many in each part of the first axis.
Moved reverse_sequence(Graph& g, const std::string& x) {
  const std::string part = g.node("Slice", {x, g.integers({0}), g.integers({2})});
  const NodeAttributes attributes{{"batch_axis", std::int64_t{0}}, {"time_axis", std::int64_t{1}}};
  return {g.node("ReverseSequence", {part, g.integers({4, 2})}, attributes),
          {2, g.cube()[1], g.cube()[2]},
          {nowhere, nowhere, 2}};
}
Moved trilu(Graph& g, const std::string& x) {
  return {g.node("Trilu", {x}, {{"upper", std::int64_t{g.picker().coin() ? 1 : 0}}}), g.cube(), {0, 1, 2}};
}
Moved center_crop_pad(Graph& g, const std::string& x) {
  const Integers axes{g.written_axis(1, 3), g.written_axis(2, 3)};
  return {
      g.node("CenterCropPad", {x, g.integers({2, 7})}, {{"axes", axes}}), {g.cube()[0], 2, 7}, {0, nowhere, nowhere}};
}
Moved dropout(Graph& g, const std::string& x) { return {g.node("Dropout", {x}), g.cube(), {0, 1, 2}}; }

// clang-format off
constexpr std::array movement_rows{
    Pattern{"dq_identity", "DequantizeLinear, Identity", "removes Identity, and with it an output", one_pair_of_any_scales, dq_moved<identity>},
    Pattern{"dq_identity_ql", "DequantizeLinear, Identity, QuantizeLinear", "removes the pair although its parameters differ", pair, dq_moved_ql<identity>},
    Pattern{"dq_reshape", "DequantizeLinear, Reshape", "moves DequantizeLinear after Reshape", one_pair_of_any_scales, dq_moved<reshape>},
    Pattern{"dq_reshape_ql", "DequantizeLinear, Reshape, QuantizeLinear", "reshapes quantized elements although the parameters differ", pair, dq_moved_ql<reshape>},
    Pattern{"dq_reshape_channels", "DequantizeLinear, Reshape of the channels", "keeps the axis of the scales", one_pair_of_any_scales, dq_moved<reshape_channels>},
    Pattern{"dq_reshape_channels_ql", "DequantizeLinear, Reshape of the channels, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<reshape_channels>},
    Pattern{"dq_flatten", "DequantizeLinear, Flatten", "keeps the axis of the scales", one_pair_of_any_scales, dq_moved<flatten>},
    Pattern{"dq_flatten_ql", "DequantizeLinear, Flatten, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<flatten>},
    Pattern{"dq_unsqueeze", "DequantizeLinear, Unsqueeze", "keeps the axis of the scales", since<13, one_pair_of_any_scales>, dq_moved<unsqueeze>},
    Pattern{"dq_unsqueeze_ql", "DequantizeLinear, Unsqueeze, QuantizeLinear", "keeps the axis of the scales", since<13, pair>, dq_moved_ql<unsqueeze>},
    Pattern{"dq_squeeze", "DequantizeLinear, Reshape, Squeeze", "keeps the axis of the scales", since<13, one_pair_of_any_scales>, dq_moved<squeeze>},
    Pattern{"dq_squeeze_ql", "DequantizeLinear, Reshape, Squeeze, QuantizeLinear", "keeps the axis of the scales", since<13, pair>, dq_moved_ql<squeeze>},
    Pattern{"dq_transpose", "DequantizeLinear, Transpose", "keeps the axis of the scales", one_pair_of_any_scales, dq_moved<transpose>},
    Pattern{"dq_transpose_ql", "DequantizeLinear, Transpose, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<transpose>},
    Pattern{"ql_transpose_dq", "QuantizeLinear, Transpose, DequantizeLinear", "keeps the axis of the scales", transposes, ql_moved_dq<transpose>},
    Pattern{"ql_reshape_dq", "QuantizeLinear, Reshape, DequantizeLinear", "keeps the axis of the scales", one_pair_of_other_types, ql_moved_dq<reshape>},
    Pattern{"dq_slice", "DequantizeLinear, Slice", "slices the scales, or does not", one_pair_of_any_scales, dq_moved<slice>},
    Pattern{"dq_slice_ql", "DequantizeLinear, Slice, QuantizeLinear", "slices quantized elements although the parameters differ", pair, dq_moved_ql<slice>},
    Pattern{"dq_slice_channels_ql", "DequantizeLinear, Slice of the channels, QuantizeLinear", "keeps the scales of other channels", pair, dq_moved_ql<slice_channels>},
    Pattern{"dq_split", "DequantizeLinear, Split", "moves DequantizeLinear after one output only", since<13, one_pair_of_any_scales>, dq_moved<split>},
    Pattern{"dq_split_ql", "DequantizeLinear, Split, QuantizeLinear", "splits quantized elements although the parameters differ", since<13, pair>, dq_moved_ql<split>},
    Pattern{"dq_gather", "DequantizeLinear, Gather of channels", "keeps the scales of other channels", one_pair_of_any_scales, dq_moved<gather>},
    Pattern{"dq_gather_ql", "DequantizeLinear, Gather of channels, QuantizeLinear", "keeps the scales of other channels", pair, dq_moved_ql<gather>},
    Pattern{"dq_expand", "DequantizeLinear, Expand", "keeps the axis of the scales", one_pair_of_any_scales, dq_moved<expand>},
    Pattern{"dq_expand_ql", "DequantizeLinear, Expand, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<expand>},
    Pattern{"dq_tile", "DequantizeLinear, Tile", "moves DequantizeLinear after Tile", one_pair_of_any_scales, dq_moved<tile>},
    Pattern{"dq_tile_ql", "DequantizeLinear, Tile, QuantizeLinear", "tiles quantized elements although the parameters differ", pair, dq_moved_ql<tile>},
    Pattern{"dq_concat_ql", "DequantizeLinear, Concat with itself, QuantizeLinear", "concatenates quantized elements although the parameters differ", pair, dq_moved_ql<concat_self>},
    Pattern{"dq_pad_edge_ql", "DequantizeLinear, Pad with the edge, QuantizeLinear", "pads quantized elements although the parameters differ", since<11, pair>, dq_moved_ql<pad_edge>},
    Pattern{"dq_gather_elements_ql", "DequantizeLinear, GatherElements, QuantizeLinear", "gathers quantized elements although the parameters differ", since<11, pair>, dq_moved_ql<gather_elements>},
    Pattern{"dq_gather_nd_ql", "DequantizeLinear, GatherND, QuantizeLinear", "keeps the axis of the scales", since<11, pair>, dq_moved_ql<gather_nd>},
    Pattern{"dq_scatter_elements_ql", "DequantizeLinear, ScatterElements of constants, QuantizeLinear", "scatters constants into quantized elements", since<11, pair>, dq_moved_ql<scatter_elements>},
    Pattern{"dq_scatter_nd_ql", "DequantizeLinear, ScatterND of constants, QuantizeLinear", "scatters constants into quantized elements", since<11, pair>, dq_moved_ql<scatter_nd>},
    Pattern{"dq_compress_ql", "DequantizeLinear, Compress, QuantizeLinear", "keeps the scales of other channels", pair, dq_moved_ql<compress>},
    Pattern{"dq_reverse_sequence_ql", "DequantizeLinear, ReverseSequence, QuantizeLinear", "keeps the scales of other channels", pair, dq_moved_ql<reverse_sequence>},
    Pattern{"dq_trilu_ql", "DequantizeLinear, Trilu, QuantizeLinear", "sets quantized elements to 0 instead of the zero point", since<14, pair>, dq_moved_ql<trilu>},
    Pattern{"dq_center_crop_pad_ql", "DequantizeLinear, CenterCropPad, QuantizeLinear", "pads quantized elements with 0 instead of the zero point", since<18, pair>, dq_moved_ql<center_crop_pad>},
    Pattern{"dq_dropout_ql", "DequantizeLinear, Dropout, QuantizeLinear", "drops elements", pair, dq_moved_ql<dropout>},
    Pattern{"dq_concat_of_two_ql", "two DequantizeLinear, Concat, QuantizeLinear", "concatenates quantized elements of different scales", zero_points_not_blocked, concat_of_two_ql},

    Pattern{"dq_rotate", "DequantizeLinear, Transpose by a permutation that is not its own inverse", "keeps the axis of the scales", one_pair_of_any_scales, dq_moved<rotate>},
    Pattern{"dq_rotate_ql", "DequantizeLinear, Transpose by a permutation that is not its own inverse, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<rotate>},
    Pattern{"dq_transpose_default", "DequantizeLinear, Transpose without perm", "keeps the axis of the scales", one_pair_of_any_scales, dq_moved<transpose_by_default>},
    Pattern{"dq_transpose_default_ql", "DequantizeLinear, Transpose without perm, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<transpose_by_default>},
    Pattern{"dq_transpose_8", "DequantizeLinear, Reshape, Transpose of 8 dimensions", "keeps the axis of the scales", one_pair_of_any_scales, dq_moved<transpose_of_8_dimensions>},
    Pattern{"dq_transpose_8_ql", "DequantizeLinear, Reshape, Transpose of 8 dimensions, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<transpose_of_8_dimensions>},
    Pattern{"dq_transpose_ranks", "DequantizeLinear of 1 or 4 to 8 dimensions, Transpose", "keeps the axis of the scales", one_pair_of_any_scales, dq_transpose_of_any_rank<false>, is_disputed_vector},
    Pattern{"dq_transpose_ranks_ql", "DequantizeLinear of 1 or 4 to 8 dimensions, Transpose, QuantizeLinear", "keeps the axis of the scales", pair, dq_transpose_of_any_rank<true>, is_disputed_vector},
    Pattern{"dq_flatten_last", "DequantizeLinear, Flatten before the last axis", "keeps the axis of the scales", since<13, one_pair_of_any_scales>, dq_moved<flatten_before_last>},
    Pattern{"dq_flatten_last_ql", "DequantizeLinear, Flatten before the last axis, QuantizeLinear", "keeps the axis of the scales", since<13, pair>, dq_moved_ql<flatten_before_last>},
    Pattern{"dq_reshape_vector", "DequantizeLinear, Reshape to a vector", "keeps the axis of the scales", one_pair_of_any_scales, dq_moved<flatten_to_vector>},
    Pattern{"dq_reshape_vector_ql", "DequantizeLinear, Reshape to a vector, QuantizeLinear", "keeps the axis of the scales", pair, dq_moved_ql<flatten_to_vector>},
    Pattern{"dq_slice_default", "DequantizeLinear, Slice without axes and steps", "keeps the scales of other channels", one_pair_of_any_scales, dq_moved<slice_by_default>},
    Pattern{"dq_slice_default_ql", "DequantizeLinear, Slice without axes and steps, QuantizeLinear", "keeps the scales of other channels", pair, dq_moved_ql<slice_by_default>},
    Pattern{"dq_slice_backwards", "DequantizeLinear, Slice backwards", "keeps the scales of other channels", since<13, one_pair_of_any_scales>, dq_moved<slice_backwards>},
    Pattern{"dq_slice_backwards_ql", "DequantizeLinear, Slice backwards, QuantizeLinear", "keeps the scales of other channels", since<13, pair>, dq_moved_ql<slice_backwards>},
    Pattern{"dq_split_default", "DequantizeLinear, Split along the default axis", "keeps the scales of other channels", since<13, one_pair_of_any_scales>, dq_moved<split_by_default>},
    Pattern{"dq_split_default_ql", "DequantizeLinear, Split along the default axis, QuantizeLinear", "keeps the scales of other channels", since<13, pair>, dq_moved_ql<split_by_default>},
    Pattern{"dq_gather_default", "DequantizeLinear, Gather along the default axis", "keeps the scales of other channels", one_pair_of_any_scales, dq_moved<gather_by_default>},
    Pattern{"dq_gather_default_ql", "DequantizeLinear, Gather along the default axis, QuantizeLinear", "keeps the scales of other channels", pair, dq_moved_ql<gather_by_default>},
    Pattern{"ql_rotate_dq", "QuantizeLinear, Transpose by a permutation that is not its own inverse, DequantizeLinear", "keeps the axis of the scales", transposes, ql_moved_dq<rotate>},

    Pattern{"int32_dq_identity", "DequantizeLinear of int32, Identity", "requantizes to 8 bits, which loses large numbers", one_pair_behind_int32, int32_dq_moved<identity>},
    Pattern{"int32_dq_identity_ql", "DequantizeLinear of int32, Identity, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_moved_ql<identity>},
    Pattern{"int32_dq_reshape", "DequantizeLinear of int32, Reshape", "requantizes to 8 bits, which loses large numbers", one_pair_behind_int32, int32_dq_moved<reshape>},
    Pattern{"int32_dq_transpose", "DequantizeLinear of int32, Transpose", "requantizes to 8 bits, which loses large numbers", one_pair_behind_int32, int32_dq_moved<transpose>},
    Pattern{"int32_dq_transpose_ql", "DequantizeLinear of int32, Transpose, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_moved_ql<transpose>},
    Pattern{"int32_dq_rotate", "DequantizeLinear of int32, Transpose by a permutation that is not its own inverse", "requantizes to 8 bits, which loses large numbers", one_pair_behind_int32, int32_dq_moved<rotate>},
    Pattern{"int32_dq_rotate_ql", "DequantizeLinear of int32, Transpose by a permutation that is not its own inverse, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_moved_ql<rotate>},
    Pattern{"int32_dq_slice", "DequantizeLinear of int32, Slice", "requantizes to 8 bits, which loses large numbers", one_pair_behind_int32, int32_dq_moved<slice>},
    Pattern{"int32_dq_slice_ql", "DequantizeLinear of int32, Slice, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_moved_ql<slice>},
    Pattern{"int32_dq_gather", "DequantizeLinear of int32, Gather of channels", "requantizes to 8 bits, which loses large numbers", one_pair_behind_int32, int32_dq_moved<gather>},
    Pattern{"int32_dq_gather_ql", "DequantizeLinear of int32, Gather of channels, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_moved_ql<gather>},
    Pattern{"int32_dq_expand", "DequantizeLinear of int32, Expand", "requantizes to 8 bits, which loses large numbers", one_pair_behind_int32, int32_dq_moved<expand>},
    Pattern{"int32_dq_tile", "DequantizeLinear of int32, Tile", "requantizes to 8 bits, which loses large numbers", one_pair_behind_int32, int32_dq_moved<tile>},
    Pattern{"int32_dq_flatten", "DequantizeLinear of int32, Flatten", "requantizes to 8 bits, which loses large numbers", one_pair_behind_int32, int32_dq_moved<flatten>},
    Pattern{"int32_dq_concat", "DequantizeLinear of int32, Concat with itself", "requantizes to 8 bits, which loses large numbers", one_pair_behind_int32, int32_dq_moved<concat_self>},
    Pattern{"int32_dq_concat_ql", "DequantizeLinear of int32, Concat with itself, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_moved_ql<concat_self>},
    Pattern{"int32_dq_split", "DequantizeLinear of int32, Split", "requantizes to 8 bits, which loses large numbers", since<13, one_pair_behind_int32>, int32_dq_moved<split>},
    Pattern{"int32_dq_split_ql", "DequantizeLinear of int32, Split, QuantizeLinear", "takes int32 elements for those of the 8-bit type", since<13, pair_behind_int32>, int32_dq_moved_ql<split>},
    Pattern{"int32_dq_unsqueeze", "DequantizeLinear of int32, Unsqueeze", "requantizes to 8 bits, which loses large numbers", since<13, one_pair_behind_int32>, int32_dq_moved<unsqueeze>},
    Pattern{"int32_dq_unsqueeze_ql", "DequantizeLinear of int32, Unsqueeze, QuantizeLinear", "takes int32 elements for those of the 8-bit type", since<13, pair_behind_int32>, int32_dq_moved_ql<unsqueeze>},
    Pattern{"int32_dq_squeeze", "DequantizeLinear of int32, Reshape, Squeeze", "requantizes to 8 bits, which loses large numbers", since<13, one_pair_behind_int32>, int32_dq_moved<squeeze>},
    Pattern{"int32_dq_squeeze_ql", "DequantizeLinear of int32, Reshape, Squeeze, QuantizeLinear", "takes int32 elements for those of the 8-bit type", since<13, pair_behind_int32>, int32_dq_moved_ql<squeeze>},
    Pattern{"int32_dq_pad_edge", "DequantizeLinear of int32, Pad with the edge", "requantizes to 8 bits, which loses large numbers", since<11, one_pair_behind_int32>, int32_dq_moved<pad_edge>},
    Pattern{"int32_dq_pad_edge_ql", "DequantizeLinear of int32, Pad with the edge, QuantizeLinear", "takes int32 elements for those of the 8-bit type", since<11, pair_behind_int32>, int32_dq_moved_ql<pad_edge>},
    Pattern{"int32_dq_reshape_ql", "DequantizeLinear of int32, Reshape, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_moved_ql<reshape>},
    Pattern{"int32_dq_expand_ql", "DequantizeLinear of int32, Expand, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_moved_ql<expand>},
    Pattern{"int32_dq_tile_ql", "DequantizeLinear of int32, Tile, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_moved_ql<tile>},
    Pattern{"int32_dq_flatten_ql", "DequantizeLinear of int32, Flatten, QuantizeLinear", "takes int32 elements for those of the 8-bit type", pair_behind_int32, int32_dq_moved_ql<flatten>},

    Pattern{"ms_dq_transpose_ql", "DequantizeLinear of com.microsoft, Transpose, QuantizeLinear of ai.onnx", "keeps the axis of the scales", is_of_microsoft, ms_dq_moved_ql<transpose>, is_disputed_by_microsoft},

    Pattern{"constant_dq_reshape", "constant, DequantizeLinear, Reshape", "folds the constant with another type", one_pair_of_any_scales, constant_dq_moved<reshape>},
    Pattern{"constant_dq_transpose", "constant, DequantizeLinear, Transpose", "folds the constant with another type", one_pair_of_any_scales, constant_dq_moved<transpose>},
    Pattern{"constant_dq_identity", "constant, DequantizeLinear, Identity", "folds the constant with another type", one_pair_of_any_scales, constant_dq_moved<identity>},
    Pattern{"constant_dq_slice", "constant, DequantizeLinear, Slice", "folds the constant with another type", one_pair_of_any_scales, constant_dq_moved<slice>},
    Pattern{"constant_dq_cast", "constant, DequantizeLinear, Cast", "folds the constant with another type", one_pair, constant_dq_cast},
    Pattern{"constant_ql_dq", "constant, DequantizeLinear, QuantizeLinear, DequantizeLinear", "removes the pair where it saturates", one_pair, constant_dq_ql_dq},
};
// clang-format on

}  // namespace

std::span<const Pattern> movement_patterns() { return movement_rows; }

}  // namespace touchstone::conformance
