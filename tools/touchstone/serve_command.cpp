// touchstone serve: runs a backend as a worker for any program that uses the protocol.
#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "conformance/backends/workers/library_backend.h"
#include "conformance/backends/workers/serve.h"
#include "tools/touchstone/backend_option.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/emulation.h"
#include "tools/touchstone/selection.h"

namespace touchstone::tools {

namespace {

struct ServeOptions {
  std::string backend = default_backend;
  conformance::WorkerOptions worker;
  conformance::Capabilities assumed;
  bool is_control = false;
};

/// The descriptor in this environment variable. Throws Exit if it is not open with this access.
int descriptor(const char* variable, int otherwise, int access) {
  int number = otherwise;
  if (const char* text = std::getenv(variable); text != nullptr) {
    const std::string_view digits = text;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size())
      throw Exit(usage, fmt::format("{} is '{}', which is not a descriptor number", variable, digits));
  }
  const int flags = ::fcntl(number, F_GETFL);
  if (flags >= 0 && ((flags & O_ACCMODE) == access || (flags & O_ACCMODE) == O_RDWR)) return number;
  throw Exit(usage, fmt::format("serve: descriptor {} ({}): {}; the program that starts serve must open it", number,
                                variable, flags < 0 ? std::strerror(errno) : "open for the wrong direction"));
}

/// Only this subcommand loads libraries.
std::unique_ptr<conformance::Backend> backend_of(const ServeOptions& options) {
  constexpr std::string_view library = "lib:";
  if (options.backend.starts_with(library)) {
    if (options.worker.in_sandbox) refuse_sandbox(options.backend);
    return conformance::load_library_backend(options.backend.substr(library.size()));
  }
  return open_backend(options.backend, options.worker);
}

}  // namespace

void add_serve_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* command =
      app.add_subcommand("serve", "Run a backend as a worker, which answers the requests of another program");
  add_backend_option(*command, options->backend);
  add_worker_options(*command, options->worker);
  add_assume_option(*command, options->assumed);
  command
      ->add_flag("--control", options->is_control, "Test the arithmetic of the processor, and serve nothing: see --cpu")
      ->group("");
  command->footer(
      "Requests and responses are delimited Protocol Buffers, on the descriptors 3 and 4, or on those in the "
      "environment variables TOUCHSTONE_REQUESTS_FD and TOUCHSTONE_RESPONSES_FD. The worker declares the limits of "
      "--assume in addition to those that the backend declares itself.\n"
      "\n"
      "Example:\n"
      "  touchstone run --backend exec:'touchstone serve --backend reference'\n");
  command->callback([options, &exit_code] {
    exit_code = as_expected;
    if (options->is_control) {
      const std::string wrong = wrong_arithmetic();
      if (!wrong.empty()) throw Exit(broken, fmt::format("serve --control: not exact: {}", wrong));
      return;
    }
    const int requests = descriptor("TOUCHSTONE_REQUESTS_FD", 3, O_RDONLY);
    const int responses = descriptor("TOUCHSTONE_RESPONSES_FD", 4, O_WRONLY);
    const std::unique_ptr<conformance::Backend> backend = backend_of(*options);
    conformance::serve(*backend, with_assumed(backend->declares(), options->assumed), requests, responses);
  });
}

}  // namespace touchstone::tools
