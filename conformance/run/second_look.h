// What goes wrong is run again in a backend that has seen nothing yet: is it the case, or chance?
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/suite.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

class SecondLook {
 public:
  SecondLook(const std::function<std::unique_ptr<Backend>()>& make_backend, const JudgeOptions& options)
      : make_backend_(make_backend), options_(options) {}

  /// Notes in the record whether it comes out otherwise now; the verdict stays. What comes out as before leaves what it
  /// printed this time. Nothing is noted of what passes, nor where no second backend can be had beside the first.
  /// To look costs as much as the case did, so that of timeouts only the first are looked at, and of refusals the first
  /// of each reason, whatever the numbers in it. Every case has a new backend, until there were some; then it is
  /// replaced now and then.
  void look_at(const PlannedCase& planned, CaseRecord& record);

 private:
  bool deserves_one(const CaseRecord& record);
  Backend& backend();

  const std::function<std::unique_ptr<Backend>()>& make_backend_;
  const JudgeOptions options_;
  std::unique_ptr<Backend> backend_;
  std::size_t looks_ = 0;
  std::size_t looks_of_backend_ = 0;
  std::size_t timeouts_ = 0;
  std::map<std::string, std::size_t> refusals_;  ///< looked at, by their reasons without the digits
  bool has_none_ = false;
};

}  // namespace touchstone::conformance
