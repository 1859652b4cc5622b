#include "reference/interpreter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <bitset>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#ifdef __SSE__
#include <immintrin.h>
#endif

#include "reference/laws_testing.h"
#include "reference/testing.h"

namespace touchstone::reference::interpreter_test {
namespace {

using enum spec::ElementType;
using spec::ElementType;

// ---- opsets

/// A node whose outcome shows whether a version is in force.
struct Probe {
  int since_version;
  std::function<Node(int opset)> node;
  OutcomeMatcher before, since;
};

std::vector<Probe> quantize_probes() {
  const Tensor x = vector(float32, {3});
  const auto with = [x](const char* attribute) {
    return [x, attribute](int opset) { return quantize(opset, x, scalar(float32, 1), std::nullopt, {{attribute, 0}}); };
  };
  const auto to = [](ElementType type, double number) {
    return [=](int opset) { return quantize(opset, vector(float32, {number}), scalar(float32, 1), scalar(type, 0)); };
  };
  const OutcomeMatcher unknown_attribute = rejected_by("onnx-known-attributes");
  const OutcomeMatcher unknown_type = rejected_by("onnx-type-constraint");
  return {{13, with("axis"), unknown_attribute, gives({3})},
          {19, with("saturate"), unknown_attribute, gives({3})},
          {21, with("block_size"), unknown_attribute, gives({3})},
          {23, with("precision"), unknown_attribute, gives({3})},
          {25, to(uint2, 2), unknown_type, gives({2})},
          {28, to(float6e2m3, 7.5), unknown_type, gives({7.5})}};
}

std::vector<Probe> dequantize_probes() {
  const auto with = [](const char* attribute) {
    return [attribute](int opset) {
      return dequantize(opset, vector(uint8, {3}), scalar(float32, 1), std::nullopt, {{attribute, 0}});
    };
  };
  const auto from = [](ElementType type, double number) {
    return [=](int opset) { return dequantize(opset, vector(type, {number}), scalar(float32, 1)); };
  };
  const auto by_power_of_two = [](int opset) {
    const Attributes output{{"output_dtype", type_code(float32)}};
    return dequantize(opset, vector(uint8, {3}), scalar(float8e8m0, 2), std::nullopt,
                      opset < 23 ? Attributes{} : output);
  };
  const OutcomeMatcher unknown_attribute = rejected_by("onnx-known-attributes");
  const OutcomeMatcher unknown_type = rejected_by("onnx-type-constraint");
  return {{13, with("axis"), unknown_attribute, gives({3})},
          {19, from(float8e5m2, 2), unknown_type, gives({2})},
          {21, with("block_size"), unknown_attribute, gives({3})},
          {23, with("output_dtype"), unknown_attribute, gives({3})},
          {24, by_power_of_two, unknown_type, gives({6})},
          {25, from(uint2, 2), unknown_type, gives({2})},
          {28, from(float6e2m3, 7.5), unknown_type, gives({7.5})}};
}

/// The versions that the opsets select, in order.
constexpr std::array selected{10, 10, 10, 13, 13, 13, 13, 13, 13, 19, 19, 21, 21, 23, 24, 25, 25, 25, 28};

TEST(Opsets, SelectTheNewestVersionNotAbove) {
  ASSERT_EQ(selected.size(), static_cast<std::size_t>(spec::newest_opset - spec::oldest_opset + 1));
  for (std::size_t i = 0; i < selected.size(); ++i) {
    const int opset = spec::oldest_opset + static_cast<int>(i);
    for (const std::vector<Probe>& probes : {quantize_probes(), dequantize_probes()})
      for (const Probe& probe : probes) {
        const Node node = probe.node(opset);
        EXPECT_EQ(operator_version(node).since_version, selected[i]);
        EXPECT_THAT(interpret(node), probe.since_version <= selected[i] ? probe.since : probe.before)
            << "opset " << opset << ", version " << probe.since_version;
      }
  }
}

// Version 24 of QuantizeLinear has no new attribute: it differs in Cast's tables, and has float8e8m0 scales.
TEST(Opsets, DistinguishVersion24OfQuantizeLinear) {
  for (int opset = 19; opset <= spec::newest_opset; ++opset)
    EXPECT_THAT(interpret(quantize(opset, vector(float32, {inf}), scalar(float32, 1), scalar(float8e4m3fnuz, 0))),
                opset < 24 ? gives({nan}) : gives({240}));
  for (int opset = 23; opset <= spec::newest_opset; ++opset)
    EXPECT_THAT(interpret(quantize(opset, vector(float32, {6}), scalar(float8e8m0, 2))),
                opset < 24 ? rejected_by("onnx-type-constraint") : gives({3}));
}

TEST(Opsets, BeforeTheOperatorsThereIsNone) {
  for (const int opset : {9, 1, 0, -1}) {
    EXPECT_THROW(interpret(quantize(opset, vector(float32, {1}), scalar(float32, 1))), NoSuchOperator);
    EXPECT_THROW(interpret(dequantize(opset, vector(uint8, {1}), scalar(float32, 1))), NoSuchOperator);
    EXPECT_THROW(operator_version(quantize(opset, vector(float32, {1}), scalar(float32, 1))), NoSuchOperator);
  }
}

TEST(Opsets, NewerThanTheTableAreUnknown) {
  const auto expect_unknown = [](std::string_view domain, int opset) {
    for (Node node : {quantize(opset, vector(float32, {1}), scalar(float32, 1)),
                      dequantize(opset, vector(uint8, {1}), scalar(float32, 1))}) {
      node.domain = domain;
      // Not even under the reading that uses the newest known version.
      using A = spec::OpsetsBetweenVersions;
      for (const A::Reading reading : {A::newest_not_above, A::newest_known, A::exact_only})
        EXPECT_THROW(interpret(node, Policy{}.with<A>(reading)), NoSuchOperator) << domain << ' ' << opset;
    }
  };
  expect_unknown(spec::ai_onnx, spec::newest_opset + 1);
  for (const std::string_view domain : {spec::com_microsoft, spec::opmx})
    for (const int opset : {-1, 0, 2, 10, 21}) expect_unknown(domain, opset);
  EXPECT_EQ(NoSuchOperator::clause->id, "onnx-opset-resolution");
}

TEST(Opsets, OfMicrosoftIsOne) {
  for (const Node& node : {microsoft_quantize(vector(float32, {1}), scalar(float32, 1)),
                           microsoft_dequantize(vector(uint8, {1}), scalar(float32, 1))}) {
    EXPECT_EQ(node.opset, 1);
    EXPECT_EQ(operator_version(node).domain, spec::com_microsoft);
    EXPECT_EQ(operator_version(node).op, node.op);
    EXPECT_THAT(interpret(node), gives({1}));
  }
}

TEST(Opsets, OfOpmxHaveNoQuantizeLinear) {
  const Node quantization = in_domain(spec::opmx, quantize(0, vector(float32, {1}), scalar(float32, 1)));
  const Node dequantization = in_domain(spec::opmx, dequantize(0, vector(int8, {1}), scalar(float32, 1)));
  EXPECT_THROW(interpret(quantization), NoSuchOperator);
  EXPECT_EQ(operator_version(dequantization).domain, spec::opmx);
}

TEST(Opsets, EveryVersionOfEveryDomainIsInterpreted) {
  for (const spec::OperatorVersion& row : spec::operator_versions) {
    Node node;  // without inputs
    node.domain = row.domain;
    node.op = row.op;
    node.opset = row.since_version;
    EXPECT_NO_THROW(EXPECT_NE(interpret(node).rejection(), nullptr)) << row.domain << ' ' << spec::name(row.op);
  }
}

TEST(Opsets, UnknownDomainsHaveNoSuchOperator) {
  Node node = quantize(21, vector(float32, {1}), scalar(float32, 1));
  node.domain = "com.example";
  EXPECT_THROW(interpret(node), NoSuchOperator);
}

// ---- shape and type of y

TEST(OutputShape, EqualsTheInputShape) {
  for (const int opset : versions(10))
    for (const Shape& shape : std::vector<Shape>{{},
                                                 {0},
                                                 {1},
                                                 {5},
                                                 {2, 3},
                                                 {0, 3},
                                                 {2, 0},
                                                 {2, 1, 3},
                                                 {2, 0, 3},
                                                 {2, 3, 1, 2},
                                                 {1, 2, 1, 2, 1},
                                                 {2, 1, 2, 1, 2, 1}}) {
      EXPECT_THAT(interpret(quantize(opset, Tensor(float32, shape), scalar(float32, 1))), gives_type(uint8, shape));
      EXPECT_THAT(interpret(quantize(opset, Tensor(float32, shape), scalar(float32, 1), scalar(int8, 0))),
                  gives_type(int8, shape));
      EXPECT_THAT(interpret(dequantize(opset, Tensor(int8, shape), scalar(float32, 1))), gives_type(float32, shape));
      if (opset < 19) continue;
      EXPECT_THAT(interpret(dequantize(opset, Tensor(int8, shape), scalar(bfloat16, 1))), gives_type(bfloat16, shape));
    }
}

/// Every axis of a tensor of rank 6, per axis and in blocks: each element uses its own scale.
TEST(Granularity, FindsTheScaleOfEveryElement) {
  const Shape shape{2, 3, 4, 1, 2, 3};
  const Tensor x = tensor(uint8, shape, Numbers(144, 1));
  for (const int opset : versions(21))
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      for (std::int64_t block_size = 1; block_size <= 4; ++block_size) {
        const auto block_of = [&](std::int64_t i) { return block_size > shape[axis] ? 0 : i / block_size; };
        const std::int64_t blocks = block_of(shape[axis] - 1) + 1;
        Shape scale_shape = shape;
        scale_shape[axis] = blocks;
        const Tensor scale = counting(float32, scale_shape);
        std::int64_t before = 1;  // elements of the dimensions before the axis, and after it
        std::int64_t after = 1;
        for (std::size_t k = 0; k < shape.size(); ++k) (k < axis ? before : after) *= k == axis ? 1 : shape[k];
        NumbersOrOpen blocked;
        NumbersOrOpen per_axis;
        for (std::int64_t i = 0; i < before; ++i)
          for (std::int64_t k = 0; k < shape[axis]; ++k)
            for (std::int64_t j = 0; j < after; ++j) {
              blocked.push_back(static_cast<double>((i * blocks + block_of(k)) * after + j));
              per_axis.push_back(static_cast<double>(k));
            }
        const auto number = static_cast<std::int64_t>(axis);
        EXPECT_THAT(
            interpret(dequantize(opset, x, scale, std::nullopt, {{"axis", number}, {"block_size", block_size}})),
            gives(blocked));
        EXPECT_THAT(
            interpret(dequantize(opset, x, counting(float32, {shape[axis]}), std::nullopt, {{"axis", number - 6}})),
            gives(per_axis));
      }
}

// ---- laws

Shape random_nonscalar(Random& random) {
  Shape shape = random_shape(random);
  return shape.empty() ? Shape{3} : shape;
}

/// Ordinary nodes for laws that need more than any_node() guarantees: float32 and one integer type.
struct Ordinary {
  Random random = any_random();
  Shape shape = random_nonscalar(random);
  Tensor x = random_tensor(random, float32, shape);
  double scale = *rc::gen::element(1.0, 0.5, 0.1f + 0.0, 3.0, -0.75, 1e-3f + 0.0);
  double zero_point = static_cast<double>(random_in(random, 0, 99));
  std::int64_t axis = random_in(random, 0, static_cast<std::int64_t>(shape.size()) - 1);

