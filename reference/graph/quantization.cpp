#include "reference/graph/quantization.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "reference/graph/bounds.h"
#include "reference/graph/factors.h"
#include "reference/graph/operator_call.h"

namespace touchstone::reference {

namespace {

/// Rounds the scale to the type of the reading in force. Returns whether that changes it.
bool narrow_scale(Node& node, const Policy& policy) {
  const FactorTreatment& treatment = treatment_of(policy.reading<spec::FactorPrecision>());
  if (!treatment.rounds_scales || node.inputs.size() < 2 || !node.inputs[1]) return false;
  if (treatment.only_of_weights && !node.variable_inputs.empty()) return false;
  Tensor& scale = *node.inputs[1];
  if (scale.type() != ElementType::float32 && scale.type() != ElementType::float16) return false;
  Tensor narrow = narrowed(scale, *treatment.type);
  if (std::ranges::equal(narrow.bytes(), scale.bytes())) return false;
  scale = std::move(narrow);
  return true;
}

/// An element of x.
struct Place {
  double number;
  std::int64_t element;
};

bool is_open(const Result& result, std::int64_t element) {
  const auto i = static_cast<std::size_t>(element);
  return i < result.unspecified.size() && result.unspecified[i];
}

/// Whether y is the same for all numbers between two elements of x with the same parameters.
bool is_constant_between(const Result& left, std::int64_t element_of_left, const Result& right,
                         std::int64_t element_of_right) {
  return !is_open(left, element_of_left) && !is_open(right, element_of_right) &&
         left.y.code(element_of_left) == right.y.code(element_of_right);
}

/// Whether few elements decide the others. Carrier types pack several elements of x or y.
bool is_monotone(const Node& node, const Result& form, const NodeResults& results) {
  return results.some && node.op == spec::Operator::quantize_linear && spec::is_integer(form.y.type()) &&
         form.x.size() == node.inputs[0]->size() && form.y.size() == form.x.size();
}

void compute(const Node& node, const NodeResults& results, std::span<const std::int64_t> elements, Result& result) {
  if (elements.empty()) return;
  const Result some = results.some(node, elements);
  for (const std::int64_t i : elements) {
    result.y.set_code(i, some.y.code(i));
    result.unspecified[static_cast<std::size_t>(i)] = is_open(some, i);
  }
}

/// The result for numbers each of which is in the interval between those of two nodes whose results are known.
Result result_between(const Node& node, const Node& lower, const Result& low, const Node& higher, const Result& high,
                      const NodeResults& results) {
  Result result = results.some(node, {});
  const auto number = [](const Node& one, std::int64_t i) {
    return number_of_code(one.inputs[0]->type(), one.inputs[0]->code(i));
  };
  std::vector<std::int64_t> undecided;
  for (std::int64_t i = 0; i < result.y.size(); ++i)
    if (is_constant_between(low, i, high, i) && number(lower, i) <= number(node, i) &&
        number(node, i) <= number(higher, i)) {
      result.y.set_code(i, low.y.code(i));
      result.unspecified[static_cast<std::size_t>(i)] = false;
    } else {
      undecided.push_back(i);
    }
  compute(node, results, undecided, result);
  return result;
}

/// The result with bounds from those of x: both operators are monotone, and a negative scale exchanges the ends.
NamedValue bounded_result(const Node& node, const NamedValue& x, const NodeResults& results, bool& leaves_open) {
  Bounds of_x = *x.bounds;
  // Fused kernels multiply by a rounded quotient of scales, which is two more roundings.
  constexpr double fused_roundings = 2;
  if (const ElementType type = x.value.type(); node.op == spec::Operator::quantize_linear && !spec::is_integer(type)) {
    const FloatPrecision precision(type);
    for (Interval& one : of_x) one = rounded(one, fused_roundings, precision);
  }
  CodeRange range = ends(x.value.type(), x.value.shape(), of_x);
  Node lower = node, higher = node;
  lower.inputs[0] = std::move(range.lowest);
  higher.inputs[0] = std::move(range.highest);
  const Result low = monotone_result(lower, results), high = monotone_result(higher, results);
  Result middle =
      is_monotone(lower, low, results) ? result_between(node, lower, low, higher, high, results) : results.whole(node);
  // The elements of x that a carrier type packs are more than those of its tensor.
  const bool fits = low.y.size() == std::ssize(of_x);
  Bounds bounds = between(low.y, high.y);
  for (std::int64_t i = 0; i < low.y.size(); ++i) {
    const bool is_known = fits && of_x[static_cast<std::size_t>(i)].is_known();
    const bool is_left_open = is_known && (is_open(low, i) || is_open(high, i));
    if (!is_known || is_left_open) bounds[static_cast<std::size_t>(i)] = {};
    leaves_open = leaves_open || is_left_open;
  }
  NamedValue y{std::move(middle.y)};
  y.bounds = std::make_shared<const Bounds>(std::move(bounds));
  y.is_exact = false;
  return y;
}

NamedValue unbounded_result(const Node& node, const NodeResults& results) {
  Result result = results.whole(node);
  return {std::move(result.y), std::move(result.unspecified)};
}

/// Widens the bounds of what DequantizeLinear gives by the roundings of its difference and its product, which fused
/// kernels skip. There are none if all products fit.
void skip_rounding(const Node& node, NamedValue& y) {
  const ElementType type = y.value.type();
  if (spec::is_integer(type) || spec::info(type).bits < 16) return;
  const FloatPrecision precision(type);
  const int bits_of_x = spec::info(node.inputs[0]->type()).bits + 1;
  double roundings = bits_of_x > 24 ? 2 : 1;
  if (spec::info(type).bits < 32) roundings = 4;  // the scale may be rounded too
  if (bits_of_x <= precision.bits && node.inputs.size() > 1 && node.inputs[1]) {
    const Bounds scales = exact_bounds(*node.inputs[1]);
    const double limit = std::ldexp(1, precision.bits - bits_of_x);
    if (std::ranges::all_of(scales, [&](const Interval& scale) {
          int exponent = 0;
          const double significand = std::frexp(scale.low, &exponent) * limit;
          return scale.is_known() && significand == std::trunc(significand);
        }))
      return;
  }
  if (!y.bounds && y.value.size() > most_exact_terms) {
    y.skipped_roundings = roundings;
    return;
  }
  Bounds bounds = y.bounds ? *y.bounds : exact_bounds(y.value);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    bounds[i] = rounded(bounds[i], roundings, precision);
    if (!y.unspecified.empty() && y.unspecified[i]) bounds[i] = {};
  }
  y.bounds = std::make_shared<const Bounds>(std::move(bounds));
}

}  // namespace

