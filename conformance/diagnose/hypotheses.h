// Which wrong models and rejected readings explain the outputs of a failing case?
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/diagnose/wrong_model.h"
#include "conformance/files/case.h"
#include "conformance/judge/oracle.h"

namespace touchstone::conformance {

/// All hypotheses on nodes: the bank, and the rejected readings that no row of the bank follows, which are named
/// AMBIGUITY:READING.
std::span<const WrongModel> hypotheses();

/// One hypothesis, a permitted reading as AMBIGUITY:READING, or a combination ("NAME+NAME"). Empty if a name is
/// unknown.
std::vector<const WrongModel*> find_hypothesis(std::string_view name);

/// What an implementation does for which the hypothesis holds: a predicate in the third person.
std::string sentence_of(std::string_view hypothesis);

/// The clauses that such an implementation may violate, see WrongModel.
std::vector<std::string_view> clauses_of(std::string_view hypothesis);

struct HypothesisOptions {
  bool sign_of_zero = false;  ///< whether -0 differs from +0
  /// The limit of pairs that are tried if no single hypothesis explains the outputs. 0: none.
  std::size_t most_pairs = 400;
  /// The limit of pairs that are extended to combinations of three if no pair explains the outputs. 0: none.
  std::size_t most_extended = 6;
  std::size_t most_named = 64;
  bool tries_nodes = true;  ///< whether a graph may be explained by hypotheses on its nodes
};

/// For graphs with more elements in the inputs of a data set and in constants, only the readings of FactorPrecision are
/// tried. All hypotheses would take minutes.
inline constexpr std::int64_t most_elements_for_all_hypotheses = std::int64_t{1} << 17;

bool is_too_large_for_all_hypotheses(const Case& tested);

/// The names of the hypotheses that explain all outputs of a case, in the order of `hypotheses()`; if there are none,
/// of the pairs that do, or else of the combinations of three. An output is explained if each element that the primary
/// readings determine has the value that the hypothesis gives it, or a NaN for a NaN. All other readings are primary,
/// except for one that is permitted and concerns only values, such as the type of the division; it is the same for the
/// whole case. Data sets without an output are ignored.
///
/// The result depends only on the arguments. Nothing is remembered from other cases, because then it would depend on
/// their order, and so on the number of threads.
std::vector<std::string> explaining_hypotheses(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                                               const UnitAnswer& answer, const HypothesisOptions& options = {});

/// Whether the hypothesis explains all outputs of a case that has wrong ones, as above.
bool explains(std::string_view hypothesis, const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
              const UnitAnswer& answer, const HypothesisOptions& options = {});

/// Whether an implementation for which the hypothesis holds gives a wrong answer to a graph, or none. If several
/// outputs are right, and it may give one of them, this is false.
bool distinguishes_graph(std::string_view hypothesis, const Case& tested,
                         const std::vector<ReferenceOutcome>& interpreted, const HypothesisOptions& options = {});

/// Whether an implementation for which the hypothesis holds gives another answer than a right one that follows the same
/// permitted readings, whichever these are. A case of which this is true, and which went right, contradicts the
/// hypothesis.
bool distinguishes(std::string_view hypothesis, const std::vector<ReferenceOutcome>& interpreted,
                   const HypothesisOptions& options = {});

}  // namespace touchstone::conformance
