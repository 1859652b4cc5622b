#include "conformance/plan/planned_case.h"

#include <fmt/format.h>

#include "conformance/plan/digest.h"

namespace touchstone::conformance {

std::optional<Tier> find_tier(std::string_view name) {
  if (name == "smoke") return Tier::smoke;
  if (name == "standard") return Tier::standard;
  if (name == "exhaustive") return Tier::exhaustive;
  return std::nullopt;
}

std::string plan_hash(const std::vector<PlannedCase>& cases, std::string_view tier, std::uint64_t seed) {
  Digest digest;
  digest.add(fmt::format("{}\n{}\n", tier, seed));
  for (const PlannedCase& planned : cases) {
    digest.add(planned.id);
    if (!planned.other_form.empty()) digest.add(" as ").add(planned.other_form);
    digest.add("\n");
  }
  return fmt::format("{:016x}", digest.value());
}

}  // namespace touchstone::conformance
