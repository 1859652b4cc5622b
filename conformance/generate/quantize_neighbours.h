// The inputs of QuantizeLinear around a quotient.
#pragma once

#include <cstdint>

#include "reference/division.h"
#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

/// The place of a number, rounded to the type and clamped to its range.
std::int64_t place_near(spec::ElementType type, const reference::Value& number);

/// The inputs whose quotient is a threshold: the places in [begin, end), which may be empty.
struct Span {
  std::int64_t begin;
  std::int64_t end;

  bool operator==(const Span&) const = default;
};

class Neighbours {
 public:
  Neighbours(spec::ElementType x, const reference::Value& scale) : x_(x), scale_(scale) {}

  Span at(const reference::Rational& number, const reference::Division& division) const;
  reference::Value quotient(std::int64_t place, const reference::Division& division) const;

 private:
  int side_of(std::int64_t place, const reference::Value& threshold, const reference::Division& division) const;
  template <class Condition>
  std::int64_t search(std::int64_t guess, const Condition& condition) const;

  spec::ElementType x_;
  reference::Value scale_;
};

}  // namespace touchstone::conformance
