// For tests: builds nodes and tensors concisely, and matches outcomes.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/codec.h"
#include "reference/host_numbers.h"
#include "reference/interpreter.h"
#include "reference/model/node.h"
#include "reference/text_testing.h"
#include "spec/ambiguities.h"
#include "spec/operator_version.h"
#include "spec/opset.h"

namespace touchstone::reference {

using Numbers = std::vector<double>;
using Codes = std::vector<std::uint64_t>;
using Attributes = std::map<std::string, AttributeValue>;

// ---- tensors. All numbers of the types at hand are float64 numbers, so that tests can write them as such.

/// The code of a number of the type. Throws std::invalid_argument if the type does not have the number. Does not use
/// the interpreter's conversions: for float32 it uses the host's, and for the smaller floats it searches for the code
/// that denotes the number. (codec_test.cpp compares decoding with tables of its own.)
inline std::uint64_t code_of(spec::ElementType type, double number) {
  using enum spec::ElementType;
  const auto found = [&]() -> std::uint64_t {
    if (type == float32) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    if (type == float64) return std::bit_cast<std::uint64_t>(number);
    if (spec::is_integer(type)) return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
    const std::uint64_t sign = std::uint64_t{1} << (spec::info(type).bits - (type == float8e8m0 ? 0 : 1));
    if (std::isnan(number)) return decode(type, sign - 1).is_nan() ? sign - 1 : sign;
    const Value magnitude = exact(std::fabs(number));
    const auto codes = std::views::iota(std::uint64_t{0}, sign);  // of 0, the smallest number ... infinity, NaN
    const auto place = std::ranges::partition_point(codes, [&](std::uint64_t code) {
      const Value value = decode(type, code);
      return value.is_finite() && (!magnitude.is_finite() || value.rational() < magnitude.rational());
    });
    return static_cast<std::uint64_t>(place - codes.begin()) | (std::signbit(number) ? sign : 0);
  }();
  if (decode(type, found) != exact(number))
    throw std::invalid_argument(std::to_string(number) + " is no number of " + std::string(spec::name(type)));
  return found;
}

inline Tensor coded(spec::ElementType type, Shape shape, const Codes& codes) {
  return Tensor::from_codes(type, std::move(shape), codes);
}

inline Tensor tensor(spec::ElementType type, Shape shape, const Numbers& numbers) {
  Codes codes;
  for (const double number : numbers) codes.push_back(code_of(type, number));
  return coded(type, std::move(shape), codes);
}

inline Tensor vector(spec::ElementType type, const Numbers& numbers) {
  return tensor(type, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

inline Tensor scalar(spec::ElementType type, double number) { return tensor(type, {}, {number}); }

/// 0, 1, 2 ...
inline Tensor counting(spec::ElementType type, Shape shape) {
  Numbers numbers(static_cast<std::size_t>(element_count(shape).value()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  return tensor(type, std::move(shape), numbers);
}

/// A tensor from bytes in the layout of raw_data.
inline Tensor packed(spec::ElementType type, Shape shape, const std::vector<unsigned>& bytes) {
  std::vector<std::byte> raw(bytes.size());
  std::ranges::transform(bytes, raw.begin(), [](unsigned byte) { return static_cast<std::byte>(byte); });
  return Tensor(type, std::move(shape), std::move(raw));
}

// ---- nodes

inline Node node(spec::Operator op, int opset, Tensor x, Tensor scale, std::optional<Tensor> zero_point,
                 Attributes attributes) {
  Node node{.op = op,
            .opset = opset,
            .inputs = {std::move(x), std::move(scale)},
            .variable_inputs = {},
            .attributes = std::move(attributes)};
  if (zero_point) node.inputs.push_back(std::move(zero_point));
  return node;
}

inline Node quantize(int opset, Tensor x, Tensor scale, std::optional<Tensor> zero_point = std::nullopt,
                     Attributes attributes = {}) {
  return node(spec::Operator::quantize_linear, opset, std::move(x), std::move(scale), std::move(zero_point),
              std::move(attributes));
}

inline Node dequantize(int opset, Tensor x, Tensor scale, std::optional<Tensor> zero_point = std::nullopt,
                       Attributes attributes = {}) {
  return node(spec::Operator::dequantize_linear, opset, std::move(x), std::move(scale), std::move(zero_point),
              std::move(attributes));
}

/// The same node in another domain, which must have only one version.
inline Node in_domain(std::string_view domain, Node node) {
  node.domain = domain;
  node.opset = spec::newest_of(domain)->number;
  return node;
}

inline Node microsoft_quantize(Tensor x, Tensor scale, std::optional<Tensor> zero_point = std::nullopt,
                               Attributes attributes = {}) {
  return in_domain(spec::com_microsoft,
                   quantize(0, std::move(x), std::move(scale), std::move(zero_point), std::move(attributes)));
}

inline Node microsoft_dequantize(Tensor x, Tensor scale, std::optional<Tensor> zero_point = std::nullopt,
                                 Attributes attributes = {}) {
  return in_domain(spec::com_microsoft,
                   dequantize(0, std::move(x), std::move(scale), std::move(zero_point), std::move(attributes)));
}

/// The value of output_dtype or precision for a type.
inline std::int64_t type_code(spec::ElementType type) { return static_cast<std::int64_t>(type); }

/// The opsets that introduced the versions of ai.onnx's operators.
inline std::vector<int> versions(int first, int last = spec::newest_opset) {
  std::vector<int> versions;
  for (const spec::OperatorVersion& row : spec::operator_versions)
    if (row.domain == spec::ai_onnx && row.op == spec::Operator::quantize_linear && first <= row.since_version &&
        row.since_version <= last)
      versions.push_back(row.since_version);
  return versions;
}

// ---- outcomes

inline void PrintTo(const Outcome& outcome, std::ostream* out) {
  if (const Rejection* rejection = outcome.rejection()) {
    *out << "rejected by " << rejection->clause->id << ": " << rejection->reason;
    return;
  }
  *out << to_text(outcome.result()->y);
  const std::vector<bool>& open = outcome.result()->unspecified;
  for (std::size_t i = 0; i < open.size(); ++i)
    if (open[i]) *out << ", [" << i << "] open";
}

/// Whether both have the same value or the same rejection. Citations and consulted ambiguities may differ.
inline bool same_value(const Outcome& left, const Outcome& right) {
  if (const Rejection* rejection = left.rejection())
    return right.rejection() != nullptr && rejection->clause.index() == right.rejection()->clause.index();
  if (right.result() == nullptr) return false;
  const Result& a = *left.result();
  const Result& b = *right.result();
  return a.y.type() == b.y.type() && a.y.shape() == b.y.shape() && std::ranges::equal(a.y.bytes(), b.y.bytes()) &&
         a.unspecified == b.unspecified;
}

using OutcomeMatcher = ::testing::Matcher<const Outcome&>;

/// An element that the specification leaves open, among the numbers of gives().
inline constexpr std::nullopt_t open = std::nullopt;
using NumbersOrOpen = std::vector<std::optional<double>>;

MATCHER_P(GivesNumbers, numbers, "gives " + ::testing::PrintToString(numbers)) {
  static_cast<void>(result_listener);
  const Result* result = arg.result();
  if (result == nullptr || result->y.size() != static_cast<std::int64_t>(numbers.size())) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (result->unspecified[i] != !numbers[i].has_value()) return false;
    const Value y = decode(result->y.type(), result->y.code(static_cast<std::int64_t>(i)));
    if (numbers[i] && y != exact(*numbers[i])) return false;
  }
  return true;
}

MATCHER_P(GivesCodes, codes, "gives the codes " + ::testing::PrintToString(codes)) {
  static_cast<void>(result_listener);
  const Result* result = arg.result();
  if (result == nullptr || result->y.size() != static_cast<std::int64_t>(codes.size())) return false;
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (result->unspecified[i] || result->y.code(static_cast<std::int64_t>(i)) != codes[i]) return false;
  return true;
}

MATCHER_P2(GivesTensorOf, type, shape, std::string(spec::name(type)) + ::testing::PrintToString(shape)) {
  static_cast<void>(result_listener);
  return arg.result() != nullptr && arg.result()->y.type() == type && arg.result()->y.shape() == shape;
}

MATCHER_P(IsRejectedBy, clause, "is rejected by " + std::string(clause->id)) {
  static_cast<void>(result_listener);
  return arg.rejection() != nullptr && arg.rejection()->clause.index() == clause.index();
}

/// y has these numbers, including the sign of zero; any NaN matches NaN.
inline OutcomeMatcher gives(const NumbersOrOpen& numbers) { return GivesNumbers(numbers); }
inline OutcomeMatcher gives_codes(const Codes& codes) { return GivesCodes(codes); }
inline OutcomeMatcher gives_type(spec::ElementType type, const Shape& shape) { return GivesTensorOf(type, shape); }
inline OutcomeMatcher rejected_by(spec::ClauseRef clause) { return IsRejectedBy(clause); }

/// Expects these outcomes of the node under each reading of one ambiguity, with `rest` for all others, and that the
/// interpreter consults the ambiguity.
template <spec::AmbiguityStruct A>
void expect_readings(const Node& node, const std::map<typename A::Reading, OutcomeMatcher>& expected,
                     const Policy& rest = {}) {
  SCOPED_TRACE(std::string(A::row.id) + ", opset " + std::to_string(node.opset));
  EXPECT_EQ(expected.size(), A::row.readings.size()) << "every reading is to be stated";
  for (const auto& [reading, matcher] : expected) {
    const Outcome outcome = interpret(node, rest.template with<A>(reading));
    EXPECT_THAT(outcome, matcher) << "read as " << A::row.readings[reading].id;
    EXPECT_TRUE(outcome.consulted.test(spec::ambiguity_index<A>)) << "read as " << A::row.readings[reading].id;
  }
}

/// Expects the same outcome under all readings of the ambiguity, and that the interpreter does not consult it.
template <spec::AmbiguityStruct A>
void expect_no_question(const Node& node, const OutcomeMatcher& expected) {
  SCOPED_TRACE(std::string(A::row.id) + ", opset " + std::to_string(node.opset));
  for (std::size_t reading = 0; reading < A::row.readings.size(); ++reading) {
    const Outcome outcome = interpret(node, Policy{}.with<A>(static_cast<typename A::Reading>(reading)));
    EXPECT_THAT(outcome, expected) << "read as " << A::row.readings[reading].id;
    EXPECT_FALSE(outcome.consulted.test(spec::ambiguity_index<A>)) << "read as " << A::row.readings[reading].id;
  }
}

}  // namespace touchstone::reference
