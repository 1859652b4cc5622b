// What the specification says about a node: the tensor that it gives, or that it is not legal.
#pragma once

#include <bitset>
#include <string>
#include <variant>
#include <vector>

#include "reference/model/node.h"
#include "reference/model/parameter_map.h"
#include "reference/model/tensor.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"

namespace touchstone::reference {

struct Result {
  Tensor y;
  /// The elements that y was computed from, of its shape: those of the node's x, or what is packed in them.
  Tensor x;
  /// One per element: true where the specification leaves the value open, and any will do.
  std::vector<bool> unspecified;
  /// Which scale and which zero point each element was computed with.
  ParameterMap parameters;
};

struct Rejection {
  spec::ClauseRef clause;  ///< the one that the node violates
  std::string reason;      ///< how, with the names and numbers of this node
};

struct Outcome {
  std::variant<Result, Rejection> value;
  /// The clauses that the interpreter applied, and the ambiguities that it had to decide, on the way there: bits are
  /// places in spec::clauses and spec::ambiguities.
  std::bitset<spec::clauses.size()> cited;
  std::bitset<spec::ambiguities.size()> consulted;

  const Result* result() const { return std::get_if<Result>(&value); }
  const Rejection* rejection() const { return std::get_if<Rejection>(&value); }
};

/// The zero point that y was computed with, or null. One without elements is none, where there is something to compute.
inline const Tensor* zero_point_of(const Node& node, const Result& result) {
  if (node.inputs.size() < 3 || !node.inputs[2]) return nullptr;
  const Tensor& given = *node.inputs[2];
  return given.size() == 0 && result.y.size() > 0 ? nullptr : &given;
}

}  // namespace touchstone::reference
