// Which permitted readings explain what a backend does.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/alternatives.h"
#include "conformance/judge/oracle.h"
#include "conformance/judge/verdict.h"

namespace touchstone::conformance {

struct ExplanationOptions {
  bool sign_of_zero;
  /// After so many the search is cut short. As many may follow in a search for elements that nothing explains.
  std::size_t most_interpretations;
};

struct Explanation {
  std::vector<Choice> choices;  ///< the readings; empty: none explain the answers
  /// A rejected reading that determines the answers, where all explanations only leave them open; see judge.h.
  std::optional<ReadingId> rejected = std::nullopt;
  /// Where there is no explanation, of the first data set that needs one: elements that no permitted readings explain,
  /// not even by themselves. The first ones.
  std::vector<std::int64_t> unexplained = {};
  /// There may be an explanation that was not found. False if `unexplained` has an element: no search would find one.
  bool cut_short = false;
};

/// The fewest readings, permitted in this version, under which each answer is what the specification says: they hold
/// for all data sets alike, so outputs that follow one reading here and another there have no explanation. One answer
/// for each data set, all of them outputs or refusals; null: the data set does not matter.
///
/// The search is complete. Whatever explains the answers explains each of their elements, and the outcome of an element
/// depends on the few ambiguities alone that the interpreter consults for it. So the search takes an element that is
/// still unexplained, follows all readings of what is consulted for it, and goes on from each that explains it.
Explanation find_explanation(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                             std::span<const Answer* const> answers, const ExplanationOptions& options);

/// Elements of an answer of which nothing is known, for each data set; empty: everything is known.
using UnknownElements = std::vector<std::vector<bool>>;

/// Whether this reading, with the primary or permitted readings of all other ambiguities, explains what is known of the
/// answers. True also if the search is cut short.
bool may_explain(const Choice& reading, const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                 std::span<const Answer* const> answers, const UnknownElements& unknown,
                 const ExplanationOptions& options);

}  // namespace touchstone::conformance