  Tensor scales(const Shape& of) const {
    return tensor(float32, of, Numbers(static_cast<std::size_t>(element_count(of).value()), scale));
  }
  Tensor zero_points(const Shape& of) const {
    return tensor(int8, of, Numbers(static_cast<std::size_t>(element_count(of).value()), zero_point));
  }
};

RC_GTEST_PROP(Laws, EqualScalesMakeNoDifferenceBetweenGranularities, ()) {
  Ordinary node;
  const std::int64_t block_size = random_in(node.random, 1, 5);
  const Shape per_axis{node.shape[static_cast<std::size_t>(node.axis)]};
  Shape blocks = node.shape;
  std::int64_t& length = blocks[static_cast<std::size_t>(node.axis)];
  length = (length + block_size - 1) / block_size;

  for (const int opset : versions(21)) {
    const auto run = [&](const Shape& parameters, const Attributes& attributes) {
      return interpret(quantize(opset, node.x, node.scales(parameters), node.zero_points(parameters), attributes));
    };
    const Outcome per_tensor = run({}, {});
    RC_ASSERT(per_tensor.result() != nullptr);
    RC_ASSERT(same_value(per_tensor, run(per_axis, {{"axis", node.axis}})));
    RC_ASSERT(same_value(per_tensor, run(blocks, {{"axis", node.axis}, {"block_size", block_size}})));
  }
}

RC_GTEST_PROP(Laws, ANegativeAxisCountsFromTheEnd, ()) {
  Ordinary node;
  const Tensor scale = random_tensor(node.random, float32, {node.shape[static_cast<std::size_t>(node.axis)]});
  const auto rank = static_cast<std::int64_t>(node.shape.size());
  for (const int opset : versions(13)) {
    const auto run = [&](std::int64_t axis) {
      return interpret(quantize(opset, node.x, scale, std::nullopt, {{"axis", axis}}));
    };
    RC_ASSERT(run(node.axis).result() != nullptr);
    RC_ASSERT(same_value(run(node.axis), run(node.axis - rank)));
  }
}

RC_GTEST_PROP(Laws, AllVersionsAgreeOnFloat32AndEightBits, ()) {
  Ordinary node;
  const auto quantized = [&](int opset) {
    return interpret(quantize(opset, node.x, node.scales({}), node.zero_points({})));
  };
  const Tensor codes = random_tensor(node.random, int8, node.shape);
  const auto dequantized = [&](int opset) {
    return interpret(dequantize(opset, codes, node.scales({}), node.zero_points({})));
  };
  RC_ASSERT(quantized(10).result() != nullptr && dequantized(10).result() != nullptr);
  for (const int opset : versions(13)) {
    RC_ASSERT(same_value(quantized(10), quantized(opset)));
    RC_ASSERT(same_value(dequantized(10), dequantized(opset)));
  }
}

/// Non-primary readings for some of the ambiguities that two versions share. Excludes the ambiguity of a per-tensor
/// axis: without the attribute, only one of the versions has a default that could be out of range.
Policy random_shared_policy(Random& random, const spec::OperatorVersion& left, const spec::OperatorVersion& right) {
  Policy policy;
  for (std::size_t i = 0; i < spec::ambiguities.size(); ++i) {
    const spec::Ambiguity& row = *spec::ambiguities[i];
    const auto applies = [&](const spec::OperatorVersion& version) {
      return row.applies.covers(version.domain, version.op, version.since_version);
    };
    if (i == spec::ambiguity_index<spec::AxisForPerTensor>) continue;
    if (applies(left) && applies(right) && random() % 5 == 0) policy = policy.with(i, random() % row.readings.size());
  }
  return policy;
}

/// With an axis, com.microsoft's operators mean the same as those of ai.onnx 21. Without an axis this also holds per
/// tensor.
RC_GTEST_PROP(Laws, MicrosoftAgreesWithVersion21, ()) {
  const auto op = *rc::gen::element(spec::Operator::quantize_linear, spec::Operator::dequantize_linear);
  const spec::OperatorVersion& microsoft = *spec::resolve(spec::com_microsoft, op, 1);
  const spec::OperatorVersion& version_21 = *spec::resolve(spec::ai_onnx, op, 21);
  const auto& [x_row, scale_row, zero_point_row] = microsoft.inputs;
  Ordinary ordinary;
  Random& random = ordinary.random;
  const ElementType x_type = random_of(random, x_row.types);
  const ElementType scale_type = op == spec::Operator::quantize_linear ? x_type : random_of(random, scale_row.types);
  const ElementType zero_point_type =
      op == spec::Operator::dequantize_linear ? x_type : random_of(random, zero_point_row.types);

  Shape parameters;
  Attributes attributes;
  if (random() % 2 == 0) {
    parameters = {ordinary.shape[static_cast<std::size_t>(ordinary.axis)]};
    attributes = {{"axis", ordinary.axis}};
  }
  // int32 is where they differ: see MS-06.
  const bool has_zero_point = zero_point_type != int32 && random() % 2 == 0;
  const Node node = reference::node(
      op, 21, random_tensor(random, x_type, ordinary.shape), random_tensor(random, scale_type, parameters),
      has_zero_point ? std::optional(random_tensor(random, zero_point_type, parameters)) : std::nullopt, attributes);
  const Policy policy = random_shared_policy(random, microsoft, version_21);
  RC_ASSERT(same_value(interpret(node, policy), interpret(in_domain(spec::com_microsoft, node), policy)));
  RC_ASSERT(interpret(node).result() != nullptr);
}

RC_GTEST_PROP(Laws, QuantizationIsMonotone, ()) {
  Random random = any_random();
  const int opset = *rc::gen::elementOf(versions(19));
  const spec::OperatorVersion& version = *spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, opset);
  const ElementType type = random_of(random, version.output.types);
  Numbers numbers;
  for (int i = 0; i < 40; ++i) {
    const Value value = decode(float32, random_code(random, float32));
    // No quotient may be an infinity, which some versions turn into a NaN.
    if (value.is_finite() && abs(value.rational()) < Rational(Integer(1) << 100))
      numbers.push_back(std::bit_cast<double>(encode(float64, value)));
  }
  std::ranges::sort(numbers);
  const double scale = *rc::gen::element(1.0, 1.5, 3.0, 0x1p20, 1e10);
  const Outcome outcome = interpret(quantize(opset, vector(float32, numbers), scalar(float32, scale), scalar(type, 1)));
  RC_ASSERT(outcome.result() != nullptr);
  const Tensor& y = outcome.result()->y;
  for (std::int64_t i = 1; i < y.size(); ++i)
    RC_ASSERT(decode(type, y.code(i - 1)).rational() <= decode(type, y.code(i)).rational());
}

/// The host's float32 arithmetic gives the same, for operands that give no NaN.
RC_GTEST_PROP(Laws, MatchTheHostInFloat32, ()) {
  Random random = any_random();
  const auto number = [&] { return std::bit_cast<float>(static_cast<std::uint32_t>(random_code(random, float32))); };
  const std::vector<float> operands{number(), number(), number(), number(), number(), number()};
  for (const float x : operands)
    for (const float scale : operands) {
      const float quotient = x / scale;
      if (std::isnan(quotient)) continue;
      const double expected = std::clamp(std::nearbyint(static_cast<double>(quotient)) + 7, 0.0, 255.0);
      RC_ASSERT(::testing::Value(interpret(quantize(10, scalar(float32, x), scalar(float32, scale), scalar(uint8, 7))),
                                 gives({expected})));
    }
  for (const float scale : operands)
    for (int x = 0; x < 256; ++x) {
      const float product = static_cast<float>(x - 7) * scale;
      RC_ASSERT(::testing::Value(interpret(dequantize(10, scalar(uint8, x), scalar(float32, scale), scalar(uint8, 7))),
                                 gives({static_cast<double>(product)})));
    }
}

RC_GTEST_PROP(Laws, UsedClausesAndAmbiguitiesApplyToTheVersion, ()) {
  for (int i = 0; i < 10; ++i) check_that_what_is_relied_upon_applies(*any_node(), *any_policy(5));
}

// ---- the host's floating-point environment

/// Sets a rounding mode, and whether the host flushes subnormal numbers to zero. Restores both.
class HostArithmetic {
 public:
  HostArithmetic(int rounding, bool flushes) {
    std::feholdexcept(&saved_);
    if (std::fesetround(rounding) != 0) throw std::runtime_error("no such rounding mode");
#ifdef __SSE__
    if (flushes) _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, denormals are zero
#else
    static_cast<void>(flushes);
#endif
  }
  ~HostArithmetic() { std::fesetenv(&saved_); }
  HostArithmetic(const HostArithmetic&) = delete;
  HostArithmetic& operator=(const HostArithmetic&) = delete;

