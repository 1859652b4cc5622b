#include "conformance/files/sha256.h"

#include <gtest/gtest.h>

namespace touchstone::conformance::sha256_test {
namespace {

/// The examples of FIPS 180-4.
TEST(Sha256, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ(sha256({"abc"}), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256({"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"}),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256, JoinsItsParts) { EXPECT_EQ(sha256({"a", "", "bc"}), sha256({"abc"})); }

TEST(Sha256, IsWrittenAndReadInHexadecimal) {
  const std::string digits = sha256({"abc"});
  const std::optional<Sha256> digest = sha256_from_hex(digits);
  ASSERT_TRUE(digest);
  EXPECT_EQ(digest->bytes[0], 0xba);
  EXPECT_EQ(to_hex(*digest), digits);
  EXPECT_EQ(to_hex(Sha256{}), std::string(64, '0'));
  for (const std::string& other : {digits.substr(1), digits + "0", "g" + digits.substr(1), "B" + digits.substr(1)})
    EXPECT_FALSE(sha256_from_hex(other)) << other;
}

}  // namespace
}  // namespace touchstone::conformance::sha256_test
