#include "conformance/report/comparison_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "conformance/report/html/page.h"
#include "spec/operator_version.h"
#include "spec/opset.h"

namespace touchstone::conformance {

namespace {

/// So that the page can say which opsets have the same version of the operators.
std::set<int> versions_of_onnx() {
  std::set<int> versions;
  for (const spec::OperatorVersion& row : spec::operator_versions)
    if (row.domain == spec::ai_onnx) versions.insert(row.since_version);
  return versions;
}

}  // namespace

std::string comparison_page(std::string_view results_json) {
  std::string page;
  const auto write_data = [&](const Sink& data) {
    data(fmt::format(R"({{"versions":[{}],"newest_opset":{},"results":)", fmt::join(versions_of_onnx(), ","),
                     spec::newest_opset));
    data(results_json);
    data("}");
  };
  write_page(comparison_html, write_data, [&](std::string_view part) { page += part; });
  return page;
}

}  // namespace touchstone::conformance
