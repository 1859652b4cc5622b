// A backend in C++: DequantizeLinear of uint8 and int8 with one scale, and nothing else. Where this computes, yours
// calls its runtime; where this looks for the operator's name in the model's bytes, yours reads the model.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/workers/touchstone_backend.h"

struct touchstone_backend {
  std::string message;
  std::vector<std::int64_t> dims;
  std::vector<float> y;
  touchstone_tensor output;
};

namespace {

// Of onnx.TensorProto.DataType.
constexpr std::int32_t float32 = 1;
constexpr std::int32_t uint8 = 2;
constexpr std::int32_t int8 = 3;

/// The operator's name as a field of a node: op_type is field 4, and its length stands before it.
constexpr std::string_view dequantize_linear =
    "\x22\x10"
    "DequantizeLinear";

/// What is refused.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Element>
std::vector<float> dequantize(const touchstone_tensor& x, const touchstone_tensor& scale,
                              const touchstone_tensor& zero_point) {
  const auto* begin = static_cast<const Element*>(x.data);
  const float s = *static_cast<const float*>(scale.data);
  const int z = *static_cast<const Element*>(zero_point.data);
  std::vector<float> y;
  for (const Element* element = begin; element != begin + x.bytes; ++element)
    y.push_back(static_cast<float>(*element - z) * s);
  return y;
}

std::vector<float> compute(std::string_view model, const touchstone_tensor* inputs, std::size_t count) {
  if (model.find(dequantize_linear) == std::string_view::npos || count != 3)
    throw Refused("only DequantizeLinear of three inputs");
  const touchstone_tensor& x = inputs[0];
  const touchstone_tensor& scale = inputs[1];
  const touchstone_tensor& zero_point = inputs[2];
  if (scale.element_type != float32 || scale.rank != 0 || zero_point.rank != 0 ||
      zero_point.element_type != x.element_type)
    throw Refused("only one scale, of float32, and one zero point, of the type of x");
  if (x.element_type == uint8) return dequantize<std::uint8_t>(x, scale, zero_point);
  if (x.element_type == int8) return dequantize<std::int8_t>(x, scale, zero_point);
  throw Refused("only uint8 and int8");
}

}  // namespace

int touchstone_backend_abi() { return TOUCHSTONE_BACKEND_ABI; }

touchstone_status touchstone_backend_create(touchstone_backend** backend, const char**) {
  *backend = new touchstone_backend{};
  return TOUCHSTONE_OK;
}

void touchstone_backend_destroy(touchstone_backend* backend) { delete backend; }

touchstone_identity touchstone_backend_identity(touchstone_backend*) {
  return {"cpp-example", "1.0", "DequantizeLinear of uint8 and int8, one scale"};
}

// No exception may leave it: the caller may be C.
touchstone_status touchstone_backend_run(touchstone_backend* backend, const void* model, std::size_t model_bytes,
                                         const touchstone_tensor* inputs, std::size_t input_count,
                                         const touchstone_tensor** outputs, std::size_t* output_count,
                                         const char** message) try {
  backend->y = compute({static_cast<const char*>(model), model_bytes}, inputs, input_count);
  backend->dims.assign(inputs[0].dims, inputs[0].dims + inputs[0].rank);
  backend->output = {nullptr,
                     float32,
                     backend->dims.size(),
                     backend->dims.data(),
                     backend->y.data(),
                     backend->y.size() * sizeof(float)};
  *outputs = &backend->output;
  *output_count = 1;
  return TOUCHSTONE_OK;
} catch (const std::exception& error) {
  backend->message = error.what();
  *message = backend->message.c_str();
  return dynamic_cast<const Refused*>(&error) != nullptr ? TOUCHSTONE_REFUSED : TOUCHSTONE_BROKEN;
}

void touchstone_backend_free_outputs(touchstone_backend*, const touchstone_tensor*, std::size_t) {}
