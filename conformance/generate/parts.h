// Parts of a tensor and of a legal node: removes elements together with the scales and zero points that only they use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/files/names.h"
#include "reference/outcome.h"

namespace touchstone::conformance {

/// The indices in [first, last).
struct Range {
  std::int64_t first;
  std::int64_t last;
};

/// A tensor of another shape with the same codes, which are truncated or repeated as needed. `tensor` must not be
/// empty.
Tensor reshaped(const Tensor& tensor, Shape shape);

/// The tensor with only these indices of a dimension.
Tensor part_of(const Tensor& tensor, std::size_t dimension, const Range& range);

/// All ranges of `count` indices, then of half as many, and so on, down to `shortest`.
std::vector<Range> chunks(std::int64_t count, std::int64_t shortest = 1);

/// The node that computes this element of y, per tensor. Here and below, `result` is the result of the node.
Node single_element(const Node& node, const reference::Result& result, std::int64_t index);

/// The node without some indices of a dimension of x, and without the scales and zero points that only they use;
/// std::nullopt if the others would share scales differently.
std::optional<Node> without(const Node& node, const reference::Result& result, std::size_t dimension,
                            const Range& removed);

/// Nodes with only the first indices of one dimension, few or many, and nodes without some of its indices.
std::vector<Node> parts(const Node& node, const reference::Result& result);

/// Nodes with smaller blocks.
std::vector<Node> smaller_blocks(const Node& node, const reference::Result& result);

/// Nodes of a vector, per tensor: all of x with the first scale and zero point, or with the last.
std::vector<Node> per_tensor(const Node& node, const reference::Result& result);

/// Nodes without one of the dimensions of length 1.
std::vector<Node> fewer_dimensions(const Node& node, const reference::Result& result);

}  // namespace touchstone::conformance
