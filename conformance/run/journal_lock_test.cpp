#include "conformance/run/journal_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "conformance/testing.h"

namespace touchstone::conformance::journal_lock_test {
namespace {

using testing::HasSubstr;

TEST(JournalLock, IsHeldByOneAtATime) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "journal";
  {
    const std::optional<JournalLock> first = JournalLock::take(path);
    ASSERT_TRUE(first);
    EXPECT_FALSE(JournalLock::take(path));
    EXPECT_FALSE(JournalLock::take_existing(path));
    EXPECT_TRUE(JournalLock::take(directory.path() / "another"));
  }
  EXPECT_TRUE(JournalLock::take_existing(path));
}

TEST(JournalLock, DoesNotChangeTheJournal) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "journal";
  write_file(path, "lines");
  EXPECT_TRUE(JournalLock::take(path));
  EXPECT_EQ(std::filesystem::file_size(path), 5U);
}

/// NFS grants exclusive locks only on files that are open for writing. A program cannot be written while it runs.
TEST(JournalLock, OpensTheJournalForWriting) {
  const std::filesystem::path running = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_THAT(failure_of([&] { JournalLock::take_existing(running); }), HasSubstr("cannot be opened: Text file busy"));
}

TEST(JournalLock, DoesNotCreateAJournalThatMustExist) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "journal";
  EXPECT_THAT(failure_of([&] { JournalLock::take_existing(path); }), HasSubstr("journal: cannot be opened: No such"));
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THAT(failure_of([&] { JournalLock::take(path / "below"); }), HasSubstr("cannot be opened"));
}

}  // namespace
}  // namespace touchstone::conformance::journal_lock_test
