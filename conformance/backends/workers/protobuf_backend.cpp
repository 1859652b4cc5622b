// For tests: a library that contains its own Protocol Buffers and ONNX messages, as the runtimes of most vendors do. It
// parses every model and runs none.
#include <onnx/onnx_pb.h>

#include <string>

#include "conformance/backends/workers/touchstone_backend.h"

struct touchstone_backend {
  std::string message;
};

int touchstone_backend_abi(void) { return TOUCHSTONE_BACKEND_ABI; }

touchstone_status touchstone_backend_create(touchstone_backend** backend, const char**) {
  *backend = new touchstone_backend;
  return TOUCHSTONE_OK;
}

void touchstone_backend_destroy(touchstone_backend* backend) { delete backend; }

touchstone_identity touchstone_backend_identity(touchstone_backend*) { return {"protobuf-example", nullptr, nullptr}; }

touchstone_status touchstone_backend_run(touchstone_backend* backend, const void* model, size_t model_bytes,
                                         const touchstone_tensor*, size_t, const touchstone_tensor**, size_t*,
                                         const char** message) {
  onnx::ModelProto read;
  if (!read.ParseFromArray(model, static_cast<int>(model_bytes))) return TOUCHSTONE_BROKEN;
  backend->message = "no kernel for " + read.graph().node(0).op_type();
  *message = backend->message.c_str();
  return TOUCHSTONE_REFUSED;
}

void touchstone_backend_free_outputs(touchstone_backend*, const touchstone_tensor*, size_t) {}
