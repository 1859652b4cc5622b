#include "conformance/report/comparison_page.h"

#include <set>

#include "conformance/report/columns.h"
#include "conformance/report/html/page.h"
#include "spec/element_type.h"
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

/// {"int8":"i8",...}, as in the ids of cases.
Json short_types() {
  Json json = Json::object();
  for (const spec::ElementTypeInfo& type : spec::element_types) json[std::string(type.name)] = type.short_name;
  return json;
}

}  // namespace

std::string comparison_page(const ComparisonPage& content) {
  const Json data{{"versions", versions_of_onnx()},
                  {"newest_opset", spec::newest_opset},
                  {"types", short_types()},
                  {"columns", columns_json()},
                  {"directories", content.directories},
                  {"notes", content.notes},
                  {"same_cases", content.has_same_cases},
                  {"runtimes", content.runtimes}};
  std::string page;
  const auto write_data = [&](const Sink& sink) {
    std::string members = to_line(data);
    members.resize(members.rfind('}'));
    sink(members + ",\"results\":" + content.results + '}');
  };
  write_page(comparison_html, write_data, [&](std::string_view part) { page += part; });
  return page;
}

}  // namespace touchstone::conformance
