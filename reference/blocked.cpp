#include "reference/blocked.h"

#include <fmt/format.h>

#include <string>

#include "reference/model/shape.h"
#include "reference/per_axis.h"

namespace touchstone::reference {

using spec::Granularity;

namespace {

/// The smallest block_size that divides `length` elements into `blocks` blocks, or std::nullopt.
std::optional<std::int64_t> inferred_block_size(std::int64_t length, std::int64_t blocks) {
  if (length == 0 || blocks == 0) return std::nullopt;
  const std::int64_t block_size = ceiling_quotient(length, blocks);
  return ceiling_quotient(length, block_size) == blocks ? std::optional(block_size) : std::nullopt;
}

DimensionSharing::Assignment tail_assignment(const DimensionSharing& dimension, Interpretation& in) {
  if (dimension.blocks < 2 || dimension.length % dimension.block == 0) return DimensionSharing::Assignment::in_order;
  in.cite("qdq-tail-block");
  switch (in.reading<spec::TailBlock>()) {
    case spec::TailBlock::short_last_block: break;
    case spec::TailBlock::even_split: return DimensionSharing::Assignment::evenly;
    case spec::TailBlock::interleaved: return DimensionSharing::Assignment::in_turn;
  }
  return DimensionSharing::Assignment::in_order;
}

void check_block_size(std::int64_t length, std::int64_t blocks, std::int64_t block_size, Interpretation& in) {
  in.cite("qdq-block-size-range");
  const auto reject = [&](const std::string& range) {
    in.reject("qdq-block-size-range", "block_size is {}; for {} elements and {} scales it must be {}", block_size,
              length, blocks, range);
  };
  if (blocks == 1) {  // the upper bound would divide by zero
    switch (in.reading<spec::SingleBlock>()) {
      case spec::SingleBlock::at_least_axis_length:
        if (block_size < length) reject(fmt::format("at least {}", length));
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
  reject(smallest <= largest ? fmt::format("in [{}, {}]", smallest, largest)
                             : "in an empty range: another number of scales is needed");
}

std::size_t count_of_different(const Shape& left, const Shape& right) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < left.size(); ++k) count += left[k] != right[k] ? 1 : 0;
  return count;
}

ParameterMap blocked_along(const Signature& s, const Shape& parameters, std::size_t axis, std::int64_t block_size,
                           Interpretation& in) {
  in.cite("qdq-blocked");
  in.cite("qdq-blocked-shape");
  const Shape& x = s.x.shape();
  const auto reject_shape = [&] {
    in.reject("qdq-blocked-shape",
              "x has the shape {}, the scale {}; they may differ along axis {} only, where block_size {} decides",
              to_text(x), to_text(parameters), axis, block_size);
  };
  const std::int64_t length = x[axis];
  const std::int64_t blocks = parameters[axis];
  const std::size_t different = count_of_different(x, parameters);
  if (different > 1) {
    const auto map = blocked_by_shape(s, parameters);
    if (map && in.reading<spec::SeveralBlockedDimensions>() == spec::SeveralBlockedDimensions::blocked_in_each)
      return *map;
  }
  const std::size_t different_beside_axis = different - (length == blocks ? 0 : 1);
  if (different_beside_axis > 0) reject_shape();

  if ((length == 0) != (blocks == 0)) reject_shape();
  if (length == 0) {
    if (in.reading<spec::EmptyBlockedAxis>() == spec::EmptyBlockedAxis::invalid) reject_shape();
  } else {
    check_block_size(length, blocks, block_size, in);
  }
  Sharing sharing;
  for (std::int64_t other_length : x) sharing.dimensions.push_back({other_length, other_length, 1});
  sharing.dimensions[axis] = {length, blocks, block_size};
  sharing.dimensions[axis].assignment = tail_assignment(sharing.dimensions[axis], in);
  return {Granularity::blocked, sharing, sharing};
}

}  // namespace

std::optional<ParameterMap> blocked_by_shape(const Signature& s, const Shape& parameters) {
  Sharing sharing;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const std::int64_t length = s.x.shape()[k];
    const std::int64_t blocks = parameters[k];
    if (blocks > length || (blocks == 0 && length > 0)) return std::nullopt;
    sharing.dimensions.push_back({length, blocks, blocks == 0 ? 1 : ceiling_quotient(length, blocks)});
  }
  return ParameterMap{Granularity::blocked, sharing, sharing};
}

std::int64_t read_block_size(const Signature& s, Interpretation& in) {
  const std::int64_t block_size = s.attribute("block_size");
  if (block_size >= 0) return block_size;
  in.cite("qdq-block-size-positive");
  if (in.reading<spec::NegativeBlockSize>() == spec::NegativeBlockSize::ignored) return 0;
  in.reject("qdq-block-size-positive", "block_size is {}", block_size);
}

void check_unused_block_size(const Signature& s, const Shape& parameters, std::int64_t block_size, Interpretation& in) {
  if (block_size == 0) return;
  in.cite("qdq-block-size-unused");
  const auto reject = [&] {
    in.reject("qdq-block-size-unused", "block_size is {}, and the scale of shape {} is not blocked", block_size,
              to_text(parameters));
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

ParameterMap blocked(const Signature& s, const Shape& parameters, std::int64_t block_size, Interpretation& in) {
  if (s.x.rank() == 1 && s.attribute("axis") == 1 &&
      in.reading<spec::Rank1BlockedDefaultAxis>() == spec::Rank1BlockedDefaultAxis::axis_0)
    return blocked_along(s, parameters, 0, block_size, in);
  return blocked_along(s, parameters, required_axis(s, in), block_size, in);
}

ParameterMap blocked_without_block_size(const Signature& s, const Shape& parameters, Interpretation& in) {
  in.cite("qdq-block-size-given");
  switch (in.reading<spec::MissingBlockSize>()) {
    case spec::MissingBlockSize::invalid: break;
    case spec::MissingBlockSize::inferred: {
      const std::size_t axis = required_axis(s, in);
      const auto block_size = inferred_block_size(s.x.shape()[axis], parameters[axis]);
      if (block_size) return blocked_along(s, parameters, axis, *block_size, in);
      break;
    }
    case spec::MissingBlockSize::one_per_element:
      if (parameters == s.x.shape()) return blocked_along(s, parameters, required_axis(s, in), 1, in);
      break;
  }
  in.reject("qdq-block-size-given", "the scale has the rank of x, and there is no block_size");
}

}  // namespace touchstone::reference
