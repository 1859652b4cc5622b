// Cast and Resize.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "reference/codec.h"
#include "reference/graph/exact_sum.h"
#include "reference/graph/operators.h"
#include "reference/graph/positions.h"
#include "reference/model/shape.h"
#include "reference/rounding.h"

namespace touchstone::reference {

namespace {

// ---- Cast

/// A number that the type does not have, rounded.
Value rounded(OperatorCall& call, const Value& value, ElementType to, bool saturates) {
  if (spec::is_integer(to)) {
    // "fixed point: undefined if OOR"
    const Value whole = truncate(value);
    const bool is_in_range =
        whole.is_finite() && !less(whole, Value::of(lowest(to))) && !less(Value::of(highest(to)), whole);
    return is_in_range ? whole : Value::zero(false);
  }
  if (spec::format_of(to).special_codes == spec::SpecialCodes::power_of_two) call.fail("Cast to {}", spec::name(to));
  if (spec::info(to).bits > 8) return round_to_type(value, to);
  return round_to_small_float(value, to, saturates);
}

bool is_large_float(ElementType type) { return !spec::is_integer(type) && spec::info(type).bits >= 16; }

/// What overflows has no bounds.
bool is_rounded_to_nearest(ElementType from, ElementType to) { return is_large_float(from) && is_large_float(to); }

std::uint64_t converted(OperatorCall& call, const Value& value, ElementType from, ElementType to) {
  // "bool: +/- 0.0 to False; all else to True."
  if (to == ElementType::boolean) return value.is_zero() ? 0 : 1;
  const bool saturates = !spec::is_float8(to) || call.integer("saturate", 1) != 0;
  if (spec::is_float8(to) && value.is_infinity()) return encode(to, round_to_small_float(value, to, saturates));
  try {
    return encode(to, value);
  } catch (const std::domain_error&) {  // the type has no such number
  }
  if (spec::is_integer(from) && spec::is_integer(to)) {
    // "fixed point: when OOR, discard higher bits and reinterpret"; earlier pages say nothing.
    if (call.opset() < 13) call.note_inexact("an integer is out of range");
    const Integer modulus = Integer(1) << spec::info(to).bits;
    Integer rest = numerator(value.rational()) % modulus;
    if (rest < 0) rest += modulus;
    return static_cast<std::uint64_t>(rest);
  }
  constexpr const char* why = "an element is rounded, or out of range";
  if (is_rounded_to_nearest(from, to))
    call.note_rounded(why);
  else
    call.note_inexact(why);
  return encode(to, rounded(call, value, to, saturates));
}

ElementType type_to_cast(const OperatorCall& call) {
  const std::int64_t code = call.integer("to");
  const std::optional<ElementType> to = spec::element_type_from_code(code);
  if (!to) call.fail("to is {}, a type that is not supported", code);
  return *to;
}

Tensors cast(OperatorCall& call) {
  const Tensor& input = call.input(0);
  const ElementType to = type_to_cast(call);
  Tensor output(to, input.shape());
  for (std::int64_t i = 0; i < input.size(); ++i)
    output.set_code(i, converted(call, decode(input.type(), input.code(i)), input.type(), to));
  return {output};
}

BoundedTensors bounded_cast(OperatorCall& call) {
  const ElementType from = call.input(0).type(), to = type_to_cast(call);
  BoundedTensor y{call.input(0).shape(), call.bounds(0), to};
  if (!is_rounded_to_nearest(from, to)) {
    call.note_inexact("a conversion of what is rounded");
    std::ranges::fill(y.bounds, Interval{});
    return {y};
  }
  const FloatPrecision precision(to);
  for (Interval& one : y.bounds) one = rounded(one, precision);
  return {y};
}

// ---- Resize

const Rational half(1, 2);

Integer floor_of(const Rational& number) {
  Integer quotient = numerator(number) / denominator(number);
  return number < 0 && Rational(quotient) != number ? Integer(quotient - 1) : quotient;
}

bool is_power_of_two(const Rational& number) {
  const Integer above = numerator(number), below = denominator(number);
  return (above & (above - 1)) == 0 && (below & (below - 1)) == 0;
}

/// The resizing of one dimension.
struct Resizing {
  std::int64_t length_original;
  std::int64_t length_resized;
  Rational scale;
};

bool is_resized(const Resizing& axis) { return axis.length_original != axis.length_resized || axis.scale != 1; }

struct ResizeMode {
  bool is_linear;
  std::string coordinates;  ///< coordinate_transformation_mode
  std::string nearest;      ///< nearest_mode
};

/// x_original, by the formula of coordinate_transformation_mode.
Rational original_coordinate(OperatorCall& call, const ResizeMode& mode, const Resizing& axis, std::int64_t x_resized) {
  const Rational x(x_resized);
  const std::string& name = mode.coordinates;
  // "scale = length_resized / length_original", but the data of ONNX's own tests follow from the given scale. Numbers
  // of float32 are rounded.
  const Rational scaled = axis.scale * axis.length_original;
  if (name != "half_pixel_symmetric" && abs(scaled - axis.length_resized) > scaled / (1 << 22))
    call.note_inexact(fmt::format("{} of a fractional length", name));
  if (name == "asymmetric") return x / axis.scale;
  if (name == "half_pixel") return (x + half) / axis.scale - half;
  if (name == "pytorch_half_pixel") return axis.length_resized > 1 ? (x + half) / axis.scale - half : Rational(0);
  if (name == "align_corners")
    return axis.length_resized > 1 ? x * (axis.length_original - 1) / (axis.length_resized - 1) : Rational(0);
  if (name == "tf_half_pixel_for_nn" && call.opset() < 13) return (x + half) / axis.scale;
  if (name == "half_pixel_symmetric" && call.opset() >= 19) {
    const Rational adjustment = Rational(axis.length_resized) / (axis.scale * axis.length_original);
    const Rational center = Rational(axis.length_original) / 2;
    return center * (1 - adjustment) + (x + half) / axis.scale - half;
  }
  call.fail("coordinate_transformation_mode \"{}\" is not supported", name);
}

/// An element of the original dimension, with its weight.
struct Neighbor {
  std::int64_t index;
  Value weight;
};

Value one() { return Value::scaled(false, 1, 0); }

/// Notes that the choice among neighbors depends on how a coordinate is rounded.
void check_boundary(OperatorCall& call, const Resizing& axis, const Rational& distance) {
  if (!is_power_of_two(axis.scale) && abs(distance) < Rational(1, 1024))
    call.note_inexact("the neighbor depends on how a coordinate is rounded");
}

std::int64_t nearest_index(OperatorCall& call, const ResizeMode& mode, const Resizing& axis, const Rational& x) {
  const Integer below = floor_of(x);
  const Rational fraction = x - below;
  const bool is_round = mode.nearest == "round_prefer_floor" || mode.nearest == "round_prefer_ceil";
  if (!is_round && mode.nearest != "floor" && mode.nearest != "ceil") call.fail("nearest_mode \"{}\"", mode.nearest);
  check_boundary(call, axis, is_round ? fraction - half : (fraction > half ? 1 - fraction : fraction));
  bool is_above = fraction > half;
  if (mode.nearest == "round_prefer_ceil") is_above = fraction >= half;
  if (mode.nearest == "floor") is_above = false;
  if (mode.nearest == "ceil") is_above = fraction > 0;
  return static_cast<std::int64_t>(below) + (is_above ? 1 : 0);
}

/// Those that determine an element of the resized dimension. Elements outside are those of the edge.
std::vector<Neighbor> neighbors(OperatorCall& call, const ResizeMode& mode, const Resizing& axis,
                                std::int64_t x_resized) {
  if (!is_resized(axis)) return {{x_resized, one()}};
  const Rational x = original_coordinate(call, mode, axis, x_resized);
  const auto inside = [&](std::int64_t index) { return std::clamp<std::int64_t>(index, 0, axis.length_original - 1); };
  if (!mode.is_linear) return {{inside(nearest_index(call, mode, axis, x)), one()}};
  const auto below = static_cast<std::int64_t>(floor_of(x));
  const Rational fraction = x - below;
  if (!is_power_of_two(axis.scale)) {
    constexpr const char* why = "the weights are rounded";
    spec::is_integer(call.input(0).type()) ? call.note_inexact(why) : call.note_rounded(why);
  }
  if (fraction == 0) return {{inside(below), one()}};
  return {{inside(below), Value::of(Rational(1 - fraction))}, {inside(below + 1), Value::of(fraction)}};
}

/// A node's resizing.
struct Resize {
  ResizeMode mode;
  std::vector<Resizing> axes;
};

/// The elements of X from which those of the result are computed.
class Sources {
 public:
  Sources(OperatorCall& call, const Resize& resize) : is_linear_(resize.mode.is_linear), x_(call.input(0).shape()) {
    if (call.input(0).size() == 0) call.fail("X has no elements");
    for (const Resizing& axis : resize.axes) shape_.push_back(axis.length_resized);
    Shape most_neighbors;
    if (is_linear_) most_neighbors.assign(static_cast<std::size_t>(std::ranges::count_if(resize.axes, is_resized)), 2);
    call.checked(shape_, element_count(most_neighbors));
    for (const Resizing& axis : resize.axes) {
      by_axis_.emplace_back();
      for (std::int64_t i = 0; i < axis.length_resized; ++i)
        by_axis_.back().push_back(neighbors(call, resize.mode, axis, i));
    }
  }

