#include "conformance/generate/geometry.h"

#include <fmt/format.h>

#include <algorithm>

namespace touchstone::conformance {

using reference::Shape;
using spec::Granularity;

namespace {

constexpr auto per_tensor = Granularity::per_tensor;
constexpr auto per_axis = Granularity::per_axis;
constexpr auto blocked = Granularity::blocked;
constexpr auto no_axis = std::nullopt;

using Geometries = std::vector<Geometry>;

/// With several parameters there are at least four, for a case of constants to show as many scales.
const Geometries& small() {
  static const Geometries rows{
      {per_tensor, {48}},
      {per_tensor, {7, 7}, no_axis, 0, true},
      {per_tensor, {2, 5, 5}},
      {per_tensor, {67}, no_axis, 0, true},
      {per_tensor, {3, 1, 17}},
      {per_tensor, {2, 3, 2, 5}},
      {per_tensor, {2, 2, 2, 2, 2, 2}},
      {per_axis, {6, 9}},
      {per_axis, {7, 7}, 0},
      {per_axis, {5, 11}, -1},
      {per_axis, {3, 5, 4}, -2},
      {per_axis, {2, 2, 3, 5}, 3},
      {per_axis, {4, 13}, -2},
      {per_axis, {4, 1, 2, 2, 2, 2}, -6},
      {blocked, {6, 9}, no_axis, 2},
      {blocked, {9, 6}, 0, 3},
      {blocked, {50}, 0, 7},
      {blocked, {3, 5, 4}, -2, 3},
      {blocked, {2, 5, 6}, -1, 4},
      {blocked, {3, 2, 3, 3}, 3, 2},
      {blocked, {5, 11}, 1, 4},
      {blocked, {51}, -1, 16},
      {blocked, {7, 7}, 1, 3},
      {blocked, {3, 17}, -1, 6},
  };
  return rows;
}

const Geometries& with_all_codes() {
  static const Geometries rows{
      {per_tensor, {256}},           {per_tensor, {17, 16}, no_axis, 0, true},
      {per_tensor, {5, 3, 18}},      {per_axis, {52, 5}},
      {per_axis, {5, 53}, 0},        {per_axis, {8, 8, 4}, -1},
      {per_axis, {3, 4, 22}, -2},    {blocked, {8, 33}, no_axis, 8},
      {blocked, {39, 7}, 0, 16},     {blocked, {259}, 0, 64},
      {blocked, {2, 45, 3}, -2, 16},
  };
  return rows;
}

const Geometries& special() {
  static const Geometries rows{
      {per_tensor, {}},
      {per_tensor, {}, no_axis, 0, true},
      {per_tensor, {0}},
      {per_tensor, {0, 3}},
      {per_tensor, {2, 0, 3}, no_axis, 0, true},
      {per_tensor, {1}},
      {per_tensor, {1, 1, 1}},
      {per_tensor, {3, 2, 1, 2, 1, 3}},
      {per_tensor, {5, 7}, 7},
      {per_tensor, {5, 7}, -7},
      {per_tensor, {5}, 1},
      {per_tensor, {5, 7}, no_axis, 3},
      {per_tensor, {5}, 0, 5, true},
      {per_tensor, {5}, -1, 8, true},
      {per_axis, {5}, 0},
      {per_axis, {5}, -1},
      {per_axis, {3, 5}, 0},
      {per_axis, {3, 5}, 1},
      {per_axis, {3, 5}, -1},
      {per_axis, {3, 5}, -2},
      {per_axis, {1, 5}},
      {per_axis, {2, 3, 4}, 0},
      {per_axis, {2, 3, 4}, 1},
      {per_axis, {2, 3, 4}, 2},
      {per_axis, {2, 3, 4}, -1},
      {per_axis, {2, 3, 4}, -3},
      {per_axis, {2, 1, 3, 2}, 2},
      {per_axis, {2, 1, 3, 2, 2}, -1},
      {per_axis, {2, 1, 2, 2, 3, 2}, 4},
      {per_axis, {2, 1, 2, 2, 3, 2}, -2},
      {per_axis, {0, 3}},
      {per_axis, {2, 0}},
      {per_axis, {0}, 0},
      {per_axis, {3, 5}, 1, 2},
      {blocked, {5}, 0, 2},
      {blocked, {5}, -1, 3},
      {blocked, {4}, 0, 2},
      {blocked, {4, 6}, 1, 1},
      {blocked, {4, 6}, 0, 1},
      {blocked, {4, 6}, 1, 6},
      {blocked, {4, 6}, 0, 4},
      {blocked, {2, 3}, 1, 5},
      {blocked, {4, 6}, 0, 7},
      {blocked, {4, 6}, -1, 4},
      {blocked, {4, 6}, -2, 3},
      {blocked, {1, 7}, no_axis, 3},
      {blocked, {7, 1}, 0, 2},
      {blocked, {2, 3, 5}, 0, 1},
      {blocked, {2, 3, 5}, 1, 2},
      {blocked, {2, 3, 5}, 2, 2},
      {blocked, {2, 3, 5}, -3, 2},
      {blocked, {2, 5, 1, 3}, 1, 3},
      {blocked, {2, 1, 2, 5, 2}, 3, 2},
      {blocked, {2, 1, 2, 2, 5, 2}, -2, 3},
      {blocked, {0, 4}, 1, 2},
      {blocked, {3, 4, 0}, 1, 2},
      {blocked, {2, 0}, 1, 2},
      {blocked, {0, 3}, 0, 2},
      {blocked, {0}, 0, 2},
      {blocked, {2, 33}, 1, 32},
  };
  return rows;
}

const Geometries& large() {
  static const Geometries rows{
      {per_tensor, {66000}},         {per_axis, {33, 2001}},       {per_axis, {2, 3, 11003}, -2},
      {blocked, {3, 22003}, 1, 128}, {blocked, {1001, 66}, 0, 64},
  };
  return rows;
}

/// The rows of a table with a granularity; the tables have them one after the other.
std::span<const Geometry> with(const Geometries& rows, Granularity granularity) {
  const auto matches = [&](const Geometry& row) { return row.granularity == granularity; };
  const auto first = std::find_if(rows.begin(), rows.end(), matches);
  return {first, std::find_if_not(first, rows.end(), matches)};
}

/// The dimension that axis names, 1 by default.
std::size_t dimension(const Geometry& geometry) {
  const std::int64_t axis = geometry.axis.value_or(1);
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(geometry.x.size()) : axis);
}

}  // namespace

Shape Geometry::parameters() const {
  if (granularity == per_tensor) return one_element ? Shape{1} : Shape{};
  const std::size_t along = dimension(*this);
  if (granularity == per_axis) return {x[along]};
  Shape shape = x;
  shape[along] = (x[along] + block_size - 1) / block_size;
  return shape;
}

reference::Sharing Geometry::sharing() const {
  if (granularity == per_tensor) return reference::one_for_all(x);
  const std::size_t along = dimension(*this);
  if (granularity == per_axis) return reference::one_for_each_along(x, along);
  reference::Sharing sharing;
  const Shape shape = parameters();
  for (std::size_t i = 0; i < x.size(); ++i)
    sharing.dimensions.push_back({.length = x[i], .blocks = shape[i], .block = i == along ? block_size : 1});
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

std::span<const Geometry> cell_geometries(Granularity granularity, bool all_codes_of_8_bits) {
  return with(all_codes_of_8_bits ? with_all_codes() : small(), granularity);
}

std::span<const Geometry> special_geometries(Granularity granularity) { return with(special(), granularity); }

std::span<const Geometry> large_geometries(Granularity granularity) { return with(large(), granularity); }

}  // namespace touchstone::conformance
