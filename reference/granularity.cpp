#include "reference/granularity.h"

#include <algorithm>

#include "reference/blocked.h"
#include "reference/model/shape.h"
#include "reference/per_axis.h"

namespace touchstone::reference {

using spec::Granularity;

namespace {

// ---- checks of every version, independent of the granularity

void check_input_shape(const Shape& x, Interpretation& in) {
  in.cite("qdq-output-shape");
  const bool empty = std::find(x.begin(), x.end(), 0) != x.end();
  if (empty && in.reading<spec::EmptyTensors>() == spec::EmptyTensors::invalid)
    in.reject("qdq-output-shape", "x is empty: its shape is {}", to_text(x));
  if (is_scalar(x) && in.reading<spec::Rank0Input>() == spec::Rank0Input::invalid)
    in.reject("qdq-output-shape", "x is a scalar");
}

void check_single_element_shapes(const Signature& s, Interpretation& in) {
  const bool scale_is_vector = s.scale.shape() == Shape{1};
  const bool zero_point_is_vector = s.zero_point != nullptr && s.zero_point->shape() == Shape{1};
  if (!scale_is_vector && !zero_point_is_vector) return;
  // If the axis has length 1, parameters of shape [1] are not scalars: this is ordinary per-axis quantization.
  const bool both_are_vectors = scale_is_vector && (s.zero_point == nullptr || zero_point_is_vector);
  if (both_are_vectors && s.version.has(Granularity::per_axis) && axis_has_length_1(s)) return;
  const bool mixed = s.zero_point != nullptr && is_scalar_or_single(s.scale.shape()) &&
                     is_scalar_or_single(s.zero_point->shape()) && scale_is_vector != zero_point_is_vector;
  switch (in.reading<spec::ScalarShape>()) {
    case spec::ScalarShape::one_element_is_scalar: return;
    case spec::ScalarShape::mixed_ranks_invalid:
      if (mixed)
        in.reject("qdq-same-shape", "the scale has the shape {}, the zero point {}", to_text(s.scale.shape()),
                  to_text(s.zero_point->shape()));
      return;
    case spec::ScalarShape::one_dimension_invalid:
      in.reject("qdq-same-shape", "a parameter has the shape [1] where a scalar is meant");
  }
}

enum class Broadcast { none, scale, zero_point };

/// Determines which of the two parameters, if any, is repeated for the elements of the other.
Broadcast check_same_shape(const Signature& s, Interpretation& in) {
  if (s.zero_point == nullptr) return Broadcast::none;
  in.cite("qdq-same-shape");
  const Shape& scale = s.scale.shape();
  const Shape& zero_point = s.zero_point->shape();
  if (scale == zero_point || (is_scalar_or_single(scale) && is_scalar_or_single(zero_point))) return Broadcast::none;
  if (in.reading<spec::ScaleZeroPointShapes>() == spec::ScaleZeroPointShapes::broadcast) {
    if (is_scalar_or_single(zero_point)) return Broadcast::zero_point;
    if (is_scalar_or_single(scale)) return Broadcast::scale;
  }
  in.reject("qdq-same-shape", "the scale has the shape {}, the zero point {}", to_text(scale), to_text(zero_point));
}

// ---- distinguishing the granularities

/// A scale that is neither a scalar nor 1-D, in versions without blocked quantization.
ParameterMap higher_rank_before_21(const Signature& s, const Shape& parameters, Interpretation& in) {
  in.cite("qdq-scale-rank-before-21");
  if (has_one_element(parameters)) {
    if (in.reading<spec::OneElementScaleOfHigherRank>() == spec::OneElementScaleOfHigherRank::per_tensor)
      return per_tensor(s, in);
  } else if (parameters.size() == s.x.shape().size()) {
    const spec::BlockedBefore21::Reading reading = in.reading<spec::BlockedBefore21>();
    const bool broadcasts =
        std::equal(parameters.begin(), parameters.end(), s.x.shape().begin(),
                   [](std::int64_t of_scale, std::int64_t of_x) { return of_scale == 1 || of_scale == of_x; });
    if (reading == spec::BlockedBefore21::blocked || (reading == spec::BlockedBefore21::broadcast && broadcasts))
      if (const auto map = blocked_by_shape(s, parameters)) return *map;
  }
  in.reject("qdq-scale-rank-before-21", "the scale has the shape {}", to_text(parameters));
}

ParameterMap one_dimensional_from_21(const Signature& s, const Shape& parameters, std::int64_t block_size,
                                     Interpretation& in) {
  if (s.x.rank() == 1 && block_size > 0) {
    switch (in.reading<spec::Rank1Blocked>()) {
      case spec::Rank1Blocked::blocked: return blocked(s, parameters, block_size, in);
      case spec::Rank1Blocked::per_tensor: return per_tensor(s, in);
      case spec::Rank1Blocked::invalid: in.reject("qdq-rank-1-per-tensor", "x has rank 1; the scale is not a scalar");
    }
  }
  check_unused_block_size(s, parameters, block_size, in);
  return per_axis(s, parameters, in);
}

ParameterMap higher_rank_from_21(const Signature& s, const Shape& parameters, std::int64_t block_size,
                                 Interpretation& in) {
  in.cite("qdq-scale-rank");
  const bool rank_of_x = parameters.size() == s.x.shape().size();
  if (rank_of_x && block_size > 0) return blocked(s, parameters, block_size, in);
  if (block_size == 0 && has_one_element(parameters) &&
      in.reading<spec::OneElementScaleOfHigherRank>() == spec::OneElementScaleOfHigherRank::per_tensor)
    return per_tensor(s, in);
  if (rank_of_x) return blocked_without_block_size(s, parameters, in);
  in.reject("qdq-scale-rank", "the scale has the shape {}, x the rank {}", to_text(parameters), s.x.rank());
}

}  // namespace

ParameterMap resolve_granularity(const Signature& s, Interpretation& in, const GranularityOfShape& granularity_of) {
  check_input_shape(s.x.shape(), in);
  check_single_element_shapes(s, in);
  const Broadcast broadcast = check_same_shape(s, in);
  ParameterMap map = granularity_of(broadcast == Broadcast::scale ? s.zero_point->shape() : s.scale.shape());
  const bool nothing_to_take = s.scale.size() == 0 || (s.zero_point != nullptr && s.zero_point->size() == 0);
  if (s.x.size() > 0 && nothing_to_take)
    in.reject("qdq-same-shape", "the scale or the zero point is empty, and x is not");
  if (broadcast == Broadcast::scale) map.scale = one_for_all(s.x.shape());
  if (broadcast == Broadcast::zero_point) map.zero_point = one_for_all(s.x.shape());
  return map;
}

ParameterMap scalar_parameters(const Signature& s, Interpretation& in) {
  check_input_shape(s.x.shape(), in);
  check_single_element_shapes(s, in);
  in.cite("qdq-scale-is-scalar");
  const Sharing sharing = one_for_all(s.x.shape());
  const bool zero_point_is_scalar = s.zero_point == nullptr || is_scalar_or_single(s.zero_point->shape());
  if (is_scalar_or_single(s.scale.shape()) && zero_point_is_scalar) return {Granularity::per_tensor, sharing, sharing};

  const bool one_dimensional =
      s.scale.rank() == 1 && (s.zero_point == nullptr || s.zero_point->shape() == s.scale.shape());
  if (one_dimensional && in.reading<spec::PerAxisBefore13>() == spec::PerAxisBefore13::axis_1 && s.x.rank() > 1 &&
      s.x.shape()[1] == s.scale.shape()[0]) {
    const Sharing along_axis_1 = one_for_each_along(s.x.shape(), 1);
    return {Granularity::per_axis, along_axis_1, along_axis_1};
  }
  in.reject("qdq-scale-is-scalar", "the scale has the shape {}, the zero point {}", to_text(s.scale.shape()),
            s.zero_point == nullptr ? "is absent" : to_text(s.zero_point->shape()));
}

ParameterMap scalar_or_1d_parameters(const Signature& s, Interpretation& in) {
  return resolve_granularity(s, in, [&](const Shape& parameters) {
    if (is_scalar(parameters)) return per_tensor(s, in);
    if (is_scalar_or_single(parameters)) return per_tensor_or_single_axis(s, parameters, in);
    if (parameters.size() == 1) return per_axis(s, parameters, in);
    return higher_rank_before_21(s, parameters, in);
  });
}

ParameterMap scalar_1d_or_blocked_parameters(const Signature& s, Interpretation& in) {
  const std::int64_t block_size = read_block_size(s, in);
  return resolve_granularity(s, in, [&](const Shape& parameters) {
    if (is_scalar_or_single(parameters)) {
      check_unused_block_size(s, parameters, block_size, in);
      return is_scalar(parameters) ? per_tensor(s, in) : per_tensor_or_single_axis(s, parameters, in);
    }
    if (parameters.size() == 1) return one_dimensional_from_21(s, parameters, block_size, in);
    return higher_rank_from_21(s, parameters, block_size, in);
  });
}

}  // namespace touchstone::reference
