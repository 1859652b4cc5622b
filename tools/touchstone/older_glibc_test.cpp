// In this program, the functions of older_glibc.cpp are called instead of those of the C library.

#include <dlfcn.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <initializer_list>

namespace touchstone {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::ExitedWithCode;

template <class Function>
Function* of_c_library(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(::dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD), name));
}

TEST(OlderGlibc, NamesAndDescribesSignals) {
  auto* const abbreviation = of_c_library<decltype(::sigabbrev_np)>("sigabbrev_np");
  auto* const description = of_c_library<decltype(::sigdescr_np)>("sigdescr_np");
  ASSERT_NE(abbreviation, ::sigabbrev_np);
  for (int signal = -1; signal <= 70; ++signal) {
    EXPECT_STREQ(::sigabbrev_np(signal), abbreviation(signal)) << signal;
    EXPECT_STREQ(::sigdescr_np(signal), description(signal)) << signal;
  }
}

TEST(OlderGlibc, FindsLoadedObjects) {
  auto* const find = of_c_library<decltype(::_dl_find_object)>("_dl_find_object");
  ASSERT_NE(find, ::_dl_find_object);
  const int on_stack = 0;
  const auto addresses = {reinterpret_cast<const void*>(&of_c_library<void>), static_cast<const void*>(&on_stack),
                          reinterpret_cast<const void*>(find), static_cast<const void*>(nullptr)};
  for (const void* address : addresses) {
    dl_find_object expected = {};
    dl_find_object found = {};
    EXPECT_EQ(::_dl_find_object(const_cast<void*>(address), &found), find(const_cast<void*>(address), &expected));
    EXPECT_EQ(found.dlfo_eh_frame, expected.dlfo_eh_frame);
  }
}

TEST(OlderGlibc, WaitsByTheClock) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  ::pthread_mutex_lock(&mutex);
  const auto begin = steady_clock::now();
  timespec until = {};
  ::clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 20'000'000;
  if (until.tv_nsec >= 1'000'000'000) {
    until.tv_nsec -= 1'000'000'000;
    ++until.tv_sec;
  }
  EXPECT_EQ(::pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until), ETIMEDOUT);
  EXPECT_GE(steady_clock::now() - begin, milliseconds(19));
  EXPECT_EQ(::pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until), ETIMEDOUT) << "it is in the past";
  ::pthread_mutex_unlock(&mutex);
}

TEST(OlderGlibc, HasRandomNumbers) { EXPECT_NE(::arc4random(), ::arc4random()); }

/// As in a kernel before Linux 5.9.
void forbid_close_range() {
  std::array filter = {
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {.len = filter.size(), .filter = filter.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 ||
      ::syscall(SYS_close_range, 1000, 1000, 0) == 0)
    ::_exit(9);
}

/// The exit code is the number of the first step that fails.
void close_without_close_range() {
  constexpr int first = 300;
  constexpr int last = 700;  // so many that they are read in several parts
  for (int descriptor = first - 1; descriptor <= last + 1; ++descriptor) ::dup2(2, descriptor);
  forbid_close_range();
  const auto all_have_flags = [](int flags) {
    for (int descriptor = first; descriptor <= last; ++descriptor)
      if (::fcntl(descriptor, F_GETFD) != flags) return false;
    return ::fcntl(first - 1, F_GETFD) == 0 && ::fcntl(last + 1, F_GETFD) == 0;
  };
  if (!all_have_flags(0)) ::_exit(1);
  if (::close_range(first, last, CLOSE_RANGE_CLOEXEC) != 0 || !all_have_flags(FD_CLOEXEC)) ::_exit(2);
  if (::close_range(first, last, 0) != 0 || !all_have_flags(-1)) ::_exit(3);
  ::_exit(0);
}

TEST(OlderGlibc, ClosesDescriptorsOnAnOlderKernel) { EXPECT_EXIT(close_without_close_range(), ExitedWithCode(0), ""); }

}  // namespace
}  // namespace touchstone
