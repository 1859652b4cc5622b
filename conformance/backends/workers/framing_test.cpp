#include "conformance/backends/workers/framing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace touchstone::conformance::framing_test {
namespace {

using testing::HasSubstr;

void arrive(FrameReader& reader, std::string_view bytes) {
  while (!bytes.empty()) {
    const std::span<char> room = reader.room();
    const std::size_t count = std::min(room.size(), bytes.size());
    std::memcpy(room.data(), bytes.data(), count);
    reader.arrived(count);
    bytes.remove_prefix(count);
  }
}

std::string sized(std::uint64_t size) {
  std::string bytes;
  append_size(bytes, size);
  return bytes;
}

std::string failure_of(std::string_view bytes, std::uint64_t limit) {
  FrameReader reader;
  reader.set_limit(limit);
  arrive(reader, bytes);
  try {
    reader.next();
  } catch (const ProtocolError& error) {
    return error.what();
  }
  return "";
}

TEST(Framing, WritesSizesAsProtocolBuffersDo) {
  EXPECT_EQ(sized(0), std::string(1, '\0'));
  EXPECT_EQ(sized(127), "\x7F");
  EXPECT_EQ(sized(128), "\x80\x01");
  EXPECT_EQ(sized(300), "\xAC\x02") << "the example of the encoding's documentation";
}

TEST(Framing, FindsMessagesInPiecesOfAnySize) {
  const std::string message(300, 'm');
  const std::string stream = sized(300) + message + sized(0) + sized(2) + "ab";
  for (const std::size_t room : {1U, 16U, 1000U})
    for (const std::size_t piece : {1U, 2U, 7U, 301U, 1000U}) {
      FrameReader reader(room);
      reader.set_limit(300);
      std::vector<std::string> found;
      for (std::size_t i = 0; i < stream.size(); i += piece) {
        arrive(reader, std::string_view(stream).substr(i, piece));
        while (const auto next = reader.next()) found.emplace_back(*next);
      }
      EXPECT_EQ(found, (std::vector<std::string>{message, "", "ab"})) << piece << " bytes at a time, room for " << room;
      EXPECT_EQ(reader.unfinished(), "");
    }
}

TEST(Framing, ChecksTheLimitBeforeTheMessageArrives) {
  EXPECT_EQ(failure_of(sized(10), 10), "");
  EXPECT_THAT(failure_of(sized(11), 10), HasSubstr("a message of 11 bytes; the limit here is 10"));
  EXPECT_THAT(failure_of(sized(~std::uint64_t{0}), 10), HasSubstr("a message of 18446744073709551615 bytes"));
  EXPECT_EQ(failure_of(std::string(9, '\x80'), 10), "");
  EXPECT_THAT(failure_of(std::string(10, '\x80'), 10), HasSubstr("does not begin with the size"));
}

TEST(Framing, AllocatesMemoryForReceivedBytesOnly) {
  FrameReader reader;
  reader.set_limit(~std::uint64_t{0});
  arrive(reader, sized(std::uint64_t{1} << 60) + "abc");
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_LT(reader.room().size(), std::size_t{1} << 20);
  EXPECT_EQ(reader.unfinished(), "3 of 1152921504606846976 bytes of a message");
}

TEST(Framing, ContinuesAfterALongMessage) {
  FrameReader reader;
  reader.set_limit(10 << 20);
  const std::string message(5 << 20, 'm');
  for (int i = 0; i < 3; ++i) {
    arrive(reader, sized(message.size()) + message + sized(1));
    EXPECT_EQ(reader.next(), message);
    EXPECT_EQ(reader.next(), std::nullopt);
    arrive(reader, "x");
    EXPECT_EQ(reader.next(), "x");
  }
}

/// The memory of a long message is freed. Bytes of the next message are kept.
TEST(Framing, ForgetsLongMessages) {
  FrameReader reader;
  reader.set_limit(10 << 20);
  const std::string message(5 << 20, 'm');
  arrive(reader, sized(message.size()) + message);
  EXPECT_EQ(reader.next(), message);
  reader.forget();
  EXPECT_LT(reader.room().size(), std::size_t{1} << 20);
  arrive(reader, sized(message.size()) + message + sized(2) + "a");
  EXPECT_EQ(reader.next(), message);
  reader.forget();
  arrive(reader, "b");
  EXPECT_EQ(reader.next(), "ab");
}

}  // namespace
}  // namespace touchstone::conformance::framing_test
