// Outcomes of a node under single permitted readings.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

#include "conformance/judge/alternatives.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

/// A permitted reading, and the outcome of a node under it.
struct SingleReading {
  ReadingId reading;
  reference::Outcome outcome;
};

/// The outcome under each permitted reading that the node consults, one reading at a time.
inline std::vector<SingleReading> by_single_readings(const reference::Node& node) {
  const reference::Outcome primary = reference::interpret(node);
  std::vector<SingleReading> found;
  for (const Choice& choice : alternatives(reference::operator_version(node), primary.consulted, {}))
    found.push_back({id_of(choice), reference::interpret(node, policy_of(std::span(&choice, 1)))});
  return found;
}

/// Ambiguities with a reading that rejects a whole cell because of its types, its precision or an absent zero point,
/// whatever the shapes, optional attributes and values. No case of the cell can avoid the refusal, and every legal cell
/// has an ordinary case.
inline bool concerns_the_cell(std::string_view ambiguity) {
  static const std::set<std::string_view> ids{
      "amb-precision-values",  // double as precision
      "amb-e8m0-scale-without-precision",
      "amb-which-version-23",  // types, precisions and output types that the draft does not have
      "ms-types-beyond-the-page",
      "ms-zero-point-that-must-be",
  };
  return ids.contains(ambiguity);
}

/// The readings that reject the node, as text.
inline std::vector<std::string> refusals(const reference::Node& node) {
  std::vector<std::string> found;
  for (const SingleReading& one : by_single_readings(node))
    if (one.outcome.rejection() != nullptr && !concerns_the_cell(one.reading.ambiguity))
      found.push_back(std::string(one.reading.ambiguity) + ": " + std::string(one.reading.reading) + ": " +
                      one.outcome.rejection()->reason);
  return found;
}

}  // namespace touchstone::conformance
