// touchstone doctor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::doctor_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Outcome doctor(const std::string& backend) {
  const TemporaryDirectory scratch;
  Outcome outcome = touchstone(scratch, {"doctor", backend, "--show-ids"});
  outcome.out = unwrapped(outcome.out);
  return outcome;
}

Outcome doctor_of_hostile(const std::string& mode) {
  return doctor("exec:" + std::string(TOUCHSTONE_HOSTILE_WORKER) + " " + mode);
}

TEST(Doctor, FindsABackendReady) {
  const Outcome ready = doctor("reference");
  EXPECT_EQ(ready.exit_code, 0) << ready.error;
  EXPECT_THAT(ready.out, AllOf(HasSubstr("ok       QuantizeLinear 10, 13, 19, 21, 23, 24, 25, 28"),
                               HasSubstr("ok       DequantizeLinear 10, 13, 19, 21, 23, 24, 25, 28"),
                               HasSubstr("ready: touchstone run --backend reference --tier smoke"),
                               Not(HasSubstr("WRONG")), Not(HasSubstr("BROKEN"))));
}

TEST(Doctor, SaysWhatToMend) {
  const Outcome missing = doctor("exec:./nothing");
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.out, AllOf(HasSubstr("./nothing does not exist"), HasSubstr("mend the environment")));
  const Outcome silent = doctor("exec:/bin/false");
  EXPECT_EQ(silent.exit_code, 3);
  EXPECT_THAT(silent.out, AllOf(HasSubstr("exited with code 1"), HasSubstr("mend the adapter: run its command")));
  const Outcome crashing = doctor_of_hostile("segv '' doctor");
  EXPECT_EQ(crashing.exit_code, 3);
  EXPECT_THAT(crashing.out, HasSubstr("mend the adapter, or the installation of the runtime: it gives no answers"));
  EXPECT_EQ(doctor("nothing").exit_code, 2);
}

TEST(Doctor, SaysWhatANamedBackendLacks) {
  const TemporaryDirectory scratch;
  const fs::path worker = scratch.path() / "backends" / "npu" / "worker";
  const auto advice = [&](const std::string& message) {
    write_file(worker, "#!/bin/sh\necho '" + message + "' >&2\nexit 2\n");
    fs::permissions(worker, fs::perms::owner_all);
    const auto rewire = [&] { ::setenv("TOUCHSTONE_BACKENDS", (scratch.path() / "backends").c_str(), 1); };
    EXPECT_EQ(touchstone(scratch, {"doctor", "npu"}, rewire).exit_code, 3);
    return touchstone(scratch, {"doctor"}, rewire).out;
  };
  EXPECT_THAT(
      advice("the backend npu is not installed: run tools/setup --for npu"),
      HasSubstr(
          "npu              mend the environment: the backend npu is not installed: run tools/setup --for npu\n"));
  EXPECT_THAT(advice("the backend npu has no variant \"\"; it has: card emulator"),
              HasSubstr("npu              mend the name: the variants, after a colon, are: card emulator\n"));
}

}  // namespace
}  // namespace touchstone::tools::doctor_test
