#include "conformance/packs/packed_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <stdexcept>

#include "conformance/files/json_text.h"
#include "conformance/files/limits.h"
#include "conformance/files/threads.h"
#include "conformance/packs/layout.h"
#include "conformance/run/controls.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

/// The number of lines of the manifest that are in memory at once. There are fewer if together they are longer than a
/// line may be.
constexpr std::size_t lines_per_block = 4096;

/// The next lines.
std::vector<std::string> next_block(ManifestReader& manifest, std::size_t most) {
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  while (lines.size() < std::min(most, lines_per_block) && bytes < limits().line_bytes) {
    lines.push_back(manifest.next().value());
    bytes += lines.back().size();
  }
  return lines;
}

bool may_be_refused(const PermittedOutcome& row) {
  return std::ranges::any_of(row.outcomes, [](const auto& outcome) { return outcome.result() == nullptr; });
}

/// Why the line is not that of the case; empty if it is.
std::string difference(const std::string& line, const PackedCase& packed) {
  if (line == packed.line) return "";
  Json found = parse_json(line);
  Json made = parse_json(packed.line);
  if (!found.is_object()) return fmt::format("is {} instead of an object", found.type_name());
  if (found.value("id", Json()) != made["id"])
    return fmt::format("has the case {} where the plan now has {}", found.value("id", Json()).dump(),
                       made["id"].dump());
  // The reason may contain the path of the file.
  if (!packed.read && found.contains("not_exported")) found["not_exported"] = made["not_exported"];
  for (const Json& change : Json::diff(made, found)) {
    const std::string path = change["path"].get<std::string>();
    const std::string member = path.substr(1, path.find('/', 1) - 1);
    return fmt::format("{}: \"{}\" is not what the plan makes", made["id"].get<std::string>(), member);
  }
  return "";
}

}  // namespace

PackedCase::PackedCase(const PlannedCase& planned, const PackInfo& pack) {
  const Capabilities& assumed = pack.run.assumed;
  try {
    read.emplace(planned);
  } catch (const reference::OpsetTooNew& error) {
    is_declined = true;
    line = manifest_line(planned.id, error.what());
    return;
  } catch (const std::exception& error) {  // as in run_case: the judge will report the same
    line = manifest_line(planned.id, error.what());
    return;
  }
  const CaseRecord& record = read->description;
  if (const auto reason = declined(assumed, read->tested.model, assumption)) {
    is_declined = true;
    line = manifest_line(planned.id, *reason, record.digest);
    return;
  }
  permitted = permitted_outcomes(read->tested, read->interpreted);
  if (record.must_reject() || std::ranges::any_of(permitted, may_be_refused)) control = control_of(planned);
  if (control && declined(assumed, control->model, assumption)) control.reset();
  if (!pack.with_outputs) permitted.clear();
  line = manifest_line(record, read->interpreted, permitted,
                       control ? pack_path(control->id, false) : std::filesystem::path());
}

void check_manifest(ManifestReader& manifest, const std::vector<PlannedCase>& cases, const CaseComparison& comparison) {
  std::vector<std::string> lines;
  for (std::size_t first = 0; first < cases.size(); first += lines.size()) {
    lines = next_block(manifest, cases.size() - first);
    std::vector<std::string> problems(lines.size());
    std::mutex mutex;
    for_each_in_threads(comparison.jobs, lines.size(), [&](std::size_t i) {
      const PlannedCase& planned = cases[first + i];
      try {
        problems[i] = difference(lines[i], PackedCase(planned, manifest.pack()));
      } catch (const std::runtime_error& error) {  // not JSON
        problems[i] = error.what();
      }
      const std::lock_guard lock(mutex);
      if (comparison.on_case) comparison.on_case(*planned.id);
    });
    const auto problem = std::ranges::find_if_not(problems, &std::string::empty);
    if (problem != problems.end())
      manifest.fail_at(first + static_cast<std::size_t>(problem - problems.begin()), *problem);
  }
}

}  // namespace touchstone::conformance
