#include "conformance/exhaustive/output_comparison.h"

#include <algorithm>
#include <cstring>

namespace touchstone::conformance {

namespace {

bool all_equal_one_by_one(const Tensor& y, std::int64_t begin, std::int64_t end, std::uint64_t code) {
  for (std::int64_t i = begin; i < end; ++i)
    if (y.code(i) != code) return false;
  return true;
}

/// Whether the elements in [begin, end) all have this code.
bool all_equal(const Tensor& y, std::int64_t begin, std::int64_t end, std::uint64_t code) {
  const int bits = spec::info(y.type()).bits;
  const std::int64_t per_byte = bits < 8 ? 8 / bits : 1;
  // Whole bytes; the elements before and after them share a byte with others.
  const std::int64_t whole = std::min(end, (begin + per_byte - 1) / per_byte * per_byte);
  const std::int64_t rest = std::max(whole, end / per_byte * per_byte);
  if (!all_equal_one_by_one(y, begin, whole, code) || !all_equal_one_by_one(y, rest, end, code)) return false;
  if (whole == rest) return true;
  if (!all_equal_one_by_one(y, whole, whole + per_byte, code)) return false;
  // Checks the first element, and that every other one equals its predecessor.
  const std::span<const std::byte> bytes = y.bytes().subspan(static_cast<std::size_t>(whole * bits / 8),
                                                             static_cast<std::size_t>((rest - whole) * bits / 8));
  const std::size_t width = bits == 16 ? 2 : 1;
  return std::memcmp(bytes.data(), bytes.data() + width, bytes.size() - width) == 0;
}

/// Calls f for each stretch of the row between two steps, with its range in y and its expected output, until f returns
/// false.
template <class F>
void for_each_stretch(const OutputRow& row, std::span<const Step> steps, const F& f) {
  const std::uint64_t last = row.first + row.count - 1;
  auto step = std::upper_bound(steps.begin(), steps.end(), row.first,
                               [](std::uint64_t code, const Step& one) { return code < one.first; }) -
              1;
  for (std::uint64_t code = row.first; code <= last; ++step) {
    const auto next = step + 1;
    const std::uint64_t end = next == steps.end() ? last + 1 : std::min(next->first, last + 1);
    const auto place = [&](std::uint64_t x) { return row.begin + static_cast<std::int64_t>(x - row.first); };
    if (!f(place(code), place(end), step->output)) return;
    code = end;
  }
}

}  // namespace

bool equals(const OutputRow& row, std::span<const Step> steps) {
  bool all = true;
  for_each_stretch(row, steps, [&](std::int64_t begin, std::int64_t end, const ExpectedOutput& expected) {
    all = expected.open || all_equal(row.y, begin, end, expected.code);
    return all;
  });
  return all;
}

void for_each_difference(const OutputRow& row, std::span<const Step> steps,
                         const std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)>& f) {
  for_each_stretch(row, steps, [&](std::int64_t begin, std::int64_t end, const ExpectedOutput& expected) {
    if (expected.open || all_equal(row.y, begin, end, expected.code)) return true;
    for (std::int64_t i = begin; i < end; ++i)
      if (const std::uint64_t actual = row.y.code(i); actual != expected.code)
        f(row.first + static_cast<std::uint64_t>(i - row.begin), expected.code, actual);
    return true;
  });
}

std::uint64_t count_open(std::span<const Step> steps, const CodeInterval& x) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].output.open) count += (i + 1 < steps.size() ? steps[i + 1].first : x.last + 1) - steps[i].first;
  return count;
}

}  // namespace touchstone::conformance
