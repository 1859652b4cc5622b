// Which readings a backend may follow, by the verdict of one case.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/explanation.h"

namespace touchstone::conformance {

inline constexpr std::size_t most_readings = [] {
  std::size_t most = 0;
  for (const spec::Ambiguity* row : spec::ambiguities) most = std::max(most, row->readings.size());
  return most;
}();

/// Readings of one ambiguity: bits are places in its row.
using ReadingSet = std::bitset<most_readings>;

/// All readings that this version permits.
ReadingSet permitted_readings(const spec::OperatorVersion& version, std::size_t ambiguity);

/// The answers of a backend to a case, as far as they are known from the verdict: a pass says that they are what the
/// primary readings give, and a pass_variant or rejects_variant that they are what its readings give. Nothing is known
/// of elements that these readings leave open. Refers to its arguments.
class KnownAnswers {
 public:
  /// `readings` are those of the verdict. A case that brings outputs must bring those of the primary readings.
  KnownAnswers(const Case& tested, const std::vector<ReferenceOutcome>& interpreted, std::vector<Choice> readings);

  /// What the readings of the verdict give, for each data set.
  const std::vector<reference::Outcome>& outcomes() const { return outcomes_; }

  /// Whether the reference asks for this ambiguity under the readings of the verdict.
  bool consults(std::size_t ambiguity) const { return consulted_.test(ambiguity); }

  /// The readings of this ambiguity that explain the answers, together with any permitted readings of the others. Has
  /// every reading of which that is not known, because the search for the others is cut short.
  ReadingSet compatible_readings(std::size_t ambiguity, const ExplanationOptions& options) const;

 private:
  bool explains(const Choice& reading, const ExplanationOptions& options) const;

  const Case& tested_;
  const std::vector<ReferenceOutcome>& interpreted_;
  std::vector<Choice> readings_;
  std::vector<reference::Outcome> outcomes_;
  Consulted consulted_;
  std::vector<Answer> answers_;
  UnknownElements unknown_;
};

}  // namespace touchstone::conformance
