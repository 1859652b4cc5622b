// Operators that move elements and change none: one function per version whose page says something else.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <set>

#include "reference/codec.h"
#include "reference/graph/broadcasting.h"
#include "reference/graph/exact_sum.h"
#include "reference/graph/operators.h"
#include "reference/graph/positions.h"
#include "reference/model/shape.h"

namespace touchstone::reference {

namespace {

/// The same elements in another shape.
Tensors reshaped(const OperatorCall& call, const Tensor& x, Shape shape) {
  call.check_rank(std::ssize(shape));
  return {Tensor(x.type(), std::move(shape), {x.bytes().begin(), x.bytes().end()})};
}

Tensors identity(OperatorCall& call) { return {call.input(0)}; }

// ---- Reshape

Tensors reshape(OperatorCall& call, bool zero_copies) {
  const Tensor& data = call.input(0);
  Shape shape = call.integers_of_input(1);
  std::optional<std::size_t> inferred;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    // "In this case, the value is inferred from the size of the tensor and the remaining dimensions."
    if (shape[d] == -1) {
      if (inferred) call.invalid("the shape {} has -1 more than once", to_text(shape));
      inferred = d;
    }
    // "A dimension could also be 0, in which case the actual dimension value is unchanged"
    if (shape[d] == 0 && zero_copies) {
      if (d >= data.shape().size())
        call.invalid("dimension {} is 0, but data has the shape {}", d, to_text(data.shape()));
      shape[d] = data.shape()[d];
    }
  }
  if (inferred) {
    shape[*inferred] = 1;
    const std::optional<std::int64_t> others = element_count(shape);
    // "it is invalid for the specified shape to contain both a zero value and -1"
    if (!others || *others == 0) call.fail("the dimension -1 cannot be inferred: another one is 0 or negative");
    shape[*inferred] = data.size() / *others;
  }
  // "The input tensor's shape and the output tensor's shape are required to have the same number of elements."
  if (element_count(shape) != data.size())
    call.invalid("data of shape {} does not fit the shape {}", to_text(data.shape()), to_text(shape));
  return reshaped(call, data, std::move(shape));
}

Tensors reshape_5(OperatorCall& call) { return reshape(call, true); }
Tensors reshape_14(OperatorCall& call) { return reshape(call, call.integer("allowzero", 0) == 0); }

// ---- Flatten, Squeeze, Unsqueeze

Tensors flatten(OperatorCall& call) {
  const Tensor& x = call.input(0);
  const std::int64_t given = call.integer("axis", 1);
  // "The value for axis must be in the range [-r, r]": it may be one past the last dimension.
  const std::size_t axis = given == x.rank() ? x.shape().size() : call.axis(given, x.rank());
  const auto middle = x.shape().begin() + static_cast<std::ptrdiff_t>(axis);
  return reshaped(call, x, {call.product({x.shape().begin(), middle}), call.product({middle, x.shape().end()})});
}

/// The axes, as positions in a shape of this rank.
std::set<std::size_t> axes_of(const OperatorCall& call, const std::vector<std::int64_t>& given, std::int64_t rank) {
  std::set<std::size_t> axes;
  for (const std::int64_t axis : given)
    if (!axes.insert(call.axis(axis, rank)).second) call.fail("the axis {} is given twice", axis);
  return axes;
}

Tensors squeeze(OperatorCall& call, const std::optional<std::vector<std::int64_t>>& given) {
  const Tensor& data = call.input(0);
  std::set<std::size_t> axes;
  if (given) axes = axes_of(call, *given, data.rank());
  Shape shape;
  for (std::size_t d = 0; d < data.shape().size(); ++d) {
    const std::int64_t length = data.shape()[d];
    // "If `axes` is not provided, all the single dimensions will be removed from the shape."
    const bool is_removed = given ? axes.contains(d) : length == 1;
    // "If an axis is selected with shape entry not equal to one, an error is raised."
    if (is_removed && length != 1) call.invalid("dimension {} has the length {}, not 1", d, length);
    if (!is_removed) shape.push_back(length);
  }
  return reshaped(call, data, std::move(shape));
}

Tensors squeeze_1(OperatorCall& call) {
  if (!call.has_attribute("axes")) return squeeze(call, std::nullopt);
  return squeeze(call, call.integers("axes", {}));
}
Tensors squeeze_13(OperatorCall& call) {
  if (call.optional_input(1) == nullptr) return squeeze(call, std::nullopt);
  return squeeze(call, call.integers_of_input(1));
}

Tensors unsqueeze(OperatorCall& call, const std::vector<std::int64_t>& given) {
  const Tensor& data = call.input(0);
  const auto rank = data.rank() + static_cast<std::int64_t>(given.size());
  call.check_rank(rank);
  const std::set<std::size_t> axes = axes_of(call, given, rank);
  Shape shape = data.shape();
  for (const std::size_t axis : axes) shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  return reshaped(call, data, std::move(shape));
}

Tensors unsqueeze_1(OperatorCall& call) {
  if (!call.has_attribute("axes")) call.fail("attribute axes is absent");
  return unsqueeze(call, call.integers("axes", {}));
}
Tensors unsqueeze_13(OperatorCall& call) { return unsqueeze(call, call.integers_of_input(1)); }

// ---- Transpose

Tensors transpose(OperatorCall& call) {
  const Tensor& data = call.input(0);
  std::vector<std::int64_t> perm(data.shape().size());
  std::iota(perm.rbegin(), perm.rend(), 0);  // "its default value is `(n-1, ..., 0)`"
  const std::vector<std::int64_t> each = perm;
  perm = call.integers("perm", std::move(perm));
  if (!std::ranges::is_permutation(perm, each))
    call.fail("perm {} is not a permutation of the axes of data, which has rank {}", to_text(perm), data.rank());
  // "Axis `i` of the output tensor corresponds to axis `perm[i]` of the input tensor."
  Shape shape;
  for (const std::int64_t axis : perm) shape.push_back(data.shape()[static_cast<std::size_t>(axis)]);
  Position source(perm.size());
  return {rearranged(data, shape, [&](const Position& position) -> const Position& {
    for (std::size_t i = 0; i < perm.size(); ++i) source[static_cast<std::size_t>(perm[i])] = position[i];
    return source;
  })};
}

// ---- Slice

Tensors slice(OperatorCall& call) {
  const Tensor& data = call.input(0);
  const std::vector<std::int64_t> starts = call.integers_of_input(1);
  const std::vector<std::int64_t> ends = call.integers_of_input(2);
  std::vector<std::int64_t> axes(starts.size());
  std::iota(axes.begin(), axes.end(), 0);  // "If `axes` are omitted, they are set to `[0, ..., r-1]`."
  if (call.optional_input(3) != nullptr) axes = call.integers_of_input(3);
  std::vector<std::int64_t> steps(starts.size(), 1);
  if (call.optional_input(4) != nullptr) steps = call.integers_of_input(4);
  if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size())
    call.fail("starts, ends, axes and steps have different lengths");
  axes_of(call, axes, data.rank());  // "Behavior is undefined if an axis is repeated."

