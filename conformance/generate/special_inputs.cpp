#include "conformance/generate/special_inputs.h"

#include <cstddef>
#include <numeric>

#include "conformance/generate/ordered_codes.h"

namespace touchstone::conformance {

using spec::ElementType;

namespace {

std::vector<std::uint64_t> all_codes(ElementType type) {
  std::vector<std::uint64_t> codes(std::size_t{1} << spec::info(type).bits);
  std::iota(codes.begin(), codes.end(), 0);
  return codes;
}

std::vector<std::uint64_t> special_integers(ElementType type) {
  std::vector<std::uint64_t> codes;
  for (const std::int64_t place : {lowest_place(type), highest_place(type), lowest_place(type) + 1, std::int64_t{0},
                                   std::int64_t{2049}, std::int64_t{257}, std::int64_t{16777217}})
    if (place <= highest_place(type)) codes.push_back(code_at(type, place));
  return codes;
}

std::vector<std::uint64_t> special_floats(ElementType type) {
  const spec::ElementTypeInfo& row = spec::info(type);
  const std::uint64_t sign = std::uint64_t{1} << (row.bits - 1);
  const auto infinity = static_cast<std::uint64_t>(highest_place(type)) + 1;
  const std::uint64_t first_normal = std::uint64_t{1} << row.format->fraction_bits;
  const std::uint64_t quiet_nan = infinity | first_normal >> 1;
  std::vector<std::uint64_t> codes;
  for (const std::uint64_t magnitude :
       {infinity, quiet_nan, std::uint64_t{0}, infinity - 1, std::uint64_t{1}, first_normal - 1, first_normal})
    for (const std::uint64_t code : {magnitude, magnitude | sign}) codes.push_back(code);
  return codes;
}

}  // namespace

std::vector<std::uint64_t> special_inputs(ElementType x) {
  if (spec::info(x).bits <= 8) return all_codes(x);
  return spec::is_integer(x) ? special_integers(x) : special_floats(x);
}

}  // namespace touchstone::conformance
