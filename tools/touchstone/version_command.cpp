// touchstone version: of the program, and of what it was built with.
#include <fmt/format.h>
#include <google/protobuf/stubs/common.h>
#include <onnx/common/version.h>

#include <boost/config.hpp>
#include <boost/version.hpp>

#include "conformance/version.h"
#include "spec/opset.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

std::string version_text() {
  return fmt::format(
      "touchstone {}\n"
      "opsets {} to {}\n"
      "built with ONNX {}, Protocol Buffers {}, Boost {}, {}\n",
      conformance::version, spec::oldest_opset, spec::newest_opset, ONNX_VERSION_STRING,
      google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION), BOOST_LIB_VERSION, BOOST_COMPILER);
}

void add_version_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("version", "Print versions");
  command->footer(fmt::format("{}\nExample:\n  touchstone version\n", exit_codes));
  command->callback([&exit_code] {
    fmt::print("{}", version_text());
    exit_code = as_expected;
  });
}

}  // namespace touchstone::tools
