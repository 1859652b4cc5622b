#include "conformance/files/zip_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/algorithm/hex.hpp>
#include <string>
#include <string_view>

#include "conformance/files/testing.h"

namespace touchstone::conformance::zip_archive_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

/// By Python's zipfile: "s" is stored, "d/eflated" is deflated and has a field of zip64 in its local header, as those
/// of numpy.savez_compressed have.
const std::string archive = boost::algorithm::unhex(
    std::string("504b0304140000000000000021000bf943560600000006000000010000007373746f726564504b03042d0000000800000021"
                "00af3861b5ffffffffffffffff09001400642f65666c617465640100100051000000000000000e000000000000004b494dcb"
                "492c494d5148a1120300504b01021403140000000000000021000bf943560600000006000000010000000000000000000000"
                "80010000000073504b01022d032d000000080000002100af3861b50e00000051000000090000000000000000000000800125"
                "000000642f65666c61746564504b05060000000002000200660000006e0000000000"));
const std::string stored = "stored";
const std::string deflated = "deflated deflated deflated deflated deflated deflated deflated deflated deflated ";
constexpr std::size_t directory = 0x6e, second_member = directory + 47, end = 0xd4;
constexpr std::uint64_t no_limit = 1000;

std::string with(std::size_t at, std::string_view bytes) {
  std::string changed = archive;
  changed.replace(at, bytes.size(), bytes);
  return changed;
}

std::string complaint(const std::string& bytes, std::uint64_t limit = no_limit) {
  return failure_of([&] { ZipArchive(bytes, "x.npz").read("d/eflated", limit); });
}

TEST(ZipArchive, HasMembersByName) {
  const ZipArchive read(archive, "x.npz");
  EXPECT_THAT(read.read("s", 6), Optional(stored));
  EXPECT_THAT(read.read("d/eflated", no_limit), Optional(deflated));
  EXPECT_EQ(read.read("t", no_limit), std::nullopt);
  const std::string commented = with(end + 20, {"\6\0", 2}) + "PK\5\6..";
  EXPECT_THAT(ZipArchive(commented, "x.npz").read("s", no_limit), Optional(stored));
  EXPECT_EQ(ZipArchive(archive.substr(end, 10) + std::string(12, '\0'), "x.npz").read("s", 1), std::nullopt);
}

TEST(ZipArchive, IsRefusedWithTheReason) {
  EXPECT_THAT(complaint(""), HasSubstr("x.npz: not a zip archive"));
  EXPECT_THAT(complaint("\x93NUMPY"), HasSubstr("not a zip archive"));
  EXPECT_THAT(complaint(with(end + 4, "\1")), HasSubstr("one of several parts"));
  EXPECT_THAT(complaint(with(end + 10, "\xff\xff")), HasSubstr("zip64"));
  EXPECT_THAT(complaint(with(second_member + 20, "\xff\xff\xff\xff")), HasSubstr("zip64"));
  EXPECT_THAT(complaint(with(end + 10, "\3")), HasSubstr("truncated"));
  EXPECT_THAT(complaint(with(second_member, "K")), HasSubstr("has no member 1"));
  EXPECT_THAT(complaint(archive, 80), HasSubstr(R"(x.npz: member "d/eflated": 81 bytes; the limit is 80)"));
  EXPECT_THAT(complaint(with(second_member + 24, "\xfe\xff\xff\xff")), HasSubstr("4294967294 bytes; the limit is"));
  EXPECT_THAT(complaint(with(second_member + 8, "\1")), HasSubstr("encrypted"));
  EXPECT_THAT(complaint(with(second_member + 10, "\x0c")), HasSubstr("compressed with method 12"));
  EXPECT_THAT(complaint(with(second_member + 16, "?")), HasSubstr("damaged"));
  EXPECT_THAT(complaint(with(second_member + 24, "\x50")), HasSubstr("damaged"));
  EXPECT_THAT(complaint(with(second_member + 24, "\x52")), HasSubstr("damaged"));
  EXPECT_THAT(complaint(with(second_member + 42, "\x24")), HasSubstr("the wrong place for it"));
  EXPECT_THAT(complaint(with(second_member + 42, "\xf0")), HasSubstr("truncated"));
  std::string twice = archive;
  twice.insert(end, archive.substr(directory, 47));
  twice[end + 47 + 10] = 3;
  EXPECT_THAT(complaint(twice), HasSubstr(R"(two members of the zip archive are called "s")"));
}

/// A changed or a missing byte never changes the content of a member.
TEST(ZipArchive, HasTheContentOfItsMembersOrAnError) {
  const auto examine = [](const std::string& bytes) {
    for (const auto& [name, content] : {std::pair("s", stored), std::pair("d/eflated", deflated)}) try {
        const auto found = ZipArchive(bytes, "x.npz").read(name, no_limit);
        EXPECT_TRUE(!found || *found == content) << boost::algorithm::hex(bytes);
      } catch (const FileError&) {
      }
  };
  for (std::size_t i = 0; i < archive.size(); ++i) {
    examine(archive.substr(0, i));
    for (int bit = 0; bit < 8; ++bit) examine(with(i, std::string(1, static_cast<char>(archive[i] ^ (1 << bit)))));
  }
}

}  // namespace
}  // namespace touchstone::conformance::zip_archive_test
