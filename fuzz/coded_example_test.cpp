#include "fuzz/coded_example.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/generate/form.h"
#include "conformance/generate/random_node.h"
#include "conformance/plan/digest.h"
#include "fuzz/byte_choices.h"
#include "reference/interpreter.h"
#include "reference/testing.h"

namespace touchstone::fuzz {

void showValue(const Example& example, std::ostream& out) { out << to_text(example); }

namespace coded_example_test {

namespace {

using Bytes = std::vector<std::uint8_t>;

/// A description of everything in the example.
std::string described(const Example& example) { return to_text(example); }

rc::Gen<Example> any_example() {
  return rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t seed) {
    static const auto environments = optimized::environments();
    conformance::RandomNode random = conformance::random_node(seed, 0);
    return Example{std::move(random.node), random.form, environments[seed % environments.size()]};
  });
}

TEST(ByteReader, TakesNumbersFromTheBackAndDataFromTheFront) {
  const Bytes bytes{1, 2, 3, 4, 5};
  ByteReader reader(bytes);
  int number = 0;
  std::array<std::uint8_t, 2> data{};
  reader.number(number, 10, 300);
  reader.bytes(std::as_writable_bytes(std::span(data)));
  EXPECT_EQ(number, 10 + (5 * 256 + 4) % 291);
  EXPECT_EQ(data, (std::array<std::uint8_t, 2>{1, 2}));
  reader.number(number, -1, 6);
  EXPECT_EQ(number, -1 + 3);
  reader.number(number, -1, 6);
  EXPECT_EQ(number, -1) << "no bytes are left";
}

TEST(ByteReader, FitsShapesToTheAvailableBytes) {
  const Bytes bytes(12);
  const auto fitted = [&](reference::Shape shape, int bits) {
    ByteReader(bytes).fit(shape, bits);
    return shape;
  };
  EXPECT_EQ(fitted({3}, 32), reference::Shape{3});
  EXPECT_EQ(fitted({4}, 32), reference::Shape{3});
  EXPECT_EQ(fitted({2, 100}, 8), (reference::Shape{2, 6}));
  EXPECT_EQ(fitted({200, 200}, 8), (reference::Shape{12, 1}));
  EXPECT_EQ(fitted({0, 200}, 8), (reference::Shape{0, 200}));
  EXPECT_EQ(fitted({}, 64), reference::Shape{});
}

TEST(ByteWriter, WritesWhatTheReaderReads) {
  ByteWriter writer;
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  int small = 7;
  std::array<std::uint8_t, 3> data{9, 8, 7};
  writer.number(least, least, std::numeric_limits<std::int64_t>::max());
  writer.bytes(std::as_writable_bytes(std::span(data)));
  writer.number(small, -3, 1000);
  ASSERT_TRUE(writer.can_be_written());
  const Bytes bytes = writer.written();
  EXPECT_EQ(bytes.size(), 8U + 3U + 2U);
  ByteReader reader(bytes);
  std::int64_t read = 1;
  std::array<std::uint8_t, 3> read_data{};
  int read_small = 0;
  reader.number(read, least, std::numeric_limits<std::int64_t>::max());
  reader.bytes(std::as_writable_bytes(std::span(read_data)));
  reader.number(read_small, -3, 1000);
  EXPECT_EQ(read, least);
  EXPECT_EQ(read_data, data);
  EXPECT_EQ(read_small, small);
}

TEST(ByteWriter, ReportsValuesOutOfRange) {
  ByteWriter writer;
  int number = 5;
  writer.number(number, 0, 4);
  EXPECT_FALSE(writer.can_be_written());
}

/// Whether every tensor has few enough elements.
bool has_few_elements(const Example& example) {
  return std::ranges::all_of(example.node.inputs,
                             [](const auto& input) { return !input || input->size() <= reference::most_elements; });
}

RC_GTEST_PROP(CodedExamples, SurviveARoundTrip, ()) {
  const Example example = *any_example();
  RC_PRE(has_few_elements(example));
  const auto bytes = encode(example, Operators::both);
  RC_ASSERT(bytes.has_value());
  RC_ASSERT(described(decode(*bytes, Operators::both)) == described(example));
}

RC_GTEST_PROP(CodedExamples, OfOneOperatorSurviveARoundTrip, ()) {
  const Example example = *any_example();
  RC_PRE(has_few_elements(example));
  const bool quantizes = example.node.op == spec::Operator::quantize_linear;
  const Operators own = quantizes ? Operators::quantize_linear : Operators::dequantize_linear;
  const Operators other = quantizes ? Operators::dequantize_linear : Operators::quantize_linear;
  RC_ASSERT(described(decode(encode(example, own).value(), own)) == described(example));
  RC_ASSERT(!encode(example, other).has_value());
}

TEST(CodedExamples, ExistForNoBytes) {
  for (const Operators operators : {Operators::quantize_linear, Operators::dequantize_linear, Operators::both})
    EXPECT_TRUE(has_few_elements(decode({}, operators)));
}

/// An empty tensor may have a dimension of any length.
TEST(CodedExamples, MayHaveTheLongestDimension) {
  constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max();
  const Example example{reference::dequantize(21, reference::Tensor(spec::ElementType::int8, {0, longest}),
                                              reference::scalar(spec::ElementType::float32, 1)),
                        &conformance::plain_form()};
  const auto bytes = encode(example, Operators::both);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(described(decode(*bytes, Operators::both)), described(example));
}

// Any bytes give an example, and the example a model. Nearly all examples without unrestricted values are legal.
RC_GTEST_PROP(CodedExamples, ExistForAnyBytes, ()) {
  const auto bytes = *rc::gen::resize(200, rc::gen::arbitrary<Bytes>());
  for (const Operators operators : {Operators::quantize_linear, Operators::dequantize_linear, Operators::both}) {
    const Example example = decode(bytes, operators);
    RC_ASSERT(has_few_elements(example));
    RC_ASSERT(example.node.inputs[0]->size() <= std::max<std::int64_t>(1, 4 * static_cast<std::int64_t>(bytes.size())));
    RC_ASSERT(described(decode(encode(example, operators).value(), operators)) == described(example));
    if (spec::find_opset(example.node.domain, example.node.opset) == nullptr) continue;
    const conformance::Case made = case_of(example);
    if (made.float6_padding_is_set) continue;
    const reference::Node bound = bind_inputs(made.model, made.data_sets.front().inputs);
    const reference::Node direct = node_in_model(example);
    RC_ASSERT(reference::to_text(bound) == reference::to_text(direct));
    RC_ASSERT(bound.variable_inputs == direct.variable_inputs);
  }
}

TEST(CodedExamples, AreMostlyLegal) {
  rc::Random random(1);
  int legal = 0;
  std::map<std::string, int> rules;
  constexpr int count = 2000;
  for (int i = 0; i < count; ++i) {
    Bytes bytes(64);
    std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random.next()); });
    bytes.back() = 0;  // no unrestricted values
    const Example example = decode(bytes, Operators::both);
    const reference::Outcome outcome = reference::interpret(node_in_model(example));
    outcome.result() != nullptr ? ++legal : ++rules[std::string(outcome.rejection()->clause->id)];
  }
  EXPECT_GT(legal, count * 8 / 10) << testing::PrintToString(rules);
}

}  // namespace

}  // namespace coded_example_test

}  // namespace touchstone::fuzz