  Shape shape = data.shape();
  Position first(shape.size(), 0), step(shape.size(), 1);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = call.axis(axes[i], data.rank());
    const std::int64_t length = data.shape()[axis];
    if (steps[i] == 0) call.invalid("'steps' cannot be 0");
    const bool is_forward = steps[i] > 0;
    // "All negative values in `starts[i]` and `ends[i]` have `dims[axes[i]]` added to them", and are then clamped.
    const auto clamped = [&](std::int64_t index, std::int64_t lowest, std::int64_t highest) {
      return std::clamp(index < 0 ? index + length : index, lowest, highest);
    };
    const std::int64_t start = is_forward ? clamped(starts[i], 0, length) : clamped(starts[i], 0, length - 1);
    const std::int64_t end = is_forward ? clamped(ends[i], 0, length) : clamped(ends[i], -1, length - 1);
    const std::int64_t way = is_forward ? end - start : start - end;
    // A step beyond the length selects one element, as the length does.
    const std::int64_t pace =
        std::clamp<std::int64_t>(steps[i], -std::max<std::int64_t>(length, 1), std::max<std::int64_t>(length, 1));
    shape[axis] = length == 0 || way <= 0 ? 0 : ceiling_quotient(way, is_forward ? pace : -pace);
    first[axis] = start;
    step[axis] = pace;
  }
  Position source(shape.size());
  return {rearranged(data, shape, [&](const Position& position) -> const Position& {
    for (std::size_t d = 0; d < source.size(); ++d) source[d] = first[d] + position[d] * step[d];
    return source;
  })};
}

