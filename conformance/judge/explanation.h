// Searches for the permitted readings that explain a backend's answers.
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
  /// The search is cut short after this many interpretations. A search for unexplained elements may use as many again.
  std::size_t most_interpretations;
};

struct Explanation {
  std::vector<Choice> choices;  ///< the readings; empty if none explain the answers
  /// A rejected reading that determines the answers, if all explanations only leave them open; see judge.h.
  std::optional<ReadingId> rejected = std::nullopt;
  /// The first elements of one data set that no permitted readings explain, even each by itself. Empty if there is an
  /// explanation.
  std::vector<std::int64_t> unexplained = {};
  std::size_t unexplained_data_set = 0;  ///< the data set of `unexplained`: the first that has such an element
  /// Whether an explanation may exist that was not found. False if `unexplained` has an element, because then no search
  /// would find one.
  bool cut_short = false;
};

/// Finds the fewest readings, permitted in this version, under which every answer is what the specification requires.
/// They apply to all data sets: outputs that follow one reading in one data set and another in the next have no
/// explanation. `answers` has one answer per data set, all outputs or all refusals; null excludes the data set.
///
/// The search is complete. Whatever explains the answers explains each of their elements, and the outcome of an element
/// depends only on the few ambiguities that the interpreter consults for it. So the search picks an element that is
/// still unexplained, follows all readings of the ambiguities consulted for it, and continues from each combination
/// that explains it. It decides ambiguities in the order in which the interpreter uses them, so that it combines no
/// reading that rejects the node with the readings of later steps.
Explanation find_explanation(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                             std::span<const Answer* const> answers, const ExplanationOptions& options);

/// For each data set, the elements of an answer that are unknown. Empty: all elements are known.
using UnknownElements = std::vector<std::vector<bool>>;

/// Whether this reading explains the known elements of the answers, with primary or permitted readings of all other
/// ambiguities. Also true if the search is cut short.
bool may_explain(const Choice& reading, const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                 std::span<const Answer* const> answers, const UnknownElements& unknown,
                 const ExplanationOptions& options);

}  // namespace touchstone::conformance
