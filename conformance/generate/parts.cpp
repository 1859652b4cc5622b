#include "conformance/generate/parts.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "reference/interpreter.h"
#include "reference/model/shape.h"

namespace touchstone::conformance {

using reference::ceiling_quotient;
using reference::DimensionSharing;
using reference::Result;

namespace {

/// The limit on the parts of one dimension. Only the dimensions of an empty tensor are so long that it is reached.
constexpr std::int64_t most_parts = 10'000;

/// The number of rows of y that are packed in one row of x, along dimension 0.
std::int64_t packed_rows(const Node& node, const Result& result) {
  return result.x.type() == node.inputs[0]->type() ? 1 : spec::elements_per_carrier(result.x.type());
}

/// Keeps only those indices of a dimension for which `is_kept` holds. The tensor is read in the shape `viewed`.
Tensor kept(const Tensor& tensor, const Shape& viewed, std::size_t dimension, Shape shape,
            const std::function<bool(std::int64_t)>& is_kept) {
  const std::int64_t inner = std::accumulate(viewed.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, viewed.end(),
                                             std::int64_t{1}, std::multiplies<>());
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    if (is_kept(i / inner % viewed[dimension])) codes.push_back(tensor.code(i));
  return Tensor::from_codes(tensor.type(), std::move(shape), codes);
}

/// The scales that become unused when x loses a range of elements of y; std::nullopt if removing it would change how
/// the others share scales.
std::optional<Range> superfluous_blocks(const DimensionSharing& sharing, const Range& removed) {
  if (sharing.blocks == 1) return Range{0, 0};
  const std::int64_t last = ceiling_quotient(removed.last, sharing.block);
  if (removed.last != sharing.length && removed.last % sharing.block != 0) return std::nullopt;
  if (removed.first % sharing.block == 0) return Range{removed.first / sharing.block, last};
  if (removed.last != sharing.length) return std::nullopt;
  return Range{ceiling_quotient(removed.first, sharing.block), last};
}

/// Removes blocks from scale and zero point, which are read in the shape `blocks`.
void remove_blocks(Node& node, const Shape& blocks, std::size_t dimension, const Range& removed) {
  for (std::size_t operand = 1; operand < node.inputs.size(); ++operand) {
    if (!node.inputs[operand] || node.inputs[operand]->size() == 0) continue;
    const Tensor& parameter = *node.inputs[operand];
    if (parameter.rank() == 0 || removed.first == removed.last) continue;
    Shape shape = parameter.shape();
    shape[parameter.rank() == 1 ? 0 : dimension] -= removed.last - removed.first;
    node.inputs[operand] = kept(parameter, blocks, dimension, shape,
                                [&](std::int64_t index) { return index < removed.first || removed.last <= index; });
  }
}

Shape shape_of_blocks(const Result& result) {
  Shape blocks;
  for (const DimensionSharing& dimension : result.parameters.scale.dimensions) blocks.push_back(dimension.blocks);
  return blocks;
}

/// Removes the attributes that define the granularity. A block size with a nonzero default is set to 0 instead.
void forget_granularity(Node& node) {
  const OperatorVersion& version = reference::operator_version(node);
  for (const AttributeMeaning meaning : {AttributeMeaning::axis, AttributeMeaning::block_size}) {
    const spec::Attribute* row = version.attribute(meaning);
    if (row == nullptr) continue;
    node.attributes.erase(std::string(row->name));
    if (meaning == AttributeMeaning::block_size && row->default_value != std::int64_t{0})
      node.attributes[std::string(row->name)] = std::int64_t{0};
  }
}

/// The value of the attribute, or its default; std::nullopt if there is neither.
std::optional<std::int64_t> given_axis(const Node& node) {
  const spec::Attribute* row = reference::operator_version(node).attribute(AttributeMeaning::axis);
  if (row == nullptr) return std::nullopt;
  const auto given = node.attributes.find(std::string(row->name));
  const auto* number = given == node.attributes.end() ? nullptr : std::get_if<std::int64_t>(&given->second);
  return number != nullptr ? std::optional(*number) : row->default_value;
}

/// The dimension that the attribute or its default names.
std::optional<std::int64_t> axis_of(const Node& node) {
  const std::optional<std::int64_t> axis = given_axis(node);
  return axis && *axis < 0 ? *axis + node.inputs[0]->rank() : axis;
}

/// Reduces the parameters to the scale and zero point of one element.
void take_parameters(Node& node, std::int64_t scale, std::int64_t zero_point) {
  for (std::size_t operand = 1; operand < node.inputs.size(); ++operand) {
    if (!node.inputs[operand] || node.inputs[operand]->size() == 0) continue;
    const Tensor& parameter = *node.inputs[operand];
    Tensor one(parameter.type(), {});
    one.set_code(0, parameter.code(operand == 1 ? scale : zero_point));
    node.inputs[operand] = one;
  }
}

}  // namespace

Tensor reshaped(const Tensor& tensor, Shape shape) {
  Tensor other(tensor.type(), std::move(shape));
  for (std::int64_t i = 0; i < other.size(); ++i) other.set_code(i, tensor.code(i % tensor.size()));
  return other;
}

Tensor part_of(const Tensor& tensor, std::size_t dimension, const Range& range) {
  Shape shape = tensor.shape();
  shape[dimension] = range.last - range.first;
  return kept(tensor, tensor.shape(), dimension, std::move(shape),
              [&](std::int64_t index) { return range.first <= index && index < range.last; });
}

std::vector<Range> chunks(std::int64_t count, std::int64_t shortest) {
  std::vector<Range> all;
  for (std::int64_t length = count; length >= shortest; length /= 2)
    for (std::int64_t first = 0; first < count; first = all.back().last)
      all.push_back({first, first + std::min(length, count - first)});
  return all;
}

Node single_element(const Node& node, const Result& result, std::int64_t index) {
  const Tensor& x = *node.inputs[0];
  const std::int64_t rows = packed_rows(node, result);
  const std::int64_t row_length = x.rank() == 0 || x.shape()[0] == 0 ? 1 : x.size() / x.shape()[0];
  Node one = node;
  Tensor element(x.type(), {1});
  element.set_code(0, x.code(index / row_length / rows * row_length + index % row_length));
  one.inputs[0] = element;
  take_parameters(one, result.parameters.scale(index), result.parameters.zero_point(index));
  forget_granularity(one);
  return one;
}

std::optional<Node> without(const Node& node, const Result& result, std::size_t dimension, const Range& removed) {
  const std::int64_t rows = dimension == 0 ? packed_rows(node, result) : 1;
  const DimensionSharing& sharing = result.parameters.scale.dimensions[dimension];
  const auto blocks = superfluous_blocks(sharing, {removed.first * rows, removed.last * rows});
  if (!blocks) return std::nullopt;
  Node part = node;
  const Tensor& x = *node.inputs[0];
  Shape shape = x.shape();
  shape[dimension] -= removed.last - removed.first;
  part.inputs[0] = kept(x, x.shape(), dimension, shape,
                        [&](std::int64_t index) { return index < removed.first || removed.last <= index; });
  remove_blocks(part, shape_of_blocks(result), dimension, *blocks);
  return part;
}

std::vector<Node> parts(const Node& node, const Result& result) {
  std::vector<Node> all;
  const Shape& shape = node.inputs[0]->shape();
  for (std::size_t dimension = 0; dimension < shape.size(); ++dimension) {
    const std::int64_t length = shape[dimension];
    // The shortest prefixes find failures that depend only on the length.
    std::vector<Range> ranges;
    for (std::int64_t kept = 1; kept < std::min(length, most_parts); ++kept) ranges.push_back({kept, length});
    for (const Range& range : chunks(length, std::max<std::int64_t>(1, length / most_parts)))
      if (range.last < length) ranges.push_back(range);
    for (const Range& removed : ranges)
      if (auto part = without(node, result, dimension, removed)) all.push_back(*std::move(part));
  }
  return all;
}

std::vector<Node> smaller_blocks(const Node& node, const Result& result) {
  std::vector<Node> all;
  const spec::Attribute* row = reference::operator_version(node).attribute(AttributeMeaning::block_size);
  const std::optional<std::int64_t> axis = axis_of(node);
  if (result.parameters.granularity != Granularity::blocked || row == nullptr || !axis) return all;
  const auto dimension = static_cast<std::size_t>(*axis);
  const DimensionSharing& sharing = result.parameters.scale.dimensions[dimension];
  const Tensor& x = *node.inputs[0];
  if (x.shape()[dimension] != sharing.length) return all;  // packed
  for (const std::int64_t block : {std::int64_t{1}, sharing.block / 2, sharing.block - 1}) {
    if (block < 1 || block >= sharing.block) continue;
    const auto is_kept = [&](std::int64_t index) { return index % sharing.block < block; };
    Shape shape = x.shape();
    shape[dimension] = sharing.length / sharing.block * block + std::min(sharing.length % sharing.block, block);
    Node smaller = node;
    smaller.inputs[0] = kept(x, x.shape(), dimension, shape, is_kept);
    smaller.attributes[std::string(row->name)] = block;
    all.push_back(std::move(smaller));
  }
  return all;
}

std::vector<Node> per_tensor(const Node& node, const Result& result) {
  std::vector<Node> all;
  const Tensor& x = *node.inputs[0];
  for (const std::int64_t i : {std::int64_t{0}, result.y.size() - 1}) {
    if (result.y.size() == 0) break;
    Node flat = node;
    if (packed_rows(node, result) == 1) flat.inputs[0] = reshaped(x, {x.size()});
    take_parameters(flat, result.parameters.scale(i), result.parameters.zero_point(i));
    forget_granularity(flat);
    all.push_back(std::move(flat));
  }
  return all;
}

std::vector<Node> fewer_dimensions(const Node& node, const Result& result) {
  std::vector<Node> all;
  const Tensor& x = *node.inputs[0];
  const spec::Attribute* row = reference::operator_version(node).attribute(AttributeMeaning::axis);
  const std::optional<std::int64_t> axis = axis_of(node);
  for (std::size_t dimension = 0; x.rank() > 1 && dimension < x.shape().size(); ++dimension) {
    const auto place = static_cast<std::int64_t>(dimension);
    if (x.shape()[dimension] != 1 || axis == place) continue;
    Node fewer = node;
    for (std::optional<Tensor>& operand : fewer.inputs) {
      if (!operand || operand->rank() != x.rank()) continue;
      Shape shape = operand->shape();
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dimension));
      operand = reshaped(*operand, shape);
    }
    if (axis && result.parameters.granularity != Granularity::per_tensor) {
      const std::int64_t moved = *axis > place ? *axis - 1 : *axis;
      // A negative axis stays negative: a backend may treat it differently.
      fewer.attributes[std::string(row->name)] = *given_axis(node) < 0 ? moved - (x.rank() - 1) : moved;
    }
    all.push_back(std::move(fewer));
  }
  return all;
}

}  // namespace touchstone::conformance
