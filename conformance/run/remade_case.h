// Cases that are built again after a run, to find the readings that explain what their verdicts reveal.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "conformance/judge/compatible_readings.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Whether the answers may be known from the record: the verdict is pass, pass_variant or rejects_variant, also when
/// the case was run again, and it is no sweep.
bool has_known_answers(const PlannedCase& planned, const CaseRecord& record);

/// The choices with these ids.
std::vector<Choice> choices_of(const std::vector<ReadingId>& readings);

/// The options of a search for compatible readings. It is far shorter than the judge allows; a case with a longer
/// search is treated as showing nothing.
ExplanationOptions short_search(bool sign_of_zero);

/// A case that was built again, with what its verdict reveals about the answers.
class RemadeCase {
 public:
  /// Null if the answers are unknown: the case cannot be built any more or is not the one that was run, or its files
  /// expect other outputs than the reference. Throws exceptions from building it that are not a std::exception.
  static std::unique_ptr<const RemadeCase> make(const PlannedCase& planned, const CaseRecord& record,
                                                bool sign_of_zero);
  RemadeCase(const RemadeCase&) = delete;
  RemadeCase& operator=(const RemadeCase&) = delete;

  const KnownAnswers& answers() const { return answers_; }

  /// The node of the first data set.
  const reference::Node& node() const { return interpreted_.front().node; }

  /// Whether the answers are evidence: none is a refusal, or the case has a control.
  bool counts() const;

  /// The cell of a data set that is legal under the readings of the verdict, the primary ones, or one of these.
  std::optional<Cell> cell(const std::set<std::pair<std::size_t, std::size_t>>& readings) const;

 private:
  RemadeCase(const PlannedCase& planned, const CaseRecord& record);
  bool is_case_of(const CaseRecord& record) const;
  bool is_decided_by_reference(bool sign_of_zero) const;

  const PlannedCase& planned_;
  Case tested_;
  std::vector<ReferenceOutcome> interpreted_;
  KnownAnswers answers_;
};

}  // namespace touchstone::conformance
