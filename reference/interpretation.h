// The running of the interpreter over one node: the policy that it follows, and its notes on what it relied upon.
#pragma once

#include <fmt/format.h>

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "reference/outcome.h"
#include "reference/policy.h"
#include "spec/operator_version.h"

namespace touchstone::reference {

/// Places in y, row-major.
using Elements = std::span<const std::int64_t>;

class Interpretation {
 public:
  /// Without `elements`, all of them are computed.
  Interpretation(const spec::OperatorVersion& version, const Policy& policy,
                 const std::optional<Elements>& elements = std::nullopt)
      : policy_(policy), elements_(elements) {
    for (std::size_t i = 0; i < spec::ambiguities.size(); ++i)
      open_.set(i, spec::ambiguities[i]->applies.covers(version.domain, version.op, version.since_version));
  }

  /// Every step says which clause it carries out.
  void cite(spec::ClauseRef clause) { cited_.set(clause.index()); }

  /// The reading to follow; the primary one where the version does not have the question. Asked only where the answer
  /// can matter, so that what was asked tells which ambiguities a node touches.
  template <spec::AmbiguityStruct A>
  typename A::Reading reading() {
    if (!open_.test(spec::ambiguity_index<A>)) return typename A::Reading{};
    consulted_.set(spec::ambiguity_index<A>);
    return policy_.reading<A>();
  }

  /// Leaves the interpretation: the node violates the clause.
  template <class... Arguments>
  [[noreturn]] void reject(spec::ClauseRef clause, fmt::format_string<Arguments...> reason, Arguments&&... arguments) {
    cite(clause);
    throw Rejection{clause, fmt::format(reason, std::forward<Arguments>(arguments)...)};
  }

  /// The elements of y to compute; nothing: all.
  const std::optional<Elements>& elements() const { return elements_; }

  const auto& cited() const { return cited_; }
  const auto& consulted() const { return consulted_; }

 private:
  Policy policy_;
  std::optional<Elements> elements_;
  std::bitset<spec::ambiguities.size()> open_;  // to this version
  std::bitset<spec::clauses.size()> cited_;
  std::bitset<spec::ambiguities.size()> consulted_;
};

}  // namespace touchstone::reference
