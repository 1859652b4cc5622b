/* A backend in C: only QuantizeLinear from float32 to uint8 with one scale. It declares these limits as far as
 * possible. Most of the cases of touchstone run --suite generated --filter
 * 'quantize_linear/13/f32-f32-u8/per_tensor/zp*' --backend lib:PATH pass; it refuses those with constant scales. Yours
 * calls its runtime where this one computes, and parses the model where this one searches the model's bytes for names.
 * cpp_backend.cpp prepares models once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/backends/workers/touchstone_backend.h"

enum { FLOAT = 1, UINT8 = 2 };

struct touchstone_backend {
  touchstone_tensor output;
};

int touchstone_backend_abi(void) { return TOUCHSTONE_BACKEND_ABI; }

touchstone_status touchstone_backend_create(touchstone_backend** backend, const char** message) {
  *backend = calloc(1, sizeof **backend);
  if (*backend != NULL) return TOUCHSTONE_OK;
  *message = "out of memory";
  return TOUCHSTONE_BROKEN;
}

void touchstone_backend_destroy(touchstone_backend* backend) { free(backend); }

touchstone_identity touchstone_backend_identity(touchstone_backend* backend) {
  (void)backend;
  const touchstone_identity identity = {"c-example", "1.0", "QuantizeLinear of float32 to uint8, one scale"};
  return identity;
}

touchstone_capabilities touchstone_backend_capabilities(touchstone_backend* backend) {
  (void)backend;
  static const int32_t types[] = {FLOAT, UINT8};
  static const touchstone_opset_range opsets[] = {{"", 10, 28}};
  const touchstone_capabilities capabilities = {
      .element_types = types, .element_type_count = 2, .opsets = opsets, .opset_count = 1};
  return capabilities;
}

/* Fields of the model: their number and kind, their length, and a name. */
static const char quantize_linear[] = "\x22\x0eQuantizeLinear"; /* op_type of a node: field 4 */
static const char precision[] = "\x0a\x09precision";            /* name of an attribute: field 1 */

static int has_field(const char* model, size_t bytes, const char* field) {
  const size_t length = strlen(field);
  for (size_t i = 0; i + length <= bytes; ++i)
    if (memcmp(model + i, field, length) == 0) return 1;
  return 0;
}

static uint8_t quantize(float x, float scale, uint8_t zero_point) {
  const float y = nearbyintf(x / scale) + (float)zero_point;
  return !(y > 0) ? 0 : y >= 255 ? 255 : (uint8_t)y;
}

static int has_type(const touchstone_tensor* tensor, int32_t type) { return tensor->element_type == type; }

touchstone_status touchstone_backend_run(touchstone_backend* backend, const void* model, size_t model_bytes,
                                         const touchstone_tensor* inputs, size_t input_count,
                                         const touchstone_tensor** outputs, size_t* output_count,
                                         const char** message) {
  if (!has_field(model, model_bytes, quantize_linear) || has_field(model, model_bytes, precision) || input_count != 3 ||
      !has_type(&inputs[0], FLOAT) || !has_type(&inputs[1], FLOAT) || !has_type(&inputs[2], UINT8) ||
      inputs[1].rank != 0 || inputs[2].rank != 0) {
    *message =
        "only QuantizeLinear of float32 to uint8, without precision, with one scale and one zero point that are inputs";
    return TOUCHSTONE_REFUSED;
  }
  const size_t count = inputs[0].bytes / sizeof(float);
  const float* x = inputs[0].data;
  const float* scale = inputs[1].data;
  const uint8_t* zero_point = inputs[2].data;
  uint8_t* y = malloc(count + 1);
  int64_t* dims = malloc((inputs[0].rank + 1) * sizeof *dims);
  if (y == NULL || dims == NULL) {
    free(y);
    free(dims);
    *message = "out of memory";
    return TOUCHSTONE_BROKEN;
  }
  for (size_t i = 0; i < count; ++i) y[i] = quantize(x[i], *scale, *zero_point);
  for (size_t i = 0; i < inputs[0].rank; ++i) dims[i] = inputs[0].dims[i];
  const touchstone_tensor output = {NULL, UINT8, inputs[0].rank, dims, y, count};
  backend->output = output;
  *outputs = &backend->output;
  *output_count = 1;
  return TOUCHSTONE_OK;
}

void touchstone_backend_free_outputs(touchstone_backend* backend, const touchstone_tensor* outputs,
                                     size_t output_count) {
  (void)backend;
  for (size_t i = 0; i < output_count; ++i) {
    free((void*)(uintptr_t)outputs[i].dims);
    free((void*)(uintptr_t)outputs[i].data);
  }
}
