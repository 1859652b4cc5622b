#include "conformance/files/rooted_directory.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

#include "conformance/files/file_error.h"
#include "conformance/files/testing.h"

namespace touchstone::conformance::rooted_directory_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;

constexpr std::uint64_t limit = 100;

class RootedDirectoryTest : public testing::Test {
 protected:
  RootedDirectoryTest() {
    write_file(root_ / "a/b/file", "inside");
    write_file(outside_ / "file", "secret");
  }

  const TemporaryDirectory scratch_;
  const fs::path root_ = scratch_.path() / "root";
  const fs::path outside_ = scratch_.path() / "outside";
};

std::string problem(const std::function<void()>& step) {
  try {
    step();
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST_F(RootedDirectoryTest, ReadsFilesBelowIt) {
  const RootedDirectory directory(root_);
  EXPECT_TRUE(directory.has("a/b/file"));
  EXPECT_EQ(directory.read("a/b/file", limit), "inside");
  EXPECT_EQ(directory.read("a/b/file", limit), "inside") << "and a second time";
  fs::create_directory(root_ / "a/b/c");
  EXPECT_THAT(directory.names_in("a/b"), UnorderedElementsAre("file", "c"));
  EXPECT_THAT(directory.names_in(""), UnorderedElementsAre("a"));
  for (const char* missing : {"x", "a/x", "x/y", "a/b/file/x"}) {
    EXPECT_FALSE(directory.has(missing)) << missing;
    EXPECT_EQ(directory.read(missing, limit), std::nullopt) << missing;
    EXPECT_THAT(directory.names_in(missing), testing::IsEmpty()) << missing;
  }
}

TEST_F(RootedDirectoryTest, CanBeOpenedThroughALinkAndDoesNotChange) {
  fs::create_directory_symlink(root_, scratch_.path() / "link");
  const RootedDirectory directory(scratch_.path() / "link");
  fs::remove(scratch_.path() / "link");
  fs::create_directory_symlink(outside_, scratch_.path() / "link");
  EXPECT_EQ(directory.read("a/b/file", limit), "inside");
  EXPECT_FALSE(directory.has("file"));
}

TEST_F(RootedDirectoryTest, FollowsNoLinks) {
  const fs::path inside = root_ / "a/b/file";
  fs::create_symlink(outside_ / "file", root_ / "to_file");
  fs::create_symlink(inside, root_ / "to_inside");
  fs::create_symlink("nowhere", root_ / "to_nothing");
  fs::create_directory_symlink(outside_, root_ / "a/to_directory");
  const RootedDirectory directory(root_);
  for (const char* link : {"to_file", "to_inside", "to_nothing", "a/to_directory", "a/to_directory/file"})
    for (const auto& step : std::initializer_list<std::function<void()>>{
             [&] { directory.has(link); }, [&] { directory.read(link, limit); }, [&] { directory.names_in(link); }})
      EXPECT_THAT(problem(step), HasSubstr("a symbolic link, which is not followed")) << link;
}

TEST_F(RootedDirectoryTest, IsNotLeft) {
  const RootedDirectory directory(root_);
  for (const fs::path& path : {fs::path("../outside/file"), fs::path("a/../../outside/file"), outside_ / "file"})
    EXPECT_THAT(problem([&] { directory.read(path, limit); }),
                AllOf(StartsWith("\""), HasSubstr("leads out of " + root_.string())))
        << path;
}

TEST_F(RootedDirectoryTest, ReportsWhatCannotBeRead) {
  EXPECT_THAT(problem([&] { RootedDirectory{scratch_.path() / "none"}; }), HasSubstr("No such file"));
  EXPECT_THAT(problem([&] { RootedDirectory{root_ / "a/b/file"}; }), HasSubstr("Not a directory"));
  ASSERT_EQ(::mkfifo((root_ / "fifo").c_str(), 0600), 0);
  const RootedDirectory directory(root_);
  EXPECT_THAT(problem([&] { directory.read("a", limit); }), HasSubstr("a directory, not a regular file"));
  EXPECT_THAT(problem([&] { directory.read("fifo", limit); }), HasSubstr("not a regular file"));
  EXPECT_THAT(problem([&] { directory.read("a/b/file", 5); }), HasSubstr("longer than the limit of 5 bytes"));
  EXPECT_THAT(problem([&] { directory.names_in("a/b/file"); }), HasSubstr("cannot be read as a directory"));
}

/// Another thread keeps exchanging a directory and a link.
TEST_F(RootedDirectoryTest, ReadsNothingOutsideDuringConcurrentExchanges) {
  fs::create_directory_symlink(outside_, root_ / "link");
  const fs::path other = root_ / "other";
  fs::create_directory(other);
  if (::renameat2(AT_FDCWD, other.c_str(), AT_FDCWD, (root_ / "link").c_str(), RENAME_EXCHANGE) != 0)
    GTEST_SKIP() << "this file system cannot exchange files: " << std::strerror(errno);
  ::renameat2(AT_FDCWD, other.c_str(), AT_FDCWD, (root_ / "link").c_str(), RENAME_EXCHANGE);
  std::atomic<bool> done = false;
  std::atomic<int> exchanges = 0;
  std::thread exchanging([&] {
    for (const fs::path link = root_ / "link", place = root_ / "a/b"; !done; ++exchanges)
      if (::renameat2(AT_FDCWD, link.c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) != 0) return;
  });
  const RootedDirectory directory(root_);
  int read = 0;
  int refused = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while ((exchanges < 2000 || read == 0 || refused == 0) && std::chrono::steady_clock::now() < deadline) {
    try {
      const auto content = directory.read("a/b/file", limit);
      EXPECT_EQ(content, "inside");
      ++read;
    } catch (const FileError& error) {
      EXPECT_THAT(error.what(), HasSubstr("a symbolic link")) << error.what();
      ++refused;
    }
  }
  done = true;
  exchanging.join();
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 0);
  EXPECT_GT(exchanges, 0);
}

}  // namespace
}  // namespace touchstone::conformance::rooted_directory_test
