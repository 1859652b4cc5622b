#include "reference/granularity.h"

#include <algorithm>
#include <optional>
#include <string>

namespace touchstone::reference {

using spec::Granularity;

namespace {

std::int64_t ceiling_quotient(std::int64_t dividend, std::int64_t divisor) {
  return dividend / divisor + (dividend % divisor != 0 ? 1 : 0);
}

bool is_scalar(const Shape& shape) { return shape.empty(); }
bool is_scalar_or_single(const Shape& shape) { return shape.empty() || shape == Shape{1}; }
bool has_one_element(const Shape& shape) {
  return std::all_of(shape.begin(), shape.end(), [](std::int64_t length) { return length == 1; });
}

std::string to_text(const Shape& shape) {
  std::string text = "[";
  for (std::size_t k = 0; k < shape.size(); ++k) text += (k > 0 ? "," : "") + std::to_string(shape[k]);
  return text + "]";
}

DimensionSharing all_in_one(std::int64_t length) { return {length, 1, std::max<std::int64_t>(length, 1)}; }
DimensionSharing one_for_each(std::int64_t length) { return {length, length, 1}; }
/// As many elements to a block as it takes.
DimensionSharing inferred(std::int64_t length, std::int64_t blocks) {
  return {length, blocks, blocks > 0 ? std::max<std::int64_t>(ceiling_quotient(length, blocks), 1) : 1};
}

Sharing one_for_all(const Shape& x) {
  Sharing sharing;
  for (std::int64_t length : x) sharing.dimensions.push_back(all_in_one(length));
  return sharing;
}

// ---- What every version asks before it looks at granularities

void check_input_shape(const Shape& x, Interpretation& in) {
  in.cite("qdq-output-shape");
  const bool empty = std::find(x.begin(), x.end(), 0) != x.end();
  if (empty && in.reading<spec::EmptyTensors>() == spec::EmptyTensors::invalid)
    in.reject("qdq-output-shape", "x is empty: its shape is " + to_text(x));
  if (is_scalar(x) && in.reading<spec::Rank0Input>() == spec::Rank0Input::invalid)
    in.reject("qdq-output-shape", "x is a scalar");
}

void check_single_element_shapes(const Signature& s, Interpretation& in) {
  const bool scale_is_vector = s.scale.shape() == Shape{1};
  const bool zero_point_is_vector = s.zero_point != nullptr && s.zero_point->shape() == Shape{1};
  if (!scale_is_vector && !zero_point_is_vector) return;
  const bool mixed = s.zero_point != nullptr && is_scalar_or_single(s.scale.shape()) &&
                     is_scalar_or_single(s.zero_point->shape()) && scale_is_vector != zero_point_is_vector;
  switch (in.reading<spec::ScalarShape>()) {
    case spec::ScalarShape::one_element_is_scalar: return;
    case spec::ScalarShape::mixed_ranks_invalid:
      if (mixed)
        in.reject("qdq-same-shape", "the scale has the shape " + to_text(s.scale.shape()) + ", the zero point " +
                                        to_text(s.zero_point->shape()));
      return;
    case spec::ScalarShape::one_dimension_invalid:
      in.reject("qdq-same-shape", "a parameter has the shape [1] where a scalar is meant");
  }
}

enum class Broadcast { none, scale, zero_point };

/// Which of the two parameters, if any, is repeated for the elements of the other.
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
  in.reject("qdq-same-shape", "the scale has the shape " + to_text(scale) + ", the zero point " + to_text(zero_point));
}

// ---- axis

void cite_axis(const Signature& s, Interpretation& in) {
  if (!s.has_attribute("axis")) in.cite("qdq-axis-default");
  if (s.attribute("axis") < 0) in.cite("qdq-axis-negative");
}

/// The dimension that axis names, counted from the front; nothing if it is out of range.
std::optional<std::size_t> dimension_of_axis(const Signature& s) {
  const std::int64_t axis = s.attribute("axis");
  const std::int64_t rank = s.x.rank();
  if (axis < -rank || axis >= rank) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

std::size_t required_axis(const Signature& s, Interpretation& in) {
  in.cite("qdq-axis-range");
  cite_axis(s, in);
  if (const auto dimension = dimension_of_axis(s)) return *dimension;
  const std::int64_t axis = s.attribute("axis");
  const std::int64_t rank = s.x.rank();
  if (rank > 0 && in.reading<spec::AxisForPerTensor>() == spec::AxisForPerTensor::never_checked)
    return static_cast<std::size_t>((axis % rank + rank) % rank);
  in.reject("qdq-axis-range", "axis is " + std::to_string(axis) + ", the rank of x " + std::to_string(rank));
}

// ---- the granularities

ParameterMap per_tensor(const Signature& s, Interpretation& in) {
  in.cite("qdq-per-tensor");
  if (s.has_attribute("axis")) in.cite("qdq-axis-unused");
  if (!dimension_of_axis(s) && in.reading<spec::AxisForPerTensor>() == spec::AxisForPerTensor::always_checked)
    in.reject("qdq-axis-range", "axis is out of range, though the scale is a scalar");
  const Sharing sharing = one_for_all(s.x.shape());
  return {Granularity::per_tensor, sharing, sharing};
}

ParameterMap per_axis_of(const Signature& s, const Shape& parameters, std::size_t axis, Interpretation& in) {
  in.cite("qdq-per-axis");
  in.cite("qdq-per-axis-length");
  const std::int64_t length = s.x.shape()[axis];
  if (parameters[0] != length)
    in.reject("qdq-per-axis-length", "the scale has " + std::to_string(parameters[0]) + " elements, x has " +
                                         std::to_string(length) + " along axis " + std::to_string(axis));
  Sharing sharing = one_for_all(s.x.shape());
  sharing.dimensions[axis] = one_for_each(length);
  return {Granularity::per_axis, sharing, sharing};
}

ParameterMap per_axis(const Signature& s, const Shape& parameters, Interpretation& in) {
  if (s.x.rank() == 1 && s.attribute("axis") == 1) {
    switch (in.reading<spec::Rank1DefaultAxis>()) {
      case spec::Rank1DefaultAxis::invalid: break;
      case spec::Rank1DefaultAxis::axis_0: return per_axis_of(s, parameters, 0, in);
      case spec::Rank1DefaultAxis::per_tensor: return per_tensor(s, in);
    }
  }
  return per_axis_of(s, parameters, required_axis(s, in), in);
}

/// A scale of shape [1]: a scalar, or a 1-D tensor that happens to have one element?
ParameterMap single_element_parameters(const Signature& s, const Shape& parameters, Interpretation& in) {
  const auto axis = dimension_of_axis(s);
  const bool readings_agree = axis && s.x.shape()[*axis] == 1;
  if (!readings_agree && in.reading<spec::OneElement1dScale>() == spec::OneElement1dScale::per_axis)
    return per_axis(s, parameters, in);
  return per_tensor(s, in);
}

DimensionSharing::Dealing tail_dealing(const DimensionSharing& dimension, Interpretation& in) {
  if (dimension.blocks < 2 || dimension.length % dimension.block == 0) return DimensionSharing::Dealing::in_order;
  in.cite("qdq-tail-block");
  switch (in.reading<spec::TailBlock>()) {
    case spec::TailBlock::short_last_block: break;
    case spec::TailBlock::even_split: return DimensionSharing::Dealing::evenly;
    case spec::TailBlock::interleaved: return DimensionSharing::Dealing::in_turn;
  }
  return DimensionSharing::Dealing::in_order;
}

/// A scale of the rank of x whose every dimension divides x into blocks of its own, no block size being asked.
ParameterMap blocks_by_shape(const Signature& s, const Shape& parameters) {
  Sharing sharing;
  for (std::size_t k = 0; k < parameters.size(); ++k)
    sharing.dimensions.push_back(inferred(s.x.shape()[k], parameters[k]));
  return {Granularity::blocked, sharing, sharing};
}

void check_block_size(std::int64_t length, std::int64_t blocks, std::int64_t block_size, Interpretation& in) {
  in.cite("qdq-block-size-range");
  const auto reject = [&](const std::string& range) {
    in.reject("qdq-block-size-range", "block_size is " + std::to_string(block_size) + "; for " +
                                          std::to_string(length) + " elements and " + std::to_string(blocks) +
                                          " scales it must be " + range);
  };
  if (blocks == 1) {  // the upper bound would divide by zero
    switch (in.reading<spec::SingleBlock>()) {
      case spec::SingleBlock::at_least_axis_length:
        if (block_size < length) reject("at least " + std::to_string(length));
        return;
      case spec::SingleBlock::exactly_axis_length:
        if (block_size != length) reject(std::to_string(length));
        return;
      case spec::SingleBlock::invalid: reject("undefined");
    }
  }
  const std::int64_t smallest = ceiling_quotient(length, blocks);
  const std::int64_t largest = ceiling_quotient(length, blocks - 1) - 1;
  if (smallest <= block_size && block_size <= largest) return;
  if (block_size > largest && in.reading<spec::BlockSizeRange>() == spec::BlockSizeRange::extra_scales_unused) return;
  reject(smallest <= largest ? "in [" + std::to_string(smallest) + ", " + std::to_string(largest) + "]"
                             : "in an empty range: another number of scales is needed");
}

ParameterMap blocked_along(const Signature& s, const Shape& parameters, std::size_t axis, std::int64_t block_size,
                           Interpretation& in) {
  in.cite("qdq-blocked");
  in.cite("qdq-blocked-shape");
  const Shape& x = s.x.shape();
  const auto reject_shape = [&] {
    in.reject("qdq-blocked-shape", "x has the shape " + to_text(x) + ", the scale " + to_text(parameters) +
                                       "; they may differ along axis " + std::to_string(axis) +
                                       " only, where block_size " + std::to_string(block_size) + " decides");
  };
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (k == axis || parameters[k] == x[k]) continue;
    if (in.reading<spec::SeveralBlockedDimensions>() == spec::SeveralBlockedDimensions::blocked_in_each)
      return blocks_by_shape(s, parameters);
    reject_shape();
  }

  const std::int64_t length = x[axis];
  const std::int64_t blocks = parameters[axis];
  if ((length == 0) != (blocks == 0)) reject_shape();
  if (length == 0) {
    if (in.reading<spec::EmptyBlockedAxis>() == spec::EmptyBlockedAxis::invalid) reject_shape();
  } else {
    check_block_size(length, blocks, block_size, in);
  }
  Sharing sharing;
  for (std::int64_t other_length : x) sharing.dimensions.push_back(one_for_each(other_length));
  sharing.dimensions[axis] = {length, blocks, block_size};
  sharing.dimensions[axis].dealing = tail_dealing(sharing.dimensions[axis], in);
  return {Granularity::blocked, sharing, sharing};
}

ParameterMap blocked(const Signature& s, const Shape& parameters, std::int64_t block_size, Interpretation& in) {
  if (s.x.rank() == 1 && s.attribute("axis") == 1 &&
      in.reading<spec::Rank1BlockedDefaultAxis>() == spec::Rank1BlockedDefaultAxis::axis_0)
    return blocked_along(s, parameters, 0, block_size, in);
  return blocked_along(s, parameters, required_axis(s, in), block_size, in);
}

/// A scale of the rank of x, and no block_size.
ParameterMap blocked_without_block_size(const Signature& s, const Shape& parameters, Interpretation& in) {
  in.cite("qdq-block-size-given");
  switch (in.reading<spec::MissingBlockSize>()) {
    case spec::MissingBlockSize::invalid: break;
    case spec::MissingBlockSize::inferred: return blocks_by_shape(s, parameters);
    case spec::MissingBlockSize::one_per_element:
      if (parameters == s.x.shape()) return blocks_by_shape(s, parameters);
      break;
  }
  in.reject("qdq-block-size-given", "the scale has the rank of x, and there is no block_size");
}

std::int64_t read_block_size(const Signature& s, Interpretation& in) {
  const std::int64_t block_size = s.attribute("block_size");
  if (block_size >= 0) return block_size;
  in.cite("qdq-block-size-positive");
  if (in.reading<spec::NegativeBlockSize>() == spec::NegativeBlockSize::ignored) return 0;
  in.reject("qdq-block-size-positive", "block_size is " + std::to_string(block_size));
}

void check_unused_block_size(const Signature& s, const Shape& parameters, std::int64_t block_size, Interpretation& in) {
  if (block_size == 0) return;
  in.cite("qdq-block-size-unused");
  const auto reject = [&] {
    in.reject("qdq-block-size-unused", "block_size is " + std::to_string(block_size) + ", and the scale of shape " +
                                           to_text(parameters) + " is not blocked");
  };
  const bool covers_x = parameters == Shape{1} && s.x.rank() == 1 && block_size >= s.x.shape()[0];
  if (covers_x) {
    if (in.reading<spec::BlockCoversRank1Input>() == spec::BlockCoversRank1Input::invalid) reject();
  } else if (is_scalar_or_single(parameters)) {
    if (in.reading<spec::BlockSizeWithScalarScale>() == spec::BlockSizeWithScalarScale::invalid) reject();
  } else {
    if (in.reading<spec::BlockSizeWith1dScale>() == spec::BlockSizeWith1dScale::invalid) reject();
  }
}

// ---- telling them apart

/// A scale that is neither a scalar nor 1-D, before there was blocked quantization.
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
      return blocks_by_shape(s, parameters);
  }
  in.reject("qdq-scale-rank-before-21", "the scale has the shape " + to_text(parameters));
}

