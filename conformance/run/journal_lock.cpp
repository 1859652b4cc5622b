#include "conformance/run/journal_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace touchstone::conformance {

std::optional<JournalLock> JournalLock::take(const std::filesystem::path& journal) { return open(journal, O_CREAT); }

std::optional<JournalLock> JournalLock::take_existing(const std::filesystem::path& journal) { return open(journal, 0); }

std::optional<JournalLock> JournalLock::open(const std::filesystem::path& journal, int flags) {
  // O_NONBLOCK: opening a fifo would otherwise wait for a writer.
  JournalLock lock(::open(journal.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | flags, 0666));
  if (!lock.file_.is_open() && errno == ELOOP)
    throw FileError(journal.string(), "a symbolic link, which is not followed: put the file itself there");
  if (!lock.file_.is_open())
    throw FileError(journal.string(), std::string("cannot be opened: ") + std::strerror(errno));
  if (::flock(lock.file_.number(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno == EWOULDBLOCK) return std::nullopt;
  throw FileError(journal.string(), std::string("cannot be locked: ") + std::strerror(errno));
}

}  // namespace touchstone::conformance
