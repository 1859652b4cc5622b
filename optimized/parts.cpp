#include "optimized/parts.h"

#include <algorithm>

#include "optimized/float_environment.h"

namespace touchstone::optimized {

namespace {

/// Elements of a part: what a thread needs to be woken costs as much as some thousands of them.
constexpr std::int64_t smallest_part = std::int64_t{1} << 16;

/// More parts than threads, so that a thread that was held up leaves its share to the others.
constexpr std::int64_t parts_per_thread = 4;

/// Where a tensor can be cut: into equal units, of which any consecutive ones are a tensor again.
struct Units {
  std::int64_t count;
  std::int64_t elements;    ///< of a unit
  std::int64_t parameters;  ///< by which the units' parameters are apart
};

enum class Extent { all, outer, axis, blocks };

struct Cut {
  Extent extent;
  Units units;
};

Cut cut_of(const Geometry& geometry, std::int64_t count) {
  const auto& [outer, axis, inner, block] = geometry;
  const std::int64_t blocks = block > 0 ? axis / block + (axis % block != 0 ? 1 : 0) : 0;
  if (axis == 1 && block == 0) return {Extent::all, {count, 1, 0}};
  if (outer > 1) return {Extent::outer, {outer, axis * inner, blocks * inner}};
  if (block == 0) return {Extent::axis, {axis, inner, 1}};
  return {Extent::blocks, {blocks, block * inner, inner}};
}

Geometry geometry_of(const Geometry& geometry, Extent extent, std::int64_t first, std::int64_t units) {
  const auto& [outer, axis, inner, block] = geometry;
  switch (extent) {
    case Extent::all: return {1, 1, units, 0};
    case Extent::outer: return {units, axis, inner, block};
    case Extent::axis: return {1, units, inner, 0};
    case Extent::blocks: return {1, std::min(units * block, axis - first * block), inner, block};
  }
  return geometry;
}

/// How many units, a power of two, begin at a byte of everything; at a cache line, where units are single elements.
std::int64_t granule(const Units& units, int bits) {
  if (units.elements == 1 && units.parameters == 0) return 512;
  std::int64_t result = 1;
  while (units.elements % 8 * result * bits % 8 != 0 || units.parameters % 8 * result * bits % 8 != 0) result *= 2;
  return result;
}

const std::byte* moved(const std::byte* bytes, spec::ElementType type, std::int64_t elements) {
  return bytes + elements * spec::info(type).bits / 8;
}

Operands part_of(const Operands& whole, const Cut& cut, std::int64_t first, std::int64_t units) {
  const std::int64_t element = first * cut.units.elements;
  const std::int64_t parameter = first * cut.units.parameters;
  Operands part = whole;
  part.geometry = geometry_of(whole.geometry, cut.extent, first, units);
  part.count = part.geometry.outer * part.geometry.axis * part.geometry.inner;
  part.x = moved(whole.x, whole.x_type, element);
  part.y = whole.y + (moved(whole.y, whole.y_type, element) - whole.y);
  part.scale = moved(whole.scale, whole.scale_type, parameter);
  if (whole.zero_point != nullptr) part.zero_point = moved(whole.zero_point, whole.quantized_type, parameter);
  return part;
}

/// What the tasks of a call share.
template <class Options>
struct Call {
  const Operands& operands;
  const Options& options;
  Isa (*kernel)(const Operands&, const Options&) noexcept;
  Cut cut;
  std::int64_t units_per_part;
  Isa ran;

  static void run_part(void* context, std::int64_t index) {
    Call& call = *static_cast<Call*>(context);
    const std::int64_t first = index * call.units_per_part;
    const std::int64_t units = std::min(call.units_per_part, call.cut.units.count - first);
    const FloatEnvironment environment;
    const Isa ran = call.kernel(part_of(call.operands, call.cut, first, units), call.options);
    if (index == 0) call.ran = ran;  // as in all parts, whose types are the same
  }
};

}  // namespace

template <class Options>
Isa run_in_parts(const Operands& operands, const Options& options,
                 Isa (*kernel)(const Operands&, const Options&) noexcept, const Executor* executor) noexcept {
  const std::int64_t most =
      executor == nullptr ? 1 : std::min(operands.count / smallest_part, executor->threads * parts_per_thread);
  if (most <= 1) {
    const FloatEnvironment environment;
    return kernel(operands, options);
  }
  const Cut cut = cut_of(operands.geometry, operands.count);
  const std::int64_t step = granule(cut.units, spec::info(operands.quantized_type).bits);
  const std::int64_t units = ((cut.units.count + most - 1) / most + step - 1) / step * step;
  Call<Options> call{operands, options, kernel, cut, units, Isa::portable};
  executor->run(executor->self, (cut.units.count + units - 1) / units, &Call<Options>::run_part, &call);
  return call.ran;
}

template Isa run_in_parts(const Operands&, const QuantizeOptions&,
                          Isa (*)(const Operands&, const QuantizeOptions&) noexcept, const Executor*) noexcept;
template Isa run_in_parts(const Operands&, const DequantizeOptions&,
                          Isa (*)(const Operands&, const DequantizeOptions&) noexcept, const Executor*) noexcept;

}  // namespace touchstone::optimized
