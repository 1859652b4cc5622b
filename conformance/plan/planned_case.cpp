#include "conformance/plan/planned_case.h"

#include <exception>
#include <utility>

#include "conformance/files/file_error.h"
#include "conformance/plan/digest.h"

namespace touchstone::conformance {

std::optional<Tier> find_tier(std::string_view name) {
  if (name == "smoke") return Tier::smoke;
  if (name == "standard") return Tier::standard;
  if (name == "exhaustive") return Tier::exhaustive;
  return std::nullopt;
}

void CaseSource::offer_control_candidates(std::size_t, const TakeCase&) const {}

std::string_view CaseSource::other_form(std::size_t) const { return {}; }

const ValueSpace* CaseSource::value_space() const { return nullptr; }

namespace {

class SingleCase : public CaseSource {
 public:
  explicit SingleCase(CaseFunctions functions) : functions_(std::move(functions)) {}

  Case read(std::size_t) const override { return functions_.read(); }
  void offer_control_candidates(std::size_t, const TakeCase& take) const override {
    if (functions_.offer_control_candidates != nullptr) functions_.offer_control_candidates(take);
  }
  std::string_view other_form(std::size_t) const override { return functions_.other_form; }
  const ValueSpace* value_space() const override { return functions_.value_space ? &*functions_.value_space : nullptr; }

 private:
  CaseFunctions functions_;
};

void add_content(ContentHash& hash, const PlannedCase& planned) try {
  hash.add(planned.read());
} catch (const FileError& error) {  // without the path, which may be another one on another machine
  hash.add("cannot be read").add(error.reason());
} catch (const std::exception&) {  // not enough memory for this one case
  hash.add("cannot be read");
}

}  // namespace

boost::intrusive_ptr<const CaseSource> made_by(CaseFunctions functions) {
  return boost::intrusive_ptr<const CaseSource>(new SingleCase(std::move(functions)));
}

std::string plan_hash(const std::vector<PlannedCase>& cases, std::string_view tier, std::uint64_t seed,
                      std::span<const std::string> settings) {
  ContentHash hash;
  hash.add(tier).add_number(seed).add_number(settings.size());
  for (const std::string& setting : settings) hash.add(setting);
  for (const PlannedCase& planned : cases) {
    hash.add(*planned.id).add(planned.other_form());
    if (planned.is_from_files) add_content(hash, planned);
  }
  return to_hex(hash.finish());
}

}  // namespace touchstone::conformance
