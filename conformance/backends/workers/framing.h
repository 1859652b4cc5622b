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

/// What a worker, or whoever sends it requests, says is not the protocol.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What stands before a message of so many bytes.
void append_size(std::string& stream, std::uint64_t size);

/// Takes messages out of bytes as they arrive. The memory that it takes follows the bytes that are there, never the
/// size that they claim.
class FrameReader {
 public:
  /// `least_room`: of bytes, at least 1, that `room` gives at a time.
  explicit FrameReader(std::size_t least_room = std::size_t{256} << 10) : least_room_(least_room) {}

  /// Messages longer than this are an error as soon as their size is known.
  void set_limit(std::uint64_t bytes) { limit_ = bytes; }

  /// Where the next bytes are to go; never empty. Views of messages are of no use from here on.
  std::span<char> room();
  /// So many of them are there now.
  void arrived(std::size_t count) { end_ += count; }

  /// The next message, if it is whole. Throws ProtocolError.
  std::optional<std::string_view> next();

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
  /// Nothing if it is not whole. Throws ProtocolError.
  std::optional<Header> header() const;

  std::size_t least_room_;
  std::uint64_t limit_ = 0;
  // From malloc: growing then mostly copies nothing, and never touches what no byte has come to.
  std::unique_ptr<char, Free> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;  ///< of what was not given out yet
  std::size_t end_ = 0;    ///< of what has arrived
};

}  // namespace touchstone::conformance
