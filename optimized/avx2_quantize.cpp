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

constexpr ElementType type_of(Division division) {
  switch (division) {
    case Division::in_float16: return ElementType::float16;
    case Division::in_bfloat16: return ElementType::bfloat16;
    default: return ElementType::float32;
  }
}

/// x as float32, rounded to the type of the division.
class Source {
 public:
  Source(const Operands& operands, ElementType precision)
      : type_(operands.x_type),
        precision_(precision),
        x_(operands.x),
        in_place_(type_ == ElementType::float32 && precision == ElementType::float32) {}

  bool in_place() const { return in_place_; }

  /// Of at most tile_size elements, unless they are in_place().
  const float* load(std::int64_t first, std::int64_t count, float* buffer) const {
    if (in_place_) return reinterpret_cast<const float*>(x_) + first;
    load_wide(type_, precision_, x_, first, count, buffer);
    return buffer;
  }

 private:
  ElementType type_;
  ElementType precision_;
  const std::byte* x_;
  bool in_place_;
};

template <ElementType type>
struct Kernel {
  static constexpr int bits = spec::info(type).bits;

  const Operands& operands;
  const Parameters<type>& parameters;
  Source source;
  ElementType precision;
  FloatTarget float_target;

  void uniform(std::int64_t first, std::int64_t count, std::int64_t parameter) const {
    const float scale = parameters.scale(parameter);
    const ZeroPoint<type> zero_point = parameters.zero_point(parameter);
    const ByDivision division(precision, scale, nullptr);
    if constexpr (!spec::is_integer(type)) {
      stretch(first, count, division, FloatResults<type>(float_target, zero_point, nullptr));
    } else if (precision == ElementType::float32 && ByReciprocal::is_proven_for(scale)) {
      stretch(first, count, ByReciprocal(scale), IntegerResults<type, true>(zero_point));
    } else {
      stretch(first, count, division, IntegerResults<type, false>(zero_point));
    }
  }

  void tile(std::int64_t first, std::int64_t count, const Tile<type>& tile) const {
    const ByDivision division(precision, 0, tile.scales.data());
    if constexpr (spec::is_integer(type))
      stretch(first, count, division, IntegerResultsOfTile<type>(tile.zero_points.data()));
    else
      stretch(first, count, division, FloatResults<type>(float_target, 0, tile.zero_points.data()));
  }

 private:
  /// By tiles where x has to be converted first.
  template <class Quotients, class Results>
  void stretch(std::int64_t first, std::int64_t count, const Quotients& quotients, const Results& results) const {
    alignas(32) std::array<float, tile_size> buffer;
    const std::int64_t step = source.in_place() ? count : tile_size;
    for (std::int64_t done = 0; done < count; done += step) {
      const std::int64_t length = std::min(step, count - done);
      groups(source.load(first + done, length, buffer.data()), first + done, length, quotients, results);
    }
  }

  template <class Quotients, class Results>
  void groups(const float* x, std::int64_t first, std::int64_t count, const Quotients& quotients,
              const Results& results) const {
    std::byte* y = operands.y + first * bits / 8;
    std::int64_t i = 0;
    for (; i + group_size <= count; i += group_size)
      results.store(quotients(load_floats(x + i), i), i, y + i * bits / 8);
    const std::int64_t rest = count - i;
    if (rest == 0) return;

    alignas(32) std::array<float, group_size> numbers{};
    alignas(32) std::array<std::byte, group_size * 2> codes;
    std::memcpy(numbers.data(), x + i, static_cast<std::size_t>(rest) * sizeof(float));
    results.store(quotients(load_floats(numbers.data()), i), i, codes.data());
    const auto bytes = static_cast<std::size_t>((rest * bits + 7) / 8);
    if (const int used = static_cast<int>(rest * bits % 8); used != 0)
      codes[bytes - 1] &= static_cast<std::byte>((1 << used) - 1);  // bits of padding are zero
    std::memcpy(y + i * bits / 8, codes.data(), bytes);
  }
};

template <ElementType type>
void quantize(const Operands& operands, const QuantizeOptions& options) {
  const ElementType precision = type_of(options.division);
  const Parameters<type> parameters(operands, precision);
  const FloatTarget float_target{precision, operands.zero_point != nullptr, options.saturate, options.fnuz_infinity};
  for_each_stretch(operands, parameters,
                   Kernel<type>{operands, parameters, Source(operands, precision), precision, float_target});
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
