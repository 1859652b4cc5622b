#include "conformance/diagnose/node_changes.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "reference/host_numbers.h"
#include "reference/interpreter.h"
#include "reference/model/shape.h"

namespace touchstone::conformance {

namespace {

const spec::Attribute* find_attribute(const Node& node, AttributeMeaning meaning) {
  return reference::operator_version(node).attribute(meaning);
}

bool set_attribute(Node& node, AttributeMeaning meaning, std::int64_t value) {
  const spec::Attribute* row = find_attribute(node, meaning);
  if (row == nullptr) return false;
  node.attributes[std::string(row->name)] = value;
  return true;
}

bool erase_attribute(Node& node, AttributeMeaning meaning) {
  const spec::Attribute* row = find_attribute(node, meaning);
  return row != nullptr && node.attributes.erase(std::string(row->name)) > 0;
}

// ---- axes

/// The shape of a scale with one element for each index or block along this dimension.
Shape scale_shape(const Node& node, std::size_t dimension) {
  const bool is_packed = node.domain == spec::opmx && node.inputs[0]->type() == ElementType::int16;
  Shape shape = node.inputs[0]->shape();
  if (is_packed && !shape.empty()) shape[0] *= spec::elements_per_carrier(ElementType::int4x4);
  if (node.inputs[1]->rank() == 1) return {shape[dimension]};
  const std::int64_t given = integer_attribute(node, AttributeMeaning::block_size).value_or(0);
  const std::int64_t block = given <= 0 ? std::max<std::int64_t>(shape[dimension], 1) : given;
  shape[dimension] = reference::ceiling_quotient(shape[dimension], block);
  return shape;
}

/// Changes the node's axis to the dimension, if the parameters fit it.
bool take_dimension(Node& node, std::int64_t dimension) {
  if (dimension < 0 || dimension >= node.inputs[0]->rank()) return false;
  const Shape shape = scale_shape(node, static_cast<std::size_t>(dimension));
  if (reference::element_count(shape) != node.inputs[1]->size()) return false;
  for (std::size_t i = 1; i < node.inputs.size(); ++i)
    if (node.inputs[i] && node.inputs[i]->size() == node.inputs[1]->size())
      node.inputs[i] = Tensor(node.inputs[i]->type(), shape,
                              std::vector(node.inputs[i]->bytes().begin(), node.inputs[i]->bytes().end()));
  return set_attribute(node, AttributeMeaning::axis, dimension);
}

/// The dimension of axis, if the node has several parameters.
std::optional<std::int64_t> dimension_of_axis(const Node& node) {
  const bool has_operands = node.inputs.size() > 1 && node.inputs[0] && node.inputs[1];
  if (!has_operands || node.inputs[0]->rank() < 2 || node.inputs[1]->size() < 2) return std::nullopt;
  const auto axis = integer_attribute(node, AttributeMeaning::axis);
  const std::int64_t rank = node.inputs[0]->rank();
  if (!axis || *axis < -rank || *axis >= rank) return std::nullopt;
  return *axis < 0 ? *axis + rank : *axis;
}

/// Changes the axis to `dimension`, counted from the back if negative.
bool take_other_dimension(Node& node, std::int64_t dimension) {
  const auto right = dimension_of_axis(node);
  if (!right) return false;
  const std::int64_t counted = dimension < 0 ? dimension + node.inputs[0]->rank() : dimension;
  return counted != *right && take_dimension(node, counted);
}

bool is_negative_axis(const Node& node) { return integer_attribute(node, AttributeMeaning::axis).value_or(0) < 0; }

// ---- operands

bool keep_first(Node& node, const ModelRun& run, std::size_t input) {
  if (run.index == 0 || input >= node.inputs.size() || input >= run.first.size()) return false;
  const auto& first = run.first[input];
  auto& now = node.inputs[input];
  if (!first || !now || first->type() != now->type() || first->shape() != now->shape()) return false;
  now = first;
  return true;
}

/// Reads each element from another place; 0 from places beyond the end. Returns whether this changed one.
template <class Place>
bool read_from(Tensor& tensor, const Place& place_of) {
  const Tensor given = tensor;
  bool changed = false;
  for (std::int64_t i = 0; i < given.size(); ++i) {
    const std::int64_t place = place_of(i);
    const std::uint64_t code = place < given.size() ? given.code(place) : 0;
    changed = changed || code != given.code(i);
    tensor.set_code(i, code);
  }
  return changed;
}

bool reverse_packed(Node& node, std::size_t input) {
  if (input >= node.inputs.size() || !node.inputs[input]) return false;
  const int bits = spec::info(node.inputs[input]->type()).bits;
  if (bits != 4 && bits != 2) return false;
  const std::int64_t in_byte = 8 / bits;
  return read_from(*node.inputs[input], [&](std::int64_t i) { return i - i % in_byte + (in_byte - 1 - i % in_byte); });
}

}  // namespace

std::optional<std::int64_t> integer_attribute(const Node& node, AttributeMeaning meaning) {
  const spec::Attribute* row = find_attribute(node, meaning);
  if (row == nullptr) return std::nullopt;
  const auto given = node.attributes.find(std::string(row->name));
  if (given == node.attributes.end()) return row->default_value;
  const auto* number = std::get_if<std::int64_t>(&given->second);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

bool has_attribute(const Node& node, AttributeMeaning meaning) {
  const spec::Attribute* row = find_attribute(node, meaning);
  return row != nullptr && node.attributes.contains(std::string(row->name));
}

bool ignore_axis(Node& node, const ModelRun&) { return erase_attribute(node, AttributeMeaning::axis); }
bool use_first_axis(Node& node, const ModelRun&) { return take_other_dimension(node, 0); }
bool use_axis_1(Node& node, const ModelRun&) { return take_other_dimension(node, 1); }
bool use_last_axis(Node& node, const ModelRun&) { return take_other_dimension(node, -1); }

bool use_first_axis_that_fits(Node& node, const ModelRun&) {
  const auto right = dimension_of_axis(node);
  for (std::int64_t other = 0; right && other < *right; ++other)
    if (take_dimension(node, other)) return true;
  return false;
}

bool use_last_axis_that_fits(Node& node, const ModelRun&) {
  const auto right = dimension_of_axis(node);
  if (!right) return false;
  for (std::int64_t other = node.inputs[0]->rank() - 1; other > *right; --other)
    if (take_dimension(node, other)) return true;
  return false;
}

bool use_axis_before_negative(Node& node, const ModelRun&) {
  const auto right = dimension_of_axis(node);
  return right && is_negative_axis(node) && take_dimension(node, *right - 1);
}

bool use_axis_after_negative(Node& node, const ModelRun&) {
  const auto right = dimension_of_axis(node);
  return right && is_negative_axis(node) && take_dimension(node, *right + 1);
}

bool drop_sign_of_axis(Node& node, const ModelRun&) {
  const auto axis = integer_attribute(node, AttributeMeaning::axis);
  return axis && *axis < 0 && take_other_dimension(node, -*axis);
}

bool use_first_axis_by_default(Node& node, const ModelRun&) {
  return !has_attribute(node, AttributeMeaning::axis) && take_other_dimension(node, 0);
}

bool use_last_axis_by_default(Node& node, const ModelRun&) {
  return !has_attribute(node, AttributeMeaning::axis) && take_other_dimension(node, -1);
}

bool take_another_axis_at_rank_5(Node& node, const ModelRun&) {
  const auto right = dimension_of_axis(node);
  if (!right || node.inputs[0]->rank() != 5) return false;
  for (std::int64_t other = 0; other < 5; ++other)
    if (other != *right && take_dimension(node, other)) return true;
  return false;
}

bool read_empty_constants_as_zero(Node& node, const ModelRun&) {
  if (node.inputs.size() < 2 || !node.inputs[0] || !node.inputs[1]) return false;
  if (node.inputs[0]->size() != 0 || node.variable_inputs.contains(0)) return false;
  for (std::size_t i = 1; i < node.inputs.size(); ++i)
    if (node.inputs[i] && node.inputs[i]->size() == 0 && !node.variable_inputs.contains(i))
      node.inputs[i] = Tensor(node.inputs[i]->type(), Shape{});
  const Tensor& scale = *node.inputs[1];
  node.inputs[0] = Tensor(node.inputs[0]->type(), scale.size() == 1 ? scale.shape() : Shape{});
  erase_attribute(node, AttributeMeaning::axis);
  erase_attribute(node, AttributeMeaning::block_size);
  return true;
}

bool transpose_scales(Node& node, const ModelRun&) {
  if (node.inputs.size() < 2 || !node.inputs[1] || node.inputs[1]->rank() < 2) return false;
  Tensor& scale = *node.inputs[1];
  const std::int64_t rows = scale.shape()[scale.shape().size() - 2];
  const std::int64_t columns = scale.shape().back();
  return read_from(scale, [&](std::int64_t i) {
    const std::int64_t within = i % (rows * columns);
    return i - within + within % columns * rows + within / columns;
  });
}

bool infer_block_size(Node& node, const ModelRun&) {
  const auto axis = dimension_of_axis(node);
  const auto given = integer_attribute(node, AttributeMeaning::block_size);
  if (!axis || !given || *given <= 0 || node.domain == spec::opmx) return false;
  const Tensor& scale = *node.inputs[1];
  if (scale.rank() != node.inputs[0]->rank()) return false;
  const auto dimension = static_cast<std::size_t>(*axis);
  const std::int64_t blocks = scale.shape()[dimension];
  if (blocks == 0) return false;
  const std::int64_t inferred = reference::ceiling_quotient(node.inputs[0]->shape()[dimension], blocks);
  return inferred != *given && inferred > 0 && set_attribute(node, AttributeMeaning::block_size, inferred);
}

bool ignore_output_dtype(Node& node, const ModelRun&) { return erase_attribute(node, AttributeMeaning::output_dtype); }

bool default_to_int8(Node& node, const ModelRun&) {
  const bool has_zero_point = node.inputs.size() > 2 && node.inputs[2];
  if (node.op != Operator::quantize_linear || has_zero_point ||
      integer_attribute(node, AttributeMeaning::output_dtype).value_or(0) != 0)
    return false;
  if (node.inputs.size() < 2 || !node.inputs[1]) return false;
  node.inputs.resize(3);
  node.inputs[2] = Tensor(ElementType::int8, node.inputs[1]->shape());
  return true;
}

bool default_to_unsaturated(Node& node, const ModelRun&) {
  return !has_attribute(node, AttributeMeaning::saturate) && set_attribute(node, AttributeMeaning::saturate, 0);
}

bool keep_first_scale(Node& node, const ModelRun& run) { return keep_first(node, run, 1); }
bool keep_first_zero_point(Node& node, const ModelRun& run) { return keep_first(node, run, 2); }
bool keep_first_input(Node& node, const ModelRun& run) { return keep_first(node, run, 0); }

bool keep_first_strides(Node& node, const ModelRun& run) {
  if (run.index == 0 || node.inputs.empty() || run.first.empty() || !node.inputs[0] || !run.first[0]) return false;
  Tensor& x = *node.inputs[0];
  if (x.rank() < 2 || x.rank() != run.first[0]->rank()) return false;
  const std::int64_t row = x.shape().back();
  const std::int64_t first_row = run.first[0]->shape().back();
  if (row == first_row) return false;
  read_from(x, [&](std::int64_t i) { return i / row * first_row + i % row; });
  return true;
}

bool merge_similar_scales(Node& node, const ModelRun&) {
  if (node.inputs.size() < 2 || !node.inputs[1] || node.inputs[1]->size() < 2) return false;
  Tensor& scale = *node.inputs[1];
  const double first = reference::number_of(scale.type(), scale.code(0));
  bool differs = false;
  for (std::int64_t i = 1; i < scale.size(); ++i) {
    if (!(std::abs(reference::number_of(scale.type(), scale.code(i)) - first) <= std::abs(first) / 100)) return false;
    differs = differs || scale.code(i) != scale.code(0);
  }
  for (std::int64_t i = 1; i < scale.size(); ++i) scale.set_code(i, scale.code(0));
  return differs;
}

bool read_scale_128_as_nan(Node& node, const ModelRun&) {
  if (node.inputs.size() < 2 || !node.inputs[1] || node.inputs[1]->type() != ElementType::float8e8m0) return false;
  constexpr std::uint64_t of_128 = 127 + 7;
  constexpr std::uint64_t nan = 255;
  Tensor& scale = *node.inputs[1];
  bool changed = false;
  for (std::int64_t i = 0; i < scale.size(); ++i) {
    if (scale.code(i) != of_128) continue;
    scale.set_code(i, nan);
    changed = true;
  }
  return changed;
}

bool reverse_packed_input(Node& node, const ModelRun&) { return reverse_packed(node, 0); }
bool reverse_packed_zero_point(Node& node, const ModelRun&) { return reverse_packed(node, 2); }
bool reverse_packed_operands(Node& node, const ModelRun&) {
  const bool input_changed = reverse_packed(node, 0);
  return reverse_packed(node, 2) || input_changed;
}

bool pad_rows_of_input(Node& node, const ModelRun&) {
  if (node.inputs.empty() || !node.inputs[0] || node.inputs[0]->rank() < 2) return false;
  Tensor& x = *node.inputs[0];
  const int bits = spec::info(x.type()).bits;
  if (bits != 4 && bits != 2) return false;
  const std::int64_t in_byte = 8 / bits;
  const std::int64_t row = x.shape().back();
  if (row == 0 || row % in_byte == 0) return false;
  const std::int64_t padded = reference::ceiling_quotient(row, in_byte) * in_byte;
  read_from(x, [&](std::int64_t i) { return i / row * padded + i % row; });
  return true;
}

}  // namespace touchstone::conformance
