#include "conformance/run/inconsistencies.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/judge/compatible_readings.h"
#include "conformance/run/remade_case.h"

namespace touchstone::conformance {

namespace {

ReadingGroup group_of(const Cell& cell, const std::string& form) {
  return {cell.version, cell.x,         cell.scale, cell.zero_point.value_or(cell.quantized_type()),
          cell.y,       cell.precision, form};
}

/// Cases of one group whose answers are explained by the same readings of an ambiguity.
struct Alike {
  ReadingSet readings;
  std::vector<const RemadeCase*> members;

  bool excludes_primary() const { return !readings.test(0); }

  Inconsistency::Evidence evidence(std::size_t ambiguity) const {
    return {ids_of(ambiguity, readings), members.size(), members.front()->record().id};
  }
};

/// Examines the cases of a group for one ambiguity, of which at least one case names a reading.
class GroupExamination {
 public:
  GroupExamination(const ReadingGroup& group, std::span<RemadeCase* const> members, std::size_t ambiguity)
      : group_(group), members_(members), ambiguity_(ambiguity), id_(spec::ambiguities[ambiguity]->id) {}

  std::optional<Inconsistency> find() {
    std::map<std::string_view, std::size_t> examined;  // by the reading that they name
    for (RemadeCase* member : members_)
      for (const ReadingId& named : member->record().readings)
        if (named.ambiguity == id_ && examined[named.reading]++ < most_examined) examine(*member);
    // All other cases are explained by the primary reading, possibly among others.
    const bool excludes_primary = std::ranges::any_of(found_, &Alike::excludes_primary);
    std::size_t others = 0;
    std::size_t read = 0;
    for (RemadeCase* member : members_) {
      if (!excludes_primary || others == most_examined) break;
      if (member->names(id_)) continue;
      if (!member->is_made() && read++ == most_read) break;
      if (const auto readings = examine(*member); readings && excludes_followed(*readings)) ++others;
    }
    return contradiction();
  }

 private:
  /// The readings that explain the case, or std::nullopt if it excludes none.
  std::optional<ReadingSet> examine(RemadeCase& member) {
    const KnownAnswers* answers = member.answers();
    if (answers == nullptr || !answers->consults(ambiguity_)) return std::nullopt;
    const ReadingSet readings = member.compatible_readings(ambiguity_);
    if (readings == permitted_readings(*group_.version, ambiguity_)) return std::nullopt;
    auto known = std::ranges::find(found_, readings, &Alike::readings);
    if (known == found_.end()) known = found_.insert(found_.end(), {readings, {}});
    known->members.push_back(&member);
    return readings;
  }

  /// Whether these readings contradict a case that excludes the primary reading: they have no reading in common with
  /// it.
  bool excludes_followed(const ReadingSet& readings) const {
    return std::ranges::any_of(
        found_, [&](const Alike& alike) { return alike.excludes_primary() && (alike.readings & readings).none(); });
  }

  std::optional<Inconsistency> contradiction() const {
    for (std::size_t j = 1; j < found_.size(); ++j)
      for (std::size_t i = 0; i < j; ++i)
        if ((found_[i].readings & found_[j].readings).none())
          return Inconsistency{id_, group_, {found_[i].evidence(ambiguity_), found_[j].evidence(ambiguity_)}};
    return std::nullopt;
  }

  const ReadingGroup& group_;
  std::span<RemadeCase* const> members_;
  std::size_t ambiguity_;
  std::string_view id_;
  std::vector<Alike> found_;
};

using Places = std::vector<std::size_t>;

/// Groups the cases by their records. Each result consists of whole groups, in one of which a case names a reading.
std::vector<Places> cases_with_variants(std::span<const PlannedCase> plan, std::span<const CaseRecord> records) {
  using Key = std::tuple<const OperatorVersion*, ElementType, std::string_view>;
  const auto key = [](const CaseRecord& record) {
    return Key{record.subject.version, record.subject.quantized_type, record.form};
  };
  // A graph has many nodes, of different versions and types.
  const auto is_known = [&](std::size_t i) { return records[i].subject && has_known_answers(plan[i], records[i]); };
  std::map<Key, Places> by_key;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (is_known(i) && !records[i].readings.empty()) by_key.try_emplace(key(records[i]));
  for (std::size_t i = 0; i < records.size() && !by_key.empty(); ++i)
    if (is_known(i))
      if (const auto found = by_key.find(key(records[i])); found != by_key.end()) found->second.push_back(i);
  std::vector<Places> all;
  for (auto& [_, places] : by_key) all.push_back(std::move(places));
  return all;
}

std::vector<Inconsistency> examine(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                   const Places& places, const ExaminationOptions& options) {
  std::set<std::array<std::size_t, 2>> named;
  for (const std::size_t place : places)
    for (const auto& [ambiguity, reading] : choices_of(records[place].readings)) named.insert({ambiguity, reading});

  std::vector<RemadeCase> members;
  for (const std::size_t place : places) members.emplace_back(plan[place], records[place], options.sign_of_zero);
  std::map<ReadingGroup, std::vector<RemadeCase*>> groups;
  for (RemadeCase& member : members) {
    const CaseRecord& record = member.record();
    std::optional<Cell> cell;
    if (!record.cells.empty())
      cell = record.cells.front();
    else if (member.answers() != nullptr)
      cell = member.cell(named);
    if (cell) groups[group_of(*cell, record.form)].push_back(&member);
  }

  std::vector<Inconsistency> found;
  for (const auto& [group, of_group] : groups)
    for (std::size_t a = 0; a < spec::ambiguities.size(); ++a) {
      const std::string_view id = spec::ambiguities[a]->id;
      if (std::ranges::none_of(of_group, [&](const RemadeCase* member) { return member->names(id); })) continue;
      if (auto one = GroupExamination(group, of_group, a).find()) found.push_back(*std::move(one));
    }
  return found;
}

}  // namespace

std::vector<Inconsistency> find_inconsistencies(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                                const ExaminationOptions& options) {
  const std::vector<Places> sets = cases_with_variants(plan, records);
  std::vector<std::vector<Inconsistency>> found(sets.size());
  options.for_each(sets.size(), [&](std::size_t i) { found[i] = examine(plan, records, sets[i], options); });
  std::vector<Inconsistency> all;
  for (std::vector<Inconsistency>& some : found) std::ranges::move(some, std::back_inserter(all));
  std::ranges::sort(all, {}, [](const Inconsistency& one) { return std::pair(position_of(one.ambiguity), one.group); });
  return all;
}

}  // namespace touchstone::conformance
