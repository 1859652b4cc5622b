// The measurements: one row per combination of operator, types and granularity, in the sections of the tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "optimized/tensor_view.h"
#include "spec/element_type.h"

namespace touchstone::optimized::benchmarks {

enum class Operator : std::uint8_t { quantize, dequantize };

/// The tensor is [elements / axis / inner, axis, inner]; it is per-tensor if axis is 1. Scales have the floating-point
/// type of x (QuantizeLinear) or y (DequantizeLinear). There is a zero point if the quantized type is an integer.
struct Row {
  Operator op;
  spec::ElementType x;
  spec::ElementType y;
  std::int64_t axis = 1;
  std::int64_t inner = 1;
  std::int64_t block = 0;
};

/// A row at one size. Several sections may contain the same row. `elements` is a multiple of axis * inner.
struct Measurement {
  std::string_view section;
  Row row;
  std::int64_t elements;
};

std::vector<Measurement> measurements();

/// For example QuantizeLinear/f32_to_u8/axis_1024.
std::string name(const Row& row);

constexpr spec::ElementType scale_type(const Row& row) { return row.op == Operator::quantize ? row.x : row.y; }
constexpr spec::ElementType quantized_type(const Row& row) { return row.op == Operator::quantize ? row.y : row.x; }

Geometry geometry(const Row& row, std::int64_t elements);

/// Shapes as in a model, and the attributes `axis` and `block_size`.
struct Shapes {
  std::vector<std::int64_t> x;
  std::vector<std::int64_t> parameters;
  std::int64_t axis;
  std::int64_t block;
};

Shapes shapes(const Row& row, std::int64_t elements);

}  // namespace touchstone::optimized::benchmarks