// ---- Concat, Split

Tensors concat(OperatorCall& call) {
  const std::vector<const Tensor*> inputs = call.inputs_of_one_type();
  const std::size_t axis = call.axis(call.integer("axis"), inputs.front()->rank());
  Shape shape = inputs.front()->shape();
  shape[axis] = 0;
  for (const Tensor* input : inputs) {
    // "All input tensors must have the same shape, except for the dimension size of the axis to concatenate on."
    Shape others = input->shape();
    if (others.size() != shape.size()) call.fail("inputs of the ranks {} and {}", shape.size(), others.size());
    if (others[axis] > std::numeric_limits<std::int64_t>::max() - shape[axis]) call.fail("the result is too long");
    shape[axis] += others[axis];
    others[axis] = shape[axis];
    if (others != shape)
      call.fail("inputs of the shapes {} and {}", to_text(inputs.front()->shape()), to_text(input->shape()));
  }
  return {make_tensor(inputs.front()->type(), call.checked(shape), [&](Position position) {
    auto input = inputs.begin();
    while (position[axis] >= (*input)->shape()[axis]) position[axis] -= (*input++)->shape()[axis];
    return (*input)->code(index_of(position, (*input)->shape()));
  })};
}

/// Parts of these lengths along the axis.
Tensors split(OperatorCall& call, std::size_t axis, const std::vector<std::int64_t>& lengths) {
  const Tensor& input = call.input(0);
  // "Sum of the values must be equal to the dim value at 'axis' specified."
  const bool is_partition =
      std::ranges::all_of(lengths, [&](std::int64_t length) { return 0 <= length && length <= input.shape()[axis]; }) &&
      std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}) == input.shape()[axis];
  if (lengths.size() != call.outputs() || !is_partition)
    call.invalid("a dimension of length {} cannot be split into {} parts of the lengths {}", input.shape()[axis],
                 call.outputs(), to_text(lengths));
  Tensors parts;
  std::int64_t begin = 0;
  for (const std::int64_t length : lengths) {
    Shape shape = input.shape();
    shape[axis] = length;
    parts.push_back(rearranged(input, shape, [&](Position position) {
      position[axis] += begin;
      return position;
    }));
    begin += length;
  }
  return parts;
}

std::size_t split_axis(const OperatorCall& call) { return call.axis(call.integer("axis", 0), call.input(0).rank()); }

/// "Otherwise, the tensor is split to equal sized parts."
std::vector<std::int64_t> equal_parts(const OperatorCall& call) {
  const std::int64_t length = call.input(0).shape()[split_axis(call)];
  const auto parts = static_cast<std::int64_t>(call.outputs());
  return std::vector<std::int64_t>(call.outputs(), parts > 0 ? length / parts : 0);
}

Tensors split_2(OperatorCall& call) { return split(call, split_axis(call), call.integers("split", equal_parts(call))); }
Tensors split_13(OperatorCall& call) {
  return split(call, split_axis(call),
               call.optional_input(1) != nullptr ? call.integers_of_input(1) : equal_parts(call));
}
Tensors split_18(OperatorCall& call) {
  // "Either input 'split' or the attribute 'num_outputs' should be specified, but not both."
  const bool has_lengths = call.optional_input(1) != nullptr;
  if (has_lengths == call.has_attribute("num_outputs"))
    call.invalid("either input split or attribute num_outputs must be given, and not both");
  if (has_lengths) return split(call, split_axis(call), call.integers_of_input(1));
  const std::int64_t parts = call.integer("num_outputs");
  if (parts < 1 || std::cmp_not_equal(parts, call.outputs()))
    call.fail("num_outputs is {}, but the node has {} outputs", parts, call.outputs());
  // "If the tensor is not evenly splittable into `num_outputs`, the last chunk will be smaller."
  const std::int64_t length = call.input(0).shape()[split_axis(call)];
  std::vector<std::int64_t> lengths(call.outputs(), ceiling_quotient(length, parts));
  lengths.back() = length - lengths.front() * (parts - 1);
  if (lengths.back() < 0)
    call.fail("a dimension of length {} has no {} parts of which the last is smaller", length, parts);
  return split(call, split_axis(call), lengths);
}

