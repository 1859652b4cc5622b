#include "reference/opmx_shapes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "reference/model/shape.h"

namespace touchstone::reference {

using spec::Granularity;
using spec::NibbleOrder;

// ---- packed rows

namespace {

constexpr int per_element = spec::elements_per_carrier(ElementType::int4x4);
static_assert(per_element == 4);

std::uint64_t nibble(const Tensor& x, std::int64_t index, int j) { return x.code(index) >> (4 * j) & 0xF; }

/// An int4x4 tensor whose dimension `axis` is four times that of x.
Tensor unpacked(const Tensor& x, std::size_t axis, Interpretation& in) {
  Shape shape = x.shape();
  constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max() / per_element;
  const bool fits = shape[axis] <= longest;
  if (fits) shape[axis] *= per_element;
  if (!fits || !element_count(shape))
    in.reject("pmx-packed-rows", "x has the shape {}, four times as many rows are too many", to_text(x.shape()));
  return Tensor(ElementType::int4x4, std::move(shape));
}

/// The row that nibble j of packed row p holds, if there are `rows` packed rows.
std::int64_t row_of(NibbleOrder::Reading order, std::int64_t p, int j, std::int64_t rows) {
  switch (order) {
    case NibbleOrder::low_nibble_first:
    case NibbleOrder::columns: break;
    case NibbleOrder::high_nibble_first: return per_element * p + (per_element - 1 - j);
    case NibbleOrder::strided_rows: return p + j * rows;
  }
  return per_element * p + j;
}

Tensor unpack_rows(const Tensor& x, NibbleOrder::Reading order, Interpretation& in) {
  Tensor tensor = unpacked(x, 0, in);
  const std::int64_t rows = x.shape()[0];
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const std::int64_t row_length = x.size() / rows;
    const std::int64_t p = i / row_length;
    const std::int64_t k = i % row_length;
    for (int j = 0; j < per_element; ++j) tensor.set_code(row_of(order, p, j, rows) * row_length + k, nibble(x, i, j));
  }
  return tensor;
}

/// A wrong reading, which gives a tensor of another shape.
Tensor unpack_columns(const Tensor& x, Interpretation& in) {
  Tensor tensor = unpacked(x, 1, in);
  std::int64_t after = 1;  // the elements of the dimensions after the columns
  for (std::size_t k = 2; k < x.shape().size(); ++k) after *= x.shape()[k];
  for (std::int64_t i = 0; i < x.size(); ++i)
    for (int j = 0; j < per_element; ++j)
      tensor.set_code((i / after * per_element + j) * after + i % after, nibble(x, i, j));
  return tensor;
}

}  // namespace

Tensor unpack_int4x4(const Tensor& x, Interpretation& in) {
  in.cite("pmx-packed-rows");
  in.cite("pmx-packing");
  if (x.rank() == 0) in.reject("pmx-packed-rows", "x is a scalar, and has no rows that could share its element");
  const NibbleOrder::Reading order = in.reading<NibbleOrder>();
  if (order == NibbleOrder::columns && x.rank() > 1) return unpack_columns(x, in);
  return unpack_rows(x, order, in);
}

// ---- scales and zero points

