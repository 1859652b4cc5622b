// The AVX2, FMA and F16C kernels of QuantizeLinear.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "optimized/avx2/division.h"
#include "optimized/avx2/float_results.h"
#include "optimized/avx2/integer_results.h"
#include "optimized/avx2/vectors.h"
#include "optimized/avx2/walk.h"
#include "optimized/avx2/wide_numbers.h"
#include "optimized/operands.h"
#include "optimized/type_list.h"

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

  /// Returns `count` elements. Unless in_place(), `count` is at most tile_size.
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

/// Quantizes whole groups of a float32 x.
template <int bits, class Quotients, class Results>
TOUCHSTONE_INLINE void quantize_groups(const float* x, std::int64_t first, std::int64_t count,
                                       const Quotients& quotients_in_memory, const Results& results_in_memory,
                                       std::byte* y) {
  // Local copies: y may alias anything, so the compiler would otherwise reload these after each store.
  const Quotients quotients = quotients_in_memory;
  const Results results = results_in_memory;
  for (std::int64_t i = 0; i < count; i += group_size) {
    prefetch(x + i, group_size * sizeof(float));
    const Floats group = load_floats(x + i);
    results.store(group, quotients(group, first + i), first + i, y + i * bits / 8);
  }
}

template <ElementType type, ElementType precision>
struct Kernel {
  static constexpr int bits = spec::info(type).bits;

  const Operands& operands;
  Source source;
  FloatTarget float_target;

  // Stacks may be small. Whatever needs a large buffer is a function of its own, which frees the buffer on return.

  [[gnu::noinline]] void runs(std::int64_t first, std::int64_t length, std::int64_t runs,
                              const PreparedParameters<type>& parameters) const {
    const Reciprocals<type> reciprocals(parameters, runs, float_target.has_zero_point);
    if (!may_multiply(reciprocals)) {
      for (std::int64_t run = 0; run < runs; ++run) divide_run(first + run * length, length, run, parameters);
      return;
    }
    const FlushedSubnormals flushed(spec::is_integer(type));
    if (source.in_place() && length % group_size == 0)
      return multiply_runs(source.load(first, 0, nullptr), length, 0, runs, reciprocals, parameters, place_of(first));
    for (std::int64_t run = 0; run < runs; ++run)
      stretch(first + run * length, length, [&](const float* x, std::int64_t, std::int64_t count, std::byte* y) {
        multiply_runs(x, count, run, run + 1, reciprocals, parameters, y);
      });
  }

  [[gnu::noinline]] void rows(std::int64_t first, std::int64_t count, std::int64_t stride, std::int64_t rows,
                              const PreparedParameters<type>& parameters) const {
    if (rows > most_divisions) {
      const Reciprocals<type> reciprocals(parameters, count, float_target.has_zero_point);
      if (may_multiply(reciprocals)) {
        const FlushedSubnormals flushed(spec::is_integer(type));
        for (std::int64_t row = 0; row < rows; ++row)
          multiply_row(first + row * stride, count, reciprocals, parameters, InOrder());
        return;
      }
    }
    for (std::int64_t row = 0; row < rows; ++row) divide_row(first + row * stride, count, parameters, InOrder());
  }

  void vectors(std::int64_t first, std::int64_t count, const AtPlaces& places,
               const PreparedParameters<type>& parameters) const {
    divide_row(first, count, parameters, places);
  }

 private:
  /// Preparing a reciprocal takes as long as two divisions.
  static constexpr std::int64_t most_divisions = 2;

  std::byte* place_of(std::int64_t first) const { return operands.y + first * bits / 8; }

  bool may_multiply(const Reciprocals<type>& reciprocals) const {
    // Limited quotients do not distinguish infinities from large numbers.
    if constexpr (type == ElementType::float8e4m3fnuz || type == ElementType::float8e5m2fnuz)
      if (float_target.fnuz_infinity == FnuzInfinity::is_nan) return false;
    return reciprocals.are_proven();
  }

  /// Calls loop(x, first, count, y) for whole groups, tile by tile if x must be converted first. `first` counts from
  /// the beginning of the stretch.
  template <class Loop>
  void stretch(std::int64_t first, std::int64_t count, const Loop& loop) const {
    alignas(32) float buffer[tile_size];
    const std::int64_t piece = source.in_place() ? count : tile_size;
    for (std::int64_t done = 0; done < count; done += piece) {
      const std::int64_t length = std::min(piece, count - done);
      const float* x = source.load(first + done, length, buffer);
      const std::int64_t whole = length / group_size * group_size;
      if (whole > 0) loop(x, done, whole, place_of(first + done));
      if (whole == length) continue;

      const std::int64_t rest = length - whole;
      alignas(32) float numbers[group_size]{};
      alignas(32) std::byte codes[group_size * 2];
      std::memcpy(numbers, x + whole, static_cast<std::size_t>(rest) * sizeof(float));
      loop(numbers, done + whole, group_size, codes);
      const std::int64_t bytes = (rest * bits + 7) / 8;
      if (const int used = static_cast<int>(rest * bits % 8); used != 0)
        codes[bytes - 1] &= static_cast<std::byte>((1 << used) - 1);  // padding bits are zero
      std::memcpy(place_of(first + done + whole), codes, static_cast<std::size_t>(bytes));
    }
  }

