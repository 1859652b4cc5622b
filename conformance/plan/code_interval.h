// The value space that a case covers completely: for each operand an interval of codes, in every combination with those
// of the others.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "conformance/files/names.h"

namespace touchstone::conformance {

enum class Operand { x, scale, zero_point };

inline constexpr std::array<std::string_view, 3> operand_names{"x", "scale", "zero_point"};

constexpr std::string_view name(Operand operand) { return operand_names[static_cast<std::size_t>(operand)]; }

/// The code with all bits set.
constexpr std::uint64_t last_code(ElementType type) { return ~std::uint64_t{0} >> (64 - spec::info(type).bits); }

struct CodeInterval {
  Operand operand;
  ElementType type;
  std::uint64_t first;
  std::uint64_t last;  ///< inclusive

  std::uint64_t size() const { return last - first + 1; }
  /// Whether it contains all codes of the type.
  bool is_whole() const { return first == 0 && last == last_code(type); }

  auto operator<=>(const CodeInterval&) const = default;
};

constexpr CodeInterval all_codes(Operand operand, ElementType type) { return {operand, type, 0, last_code(type)}; }

constexpr CodeInterval one_code(Operand operand, ElementType type, std::uint64_t code) {
  return {operand, type, code, code};
}

/// One for each operand of the node, in their order.
using CodeIntervals = std::vector<CodeInterval>;

/// One element by the codes of its operands.
struct ChosenElement {
  std::uint64_t x;
  std::uint64_t scale;
  std::uint64_t zero_point;

  auto operator<=>(const ChosenElement&) const = default;
};

}  // namespace touchstone::conformance
