#include "conformance/run/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "conformance/judge/compatible_readings.h"
#include "conformance/run/remade_case.h"
#include "spec/ambiguities.h"

namespace touchstone::conformance {

namespace {

// ---- The cases to examine

/// The numbers below `count`, in an order in which the first ones are spread evenly, however many are taken.
std::vector<std::size_t> spread(std::size_t count) {
  auto step = static_cast<std::size_t>(0.618 * static_cast<double>(count)) | 1;
  while (std::gcd(step, count) != 1) ++step;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(i * step % count);
  return numbers;
}

/// What a case may have in common with others of its version, with the number of such cases to examine. Which
/// ambiguities the case depends on is known only after it was built again.
using Feature = std::pair<std::string_view, std::string>;

/// The features of a graph: the first two parts of its id, which are the suite and the pattern, and its readings.
std::vector<std::pair<Feature, std::size_t>> features_of_graph(const CaseRecord& record) {
  const std::string& id = record.id;
  std::vector<std::pair<Feature, std::size_t>> all;
  all.emplace_back(Feature("pattern", id.substr(0, id.find('/', id.find('/') + 1))), most_alike);
  for (const ReadingId& reading : record.readings)
    all.emplace_back(Feature(reading.ambiguity, reading.reading), most_alike);
  return all;
}

std::vector<std::pair<Feature, std::size_t>> features(const CaseRecord& record) {
  if (!record.subject) return features_of_graph(record);
  std::vector<std::pair<Feature, std::size_t>> all;
  const auto add = [&](std::string_view what, std::string_view value) {
    all.emplace_back(Feature(what, value), most_alike);
  };
  add("form", record.form);
  add("violated", record.violated_id());
  for (const std::string_view clause : record.clauses) add("clause", clause);
  for (const ReadingId& reading : record.readings) add(reading.ambiguity, reading.reading);
  for (const Cell& cell : record.cells) {
    add("granularity", spec::name(cell.granularity));
    add("x", spec::name(cell.x));
    add("scale", spec::name(cell.scale));
    add("zero point", cell.zero_point ? spec::name(*cell.zero_point) : "");
    add("y", spec::name(cell.y));
    add("precision", cell.precision ? spec::name(*cell.precision) : "");
  }
  // Ids end with the purpose of the case, such as float_zero_point. One case of each purpose and type finds what the
  // others share with more frequent cases. A number in it is not the purpose, but a shape or a position.
  const std::string_view purpose = record.id->substr(record.id->rfind('/') + 1);
  all.emplace_back(
      Feature(spec::name(record.subject.quantized_type), purpose.substr(0, purpose.find_first_of("0123456789"))), 1);
  return all;
}

/// The places in the plan of the cases of each version to examine, and of the graphs, in an order in which the first
/// ones are spread evenly.
std::vector<std::vector<std::size_t>> choose(std::span<const PlannedCase> plan, std::span<const CaseRecord> records) {
  std::map<const OperatorVersion*, std::vector<std::size_t>> by_version;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (has_known_answers(plan[i], records[i])) by_version[records[i].subject.version].push_back(i);
  std::vector<std::vector<std::size_t>> chosen;
  for (const auto& [version, places] : by_version) {
    chosen.emplace_back();
    std::map<Feature, std::size_t> taken;
    for (const std::size_t i : spread(places.size())) {
      const auto of_case = features(records[places[i]]);
      if (std::ranges::none_of(of_case, [&](const auto& one) { return taken[one.first] < one.second; })) continue;
      for (const auto& [feature, most] : of_case) ++taken[feature];
      chosen.back().push_back(places[i]);
    }
  }
  return chosen;
}

// ---- What they show

/// What a case shows of an ambiguity on which it depends.
struct Finding {
  std::size_t ambiguity;
  ReadingSet permitted;  ///< in its version
  ReadingSet readings;   ///< that explain it
};

struct Examined {
  std::size_t place;  ///< in the plan
  std::string id;
  std::array<std::string, kind_properties.size()> kind;  ///< the values of the properties
  std::vector<Finding> findings;
};

std::array<std::string, kind_properties.size()> kind_of(const RemadeCase& remade) {
  const CaseRecord& record = remade.record();
  const std::string form = record.form.empty() ? "none" : std::string(record.form);
  if (!record.subject) return {"graph", "graph", "none", "none", "none", form};
  const Node& node = remade.node();
  const OperatorVersion& version = *record.subject.version;
  const std::string op = spec::qualified_name(version.domain, version.op);
  const auto type = [&](std::size_t input) {
    const bool has_it = input < node.inputs.size() && node.inputs[input];
    return has_it ? std::string(spec::name(node.inputs[input]->type())) : "none";
  };
  return {op,      fmt::format("{}-{}", op, version.since_version),        type(0),
          type(1), std::string(spec::name(record.subject.quantized_type)), form};
}

/// Whether the case can show which reading is followed. A graph shows it only for ambiguities of the operators between
/// its quantization operators, which are many and may follow different readings of their own.
bool shows(const CaseRecord& record, std::size_t ambiguity) {
  return record.subject || !spec::ambiguities[ambiguity]->applies.others.front().empty();
}

/// Examines cases of one version, or graphs, one after the other.
class VersionExamination {
 public:
  VersionExamination(std::span<const PlannedCase> plan, std::span<const CaseRecord> records, bool sign_of_zero)
      : plan_(plan), records_(records), sign_of_zero_(sign_of_zero) {}

