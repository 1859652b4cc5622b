// touchstone version: of the program, and of what it was built with.
#include <fmt/format.h>
#include <google/protobuf/stubs/common.h>
#include <onnx/common/version.h>

#include <boost/version.hpp>

#include "conformance/version.h"
#include "spec/opset.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

void add_version_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("version", "Print versions");
  command->callback([&exit_code] {
    fmt::print("touchstone {}\n", conformance::version);
    fmt::print("opsets {} to {}\n", spec::oldest_opset, spec::newest_opset);
    fmt::print("built with ONNX {}, Protocol Buffers {}, Boost {}, {}\n", ONNX_VERSION_STRING,
               google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION), BOOST_LIB_VERSION, __VERSION__);
    exit_code = as_expected;
  });
}

}  // namespace touchstone::tools
