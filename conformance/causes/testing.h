// For tests: records of cases that were not run.
#pragma once

#include <string>
#include <utility>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// A case of the cell with this text, at the oldest opset that has it.
inline CaseRecord record_of(const std::string& cell_text, Verdict verdict, std::string reason = "") {
  const Cell cell = find_cell(cell_text).value();
  CaseRecord record;
  record.id = cell_text + "/values";
  record.verdict = verdict;
  record.reason = std::move(reason);
  record.subject = {cell.version, cell.version->since_version, cell.quantized_type()};
  record.form = "inputs";
  record.cells = {cell};
  return record;
}

}  // namespace touchstone::conformance
