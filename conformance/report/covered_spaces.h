// What a run covered without gaps, from the records of the tier exhaustive, put together again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Of a cell every combination of these codes of its operands. Each is a list of intervals in ascending order, none of
/// which overlaps the next or ends where that begins: what is between them was not covered.
struct CoveredSpace {
  Cell cell;
  CodeIntervals x;
  CodeIntervals scale;
  CodeIntervals zero_point;

  std::uint64_t elements() const;

  bool operator==(const CoveredSpace&) const = default;
};

/// Of the cases whose outputs were compared, whatever came of it; in the order of the versions. No two spaces of a cell
/// have an element in common, if no two of the cases have.
std::vector<CoveredSpace> covered_spaces(const std::vector<CaseRecord>& records);

/// Spaces that differ in their cells' types alone, in the texts that reports have of them.
struct CoveredCodes {
  std::string version;             ///< "QuantizeLinear-28 per_tensor"
  std::vector<std::string> types;  ///< of x, scale and y of each cell: "f32-f32-u8"
  // "0x00000000..0x0fffffff", "0x00, 0x7f..0x80, 0xff"
  std::string x;
  std::string scale;
  std::string zero_point;
  std::uint64_t elements;  ///< of each cell
};

std::vector<CoveredCodes> covered_codes(const std::vector<CoveredSpace>& spaces);

}  // namespace touchstone::conformance
