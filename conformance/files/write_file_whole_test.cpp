#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "conformance/files/file_io.h"
#include "conformance/testing.h"

namespace touchstone::conformance::write_file_whole_test {
namespace {

using testing::HasSubstr;

TEST(WriteFileWhole, MakesDirectoriesAndReplacesInOneStep) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "a" / "b" / "report.json";
  write_file_whole(path, "old");
  write_file_whole(path, "new");
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  EXPECT_EQ(content.str(), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), 1)
      << "nothing is left next to it";
}

TEST(WriteFileWhole, LeavesTheOldOneIfThereWillBeNoMore) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "report.json";
  write_file_whole(path, [](const Sink& sink) {
    sink("on");
    sink("e");
  });
  const auto stop = [](const Sink& sink) {
    sink("tw");
    throw FileError("input", "ends here");
  };
  EXPECT_THAT(failure_of([&] { write_file_whole(path, stop); }), HasSubstr("ends here"));
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  EXPECT_EQ(content.str(), "one");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
}

TEST(WriteFileWhole, WritesIntoPipesAndLeavesThem) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  std::filesystem::create_symlink("pipe", directory.path() / "link");
  for (const char* name : {"pipe", "link"}) {
    write_file_whole(directory.path() / name, "text");
    std::array<char, 10> read{};
    EXPECT_EQ(::read(reader, read.data(), read.size()), 4) << name;
    EXPECT_STREQ(read.data(), "text");
    const auto stop = [](const Sink&) { throw FileError("input", "ends here"); };
    EXPECT_THROW(write_file_whole(directory.path() / name, stop), FileError);
    EXPECT_TRUE(std::filesystem::is_fifo(path));
  }
  ::close(reader);
  EXPECT_TRUE(std::filesystem::is_symlink(directory.path() / "link"));
}

TEST(WriteFileWhole, ReplacesWhatSymbolicLinksLeadTo) {
  const TemporaryDirectory directory;
  const auto at = [&](const char* name) { return directory.path() / name; };
  std::filesystem::create_directory(at("there"));
  write_file(at("there") / "file", "old");
  std::filesystem::create_symlink("there/file", at("link"));
  std::filesystem::create_symlink(at("link"), at("link to it"));
  std::filesystem::create_symlink("there/nothing yet", at("dangling"));
  write_file_whole(at("link to it"), "new");
  write_file_whole(at("dangling"), "first");
  EXPECT_EQ(read_bounded_file(at("there") / "file", 10), "new");
  EXPECT_EQ(read_bounded_file(at("there") / "nothing yet", 10), "first");
  for (const char* name : {"link", "link to it", "dangling"})
    EXPECT_TRUE(std::filesystem::is_symlink(at(name))) << name;
  std::filesystem::create_symlink("circle", at("circle"));
  EXPECT_THAT(failure_of([&] { write_file_whole(at("circle"), "never"); }), HasSubstr("circle"));
  EXPECT_TRUE(std::filesystem::is_symlink(at("circle")));
}

TEST(WriteFileWhole, SaysWhatIsInTheWay) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "file", "");
  EXPECT_THAT(failure_of([&] { write_file_whole(directory.path() / "file" / "report.json", ""); }), HasSubstr("file"));
  std::filesystem::create_directories(directory.path() / "report.json" / "inside");
  EXPECT_THAT(failure_of([&] { write_file_whole(directory.path() / "report.json", ""); }),
              HasSubstr("cannot be replaced"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 2) << "nothing new next to it";
}

}  // namespace
}  // namespace touchstone::conformance::write_file_whole_test
