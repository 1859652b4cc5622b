// Functions of the C library that the program, or a library that is linked into it, calls, and that glibc 2.28 lacks.
// The packages link them instead of those of a newer glibc. They have C's names: the linker finds them first.

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>

// glibc 2.32. A library may start a thread at any time.
char __libc_single_threaded = 0;

namespace {

/// Applies close_range to the open descriptors from `first` to `last`. Allocates nothing, because it is called between
/// fork and exec.
int close_each(unsigned first, unsigned last, int flags) {
  const int list = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (list < 0) return -1;
  alignas(dirent64) std::array<char, 4096> entries;
  for (;;) {
    const long size = ::syscall(SYS_getdents64, list, entries.data(), entries.size());
    if (size <= 0) break;
    for (long at = 0; at < size;) {
      const char* entry = entries.data() + at;
      std::uint16_t length = 0;
      std::memcpy(&length, entry + offsetof(dirent64, d_reclen), sizeof length);
      at += length;
      const char* name = entry + offsetof(dirent64, d_name);
      char* end = nullptr;
      const unsigned long descriptor = ::strtoul(name, &end, 10);
      if (end == name || descriptor < first || descriptor > last || descriptor == static_cast<unsigned>(list)) continue;
      if ((static_cast<unsigned>(flags) & CLOSE_RANGE_CLOEXEC) != 0)
        ::fcntl(static_cast<int>(descriptor), F_SETFD, FD_CLOEXEC);
      else
        ::close(static_cast<int>(descriptor));
    }
  }
  return ::close(list);
}

/// An address that is sought in the loaded objects, and what is found. libgcc uses only the member dlfo_eh_frame.
struct Sought {
  std::uintptr_t address;
  dl_find_object* found;
};

int holds_address(dl_phdr_info* object, std::size_t, void* data) {
  const Sought& sought = *static_cast<const Sought*>(data);
  bool holds = false;
  dl_find_object found = {};
  for (int number = 0; number < object->dlpi_phnum; ++number) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[number];
    const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_GNU_EH_FRAME)
      found.dlfo_eh_frame = reinterpret_cast<void*>(begin);  // NOLINT(performance-no-int-to-ptr)
    if (segment.p_type == PT_LOAD && sought.address - begin < segment.p_memsz) holds = true;
  }
  if (!holds || found.dlfo_eh_frame == nullptr) return 0;
  *sought.found = found;
  return 1;
}

}  // namespace

extern "C" {

// glibc 2.35: libgcc finds with it how to unwind the stack for an exception.
int _dl_find_object(void* address, dl_find_object* found) noexcept {
  Sought sought{reinterpret_cast<std::uintptr_t>(address), found};
  return ::dl_iterate_phdr(holds_address, &sought) == 1 ? 0 : -1;
}

// glibc 2.34, Linux 5.9; CLOSE_RANGE_CLOEXEC is of Linux 5.11.
int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (::syscall(SYS_close_range, first, last, flags) == 0) return 0;
  return errno == ENOSYS || errno == EINVAL ? close_each(first, last, flags) : -1;
}

// glibc 2.30. The older function has only the system's clock.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  timespec now = {};
  timespec deadline = {};
  ::clock_gettime(clock, &now);
  ::clock_gettime(CLOCK_REALTIME, &deadline);
  constexpr long second = 1'000'000'000;
  const long nanoseconds = deadline.tv_nsec + (until->tv_nsec - now.tv_nsec) + second;  // from 1 to less than 3 seconds
  deadline.tv_sec += until->tv_sec - now.tv_sec + nanoseconds / second - 1;
  deadline.tv_nsec = nanoseconds % second;
  return ::pthread_cond_timedwait(condition, mutex, &deadline);
}

// glibc 2.32
const char* sigabbrev_np(int signal) noexcept {
  static constexpr std::array names = {"HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",  "FPE",
                                       "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM", "STKFLT",
                                       "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",  "XCPU",
                                       "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR",  "SYS"};
  static_assert(names.size() == SIGSYS);
  return signal >= 1 && signal <= SIGSYS ? names[static_cast<std::size_t>(signal) - 1] : nullptr;
}

// glibc 2.32
const char* sigdescr_np(int signal) noexcept { return signal >= 1 && signal <= SIGSYS ? ::strsignal(signal) : nullptr; }

// glibc 2.36: std::random_device calls it.
std::uint32_t arc4random() noexcept {
  std::uint32_t number = 0;
  if (::getentropy(&number, sizeof number) != 0) ::abort();
  return number;
}

}  // extern "C"
