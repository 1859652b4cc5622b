#include "conformance/packs/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "conformance/backends/assumptions.h"
#include "conformance/files/bounded_line.h"
#include "conformance/files/file_error.h"
#include "conformance/files/json_text.h"
#include "conformance/files/limits.h"
#include "conformance/packs/layout.h"
#include "conformance/plan/filter.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view first_bytes = "{\"touchstone_pack\":";

constexpr std::string_view how_to_compare =
    "Bit for bit. Any NaN equals any NaN of its type; -0 equals +0, unless touchstone judge is run with "
    "--sign-of-zero. Masked elements can have any value; their intervals are [first, last], row-major. Permitted "
    "outputs are those of one other reading for all data sets of a case; touchstone judge also accepts outputs that "
    "several readings explain together.";

/// [first, last] of each run of elements that may have any value.
Json masked_intervals(const Result& result) {
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

Json outcome_json(const Outcome& outcome) {
  const Result* result = outcome.result();
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

/// Ends the first line, after the description of the pack.
constexpr std::string_view cases_begin = ",\"cases\":[";
constexpr std::string_view last_line = "]}";

void check_members(const Json& object, std::initializer_list<std::string_view> known) {
  if (!object.is_object()) throw std::runtime_error(fmt::format("{} instead of an object", object.type_name()));
  for (const auto& [name, value] : object.items())
    if (std::ranges::find(known, name) == known.end()) throw std::runtime_error(in_quotes(name) + " is unknown");
}

template <class Number>
Number whole_number(const Json& object, const char* name) {
  const Json& value = object.at(name);
  if (!value.is_number_unsigned()) throw std::runtime_error(fmt::format("{}: is not a whole number", name));
  return value.get<Number>();
}

PackInfo pack_from(const Json& json) {
  if (!json.is_object() || json.at("touchstone_pack") != pack_format)
    throw std::runtime_error(
        fmt::format("has a format version other than {}, which this touchstone reads", pack_format));
  check_members(json, {"touchstone_pack", "touchstone", "plan", "with_outputs", "comparison"});
  check_members(json.at("touchstone"), {"version"});
  const Json& plan = json.at("plan");
  check_members(plan, {"suites", "tier", "seed", "examples", "filter", "data", "assume", "hash", "cases"});
  PackInfo pack;
  pack.run.tool_version = json.at("touchstone").at("version").get<std::string>();
  pack.run.suites = plan.at("suites").get<std::vector<std::string>>();
  if (pack.run.suites.empty()) throw std::runtime_error("suites: is empty");
  pack.run.tier = plan.at("tier").get<std::string>();
  pack.run.seed = whole_number<std::uint64_t>(plan, "seed");
  if (plan.contains("examples")) pack.run.examples = whole_number<std::uint64_t>(plan, "examples");
  pack.run.filter = plan.at("filter").get<std::string>();
  const Filter checked(pack.run.filter);
  pack.run.data = plan.at("data").get<std::string>();
  for (const Json& text : plan.at("assume")) assume(pack.run.assumed, text.get<std::string>());
  pack.run.plan_hash = plan.at("hash").get<std::string>();
  pack.run.cases = whole_number<std::size_t>(plan, "cases");
  pack.with_outputs = json.at("with_outputs").get<bool>();
  if (json.at("comparison") != how_to_compare) throw std::runtime_error("comparison: is not the text of this format");
  return pack;
}

std::unique_ptr<std::istream> open_manifest(const RootedDirectory& pack) {
  if (pack.has(unfinished_name)) throw FileError(pack.path().string(), "the export was not finished: run it again");
  std::unique_ptr<std::istream> content = pack.open(manifest_name, limits().manifest_bytes);
  if (content == nullptr)
    throw FileError((pack.path() / manifest_name).string(),
                    "does not exist: give a directory that touchstone export wrote");
  return content;
}

}  // namespace

std::string manifest_head(const PackInfo& pack) {
  Json head{{"touchstone_pack", pack_format},
            {"touchstone", {{"version", pack.run.tool_version}}},
            {"plan",
             {{"suites", pack.run.suites},
              {"tier", pack.run.tier},
              {"seed", pack.run.seed},
              {"filter", pack.run.filter},
              {"data", pack.run.data},
              {"assume", assumptions(pack.run.assumed)},
              {"hash", pack.run.plan_hash},
              {"cases", pack.run.cases}}},
            {"with_outputs", pack.with_outputs},
            {"comparison", how_to_compare}};
  if (pack.run.examples > 0) head["plan"]["examples"] = pack.run.examples;
  std::string text = line_of(head);
  text.pop_back();  // the closing brace, which manifest_end writes
  return fmt::format("{}{}\n", text, cases_begin);
}

std::string manifest_line(const CaseRecord& described, const std::vector<ReferenceOutcome>& interpreted,
                          const std::vector<PermittedOutcome>& permitted, const fs::path& control) {
  Json data_sets = Json::array();
  for (const ReferenceOutcome& row : interpreted) data_sets.push_back(outcome_json(row.outcome));
  Json json{{"id", described.id},
            {"path", pack_path(described.id, described.must_reject()).generic_string()},
            {"must_reject", described.must_reject()}};
  if (described.must_reject()) json["violated"] = described.violated->id;
  if (!described.form.empty()) json["form"] = described.form;
  json.update({{"digest", to_hex(described.digest)},
               {"elements", described.elements},
               {"masked", described.masked},
               {"clauses", *described.clauses},
               {"data_sets", std::move(data_sets)}});
  if (!permitted.empty()) json["permitted"] = permitted_json(permitted);
  if (!control.empty()) json["control"] = control.generic_string();
  return line_of(json);
}

std::string manifest_line(const std::string& id, const std::string& problem, const Sha256& digest) {
  return line_of({{"id", id}, {"digest", to_hex(digest)}, {"not_exported", problem}});
}

std::string manifest_end() { return fmt::format("\n{}\n", last_line); }

fs::path permitted_path(const PermittedOutcome& permitted, std::size_t output) {
  return fs::path(permitted_name) /
         fmt::format("{}.{}.{}", permitted.reading.ambiguity, permitted.reading.reading, output_name(output));
}

bool is_manifest(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(first_bytes.size(), '\0');
  return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == first_bytes;
}

ManifestReader::ManifestReader(const RootedDirectory& pack)
    : ManifestReader(open_manifest(pack), (pack.path() / manifest_name).string()) {}

ManifestReader::ManifestReader(std::unique_ptr<std::istream> content, std::string origin)
    : content_(std::move(content)), origin_(std::move(origin)) {
  try {
    std::string line = next_line();
    if (line.ends_with(cases_begin)) line.replace(line.size() - cases_begin.size(), cases_begin.size(), "}");
    pack_ = pack_from(parse_json(line));
  } catch (const std::exception& problem) {
    fail(problem.what(), line_);
  }
}

std::optional<std::string> ManifestReader::next() try {
  if (cases_ == pack_.run.cases) return std::nullopt;
  std::string line = next_line();
  ++cases_;
  const bool is_last = !line.ends_with(',');
  if (is_last && cases_ < pack_.run.cases)
    throw std::runtime_error(fmt::format("ends after {} of the {} cases of the plan", cases_, pack_.run.cases));
  if (!is_last && cases_ == pack_.run.cases)
    throw std::runtime_error(fmt::format("has more cases than the plan, which has {}", pack_.run.cases));
  if (!is_last) line.pop_back();
  if (is_last && (next_line() != last_line || content_->peek() != std::istream::traits_type::eof()))
    throw std::runtime_error("is not the end of a manifest");
  return line;
} catch (const std::exception& problem) {
  fail(problem.what(), line_);
}

std::string ManifestReader::next_line() {
  std::string line;
  ++line_;
  if (read_line(*content_, line, limits().line_bytes) == LineEnd::end_of_file)
    throw std::runtime_error("the file ends within this line");
  return line;
}

void ManifestReader::fail_at(std::size_t place, std::string_view problem) const {
  constexpr std::size_t line_of_first_case = 2;
  fail(problem, line_of_first_case + place);
}

void ManifestReader::fail(std::string_view problem, std::size_t line) const {
  throw FileError(fmt::format("{}: line {}", origin_, line),
                  fmt::format("is not the manifest of a pack, or is damaged: {}", printable(problem, 1000)));
}

}  // namespace touchstone::conformance
