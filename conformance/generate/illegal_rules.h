// Builds must-reject cases: legal nodes of one operator version, each broken in one way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/generate/exact_data.h"
#include "conformance/generate/geometry.h"
#include "conformance/generate/illegal_cases.h"
#include "conformance/plan/cell.h"
#include "spec/clauses.h"

namespace touchstone::conformance {

/// What separates the operator version from the rule in the id of a case.
constexpr std::string_view must_reject = "/must_reject/";

// The legal nodes to break. The length of an axis differs from all other dimensions.
inline const Geometry tensor_base{Granularity::per_tensor, {3, 5}};
inline const Geometry axis_base{Granularity::per_axis, {3, 5}, 1};
inline const Geometry blocked_base{Granularity::blocked, {3, 8}, 1, 4};

class IllegalRules {
 public:
  using Break = std::function<void(Node&)>;
  using Choose = std::function<bool(const Cell&)>;

  IllegalRules(const OperatorVersion& version, std::uint64_t seed, const FormLimits& limits)
      : version_(version), seed_(seed), limits_(limits) {}

  const OperatorVersion& version() const { return version_; }
  bool has(AttributeMeaning attribute) const { return version_.attribute(attribute) != nullptr; }

  /// Adds a case if the version has the clause: a legal node of a chosen cell, made illegal by `breaks`. Of the chosen
  /// cells it uses the one that most backends support, if possible with float32 and uint8 or int8. The case refers to
  /// `base`.
  void add(spec::ClauseRef clause, const std::string& rule, const Geometry& base, const Choose& choose,
           const Break& breaks);

  /// Also adds a case with a packed type, which has separate kernels, if such a cell is chosen.
  void add_with_4_bits(spec::ClauseRef clause, const std::string& rule, const Geometry& base, const Choose& choose,
                       const Break& breaks);

  /// The case added last.
  IllegalCase& last() { return cases_.back(); }
  std::vector<IllegalCase> take() { return std::move(cases_); }

 private:
  const OperatorVersion& version_;
  std::uint64_t seed_;
  FormLimits limits_;
  std::vector<IllegalCase> cases_;
};

// ---- cells

inline bool any(const Cell&) { return true; }
inline bool with_zero_point(const Cell& cell) { return cell.has_zero_point(); }
inline bool without_zero_point(const Cell& cell) { return !cell.has_zero_point(); }

// ---- ways to break a node

IllegalRules::Break sets(const std::string& attribute, const reference::AttributeValue& value);
IllegalRules::Break removes(const std::string& attribute);

/// Replaces an operand by exact_data.
IllegalRules::Break replaces(std::size_t operand, ElementType type, const Shape& shape);

/// Gives scale and zero point, if present, another shape.
IllegalRules::Break reshapes(const Shape& shape);
IllegalRules::Break reshapes_one(std::size_t operand, const Shape& shape);

IllegalRules::Break both(const IllegalRules::Break& first, const IllegalRules::Break& second);

// ---- families of rules

/// Adds rules for versions in which axis determines the granularity, not the shape of the scale.
void add_rules_of_axis_without_default(IllegalRules& rules);

/// Adds rules for the attributes, shapes and zero points of opmx.
void add_rules_of_opmx(IllegalRules& rules);

}  // namespace touchstone::conformance
