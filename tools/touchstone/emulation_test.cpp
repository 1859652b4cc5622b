// --cpu: backends on processors that QEMU emulates.
#include "tools/touchstone/emulation.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/find_program.h"
#include "conformance/effort_testing.h"
#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::emulation_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

bool has_qemu() try {
  conformance::find_program("qemu-x86_64");
  return true;
} catch (const conformance::BackendError&) {
  return false;
}

class Emulation : public testing::Test {
 protected:
  void SetUp() override {
    if (conformance::is_sanitized()) GTEST_SKIP() << "QEMU does not run programs with AddressSanitizer";
    if (!has_qemu()) GTEST_SKIP() << "needs qemu-x86_64 (Debian package qemu-user)";
    copy_of("1.22.0/test_quantizelinear", scratch_.path() / "data/1.22.0/test_quantizelinear_guilty");
  }

  Outcome run(const std::string& backend, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"run",  "--backend", backend, "--cpu",     "haswell", "--suite",
                                       "onnx", "--data",    "data",  "--jobs",    "1",       "--max-reproducers",
                                       "1",    "--output",  "out",   "--show-ids"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return touchstone(scratch_, arguments);
  }

  /// A worker that is a script.
  std::string script(const std::string& text) {
    const fs::path path = scratch_.path() / "worker.sh";
    write_file(path, "#!/bin/sh\n" + text + "\n");
    fs::permissions(path, fs::perms::owner_all);
    return "exec:" + path.string();
  }

  nlohmann::json report() { return report_in(scratch_.path() / "out"); }

  const TemporaryDirectory scratch_;
};

constexpr const char* serve_reference = TOUCHSTONE_PROGRAM " serve --backend reference";

TEST(EmulationControl, IsExactOnThisProcessor) { EXPECT_EQ(wrong_arithmetic(), ""); }

TEST_F(Emulation, IsPartOfTheBackendAndOfItsCommands) {
  const Outcome ran = run("optimized");
  EXPECT_EQ(ran.exit_code, 0) << ran.error;
  EXPECT_EQ(report()["options"]["cpu"], "haswell");
  EXPECT_THAT(report()["backend"]["description"].get<std::string>(),
              AllOf(HasSubstr("avx2 kernels, under QEMU "), HasSubstr(" as haswell")));
  const Outcome resumed = touchstone(scratch_, {"run", "--resume", "out", "--cpu", "nehalem"});
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_THAT(resumed.error, HasSubstr("that run has --cpu 'haswell', not 'nehalem'"));
}

TEST_F(Emulation, ComparesSeveralProcessors) {
  const std::string partly =
      script(fmt::format("[ \"$TOUCHSTONE_EMULATOR\" ] || exec {}\nexec $TOUCHSTONE_EMULATOR {} serve --backend "
                         "wrong:saturates-symmetrically",
                         serve_reference, TOUCHSTONE_PROGRAM));
  const Outcome ran = touchstone(
      scratch_, {"run", "--backend", partly, "--cpu", "haswell,host", "--suite", "generated", "--tier", "smoke", "-k",
                 "quantize_linear/21/f32-f32-i8/per_tensor/zp/*", "--experiments", "0", "-o", "out", "--quiet"});
  EXPECT_EQ(ran.exit_code, 1) << ran.error;
  EXPECT_LT(ran.out.find("On host:"), ran.out.find("On haswell:"));
  EXPECT_EQ(report_in(scratch_.path() / "out/host")["options"].count("cpu"), 0U);
  EXPECT_EQ(report_in(scratch_.path() / "out/haswell")["options"]["cpu"], "haswell");
  EXPECT_THAT(ran.out.substr(ran.out.find("On haswell:")), HasSubstr("only"));
}

TEST_F(Emulation, RefusesListsOfProcessorsThatItCannotRun) {
  const auto error_of = [&](const std::string& cpus, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", "--cpu", cpus};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome ran = touchstone(scratch_, arguments);
    EXPECT_EQ(ran.exit_code, 2);
    return ran.error;
  };
  EXPECT_THAT(error_of("host,hasswell", {}), HasSubstr("did you mean haswell?"));
  EXPECT_THAT(error_of("host,host", {}), HasSubstr("host is named twice"));
  EXPECT_THAT(error_of("host,haswell", {"--resume", "out"}), HasSubstr("--resume continues the run on one of them"));
  EXPECT_THAT(error_of("host,haswell", {"--write-expectations", "known.json"}), HasSubstr("is for the run on one"));
  EXPECT_THAT(error_of("host,haswell", {"--shard", "1/2"}), HasSubstr("does not run shards"));
}

