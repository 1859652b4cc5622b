#include "conformance/exhaustive/chunk.h"

#include <algorithm>
#include <cstring>

#include "conformance/exhaustive/elements_case.h"
#include "conformance/generate/model_builder.h"

namespace touchstone::conformance {

namespace {

bool is_per_axis(const Sweep& sweep) { return sweep.cell.granularity == Granularity::per_axis; }

/// Fills the bytes with consecutive codes in the layout of raw_data.
template <class Code>
void fill_with_codes(std::span<std::byte> bytes, std::uint64_t first) {
  for (std::size_t i = 0; i < bytes.size() / sizeof(Code); ++i) {
    const auto code = static_cast<Code>(first + i);
    std::memcpy(bytes.data() + i * sizeof(Code), &code, sizeof(Code));
  }
}

Shape parameter_shape(const Sweep& sweep, const Chunk& chunk) {
  return is_per_axis(sweep) ? Shape{static_cast<std::int64_t>(chunk.rows)} : Shape{};
}

}  // namespace

std::vector<Chunk> chunks_of(const Sweep& sweep, std::uint64_t most) {
  const std::uint64_t rows_at_once = is_per_axis(sweep) ? std::max<std::uint64_t>(most / sweep.x.size(), 1) : 1;
  std::vector<Chunk> chunks;
  for (std::uint64_t row = 0; row < sweep.scale.size(); row += rows_at_once)
    for (std::uint64_t column = 0; column < sweep.x.size(); column += most)
      chunks.push_back({sweep.scale.first + row, std::min(rows_at_once, sweep.scale.size() - row),
                        sweep.x.first + column, std::min(most, sweep.x.size() - column)});
  return chunks;
}

void ChunkOperands::set(const Chunk& chunk) {
  const bool same_shape = chunk.rows == chunk_.rows && chunk.columns == chunk_.columns;
  const bool same_x = same_shape && chunk.x == chunk_.x;
  chunk_ = chunk;
  if (!same_shape) {
    shape_ = {static_cast<std::int64_t>(chunk.columns)};
    if (is_per_axis(sweep_)) shape_.insert(shape_.begin(), static_cast<std::int64_t>(chunk.rows));
    const Node node = node_of(sweep_.cell, x(chunk), scale(chunk), zero_point(chunk));
    model_ = build_model(node, form_of(sweep_.cell), sweep_.cell.y, shape_);
    inputs_ = graph_inputs(node, form_of(sweep_.cell));
    return;
  }
  if (!same_x) inputs_[0].value = x(chunk);
  if (is_per_axis(sweep_)) inputs_[1].value = scale(chunk);
}

Tensor ChunkOperands::x(const Chunk& chunk) const {
  const auto width = static_cast<std::size_t>(spec::info(sweep_.cell.x).bits) / 8;
  const auto columns = static_cast<std::size_t>(chunk.columns);
  std::vector<std::byte> bytes(static_cast<std::size_t>(chunk.rows) * columns * width);
  for (std::size_t row = 0; row < chunk.rows; ++row) {
    const std::span<std::byte> codes = std::span(bytes).subspan(row * columns * width, columns * width);
    width == 4 ? fill_with_codes<std::uint32_t>(codes, chunk.x) : fill_with_codes<std::uint16_t>(codes, chunk.x);
  }
  return {sweep_.cell.x, shape_, std::move(bytes)};
}

Tensor ChunkOperands::scale(const Chunk& chunk) const {
  Tensor tensor(sweep_.cell.scale, parameter_shape(sweep_, chunk));
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, chunk.scale + static_cast<std::uint64_t>(i));
  return tensor;
}

Tensor ChunkOperands::zero_point(const Chunk& chunk) const {
  Tensor tensor(sweep_.cell.y, parameter_shape(sweep_, chunk));
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, sweep_.zero_point);
  return tensor;
}

}  // namespace touchstone::conformance
