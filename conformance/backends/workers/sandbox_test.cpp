// Workers in a sandbox. On systems that do not permit sandboxes, most of these tests are skipped.
#include "conformance/backends/workers/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backends/workers/testing.h"
#include "conformance/run/record_json.h"

namespace touchstone::conformance::sandbox_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

/// The output of a shell script in the sandbox, after the message that it is not a worker. $1 is the directory.
std::string printed_by(const std::string& script, const fs::path& directory) {
  return start_failure(
      {.arguments = {"/bin/sh", "-c", "(" + script + ") 2>&1; exit 4", "sh", directory.string()}, .in_sandbox = true});
}

class Sandbox : public testing::Test {
 protected:
  void SetUp() override {
    // The message contains the script, whether it ran or not, but not the sum.
    const std::string said = printed_by("echo $((1000 + 234))", scratch.path());
    if (said.find("1234") == std::string::npos) GTEST_SKIP() << "this system permits no sandbox: " << said;
  }

  TemporaryDirectory scratch;
};

TEST_F(Sandbox, HasAReadOnlyFileSystemExceptATemporaryDirectory) {
  write_file(scratch.path() / "data", "some data");
  const std::string said = printed_by(
      R"sh(cat "$1/data"; echo; for place in "$1" / /etc /dev /run /usr "$HOME"; do
           touch "$place/new" 2>/dev/null && echo "wrote to $place"; done
         echo text > "$TMPDIR/file" && cp "$TMPDIR/file" /dev/shm && cat /dev/shm/file
         echo "$TMPDIR $(ls /run | wc -l)"; echo > /dev/null && echo null)sh",
      scratch.path());
  EXPECT_THAT(said, EndsWith("it printed:\n  some data\n  text\n  /tmp 0\n  null\n"));
  EXPECT_FALSE(fs::exists("/tmp/file"));
}

TEST_F(Sandbox, HasNoNetworkNoPrivilegesAndNoOtherProcesses) {
  const std::string said = printed_by(
      R"(tail -n +3 /proc/net/dev | cut -d: -f1; grep -E '^(NoNewPrivs|CapEff|CapBnd)' /proc/self/status
         grep -lz "$1" /proc/*/cmdline | wc -l; unshare --user true || echo no more namespaces)",
      scratch.path());
  EXPECT_THAT(said, AllOf(HasSubstr("it printed:\n      lo\n"), HasSubstr("NoNewPrivs:\t1\n"),
                          HasSubstr("CapEff:\t0000000000000000\n"), HasSubstr("CapBnd:\t0000000000000000\n"),
                          HasSubstr("no more namespaces\n")));
  EXPECT_THAT(printed_by("kill -0 " + std::to_string(::getpid()), scratch.path()), HasSubstr("No such process"));
}

TEST_F(Sandbox, HasLimits) {
  const std::string said = printed_by("cat /proc/self/limits", scratch.path());
  EXPECT_THAT(said, testing::ContainsRegex("Max processes +4096 +4096 "));
  EXPECT_THAT(said, testing::ContainsRegex("Max file size +1073741824 +1073741824 "));
  EXPECT_THAT(said, Not(testing::ContainsRegex("Max cpu time +unlimited")));
  EXPECT_THAT(start_failure({.arguments = {"/bin/sh", "-c", "ulimit -v; exit 4"},
                             .memory_limit = std::uint64_t{4} << 30,
                             .in_sandbox = true}),
              HasSubstr("\n  4194304\n"));
  EXPECT_THAT(printed_by("dd if=/dev/zero of=/tmp/file bs=1 count=1 seek=1G || echo refused", scratch.path()),
              HasSubstr("refused\n"));
}

/// A worker could escape through the socket of a program outside. Files that the command mentions must stay visible.
TEST_F(Sandbox, HidesOtherFilesInTmp) {
  const TemporaryDirectory other;
  const TemporaryDirectory named;
  if (named.path().parent_path() != "/tmp") GTEST_SKIP() << "temporary files are not in /tmp";
  write_file(other.path() / "file", "hidden");
  write_file(named.path() / "file", "visible");
  const std::string said = printed_by("cat " + other.path().string() + "/file; cat $1/file", named.path());
  EXPECT_THAT(said, AllOf(Not(HasSubstr("hidden")), HasSubstr("No such file"), HasSubstr("visible")));
}

/// The same verdict, reason and output as without a sandbox.
TEST_F(Sandbox, ChangesNoRecord) {
  for (const auto& [times, modes] :
       {std::pair{patient, std::vector{"segv", "exit", "exit_cleanly", "closed", "log", "child_and_answer"}},
        {hasty, {"hang", "child_elsewhere"}}})
    for (const char* mode : modes) {
      Program program = hostile_worker(mode, scratch);
      const auto outside = run_all(plan_of(ids), program, times);
      program.in_sandbox = true;
      const auto inside = run_all(plan_of(ids), program, times);
      ASSERT_EQ(inside.size(), outside.size());
      for (std::size_t i = 0; i < inside.size(); ++i) EXPECT_EQ(to_json(inside[i]), to_json(outside[i])) << mode;
      expect_no_process_of(scratch);
    }
}

/// Creates an executable bwrap that runs the script.
void make_bwrap(const fs::path& directory, const std::string& script) {
  write_file(directory / "bwrap", "#!/bin/sh\n" + script + "\n");
  fs::permissions(directory / "bwrap", fs::perms::owner_all);
}

class Path {
 public:
  explicit Path(const std::string& value) : before_(std::getenv("PATH")) { ::setenv("PATH", value.c_str(), 1); }
  ~Path() { ::setenv("PATH", before_.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

 private:
  std::string before_;
};

TEST(WithoutASandbox, AWorkerThatNeedsOneDoesNotStart) {
  const TemporaryDirectory scratch;
  {
    const Path path(scratch.path());
    EXPECT_THAT(printed_by("true", scratch.path()),
                AllOf(HasSubstr("--sandbox: the command bwrap is not in PATH"), HasSubstr("install bubblewrap")));
  }
  make_bwrap(scratch.path(), "echo 'bwrap: No permissions to create new namespace' >&2; exit 1");
  const Path path(scratch.path().string() + ":/usr/bin:/bin");
  EXPECT_THAT(printed_by("true", scratch.path()),
              AllOf(HasSubstr("could not make its sandbox"), HasSubstr("must permit user namespaces"),
                    HasSubstr("bwrap: No permissions to create new namespace")));
}

}  // namespace
}  // namespace touchstone::conformance::sandbox_test