 private:
  std::fenv_t saved_{};
};

RC_GTEST_PROP(Laws, DoNotDependOnTheHostsFloatingPointEnvironment, ()) {
  const Node node = *any_node();
  const Policy policy = *any_policy(10);
  const Outcome expected = interpret(node, policy);
  for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO})
    for (const bool flushes : {false, true}) {
      const Outcome outcome = [&] {
        const HostArithmetic host(rounding, flushes);
        return interpret(node, policy);
      }();
      RC_ASSERT(same_value(expected, outcome));
      RC_ASSERT(expected.cited == outcome.cited);
      RC_ASSERT(expected.consulted == outcome.consulted);
    }
}

/// Computes only the second element: no ambiguity of the others is consulted.
TEST(Interpreter, ComputesSomeElementsOnly) {
  const Node three = quantize(21, vector(ElementType::float32, {nan, 2, HUGE_VAL}), scalar(ElementType::float32, 1),
                              scalar(ElementType::uint8, 3));
  const Outcome all = interpret(three);
  const std::int64_t second[] = {1};
  const Outcome some = interpret(three, {}, second);
  EXPECT_THAT(some, gives({open, 5, open}));
  EXPECT_TRUE(all.consulted.test(spec::ambiguity_index<spec::NanToInteger>));
  EXPECT_FALSE(some.consulted.test(spec::ambiguity_index<spec::NanToInteger>));
  EXPECT_EQ(some.consulted & ~all.consulted, std::bitset<spec::ambiguities.size()>());
  EXPECT_TRUE(interpret(quantize(10, vector(ElementType::float32, {1}), vector(ElementType::float32, {1, 1})), {},
                        std::span<const std::int64_t>())
                  .rejection());
}

}  // namespace
}  // namespace touchstone::reference::interpreter_test
