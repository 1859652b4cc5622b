// Runs a failed case again in a new backend, to distinguish failures from chance.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

class FlakeCheck {
 public:
  FlakeCheck(const std::function<std::unique_ptr<Backend>()>& make_backend, const JudgeOptions& options)
      : make_backend_(make_backend), options_(options) {}

  /// Runs the case again and notes in the record whether the result differs; the verdict does not change. If the result
  /// is the same, the record gets the output of the second run. Does nothing for cases that pass, or if no second
  /// backend can be started next to the first. A check takes as long as the case did. Therefore only the first timeouts
  /// are checked, and only the first refusal for each reason, ignoring numbers in it. Each of the first cases gets a
  /// new backend; later, the backend is replaced only occasionally.
  void check(const PlannedCase& planned, CaseRecord& record);

 private:
  bool is_worth_checking(const CaseRecord& record);
  Backend& backend();

  const std::function<std::unique_ptr<Backend>()>& make_backend_;
  const JudgeOptions options_;
  std::unique_ptr<Backend> backend_;
  std::size_t checks_ = 0;
  std::size_t checks_of_backend_ = 0;
  std::size_t timeouts_ = 0;
  std::map<std::string, std::size_t> refusals_;  ///< the number of checks for each reason without its digits
  bool has_no_backend_ = false;
};

}  // namespace touchstone::conformance
