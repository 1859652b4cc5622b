#include "conformance/packs/manifest.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <optional>

#include "conformance/backends/assumptions.h"
#include "conformance/files/json_text.h"
#include "conformance/files/limits.h"
#include "conformance/packs/layout.h"
#include "conformance/run/record_json.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

constexpr int format_version = 2;  // 1 had short digests
constexpr std::string_view first_bytes = "{\"touchstone_pack\":";

/// [first, last] of each run of elements that may have any value.
Json masked_intervals(const reference::Result& result) {
  Json intervals = Json::array();
  const std::vector<bool>& open = result.unspecified;
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (!open[i]) continue;
    if (i > 0 && open[i - 1])
      intervals.back()[1] = i;
    else
      intervals.push_back({i, i});
  }
  return intervals;
}

Json outcome_json(const reference::Outcome& outcome) {
  const reference::Result* result = outcome.result();
  if (result == nullptr)
    return {{"outcome", "refusal"}, {"clause", outcome.rejection()->clause->id}, {"why", outcome.rejection()->reason}};
  Json json{{"outcome", "output"}, {"type", spec::name(result->y.type())}, {"shape", result->y.shape()}};
  if (Json masked = masked_intervals(*result); !masked.empty()) json["masked"] = std::move(masked);
  return json;
}

Json permitted_json(const std::vector<PermittedOutcome>& permitted) {
  Json rows = Json::array();
  for (const PermittedOutcome& row : permitted) {
    Json data_sets = Json::array();
    for (std::size_t i = 0; i < row.outcomes.size(); ++i)
      data_sets.push_back(row.differs[i] ? outcome_json(row.outcomes[i]) : Json{{"outcome", "primary"}});
    rows.push_back({{"ambiguity", row.reading.ambiguity},
                    {"reading", row.reading.reading},
                    {"output", permitted_path(row).generic_string()},
                    {"data_sets", std::move(data_sets)}});
  }
  return rows;
}

std::string line_of(const Json& json) {
  std::string line = to_line(json);
  line.pop_back();  // its line feed
  return line;
}

/// Skips the large values, and those that the plan determines, while parsing.
bool is_of_use(int depth, Json::parse_event_t event, const Json& parsed) {
  return event != Json::parse_event_t::key || depth != 3 || parsed == "id" || parsed == "digest";
}

Sha256 digest_in(const std::string& hex) {
  if (const std::optional<Sha256> digest = sha256_from_hex(hex)) return *digest;
  throw std::runtime_error(fmt::format("{} is not a digest", in_quotes(hex)));
}

Manifest manifest_from(const Json& json) {
  if (!json.is_object() || json.at("touchstone_pack") != format_version)
    throw std::runtime_error(
        fmt::format("has another format version than {}, which this touchstone reads", format_version));
  const Json& plan = json.at("plan");
  if (!plan.at("seed").is_number_unsigned()) throw std::runtime_error("seed: is not a whole number");
  Manifest manifest;
  manifest.tool_version = json.at("touchstone").at("version").get<std::string>();
  manifest.suites = plan.at("suites").get<std::vector<std::string>>();
  manifest.tier = plan.at("tier").get<std::string>();
  manifest.seed = plan.at("seed").get<std::uint64_t>();
  manifest.filter = plan.at("filter").get<std::string>();
  manifest.data = plan.at("data").get<std::string>();
  for (const Json& text : plan.value("assume", Json::array())) assume(manifest.assumed, text.get<std::string>());
  manifest.plan_hash = plan.at("hash").get<std::string>();
  manifest.with_outputs = json.at("with_outputs").get<bool>();
  for (const Json& row : json.at("cases"))
    manifest.cases.push_back({row.at("id").get<std::string>(), digest_in(row.at("digest").get<std::string>())});
  return manifest;
}

}  // namespace

std::string manifest_head(const PackInfo& pack, std::size_t cases) {
  const Json head{{"touchstone_pack", format_version},
                  {"touchstone", {{"version", pack.tool_version}}},
                  {"plan",
                   {{"suites", pack.suites},
                    {"tier", pack.tier},
                    {"seed", pack.seed},
                    {"filter", pack.filter},
                    {"data", pack.data},
                    {"assume", assumptions(pack.assumed)},
                    {"hash", pack.plan_hash},
                    {"cases", cases}}},
                  {"with_outputs", pack.with_outputs},
                  {"comparison",
                   "Bit for bit. Any NaN equals any NaN of its type; -0 equals +0, unless touchstone judge is run with "
                   "--sign-of-zero. Masked elements can have any value; their intervals are [first, last], row-major. "
                   "Permitted outputs are those of one other reading for all data sets of a case; touchstone judge "
                   "also accepts outputs that several readings explain together."}};
  std::string text = line_of(head);
  text.pop_back();  // the closing brace, which manifest_end writes
  return text + ",\"cases\":[\n";
}

std::string manifest_line(const CaseRecord& described, const std::vector<ReferenceOutcome>& interpreted,
                          const std::vector<PermittedOutcome>& permitted, const fs::path& control) {
  Json data_sets = Json::array();
  for (const ReferenceOutcome& row : interpreted) data_sets.push_back(outcome_json(row.outcome));
  Json json{{"id", described.id},
            {"path", pack_path(described.id, described.must_reject()).generic_string()},
            {"must_reject", described.must_reject()}};
  if (described.must_reject()) json["violated"] = described.violated;
  if (!described.form.empty()) json["form"] = described.form;
  json.update({{"digest", to_hex(described.digest)},
               {"elements", described.elements},
               {"masked", described.masked},
               {"clauses", described.clauses},
               {"data_sets", std::move(data_sets)}});
  if (!permitted.empty()) json["permitted"] = permitted_json(permitted);
  if (!control.empty()) json["control"] = control.generic_string();
  return line_of(json);
}

std::string manifest_line(const std::string& id, const std::string& problem, const Sha256& digest) {
  return line_of({{"id", id}, {"digest", to_hex(digest)}, {"not_exported", problem}});
}

std::string manifest_end() { return "\n]}\n"; }

fs::path permitted_path(const PermittedOutcome& permitted) {
  return fs::path(permitted_name) /
         fmt::format("{}.{}.{}", permitted.reading.ambiguity, permitted.reading.reading, output_name(0));
}

bool is_manifest(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(first_bytes.size(), '\0');
  return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == first_bytes;
}

Manifest read_manifest(const RootedDirectory& pack) {
  const fs::path path = pack.path() / manifest_name;
  if (pack.has(unfinished_name)) throw FileError(pack.path().string(), "the export was not finished: run it again");
  const auto content = pack.read(manifest_name, limits().manifest_bytes);
  if (!content) throw FileError(path.string(), "does not exist: name a directory that touchstone export wrote");
  return parse_manifest(*content, path.string());
}

Manifest parse_manifest(std::string_view content, const std::string& origin) try {
  check_json_limits(content);
  return manifest_from(Json::parse(content, is_of_use));
} catch (const std::exception& problem) {
  throw FileError(origin,
                  fmt::format("is not the manifest of a pack, or is damaged: {}", printable(problem.what(), 1000)));
}

}  // namespace touchstone::conformance