// ---- Gather, Expand, Tile

Tensors gather(OperatorCall& call) {
  const Tensor& data = call.input(0);
  const std::size_t axis = call.axis(call.integer("axis", 0), data.rank());
  std::vector<std::int64_t> indices = call.integers_of_input(1);
  const Shape& indices_shape = call.input(1).shape();
  // "All index values are expected to be within bounds [-s, s-1] along axis of size s."
  for (std::int64_t& index : indices) index = call.index(index, data.shape()[axis]);
  Shape shape = data.shape();
  const auto place = shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(place, indices_shape.begin(), indices_shape.end());
  return {rearranged(data, call.checked(shape), [&](const Position& position) {
    const auto first = position.begin() + static_cast<std::ptrdiff_t>(axis);
    const auto last = first + static_cast<std::ptrdiff_t>(indices_shape.size());
    Position source(position.begin(), first);
    source.push_back(indices[static_cast<std::size_t>(index_of(Position(first, last), indices_shape))]);
    source.insert(source.end(), last, position.end());
    return source;
  })};
}

Tensors expand(OperatorCall& call) {
  const Tensor& input = call.input(0);
  const Shape shape = call.checked(broadcast_shape(call, {input.shape(), call.integers_of_input(1)}));
  return {broadcast_to(input, shape)};
}

Tensors tile(OperatorCall& call) {
  const Tensor& input = call.input(0);
  const std::vector<std::int64_t> repeats = call.integers_of_input(1);
  // "1D int64 tensor of the same length as input's dimension number"
  if (repeats.size() != input.shape().size())
    call.invalid("{} repeats for an input of rank {}", repeats.size(), input.rank());
  // "output_dim[i] = input_dim[i] * repeats[i]"
  Shape shape;
  for (std::size_t d = 0; d < repeats.size(); ++d) {
    shape.push_back(call.product({input.shape()[d], repeats[d]}));
  }
  return {rearranged(input, call.checked(shape), [&](Position position) {
    for (std::size_t d = 0; d < position.size(); ++d) position[d] %= input.shape()[d];
    return position;
  })};
}

// ---- Pad

/// The index in a dimension of this length that a padded index takes in a mode, or std::nullopt for the constant.
std::optional<std::int64_t> padded_source(std::int64_t index, std::int64_t length, std::string_view mode) {
  if (0 <= index && index < length) return index;
  if (mode == "constant" || length == 0) return std::nullopt;
  if (mode == "edge") return std::clamp<std::int64_t>(index, 0, length - 1);
  if (mode == "wrap") return (index % length + length) % length;
  // "pads with the reflection of the vector mirrored on the first and last values of the vector along each axis"
  const std::int64_t period = std::max<std::int64_t>(2 * (length - 1), 1);
  const std::int64_t offset = (index % period + period) % period;
  return std::min(offset, period - offset);
}

