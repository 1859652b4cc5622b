#include "conformance/report/comparison_page.h"

#include "conformance/report/html/page.h"

namespace touchstone::conformance {

std::string comparison_page(std::string_view results_json) {
  std::string page;
  write_page(
      comparison_html, [&](const Sink& data) { data(results_json); }, [&](std::string_view part) { page += part; });
  return page;
}

}  // namespace touchstone::conformance
