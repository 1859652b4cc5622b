#include "conformance/report/covered_spaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "conformance/report/layout.h"
#include "conformance/run/number.h"

namespace touchstone::conformance {

namespace {

/// All combinations of these codes.
struct Box {
  Cell cell;
  CodeInterval x;
  CodeInterval scale;
  CodeInterval zero_point;

  auto operator<=>(const Box&) const = default;
};

/// Joins boxes that are next to each other along one operand.
std::vector<Box> joined(std::vector<Box> boxes, CodeInterval Box::*along) {
  const auto key = [&](Box box) {
    const std::uint64_t first = (box.*along).first;
    (box.*along).first = (box.*along).last = 0;
    return std::pair(box, first);
  };
  std::sort(boxes.begin(), boxes.end(), [&](const Box& a, const Box& b) { return key(a) < key(b); });
  std::vector<Box> result;
  for (const Box& box : boxes) {
    const bool fits = !result.empty() && key(result.back()).first == key(box).first &&
                      (result.back().*along).last + 1 == (box.*along).first;
    if (fits)
      (result.back().*along).last = (box.*along).last;
    else
      result.push_back(box);
  }
  return result;
}

/// What has one interval of x, and hence all combinations of some scales and zero points.
struct Block {
  Cell cell;
  CodeInterval x;
  std::set<CodeInterval> scales;
  std::set<CodeInterval> zero_points;
};

/// Boxes of one cell and x whose scales have the same zero points.
std::vector<Block> blocks_of(const std::vector<Box>& boxes) {
  std::map<std::tuple<Cell, CodeInterval, CodeInterval>, std::set<CodeInterval>> zero_points_of;
  for (const Box& box : boxes) zero_points_of[{box.cell, box.x, box.scale}].insert(box.zero_point);
  std::map<std::tuple<Cell, CodeInterval, std::set<CodeInterval>>, std::set<CodeInterval>> scales_of;
  for (const auto& [key, zero_points] : zero_points_of)
    scales_of[{std::get<0>(key), std::get<1>(key), zero_points}].insert(std::get<2>(key));
  std::vector<Block> blocks;
  for (const auto& [key, scales] : scales_of)
    blocks.push_back({std::get<0>(key), std::get<1>(key), scales, std::get<2>(key)});
  return blocks;
}

std::uint64_t size_of(const std::set<CodeInterval>& intervals) {
  std::uint64_t size = 0;
  for (const CodeInterval& interval : intervals) size += interval.size();
  return size;
}

std::string text_of(const std::set<CodeInterval>& intervals) {
  const CodeInterval& one = *intervals.begin();
  const std::uint64_t size = size_of(intervals);
  if (intervals.size() == 1 && one.is_whole()) return fmt::format("all {} codes", size);
  if (intervals.size() > 1 || size == 1) return fmt::format("{} code{}", size, size == 1 ? "" : "s");
  return fmt::format("{}..{}", hex(one.type, one.first), hex(one.type, one.last));
}

std::string types_of(const Cell& cell) {
  const auto name = [](spec::ElementType type) { return spec::info(type).short_name; };
  return fmt::format("{}-{}-{}", name(cell.x), name(cell.scale), name(cell.y));
}

}  // namespace

std::vector<CoveredSpace> covered_spaces(const std::vector<CaseRecord>& records) {
  std::vector<Box> boxes;
  for (const CaseRecord& record : records) {
    const bool compared = is_pass(record.verdict) || record.verdict == Verdict::fail;
    if (compared && record.covered.size() == 3 && record.cells.size() == 1)
      boxes.push_back({record.cells.front(), record.covered[0], record.covered[1], record.covered[2]});
  }
  for (const auto along : {&Box::x, &Box::scale}) boxes = joined(std::move(boxes), along);

  std::vector<CoveredSpace> spaces;
  for (const Block& block : blocks_of(boxes)) {
    const CoveredSpace space{block.cell.version,
                             block.cell.granularity,
                             {types_of(block.cell)},
                             text_of({block.x}),
                             text_of(block.scales),
                             text_of(block.zero_points),
                             block.x.size() * size_of(block.scales) * size_of(block.zero_points)};
    const auto alike = std::find_if(spaces.begin(), spaces.end(), [&](CoveredSpace other) {
      other.types = space.types;
      return other == space;
    });
    if (alike != spaces.end())
      alike->types.push_back(space.types.front());
    else
      spaces.push_back(space);
  }
  return spaces;
}

std::string to_string(const CoveredSpace& space) {
  return fmt::format("{} {}: x {}, scale {}, zero point {}: {} elements of each of {}", version_name(*space.version),
                     spec::name(space.granularity), space.x, space.scale, space.zero_point, space.elements,
                     fmt::join(space.types, ", "));
}

}  // namespace touchstone::conformance