Tensors pad(OperatorCall& call, const std::vector<std::int64_t>& pads, const std::vector<std::int64_t>& axes,
            std::uint64_t value) {
  const Tensor& data = call.input(0);
  const std::string mode = call.text("mode", "constant");
  const bool can_wrap = call.opset() >= 19;
  if (mode != "constant" && mode != "reflect" && mode != "edge" && !(mode == "wrap" && can_wrap))
    call.fail("the mode is \"{}\"", mode);
  // "`pads` format should be: [x1_begin, x2_begin,...,x1_end, x2_end,...]"
  if (pads.size() != 2 * axes.size()) call.invalid("{} pads for {} axes", pads.size(), axes.size());
  axes_of(call, axes, data.rank());
  Shape shape = data.shape();
  Position begin(shape.size(), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = call.axis(axes[i], data.rank());
    for (const std::int64_t length : {pads[i], pads[i + axes.size()]})
      if (length < -most_exact_terms || length > most_exact_terms) call.fail("pads contains {}", length);
    begin[axis] = pads[i];
    shape[axis] += pads[i] + pads[i + axes.size()];
  }
  return {make_tensor(data.type(), call.checked(shape), [&](Position position) {
    for (std::size_t d = 0; d < position.size(); ++d) {
      const auto source = padded_source(position[d] - begin[d], data.shape()[d], mode);
      if (!source) {
        if (mode != "constant") call.fail("there is no element to pad with");
        return value;
      }
      position[d] = *source;
    }
    return data.code(index_of(position, data.shape()));
  })};
}

std::vector<std::int64_t> all_axes(const OperatorCall& call) {
  std::vector<std::int64_t> axes(call.input(0).shape().size());
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

Tensors pad_2(OperatorCall& call) {
  if (!call.has_attribute("pads")) call.fail("attribute pads is absent");
  // "One float, indicates the value to be filled."
  const Value value = value_of(call.number("value", 0));
  const ElementType type = call.input(0).type();
  std::uint64_t code = 0;
  try {
    code = encode(type, value);
  } catch (const std::domain_error&) {
    call.fail("the value {} is not a number of the type {}", to_string(value), spec::name(type));
  }
  return pad(call, call.integers("pads", {}), all_axes(call), code);
}

/// "A scalar value to be used if the mode chosen is `constant` (by default it is 0)."
std::uint64_t constant_value(const OperatorCall& call) {
  const Tensor* value = call.optional_input(2);
  if (value == nullptr) return encode(call.input(0).type(), Value::zero(false));
  call.require_same_type(call.input(0), *value);
  if (value->size() != 1) call.fail("constant_value has the shape {}", to_text(value->shape()));
  return value->code(0);
}

Tensors pad_11(OperatorCall& call) {
  return pad(call, call.integers_of_input(1), all_axes(call), constant_value(call));
}
Tensors pad_18(OperatorCall& call) {
  const auto axes = call.optional_input(3) != nullptr ? call.integers_of_input(3) : all_axes(call);
  return pad(call, call.integers_of_input(1), axes, constant_value(call));
}

// ---- DepthToSpace, SpaceToDepth

std::int64_t block_size(const OperatorCall& call) {
  const std::int64_t size = call.integer("blocksize");
  if (call.input(0).rank() != 4) call.fail("the input has the shape {}", to_text(call.input(0).shape()));
  if (size < 1 || size > most_exact_terms) call.fail("blocksize is {}", size);
  return size;
}

Tensors depth_to_space(OperatorCall& call, std::string_view mode) {
  const Tensor& x = call.input(0);
  const std::int64_t size = block_size(call), depth = x.shape()[1] / (size * size);
  if (depth * size * size != x.shape()[1])
    call.fail("{} channels cannot be moved into blocks of {} x {}", x.shape()[1], size, size);
  if (mode != "DCR" && mode != "CRD") call.fail("the mode is \"{}\"", mode);
  const Shape shape{x.shape()[0], depth, call.product({x.shape()[2], size}), call.product({x.shape()[3], size})};
  return {rearranged(x, call.checked(shape), [&](Position position) {
    const std::int64_t place = position[2] % size * size + position[3] % size;
    position[1] = mode == "DCR" ? place * depth + position[1] : position[1] * size * size + place;
    position[2] /= size;
    position[3] /= size;
    return position;
  })};
}

Tensors depth_to_space_1(OperatorCall& call) { return depth_to_space(call, "DCR"); }
Tensors depth_to_space_11(OperatorCall& call) { return depth_to_space(call, call.text("mode", "DCR")); }

/// DepthToSpace "is the reverse transformation". The mode is an attribute since version 28.
Tensors space_to_depth(OperatorCall& call) {
  const Tensor& x = call.input(0);
  const std::string mode = call.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") call.fail("the mode is \"{}\"", mode);
  const std::int64_t size = block_size(call), depth = x.shape()[1];
  if (x.shape()[2] % size != 0 || x.shape()[3] % size != 0)
    call.fail("data of shape {} cannot be divided into blocks of {} x {}", to_text(x.shape()), size, size);
  const Shape shape{x.shape()[0], call.product({depth, size, size}), x.shape()[2] / size, x.shape()[3] / size};
  return {rearranged(x, call.checked(shape), [&](Position position) {
    const std::int64_t place = mode == "DCR" ? position[1] / depth : position[1] % (size * size);
    position[1] = mode == "DCR" ? position[1] % depth : position[1] / (size * size);
    position[2] = position[2] * size + place / size;
    position[3] = position[3] * size + place % size;
    return position;
  })};
}