  std::vector<Examined> examine(const std::vector<std::size_t>& places) {
    std::vector<Examined> all;
    for (const std::size_t place : places) {
      RemadeCase remade(plan_[place], records_[place], sign_of_zero_);
      if (remade.answers() == nullptr) continue;
      all.push_back({place, remade.record().id, kind_of(remade), findings(remade)});
    }
    return all;
  }

 private:
  /// What the cases that do not name a reading of an ambiguity have shown of it so far.
  struct Shown {
    ReadingSet common = ReadingSet().set();
    std::size_t cases = 0;  ///< that not all permitted readings explain
    std::size_t examined = 0;

    bool is_enough() const { return (cases >= most_alike && common.count() == 1) || examined >= most_examined_alike; }
  };

  std::vector<Finding> findings(RemadeCase& remade) {
    std::vector<Finding> found;
    for (std::size_t a = 0; a < spec::ambiguities.size(); ++a) {
      if (!shows(remade.record(), a) || !remade.answers()->consults(a)) continue;
      const ReadingSet permitted = remade.answers()->permitted_readings(a);
      if (permitted.count() < 2) continue;
      const bool is_named = remade.names(spec::ambiguities[a]->id);
      Shown& shown = shown_[a];
      ReadingSet readings = permitted;
      if (is_named || !shown.is_enough()) readings = remade.compatible_readings(a);
      found.push_back({a, permitted, readings});
      if (is_named) continue;
      ++shown.examined;
      if (readings == permitted) continue;
      ++shown.cases;
      shown.common &= readings;
    }
    return found;
  }

