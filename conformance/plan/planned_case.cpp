#include "conformance/plan/planned_case.h"

#include <exception>

#include "conformance/files/file_error.h"
#include "conformance/plan/content_hash.h"

namespace touchstone::conformance {

std::optional<Tier> find_tier(std::string_view name) {
  if (name == "smoke") return Tier::smoke;
  if (name == "standard") return Tier::standard;
  if (name == "exhaustive") return Tier::exhaustive;
  return std::nullopt;
}

namespace {

void add_content(ContentHash& hash, const PlannedCase& planned) try {
  hash.add(planned.read());
} catch (const FileError& error) {  // without the path, which may be another one on another machine
  hash.add("cannot be read").add(error.reason());
} catch (const std::exception&) {  // not enough memory for this one case
  hash.add("cannot be read");
}

}  // namespace

std::string plan_hash(const std::vector<PlannedCase>& cases, std::string_view tier, std::uint64_t seed,
                      std::span<const std::string> settings) {
  ContentHash hash;
  hash.add(tier).add_number(seed).add_number(settings.size());
  for (const std::string& setting : settings) hash.add(setting);
  for (const PlannedCase& planned : cases) {
    hash.add(planned.id).add(planned.other_form);
    if (planned.is_from_files) add_content(hash, planned);
  }
  return to_hex(hash.finish());
}

}  // namespace touchstone::conformance
