#include "reference/int4x4.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "reference/model/shape.h"

namespace touchstone::reference {

using spec::NibbleOrder;

namespace {

constexpr int per_element = spec::elements_per_carrier(spec::ElementType::int4x4);
static_assert(per_element == 4);

std::uint64_t nibble(const Tensor& x, std::int64_t index, int j) { return x.code(index) >> (4 * j) & 0xF; }

/// An int4x4 tensor whose dimension `axis` is four times that of x.
Tensor unpacked(const Tensor& x, std::size_t axis, Interpretation& in) {
  Shape shape = x.shape();
  constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max() / per_element;
  const bool fits = shape[axis] <= longest;
  if (fits) shape[axis] *= per_element;
  if (!fits || !element_count(shape))
    in.reject("pmx-packed-rows", "x has the shape {}, four times as many rows are too many", to_text(x.shape()));
  return Tensor(spec::ElementType::int4x4, std::move(shape));
}

/// The row that nibble j of packed row p holds, if there are `rows` packed rows.
std::int64_t row_of(NibbleOrder::Reading order, std::int64_t p, int j, std::int64_t rows) {
  switch (order) {
    case NibbleOrder::low_nibble_first:
    case NibbleOrder::columns: break;
    case NibbleOrder::high_nibble_first: return per_element * p + (per_element - 1 - j);
    case NibbleOrder::strided_rows: return p + j * rows;
  }
  return per_element * p + j;
}

Tensor unpack_rows(const Tensor& x, NibbleOrder::Reading order, Interpretation& in) {
  Tensor tensor = unpacked(x, 0, in);
  const std::int64_t rows = x.shape()[0];
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const std::int64_t row_length = x.size() / rows;
    const std::int64_t p = i / row_length;
    const std::int64_t k = i % row_length;
    for (int j = 0; j < per_element; ++j) tensor.set_code(row_of(order, p, j, rows) * row_length + k, nibble(x, i, j));
  }
  return tensor;
}

/// A wrong reading, which gives a tensor of another shape.
Tensor unpack_columns(const Tensor& x, Interpretation& in) {
  Tensor tensor = unpacked(x, 1, in);
  std::int64_t behind = 1;  // the elements of the dimensions behind the columns
  for (std::size_t k = 2; k < x.shape().size(); ++k) behind *= x.shape()[k];
  for (std::int64_t i = 0; i < x.size(); ++i)
    for (int j = 0; j < per_element; ++j)
      tensor.set_code((i / behind * per_element + j) * behind + i % behind, nibble(x, i, j));
  return tensor;
}

}  // namespace

Tensor unpack_int4x4(const Tensor& x, Interpretation& in) {
  in.cite("pmx-packed-rows");
  in.cite("pmx-packing");
  if (x.rank() == 0) in.reject("pmx-packed-rows", "x is a scalar, and has no rows that could share its element");
  const NibbleOrder::Reading order = in.reading<NibbleOrder>();
  if (order == NibbleOrder::columns && x.rank() > 1) return unpack_columns(x, in);
  return unpack_rows(x, order, in);
}

}  // namespace touchstone::reference
