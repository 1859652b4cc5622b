// "Attributes", "Inputs" and "Type constraints" of a version's page: checks a node against the tables of its version.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "conformance/backends/backend.h"
#include "reference/model/node.h"
#include "reference/model/tensor.h"
#include "spec/clauses.h"
#include "spec/operator_version.h"

namespace touchstone::conformance {

/// Leaves the translation: the node violates the clause.
template <class... Arguments>
[[noreturn]] void refuse(spec::ClauseRef clause, fmt::format_string<Arguments...> reason, Arguments&&... arguments) {
  throw Refusal{fmt::format("{}: {}", clause->id, fmt::format(reason, std::forward<Arguments>(arguments)...))};
}

/// Refers to the node: keep it alive.
struct TypedNode {
  const spec::OperatorVersion& version;
  const reference::Node& node;
  const reference::Tensor& x;
  const reference::Tensor& scale;
  const reference::Tensor* zero_point;  ///< null where it is absent

  /// Whether the clause holds for the version.
  bool has(spec::ClauseRef clause) const {
    return clause->applies.covers(version.domain, version.op, version.since_version);
  }

  /// What the version's attribute of this meaning says, or its default; nothing if it has neither, or if the version
  /// has no such attribute.
  std::optional<std::int64_t> integer(spec::AttributeMeaning meaning) const;
  /// The same of one that is a string, empty where it is absent.
  std::string text(spec::AttributeMeaning meaning) const;
};

/// Throws Refusal: no such operator, or attributes and inputs that its version does not have.
TypedNode read_typed_node(const reference::Node& node);

}  // namespace touchstone::conformance
