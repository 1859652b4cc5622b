// The quotients of QuantizeLinear: the divisions that compute them, the thresholds at which the output changes, and the
// inputs around a threshold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "conformance/files/names.h"
#include "conformance/generate/directed_values.h"
#include "reference/division.h"
#include "reference/value.h"

namespace touchstone::conformance {

/// Whether a quotient may be computed in this type.
bool divides_in(ElementType type);

/// The types to which quotients are rounded before y, in correct and in known defective implementations.
struct Divisions {
  std::vector<reference::Division> all;
  std::size_t primaries = 0;  ///< the first ones: each is the primary reading in some version
  std::size_t permitted = 0;  ///< the first ones: each is permitted in some version; the others are defects

  /// Adds the division unless it is present.
  void add(const reference::Division& division);
};

/// The maximum number of primary divisions of a kind: that in the type of the scale, and in versions 19 and 21 that in
/// float32.
inline constexpr std::size_t most_primaries = 2;

Divisions divisions(const ValueKind& kind);

/// The places of y on both sides and the place of the even one. For integers these are numbers, before the zero point
/// is added.
struct Threshold {
  reference::Value quotient;
  reference::Value from;  ///< the number at the lower place
  reference::Value to;    ///< the number at the upper place
  std::int64_t lower;
  std::int64_t upper;
  std::int64_t even;
};

/// Ties next to zero, at both ends and further inside. For floating-point types: ties between subnormal and between
/// normal numbers, and the end of the range. The zero point is a place of y, and 0 for floating-point types.
std::vector<Threshold> thresholds(ElementType y, std::int64_t zero_point);

/// The place of a number, rounded to the type and clamped to its range.
std::int64_t place_near(ElementType type, const reference::Value& number);

/// The inputs whose quotient is a threshold: the places in [begin, end), which may be empty.
struct Span {
  std::int64_t begin;
  std::int64_t end;

  bool operator==(const Span&) const = default;
};

/// The quotients of the inputs of a type by one scale and one division. Remembers each quotient, because the inputs
/// around a threshold are asked for several times.
class Quotients {
 public:
  Quotients(ElementType x, const reference::Value& scale, const reference::Division& division)
      : x_(x), scale_(scale), division_(division) {}

  const reference::Value& of(std::int64_t place);
  Span equal_to(const reference::Value& number);

 private:
  int side_of(std::int64_t place, const reference::Value& threshold);
  template <class Condition>
  std::int64_t search(std::int64_t guess, const Condition& condition) const;

  ElementType x_;
  reference::Value scale_;
  reference::Division division_;
  std::unordered_map<std::int64_t, reference::Value> known_;
};

}  // namespace touchstone::conformance
