#include "optimized/parts.h"

#include <algorithm>

namespace touchstone::optimized {

namespace {

/// There are more parts than threads, so that other threads can take over the share of a delayed one.
constexpr std::int64_t parts_per_thread = 4;

/// Where a tensor can be cut: into equal units. Any consecutive units form a tensor.
struct Units {
  std::int64_t count;
  std::int64_t elements;    ///< per unit
  std::int64_t parameters;  ///< the distance between the parameters of consecutive units
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
  return {Extent::blocks, {blocks, std::min(block, axis) * inner, inner}};
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

/// Whether `count` units end at a byte boundary in all tensors.
bool end_byte(const Units& units, std::int64_t count, int bits) {
  return units.elements % 8 * count * bits % 8 == 0 && units.parameters % 8 * count * bits % 8 == 0;
}

/// The smallest power of two of units that ends at a byte boundary in all tensors. For units of single elements, a
/// cache line.
std::int64_t granule(const Units& units, int bits) {
  if (units.elements == 1 && units.parameters == 0) return 512;
  std::int64_t result = 1;
  while (!end_byte(units, result, bits)) result *= 2;
  return result;
}

}  // namespace

std::int64_t parts_that_pay(std::int64_t elements, const Executor* executor) noexcept {
  if (executor == nullptr) return 1;
  const std::int64_t most = elements / std::max<std::int64_t>(executor->smallest_part, 1);
  const std::int64_t threads = std::clamp<std::int64_t>(executor->threads, 0, most);
  return std::clamp<std::int64_t>(threads * parts_per_thread, 1, std::max<std::int64_t>(most, 1));
}

template <class Options>
Isa run_in_parts(const Operands& operands, const Options& options,
                 Isa (*kernel)(const Operands&, const Options&) noexcept, const Executor* executor) noexcept {
  const std::int64_t parts = parts_that_pay(operands.count, executor);
  if (parts == 1) {
    const FloatEnvironment environment;
    return kernel(operands, options);
  }
  const int bits = spec::info(operands.quantized_type).bits;
  Geometry slab = operands.geometry;
  Cut cut = cut_of(slab, operands.count);
  Units slabs{1, operands.count, 0};
  // If there are fewer units than parts, each unit is cut again, provided that each ends at a byte boundary.
  if (cut.extent == Extent::outer && cut.units.count < parts && end_byte(cut.units, 1, bits)) {
    slabs = cut.units;
    slab.outer = 1;
    cut = cut_of(slab, slabs.elements);
  }
  const auto run_part = [&](std::int64_t index, std::int64_t first, std::int64_t units) {
    Operands part = moved(operands, index * slabs.elements + first * cut.units.elements,
                          index * slabs.parameters + first * cut.units.parameters);
    part.geometry = geometry_of(slab, cut.extent, first, units);
    part.count = part.geometry.outer * part.geometry.axis * part.geometry.inner;
    return kernel(part, options);
  };
  return share_out({slabs.count, cut.units.count, granule(cut.units, bits)}, parts, *executor, run_part);
}

template Isa run_in_parts(const Operands&, const QuantizeOptions&,
                          Isa (*)(const Operands&, const QuantizeOptions&) noexcept, const Executor*) noexcept;
template Isa run_in_parts(const Operands&, const DequantizeOptions&,
                          Isa (*)(const Operands&, const DequantizeOptions&) noexcept, const Executor*) noexcept;

}  // namespace touchstone::optimized
