#include "conformance/backends/workers/find_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "conformance/backends/backend.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

std::string find_program(const std::string& name) {
  if (name.empty()) throw BackendError("the command is empty");
  std::vector<fs::path> candidates;
  if (name.find('/') != std::string::npos) {
    candidates.emplace_back(name);
  } else {
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    for (std::size_t end = 0; end != std::string_view::npos; rest.remove_prefix(end + 1)) {
      end = rest.find(':');
      candidates.push_back((end == 0 || rest.empty() ? fs::path(".") : fs::path(rest.substr(0, end))) / name);
      if (end == std::string_view::npos) break;
    }
  }
  const fs::path* found = nullptr;
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    if (!fs::exists(candidate, error)) continue;
    if (fs::is_directory(candidate, error)) {
      found = found != nullptr ? found : &candidate;
      continue;
    }
    if (::access(candidate.c_str(), X_OK) == 0) return candidate.string();
    found = &candidate;
  }
  if (found == nullptr)
    throw BackendError(name.find('/') != std::string::npos ? fmt::format("{} does not exist", name)
                                                           : fmt::format("the command {} is not in PATH", name));
  throw BackendError(fmt::format("{} cannot be executed: {}", found->string(),
                                 fs::is_directory(*found) ? "it is a directory" : "it is not executable (chmod +x)"));
}

}  // namespace touchstone::conformance
