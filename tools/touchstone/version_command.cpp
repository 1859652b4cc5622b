// touchstone version: the versions of the program and of its libraries.
#include <fmt/format.h>
#include <google/protobuf/stubs/common.h>
#include <onnx/common/version.h>

#include <boost/config.hpp>
#include <boost/version.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "conformance/backends/workers/messages.h"
#include "conformance/backends/workers/touchstone_backend.h"
#include "conformance/packs/manifest.h"
#include "conformance/report/format.h"
#include "conformance/run/journal.h"
#include "conformance/version.h"
#include "spec/opset.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

namespace {

/// The opsets of all domains: "ai.onnx opsets 10 to 28, com.microsoft opset 1".
std::string opsets_text() {
  std::vector<std::string> domains;
  for (const spec::Opset& row : spec::opsets) {
    if (&row != spec::oldest_of(row.domain)) continue;
    const int newest = spec::newest_of(row.domain)->number;
    domains.push_back(row.number == newest ? fmt::format("{} opset {}", row.domain, row.number)
                                           : fmt::format("{} opsets {} to {}", row.domain, row.number, newest));
  }
  return fmt::format("{}", fmt::join(domains, ", "));
}

std::string protobuf_version() { return google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION); }

std::string version_json() {
  using Json = nlohmann::ordered_json;
  Json opsets = Json::object();
  for (const spec::Opset& row : spec::opsets)
    if (&row == spec::oldest_of(row.domain))
      opsets[std::string(row.domain)] = {{"oldest", row.number}, {"newest", spec::newest_of(row.domain)->number}};
  const Json json{{"touchstone", conformance::touchstone_version},
                  {"opsets", opsets},
                  {"interfaces",
                   {{"report", conformance::report_format},
                    {"journal", conformance::journal_format},
                    {"pack", conformance::pack_format},
                    {"worker_protocol", conformance::protocol_version},
                    {"backend_abi", TOUCHSTONE_BACKEND_ABI}}},
                  {"built_with",
                   {{"onnx", ONNX_VERSION_STRING},
                    {"protobuf", protobuf_version()},
                    {"boost", BOOST_LIB_VERSION},
                    {"compiler", BOOST_COMPILER}}}};
  return json.dump(2) + "\n";
}

}  // namespace

std::string version_text() {
  return fmt::format(
      "touchstone {}\n"
      "{}\n"
      "built with ONNX {}, Protocol Buffers {}, Boost {}, {}\n",
      conformance::touchstone_version, opsets_text(), ONNX_VERSION_STRING, protobuf_version(), BOOST_LIB_VERSION,
      BOOST_COMPILER);
}

void add_version_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("version", "Print versions");
  auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Print them as JSON");
  command->footer(fmt::format("{}\nExample:\n  touchstone version --json\n", exit_codes));
  command->callback([&exit_code, as_json] {
    fmt::print("{}", *as_json ? version_json() : version_text());
    exit_code = as_expected;
  });
}

}  // namespace touchstone::tools
