#include "conformance/report/format.h"
#include "conformance/report/html/page.h"
#include "conformance/report/html_data.h"

namespace touchstone::conformance {

void html_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records, const Sink& sink) {
  write_page(
      report_html, [&](const Sink& data) { html_data(run, summary, records, data); }, sink);
}

}  // namespace touchstone::conformance
