#include "conformance/generate/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace touchstone::conformance {

using spec::PerAxisScale;

namespace {

constexpr auto per_tensor = Granularity::per_tensor;
constexpr auto per_axis = Granularity::per_axis;
constexpr auto blocked = Granularity::blocked;
constexpr auto no_axis = std::nullopt;
constexpr auto across = PerAxisScale::across_axis;
constexpr auto largest_block = std::numeric_limits<std::int64_t>::max();

using Geometries = std::vector<Geometry>;

/// The rows of a table with a granularity, which are consecutive.
std::span<const Geometry> with(const Geometries& rows, Granularity granularity) {
  const auto matches = [&](const Geometry& row) { return row.granularity == granularity; };
  const auto first = std::find_if(rows.begin(), rows.end(), matches);
  return {first, std::find_if_not(first, rows.end(), matches)};
}

/// Geometries with the default axis, each axis counted from the front, and each counted from the back.
Geometries every_axis(Granularity granularity, const Shape& x, std::int64_t block_size = 0) {
  const auto rank = static_cast<std::int64_t>(x.size());
  Geometries rows{{granularity, x, no_axis, block_size}};
  for (std::int64_t axis = 0; axis < rank; ++axis) rows.push_back({granularity, x, axis, block_size});
  for (std::int64_t axis = -1; axis >= -rank; --axis) rows.push_back({granularity, x, axis, block_size});
  return rows;
}

Geometries joined(const std::vector<Geometries>& parts) {
  Geometries all;
  for (const Geometries& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// The dimension that axis names; the default is 1.
std::size_t dimension(const Geometry& geometry) {
  const std::int64_t axis = geometry.axis.value_or(1);
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(geometry.x.size()) : axis);
}

/// Whether the parameters are one-dimensional, with one for each index along the axis.
bool is_along_axis(const Geometry& geometry) {
  return geometry.granularity == per_axis && geometry.per_axis_scale == PerAxisScale::along_axis;
}

/// The number of elements along the axis that share a parameter, for geometries that keep the rank of x.
std::int64_t block_of(const Geometry& geometry) {
  return geometry.granularity == blocked ? geometry.block_size : geometry.x[dimension(geometry)];
}

/// The shape of x, with the number of blocks along the axis.
Shape with_blocks(const Geometry& geometry) {
  Shape shape = geometry.x;
  std::int64_t& length = shape[dimension(geometry)];
  const std::int64_t block = block_of(geometry);
  length = length / block + (length % block != 0 ? 1 : 0);  // the sum of length and block may overflow
  return shape;
}

}  // namespace

Shape Geometry::parameters() const {
  if (granularity == per_tensor) return one_element ? Shape{1} : Shape{};
  return is_along_axis(*this) ? Shape{x[dimension(*this)]} : with_blocks(*this);
}

reference::Sharing Geometry::sharing() const {
  if (granularity == per_tensor) return reference::one_for_all(x);
  const std::size_t along = dimension(*this);
  if (is_along_axis(*this)) return reference::one_for_each_along(x, along);
  reference::Sharing sharing;
  const Shape shape = parameters();
  for (std::size_t i = 0; i < x.size(); ++i)
    sharing.dimensions.push_back({.length = x[i], .blocks = shape[i], .block = i == along ? block_of(*this) : 1});
  return sharing;
}

std::string Geometry::name() const {
  std::string text = x.empty() ? "scalar" : fmt::format("{}", fmt::join(x, "x"));
  if (one_element) text += "_scale1";
  if (axis) text += fmt::format("_axis{}", *axis);
  if (block_size > 0) text += fmt::format("_block{}", block_size);
  return text;
}

std::int64_t Geometry::elements() const { return *reference::element_count(x); }

bool can_have(const OperatorVersion& version, ElementType x, const Geometry& geometry) {
  const std::optional<std::int64_t>& rank = version.shapes.rank;
  if (rank && (static_cast<std::int64_t>(geometry.x.size()) != *rank || geometry.elements() == 0)) return false;
  return can_have_at_any_rank(version, x, geometry);
}

bool can_have_at_any_rank(const OperatorVersion& version, ElementType x, const Geometry& geometry) {
  const spec::ShapeRules& rules = version.shapes;
  const spec::Attribute* axis = version.attribute(AttributeMeaning::axis);
  const spec::Attribute* block_size = version.attribute(AttributeMeaning::block_size);
  const auto rank = static_cast<std::int64_t>(geometry.x.size());
  if (!version.has(geometry.granularity)) return false;
  if (rank > 0 && geometry.x[0] % spec::elements_per_carrier(x) != 0) return false;

  if (geometry.granularity == per_axis && geometry.per_axis_scale != rules.per_axis_scale) return false;
  if (geometry.axis && axis == nullptr) return false;
  if (geometry.axis && !rules.negative_axis && (*geometry.axis < 0 || *geometry.axis >= rank)) return false;
  const bool presence_means_per_axis = axis != nullptr && !axis->default_value;
  if (presence_means_per_axis && geometry.axis.has_value() != (geometry.granularity == per_axis)) return false;

  if (geometry.block_size == 0) return true;
  if (block_size == nullptr) return false;
  const bool presence_means_blocked = block_size->default_value != 0;
  if (geometry.granularity != blocked) return !presence_means_blocked;
  return !rules.whole_blocks || geometry.x[dimension(geometry)] % geometry.block_size == 0;
}

std::span<const Geometry> cell_geometries(Granularity granularity, bool with_all_codes_of_8_bits) {
  // Geometries with several parameters have at least four, so that a case with constant parameters shows as many
  // scales. No reading rejects these geometries: scalars do not have shape [1], vectors are per tensor, and a group
  // size of opmx along dimension 1 divides dimension 0 as well (pmx-groups-along-axis-1).
  // clang-format off
  static const Geometries small{
      {per_tensor, {48}}, {per_tensor, {7, 7}}, {per_tensor, {2, 5, 5}}, {per_tensor, {67}}, {per_tensor, {3, 1, 17}},
      {per_tensor, {2, 3, 2, 5}}, {per_tensor, {2, 2, 2, 2, 2, 2}}, {per_tensor, {8, 7}}, {per_tensor, {8, 8}, 1},
      {per_axis, {6, 11}}, {per_axis, {7, 9}, 0}, {per_axis, {5, 13}, -1}, {per_axis, {3, 5, 4}, -2},
      {per_axis, {2, 2, 3, 5}, 3}, {per_axis, {4, 17}, -2}, {per_axis, {4, 1, 2, 2, 2, 2}, -6},
      {per_axis, {8, 9}, no_axis, 0, false, across}, {per_axis, {12, 5}, 0, 0, false, across},
      {per_axis, {8, 10}, 1, 0, false, across},
      {blocked, {6, 11}, no_axis, 2}, {blocked, {9, 8}, 0, 3}, {blocked, {13, 5}, 0, 4}, {blocked, {3, 5, 4}, -2, 3},
      {blocked, {2, 5, 7}, -1, 4}, {blocked, {3, 2, 4, 3}, 3, 2}, {blocked, {5, 14}, 1, 5}, {blocked, {2, 35}, -1, 16},
      {blocked, {7, 10}, 1, 3}, {blocked, {3, 23}, -1, 6}, {blocked, {12, 9}, no_axis, 3}, {blocked, {12, 5}, 0, 3},
      {blocked, {8, 10}, 1, 2},
  };
  static const Geometries with_all_codes{
      {per_tensor, {256}}, {per_tensor, {17, 16}}, {per_tensor, {5, 3, 18}},
      {per_axis, {61, 5}}, {per_axis, {5, 61}, 0}, {per_axis, {8, 8, 5}, -1}, {per_axis, {3, 4, 26}, -2},
      {per_axis, {7, 44}, no_axis, 0, false, across}, {per_axis, {61, 5}, 0, 0, false, across},
      {blocked, {8, 39}, no_axis, 8}, {blocked, {14, 21}, no_axis, 7}, {blocked, {63, 5}, 0, 3},
      {blocked, {45, 7}, 0, 16}, {blocked, {163, 2}, 0, 64}, {blocked, {2, 52, 3}, -2, 16},
  };
  // clang-format on
  return with(with_all_codes_of_8_bits ? with_all_codes : small, granularity);
}

std::span<const Geometry> every_code_geometries(Granularity granularity) {
  static const Geometries rows{
      {per_tensor, {8}},
      {per_axis, {3, 256}, 1},
      {per_axis, {256, 4}, 1, 0, false, across},
      {blocked, {16, 64}, 1, 4},
  };
  return with(rows, granularity);
}

std::span<const Geometry> special_geometries(Granularity granularity) {
  // clang-format off
  static const Geometries rows = joined({
      Geometries{
          {per_tensor, {}}, {per_tensor, {}, no_axis, 0, true}, {per_tensor, {0}}, {per_tensor, {0, 3}},
          {per_tensor, {2, 0, 3}, no_axis, 0, true}, {per_tensor, {7, 7}, no_axis, 0, true},
          {per_tensor, {67}, no_axis, 0, true}, {per_tensor, {8, 8}, 1, 0, true}, {per_tensor, {1}},
          {per_tensor, {1, 1, 1}}, {per_tensor, {3, 2, 1, 2, 1, 3}}, {per_tensor, {5, 7}, 7}, {per_tensor, {5, 7}, -7},
          {per_tensor, {5}, 1}, {per_tensor, {5, 7}, no_axis, 3}, {per_tensor, {5}, 0, 5, true},
          {per_tensor, {5}, -1, 8, true}, {per_tensor, {5}, 0, largest_block, true},
          {per_tensor, {2, 1, 3, 1, 2, 1, 3}}, {per_tensor, {2, 1, 2, 1, 2, 1, 2, 3}},
          {per_axis, {5}, 0}, {per_axis, {5}, -1}, {per_axis, {3, 5}, 0}, {per_axis, {3, 5}, 1}, {per_axis, {3, 5}, -1},
          {per_axis, {3, 5}, -2}, {per_axis, {1, 5}}, {per_axis, {2, 3, 4}, 0}, {per_axis, {2, 3, 4}, 1},
          {per_axis, {2, 3, 4}, 2}, {per_axis, {2, 3, 4}, -1}, {per_axis, {2, 3, 4}, -3}, {per_axis, {2, 1, 3, 2}, 2},
          {per_axis, {2, 1, 3, 2, 2}, -1}, {per_axis, {2, 1, 2, 2, 3, 2}, 4}, {per_axis, {2, 1, 2, 2, 3, 2}, -2},
          {per_axis, {2, 1, 2, 1, 3, 2, 2}, 4}, {per_axis, {2, 1, 2, 1, 2, 3, 1, 2}, -3},
          {per_axis, {0, 3}}, {per_axis, {2, 0}}, {per_axis, {0}, 0}, {per_axis, {3, 5}, 1, 2},
          {per_axis, {4, 1}, 1, 0, false, across}, {per_axis, {4, 3}, 0, 0, false, across},
          {per_axis, {8, 3}, 1, 0, false, across}},
      // With equal dimensions, only axis determines to which one the scale belongs.
      every_axis(per_axis, {3, 3}),
      every_axis(per_axis, {3, 3, 3}),
      every_axis(per_axis, {2, 3, 2, 2, 3}),
      Geometries{
          {per_axis, {4, 4}, no_axis, 0, false, across}, {per_axis, {4, 4}, 0, 0, false, across},
          {per_axis, {4, 4}, 1, 0, false, across},
          {blocked, {5}, 0, 2}, {blocked, {5}, -1, 3}, {blocked, {4}, 0, 2}, {blocked, {65}, 0, 9},
          {blocked, {67}, -1, 16}, {blocked, {4, 6}, 1, 1}, {blocked, {4, 6}, 0, 1}, {blocked, {4, 6}, 1, 6},
          {blocked, {4, 6}, 0, 4}, {blocked, {2, 3}, 1, 5}, {blocked, {4, 6}, 0, 7}, {blocked, {4, 6}, -1, 4},
          {blocked, {4, 6}, -2, 3}, {blocked, {1, 7}, no_axis, 3}, {blocked, {7, 1}, 0, 2}, {blocked, {2, 3, 5}, 0, 1},
          {blocked, {2, 3, 5}, 1, 2}, {blocked, {2, 3, 5}, 2, 2}, {blocked, {2, 3, 5}, -3, 2},
          {blocked, {2, 5, 1, 3}, 1, 3}, {blocked, {2, 1, 2, 5, 2}, 3, 2}, {blocked, {2, 1, 2, 2, 5, 2}, -2, 3},
          {blocked, {2, 1, 2, 1, 5, 2, 2}, 4, 2}, {blocked, {2, 1, 2, 1, 2, 5, 1, 2}, -3, 3},
          {blocked, {0, 4}, 1, 2}, {blocked, {3, 4, 0}, 1, 2}, {blocked, {2, 0}, 1, 2}, {blocked, {0, 3}, 0, 2},
          {blocked, {0}, 0, 2}, {blocked, {2, 33}, 1, 32}, {blocked, {12, 2}, 0, 6},
          {blocked, {4, 6}, 1, largest_block}, {blocked, {2, 3}, 0, largest_block},
          // With equal dimensions, the number of scales does not depend on the axis.
          {blocked, {4, 4}, no_axis, 2}, {blocked, {4, 4}, 0, 2}, {blocked, {4, 4}, 1, 2}},
      every_axis(blocked, {4, 4, 4}, 2),
      every_axis(blocked, {2, 3, 2, 2, 3}, 2),
  });
  // clang-format on
  return with(rows, granularity);
}

/// Block sizes for which kernels are specialized, and the shortest and longest ones, along both dimensions of a matrix.
std::span<const Geometry> common_block_geometries() {
  // clang-format off
  static const Geometries rows{
      {blocked, {8, 64}, 1, 32}, {blocked, {64, 3}, 0, 32}, {blocked, {8, 128}, 1, 64}, {blocked, {128, 2}, 0, 64},
      {blocked, {8, 256}, 1, 128}, {blocked, {8, 256}, no_axis, 128}, {blocked, {256, 2}, 0, 128},
      {blocked, {8, 5}, 1, 5}, {blocked, {8, 5}, 0, 8}, {blocked, {8, 4}, 0, 1}, {blocked, {8, 4}, 1, 1},
  };
  // clang-format on
  return rows;
}

std::span<const Geometry> default_block_geometries() {
  // clang-format off
  static const Geometries rows{
      {blocked, {8, 128}, no_axis, 128}, {blocked, {8, 128}, 1, 128}, {blocked, {4, 256}, no_axis, 128},
      {blocked, {4, 384}, no_axis, 128}, {blocked, {128, 3}, 0, 128}, {blocked, {256, 3}, 0, 128},
  };
  // clang-format on
  return rows;
}

std::span<const Geometry> other_rank_geometries() {
  // clang-format off
  static const Geometries rows{
      {per_tensor, {4}}, {per_tensor, {68}, no_axis, 0, true}, {per_tensor, {4, 3, 5}}, {per_tensor, {4, 1, 3, 2}, 0},
      {per_axis, {4, 3, 5}, no_axis, 0, false, across}, {per_axis, {4, 4, 4}, 0, 0, false, across},
      {per_axis, {4, 4, 4}, 1, 0, false, across}, {per_axis, {8, 3, 2, 2}, 0, 0, false, across},
      {per_axis, {4, 3, 2, 3}, 1, 0, false, across},
      {blocked, {12}, 0, 3}, {blocked, {64}, 0, 64}, {blocked, {4, 6, 5}, no_axis, 2}, {blocked, {4, 4, 4}, 0, 2},
      {blocked, {4, 4, 4}, 1, 2}, {blocked, {12, 2, 3, 2}, 0, 6}, {blocked, {4, 4, 1, 3}, 1, 2},
  };
  // clang-format on
  return rows;
}

std::span<const Geometry> large_geometries(Granularity granularity) {
  // clang-format off
  static const Geometries rows{
      {per_tensor, {66000}},
      {per_axis, {33, 2001}}, {per_axis, {2, 3, 11003}, -2}, {per_axis, {132, 515}, 1, 0, false, across},
      {blocked, {516, 128}, no_axis, 128}, {blocked, {3, 22003}, 1, 128}, {blocked, {1001, 66}, 0, 64},
  };
  // clang-format on
  return with(rows, granularity);
}

}  // namespace touchstone::conformance
