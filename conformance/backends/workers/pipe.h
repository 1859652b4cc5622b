// Pipes and other descriptors that are not inherited by processes that other threads start.
#pragma once

#include "conformance/files/file_descriptor.h"

namespace touchstone::conformance {

struct Pipe {
  FileDescriptor out;  ///< to read from
  FileDescriptor in;   ///< to write to
};

// These return descriptors with numbers above those of a worker's descriptors. They throw BackendError if the system
// has no more descriptors.

Pipe open_pipe();
FileDescriptor open_null();

void set_nonblocking(const FileDescriptor& descriptor);
/// Enlarges the pipe's buffer as far as the system allows; the default of 64 KiB is slow for large tensors.
void enlarge(const FileDescriptor& pipe);

/// During its lifetime, writing to a closed pipe in this thread is an error instead of a signal.
class NoSigpipe {
 public:
  NoSigpipe();
  ~NoSigpipe();
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  bool was_blocked_;
  bool was_pending_;
};

}  // namespace touchstone::conformance
