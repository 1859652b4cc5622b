// touchstone headers: the files with which backends in other languages are written.
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "conformance/files/file_io.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/interface_files.h"

namespace touchstone::tools {

namespace fs = std::filesystem;

namespace {

void write_headers(const fs::path& directory) {
  constexpr std::uint64_t most_bytes = 1 << 20;
  for (const InterfaceFile& file : interface_files) {
    const fs::path path = directory / file.name;
    if (fs::exists(path) && conformance::read_bounded_file(path, most_bytes) != file.content)
      throw Exit(usage,
                 fmt::format("{} exists and has other contents; name another directory, or remove it", path.string()));
  }
  for (const InterfaceFile& file : interface_files) {
    conformance::write_file_whole(directory / file.name, file.content);
    fmt::print("{}\n", (directory / file.name).string());
  }
}

}  // namespace

void add_headers_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "headers",
      "Write the files with which a backend in another language is written: the C interface of libraries, "
      "the messages of workers, and an example");
  auto directory = std::make_shared<std::string>();
  command->add_option("DIR", *directory, "The directory for touchstone_backend.h, worker.proto and c_backend.c")
      ->required();
  command->footer(
      fmt::format("{}\nExample:\n"
                  "  touchstone headers touchstone-headers\n"
                  "  cc -shared -fPIC -o backend.so touchstone-headers/c_backend.c\n"
                  "  touchstone run --backend lib:./backend.so\n",
                  exit_codes));
  command->callback([&exit_code, directory] {
    write_headers(*directory);
    exit_code = as_expected;
  });
}

}  // namespace touchstone::tools
