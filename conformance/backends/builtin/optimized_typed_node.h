// Checks a node against the tables of its version: "Attributes", "Inputs" and "Type constraints" on the version's page.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "conformance/backends/backend.h"
#include "conformance/files/names.h"
#include "spec/clauses.h"

namespace touchstone::conformance {

/// Throws Refusal because the node violates the clause.
template <class... Arguments>
[[noreturn]] void refuse(spec::ClauseRef clause, fmt::format_string<Arguments...> reason, Arguments&&... arguments) {
  throw Refusal{fmt::format("{}: {}", clause->id, fmt::format(reason, std::forward<Arguments>(arguments)...))};
}

/// A view of a node, which must outlive it.
struct TypedNode {
  const OperatorVersion& version;
  const Node& node;
  const Tensor& x;
  const Tensor& scale;
  const Tensor* zero_point;  ///< null if it is absent

  /// Whether the clause holds for the version.
  bool has(spec::ClauseRef clause) const {
    return clause->applies.covers(version.domain, version.op, version.since_version);
  }

  /// The value of the attribute with this meaning, or its default; nothing if it has neither, or if the version has no
  /// such attribute.
  std::optional<std::int64_t> integer(AttributeMeaning meaning) const;
  /// The same for a string attribute; empty if it is absent.
  std::string text(AttributeMeaning meaning) const;
};

/// Throws Refusal for an unknown operator, and for attributes or inputs that its version does not have.
TypedNode read_typed_node(const Node& node);

}  // namespace touchstone::conformance
