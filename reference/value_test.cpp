#include "reference/value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "reference/host_numbers.h"

namespace touchstone::reference {

inline void showValue(const Value& value, std::ostream& out) { out << to_string(value); }

namespace {

/// "nan", "inf", "-inf", "0", "-0", or a fraction such as "-3/2".
Value parse(std::string text) {
  if (text == "nan") return Value::nan();
  const bool negative = text.front() == '-';
  if (negative) text.erase(0, 1);
  if (text == "inf") return Value::infinity(negative);
  if (text == "0") return Value::zero(negative);
  return Value::number(negative, Rational(text));
}

Value of(std::int64_t value) { return Value::of(Integer(value)); }

// The left operands are the rows, the right ones the columns.
constexpr std::size_t size = 7;
using Row = std::array<const char*, size>;
constexpr Row operands{"nan", "-inf", "-3", "-0", "0", "2", "inf"};

struct OperationTable {
  std::string name;
  std::function<Value(const Value&, const Value&)> operation;
  std::array<Row, size> results;
};

// clang-format off: columns nan, -inf, -3, -0, 0, 2, inf
const std::vector<OperationTable> operation_tables{
    {"add",
     add,
     {{/* nan  */ {"nan", "nan", "nan", "nan", "nan", "nan", "nan"},
       /* -inf */ {"nan", "-inf", "-inf", "-inf", "-inf", "-inf", "nan"},
       /* -3   */ {"nan", "-inf", "-6", "-3", "-3", "-1", "inf"},
       /* -0   */ {"nan", "-inf", "-3", "-0", "0", "2", "inf"},
       /* 0    */ {"nan", "-inf", "-3", "0", "0", "2", "inf"},
       /* 2    */ {"nan", "-inf", "-1", "2", "2", "4", "inf"},
       /* inf  */ {"nan", "nan", "inf", "inf", "inf", "inf", "inf"}}}},
    {"subtract",
     subtract,
     {{/* nan  */ {"nan", "nan", "nan", "nan", "nan", "nan", "nan"},
       /* -inf */ {"nan", "nan", "-inf", "-inf", "-inf", "-inf", "-inf"},
       /* -3   */ {"nan", "inf", "0", "-3", "-3", "-5", "-inf"},
       /* -0   */ {"nan", "inf", "3", "0", "-0", "-2", "-inf"},
       /* 0    */ {"nan", "inf", "3", "0", "0", "-2", "-inf"},
       /* 2    */ {"nan", "inf", "5", "2", "2", "0", "-inf"},
       /* inf  */ {"nan", "inf", "inf", "inf", "inf", "inf", "nan"}}}},
    {"multiply",
     multiply,
     {{/* nan  */ {"nan", "nan", "nan", "nan", "nan", "nan", "nan"},
       /* -inf */ {"nan", "inf", "inf", "nan", "nan", "-inf", "-inf"},
       /* -3   */ {"nan", "inf", "9", "0", "-0", "-6", "-inf"},
       /* -0   */ {"nan", "nan", "0", "0", "-0", "-0", "nan"},
       /* 0    */ {"nan", "nan", "-0", "-0", "0", "0", "nan"},
       /* 2    */ {"nan", "-inf", "-6", "-0", "0", "4", "inf"},
       /* inf  */ {"nan", "-inf", "-inf", "nan", "nan", "inf", "inf"}}}},
    {"divide",
     divide,
     {{/* nan  */ {"nan", "nan", "nan", "nan", "nan", "nan", "nan"},
       /* -inf */ {"nan", "nan", "inf", "inf", "-inf", "-inf", "nan"},
       /* -3   */ {"nan", "0", "1", "inf", "-inf", "-3/2", "-0"},
       /* -0   */ {"nan", "0", "0", "nan", "nan", "-0", "-0"},
       /* 0    */ {"nan", "-0", "-0", "nan", "nan", "0", "0"},
       /* 2    */ {"nan", "-0", "-2/3", "-inf", "inf", "1", "0"},
       /* inf  */ {"nan", "nan", "-inf", "-inf", "inf", "inf", "nan"}}}},
};
// clang-format on

class Operation : public ::testing::TestWithParam<OperationTable> {};

TEST_P(Operation, TreatsSpecialOperandsAsIeee754Does) {
  const OperationTable& table = GetParam();
  for (std::size_t row = 0; row < size; ++row)
    for (std::size_t column = 0; column < size; ++column)
      EXPECT_EQ(table.operation(parse(operands[row]), parse(operands[column])), parse(table.results[row][column]))
          << operands[row] << ' ' << table.name << ' ' << operands[column];
}

INSTANTIATE_TEST_SUITE_P(Value, Operation, ::testing::ValuesIn(operation_tables),
                         [](const auto& table) { return table.param.name; });

TEST(Value, OfZeroIsPositiveZero) {
  EXPECT_EQ(Value::of(Rational(0)), Value::zero(false));
  EXPECT_EQ(Value::of(Integer(0)), Value::zero(false));
}

TEST(Value, ReportsItsKind) {
  struct Facts {
    const char* value;
    Value::Kind kind;
    bool finite, negative;
  };
  for (const Facts& row :
       {Facts{"nan", Value::Kind::nan, false, false}, Facts{"inf", Value::Kind::infinity, false, false},
        Facts{"-inf", Value::Kind::infinity, false, true}, Facts{"0", Value::Kind::zero, true, false},
        Facts{"-0", Value::Kind::zero, true, true}, Facts{"3/2", Value::Kind::number, true, false},
        Facts{"-3/2", Value::Kind::number, true, true}}) {
    const Value value = parse(row.value);
    EXPECT_EQ(value.kind(), row.kind) << row.value;
    EXPECT_EQ(value.is_nan(), row.kind == Value::Kind::nan) << row.value;
    EXPECT_EQ(value.is_infinity(), row.kind == Value::Kind::infinity) << row.value;
    EXPECT_EQ(value.is_zero(), row.kind == Value::Kind::zero) << row.value;
    EXPECT_EQ(value.is_finite(), row.finite) << row.value;
    EXPECT_EQ(value.is_negative(), row.negative) << row.value;
  }
}

TEST(Value, SeparatesMagnitudeAndSign) {
  const Value value = Value::of(Rational(-6, 4));
  EXPECT_EQ(value.magnitude().rational(), Rational(3, 2));
  EXPECT_EQ(value.rational(), Rational(-3, 2));
  EXPECT_EQ(Value::zero(true).rational(), 0);
}

TEST(Value, ScaledIsLdexp) {
  for (const int significand : {0, 1, 2, 3, 12, 255})
    for (int exponent = -1074; exponent < 1016; exponent += 5)
      for (const bool negative : {false, true})
        EXPECT_EQ(Value::scaled(negative, significand, exponent),
                  exact(std::ldexp(negative ? -1.0 * significand : significand, exponent)))
            << significand << " * 2^" << exponent;
}

TEST(Value, NeedNotBeInLowestTerms) {
  const Value value = Value::number(true, Magnitude{12, 8, 3});
  for (const Magnitude& same : {Magnitude{12, 1, 0}, Magnitude{3, 1, 2}, Magnitude{36, 6, 1}, Magnitude{3, 256, 10}}) {
    EXPECT_EQ(value, Value::number(true, same));
    EXPECT_NE(value, Value::number(false, same));
  }
  EXPECT_EQ(value.rational(), -12);
  EXPECT_TRUE((Magnitude{12, 8, 3} < Magnitude{121, 10, 0}));
  EXPECT_TRUE((Magnitude{12, 8, 3} > Magnitude{119, 10, 0}));
  EXPECT_FALSE((Magnitude{12, 8, 3} > Magnitude{12, 1, 0}));
  EXPECT_EQ(add(value, exact(12)), Value::zero(false));
  EXPECT_EQ(divide(value, value), exact(1));
}

TEST(Value, EqualsOnlyTheSameValue) {
  const std::vector<const char*> different{"nan", "inf", "-inf", "0",    "-0",
                                           "1",   "-1",  "1/3",  "-1/3", "333333333/1000000000"};
  for (std::size_t i = 0; i < different.size(); ++i)
    for (std::size_t j = 0; j < different.size(); ++j)
      EXPECT_EQ(parse(different[i]) == parse(different[j]), i == j) << different[i] << ' ' << different[j];
  EXPECT_EQ(parse("2/6"), parse("1/3"));
}

TEST(Value, NegationFlipsEverySignButThatOfNan) {
  for (const auto& [value, negated] : {std::pair{"nan", "nan"}, {"inf", "-inf"}, {"0", "-0"}, {"3/2", "-3/2"}}) {
    EXPECT_EQ(-parse(value), parse(negated));
    EXPECT_EQ(-parse(negated), parse(value));
  }
}

TEST(ToString, NamesSpecialAndExactValues) {
  for (const char* text : {"nan", "inf", "-inf", "0", "-0", "1", "-6", "448"}) EXPECT_EQ(to_string(parse(text)), text);
  EXPECT_EQ(to_string(parse("-3/2")), "-1.5");
  EXPECT_EQ(to_string(parse("1/1024")), "0.0009765625");
  EXPECT_EQ(to_string(Value::of(Rational(Integer(1), Integer(1) << 1074))), "5e-324");
  EXPECT_EQ(to_string(Value::of(Integer(1) << 100)), "1.2676506002282294e+30");
}

TEST(ToString, MarksWhatFloat64DoesNotHave) {
  EXPECT_EQ(to_string(parse("1/3")), "~0.3333333333333333");
  EXPECT_EQ(to_string(parse("-1/10")), "~-0.1");
  EXPECT_EQ(to_string(Value::of((Integer(1) << 53) + 1)), "~9007199254740992");
  EXPECT_EQ(to_string(-Value::of(Rational(Integer(1), Integer(1) << 1100))), "~-0");
  EXPECT_EQ(to_string(Value::of(Integer(1) << 1024)), "~inf");
}

RC_GTEST_PROP(ToString, NamesEveryFloat64Exactly, ()) {
  const auto bits = *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
  const auto number = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(number) && number != 0);
  const std::string text = to_string(Value::of(Rational(number)));
  RC_ASSERT(std::strtod(text.c_str(), nullptr) == number);
}

// Laws over values of every kind.

rc::Gen<Value> any_number() {
  return rc::gen::map(rc::gen::pair(rc::gen::arbitrary<std::int64_t>(), rc::gen::positive<std::int64_t>()),
                      [](const auto& pair) { return Value::of(Rational(Integer(pair.first), Integer(pair.second))); });
}

rc::Gen<Value> any_value() {
  return rc::gen::weightedOneOf<Value>(
      {{1, rc::gen::map(rc::gen::element(operands[0], operands[1], operands[3], operands[4], operands[6]),
                        [](const char* text) { return parse(text); })},
       {4, any_number()}});
}

RC_GTEST_PROP(Laws, AdditionAndMultiplicationCommute, ()) {
  const Value x = *any_value();
  const Value y = *any_value();
  RC_ASSERT(add(x, y) == add(y, x));
  RC_ASSERT(multiply(x, y) == multiply(y, x));
}

RC_GTEST_PROP(Laws, SubtractionIsAdditionOfTheNegative, ()) {
  const Value x = *any_value();
  const Value y = *any_value();
  RC_ASSERT(subtract(x, y) == add(x, -y));
  RC_ASSERT(-(-x) == x);
}

RC_GTEST_PROP(Laws, AFiniteValueMinusItselfIsPositiveZero, ()) {
  const Value x = *any_value();
  RC_ASSERT(subtract(x, x) == (x.is_finite() ? Value::zero(false) : Value::nan()));
}

TEST(Value, IsComparedAsIeee754Does) {
  const std::vector<std::string> ascending{"-inf", "-3/2", "-4/3", "-1/7", "0", "1/7", "4/3", "3/2", "inf"};
  for (std::size_t i = 0; i < ascending.size(); ++i)
    for (std::size_t k = 0; k < ascending.size(); ++k)
      EXPECT_EQ(compare(parse(ascending[i]), parse(ascending[k])), i < k   ? -1
                                                                   : i > k ? 1
                                                                           : 0)
          << ascending[i] << ' ' << ascending[k];
  EXPECT_EQ(compare(Value::zero(true), Value::zero(false)), 0);
  EXPECT_EQ(compare(Value::number(false, Magnitude{6, 4, 0}), Value::number(false, Magnitude{3, 1, -1})), 0);
}

RC_GTEST_PROP(Laws, TheSignOfADifferenceIsThatOfTheComparison, ()) {
  const Value x = *any_number();
  const Value y = *any_number();
  const Value difference = subtract(x, y);
  RC_ASSERT(compare(x, y) == (difference.is_zero() ? 0 : difference.is_negative() ? -1 : 1));
  RC_ASSERT(compare(y, x) == -compare(x, y));
}

RC_GTEST_PROP(Laws, OneIsNeutral, ()) {
  const Value x = *any_value();
  RC_ASSERT(multiply(x, of(1)) == x);
  RC_ASSERT(divide(x, of(1)) == x);
  RC_ASSERT(add(x, Value::zero(true)) == x);
}

RC_GTEST_PROP(Laws, NothingIsLost, ()) {
  const Value x = *any_number();
  const Value y = *any_number();
  const Value sum = subtract(add(x, y), y);
  RC_ASSERT(sum == x || (x.is_zero() && sum.is_zero()));
  if (!y.is_zero()) RC_ASSERT(divide(multiply(x, y), y) == x);
  if (!y.is_zero()) RC_ASSERT(multiply(divide(x, y), y) == x);
}

RC_GTEST_PROP(Laws, IntegersAreComputedAsTheMachineComputesThem, (std::int32_t left, std::int32_t right)) {
  const std::int64_t x = left;
  const std::int64_t y = right;
  RC_ASSERT(add(of(x), of(y)) == of(x + y));
  RC_ASSERT(subtract(of(x), of(y)) == of(x - y));
  if (x != 0 && y != 0) {
    RC_ASSERT(multiply(of(x), of(y)) == of(x * y));
    RC_ASSERT(divide(of(x * y), of(y)) == of(x));
  }
}

}  // namespace
}  // namespace touchstone::reference
