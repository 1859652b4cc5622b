#include "conformance/report/covered_spaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "conformance/plan/number.h"
#include "conformance/report/layout.h"

namespace touchstone::conformance {

namespace {

using Intervals = std::set<CodeInterval>;

/// The same codes as the fewest possible intervals, in ascending order.
CodeIntervals joined(const Intervals& intervals) {
  CodeIntervals result;
  for (const CodeInterval& interval : intervals) {
    const bool touches = !result.empty() && (interval.first == 0 || interval.first - 1 <= result.back().last);
    if (touches)
      result.back().last = std::max(result.back().last, interval.last);
    else
      result.push_back(interval);
  }
  return result;
}

std::uint64_t size_of(const CodeIntervals& intervals) {
  return std::accumulate(intervals.begin(), intervals.end(), std::uint64_t{0},
                         [](std::uint64_t size, const CodeInterval& interval) { return size + interval.size(); });
}

std::string text_of(const CodeIntervals& intervals) {
  std::vector<std::string> texts;
  for (const CodeInterval& interval : intervals) {
    const std::string first = hex(interval.type, interval.first);
    texts.push_back(interval.size() == 1 ? first : fmt::format("{}..{}", first, hex(interval.type, interval.last)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string types_of(const Cell& cell) {
  const auto name = [](spec::ElementType type) { return spec::info(type).short_name; };
  return fmt::format("{}-{}-{}", name(cell.x), name(cell.scale), name(cell.y));
}

}  // namespace

std::uint64_t CoveredSpace::elements() const { return size_of(x) * size_of(scale) * size_of(zero_point); }

std::vector<CoveredSpace> covered_spaces(const std::vector<CaseRecord>& records) {
  // First joins the values of x for each scale and zero point, then the zero points with the same values of x, and then
  // the scales.
  std::map<std::tuple<Cell, CodeInterval, CodeInterval>, Intervals> x_of;
  for (const CaseRecord& record : records)
    if (record.covered.size() == 3 && record.cells.size() == 1)
      x_of[{record.cells.front(), record.covered[1], record.covered[2]}].insert(record.covered[0]);
  std::map<std::tuple<Cell, CodeIntervals, CodeInterval>, Intervals> zero_points_of;
  for (const auto& [key, x] : x_of) {
    const auto& [cell, scale, zero_point] = key;
    zero_points_of[{cell, joined(x), scale}].insert(zero_point);
  }
  std::map<std::tuple<Cell, CodeIntervals, CodeIntervals>, Intervals> scales_of;
  for (const auto& [key, zero_points] : zero_points_of) {
    const auto& [cell, x, scale] = key;
    scales_of[{cell, x, joined(zero_points)}].insert(scale);
  }
  std::vector<CoveredSpace> spaces;
  for (const auto& [key, scales] : scales_of) {
    const auto& [cell, x, zero_points] = key;
    spaces.push_back({cell, x, joined(scales), zero_points});
  }
  return spaces;
}

std::vector<CoveredCodes> covered_codes(const std::vector<CoveredSpace>& spaces) {
  std::vector<CoveredCodes> rows;
  for (const CoveredSpace& space : spaces) {
    const std::string version =
        fmt::format("{} {}", version_name(*space.cell.version), spec::name(space.cell.granularity));
    const CoveredCodes row{
        version,         {types_of(space.cell)}, text_of(space.x), text_of(space.scale), text_of(space.zero_point),
        space.elements()};
    const auto alike = std::find_if(rows.begin(), rows.end(), [&](const CoveredCodes& other) {
      return std::tie(other.version, other.x, other.scale, other.zero_point) ==
             std::tie(row.version, row.x, row.scale, row.zero_point);
    });
    if (alike != rows.end())
      alike->types.push_back(row.types.front());
    else
      rows.push_back(row);
  }
  return rows;
}

}  // namespace touchstone::conformance
