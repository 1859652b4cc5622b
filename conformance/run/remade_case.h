// Cases that are built again after a run, to find the readings that explain what their verdicts reveal.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "conformance/judge/compatible_readings.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/read_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Whether the answers may be known from the record: the verdict is pass, pass_variant or rejects_variant, also when
/// the case was run again, and the case is not a sweep. It may be a graph.
bool has_known_answers(const PlannedCase& planned, const CaseRecord& record);

/// The position of an ambiguity in the register.
std::size_t position_of(std::string_view ambiguity);

/// The choices with these ids.
std::vector<Choice> choices_of(const std::vector<ReadingId>& readings);

/// The ids of these readings of an ambiguity.
std::vector<std::string_view> ids_of(std::size_t ambiguity, const ReadingSet& readings);

/// A case that was run, with what its verdict reveals about the answers. It is built again when it is first needed.
/// Building it throws exceptions that are not a std::exception.
class RemadeCase {
 public:
  RemadeCase(const PlannedCase& planned, const CaseRecord& record, bool sign_of_zero)
      : planned_(&planned), record_(&record), sign_of_zero_(sign_of_zero) {}

  const CaseRecord& record() const { return *record_; }
  /// Whether the verdict names a reading of this ambiguity.
  bool names(std::string_view ambiguity) const;

  bool is_made() const { return is_made_; }
  /// Null if the answers are unknown: the case cannot be built any more or is not the one that was run, its files
  /// expect other outputs than the reference, or several outputs are right because sums are rounded.
  const KnownAnswers* answers();

  // The others are for cases with known answers.

  /// See KnownAnswers. The search is far shorter than the judge allows; a case with a longer search shows nothing.
  ReadingSet compatible_readings(std::size_t ambiguity) const;

  /// The node of the first data set.
  const Node& node() const { return case_->interpreted.front().node; }

  /// The cell of a data set that is legal under the readings of the verdict, the primary ones, or one of these.
  std::optional<Cell> cell(const std::set<std::array<std::size_t, 2>>& readings) const;

 private:
  void make();

  const PlannedCase* planned_;
  const CaseRecord* record_;
  bool sign_of_zero_;
  bool is_made_ = false;
  std::unique_ptr<const ReadCase> case_;
  std::optional<KnownAnswers> answers_;
};

}  // namespace touchstone::conformance
