/* A backend as a shared library, in C or any language that can export C functions:
 *
 *     touchstone run --backend lib:./libvendor.so
 *
 * A library must define the six functions below `What every library defines`. The others are optional and are found by
 * their names: touchstone_backend_capabilities declares limits of the backend, and three functions that belong together
 * replace touchstone_backend_run: they prepare a model once for all its inputs.
 *
 * Process: the library is loaded in its own process, which may crash or hang without harm, and whose libraries do not
 *   interfere with those of Touchstone (README.md).
 * Threads: all functions are called from one thread, and there is one model at a time.
 * Ownership: each side owns what it passes. Arguments from Touchstone are valid until the function returns, except a
 *   model to prepare, which is valid until it is released. Results of the library must be valid until its next function
 *   is called, except outputs and models, which must be valid until they are released.
 * Errors: no exception may leave a function. A function that fails returns a status, and may set the message, which is
 *   initially null. Results with TOUCHSTONE_OK are checked: invalid outputs make the case a harness_error, which says
 *   what is wrong with them; the process continues.
 * Strings are UTF-8 and end with a zero byte.
 * Versions: TOUCHSTONE_BACKEND_ABI changes if a struct or a function changes. Additional optional functions do not
 *   change it. */
#ifndef TOUCHSTONE_BACKEND_H
#define TOUCHSTONE_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What touchstone_backend_abi() must return. */
#define TOUCHSTONE_BACKEND_ABI 1

typedef int32_t touchstone_status;
enum {
  TOUCHSTONE_OK = 0,
  TOUCHSTONE_REFUSED = 1, /* this model, or this model with these inputs, cannot be run; the message says why */
  TOUCHSTONE_BROKEN = 2 /* nothing more can be run: the process ends, which counts as a crash of the case, and a new one
                           is started */
};

typedef struct touchstone_tensor {
  const char* name;     /* of the graph's input; may be null for an output */
  int32_t element_type; /* onnx.TensorProto.DataType */
  size_t rank;
  const int64_t* dims; /* as many as the rank; may be null if that is 0 */
  const void* data;    /* as in onnx.TensorProto.raw_data: little-endian; 4- and 2-bit elements packed, the first in the
                          lowest bits. Not aligned to more than 16 bytes. May be null if there are no bytes. */
  size_t bytes;
} touchstone_tensor;

typedef struct touchstone_identity {
  const char* name;        /* of the backend: "vendor-npu" */
  const char* version;     /* "2.1"; may be null */
  const char* description; /* what else affects the results; may be null */
} touchstone_identity;

typedef struct touchstone_opset_range {
  const char* domain; /* "" is ai.onnx */
  int64_t oldest;
  int64_t newest;
} touchstone_opset_range;

/* All zero: the backend has no limits. */
typedef struct touchstone_capabilities {
  const int32_t* element_types; /* onnx.TensorProto.DataType of graph inputs, outputs and constants; none: all */
  size_t element_type_count;
  const touchstone_opset_range* opsets; /* none: all */
  size_t opset_count;
  int32_t constant_scales_only; /* 1: scale and zero point have to be initializers or constants */
  int32_t static_shapes_only;   /* 1: no input of the graph may have a symbolic or unknown dimension */
} touchstone_capabilities;

/* Defined by the library. */
typedef struct touchstone_backend touchstone_backend;
typedef struct touchstone_model touchstone_model;

/* What every library defines: */

int touchstone_backend_abi(void);

/* Called once, before the functions below. */
touchstone_status touchstone_backend_create(touchstone_backend** backend, const char** message);
/* Called last, even if the backend is broken. */
void touchstone_backend_destroy(touchstone_backend* backend);

touchstone_identity touchstone_backend_identity(touchstone_backend* backend);

/* Runs a model, a serialized onnx.ModelProto, with the inputs of its graph in order. With TOUCHSTONE_OK, returns the
 * outputs of the graph in order. A library that prepares models need not define it. */
touchstone_status touchstone_backend_run(touchstone_backend* backend, const void* model, size_t model_bytes,
                                         const touchstone_tensor* inputs, size_t input_count,
                                         const touchstone_tensor** outputs, size_t* output_count, const char** message);
/* Called to release outputs that are not null. */
void touchstone_backend_free_outputs(touchstone_backend* backend, const touchstone_tensor* outputs,
                                     size_t output_count);

/* Optional, called once. Models that exceed the limits are not passed to the backend, and count as not asked. */
touchstone_capabilities touchstone_backend_capabilities(touchstone_backend* backend);

/* Optional; all three together replace touchstone_backend_run. A model is prepared, run with each of its inputs in
 * turn, and released, so that state that it keeps between runs is tested, too. A model must not be null.
 * TOUCHSTONE_REFUSED from touchstone_backend_prepare refuses the model for all inputs; then there is nothing to
 * release. */
touchstone_status touchstone_backend_prepare(touchstone_backend* backend, const void* model, size_t model_bytes,
                                             touchstone_model** prepared, const char** message);
touchstone_status touchstone_backend_run_model(touchstone_backend* backend, touchstone_model* prepared,
                                               const touchstone_tensor* inputs, size_t input_count,
                                               const touchstone_tensor** outputs, size_t* output_count,
                                               const char** message);
void touchstone_backend_release_model(touchstone_backend* backend, touchstone_model* prepared);

#ifdef __cplusplus
}
#endif

#endif
