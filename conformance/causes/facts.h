// Facts about cases, in the dimensions that rules use to say where a backend differs.
#pragma once

#include <boost/dynamic_bitset.hpp>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// A set of cases, by their position in the records.
using CaseSet = boost::dynamic_bitset<>;

/// The records that meet a condition.
template <class Condition>
CaseSet select(std::span<const CaseRecord> records, const Condition& condition) {
  CaseSet cases(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) cases.set(i, condition(records[i]));
  return cases;
}

/// The positions of the cases of a set, in ascending order.
std::vector<std::size_t> places(const CaseSet& cases);

enum class Dimension {
  domain,        ///< of the operator
  op,            ///< with its domain
  pattern,       ///< of a graph
  version,       ///< of the operator
  opset,         ///< that the model imports
  clause,        ///< that the case violates
  violation,     ///< how it violates the clause
  family,        ///< of the type of any operand or output: "a float8 type"
  operand,       ///< the type of any operand or output
  x,             ///< the type of x
  scale,         ///< the type of the scale
  y_family,      ///< of the type of y
  y,             ///< the type of y
  granularity,   ///< per tensor, per axis, blocked
  zero_point,    ///< absent or present
  saturate,      ///< the attribute's value
  precision,     ///< the attribute's value
  form,          ///< how the operands reach the backend
  x_source,      ///< "constant" or "graph input"
  scale_source,  ///< the same for the scale and the zero point
  rank,          ///< of x
  axis,          ///< the attribute's value
  attribute,     ///< that the node has
  elements,      ///< of x: none, or at least a power of two
  trait,         ///< of a graph: "negative scales", "two scales"
  topic,         ///< the part of the id that says what the case tests
};

/// A condition on a case. Conditions sort by their dimension first.
struct Condition {
  enum class Relation { is, at_least, at_most };

  Dimension dimension;
  Relation relation = Relation::is;
  std::int64_t number = 0;  ///< for a version, an opset, a rank, an axis, or a number of elements
  std::string value;        ///< for any other dimension

  auto operator<=>(const Condition&) const = default;
};

/// A set of cases as a list of runs, or as bits if that is shorter. Cases that follow each other have most facts in
/// common, so the sets of a run of 68,000 cases take a quarter of what their bits would.
class PackedCaseSet {
 public:
  /// Of so many cases.
  explicit PackedCaseSet(std::size_t cases) : cases_(cases) {}
  explicit PackedCaseSet(const CaseSet& cases);

  /// Adds a case after all others, or the last one again.
  void add(std::size_t place);

  CaseSet unpacked() const;
  bool has_all() const { return unpacked().all(); }

 private:
  std::size_t cases_;
  std::vector<std::uint32_t> bounds_;  ///< of the runs: the first case, and the case after the last one
  CaseSet bits_;                       ///< if there are too many runs, which are not kept then
};

/// All conditions that distinguish the cases of a run, with the cases that meet each.
class CaseFacts {
 public:
  explicit CaseFacts(std::span<const CaseRecord> records);

  std::size_t cases() const { return cases_; }
  const std::vector<Condition>& conditions() const { return conditions_; }
  /// The cases that meet the condition at this position.
  CaseSet meeting(std::size_t condition) const { return meeting_[condition].unpacked(); }

 private:
  std::size_t cases_;
  std::vector<Condition> conditions_;  ///< in ascending order
  std::vector<PackedCaseSet> meeting_;
};

}  // namespace touchstone::conformance
