// The AVX2, FMA and F16C kernels of DequantizeLinear.
#include <array>
#include <cstdint>

#include "optimized/avx2/dequantize_kernel.h"
#include "optimized/avx2/packed_groups.h"
#include "optimized/avx2/vectors.h"
#include "optimized/avx2/walk.h"
#include "optimized/operands.h"
#include "optimized/type_list.h"

namespace touchstone::optimized {

namespace {

/// x - zero point, as float32. Exact for integers, because they have at most 16 bits or the zero point is 0.
template <ElementType type>
TOUCHSTONE_INLINE Floats differences(const std::byte* x, const ZeroPoints<type>& zero_points) {
  const Codes codes = load_group<type>(x);
  Floats result;
  for (std::size_t i = 0; i < 4; ++i) {
    if constexpr (spec::is_integer(type))
      result.part[i] = _mm256_cvtepi32_ps(_mm256_sub_epi32(codes.part[i], zero_points.part[i]));
    else
      result.part[i] = _mm256_sub_ps(decoded<type>(codes.part[i]), zero_points.part[i]);
  }
  return result;
}

/// `precision` is float32 or the output type.
template <ElementType type, ElementType precision>
struct Product {
  static constexpr ElementType parameter_type = type;
  static constexpr int bits = spec::info(type).bits;
  static constexpr bool may_repeat = false;  // y may be x
  /// 8-bit integers and their differences are exact in float16 and bfloat16.
  static constexpr ElementType precision_of_difference =
      spec::is_integer(type) && bits <= 8 ? ElementType::float32 : precision;

  template <class Choice>
  TOUCHSTONE_INLINE Floats operator()(const std::byte* x, std::int64_t first, const Choice& choice) const {
    Floats result = differences<type>(x, choice.zero_points(first));
    for (std::size_t part = 0; part < 4; ++part)
      result.part[part] =
          _mm256_mul_ps(rounded_to<precision_of_difference>(result.part[part]), choice.scale(first, part));
    return result;
  }
};

template <ElementType type, class Output, ElementType precision>
void dequantize_in(const Operands& operands) {
  using ThisKernel = DequantizeLoops<Product<type, precision>, Output>;
  const Parameters<type, precision> parameters(operands);
  const ThisKernel kernel{operands.x, operands.y, {}};
  Walk<type, ThisKernel, Parameters<type, precision>>(operands, parameters, kernel)();
}

template <ElementType type, class Output>
void dequantize_to(const Operands& operands, const DequantizeOptions& options) {
  if (options.multiplication == Multiplication::in_float32)
    dequantize_in<type, Output, ElementType::float32>(operands);
  else
    dequantize_in<type, Output, Output::type>(operands);
}

template <ElementType type>
void dequantize(const Operands& operands, const DequantizeOptions& options) {
  switch (operands.y_type) {
    case ElementType::float16: return dequantize_to<type, ToFloat16>(operands, options);
    case ElementType::bfloat16: return dequantize_to<type, ToBfloat16>(operands, options);
    default: break;
  }
  if (!exceeds_caches(operands.count * ToFloat32::width)) return dequantize_to<type, ToFloat32>(operands, options);
  dequantize_to<type, ToFloat32InMemory>(operands, options);
  _mm_sfence();  // other threads see these stores before what the caller writes next
}

struct Row {
  ElementType type;
  void (*dequantize)(const Operands&, const DequantizeOptions&);
};

constexpr auto rows = expand<dequantized_types>([]<ElementType... types>() {
  return std::array{Row{types, dequantize<types>}...};
});

/// Vectors hold float32. A difference of int32 needs more bits than float32 has, and int32 would be rounded twice on
/// the way to narrower types. No version multiplies in a type other than float32 or that of y.
bool has_kernel(const Operands& operands, const DequantizeOptions& options) {
  switch (options.multiplication) {
    case Multiplication::in_float32: return operands.x_type != ElementType::int32 || operands.zero_point == nullptr;
    case Multiplication::in_float16:
      return operands.x_type != ElementType::int32 && operands.y_type == ElementType::float16;
    case Multiplication::in_bfloat16:
      return operands.x_type != ElementType::int32 && operands.y_type == ElementType::bfloat16;
  }
  return false;
}

}  // namespace

Isa dequantize_avx2(const Operands& operands, const DequantizeOptions& options) noexcept {
  if (!has_kernel(operands, options)) return dequantize_portable(operands, options);
  for (const Row& row : rows)
    if (row.type == operands.x_type) row.dequantize(operands, options);
  return Isa::avx2;
}

}  // namespace touchstone::optimized
