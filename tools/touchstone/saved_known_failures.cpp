#include "tools/touchstone/saved_known_failures.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "conformance/files/file_io.h"
#include "conformance/files/limits.h"
#include "conformance/files/output_file.h"

namespace touchstone::tools {

using namespace conformance;
namespace fs = std::filesystem;

std::string today() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

void save_known_failures(const fs::path& directory, const fs::path& file) {
  const fs::path kept = directory / expectations_name;
  if (!file.empty())
    return write_file_below(directory, expectations_name, read_bounded_file(file, limits().file_bytes));
  std::error_code error;
  fs::remove(kept, error);
  if (error) throw FileError(kept.string(), error.message());
}

std::vector<KnownFailure> saved_known_failures(const fs::path& directory) {
  const fs::path kept = directory / expectations_name;
  std::error_code error;
  return fs::exists(kept, error) ? read_known_failures(kept) : std::vector<KnownFailure>();
}

}  // namespace touchstone::tools
