/* A backend as a shared library, in C or in whatever can be called from C:
 *
 *     touchstone run --backend lib:./libvendor.so
 *
 * It is loaded in a process of its own, which may crash or hang without harm, and which keeps its own libraries to
 * itself (README.md). All functions are called from one thread. Texts are UTF-8 and end in 0; those that the library
 * gives stay valid until its next call. */
#ifndef TOUCHSTONE_BACKEND_H
#define TOUCHSTONE_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What touchstone_backend_abi() has to return. */
#define TOUCHSTONE_BACKEND_ABI 1

typedef enum touchstone_status {
  TOUCHSTONE_OK = 0,
  TOUCHSTONE_REFUSED = 1, /* this model, or this model with these inputs, cannot be run; the message says why */
  TOUCHSTONE_BROKEN = 2   /* nothing more can be run: the process ends, and another one is started */
} touchstone_status;

typedef struct touchstone_tensor {
  const char* name;     /* of the graph's input; may be null of an output */
  int32_t element_type; /* onnx.TensorProto.DataType */
  size_t rank;
  const int64_t* dims; /* as many as the rank; may be null if that is 0 */
  const void* data;    /* as in onnx.TensorProto.raw_data: little-endian; 4- and 2-bit elements packed, the first in the
                          lowest bits. Not aligned to more than 16 bytes. */
  size_t bytes;
} touchstone_tensor;

typedef struct touchstone_identity {
  const char* name;        /* of the backend: "vendor-npu" */
  const char* version;     /* "2.1"; may be null */
  const char* description; /* what else decides the answers; may be null */
} touchstone_identity;

/* The library's own. */
typedef struct touchstone_backend touchstone_backend;

/* What the library defines: */

int touchstone_backend_abi(void);

/* Called first, and once. */
touchstone_status touchstone_backend_create(touchstone_backend** backend, const char** message);
void touchstone_backend_destroy(touchstone_backend* backend);

touchstone_identity touchstone_backend_identity(touchstone_backend* backend);

/* Runs a model, which is a serialized onnx.ModelProto, with the inputs of its graph in their order. The outputs of the
 * graph, in their order, stay the library's, and are given back to it. Without TOUCHSTONE_OK there are none. */
touchstone_status touchstone_backend_run(touchstone_backend* backend, const void* model, size_t model_bytes,
                                         const touchstone_tensor* inputs, size_t input_count,
                                         const touchstone_tensor** outputs, size_t* output_count, const char** message);
void touchstone_backend_free_outputs(touchstone_backend* backend, const touchstone_tensor* outputs,
                                     size_t output_count);

#ifdef __cplusplus
}
#endif

#endif
