// What goes wrong is run again in a backend that has seen nothing yet: is it the case, or chance?
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/suite.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

class SecondLook {
 public:
  SecondLook(const std::function<std::unique_ptr<Backend>()>& make_backend, const JudgeOptions& options)
      : make_backend_(make_backend), options_(options) {}

  /// Notes in the record whether it comes out otherwise now; the verdict stays. The first such cases have a new backend
  /// each, the others one that lives on. Nothing is noted of a case that the backend was not asked or refused, nor
  /// where no second backend can be had beside the first. What comes out as before leaves what it printed this time.
  void look_at(const PlannedCase& planned, CaseRecord& record);

 private:
  const std::function<std::unique_ptr<Backend>()>& make_backend_;
  const JudgeOptions options_;
  std::unique_ptr<Backend> backend_;
  std::size_t looks_ = 0;
  bool has_none_ = false;
};

}  // namespace touchstone::conformance