  std::span<const PlannedCase> plan_;
  std::span<const CaseRecord> records_;
  bool sign_of_zero_;
  std::map<std::size_t, Shown> shown_;  ///< by ambiguity
};

/// A case that not all permitted readings explain.
struct Evidence {
  const Examined* of;
  ReadingSet readings;
};

/// A part while cases are added to it.
struct Growing {
  std::vector<std::string> values;
  ReadingSet readings;
  std::size_t cases;
  std::string id;
};

/// Unites what has a reading in common.
std::vector<Growing> united(const std::vector<Growing>& pieces) {
  std::vector<Growing> parts;
  for (const Growing& piece : pieces) {
    const auto part =
        std::ranges::find_if(parts, [&](const Growing& one) { return (one.readings & piece.readings).any(); });
    if (part == parts.end()) {
      parts.push_back(piece);
      continue;
    }
    part->values.insert(part->values.end(), piece.values.begin(), piece.values.end());
    part->readings &= piece.readings;
    part->cases += piece.cases;
  }
  return parts;
}

/// Divides the evidence by the values of a property; nothing if the cases of one value have no reading in common.
std::vector<Growing> divided(const std::vector<Evidence>& evidence, std::size_t property) {
  std::vector<Growing> pieces;
  for (const auto& [of, readings] : evidence) {
    const std::string& value = of->kind[property];
    auto piece = std::ranges::find_if(pieces, [&](const Growing& one) { return one.values.front() == value; });
    if (piece == pieces.end()) piece = pieces.insert(pieces.end(), {{value}, ReadingSet().set(), 0, of->id});
    piece->readings &= readings;
    ++piece->cases;
    if (piece->readings.none()) return {};
  }
  return united(pieces);
}

/// The readings without those that permit everything that the primary one gives, too, if that is among them: only cases
/// that the primary reading does not explain are evidence of these.
ReadingSet without_wider(std::size_t ambiguity, ReadingSet readings) {
  using Precision = spec::FactorPrecision;
  if (ambiguity == spec::ambiguity_index<Precision> && readings.test(Precision::as_given))
    readings.reset(Precision::tensors_rounded_to_bfloat16);
  return readings;
}

FingerprintRow row_of(std::size_t ambiguity, const ReadingSet& permitted, const std::vector<Evidence>& evidence) {
  FingerprintRow row{.ambiguity = spec::ambiguities[ambiguity]->id};
  ReadingSet common = permitted;
  for (const Evidence& one : evidence) common &= one.readings;
  std::vector<Growing> parts;
  if (!evidence.empty()) common = without_wider(ambiguity, common);
  if (common.any()) {
    row.following = common.count() == 1 ? Following::one_reading : Following::not_determined;
    parts.push_back({{}, common, evidence.size(), evidence.empty() ? "" : evidence.front().of->id});
  } else {
    row.following = Following::several;
    for (std::size_t property = 0; property < kind_properties.size(); ++property) {
      std::vector<Growing> by_value = divided(evidence, property);
      if (by_value.empty() || (!parts.empty() && parts.size() <= by_value.size())) continue;
      parts = std::move(by_value);
      row.property = kind_properties[property];
    }
    if (parts.empty()) {
      for (const auto& [of, readings] : evidence) parts.push_back({{}, readings, 1, of->id});
      parts = united(parts);
    }
  }
  for (Growing& part : parts)
    row.parts.push_back({std::move(part.values), ids_of(ambiguity, part.readings), part.cases, std::move(part.id)});
  return row;
}

FingerprintRow row_of(const Inconsistency& proof) {
  FingerprintRow row{.ambiguity = proof.ambiguity, .following = Following::inconsistent};
  for (const auto& [readings, cases, id] : proof.evidence) row.parts.push_back({{}, readings, cases, id});
  return row;
}

}  // namespace

std::vector<FingerprintRow> find_fingerprint(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                             std::span<const Inconsistency> inconsistencies,
                                             const ExaminationOptions& options) {
  const std::vector<std::vector<std::size_t>> places = choose(plan, records);
  std::vector<std::vector<Examined>> by_version(places.size());
  options.for_each(places.size(), [&](std::size_t i) {
    by_version[i] = VersionExamination(plan, records, options.sign_of_zero).examine(places[i]);
  });
  std::vector<Examined> examined;
  for (std::vector<Examined>& some : by_version) std::ranges::move(some, std::back_inserter(examined));
  std::ranges::sort(examined, {}, &Examined::place);

  struct Touched {
    const Inconsistency* proof = nullptr;  ///< the first one of the ambiguity
    ReadingSet permitted = {};             ///< in some version
    std::vector<Evidence> evidence = {};
  };
  std::map<std::size_t, Touched> by_ambiguity;
  for (const Inconsistency& one : inconsistencies) by_ambiguity.try_emplace(position_of(one.ambiguity), Touched{&one});
  for (const Examined& one : examined)
    for (const Finding& finding : one.findings) {
      Touched& touched = by_ambiguity[finding.ambiguity];
      touched.permitted |= finding.permitted;
      if (finding.readings != finding.permitted) touched.evidence.push_back({&one, finding.readings});
    }
  std::vector<FingerprintRow> rows;
  for (const auto& [ambiguity, touched] : by_ambiguity)
    rows.push_back(touched.proof != nullptr ? row_of(*touched.proof)
                                            : row_of(ambiguity, touched.permitted, touched.evidence));
  return rows;
}

}  // namespace touchstone::conformance
