// The outcome of a node according to the specification: a tensor, or a rejection.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/model/node.h"
#include "reference/model/parameter_map.h"
#include "reference/model/tensor.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"

namespace touchstone::reference {

/// The lowest and the highest code of each element that a right implementation may give, where the arithmetic of a
/// graph rounds. Both are equal for an element of which every evaluation gives the same.
struct CodeRange {
  Tensor lowest;
  Tensor highest;
  std::int64_t too_wide = 0;  ///< so many elements are unspecified because nothing narrower could be proven
};

/// An output of a graph.
struct Output {
  Tensor value;
  std::vector<bool> unspecified;                  ///< one per element, as in Result
  std::optional<CodeRange> range = std::nullopt;  ///< absent: only the codes of `value` are right
};

struct Result {
  Tensor y;
  /// The elements from which y was computed, with its shape: those of the node's x, or those packed in it.
  Tensor x;
  /// One per element: true if the specification leaves the value open, so that any value is right.
  std::vector<bool> unspecified;
  /// Which scale and which zero point applied to each element.
  ParameterMap parameters;
  /// The outputs of a graph after the first, which is y. For a graph, x and parameters have no meaning.
  std::vector<Output> further = {};
  std::optional<CodeRange> range = std::nullopt;  ///< of y, as in Output
};

struct Rejection {
  spec::ClauseRef clause;  ///< the clause that the node violates
  std::string reason;      ///< how the node violates it, with its names and numbers
};

struct Outcome {
  std::variant<Result, Rejection> value;
  /// The clauses that the interpreter applied, and the ambiguities that it had to decide. Bits are indices into
  /// spec::clauses and spec::ambiguities.
  std::bitset<spec::clauses.size()> cited;
  std::bitset<spec::ambiguities.size()> consulted;
  /// The ambiguities in `consulted`, in the order of their first use. What the interpreter does until it uses one
  /// depends only on the readings of those before it.
  std::vector<std::size_t> order = {};

  const Result* result() const { return std::get_if<Result>(&value); }
  const Rejection* rejection() const { return std::get_if<Rejection>(&value); }
};

/// The unspecified elements of an output of a graph, by its position among the outputs; null if there is none.
inline const std::vector<bool>* unspecified_of(const Result& result, std::size_t output) {
  if (output == 0) return &result.unspecified;
  return output <= result.further.size() ? &result.further[output - 1].unspecified : nullptr;
}

/// The range of an output of a graph, by its position among the outputs; null if there is none.
inline const CodeRange* range_of(const Result& result, std::size_t output) {
  const bool is_further = output > 0 && output <= result.further.size();
  const std::optional<CodeRange>& range = is_further ? result.further[output - 1].range : result.range;
  return range && output <= result.further.size() ? &*range : nullptr;
}

/// The zero point from which y was computed, or null. A zero point without elements counts as absent if y has elements.
inline const Tensor* zero_point_of(const Node& node, const Result& result) {
  if (node.inputs.size() < 3 || !node.inputs[2]) return nullptr;
  const Tensor& given = *node.inputs[2];
  return given.size() == 0 && result.y.size() > 0 ? nullptr : &given;
}

}  // namespace touchstone::reference
