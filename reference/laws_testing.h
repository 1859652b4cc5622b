// For tests: laws that hold for nodes of every domain, and random nodes and policies to check them with.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <ostream>
#include <utility>
#include <vector>

#include "reference/interpreter.h"
#include "reference/random/node_generator.h"
#include "reference/random/values.h"
#include "reference/testing.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"

namespace touchstone::reference {

// Call the functions named random_... only within a property, or within rc::gen::exec.

/// A number below `limit`, uniformly distributed. (With rc::gen::inRange, the size of the test case, which starts at 0,
/// limits the used part of the range.)
inline std::uint64_t random_below(std::uint64_t limit) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, limit));
}

inline Random any_random() { return Random(random_below(std::numeric_limits<std::uint64_t>::max())); }

inline Shape random_shape(Random& random) {
  Shape shape(random() % 4);
  for (std::int64_t& length : shape) length = random() % 32 == 0 ? 0 : random_in(random, 1, 5);
  return shape;
}

inline spec::ElementType random_of(Random& random, spec::TypeList types) { return types[random() % types.size()]; }

/// Most nodes are legal; some break a rule.
inline rc::Gen<Node> any_node_of(std::vector<const spec::OperatorVersion*> versions) {
  return rc::gen::exec([=] {
    RandomChoices choices(random_below);
    return random_node(choices, versions);
  });
}

/// A node of ai.onnx or com.microsoft.
inline rc::Gen<Node> any_node() {
  auto versions = versions_of(spec::ai_onnx);
  for (int times = 0; times < 2; ++times)
    std::ranges::copy(versions_of(spec::com_microsoft), std::back_inserter(versions));
  return any_node_of(std::move(versions));
}

inline rc::Gen<Node> any_opmx_node() { return any_node_of(versions_of(spec::opmx)); }

/// Non-primary readings for about one ambiguity in `times`. Opsets keep their versions.
inline rc::Gen<Policy> any_policy(std::uint64_t times) {
  return rc::gen::exec([=] {
    Policy policy;
    for (std::size_t i = 0; i < spec::ambiguities.size(); ++i)
      if (i != spec::ambiguity_index<spec::OpsetsBetweenVersions> && random_below(times) == times - 1)
        policy = policy.with(i, random_below(spec::ambiguities[i]->readings.size()));
    return policy;
  });
}

inline void showValue(const Node& node, std::ostream& out) { out << to_text(node); }

inline void showValue(const Policy& policy, std::ostream& out) {
  for (std::size_t i = 0; i < spec::ambiguities.size(); ++i)
    if (policy.reading_index(i) != 0)
      out << spec::ambiguities[i]->id << ": " << spec::ambiguities[i]->readings[policy.reading_index(i)].id << "; ";
}

/// The purpose of the set of consulted ambiguities.
inline void check_that_readings_not_asked_for_change_nothing(const Node& node, const Policy& policy) {
  const Outcome outcome = interpret(node, policy);
  for (std::size_t i = 0; i < spec::ambiguities.size(); ++i) {
    if (outcome.consulted.test(i)) continue;
    for (std::size_t reading = 0; reading < spec::ambiguities[i]->readings.size(); ++reading) {
      const Outcome other = interpret(node, policy.with(i, reading));
      RC_ASSERT(same_value(outcome, other));
      RC_ASSERT(outcome.consulted == other.consulted);
    }
  }
}

/// The purpose of the order of the consulted ambiguities: a reading decides nothing before its ambiguity is used.
inline void check_that_readings_change_only_what_follows(const Node& node, const Policy& policy) {
  const Outcome outcome = interpret(node, policy);
  RC_ASSERT(outcome.order.size() == outcome.consulted.count());
  for (auto place = outcome.order.begin(); place != outcome.order.end(); ++place) {
    RC_ASSERT(outcome.consulted.test(*place));
    for (std::size_t reading = 0; reading < spec::ambiguities[*place]->readings.size(); ++reading) {
      const Outcome other = interpret(node, policy.with(*place, reading));
      RC_ASSERT(std::ranges::mismatch(outcome.order, other.order).in1 > place);
    }
  }
}

/// Cited clauses and consulted ambiguities apply to the version.
inline void check_that_what_is_relied_upon_applies(const Node& node, const Policy& policy) {
  const spec::OperatorVersion& version = operator_version(node);
  const Outcome outcome = interpret(node, policy);
  const auto applies = [&](const spec::Applicability& range) {
    return range.covers(version.domain, version.op, version.since_version);
  };
  for (std::size_t k = 0; k < spec::clauses.size(); ++k)
    if (outcome.cited.test(k) && !applies(spec::clauses[k].applies)) RC_FAIL(std::string(spec::clauses[k].id));
  for (std::size_t k = 0; k < spec::ambiguities.size(); ++k)
    if (outcome.consulted.test(k) && !applies(spec::ambiguities[k]->applies))
      RC_FAIL(std::string(spec::ambiguities[k]->id));
  if (const Rejection* rejection = outcome.rejection()) RC_ASSERT(outcome.cited.test(rejection->clause.index()));
}

}  // namespace touchstone::reference
