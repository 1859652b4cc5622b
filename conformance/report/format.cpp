#include "conformance/report/format.h"

#include <array>

#include "conformance/report/json_report.h"

namespace touchstone::conformance {

namespace {

constexpr std::array formats{
    ReportFormat{"json", "report.json", "everything, for programs", json_report},
};

}  // namespace

std::span<const ReportFormat> report_formats() { return formats; }

const ReportFormat* find_report_format(std::string_view name) {
  for (const ReportFormat& row : formats)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace touchstone::conformance