ParameterMap one_dimensional_from_21(const Signature& s, const Shape& parameters, std::int64_t block_size,
                                     Interpretation& in) {
  if (s.x.rank() == 1 && block_size > 0) {
    switch (in.reading<spec::Rank1Blocked>()) {
      case spec::Rank1Blocked::blocked: return blocked(s, parameters, block_size, in);
      case spec::Rank1Blocked::per_tensor: return per_tensor(s, in);
      case spec::Rank1Blocked::invalid: in.reject("qdq-block-size-unused", "x has rank 1");
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
  if (has_one_element(parameters) &&
      in.reading<spec::OneElementScaleOfHigherRank>() == spec::OneElementScaleOfHigherRank::per_tensor)
    return per_tensor(s, in);
  if (rank_of_x) return blocked_without_block_size(s, parameters, in);
  in.reject("qdq-scale-rank",
            "the scale has the shape " + to_text(parameters) + ", x the rank " + std::to_string(s.x.rank()));
}

/// The shape that tells the granularity, and afterwards the map with the broadcast parameter put right.
template <class TellApart>
ParameterMap with_broadcast(const Signature& s, Interpretation& in, TellApart tell_apart) {
  check_input_shape(s.x.shape(), in);
  check_single_element_shapes(s, in);
  const Broadcast broadcast = check_same_shape(s, in);
  ParameterMap map = tell_apart(broadcast == Broadcast::scale ? s.zero_point->shape() : s.scale.shape());
  const bool nothing_to_take = s.scale.size() == 0 || (s.zero_point != nullptr && s.zero_point->size() == 0);
  if (s.x.size() > 0 && nothing_to_take)
    in.reject("qdq-same-shape", "the scale or the zero point is empty, and x is not");
  if (broadcast == Broadcast::scale) map.scale = one_for_all(s.x.shape());
  if (broadcast == Broadcast::zero_point) map.zero_point = one_for_all(s.x.shape());
  return map;
}

}  // namespace

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
    Sharing along_axis_1 = sharing;
    along_axis_1.dimensions[1] = one_for_each(s.x.shape()[1]);
    return {Granularity::per_axis, along_axis_1, along_axis_1};
  }
  in.reject("qdq-scale-is-scalar",
            "the scale has the shape " + to_text(s.scale.shape()) +
                (s.zero_point == nullptr ? std::string() : ", the zero point " + to_text(s.zero_point->shape())));
}

ParameterMap scalar_or_1d_parameters(const Signature& s, Interpretation& in) {
  return with_broadcast(s, in, [&](const Shape& parameters) {
    if (is_scalar(parameters)) return per_tensor(s, in);
    if (is_scalar_or_single(parameters)) return single_element_parameters(s, parameters, in);
    if (parameters.size() == 1) return per_axis(s, parameters, in);
    return higher_rank_before_21(s, parameters, in);
  });
}

ParameterMap scalar_1d_or_blocked_parameters(const Signature& s, Interpretation& in) {
  const std::int64_t block_size = read_block_size(s, in);
  return with_broadcast(s, in, [&](const Shape& parameters) {
    if (is_scalar_or_single(parameters)) {
      check_unused_block_size(s, parameters, block_size, in);
      return is_scalar(parameters) ? per_tensor(s, in) : single_element_parameters(s, parameters, in);
    }
    if (parameters.size() == 1) return one_dimensional_from_21(s, parameters, block_size, in);
    return higher_rank_from_21(s, parameters, block_size, in);
  });
}

}  // namespace touchstone::reference