TEST_F(Emulation, RunsEachKindOfProgram) {
  for (const std::string& backend :
       {std::string("exec:") + serve_reference, script(fmt::format("exec $TOUCHSTONE_EMULATOR {}", serve_reference))})
    for (const char* isolation : {"--sandbox", "--no-sandbox"}) {
      const Outcome ran = run(backend, {isolation, "--overwrite"});
      if (ran.error.find("bubblewrap (bwrap) could not make its sandbox") != std::string::npos) continue;
      EXPECT_EQ(ran.exit_code, 0) << backend << isolation << ran.error;
      EXPECT_THAT(report()["backend"]["description"].get<std::string>(), HasSubstr(" as haswell"));
    }
}

TEST_F(Emulation, MustNotBeLost) {
  const Outcome ran = run(script(std::string("exec ") + serve_reference));
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_THAT(ran.error, AllOf(HasSubstr("does not run under QEMU"), HasSubstr("$TOUCHSTONE_EMULATOR")));
  EXPECT_FALSE(fs::exists(scratch_.path() / "out/journal.ndjson.gz"));
}

TEST_F(Emulation, MakesASignalAndATimeoutUndecided) {
  for (const std::string mode : {"segv", "sigill", "hang"}) {
    const Outcome ran =
        run(fmt::format("exec:{} {}", TOUCHSTONE_HOSTILE_WORKER, mode), {"--timeout", "0.1", "--overwrite"});
    EXPECT_EQ(ran.exit_code, 5) << ran.error;  // nothing is right, and nothing is wrong
    EXPECT_EQ(verdicts_of(report())["not_shown"], 1) << mode;
    EXPECT_THAT(report()["cases"][0]["reason"].get<std::string>(),
                HasSubstr(mode == "sigill" ? "as haswell: it may use what this processor lacks: AVX-512"
                                           : "as haswell: the emulator may be the cause"));
  }
}

/// A worker that is wrong only under the emulator, and one that is wrong everywhere.
TEST_F(Emulation, IsNamedInTheCauseIfTheHostIsRight) {
  const std::string wrong = "wrong:saturates-symmetrically";
  const std::string partly =
      script(fmt::format("[ \"$TOUCHSTONE_EMULATOR\" ] || exec {}\nexec $TOUCHSTONE_EMULATOR {} serve --backend {}",
                         serve_reference, TOUCHSTONE_PROGRAM, wrong));
  const auto causes_of = [&](const std::string& backend) {
    return touchstone(scratch_, {"run",
                                 "--backend",
                                 backend,
                                 "--cpu",
                                 "haswell",
                                 "--suite",
                                 "generated",
                                 "--tier",
                                 "smoke",
                                 "--filter",
                                 "quantize_linear/21/f32-f32-i8/per_tensor/zp/*",
                                 "--experiments",
                                 "0",
                                 "--max-reproducers",
                                 "0",
                                 "--jobs",
                                 "1",
                                 "--output",
                                 "out",
                                 "--overwrite"})
        .out;
  };
  EXPECT_THAT(causes_of(partly), HasSubstr("; only as haswell\n"));
  EXPECT_THAT(causes_of(wrong), AllOf(HasSubstr("saturates signed types"), Not(HasSubstr("only as"))));
}

TEST_F(Emulation, RefusesOtherPrograms) {
  EXPECT_THAT(run("answers:data").error, HasSubstr("--cpu has no meaning for --backend answers:data"));
  EXPECT_THAT(run("nosuch").error, HasSubstr("unknown backend 'nosuch'"));
  std::string foreign = content_of("/proc/self/exe").substr(0, 64);
  foreign[18] = '\xb7';  // aarch64
  for (const auto& [content, says] :
       std::vector<std::pair<std::string, std::string>>{{foreign, "is a program for another architecture than x86-64"},
                                                        {"text", "is neither a program nor a script"}}) {
    write_file(scratch_.path() / "worker", content);
    fs::permissions(scratch_.path() / "worker", fs::perms::owner_all);
    const Outcome ran = run("exec:./worker");
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.error, HasSubstr(says));
  }
}

