#include "conformance/generate/carrier.h"

namespace touchstone::conformance {

using reference::Tensor;

Tensor in_carrier(Tensor tensor) {
  const spec::ElementTypeInfo& type = spec::info(tensor.type());
  if (!type.carrier) return tensor;
  reference::Shape shape = tensor.shape();
  const std::int64_t rows = spec::elements_per_carrier(tensor.type());
  shape[0] /= rows;
  Tensor packed(*type.carrier, shape);
  if (packed.size() == 0) return packed;
  const std::int64_t row_length = packed.size() / shape[0];
  for (std::int64_t i = 0; i < packed.size(); ++i) {
    const std::int64_t first = i / row_length * rows * row_length + i % row_length;
    std::uint64_t bits = 0;
    for (std::int64_t j = 0; j < rows; ++j) bits |= tensor.code(first + j * row_length) << (j * type.bits);
    packed.set_code(i, bits);
  }
  return packed;
}

reference::Shape out_of_carrier(reference::Shape shape, spec::ElementType type) {
  if (!shape.empty()) shape[0] *= spec::elements_per_carrier(type);
  return shape;
}

}  // namespace touchstone::conformance
