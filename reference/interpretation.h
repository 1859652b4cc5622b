// The interpretation of one node: the policy that it follows, and a record of the clauses and ambiguities that it used.
#pragma once

#include <fmt/format.h>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reference/outcome.h"
#include "reference/policy.h"
#include "spec/operator_version.h"

namespace touchstone::reference {

/// Indices into y, row-major.
using Elements = std::span<const std::int64_t>;

class Interpretation {
 public:
  /// Without `elements`, all elements are computed.
  Interpretation(const spec::OperatorVersion& version, const Policy& policy,
                 const std::optional<Elements>& elements = std::nullopt)
      : policy_(policy), elements_(elements) {
    for (std::size_t i = 0; i < spec::ambiguities.size(); ++i)
      open_.set(i, spec::ambiguities[i]->applies.covers(version.domain, version.op, version.since_version));
  }

  /// Records that a step implements a clause.
  void cite(spec::ClauseRef clause) { cited_.set(clause.index()); }

  /// The reading to follow; the primary one if the version does not have the ambiguity. Call this only where the answer
  /// can matter, so that the consulted ambiguities are those that affect the node.
  template <spec::AmbiguityStruct A>
  typename A::Reading reading() {
    constexpr std::size_t index = spec::ambiguity_index<A>;
    if (!open_.test(index)) return typename A::Reading{};
    if (!consulted_.test(index)) order_.push_back(index);
    consulted_.set(index);
    return policy_.reading<A>();
  }

  /// Ends the interpretation because the node violates the clause.
  template <class... Arguments>
  [[noreturn]] void reject(spec::ClauseRef clause, fmt::format_string<Arguments...> reason, Arguments&&... arguments) {
    cite(clause);
    throw Rejection{clause, fmt::format(reason, std::forward<Arguments>(arguments)...)};
  }

  /// The elements of y to compute; std::nullopt: all.
  const std::optional<Elements>& elements() const { return elements_; }

  const auto& cited() const { return cited_; }
  const auto& consulted() const { return consulted_; }
  const auto& order() const { return order_; }

 private:
  Policy policy_;
  std::optional<Elements> elements_;
  std::bitset<spec::ambiguities.size()> open_;  // those that apply to this version
  std::bitset<spec::clauses.size()> cited_;
  std::bitset<spec::ambiguities.size()> consulted_;
  std::vector<std::size_t> order_;  // of the first use of those in consulted_
};

}  // namespace touchstone::reference
