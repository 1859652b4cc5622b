#include "conformance/run/line_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "conformance/files/sha256.h"

namespace touchstone::conformance::line_chain_test {
namespace {

using testing::HasSubstr;

/// The message of the exception; empty if there is none.
std::string failure_of(LineChain chain, const std::string& line) try {
  chain.verify(line);
  return "";
} catch (const std::runtime_error& error) {
  return error.what();
}

TEST(LineChain, EndsEachLineWithTheDigestOfTheLinesBefore) {
  LineChain chain;
  const std::string first = sha256({R"({"a":1})"});
  EXPECT_EQ(chain.append("{\"a\":1}\n"), R"({"a":1,"checksum":")" + sha256({first, "}"}) + "\"}\n");
  EXPECT_EQ(chain.sum(), first);
  const std::string second = sha256({first, R"({"b":[2]})"});
  EXPECT_EQ(chain.append(R"({"b":[2]})"), R"({"b":[2],"checksum":")" + sha256({second, "}"}) + "\"}");
  EXPECT_EQ(chain.sum(), second);
}

/// Two equal runs have the same sums, though each line of theirs is protected.
TEST(LineChain, HasSumsWithoutTheTimes) {
  LineChain chain, other;
  const std::string sum = sha256({R"({"a":1})"});
  EXPECT_EQ(chain.append(R"({"a":1,"time":0.5})"),
            R"({"a":1,"time":0.5,"checksum":")" + sha256({sum, R"(,"time":0.5})"}) + "\"}");
  EXPECT_EQ(chain.sum(), sum);
  const std::string line = other.append(R"({"a":1,"time":"2026-11-24T18:25:46Z"})");
  EXPECT_EQ(other.sum(), sum);
  std::string changed = line;
  changed.replace(changed.find("46Z"), 2, "47");
  EXPECT_EQ(failure_of(LineChain(), line), "");
  EXPECT_THAT(failure_of(LineChain(), changed), HasSubstr("this line was changed"));
}

/// Only the last member is the time of a line.
TEST(LineChain, HasSumsOfOtherMembersWithThatName) {
  for (const char* object : {R"({"a":{"b":1,"time":2}})", R"({"a":1,"time":[2]})", R"({"a":1,"time":1,"c":2})"}) {
    LineChain chain;
    chain.append(object);
    EXPECT_EQ(chain.sum(), sha256({object})) << object;
  }
}

TEST(LineChain, ReturnsTheLines) {
  LineChain written, read;
  for (const char* line : {R"({"a":1})", R"({"checksum":2})", R"({"a":1,"time":1})"})
    EXPECT_EQ(read.verify(written.append(line)), line);
  EXPECT_EQ(read.sum(), written.sum());
}

TEST(LineChain, RefusesAnyChangedCharacter) {
  const std::string line = LineChain().append(R"({"a":1,"time":2})");
  for (std::size_t i = 0; i < line.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = line;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      EXPECT_NE(failure_of(LineChain(), changed), "") << changed;
    }
  EXPECT_THAT(failure_of(LineChain(), R"({"a":1})"), HasSubstr("does not end with a checksum"));
  EXPECT_THAT(failure_of(LineChain(), line + " "), HasSubstr("does not end with a checksum"));
  EXPECT_THAT(failure_of(LineChain("00"), line), HasSubstr("this line was changed, or lines before"));
}

}  // namespace
}  // namespace touchstone::conformance::line_chain_test
