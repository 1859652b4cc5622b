#include "conformance/exhaustive/output_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "conformance/generate/ordered_codes.h"
#include "conformance/plan/number.h"

namespace touchstone::conformance {

namespace {

/// A range of codes on which the output is monotone.
struct Range {
  std::uint64_t first;
  std::uint64_t last;
};

/// Zero, the finite numbers, infinity and NaN, with each sign, as far as they are in the interval.
std::vector<Range> monotone_ranges(const CodeInterval& x) {
  const std::uint64_t infinity = static_cast<std::uint64_t>(highest_place(x.type)) + 1;
  const std::uint64_t sign = std::uint64_t{1} << (spec::info(x.type).bits - 1);
  std::vector<Range> ranges;
  for (const std::uint64_t base : {std::uint64_t{0}, sign})
    for (const Range& range :
         {Range{0, 0}, Range{1, infinity - 1}, Range{infinity, infinity}, Range{infinity + 1, sign - 1}}) {
      const Range part{std::max(base + range.first, x.first), std::min(base + range.last, x.last)};
      if (part.first <= part.last) ranges.push_back(part);
    }
  return ranges;
}

/// Two codes with different outputs. There is a step between them.
struct Gap {
  Step low;
  Step high;
};

/// The number that an integer's code represents.
std::int64_t number(ElementType type, std::uint64_t code) {
  return static_cast<std::int64_t>(code) > highest_place(type)
             ? static_cast<std::int64_t>(code) - (std::int64_t{1} << spec::info(type).bits)
             : static_cast<std::int64_t>(code);
}

void check_monotone(std::span<const Step> steps, const Range& range, ElementType x, ElementType y) {
  int direction = 0;
  const Step* before = nullptr;
  for (const Step& step : steps) {
    if (step.output.open) continue;
    if (before != nullptr) {
      const std::int64_t rise = number(y, step.output.code) - number(y, before->output.code);
      const int now = rise > 0 ? 1 : -1;
      if (rise == 0 || direction == -now)
        throw std::logic_error(fmt::format("the expected outputs from x = {} to {} are not monotone at {}",
                                           hex(x, range.first), hex(x, range.last), hex(x, step.first)));
      direction = now;
    }
    before = &step;
  }
}

}  // namespace

std::vector<Step> find_steps(const CodeInterval& x, ElementType y, const Oracle& oracle) {
  const std::vector<Range> ranges = monotone_ranges(x);
  std::vector<std::uint64_t> codes;
  for (const Range& range : ranges) {
    codes.push_back(range.first);
    codes.push_back(range.last);
  }
  std::vector<ExpectedOutput> outputs = oracle(codes);

  std::vector<Step> steps;
  std::vector<Gap> gaps;
  const auto add_gap = [&](const Step& low, const Step& high) {
    if (low.output == high.output) return;
    if (high.first - low.first == 1)
      steps.push_back(high);
    else
      gaps.push_back({low, high});
  };
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Step low{codes[2 * i], outputs[2 * i]};
    steps.push_back(low);
    add_gap(low, {codes[2 * i + 1], outputs[2 * i + 1]});
  }
  while (!gaps.empty()) {
    const std::vector<Gap> halved = std::exchange(gaps, {});
    codes.clear();
    for (const Gap& gap : halved) codes.push_back(gap.low.first + (gap.high.first - gap.low.first) / 2);
    outputs = oracle(codes);
    for (std::size_t i = 0; i < halved.size(); ++i) {
      const Step middle{codes[i], outputs[i]};
      add_gap(halved[i].low, middle);
      add_gap(middle, halved[i].high);
    }
  }
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.first < b.first; });
  for (const Range& range : ranges) {
    const auto by_code = [](const Step& step, std::uint64_t code) { return step.first < code; };
    const auto begin = std::lower_bound(steps.begin(), steps.end(), range.first, by_code);
    check_monotone({begin, std::lower_bound(begin, steps.end(), range.last + 1, by_code)}, range, x.type, y);
  }
  return steps;
}

}  // namespace touchstone::conformance
