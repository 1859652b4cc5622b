#include "conformance/packs/layout.h"

#include <fmt/format.h>

#include "conformance/run/reproducer.h"

namespace touchstone::conformance {

std::filesystem::path pack_path(const std::string& id, bool must_reject) {
  return (must_reject ? must_reject_part : cases_part) / reproducer_path(id);
}

std::string output_name(std::size_t number) { return fmt::format("output_{}.pb", number); }

}  // namespace touchstone::conformance