bool has_monotone_quantization(const Policy& policy) {
  if (policy.reading<spec::NanToInteger>() != spec::NanToInteger::undefined) return false;
  for (std::size_t ambiguity = 0; ambiguity < spec::ambiguities.size(); ++ambiguity)
    if (spec::ambiguities[ambiguity]->readings[policy.reading_index(ambiguity)].status == spec::ReadingStatus::rejected)
      return false;
  return true;
}

NamedValue quantized_value(Node node, const NamedValue* x, bool fuses_scales, const Policy& policy,
                           const NodeResults& results, bool& leaves_open) {
  const bool dequantizes = node.op == spec::Operator::dequantize_linear;
  const bool rounds_scale = dequantizes && narrow_scale(node, policy);
  const bool has_bounded_x = x != nullptr && x->bounds && (!x->is_exact || fuses_scales);
  NamedValue made = has_bounded_x ? bounded_result(node, *x, results, leaves_open) : unbounded_result(node, results);
  if (dequantizes && x != nullptr) skip_rounding(node, made);
  if (rounds_scale) {
    if (!made.has_bounds()) made.bounds = std::make_shared<const Bounds>(exact_bounds(made.value));
    made.bounds = made.all_bounds();
    made.is_exact = false;
  }
  return made;
}

Result monotone_result(const Node& node, const NodeResults& results, std::int64_t fewest_elements) {
  if (!results.some || node.op != spec::Operator::quantize_linear || node.inputs[0]->size() < fewest_elements)
    return results.whole(node);
  Result result = results.some(node, {});
  if (!is_monotone(node, result, results)) return results.whole(node);
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Place>> places;  // by scale and zero point
  std::vector<std::int64_t> wanted;
  ParameterCursor scale(result.parameters.scale), zero_point(result.parameters.zero_point);
  for (std::int64_t i = 0; i < result.x.size(); ++i)
    if (const double number = number_of_code(result.x.type(), result.x.code(i)); std::isfinite(number))
      places[{scale.at(i), zero_point.at(i)}].push_back({number, i});
    else
      wanted.push_back(i);
  // Neighbours between which others are: first all elements with the same parameters, then ever fewer.
  std::vector<std::span<const Place>> gaps;
  for (auto& [parameters, sorted] : places) {
    std::ranges::sort(sorted, {}, &Place::number);
    wanted.push_back(sorted.front().element);
    wanted.push_back(sorted.back().element);
    gaps.emplace_back(sorted);
  }
  while (true) {
    compute(node, results, wanted, result);
    if (gaps.empty()) return result;
    wanted.clear();
    std::vector<std::span<const Place>> smaller;
    for (const std::span<const Place> gap : gaps) {
      const std::int64_t first = gap.front().element, last = gap.back().element;
      if (gap.front().number == gap.back().number || is_constant_between(result, first, result, last)) {
        for (const Place& place : gap) {
          result.y.set_code(place.element, result.y.code(first));
          result.unspecified[static_cast<std::size_t>(place.element)] = is_open(result, first);
        }
      } else if (gap.size() > 2) {
        const std::size_t middle = gap.size() / 2;
        wanted.push_back(gap[middle].element);
        smaller.push_back(gap.first(middle + 1));
        smaller.push_back(gap.subspan(middle));
      }
    }
    gaps = std::move(smaller);
  }
}

}  // namespace touchstone::reference
