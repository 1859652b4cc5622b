// Cases that were read, with what the reference knows about them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "conformance/judge/oracle.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// A case that was read and interpreted. It may be run several times.
struct ReadCase {
  /// Throws what interpreting the case throws.
  ReadCase(Case read, const SharedText& id);
  /// Throws what reading and interpreting the case throws.
  explicit ReadCase(const PlannedCase& planned) : ReadCase(planned.read(), planned.id) {}
  ReadCase(const ReadCase&) = delete;
  ReadCase& operator=(const ReadCase&) = delete;

  const Case tested;
  const std::vector<ReferenceOutcome> interpreted;
  CaseRecord description;  ///< the record before it is run
};

/// What the reference knows about a case without running it: subject, cells, clauses. Never throws because of the
/// case's content; leaves out what cannot be determined.
CaseRecord describe(const Case& described);
/// The same for a case that was already interpreted.
CaseRecord describe(const Case& described, const std::vector<ReferenceOutcome>& interpreted);

/// The cases of a plan, by their places; null if a case was not read.
using ReadCases = std::vector<std::shared_ptr<const ReadCase>>;

/// How cases are examined after a run.
struct ExaminationOptions {
  bool sign_of_zero = false;        ///< as the run was judged
  unsigned jobs = 1;                ///< threads; the result does not depend on their number
  const ReadCases* read = nullptr;  ///< the cases of the plan, if they were read already
  std::function<bool()> stop = {};  ///< ends the examination, which then throws reference::Interrupted

  /// Calls `work` once with each number below `count`, in threads.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& work) const;
};

}  // namespace touchstone::conformance
