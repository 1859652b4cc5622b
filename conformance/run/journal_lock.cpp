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
  // O_NONBLOCK: opening a fifo would otherwise wait. O_RDWR: NFS grants exclusive locks only on files that are open for
  // writing.
  FileDescriptor file(::open(journal.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | flags, 0666));
  // A pack locks its directory, which cannot be opened for writing.
  if (!file.is_open() && errno == EISDIR)
    file = FileDescriptor(::open(journal.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.is_open() && errno == ELOOP)
    throw FileError(journal.string(), "a symbolic link, which is not followed: put the file itself there");
  if (!file.is_open()) throw FileError(journal.string(), std::string("cannot be opened: ") + std::strerror(errno));
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return JournalLock(std::move(file));
  if (errno == EWOULDBLOCK) return std::nullopt;
  throw FileError(journal.string(), std::string("cannot be locked: ") + std::strerror(errno));
}

}  // namespace touchstone::conformance
