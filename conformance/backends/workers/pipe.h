// Pipes and other descriptors that close themselves, and are never inherited by a process that another thread starts.
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

// Their numbers are above those that a worker is given. They throw BackendError if the system has no more.

Pipe open_pipe();
Descriptor open_null();

void set_nonblocking(const Descriptor& descriptor);
/// As much as the system allows, so that big tensors do not go through by 64 KiB.
void enlarge(const Descriptor& pipe);

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
