// Simpler variants of a node that makes a backend fail, which may fail in the same way. parts.h has those of shapes.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "conformance/files/names.h"
#include "conformance/generate/form.h"
#include "reference/outcome.h"

namespace touchstone::conformance {

/// The amount of detail in a model, most important first. Smaller is simpler.
struct Complexity {
  std::int64_t elements;    ///< of all operands
  std::int64_t dimensions;  ///< of all operands
  std::int64_t operands;
  std::int64_t circumstances;  ///< the number of unusual properties of form and environment
  double attributes;           ///< their number and size
  double zero_point;  ///< of all codes together: 0 for zeros; low for few significant bits and exponents close to 0
  double scale;
  double x;

  auto operator<=>(const Complexity&) const = default;
};

Complexity complexity(const Node& node, const Form& form);

/// The simplest form that the page of the node's operator expects implementations to support.
const Form& simplest_form(const Node& node);

// Simplifying again and again ends if each variant is less complex than the node, which not all of these are. They may
// be illegal even if the node is legal.

/// Nodes in which one operand has a simpler shape: for an illegal node, whose operands need not fit together.
std::vector<Node> other_shapes(const Node& node);

/// Nodes without the last operand, unless that is x. Without a zero point, an attribute may have to set the type of y,
/// which is in `result`; null if the node is illegal.
std::vector<Node> fewer_operands(const Node& node, const reference::Result* result);

/// Nodes without one of the attributes, or with a smaller one.
std::vector<Node> simpler_attributes(const Node& node);

/// Nodes with simpler values of the operand: first all values at once, then fewer. If there are many, no single ones.
std::vector<Node> simpler_values(const Node& node, std::size_t operand);

/// Nodes in which x and scale change together, so that the quotients stay the same: to a scale of 1, or to other
/// exponents.
std::vector<Node> simpler_quotients(const Node& node);

}  // namespace touchstone::conformance
