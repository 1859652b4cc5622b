#include "conformance/backends/builtin/optimized_node.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "conformance/backends/builtin/optimized_geometry.h"
#include "conformance/backends/builtin/optimized_opmx.h"
#include "conformance/backends/builtin/optimized_options.h"
#include "conformance/backends/builtin/optimized_typed_node.h"
#include "optimized/dequantize_linear.h"
#include "optimized/quantize_linear.h"

namespace touchstone::conformance {

using optimized::ConstTensorView;
using optimized::TensorView;

namespace {

ConstTensorView view(const Tensor& tensor) { return {tensor.type(), tensor.bytes()}; }

std::optional<ConstTensorView> view(const Tensor* tensor) {
  return tensor == nullptr ? std::nullopt : std::optional(view(*tensor));
}

/// y of this shape, written by `compute`. `compute` is not called for a tensor without elements, whose dimensions may
/// exceed the limits of the library.
template <class Compute>
Tensor computed(ElementType type, const Shape& shape, const Compute& compute) {
  const std::int64_t size = reference::element_count(shape).value();
  std::vector<std::byte> bytes(static_cast<std::size_t>(optimized::packed_bytes(type, size)));
  if (size > 0) {
    const optimized::Status status = compute(TensorView{type, bytes});
    if (status.error != optimized::Error::none) throw Refusal{std::string(describe(status.error))};
  }
  return Tensor(type, shape, std::move(bytes));
}

/// The kernels and threads that compute a node.
struct KernelChoice {
  std::optional<optimized::Isa> isa;
  const optimized::Executor* executor;
};

template <class Options>
Options with(Options options, const KernelChoice& choice) {
  options.isa = choice.isa;
  options.executor = choice.executor;
  return options;
}

Tensor quantize(const TypedNode& node, const KernelChoice& choice) {
  const optimized::Geometry geometry = geometry_of(node);
  const ElementType type = y_type_of(node);
  const optimized::QuantizeOptions options = with(quantize_options_of(node), choice);
  return computed(type, node.x.shape(), [&](TensorView y) {
    return optimized::quantize_linear(view(node.x), view(node.scale), view(node.zero_point), y, geometry, options);
  });
}

Tensor dequantize(const TypedNode& node, const KernelChoice& choice) {
  const optimized::Geometry geometry = geometry_of(node);
  const ElementType type = y_type_of(node);
  const optimized::DequantizeOptions options = with(dequantize_options_of(node, type), choice);
  return computed(type, node.x.shape(), [&](TensorView y) {
    return optimized::dequantize_linear(view(node.x), view(node.scale), view(node.zero_point), y, geometry, options);
  });
}

Tensor dequantize_opmx(const TypedNode& node, const KernelChoice& choice) {
  const OpmxCall call = opmx_call_of(node);
  return computed(y_type_of(node), call.y_shape, [&](TensorView y) {
    return optimized::dequantize_opmx({call.x_type, node.x.bytes()}, view(node.scale), view(call.zero_point), y,
                                      call.geometry, with(call.options, choice));
  });
}

}  // namespace

OptimizedAnswer run_optimized(const Node& node, std::optional<optimized::Isa> isa,
                              const optimized::Executor* executor) {
  try {
    const TypedNode typed = read_typed_node(node);
    const KernelChoice choice{isa, executor};
    if (node.domain == spec::opmx) return dequantize_opmx(typed, choice);
    return node.op == Operator::quantize_linear ? quantize(typed, choice) : dequantize(typed, choice);
  } catch (Refusal& refusal) {
    return std::move(refusal);
  }
}

}  // namespace touchstone::conformance
