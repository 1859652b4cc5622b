// Combines the records of the tier exhaustive into the value spaces that a run covered without gaps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Every combination of these codes of the operands of a cell. Each operand has a list of intervals in ascending order,
/// which neither overlap nor adjoin. The codes between them were not covered.
struct CoveredSpace {
  Cell cell;
  CodeIntervals x;
  CodeIntervals scale;
  CodeIntervals zero_point;

  std::uint64_t elements() const;

  bool operator==(const CoveredSpace&) const = default;
};

/// The spaces of the cases whose outputs were compared, whatever the verdict, in the order of the versions. The spaces
/// of a cell are disjoint if those of the cases are.
std::vector<CoveredSpace> covered_spaces(const std::vector<CaseRecord>& records);

/// Spaces that differ only in the types of their cells, as texts for reports.
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
