#include "conformance/graphs/graph_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <map>

#include "conformance/graphs/graph_parameters.h"
#include "conformance/graphs/patterns.h"

namespace touchstone::conformance {

namespace {

/// A set of values, one bit for each value of each dimension.
using ValueBits = std::uint64_t;

/// The number of bits of each dimension, at least that of its values.
constexpr int bits_of_types = 32, bits_of_granularities = 4, bits_of_forms = 12, bits_of_zero_points = 6,
              bits_of_axes = 6, bits_of_scales = 4;

/// The first bit of each dimension.
constexpr int of_types = 0, of_granularities = of_types + bits_of_types,
              of_forms = of_granularities + bits_of_granularities, of_zero_points = of_forms + bits_of_forms,
              of_axes = of_zero_points + bits_of_zero_points, of_scales = of_axes + bits_of_axes,
              all_bits = of_scales + bits_of_scales;
static_assert(all_bits == std::numeric_limits<ValueBits>::digits);

constexpr ValueBits bit(int dimension, auto value) { return ValueBits{1} << (dimension + static_cast<int>(value)); }

ValueBits bits_of(const GraphParameters& p) {
  const auto form = p.form - forms().data();
  ValueBits values = bit(of_types, p.quantized) | bit(of_granularities, p.granularity) | bit(of_forms, form) |
                     bit(of_zero_points, p.zero_points) | bit(of_scales, p.scales);
  if (p.granularity != Granularity::per_tensor) values |= bit(of_axes, p.axis);
  return values;
}

std::string name_of(int value) {
  if (value < of_granularities) return std::string(spec::name(static_cast<ElementType>(value - of_types)));
  if (value < of_forms) return std::string(spec::name(static_cast<Granularity>(value - of_granularities)));
  if (value < of_zero_points) return std::string(forms()[static_cast<std::size_t>(value - of_forms)].name);
  if (value < of_axes) return std::string(name(static_cast<ZeroPoints>(value - of_zero_points)));
  if (value < of_scales) return fmt::format("axis{}", name(static_cast<QuantizedAxis>(value - of_axes)));
  return std::string(name(static_cast<Scales>(value - of_scales)));
}

template <class Take>
void for_each_value(ValueBits values, const Take& take) {
  for (; values != 0; values &= values - 1) take(std::countr_zero(values));
}

/// For each value, the values with which it occurs.
class PairTable {
 public:
  void add(ValueBits values) {
    for_each_value(values, [&](int value) { others_.at(static_cast<std::size_t>(value)) |= values; });
  }
  ValueBits all() const {
    ValueBits all = 0;
    for (const ValueBits others : others_) all |= others;
    return all;
  }
  void list(std::vector<std::string>& names) const {
    for (int value = 0; value < all_bits; ++value) {
      // Values of one dimension exclude each other, so the others are of other dimensions.
      const ValueBits after = value == all_bits - 1 ? 0 : ~ValueBits{0} << (value + 1);
      for_each_value(others_.at(static_cast<std::size_t>(value)) & after,
                     [&](int other) { names.push_back(fmt::format("{} x {}", name_of(value), name_of(other))); });
    }
  }

 private:
  std::array<ValueBits, all_bits> others_{};
};

std::string with_pattern(std::string_view pattern, int value) {
  return fmt::format("{} x {}", pattern, name_of(value));
}

}  // namespace

std::vector<std::string> known_graph_pairs() {
  std::map<decltype(Pattern::has), ValueBits> known;  // by what patterns have in common
  PairTable pairs;
  std::vector<std::string> names;
  for (const Pattern& pattern : patterns()) {
    const auto [values, is_new] = known.try_emplace(pattern.has);
    if (is_new) {
      PairTable own;
      for (const GraphParameters& base : all_graph_parameters())
        if (pattern.has(base))
          for_each_variant(base, [&](const GraphParameters& p) {
            if (!pattern.has(p)) return;
            own.add(bits_of(p));
            pairs.add(bits_of(p));
          });
      values->second = own.all();
    }
    for_each_value(values->second, [&](int value) { names.push_back(with_pattern(pattern.name, value)); });
  }
  pairs.list(names);
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> graph_pairs_of(std::string_view id) {
  std::vector<std::string> names;
  const std::optional<GraphParameters> parameters = find_graph_parameters(id);
  if (!parameters || parameters->violation != Violation::none) return names;
  PairTable pairs;
  pairs.add(bits_of(*parameters));
  for_each_value(bits_of(*parameters), [&](int value) { names.push_back(with_pattern(pattern_of(id), value)); });
  pairs.list(names);
  return names;
}

}  // namespace touchstone::conformance
