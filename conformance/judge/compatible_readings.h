// Determines from the verdict of one case which readings a backend may follow.
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

/// A set of readings of one ambiguity. Bit i stands for the reading at position i of its row.
using ReadingSet = std::bitset<most_readings>;

/// All readings that this version permits.
ReadingSet permitted_readings(const OperatorVersion& version, std::size_t ambiguity);

/// What the verdict of a case reveals about the backend's answers. After a pass, they are the outcomes of the primary
/// readings; after a pass_variant or rejects_variant, those of the verdict's readings. Elements that these readings
/// leave open are unknown. Keeps references to its arguments.
class KnownAnswers {
 public:
  /// `readings` are those of the verdict. If the case has expected outputs, they must be those of the primary readings.
  KnownAnswers(const Case& tested, const std::vector<ReferenceOutcome>& interpreted, std::vector<Choice> readings);

  /// The outcomes of the verdict's readings, one for each data set.
  const std::vector<Outcome>& outcomes() const { return outcomes_; }

  /// Whether the reference consults this ambiguity under the readings of the verdict.
  bool consults(std::size_t ambiguity) const { return consulted_.test(ambiguity); }

  /// The readings of this ambiguity that a version of an operator in the case permits.
  ReadingSet permitted_readings(std::size_t ambiguity) const;

  /// The readings of this ambiguity that explain the answers in combination with some permitted readings of the other
  /// ambiguities. Includes readings for which the search for the others was cut short.
  ReadingSet compatible_readings(std::size_t ambiguity, const ExplanationOptions& options) const;

 private:
  bool explains(const Choice& reading, const ExplanationOptions& options) const;

  const Case& tested_;
  const std::vector<ReferenceOutcome>& interpreted_;
  std::vector<Choice> readings_;
  std::vector<Outcome> outcomes_;
  Consulted consulted_;
  std::vector<Answer> answers_;
  UnknownElements unknown_;
};

}  // namespace touchstone::conformance
