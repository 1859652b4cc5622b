// The readings of MS and PMX that are mistakes. For each there is a node that distinguishes it from all permitted
// readings, not only from the primary one, so that a mistake is never mistaken for a permitted variant.

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "reference/opmx_testing.h"

namespace touchstone::reference::rejected_readings_test {
namespace {

using enum spec::ElementType;

/// Whether two outcomes are indistinguishable without their reasons. An open element may have any value.
bool could_be_the_same(const Outcome& left, const Outcome& right) {
  if (left.rejection() != nullptr || right.rejection() != nullptr)
    return left.rejection() != nullptr && right.rejection() != nullptr;
  const Result& a = *left.result();
  const Result& b = *right.result();
  if (a.y.type() != b.y.type() || a.y.shape() != b.y.shape()) return false;
  for (std::int64_t i = 0; i < a.y.size(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    if (!a.unspecified[place] && !b.unspecified[place] && a.y.code(i) != b.y.code(i)) return false;
  }
  return true;
}

std::vector<std::size_t> readings_of(const Policy& policy) {
  std::vector<std::size_t> readings;
  for (std::size_t i = 0; i < spec::ambiguities.size(); ++i) readings.push_back(policy.reading_index(i));
  return readings;
}

struct Permitted {
  Policy policy;
  Outcome outcome;
};

/// The outcomes of the node under every combination of permitted readings of the ambiguities that it consults.
std::vector<Permitted> permitted_outcomes(const Node& node) {
  const spec::OperatorVersion& version = operator_version(node);
  std::vector<Permitted> outcomes;
  std::vector<Policy> policies{Policy{}};
  std::set<std::vector<std::size_t>> seen{readings_of(Policy{})};
  while (!policies.empty()) {
    const Policy policy = policies.back();
    policies.pop_back();
    outcomes.push_back({policy, interpret(node, policy)});
    const auto consulted = outcomes.back().outcome.consulted;
    for (std::size_t i = 0; i < spec::ambiguities.size(); ++i)
      for (std::size_t reading = 0; consulted.test(i) && reading < spec::ambiguities[i]->readings.size(); ++reading) {
        const spec::ReadingInfo& info = spec::ambiguities[i]->readings[reading];
        const Policy other = policy.with(i, reading);
        if (spec::is_permitted(info, version.domain, version.op, version.since_version) &&
            seen.insert(readings_of(other)).second)
          policies.push_back(other);
      }
  }
  return outcomes;
}

/// Together these nodes distinguish every mistake.
std::vector<Node> telling_nodes() {
  const Tensor nibbles = coded(int16, {1, 1}, {0x780F});  // 15, 0, 8, 7
  const Tensor rows = coded(int16, {2, 2}, {0x4321, 0xCBA9, 0x8765, 0x0FED});
  const auto per_row = [](const Numbers& numbers) {
    return tensor(float32, {static_cast<std::int64_t>(numbers.size()), 1}, numbers);
  };
  const Tensor ones = per_row({1, 1, 1, 1});
  const Tensor bytes = tensor(int8, {1, 3}, {-1, 0, 3});
  const Tensor one = per_row({1});
  return {
      microsoft_dequantize(vector(int32, {7}), scalar(float32, 1), scalar(int32, 5)),
      microsoft_dequantize(vector(uint8, {1, 2, 3}), vector(float32, {1, 2, 4})),
      int4_node(nibbles, ones, no_groups),
      int4_node(nibbles, tensor(float16, {4, 1}, {1, 1, 1, 1}), no_groups),
      int4_node(nibbles, ones, tensor(int8, {4, 1}, {-1, -1, -1, -1}), asymmetric),
      int4_node(nibbles, ones, tensor(float32, {4, 1}, {1.25, 1.25, 1.25, 1.25}), biased),
      int4_node(rows, per_row({1, 2, 4, 8, 16, 32, 64, 128}), no_groups),
      int4_node(rows, tensor(float32, {4, 2}, {1, 2, 4, 8, 16, 32, 64, 128}), groups(0, 2)),
      int8_node(bytes, one, no_groups),
      int8_node(bytes, one, Attributes{}),
      int8_node(bytes, tensor(float32, {1, 2}, {1, 10}), groups(1, 2)),
      int8_node(bytes, one, asymmetric),
      int8_node(bytes, one, tensor(float32, {1, 1}, {1.25}), asymmetric),
  };
}

TEST(RejectedReadings, AreDistinguishedFromAllPermittedOnes) {
  struct Telling {
    Node node;
    std::vector<Permitted> permitted;
  };
  std::vector<Telling> nodes;
  for (const Node& node : telling_nodes()) nodes.push_back({node, permitted_outcomes(node)});
  int mistakes = 0;
  for (std::size_t i = 0; i < spec::ambiguities.size(); ++i) {
    const spec::Ambiguity& row = *spec::ambiguities[i];
    for (std::size_t reading = 0; row.series != "AMB" && reading < row.readings.size(); ++reading) {
      if (row.readings[reading].status != spec::ReadingStatus::rejected) continue;
      ++mistakes;
      EXPECT_TRUE(std::ranges::any_of(nodes,
                                      [&](const Telling& telling) {
                                        const Outcome mistaken = interpret(telling.node, Policy{}.with(i, reading));
                                        return std::ranges::none_of(telling.permitted, [&](const Permitted& permitted) {
                                          return could_be_the_same(mistaken, permitted.outcome);
                                        });
                                      }))
          << row.id << ' ' << row.readings[reading].id;
    }
  }
  EXPECT_GE(mistakes, 17);
}

/// The reading that gives com.microsoft's axis the default 1 is permitted. It is still recognized, because every other
/// permitted reading rejects the node.
TEST(RejectedReadings, ADefaultAxisIsASeparateVariant) {
  using A = spec::VectorsWithoutAxis;
  const Node node = microsoft_quantize(counting(float32, {2, 3}), vector(float32, {1, 2, 4}), vector(uint8, {1, 2, 3}));
  EXPECT_THAT(interpret(node, Policy{}.with<A>(A::axis_1)), gives({1, 2, 3, 4, 4, 4}));
  for (const Permitted& permitted : permitted_outcomes(node))
    EXPECT_EQ(permitted.outcome.result() != nullptr, permitted.policy.reading<A>() == A::axis_1);
}

}  // namespace
}  // namespace touchstone::reference::rejected_readings_test
