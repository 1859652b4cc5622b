#include "conformance/files/output_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "conformance/files/testing.h"

namespace touchstone::conformance::output_file_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

std::string content_of(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

class OutputFile : public testing::Test {
 protected:
  OutputFile() { write_file(outside_ / "file", "of somebody"); }
  ~OutputFile() override {
    EXPECT_EQ(content_of(outside_ / "file"), "of somebody");
    EXPECT_EQ(std::distance(fs::directory_iterator(outside_), {}), 1) << "nothing else was created";
  }

  const TemporaryDirectory scratch_;
  const fs::path root_ = scratch_.path() / "root";
  const fs::path outside_ = scratch_.path() / "outside";
};

TEST_F(OutputFile, IsWrittenWhole) {
  write_file_below(root_, "a/b/file", "first");
  write_file_below(root_ / "", "a/b/file", [](const Sink& sink) { sink("sec"), sink("ond"); });
  EXPECT_EQ(content_of(root_ / "a/b/file"), "second");
  const auto stops = [](const Sink& sink) {
    sink("half");
    throw FileError("source", "ends here");
  };
  EXPECT_THAT(failure_of([&] { write_file_below(root_, "a/b/file", stops); }), HasSubstr("ends here"));
  EXPECT_EQ(content_of(root_ / "a/b/file"), "second");
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ / "a/b"), {}), 1) << "no partial file is left";
}

TEST_F(OutputFile, ReplacesALink) {
  fs::create_directories(root_);
  fs::create_symlink(outside_ / "file", root_ / "report.json");
  fs::create_symlink(outside_ / "new", root_ / "report.html");
  fs::create_symlink(outside_ / "new", root_ / ("report.csv." + std::to_string(::getpid()) + ".part"));
  for (const char* name : {"report.json", "report.html", "report.csv"}) {
    write_file_below(root_, name, "ours");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(root_ / name))) << name;
    EXPECT_EQ(content_of(root_ / name), "ours");
  }
}

TEST_F(OutputFile, IsNotWrittenThroughALink) {
  fs::create_directories(root_ / "a");
  fs::create_directory_symlink(outside_, root_ / "link");
  fs::create_directory_symlink(outside_, root_ / "a" / "link");
  fs::create_directory_symlink(outside_ / "nowhere", root_ / "dangling");
  for (const char* below : {"link/file", "link/new", "a/link/file", "a/link/b/new", "dangling/new"})
    EXPECT_THAT(failure_of([&] { write_file_below(root_, below, "ours"); }), HasSubstr("a symbolic link")) << below;
  const fs::path linked = scratch_.path() / "linked";
  fs::create_directory_symlink(outside_, linked);
  for (const fs::path& root : {linked, linked / ""}) {
    EXPECT_THAT(failure_of([&] { write_file_below(root, "file", "ours"); }),
                AllOf(HasSubstr("linked: a symbolic link"), HasSubstr("give the directory that it points to")));
    EXPECT_THAT(failure_of([&] { refuse_linked_directory(root); }), HasSubstr("linked: a symbolic link"));
  }
  EXPECT_NO_THROW(refuse_linked_directory(root_));
  EXPECT_NO_THROW(refuse_linked_directory(root_ / "not there yet"));
}

TEST_F(OutputFile, IsRemovedIfAKilledProcessDidNotCompleteIt) {
  const pid_t ended = ::fork();
  if (ended == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(ended, nullptr, 0), ended);
  fs::create_directories(root_);
  const std::string abandoned = fmt::format("report.html.{}.part", ended);
  const std::string others[] = {fmt::format("report.html.{}.part", ::getpid()),
                                fmt::format("report.html.0{}.part", ended),
                                "report.html.1x.part",
                                "report.html..part",
                                "report.html.part",
                                "1.part",
                                ".part",
                                "report.html"};
  for (const std::string& name : others) write_file(root_ / name, "");
  write_file(root_ / abandoned, "");
  remove_partial_files(root_);
  EXPECT_FALSE(fs::exists(root_ / abandoned));
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(root_ / name)) << name;
  EXPECT_NO_THROW(remove_partial_files(root_ / "not there yet"));
}

TEST_F(OutputFile, RemovesWhatKilledProcessesLeftOfIt) {
  const pid_t ended = ::fork();
  if (ended == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(ended, nullptr, 0), ended);
  fs::create_directories(root_);
  const fs::path abandoned = root_ / fmt::format("report.html.{}.part", ended);
  const fs::path other = root_ / fmt::format("other.html.{}.part", ended);
  for (const bool below : {false, true}) {
    write_file(abandoned, "");
    write_file(other, "");
    below ? write_file_below(root_, "report.html", "") : write_file_whole(root_ / "report.html", "");
    EXPECT_FALSE(fs::exists(abandoned)) << below;
    EXPECT_TRUE(fs::exists(other)) << "the directory may be that of somebody else";
  }
}

TEST_F(OutputFile, StaysBelowTheRoot) {
  for (const char* below : {"../outside/file", "a/../../outside/file"})
    EXPECT_THAT(failure_of([&] { write_file_below(root_, below, "ours"); }), HasSubstr("leads out of")) << below;
}

TEST_F(OutputFile, ReportsObstacles) {
  fs::create_directories(root_ / "report.json" / "inside");
  write_file(root_ / "file", "x");
  EXPECT_THAT(failure_of([&] { write_file_below(root_, "report.json", "ours"); }), HasSubstr("cannot be replaced"));
  EXPECT_THAT(failure_of([&] { write_file_below(root_, "file/report.json", "ours"); }),
              HasSubstr("cannot be opened as a directory"));
  EXPECT_THAT(failure_of([&] { write_file_below(root_ / "file", "report.json", "ours"); }),
              HasSubstr("cannot be opened as a directory"));
}

}  // namespace
}  // namespace touchstone::conformance::output_file_test
