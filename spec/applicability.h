// The operator versions to which a clause or an ambiguity applies.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace touchstone::spec {

enum class Operator { quantize_linear, dequantize_linear };

constexpr std::string_view name(Operator op) {
  return op == Operator::quantize_linear ? "QuantizeLinear" : "DequantizeLinear";
}

/// ONNX's default domain, which has an empty name in model files.
inline constexpr std::string_view ai_onnx = "ai.onnx";
/// The contributed operators of ONNX Runtime.
inline constexpr std::string_view com_microsoft = "com.microsoft";
/// OpenPPL's operators for large language models.
inline constexpr std::string_view opmx = "opmx";

/// The end of a range that includes future versions.
inline constexpr int and_later = 1'000'000;

/// The name for display: "QuantizeLinear", or "com.microsoft.QuantizeLinear" outside of the default domain.
inline std::string qualified_name(std::string_view domain, Operator op) {
  return (domain == ai_onnx ? std::string() : std::string(domain) + '.') + std::string(name(op));
}

struct VersionRange {
  std::string_view domain;
  Operator op{};
  int first = 1;
  int last = 0;  ///< inclusive; the default range is empty
};

/// A union of a few version ranges: `quantize(19) | dequantize(23, 25)`.
struct Applicability {
  std::array<VersionRange, 6> ranges{};
  std::size_t count = 0;
  /// Operators that stand between quantization operators in a graph, in all versions; the first empty name ends the
  /// list.
  std::array<std::string_view, 6> others{};

  constexpr bool covers(std::string_view domain, Operator op, int since_version) const {
    for (const VersionRange& range : ranges)
      if (range.domain == domain && range.op == op && range.first <= since_version && since_version <= range.last)
        return true;
    return false;
  }
};

constexpr Applicability operator|(Applicability left, const Applicability& right) {
  for (std::size_t i = 0; i < right.count; ++i) left.ranges.at(left.count++) = right.ranges[i];
  return left;
}

constexpr Applicability quantize(int first, int last = and_later) {
  return {{VersionRange{ai_onnx, Operator::quantize_linear, first, last}}, 1};
}

constexpr Applicability dequantize(int first, int last = and_later) {
  return {{VersionRange{ai_onnx, Operator::dequantize_linear, first, last}}, 1};
}

constexpr Applicability both(int first, int last = and_later) {
  return quantize(first, last) | dequantize(first, last);
}

constexpr Applicability microsoft_quantize() {
  return {{VersionRange{com_microsoft, Operator::quantize_linear, 1, and_later}}, 1};
}

constexpr Applicability microsoft_dequantize() {
  return {{VersionRange{com_microsoft, Operator::dequantize_linear, 1, and_later}}, 1};
}

constexpr Applicability microsoft() { return microsoft_quantize() | microsoft_dequantize(); }

/// opmx has no QuantizeLinear.
constexpr Applicability opmx_dequantize() {
  return {{VersionRange{opmx, Operator::dequantize_linear, 1, and_later}}, 1};
}

/// For what concerns no quantization operator, only these operators in graphs.
template <class... Names>
constexpr Applicability others(const Names&... names) {
  return {.others = {std::string_view(names)...}};
}

/// Requirements of the model format on every node in every domain.
constexpr Applicability everywhere() { return both(10) | microsoft() | opmx_dequantize(); }

}  // namespace touchstone::spec
