/* For tests: a backend that answers everything with y = [[10, 20, 30], [13, 22, 31]] of type uint8. TOUCHSTONE_LIE
 * selects what it gets wrong. It is built in several variants: with WITH_MODELS it prepares models, with
 * WITHOUT_RELEASE it lacks a function, and OTHER_ABI is its interface version. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/backends/workers/touchstone_backend.h"

#ifndef OTHER_ABI
#define OTHER_ABI TOUCHSTONE_BACKEND_ABI
#endif

/* One letter for each call. */
static char calls[100];
static void called(char letter) {
  const size_t length = strlen(calls);
  if (length + 1 < sizeof calls) calls[length] = letter;
}
const char* lying_library_calls(void);
const char* lying_library_calls(void) { return calls; }

static int lies(const char* name) {
  const char* told = getenv("TOUCHSTONE_LIE");
  return told != NULL && strcmp(told, name) == 0;
}

int touchstone_backend_abi(void) { return OTHER_ABI; }

touchstone_status touchstone_backend_create(touchstone_backend** backend, const char** message) {
  (void)message;
  *backend = NULL;
  if (lies("create_status")) return 9;
  return TOUCHSTONE_OK;
}

void touchstone_backend_destroy(touchstone_backend* backend) {
  (void)backend;
  called('d');
}

touchstone_identity touchstone_backend_identity(touchstone_backend* backend) {
  (void)backend;
  const touchstone_identity identity = {lies("nameless") ? NULL : "liar", NULL, NULL};
  return identity;
}

touchstone_capabilities touchstone_backend_capabilities(touchstone_backend* backend) {
  (void)backend;
  static const int32_t types[] = {1, 2};
  static const touchstone_opset_range opsets[] = {{"", 10, 13}, {NULL, 19, 28}};
  touchstone_capabilities capabilities;
  memset(&capabilities, 0, sizeof capabilities);
  if (lies("declares")) {
    capabilities.element_types = types;
    capabilities.element_type_count = 2;
    capabilities.opsets = opsets;
    capabilities.opset_count = 2;
    capabilities.static_shapes_only = 1;
  }
  if (lies("null_types")) capabilities.element_type_count = 3;
  if (lies("endless_opsets")) {
    capabilities.opsets = opsets;
    capabilities.opset_count = SIZE_MAX;
  }
  return capabilities;
}

static void lie_of(touchstone_tensor* y) {
  static const int64_t negative[] = {2, -3};
  static const int64_t huge[] = {INT64_MAX, 2};
  static const int64_t wrapping[] = {11, INT64_C(1676976733973595602)}; /* 2^64 + 6 */
  static const int64_t big[] = {INT64_MAX / 8};
  static const int64_t one[] = {1};
  static const int64_t none[] = {2, 0};
  if (lies("too_few_bytes")) y->bytes = 5;
  if (lies("too_many_bytes")) y->bytes = 7;
  if (lies("endless_bytes")) y->bytes = SIZE_MAX;
  if (lies("null_data")) y->data = NULL;
  if (lies("null_dims")) y->dims = NULL;
  if (lies("endless_rank")) y->rank = SIZE_MAX;
  if (lies("negative_dimension")) y->dims = negative;
  if (lies("overflowing_dimensions")) y->dims = huge;
  if (lies("wrapping_dimensions")) y->dims = wrapping;
  if (lies("big_dimension")) {
    y->rank = 1;
    y->dims = big;
    y->bytes = (size_t)big[0];
  }
  if (lies("no_type")) y->element_type = 0;
  if (lies("unknown_type")) y->element_type = 999;
  if (lies("strings")) y->element_type = 8;
  if (lies("other_type")) y->element_type = 3;
  if (lies("set_padding")) { /* of FLOAT6E2M3: the element is 10, and a padding bit above it is set */
    static const uint8_t padded[] = {0x8A};
    y->element_type = 27;
    y->rank = 1;
    y->dims = one;
    y->data = padded;
    y->bytes = 1;
  }
  if (lies("empty")) {
    y->dims = none;
    y->data = NULL;
    y->bytes = 0;
  }
  if (lies("scalar")) {
    y->rank = 0;
    y->dims = NULL;
    y->bytes = 1;
  }
  if (lies("no_text")) y->name = "\xFF\xFE";
}

static touchstone_status answer(const touchstone_tensor** outputs, size_t* output_count, const char** message) {
  static const int64_t dims[] = {2, 3};
  static const uint8_t codes[] = {10, 20, 30, 13, 22, 31, 0, 0};
  static touchstone_tensor y[2];
  called('r');
  for (int i = 0; i < 2; ++i) {
    const touchstone_tensor right = {NULL, 2, 2, dims, codes, 6};
    y[i] = right;
  }
  lie_of(&y[0]);
  *outputs = y;
  *output_count = 1;
  if (lies("no_outputs")) *output_count = 0;
  if (lies("two_outputs")) *output_count = 2;
  if (lies("endless_outputs")) *output_count = SIZE_MAX;
  if (lies("null_outputs")) *outputs = NULL;
  if (lies("status")) return 7;
  if (lies("negative_status")) return -1;
  if (lies("refused")) return TOUCHSTONE_REFUSED;
  if (lies("broken")) {
    *message = "the device is gone";
    return TOUCHSTONE_BROKEN;
  }
  return TOUCHSTONE_OK;
}

void touchstone_backend_free_outputs(touchstone_backend* backend, const touchstone_tensor* outputs,
                                     size_t output_count) {
  (void)backend;
  (void)output_count;
  called(outputs == NULL ? '0' : 'f');
}

#ifdef WITH_MODELS

touchstone_status touchstone_backend_prepare(touchstone_backend* backend, const void* model, size_t model_bytes,
                                             touchstone_model** prepared, const char** message) {
  (void)backend;
  (void)model_bytes;
  called('p');
  *prepared = (touchstone_model*)(uintptr_t)model; /* it stays until it is released */
  if (lies("no_model")) *prepared = NULL;
  if (lies("prepare_status")) return 7;
  if (lies("prepare_refused")) {
    *message = "not such a model";
    return TOUCHSTONE_REFUSED;
  }
  return TOUCHSTONE_OK;
}

touchstone_status touchstone_backend_run_model(touchstone_backend* backend, touchstone_model* prepared,
                                               const touchstone_tensor* inputs, size_t input_count,
                                               const touchstone_tensor** outputs, size_t* output_count,
                                               const char** message) {
  (void)backend;
  (void)prepared;
  (void)inputs;
  (void)input_count;
  return answer(outputs, output_count, message);
}

#ifndef WITHOUT_RELEASE
void touchstone_backend_release_model(touchstone_backend* backend, touchstone_model* prepared) {
  (void)backend;
  (void)prepared;
  called('m');
}
#endif

#else

touchstone_status touchstone_backend_run(touchstone_backend* backend, const void* model, size_t model_bytes,
                                         const touchstone_tensor* inputs, size_t input_count,
                                         const touchstone_tensor** outputs, size_t* output_count,
                                         const char** message) {
  (void)backend;
  (void)model;
  (void)model_bytes;
  (void)inputs;
  (void)input_count;
  return answer(outputs, output_count, message);
}

#endif
