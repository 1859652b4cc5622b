// Pipes and other descriptors that are never inherited by a process that another thread starts.
#pragma once

#include "conformance/files/file_descriptor.h"

namespace touchstone::conformance {

struct Pipe {
  FileDescriptor out;  ///< to read from
  FileDescriptor in;   ///< to write to
};

// Their numbers are above those that a worker is given. They throw BackendError if the system has no more.

Pipe open_pipe();
FileDescriptor open_null();

void set_nonblocking(const FileDescriptor& descriptor);
/// As much as the system allows, so that big tensors do not go through by 64 KiB.
void enlarge(const FileDescriptor& pipe);

/// While it is there, writing to a pipe that nobody reads is an error and no signal, in this thread.
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
