#include "conformance/generate/scales.h"

namespace touchstone::conformance {

using spec::ElementType;

std::vector<ScaleChoice> negated(std::vector<ScaleChoice> scales, ElementType type) {
  const std::uint64_t sign = std::uint64_t{1} << (spec::info(type).bits - 1);
  const std::uint64_t all_bits = sign | (sign - 1);
  for (ScaleChoice& scale : scales)
    scale.code = spec::is_integer(type) ? (~scale.code + 1) & all_bits : scale.code | sign;
  return scales;
}

std::vector<ScaleChoice> subnormal_scales(ElementType type) {
  if (spec::is_integer(type)) return {};
  if (type == ElementType::float8e8m0) return {{0, true}};
  const std::uint64_t first_normal = std::uint64_t{1} << spec::info(type).format->fraction_bits;
  return {{3, true}, {first_normal - 1, true}, {1, true}, {5, true}};
}

}  // namespace touchstone::conformance
