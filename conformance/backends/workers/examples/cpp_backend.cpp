// A backend in C++: only DequantizeLinear of uint8 and int8 with one scale. A model is prepared once and run with each
// of its inputs. Yours calls its runtime where this one computes, and parses the model where this one searches the
// model's bytes for the operator's name.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/workers/touchstone_backend.h"

struct touchstone_backend {
  std::string message;
};

/// In a real backend: the compiled model, and the state that it needs to run.
struct touchstone_model {
  std::vector<std::int64_t> dims;
  std::vector<float> y;
  touchstone_tensor output;
};

namespace {

// Values of onnx.TensorProto.DataType.
constexpr std::int32_t float32 = 1;
constexpr std::int32_t uint8 = 2;
constexpr std::int32_t int8 = 3;

/// The operator's name as a field of a node: the tag of op_type, which is field 4, then the length, then the name.
constexpr std::string_view dequantize_linear =
    "\x22\x10"
    "DequantizeLinear";

/// The model or the inputs are not supported.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Element>
std::vector<float> dequantize(const touchstone_tensor& x, const touchstone_tensor& scale,
                              const touchstone_tensor& zero_point) {
  const auto* begin = static_cast<const Element*>(x.data);
  const float s = *static_cast<const float*>(scale.data);
  const auto z = static_cast<float>(*static_cast<const Element*>(zero_point.data));
  std::vector<float> y;
  for (const Element* element = begin; element != begin + x.bytes; ++element)
    y.push_back((static_cast<float>(*element) - z) * s);
  return y;
}

std::vector<float> compute(const touchstone_tensor* inputs, std::size_t count) {
  if (count != 3) throw Refused("only three inputs");
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

/// Converts exceptions into a status: no exception may leave a function, because the caller may be C.
template <class Step>
touchstone_status guarded(touchstone_backend& backend, const char** message, const Step& step) try {
  step();
  return TOUCHSTONE_OK;
} catch (const std::exception& error) {
  backend.message = error.what();
  *message = backend.message.c_str();
  return dynamic_cast<const Refused*>(&error) != nullptr ? TOUCHSTONE_REFUSED : TOUCHSTONE_BROKEN;
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

touchstone_status touchstone_backend_prepare(touchstone_backend* backend, const void* model, std::size_t model_bytes,
                                             touchstone_model** prepared, const char** message) {
  return guarded(*backend, message, [&] {
    const std::string_view bytes(static_cast<const char*>(model), model_bytes);
    if (bytes.find(dequantize_linear) == std::string_view::npos) throw Refused("only DequantizeLinear");
    *prepared = new touchstone_model{};
  });
}

touchstone_status touchstone_backend_run_model(touchstone_backend* backend, touchstone_model* prepared,
                                               const touchstone_tensor* inputs, std::size_t input_count,
                                               const touchstone_tensor** outputs, std::size_t* output_count,
                                               const char** message) {
  return guarded(*backend, message, [&] {
    std::vector<float>& y = prepared->y;
    std::vector<std::int64_t>& dims = prepared->dims;
    y = compute(inputs, input_count);
    dims.assign(inputs[0].dims, inputs[0].dims + inputs[0].rank);
    prepared->output = {nullptr, float32, dims.size(), dims.data(), y.data(), y.size() * sizeof(float)};
    *outputs = &prepared->output;
    *output_count = 1;
  });
}

void touchstone_backend_release_model(touchstone_backend*, touchstone_model* prepared) { delete prepared; }

// The model owns its outputs until its next run.
void touchstone_backend_free_outputs(touchstone_backend*, const touchstone_tensor*, std::size_t) {}