// ---- Trilu, CenterCropPad, Dropout

Tensors trilu(OperatorCall& call) {
  const Tensor& x = call.input(0);
  if (x.rank() < 2) call.fail("the input has the shape {}", to_text(x.shape()));
  const bool upper = call.integer("upper", 1) != 0;
  std::vector<std::int64_t> k{0};
  if (call.optional_input(1) != nullptr) k = call.integers_of_input(1);
  if (k.size() != 1) call.fail("k has the shape {}", to_text(call.input(1).shape()));
  return {make_tensor(x.type(), x.shape(), [&](const Position& position) {
    // "The upper triangular part consists of the elements on and above the given diagonal (k)."
    const std::int64_t row = position[position.size() - 2], column = position.back();
    const bool is_kept = upper ? column - row >= k[0] : column - row <= k[0];
    return is_kept ? x.code(index_of(position, x.shape())) : encode(x.type(), Value::zero(false));
  })};
}

Tensors center_crop_pad(OperatorCall& call) {
  const Tensor& x = call.input(0);
  const std::vector<std::int64_t> lengths = call.integers_of_input(1), axes = call.integers("axes", all_axes(call));
  if (axes.size() != lengths.size()) call.fail("{} lengths for {} axes", lengths.size(), axes.size());
  axes_of(call, axes, x.rank());
  Shape shape = x.shape();
  Position begin(shape.size(), 0);  // of the window in x
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = call.axis(axes[i], x.rank());
    const std::int64_t surplus = shape[axis] - lengths[i];
    // "The starting value for the cropping window is rounded down", and "an additional pixel will be added to the
    // right".
    begin[axis] = surplus / 2;
    shape[axis] = lengths[i];
  }
  return {make_tensor(x.type(), call.checked(shape), [&](Position position) {
    for (std::size_t d = 0; d < position.size(); ++d) {
      position[d] += begin[d];
      if (position[d] < 0 || position[d] >= x.shape()[d]) return encode(x.type(), Value::zero(false));
    }
    return x.code(index_of(position, x.shape()));
  })};
}

/// "during testing nothing needs to be done", and "if mask is requested as output it will contain all ones": since
/// version 12.
Tensors dropout(OperatorCall& call) {
  const Tensor* training = call.optional_input(2);
  if (training != nullptr && (training->size() != 1 || training->code(0) != 0)) call.fail("training is not supported");
  if (call.outputs() > 1 && call.opset() < 12) call.fail("the output mask is not supported before version 12");
  const Tensor& data = call.input(0);
  if (call.outputs() < 2) return {data};
  return {data, make_tensor(ElementType::boolean, data.shape(), [](const Position&) { return std::uint64_t{1}; })};
}

// ---- Where

Tensors where(OperatorCall& call) {
  const Tensor &condition = call.input(0), &x = call.input(1), &y = call.input(2);
  if (condition.type() != ElementType::boolean) call.fail("condition is of type {}", spec::name(condition.type()));
  call.require_same_type(x, y);
  const Shape shape = broadcast_shape(call, {condition.shape(), x.shape(), y.shape()});
  return {make_tensor(x.type(), shape, [&](const Position& position) {
    // "When True (nonzero), yield X, otherwise yield Y"
    const Tensor& chosen = condition.code(broadcast_index(position, condition.shape())) != 0 ? x : y;
    return chosen.code(broadcast_index(position, chosen.shape()));
  })};
}

