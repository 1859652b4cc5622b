// What permitted readings make of a node, one reading at a time.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

#include "conformance/judge/alternatives.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

/// Of a node: a permitted reading, and what it makes of it.
struct SingleReading {
  ReadingId reading;
  reference::Outcome outcome;
};

/// Of each permitted reading by itself that the node asks for.
inline std::vector<SingleReading> by_single_readings(const reference::Node& node) {
  const reference::Outcome primary = reference::interpret(node);
  std::vector<SingleReading> found;
  for (const Choice& choice : alternatives(reference::operator_version(node), primary.consulted, {}))
    found.push_back({id_of(choice), reference::interpret(node, policy_of(std::span(&choice, 1)))});
  return found;
}

/// Ambiguities of which a reading rejects a cell as such, by its types, its precision or the absence of its zero point,
/// whatever the shapes, the optional attributes and the values are. No case of the cell can avoid the refusal, and
/// every legal cell has an ordinary case.
inline bool concerns_the_cell(std::string_view ambiguity) {
  static const std::set<std::string_view> ids{
      "amb-precision-values",  // a precision of double
      "amb-e8m0-scale-without-precision",
      "amb-which-version-23",  // types, precision and output types that the draft does not have
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