  /// Handles runs whose length is a multiple of group_size.
  [[gnu::noinline]] void multiply_runs(const float* x, std::int64_t length, std::int64_t first_run,
                                       std::int64_t last_run, const Reciprocals<type>& reciprocals,
                                       const PreparedParameters<type>& parameters, std::byte* y) const {
    const FloatTarget target = float_target;
    for (std::int64_t run = first_run; run < last_run; ++run) {
      const ByReciprocal<type, precision> quotients(reciprocals, run);
      if constexpr (spec::is_integer(type))
        quantize_groups<bits>(x, 0, length, quotients,
                              IntegerResults<type, true, SameZeroPoint>(SameZeroPoint(parameters.zero_points[run])), y);
      else
        quantize_groups<bits>(x, 0, length, quotients, FloatResults<type, precision, true>(target, nullptr), y);
      x += length;
      y += length * bits / 8;
    }
  }

  template <class Places>
  [[gnu::noinline]] void multiply(const float* x, std::int64_t first, std::int64_t count,
                                  const Reciprocals<type>& reciprocals, const PreparedParameters<type>& parameters,
                                  const Places& places, std::byte* y) const {
    const ByReciprocalInTile<type, precision, Places> quotients(reciprocals, places);
    if constexpr (spec::is_integer(type))
      quantize_groups<bits>(x, first, count, quotients,
                            IntegerResults<type, true, ZeroPointsInTile<Places>>({parameters.zero_points, places}), y);
    else
      quantize_groups<bits>(x, first, count, quotients, FloatResults<type, precision, true>(float_target, nullptr), y);
  }

  template <class Places>
  [[gnu::noinline]] void divide(const float* x, std::int64_t first, std::int64_t count,
                                const PreparedParameters<type>& parameters, const Places& places, std::byte* y) const {
    const ByDivision<precision, Places> quotients(parameters.scales, places);
    if constexpr (spec::is_integer(type))
      quantize_groups<bits>(x, first, count, quotients,
                            IntegerResults<type, false, ZeroPointsInTile<Places>>({parameters.zero_points, places}), y);
    else
      quantize_groups<bits>(x, first, count, quotients,
                            FloatResults<type, precision, false, Places>(float_target, parameters.zero_points, places),
                            y);
  }

  template <class Places>
  void multiply_row(std::int64_t first, std::int64_t count, const Reciprocals<type>& reciprocals,
                    const PreparedParameters<type>& parameters, const Places& places) const {
    stretch(first, count, [&](const float* x, std::int64_t place, std::int64_t length, std::byte* y) {
      multiply(x, place, length, reciprocals, parameters, places, y);
    });
  }

  template <class Places>
  void divide_row(std::int64_t first, std::int64_t count, const PreparedParameters<type>& parameters,
                  const Places& places) const {
    stretch(first, count, [&](const float* x, std::int64_t place, std::int64_t length, std::byte* y) {
      divide(x, place, length, parameters, places, y);
    });
  }

  /// Divides a run as rows in which every element has the same parameter.
  [[gnu::noinline]] void divide_run(std::int64_t first, std::int64_t length, std::int64_t run,
                                    const PreparedParameters<type>& parameters) const {
    Tile<type, tile_size> same;
    const std::int64_t filled = std::min(tile_size, (length + group_size - 1) / group_size * group_size);
    fill(0, filled, parameters.scales[run], parameters.zero_points[run], same);
    for (std::int64_t done = 0; done < length; done += tile_size)
      divide_row(first + done, std::min(tile_size, length - done), same, InOrder());
  }
};

template <ElementType type, ElementType precision>
void quantize_in(const Operands& operands, const QuantizeOptions& options) {
  const Parameters<type, precision> parameters(operands);
  const FloatTarget float_target{operands.zero_point != nullptr, options.saturate, options.fnuz_infinity};
  const Kernel<type, precision> kernel{operands, Source::of<precision>(operands), float_target};
  Walk<type, Kernel<type, precision>, Parameters<type, precision>>(operands, parameters, kernel)();
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

constexpr auto rows = expand<quantized_types>([]<ElementType... types>() {
  return std::array{Row{types, quantize<types>}...};
});

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
