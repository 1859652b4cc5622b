#include "conformance/files/gzip_lines.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <functional>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "conformance/files/testing.h"

namespace touchstone::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> lines_in(const std::string& bytes, std::uint64_t limit = 1'000'000) {
  std::istringstream file(bytes);
  GzipLineReader reader(file);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line, limit);) lines.push_back(line);
  return lines;
}

std::string reason_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

/// As another program reads it: in the form of gzip, with its checksum.
std::string unzipped(const std::string& bytes) {
  const TemporaryDirectory scratch;
  const std::string path = (scratch.path() / "file.gz").string();
  write_file(path, bytes);
  std::string text(1'000'000, ' ');
  const gzFile file = gzopen(path.c_str(), "rb");
  const int size = gzread(file, text.data(), static_cast<unsigned>(text.size()));
  EXPECT_EQ(gzclose(file), Z_OK);
  text.resize(static_cast<std::size_t>(size));
  return text;
}

TEST(GzipLines, AreReadBackAlsoByOtherPrograms) {
  const std::string longer(100'000, 'x');
  GzipLineWriter writer;
  std::string bytes;
  for (const std::string& line : {std::string("one"), std::string(), longer, std::string("four")})
    bytes += writer.add(line + '\n');
  EXPECT_THAT(lines_in(bytes), ElementsAre("one", "", longer, "four"));
  bytes += writer.finish();
  EXPECT_THAT(lines_in(bytes), ElementsAre("one", "", longer, "four"));
  EXPECT_EQ(unzipped(bytes), "one\n\n" + longer + "\nfour\n");
  EXPECT_LT(bytes.size(), 500U);
}

TEST(GzipLines, ContinueWhereTheyWereCutOff) {
  GzipLineWriter writer;
  std::string two = writer.add("one\n");
  two += writer.add("two\n");
  std::string all = two + writer.add("three\n");
  all += writer.finish();
  for (std::size_t length = two.size(); length < all.size(); ++length) {
    std::istringstream file(all.substr(0, length));
    GzipLineReader reader(file);
    std::vector<GzipPlace> places;
    for (std::string line; reader.next(line, 5);) places.push_back(reader.place());
    ASSERT_GE(places.size(), 2U) << length;
    EXPECT_EQ(places[1].bytes, two.size());
    GzipLineWriter again(places[1]);
    std::string continued = two + again.add("other\n");
    continued += again.finish();
    EXPECT_THAT(lines_in(continued), ElementsAre("one", "two", "other"));
    EXPECT_EQ(unzipped(continued), "one\ntwo\nother\n");
  }
}

TEST(GzipLines, LoseOnlyAnIncompleteLine) {
  GzipLineWriter writer;
  const std::string one = writer.add("one\n");
  const std::string all = one + writer.add("two\n");
  for (std::size_t length = 0; length < all.size(); ++length)
    EXPECT_EQ(lines_in(all.substr(0, length)).size(), length < one.size() ? 0U : 1U) << length;
}

TEST(GzipLines, AreRefusedIfTheyAreDamagedOrForeign) {
  GzipLineWriter writer;
  std::string lines = writer.add("one\n");
  lines += writer.add("two\n");
  std::string damaged = lines;
  damaged[lines.size() - 1] = '\0';  // of the empty block
  EXPECT_THAT(reason_of([&] { lines_in(damaged); }), HasSubstr("is damaged"));
  EXPECT_THAT(reason_of([&] { lines_in("one\n"); }), HasSubstr("is not compressed with gzip"));
  std::string finished = lines + writer.finish();
  EXPECT_THAT(reason_of([&] { lines_in(finished + "more"); }), HasSubstr("follows the end"));
  finished.back() = '\1';  // of the length
  EXPECT_THAT(reason_of([&] { lines_in(finished); }), HasSubstr("is damaged"));
  EXPECT_THAT(reason_of([] { lines_in(GzipLineWriter().add("one\ntwo\n")); }), HasSubstr("another program"));
  EXPECT_THAT(reason_of([&] { lines_in(lines, 2); }), HasSubstr("longer than the limit of 2 bytes"));
  EXPECT_EQ(lines_in(lines, 3).size(), 2U);
}

/// Otherwise a small file could fill the memory.
TEST(GzipLines, AreNotLongerThanTheirLimitInMemory) {
  const std::string large(5'000'000, 'x');
  const std::string bytes = GzipLineWriter().add(large + '\n');
  EXPECT_LT(bytes.size(), 10'000U);
  EXPECT_THAT(reason_of([&] { lines_in(bytes, 1000); }), HasSubstr("longer than the limit of 1000 bytes"));
}

}  // namespace
}  // namespace touchstone::conformance