namespace {

void check_shape_of_x(const Tensor& x, Interpretation& in) {
  in.cite("qdq-output-shape");
  if (x.size() == 0 && in.reading<spec::EmptyTensors>() == spec::EmptyTensors::invalid)
    in.reject("qdq-output-shape", "x is empty: its shape is {}", to_text(x.shape()));
  if (x.rank() != 2 && in.reading<spec::OpmxRank>() == spec::OpmxRank::two_dimensions_only)
    in.reject("qdq-output-shape", "x is not a matrix: its shape is {}", to_text(x.shape()));
}

/// "Only accept 0 or 1."
std::size_t read_quant_axis(const Signature& s, Interpretation& in) {
  in.cite("pmx-quant-axis");
  if (!s.has_attribute("quant_axis")) in.cite("pmx-quant-axis-default");
  const std::int64_t axis = s.attribute("quant_axis");
  if (axis != 0 && axis != 1) in.reject("pmx-quant-axis", "quant_axis is {}; only 0 and 1 are accepted", axis);
  return static_cast<std::size_t>(axis);
}

/// 0 if there are no groups.
std::int64_t read_group_size(const Signature& s, Interpretation& in) {
  in.cite("pmx-group-size");
  if (!s.has_attribute("group_size")) {
    in.cite("pmx-group-size-default");
    if (in.reading<spec::DefaultGroupSize>() == spec::DefaultGroupSize::ungrouped) return 0;
  }
  const std::int64_t group_size = s.attribute("group_size");
  if (group_size < 0) in.reject("pmx-group-size-positive", "group_size is {}", group_size);
  return group_size;
}

/// "Shape: Same as Scale". [] and [1] are both "(1) or scalar".
void check_same_shape(const Signature& s, Interpretation& in) {
  if (s.zero_point == nullptr) return;
  in.cite("qdq-same-shape");
  const Shape& scale = s.scale.shape();
  const Shape& zero_point = s.zero_point->shape();
  if (scale == zero_point) return;
  const bool both_scalars = is_scalar_or_single(scale) && is_scalar_or_single(zero_point);
  if (both_scalars && in.reading<spec::ScalarShape>() != spec::ScalarShape::mixed_ranks_invalid) return;
  in.reject("qdq-same-shape", "Scale has the shape {}, ZeroPoint {}", to_text(scale), to_text(zero_point));
}

/// Every index has its own parameter, except along `axis`, where `shared` determines which indices share one.
ParameterMap shared_along(const Signature& s, std::size_t axis, const DimensionSharing& shared,
                          Granularity granularity) {
  Sharing sharing;
  for (const std::int64_t length : s.x.shape()) sharing.dimensions.push_back({length, length, 1});
  sharing.dimensions[axis] = shared;
  return {granularity, sharing, sharing};
}

Shape with_length(Shape shape, std::size_t axis, std::int64_t length) {
  shape[axis] = length;
  return shape;
}

/// "(d0/4, d1, ..., dn)": the rows of x may have been padded to a multiple of 4, which only the shape of Scale shows. A
/// row of Scale applies to `rows_of_a_scale` rows of x.
void check_rows_were_not_filled_up(const Signature& s, const Shape& expected, std::int64_t rows_of_a_scale,
                                   Interpretation& in) {
  const Shape& scale = s.scale.shape();
  if (s.x.type() != ElementType::int4x4 || scale.empty() || scale[0] >= expected[0]) return;
  const std::int64_t rows = scale[0] * rows_of_a_scale;
  const std::int64_t filled_up = s.x.shape()[0] - rows;
  if (scale == with_length(expected, 0, scale[0]) && filled_up < spec::elements_per_carrier(s.x.type()))
    in.reject("pmx-packed-rows", "Scale is for {} rows, which is not a multiple of 4", rows);
}

// ---- group_size != 0

/// "group_size != 0 and quant_axis == 1: (d0, d1/group_size, ..., dn). d0 must be aligned with group_size.": the page's
/// rule for dimension 0 if the groups are along dimension 1.
bool needs_whole_groups_along_1(const Shape& x, std::int64_t group_size, Interpretation& in) {
  if (x[0] % group_size == 0 && x[1] % group_size == 0) return true;
  const auto reading = in.reading<spec::GroupsAlongAxis1>();
  if (reading != spec::GroupsAlongAxis1::divide_dimension_1 && x[0] % group_size != 0)
    in.reject("pmx-whole-groups", "group_size {} does not divide the {} elements of dimension 0", group_size, x[0]);
  return reading != spec::GroupsAlongAxis1::divide_dimension_0;
}

std::int64_t count_groups(const Shape& x, std::size_t axis, std::int64_t group_size, Interpretation& in) {
  in.cite("pmx-whole-groups");
  const std::int64_t length = x[axis];
  if (axis == 1 && !needs_whole_groups_along_1(x, group_size, in)) return ceiling_quotient(length, group_size);
  if (length % group_size != 0 && in.reading<spec::PartialGroup>() == spec::PartialGroup::invalid)
    in.reject("pmx-whole-groups", "group_size {} does not divide the {} elements along quant_axis", group_size, length);
  return ceiling_quotient(length, group_size);
}

/// The number of rows that share a scale.
std::int64_t rows_of_a_group(const Signature& s, std::int64_t groups, std::int64_t group_size, Interpretation& in) {
  const bool rows_are_packed = s.x.type() == ElementType::int4x4 && s.x.size() > 0;
  if (groups > 1 && rows_are_packed && in.reading<spec::GroupIndex>() == spec::GroupIndex::packed_row)
    return group_size * spec::elements_per_carrier(s.x.type());
  return group_size;
}

ParameterMap grouped(const Signature& s, std::size_t axis, std::int64_t group_size, Interpretation& in) {
  in.cite("pmx-grouped");
  in.cite("pmx-grouped-shape");
  const Shape& x = s.x.shape();
  if (axis >= x.size()) in.reject("pmx-quant-axis", "quant_axis is {}, the rank of x {}", axis, s.x.rank());
  const std::int64_t length = x[axis];
  const std::int64_t groups = count_groups(x, axis, group_size, in);
  const Shape expected = with_length(x, axis, groups);
  if (s.scale.shape() != expected) {
    check_rows_were_not_filled_up(s, expected, axis == 0 ? group_size : 1, in);
    in.reject("pmx-grouped-shape", "Scale has the shape {}; with group_size {} it must be {}", to_text(s.scale.shape()),
              group_size, to_text(expected));
  }
  const std::int64_t shared = axis == 0 ? rows_of_a_group(s, groups, group_size, in) : group_size;
  return shared_along(s, axis, {length, groups, shared}, Granularity::blocked);
}

// ---- group_size == 0

ParameterMap one_for_tensor(const Signature& s, Interpretation& in) {
  in.cite("qdq-per-tensor");
  const Sharing sharing = one_for_all(s.x.shape());
  return {Granularity::per_tensor, sharing, sharing};
}

/// "(1) or scalar"
ParameterMap per_tensor_of_scalar(const Signature& s, Interpretation& in) {
  const bool has_vector = s.scale.rank() == 1 || (s.zero_point != nullptr && s.zero_point->rank() == 1);
  if (has_vector && in.reading<spec::ScalarShape>() == spec::ScalarShape::one_dimension_invalid)
    in.reject("pmx-ungrouped-shape", "a parameter has the shape [1] where a scalar is meant");
  return one_for_tensor(s, in);
}

/// Whether the shape is that of one scale per channel.
bool is_per_channel(const Shape& parameters, const Shape& x, std::size_t axis, Interpretation& in) {
  if (axis >= x.size()) return false;
  if (parameters == with_length(x, axis, 1)) return true;
  const bool one_dimension = x.size() == 2 && parameters == Shape{x[1 - axis]};
  return one_dimension && in.reading<spec::PerChannelShape>() == spec::PerChannelShape::one_dimension_too;
}

ParameterMap ungrouped(const Signature& s, std::size_t axis, Interpretation& in) {
  in.cite("pmx-ungrouped-shape");
  const Shape& parameters = s.scale.shape();
  if (is_scalar_or_single(parameters)) return per_tensor_of_scalar(s, in);
  if (is_per_channel(parameters, s.x.shape(), axis, in)) {
    in.cite("pmx-per-channel");
    if (axis == 0 && in.reading<spec::PerChannelOfAxis0>() == spec::PerChannelOfAxis0::invalid)
      in.reject("pmx-ungrouped-shape", "per channel with a quant_axis of 0");
    const std::int64_t length = s.x.shape()[axis];
    return shared_along(s, axis, {length, 1, std::max<std::int64_t>(length, 1)}, Granularity::per_axis);
  }
  if (has_one_element(parameters) &&
      in.reading<spec::OneElementScaleOfHigherRank>() == spec::OneElementScaleOfHigherRank::per_tensor)
    return one_for_tensor(s, in);
  if (axis == 1 && s.x.rank() > 1) check_rows_were_not_filled_up(s, with_length(s.x.shape(), axis, 1), 1, in);
  in.reject("pmx-ungrouped-shape", "Scale has the shape {}, x {}, and there are no groups", to_text(parameters),
            to_text(s.x.shape()));
}

}  // namespace

ParameterMap opmx_parameters(const Signature& s, Interpretation& in) {
  check_shape_of_x(s.x, in);
  const std::size_t axis = read_quant_axis(s, in);
  const std::int64_t group_size = read_group_size(s, in);
  check_same_shape(s, in);
  return group_size == 0 ? ungrouped(s, axis, in) : grouped(s, axis, group_size, in);
}

}  // namespace touchstone::reference
