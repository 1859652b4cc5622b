// Runs cases with problems again: in a new backend, to distinguish failures from chance, in the same runtime with fewer
// optimizations, to find out from which level on a graph is wrong, and on the host itself if the backend runs on an
// emulated processor.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/controls.h"
#include "conformance/run/read_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Makes a backend. Throws BackendError if it cannot be started.
using OpenBackend = std::function<std::unique_ptr<Backend>()>;

/// A backend besides the one that is tested. It is started when it is first needed. The case that it runs is `read`
/// again if that is null.
class OtherBackend {
 public:
  OtherBackend(OpenBackend open, const JudgeOptions& options) : open_(std::move(open)), options_(options) {
    options_.explains = false;
  }

  /// The result of the case alone, after another backend gave this record: only what is compared with it. std::nullopt
  /// if the backend cannot be started, or broke down in an earlier case.
  std::optional<CaseRecord> run(const PlannedCase& planned, std::shared_ptr<const ReadCase> read,
                                const CaseRecord& record);

  /// The next case gets a new backend.
  void stop();

 private:
  const OpenBackend open_;
  JudgeOptions options_;
  std::unique_ptr<Backend> backend_;
  std::optional<Controls> controls_;
  bool is_broken_ = false;
};

class FlakeCheck {
 public:
  FlakeCheck(OpenBackend make_backend, const JudgeOptions& options) : another_(std::move(make_backend), options) {}

  /// Runs the case again and notes in the record whether the result differs; the verdict does not change. If the result
  /// is the same, the record gets the output of the second run. Does nothing for cases that pass, or if no second
  /// backend can be started next to the first. A check takes as long as the case did. Therefore only the first timeouts
  /// are checked, and only the first refusal for each reason, ignoring numbers in it. Each of the first cases gets a
  /// new backend; later, the backend is replaced only occasionally.
  void check(const PlannedCase& planned, const std::shared_ptr<const ReadCase>& read, CaseRecord& record);

 private:
  bool is_worth_checking(const CaseRecord& record);

  OtherBackend another_;
  std::size_t checks_ = 0;
  std::size_t checks_of_backend_ = 0;
  std::size_t timeouts_ = 0;
  std::map<std::string, std::size_t> refusals_;  ///< the number of checks for each reason without its digits
};

/// A backend with a level of optimizations.
struct Level {
  std::string name;  ///< as --backend takes it
  OpenBackend open;
};

class LowerLevels {
 public:
  /// `lower` begins with the fewest optimizations. `own` is the name of the backend that is tested.
  LowerLevels(const std::vector<Level>& lower, std::string own, const JudgeOptions& options);

  /// Runs a wrong graph at the lower levels, the highest first, and notes in the record from which level on the answer
  /// is the same. Does nothing for other cases, for timeouts and flaky cases, and if a level cannot be started. Threads
  /// may call this at once.
  void check(const PlannedCase& planned, const std::shared_ptr<const ReadCase>& read, CaseRecord& record);

 private:
  struct LowerLevel {
    std::string name;
    OtherBackend backend;
  };

  std::vector<LowerLevel> levels_;  ///< the highest first
  const std::string own_;
  std::mutex mutex_;
};

/// The same backend on the host itself, for a backend on an emulated processor.
class OnHost {
 public:
  OnHost(const std::optional<Level>& host, const JudgeOptions& options);

  /// Runs a wrong case and notes in the record if the answer is another one. Does nothing for other cases and flaky
  /// ones. Threads may call this at once.
  void check(const PlannedCase& planned, const std::shared_ptr<const ReadCase>& read, CaseRecord& record);

 private:
  std::string processor_;
  std::optional<OtherBackend> backend_;
  std::mutex mutex_;
};

}  // namespace touchstone::conformance
