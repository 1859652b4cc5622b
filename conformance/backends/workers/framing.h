// Delimited messages on a pipe: each is preceded by its size, as a base-128 varint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace touchstone::conformance {

/// The other side of a pipe violates the protocol.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Appends the size that precedes a message of `size` bytes.
void append_size(std::string& stream, std::uint64_t size);

/// Extracts messages from a stream of bytes. The memory use depends on the bytes received, never on the size that a
/// header claims.
class FrameReader {
 public:
  /// `least_room`: the minimum size, at least 1, of the span that `room` returns.
  explicit FrameReader(std::size_t least_room = std::size_t{256} << 10) : least_room_(least_room) {}

  /// A longer message is an error as soon as its size is known.
  void set_limit(std::uint64_t bytes) { limit_ = bytes; }

  /// The buffer for the next bytes; never empty. Invalidates the messages that `next` returned.
  std::span<char> room();
  /// Records that `count` bytes were written to `room()`.
  void arrived(std::size_t count) { end_ += count; }

  /// The next message, if it is complete. Throws ProtocolError.
  std::optional<std::string_view> next();
  /// Frees the memory of long messages that `next` has returned, and invalidates them.
  void forget();

  /// Describes an incomplete message: "12 of 40 bytes of a message". Empty if no message has begun.
  std::string unfinished() const;

 private:
  struct Header {
    std::uint64_t size;  ///< of the message
    std::size_t length;  ///< of the header itself
  };
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };
  std::string_view waiting() const { return {buffer_.get() + begin_, end_ - begin_}; }
  void grow(std::size_t capacity);
  /// std::nullopt if it is incomplete. Throws ProtocolError.
  std::optional<Header> header() const;

  std::size_t least_room_;
  std::uint64_t limit_ = 0;
  // Allocated with malloc, because realloc usually avoids a copy and does not touch unused memory.
  std::unique_ptr<char, Free> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;  ///< where the bytes that `next` has not returned begin
  std::size_t end_ = 0;    ///< where the received bytes end
};

}  // namespace touchstone::conformance
