// Renders cases and elements as text for a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/matrix.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// One row of an element table. Empty fields are unknown.
struct ElementRow {
  std::int64_t index;
  std::optional<ElementCode> x = {};
  std::optional<ElementCode> scale = {};
  std::optional<ElementCode> zero_point = {};
  std::optional<ElementCode> expected = {};
  std::optional<ElementCode> actual = {};
  std::string note = {};
  std::vector<std::int64_t> position = {};  ///< the index along each dimension
  std::optional<std::int64_t> scale_index = std::nullopt;
  std::optional<std::int64_t> block = std::nullopt;
  std::string quotient = {};
};

/// "[0,2]"; empty for an empty position.
std::string position_text(const std::vector<std::int64_t>& position);

/// The wrong elements of a case.
std::vector<ElementRow> element_rows(const CaseRecord& record);

/// A table with a heading; every number in decimal and in hex. Empty columns are omitted.
std::string render_elements(const std::vector<ElementRow>& rows);

/// The reason of the verdict, the other operator that is refused, and whether the case is flaky. One line unless the
/// reason has several.
std::string reason_text(const CaseRecord& record);

/// The last lines of the backend's output, indented; empty if it printed nothing.
std::string printed_end(const CaseRecord& record, std::string_view indent);

/// Describes a failed case: id, verdict, reason, cell, its first wrong elements, and the backend's output.
std::string render_problem(const CaseRecord& record, Color color);

}  // namespace touchstone::conformance
