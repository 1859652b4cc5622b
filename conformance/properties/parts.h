// Parts of a tensor, and of a legal node: elements are left out together with the scales and zero points that belong to
// them alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/model/node.h"
#include "reference/outcome.h"

namespace touchstone::conformance {

/// The indices from `first` up to, but not including, `last`.
struct Range {
  std::int64_t first;
  std::int64_t last;
};

/// A tensor of another shape with the same codes, which are truncated or repeated as needed. `tensor` must not be
/// empty.
reference::Tensor reshaped(const reference::Tensor& tensor, reference::Shape shape);

/// Every range of so many, then of half as many, and so on, down to 1.
std::vector<Range> chunks(std::int64_t count);

/// Nodes that compute one element of y, per tensor. `result` is what the node gives, here and below.
std::vector<reference::Node> single_elements(const reference::Node& node, const reference::Result& result);

/// Nodes with the first indices of one dimension, few or many; and without some indices of it.
std::vector<reference::Node> parts(const reference::Node& node, const reference::Result& result);

/// Nodes whose blocks are smaller.
std::vector<reference::Node> smaller_blocks(const reference::Node& node, const reference::Result& result);

/// Nodes of a vector, per tensor: all of x with the first scale and zero point, and with the last.
std::vector<reference::Node> per_tensor(const reference::Node& node, const reference::Result& result);

/// Nodes without a dimension of one index.
std::vector<reference::Node> fewer_dimensions(const reference::Node& node, const reference::Result& result);

}  // namespace touchstone::conformance
