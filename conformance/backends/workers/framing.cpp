#include "conformance/backends/workers/framing.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace touchstone::conformance {

namespace {

constexpr std::size_t longest_header = 10;  // of a 64-bit size

}  // namespace

void append_size(std::string& stream, std::uint64_t size) {
  for (; size >= 0x80; size >>= 7) stream += static_cast<char>(size | 0x80);
  stream += static_cast<char>(size);
}

std::span<char> FrameReader::room() {
  const std::size_t unread = end_ - begin_;
  // Moves at most as many bytes as `next` has returned since the last move, so the total cost is linear.
  if (begin_ > 0 && (begin_ >= unread || capacity_ - end_ < least_room_)) {
    std::copy_n(buffer_.get() + begin_, unread, buffer_.get());
    begin_ = 0;
    end_ = unread;
  }
  if (capacity_ - end_ < least_room_) grow(std::max(2 * unread, end_ + least_room_));
  return {buffer_.get() + end_, capacity_ - end_};
}

void FrameReader::grow(std::size_t capacity) {
  char* grown = static_cast<char*>(std::realloc(buffer_.get(), capacity));
  if (grown == nullptr) throw std::bad_alloc();
  static_cast<void>(buffer_.release());  // realloc has freed or reused it
  buffer_.reset(grown);
  capacity_ = capacity;
}

std::optional<FrameReader::Header> FrameReader::header() const {
  const std::string_view bytes = waiting();
  Header found{0, 0};
  for (const char byte : bytes.substr(0, longest_header)) {
    const auto bits = static_cast<std::uint64_t>(static_cast<unsigned char>(byte) & 0x7F);
    found.size |= bits << (7 * found.length++);
    if ((byte & 0x80) == 0) return found;
  }
  if (bytes.size() >= longest_header) throw ProtocolError("its output does not begin with the size of a message");
  return std::nullopt;
}

std::optional<std::string_view> FrameReader::next() {
  const auto found = header();
  if (!found) return std::nullopt;
  if (found->size > limit_)
    throw ProtocolError(
        fmt::format("its output begins with a message of {} bytes; the limit here is {}", found->size, limit_));
  if (end_ - begin_ - found->length < found->size) return std::nullopt;
  const std::string_view message = waiting().substr(found->length, found->size);
  begin_ += found->length + found->size;
  return message;
}

void FrameReader::forget() {
  constexpr std::size_t most_kept = std::size_t{1} << 20;
  if (begin_ < end_ || capacity_ <= most_kept) return;
  buffer_.reset();
  begin_ = end_ = capacity_ = 0;
}

std::string FrameReader::unfinished() const {
  if (begin_ == end_) return "";
  const auto found = header();
  if (!found) return "the first byte of a message";
  return fmt::format("{} of {} bytes of a message", end_ - begin_ - found->length, found->size);
}

}  // namespace touchstone::conformance
