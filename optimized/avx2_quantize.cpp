// QuantizeLinear for AVX2, FMA and F16C.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "optimized/avx2_division.h"
#include "optimized/avx2_float_results.h"
#include "optimized/avx2_integer_results.h"
#include "optimized/avx2_stretches.h"
#include "optimized/avx2_vectors.h"
#include "optimized/operands.h"

namespace touchstone::optimized {

namespace {

/// x as float32, rounded to the type of the division.
class Source {
 public:
  template <ElementType precision>
  static Source of(const Operands& operands) {
    const bool in_place = operands.x_type == ElementType::float32 && precision == ElementType::float32;
    return {operands.x, spec::info(operands.x_type).bits / 8,
            in_place ? nullptr : wide_loader<precision>(operands.x_type)};
  }

  bool in_place() const { return convert_ == nullptr; }

  /// Of at most tile_size elements, unless they are in_place().
  const float* load(std::int64_t first, std::int64_t count, float* buffer) const {
    const std::byte* place = x_ + first * width_;
    if (in_place()) return reinterpret_cast<const float*>(place);
    convert_(place, count, buffer);
    return buffer;
  }

 private:
  Source(const std::byte* x, std::int64_t width, LoadWide convert) : x_(x), width_(width), convert_(convert) {}

  const std::byte* x_;
  std::int64_t width_;
  LoadWide convert_;
};

template <ElementType type, ElementType precision>
struct Kernel {
  static constexpr int bits = spec::info(type).bits;

  const Operands& operands;
  const Parameters<type, precision>& parameters;
  Source source;
  FloatTarget float_target;

  void uniform(std::int64_t first, std::int64_t count, std::int64_t parameter) const {
    const float scale = parameters.scale(parameter);
    const ZeroPoint<type> zero_point = parameters.zero_point(parameter);
    const ByDivision<precision> division(scale);
    if constexpr (!spec::is_integer(type)) {
      stretch(first, count, division, FloatResults<type, precision>(float_target, zero_point));
    } else if (precision == ElementType::float32 && ByReciprocal::is_proven_for(scale)) {
      stretch(first, count, ByReciprocal(scale), IntegerResults<type, true>(zero_point));
    } else {
      stretch(first, count, division, IntegerResults<type, false>(zero_point));
    }
  }

  void tile(std::int64_t first, std::int64_t count, const Tile<type>& tile) const {
    const ByDivisionInTile<precision> division(tile.scales);
    if constexpr (spec::is_integer(type))
      stretch(first, count, division, IntegerResultsInTile<type>(tile.zero_points));
    else
      stretch(first, count, division, FloatResults<type, precision>(float_target, tile.zero_points));
  }

 private:
  /// By tiles where x has to be converted first.
  template <class Quotients, class Results>
  void stretch(std::int64_t first, std::int64_t count, const Quotients& quotients, const Results& results) const {
    if (source.in_place()) return groups(source.load(first, count, nullptr), first, count, quotients, results);
    alignas(32) float buffer[tile_size];
    for (std::int64_t done = 0; done < count; done += tile_size) {
      const std::int64_t length = std::min(tile_size, count - done);
      groups(source.load(first + done, length, buffer), first + done, length, quotients, results);
    }
  }

  template <class Quotients, class Results>
  void groups(const float* x, std::int64_t first, std::int64_t count, const Quotients& quotients_in_memory,
              const Results& results_in_memory) const {
    // y may be any bytes, so the compiler would read again, after each store, what it has not in local variables.
    const Quotients quotients = quotients_in_memory;
    const Results results = results_in_memory;
    std::byte* y = operands.y + first * bits / 8;
    std::int64_t i = 0;
    for (; i + group_size <= count; i += group_size)
      results.store(quotients(load_floats(x + i), i), i, y + i * bits / 8);
    const std::int64_t rest = count - i;
    if (rest == 0) return;

    alignas(32) float numbers[group_size]{};
    alignas(32) std::byte codes[group_size * 2];
    std::memcpy(numbers, x + i, static_cast<std::size_t>(rest) * sizeof(float));
    results.store(quotients(load_floats(numbers), i), i, codes);
    const std::int64_t bytes = (rest * bits + 7) / 8;
    if (const int used = static_cast<int>(rest * bits % 8); used != 0)
      codes[bytes - 1] &= static_cast<std::byte>((1 << used) - 1);  // bits of padding are zero
    std::memcpy(y + i * bits / 8, codes, static_cast<std::size_t>(bytes));
  }
};

template <ElementType type, ElementType precision>
void quantize_in(const Operands& operands, const QuantizeOptions& options) {
  const Parameters<type, precision> parameters(operands);
  const FloatTarget float_target{operands.zero_point != nullptr, options.saturate, options.fnuz_infinity};
  for_each_stretch<type>(operands, parameters,
                         Kernel<type, precision>{operands, parameters, Source::of<precision>(operands), float_target});
}

template <ElementType type>
void quantize(const Operands& operands, const QuantizeOptions& options) {
  switch (options.division) {
    case Division::in_float16: return quantize_in<type, ElementType::float16>(operands, options);
    case Division::in_bfloat16: return quantize_in<type, ElementType::bfloat16>(operands, options);
    default: return quantize_in<type, ElementType::float32>(operands, options);
  }
}

struct Row {
  ElementType type;
  void (*quantize)(const Operands&, const QuantizeOptions&);
};

template <ElementType... types>
constexpr std::array<Row, sizeof...(types)> rows_of{Row{types, quantize<types>}...};

constexpr auto rows =
    rows_of<ElementType::uint16, ElementType::int16, ElementType::uint8, ElementType::int8, ElementType::uint4,
            ElementType::int4, ElementType::uint2, ElementType::int2, ElementType::float8e4m3fn,
            ElementType::float8e4m3fnuz, ElementType::float8e5m2, ElementType::float8e5m2fnuz, ElementType::float6e2m3,
            ElementType::float6e3m2, ElementType::float4e2m1>;

/// Vectors hold float32. int32 has more bits, and would be rounded twice on the way to narrower types.
bool has_kernel(const Operands& operands, const QuantizeOptions& options) {
  const bool has_int32 = operands.x_type == ElementType::int32 || operands.scale_type == ElementType::int32;
  switch (options.division) {
    case Division::in_float16:
    case Division::in_bfloat16: return !has_int32;
    case Division::in_float32: return true;
    default: return false;
  }
}

}  // namespace

Isa quantize_avx2(const Operands& operands, const QuantizeOptions& options) noexcept {
  if (!has_kernel(operands, options)) return quantize_portable(operands, options);
  for (const Row& row : rows)
    if (row.type == operands.y_type) row.quantize(operands, options);
  return Isa::avx2;
}

}  // namespace touchstone::optimized
