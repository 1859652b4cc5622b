// The test of the suite itself: every wrong model is run as a backend, and must be found and named.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/diagnose/wrong_model.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/read_case.h"

namespace touchstone::conformance {

/// How many of `models` wrong models a report must find and name: all, but for one in twenty in the short tier smoke.
constexpr std::size_t least_named(Tier tier, std::size_t models) {
  return models - (tier == Tier::smoke ? models / 20 : 0);
}

/// What a report says about a wrong model.
struct SelfTestResult {
  /// How the first cause of the report relates to the model.
  enum class Naming {
    own,         ///< it has the model's name
    equivalent,  ///< it has another name, but the model explains all of its cases as well
    other,       ///< it does not explain what the model does
  };

  std::size_t wrong = 0;   ///< the cases that find it
  std::string first = {};  ///< the id of the first one; empty if there is none
  std::string cause = {};  ///< the name of the first cause; empty if it has none
  Naming naming = Naming::other;
};

/// Runs the model as a backend with all cases of a plan, and looks for the causes. Stops early, with the results so
/// far, when `stop` returns true. `read` are the cases of the plan, if they are kept.
SelfTestResult test_wrong_model(const WrongModel& model, std::span<const PlannedCase> plan, unsigned jobs,
                                const std::function<bool()>& stop = {}, const ReadCases* read = nullptr);

/// Two different wrong models in one backend: both of nodes, or both of graphs.
using WrongPair = std::array<const WrongModel*, 2>;

/// So many of the models, at random. The seed and the order of the models determine them.
std::vector<WrongPair> random_pairs(std::span<const WrongModel* const> models, std::size_t count, std::uint64_t seed);

/// The share of pairs, in percent, of which a report must name both. One defect may hide the other, so not all.
inline constexpr std::size_t least_named_pairs = 80;

/// What a report says about a pair.
struct PairResult {
  std::size_t wrong = 0;              ///< the cases that find it
  std::array<bool, 2> is_named = {};  ///< whether a cause has the name of this model, or the model explains its cases
  std::vector<std::string> causes = {};  ///< the names of all causes that have one
};

/// Runs a backend that has both defects with all cases of a plan, as above.
PairResult test_wrong_pair(const WrongPair& pair, std::span<const PlannedCase> plan, unsigned jobs,
                           const ReadCases* read = nullptr);

/// The cases of a plan, for all models. Null for those that cannot be read. None if there are too many to keep.
std::optional<ReadCases> read_all(std::span<const PlannedCase> plan, unsigned jobs);

}  // namespace touchstone::conformance