  const Shape& shape() const { return shape_; }  ///< of the result

  /// Calls visit(index in X, weight) for the elements that determine one of the result.
  template <class Visit>
  void visit(const Position& position, const Visit& visit) const {
    Shape counts;
    for (std::size_t d = 0; d < by_axis_.size(); ++d) counts.push_back(std::ssize(by_axis_[d][to_size(position[d])]));
    for_each_position(counts, [&](const Position& choice) {
      Value weight = one();
      Position source(position.size());
      for (std::size_t d = 0; d < by_axis_.size(); ++d) {
        const Neighbor& neighbor = by_axis_[d][to_size(position[d])][to_size(choice[d])];
        if (is_linear_) weight = multiply(weight, neighbor.weight);
        source[d] = neighbor.index;
      }
      visit(index_of(source, x_), weight);
    });
  }

 private:
  bool is_linear_;
  Shape x_, shape_;
  std::vector<std::vector<std::vector<Neighbor>>> by_axis_;  ///< by the index in the resized dimension
};

template <Resize (*resize_of)(OperatorCall&)>
Tensors resized(OperatorCall& call) {
  const Resize resize = resize_of(call);
  const Sources sources(call, resize);
  const Tensor& x = call.input(0);
  return {make_tensor(x.type(), sources.shape(), [&](const Position& position) {
    ExactSum sum(x.type());
    std::uint64_t code = 0;
    sources.visit(position, [&](std::int64_t index, const Value& weight) {
      code = x.code(index);
      if (resize.mode.is_linear) sum.add(multiply(weight, decode(x.type(), code)));
    });
    return resize.mode.is_linear ? sum.code(call) : code;
  })};
}

/// How much interpolation may be wrong because coordinates are rounded to float32, in any order of the steps: the
/// result changes by no more than the range of the elements from one to the next, along each axis.
double error_of_coordinates(const Resize& resize, const Bounds& bounds) {
  constexpr double roundings = 16;
  double low = bounds.front().low, high = bounds.front().high, error = 0;
  for (const Interval& one : bounds) low = std::min(low, one.low), high = std::max(high, one.high);
  for (const Resizing& axis : resize.axes)
    if (is_resized(axis))
      error += roundings * 0x1p-24 * static_cast<double>(axis.length_original + axis.length_resized);
  return error == 0 ? 0 : error * (high - low);
}

template <Resize (*resize_of)(OperatorCall&)>
BoundedTensors bounded_resize(OperatorCall& call) {
  const Resize resize = resize_of(call);
  const Sources sources(call, resize);
  const Bounds bounds = call.bounds(0);
  BoundedTensor y{sources.shape(), {}};
  if (!resize.mode.is_linear) {
    for_each_position(y.shape, [&](const Position& position) {
      sources.visit(position, [&](std::int64_t index, const Value&) { y.bounds.push_back(bounds[to_size(index)]); });
    });
    return {y};
  }
  call.require_float(call.input(0));
  const FloatPrecision precision(call.input(0).type());
  const double of_coordinates = error_of_coordinates(resize, bounds);
  for_each_position(y.shape, [&](const Position& position) {
    Interval sum{0, 0};
    double magnitude = 0, terms = 0;
    sources.visit(position, [&](std::int64_t index, const Value& weight) {
      const auto factor = static_cast<double>(weight.rational());
      sum = add(sum, multiply(bounds[to_size(index)], {factor, factor}));
      magnitude += bounds[to_size(index)].largest_magnitude();
      ++terms;
    });
    // Implementations multiply by all weights, or interpolate along one axis after the other: a + weight * (b - a).
    const bool is_copied = terms == 1 && of_coordinates == 0;
    constexpr double roundings_of_term = 4;
    y.bounds.push_back(
        is_copied ? sum
                  : rounded(widened(sum, of_coordinates + precision.gamma(roundings_of_term * terms) * magnitude), 1,
                            precision));
  });
  return {y};
}

ResizeMode resize_mode(const OperatorCall& call) {
  const std::string mode = call.text("mode", "nearest");
  if (mode != "nearest" && mode != "linear") call.fail("mode \"{}\" is not supported", mode);
  return {mode == "linear", call.text("coordinate_transformation_mode", "half_pixel"),
          call.text("nearest_mode", "round_prefer_floor")};
}

/// "output_dimension = floor(input_dimension * scale)"
Resizing resized_by(const OperatorCall& call, std::int64_t length, const Tensor& scales, std::int64_t place) {
  const Value scale = decode(scales.type(), scales.code(place));
  // "It takes value greater than 0."
  if (!scale.is_finite() || scale.is_zero() || scale.is_negative()) call.invalid("the scale {}", to_string(scale));
  const Integer resized = floor_of(scale.rational() * length);
  if (resized > most_exact_terms) call.fail("a dimension would have the length {}", resized.str());
  return {length, static_cast<std::int64_t>(resized), scale.rational()};
}

Resize resize_10(OperatorCall& call) {
  const Tensor &x = call.input(0), &scales = call.input(1);
  if (scales.size() != x.rank()) call.invalid("{} scales for an X of rank {}", scales.size(), x.rank());
  call.note_read(1);
  std::vector<Resizing> axes;
  for (std::int64_t d = 0; d < x.rank(); ++d)
    axes.push_back(resized_by(call, x.shape()[static_cast<std::size_t>(d)], scales, d));
  const ResizeMode given = resize_mode(call);
  // The page does not say which neighbors, or which weights. Only for whole scales all answers are the same.
  for (const Resizing& axis : axes)
    if (given.is_linear || denominator(axis.scale) != 1) call.note_inexact("version 10 does not define coordinates");
  return {{given.is_linear, "asymmetric", "floor"}, axes};
}

Resize resize_11(OperatorCall& call) {
  const Tensor& x = call.input(0);
  call.require_integer("antialias", 0);
  call.require_integer("exclude_outside", 0);
  call.require_text("keep_aspect_ratio_policy", "stretch");
  const Tensor* scales = call.optional_input(2);
  // "If 'size' is needed, the user must set 'scales' to an empty tensor."
  if (scales != nullptr && scales->size() == 0) scales = nullptr;
  const bool has_sizes = call.optional_input(3) != nullptr && call.input(3).size() > 0;
  if ((scales != nullptr) == has_sizes) call.invalid("either scales or sizes must be given, and not both");
  std::vector<Resizing> axes_resized;
  for (const std::int64_t length : x.shape()) axes_resized.push_back({length, length, 1});
  std::vector<std::int64_t> axes(x.shape().size());
  for (std::size_t d = 0; d < axes.size(); ++d) axes[d] = static_cast<std::int64_t>(d);
  axes = call.integers("axes", std::move(axes));
  const std::vector<std::int64_t> sizes = has_sizes ? call.integers_of_input(3) : std::vector<std::int64_t>();
  const std::int64_t count = has_sizes ? std::ssize(sizes) : scales->size();
  if (count != std::ssize(axes)) call.invalid("{} scales or sizes for {} axes", count, axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Resizing& row = axes_resized[call.axis(axes[i], x.rank())];
    if (has_sizes) {
      if (sizes[i] < 1 || row.length_original == 0) call.fail("the size {}", sizes[i]);
      row = {row.length_original, sizes[i], Rational(sizes[i], row.length_original)};
    } else {
      call.note_read(2);
      row = resized_by(call, row.length_original, *scales, static_cast<std::int64_t>(i));
    }
  }
  return {resize_mode(call), axes_resized};
}

constexpr std::array conversion_functions{
    OperatorFunction{"Cast", 6, cast,
                     "The operator casts the elements of a given input tensor to a data type specified by the 'to' "
                     "argument and returns an output tensor of the same size in the converted type.",
                     bounded_cast},
    OperatorFunction{"Resize", 10, resized<resize_10>, "output_dimension = floor(input_dimension * scale).",
                     bounded_resize<resize_10>},
    OperatorFunction{"Resize", 11, resized<resize_11>,
                     "it calculates every value in the output tensor as a weighted average of neighborhood (a.k.a. "
                     "sampling locations) in the input tensor.",
                     bounded_resize<resize_11>},
};

}  // namespace

std::span<const OperatorFunction> conversion_operators() { return conversion_functions; }

}  // namespace touchstone::reference
