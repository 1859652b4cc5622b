#include "tools/touchstone/installation.h"

#include <cstdlib>

namespace touchstone::tools {

namespace fs = std::filesystem;

namespace {

/// The directory that contains bin/ with the program.
fs::path prefix() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
}

}  // namespace

fs::path find_installed(const fs::path& name) {
  std::error_code error;
  const fs::path place = prefix() / "share" / "touchstone" / name;
  return fs::is_directory(place, error) ? place : fs::path();
}

std::string default_python() {
  std::error_code error;
  const fs::path python = prefix() / "bin" / "python3";
  return fs::exists(prefix() / "pyvenv.cfg", error) && fs::exists(python, error) ? python.string() : "python3";
}

void use_installed_node_tests() {
  const fs::path tests = find_installed("onnx-node-tests");
  if (!tests.empty()) ::setenv("TOUCHSTONE_DATA", tests.c_str(), 0);
}

}  // namespace touchstone::tools