TEST(EmulationName, IsSuggested) {
  const TemporaryDirectory scratch;
  const Outcome ran = touchstone(scratch, {"run", "--cpu", "hasswell"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.error, HasSubstr("did you mean haswell?"));
  EXPECT_THAT(touchstone(scratch, {"list", "cpus"}).out,
              AllOf(HasSubstr("nehalem      x86-64   has SSE4.2; lacks AVX"),
                    HasSubstr("cortex-a72   aarch64  has NEON; lacks FP16, dot product")));
}

TEST(EmulationControl, DecidesBeforeARun) {
  const TemporaryDirectory scratch;
  const auto run_with = [&](const std::string& qemu) {
    if (!qemu.empty()) {
      write_file(scratch.path() / "qemu-x86_64", "#!/bin/sh\n" + qemu + "\n");
      fs::permissions(scratch.path() / "qemu-x86_64", fs::perms::owner_all);
    }
    const Outcome ran = touchstone(scratch, {"run", "--cpu", "haswell", "--no-sandbox"},
                                   [&] { ::setenv("PATH", scratch.path().c_str(), 1); });
    EXPECT_EQ(ran.exit_code, 3) << ran.error;
    return ran.error;
  };
  EXPECT_THAT(run_with(""), HasSubstr("Debian package qemu-user"));
  EXPECT_THAT(run_with("echo nothing"), HasSubstr("does not print a version"));
  EXPECT_THAT(run_with("[ $1 = --version ] && echo 'qemu-x86_64 version 7.0.0 (X)' || { echo VPMADDUBSW; exit 3; }"),
              AllOf(HasSubstr("under QEMU 7.0.0 as haswell are not exact"), HasSubstr("VPMADDUBSW")));
}

/// aarch64, with a QEMU that is a script, and a sysroot that has only what is looked for.
class EmulatedArm : public testing::Test {
 protected:
  void make_qemu() {
    write_file(scratch_.path() / "qemu-aarch64",
               "#!/bin/sh\n[ $1 = --version ] && echo 'qemu-aarch64 version 7.2.0 (X)'\n[ \"$QEMU_LD_PREFIX\" ] || "
               "[ $1 = --version ]\n");
    fs::permissions(scratch_.path() / "qemu-aarch64", fs::perms::owner_all);
  }

  void make_sysroot() {
    const fs::path proc = scratch_.path() / "touchstone/sysroots/aarch64/processors/cortex-a72/proc";
    fs::create_directories(proc);
    write_file(proc / "cpuinfo", "processor : 0\n");
  }

  void expect(const std::string& backend, int exit_code, const std::string& says) {
    const Outcome ran = touchstone(scratch_, {"run", "--backend", backend, "--cpu", "cortex-a72", "--no-sandbox"}, [&] {
      ::setenv("PATH", scratch_.path().c_str(), 1);
      ::setenv("XDG_DATA_HOME", scratch_.path().c_str(), 1);
    });
    EXPECT_EQ(ran.exit_code, exit_code) << ran.error;
    EXPECT_THAT(ran.error, HasSubstr(says));
  }

  const TemporaryDirectory scratch_;
};

TEST_F(EmulatedArm, NeedsQemuAndASysroot) {
  expect("optimized", 3, "the command qemu-aarch64 is not in PATH");
  make_qemu();
  expect("optimized", 3, "run touchstone backend install NAME --arch aarch64");
}

TEST_F(EmulatedArm, RefusesProgramsForThisHost) {
  make_qemu();
  make_sysroot();
  for (const char* backend : {"optimized", "lib:./libvendor.so", "wrong:rounds-half-up"})
    expect(backend, 2, "a library or a built-in backend runs in touchstone itself");
  write_file(scratch_.path() / "worker", content_of("/proc/self/exe").substr(0, 64));
  fs::permissions(scratch_.path() / "worker", fs::perms::owner_all);
  expect("exec:./worker", 2, "is a program for another architecture than aarch64");
}

TEST_F(EmulatedArm, StartsAScriptWithTheSysroot) {
  make_qemu();
  make_sysroot();
  const fs::path worker = scratch_.path() / "worker";
  write_file(worker, "#!/bin/sh\necho \"$TOUCHSTONE_EMULATOR; $TOUCHSTONE_SYSROOT; $QEMU_LD_PREFIX\"\n");
  fs::permissions(worker, fs::perms::owner_all);
  const std::string qemu = scratch_.path() / "qemu-aarch64 -cpu cortex-a72; ";
  const std::string sysroot = scratch_.path() / "touchstone/sysroots/aarch64";
  expect("exec:./worker", 3, fmt::format("{}{}; {}/processors/cortex-a72", qemu, sysroot, sysroot));
}

}  // namespace
}  // namespace touchstone::tools::emulation_test
