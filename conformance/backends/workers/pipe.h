// Pipes and other descriptors that close themselves and are not inherited by processes that other threads start.
#pragma once

#include <utility>

namespace touchstone::conformance {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return number_; }  ///< -1: none
  bool is_open() const { return number_ >= 0; }
  void close();

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor out;  ///< to read from
  Descriptor in;   ///< to write to
};

// These return descriptors with numbers above those of a worker's descriptors. They throw BackendError if the system
// has no more descriptors.

Pipe open_pipe();
Descriptor open_null();

void set_nonblocking(const Descriptor& descriptor);
/// Enlarges the pipe's buffer as far as the system allows; the default of 64 KiB is slow for large tensors.
void enlarge(const Descriptor& pipe);

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
