#include "conformance/generate/quantize_thresholds.h"

#include <algorithm>

#include "conformance/generate/ordered_codes.h"
#include "reference/codec.h"

namespace touchstone::conformance {

using reference::Rational;
using spec::ElementType;

namespace {

std::vector<Threshold> integer_thresholds(ElementType y, std::int64_t zero_point) {
  const std::int64_t low = lowest_place(y) - zero_point;
  const std::int64_t high = highest_place(y) - zero_point;
  std::vector<Threshold> thresholds;
  // Next to zero, at both ends, and further inside.
  for (const std::int64_t below :
       {std::int64_t{-3}, std::int64_t{-2}, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{2},
        std::int64_t{3}, low - 1, low, high - 1, high, (low + high) / 2, low + (high - low) / 3}) {
    const Rational from = below;
    const Rational to = below + 1;
    const Rational middle = (from + to) / 2;
    thresholds.push_back({middle, from, to, below, below + 1, below % 2 == 0 ? below : below + 1});
  }
  return thresholds;
}

/// Halfway between neighbours, and at the end of the range.
std::vector<Threshold> float_thresholds(ElementType y) {
  const auto number = [&](std::int64_t place) { return reference::decode(y, code_at(y, place)).rational(); };
  const std::int64_t last = highest_place(y);
  const std::int64_t first_normal = std::int64_t{1} << spec::info(y).format->fraction_bits;
  const std::int64_t one = place_below(y, 1);
  const std::int64_t fraction = place_below(y, Rational(3, 10));
  std::vector<std::int64_t> places{0,       1,   2,        first_normal - 1, first_normal, fraction,
                                   one - 1, one, last - 2, last - 1,         last};
  if (last < 32)
    for (std::int64_t place = 0; place < last; ++place) places.push_back(place);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<Threshold> thresholds;
  for (const std::int64_t place : places) {
    const Rational begin = number(place);
    const Rational gap = place < last ? number(place + 1) - begin : begin - number(last - 1);
    const Rational end = begin + gap;
    const Rational middle = begin + gap / 2;
    const std::int64_t even = place % 2 == 0 ? place : place + 1;
    thresholds.push_back({middle, begin, end, place, place + 1, even});
    thresholds.push_back({-middle, -end, -begin, -place - 1, -place, -even});
  }
  return thresholds;
}

}  // namespace

std::vector<Threshold> thresholds(ElementType y, std::int64_t zero_point) {
  if (spec::is_integer(y)) return integer_thresholds(y, zero_point);
  return float_thresholds(y);
}

}  // namespace touchstone::conformance
