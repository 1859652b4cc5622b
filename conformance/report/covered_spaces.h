// What a run covered without gaps, from the records of the tier exhaustive, put together again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Every combination of these, of cells that have the same.
struct CoveredSpace {
  const spec::OperatorVersion* version;
  spec::Granularity granularity;
  std::vector<std::string> types;  ///< of x, scale and y of each cell: "f32-f32-u8"
  // "all 256 codes", "3 codes", or, of what is neither a whole type nor single codes, "0x00000000..0x0fffffff".
  std::string x;
  std::string scale;
  std::string zero_point;
  std::uint64_t elements;  ///< of each cell

  bool operator==(const CoveredSpace&) const = default;
};

/// Of the cases whose outputs were compared, whatever came of it: of passes, variants and failures. In the order of the
/// versions.
std::vector<CoveredSpace> covered_spaces(const std::vector<CaseRecord>& records);

/// On one line: "QuantizeLinear-28 per_tensor: x all 4294967296 codes, scale 21 codes, ...: f32-f32-u8, f32-f32-i8".
std::string to_string(const CoveredSpace& space);

}  // namespace touchstone::conformance