// clang-format off
constexpr std::array movement_functions{
    OperatorFunction{"Identity", 1, identity, "Identity operator"},
    OperatorFunction{"Reshape", 5, reshape_5, "A dimension could also be 0, in which case the actual dimension value is unchanged (i.e. taken from the input tensor)."},
    OperatorFunction{"Reshape", 14, reshape_14, "If 'allowzero' is set, and the new shape includes 0, the dimension will be set explicitly to zero (i.e. not taken from input tensor)."},
    OperatorFunction{"Flatten", 9, flatten, "If input tensor has shape (d_0, d_1, ... d_n) then the output will have shape (d_0 X d_1 ... d_(axis-1), d_axis X d_(axis+1) ... X dn)."},
    OperatorFunction{"Squeeze", 1, squeeze_1, "Remove single-dimensional entries from the shape of a tensor."},
    OperatorFunction{"Squeeze", 13, squeeze_13, "Takes an input `axes` with a list of axes to squeeze."},
    OperatorFunction{"Unsqueeze", 1, unsqueeze_1, "Insert single-dimensional entries to the shape of a tensor."},
    OperatorFunction{"Unsqueeze", 13, unsqueeze_13, "Takes one required input `axes` - which contains a list of dimension indices and this operator will insert a dimension of value `1` into the corresponding index of the output tensor (`expanded`)."},
    OperatorFunction{"Transpose", 1, transpose, "Axis `i` of the output tensor corresponds to axis `perm[i]` of the input tensor."},
    OperatorFunction{"Slice", 10, slice, "Slices uses `starts`, `ends`, `axes` and `steps` inputs to specify the start and end dimension and step for each axis in the list of axes, it uses this information to slice the input `data` tensor."},
    OperatorFunction{"Concat", 4, concat, "Concatenate a list of tensors into a single tensor"},
    OperatorFunction{"Split", 2, split_2, "Lengths of the parts can be specified using argument 'split'."},
    OperatorFunction{"Split", 13, split_13, "Lengths of the parts can be specified using input 'split'."},
    OperatorFunction{"Split", 18, split_18, "If the tensor is not evenly splittable into `num_outputs`, the last chunk will be smaller."},
    OperatorFunction{"Gather", 1, gather, "gather entries of the axis dimension of `data` (by default outer-most one as axis=0) indexed by `indices`"},
    OperatorFunction{"Expand", 8, expand, "Broadcast the input tensor following the given shape and the broadcast rule."},
    OperatorFunction{"Tile", 6, tile, "Constructs a tensor by tiling a given tensor."},
    OperatorFunction{"Pad", 2, pad_2, "Given `data` tensor, pads, mode, and value."},
    OperatorFunction{"Pad", 11, pad_11, "`constant`(default) - pads with a given constant value as specified by `constant_value`"},
    OperatorFunction{"Pad", 18, pad_18, "`constant`(default) - pads with a given constant value as specified by `constant_value`"},
    OperatorFunction{"DepthToSpace", 1, depth_to_space_1, "values from the depth dimension are moved in spatial blocks to the height and width dimensions."},
    OperatorFunction{"DepthToSpace", 11, depth_to_space_11, "In the CRD mode, elements along the depth dimension from the input tensor are rearranged in the following order: column, row, and the depth."},
    OperatorFunction{"SpaceToDepth", 1, space_to_depth, "values from the height and width dimensions are moved to the depth dimension."},
    OperatorFunction{"Trilu", 14, trilu, "returns the upper or lower triangular part of the tensor(s)."},
    OperatorFunction{"CenterCropPad", 18, center_crop_pad, "Center crop or pad an input to given dimensions."},
    OperatorFunction{"Dropout", 7, dropout, "during testing nothing needs to be done."},
    OperatorFunction{"Dropout", 12, dropout, "to convert the trained model into inference mode, the user can simply not pass `training_mode` input or set it to false."},
    OperatorFunction{"Where", 9, where, "Return elements, either from X or Y, depending on condition."},
};
// clang-format on

}  // namespace

std::span<const OperatorFunction> movement_operators() { return movement_functions; }

}  // namespace touchstone::reference
