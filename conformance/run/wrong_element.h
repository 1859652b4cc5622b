// Wrong elements of the outputs of a case, and numbers that reports show for them in addition to their record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "conformance/files/names.h"
#include "conformance/plan/shared.h"

namespace touchstone::conformance {

struct CaseRecord;

/// One element's bit pattern, to be shown in decimal and in hex.
struct ElementCode {
  ElementType type;
  std::uint64_t code;

  bool operator==(const ElementCode&) const = default;
};

/// A wrong element, with all values from which it was computed.
struct WrongElement {
  std::int64_t index;                 ///< row-major
  std::optional<ElementCode> x = {};  ///< these three only if the reference considers the node legal
  std::optional<ElementCode> scale = {};
  std::optional<ElementCode> zero_point = {};  ///< std::nullopt also if absent
  ElementCode expected;
  ElementCode actual;
  // Only if the reference considers the node legal:
  std::vector<std::int64_t> position = {};                 ///< the index along each dimension
  std::optional<std::int64_t> scale_index = std::nullopt;  ///< row-major, of its scale
  std::optional<std::int64_t> block = std::nullopt;        ///< if blocked: the number of the block along the axis

  bool operator==(const WrongElement&) const = default;
};

/// A list of wrong elements, packed in some 25 bytes each: a run has up to a million of them.
class WrongElements {
 public:
  WrongElements() = default;
  WrongElements(const std::vector<WrongElement>& elements);
  WrongElements(std::initializer_list<WrongElement> elements);

  std::vector<WrongElement> unpacked() const;
  WrongElement front() const { return unpacked().front(); }
  std::size_t size() const;
  bool empty() const { return packed_.empty(); }
  bool operator==(const WrongElements&) const = default;

 private:
  SharedText packed_;
};

/// For an element of QuantizeLinear: the exact x / scale, or, after "~", rounded to a double if that differs. Empty for
/// other elements.
std::string quotient(const CaseRecord& record, const WrongElement& wrong);

/// The error of a floating-point output in units in the last place: by how many steps from one number of the type to
/// the next the actual output lies above the expected one. Counts the codes between them, so it is meaningless if one
/// of them is NaN. Nothing for integers, and for types of more than 32 bits, which no output of the operators has.
std::optional<std::int64_t> ulp_error(const WrongElement& wrong);

}  // namespace touchstone::conformance
