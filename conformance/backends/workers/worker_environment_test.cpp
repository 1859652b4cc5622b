#include "conformance/backends/workers/worker_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "conformance/backends/workers/testing.h"

namespace touchstone::conformance::worker_environment_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Not;
using testing::StartsWith;

TEST(WorkerEnvironment, HasWhatBackendsNeed) {
  for (const char* name : {"PATH", "HOME", "LANG", "LC_ALL", "LC_NUMERIC", "TZ", "TMPDIR", "LD_LIBRARY_PATH",
                           "PYTHONPATH", "PYTHONHASHSEED", "VIRTUAL_ENV", "OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES",
                           "ORT_LOG_LEVEL", "TVM_NUM_THREADS", "TOUCHSTONE_LIMITS"})
    EXPECT_TRUE(is_passed_by_default(name)) << name;
}

TEST(WorkerEnvironment, HasNoSecrets) {
  for (const char* name :
       {"GITHUB_TOKEN", "CI_JOB_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "AWS_SECRET_ACCESS_KEY",
        "AZURE_CLIENT_SECRET", "SSH_AUTH_SOCK", "GPG_PASSPHRASE", "http_proxy", "DATABASE_URL", "NPM_CONFIG__AUTH",
        // which begin like names that are passed
        "PATH_TO_KEYS", "HOMEBREW_GITHUB_API_TOKEN", "PYTHON_KEYRING_PASSWORD", "ONNX_HUB_TOKEN", "TOUCHSTONE_API_KEY",
        "TF_SECRET", "NVIDIA_NGC_CREDENTIALS", "LC", ""})
    EXPECT_FALSE(is_passed_by_default(name)) << name;
}

TEST(WorkerEnvironment, HasVariablesByNameAndAdditionsInTheirPlace) {
  ::setenv("SOME_TOKEN", "t=1", 1);
  ::setenv("OTHER_TOKEN", "2", 1);
  ::setenv("TOUCHSTONE_SOME", "3", 1);
  const std::vector<std::string> additions{"TOUCHSTONE_SOME=4", "NEW=5"};
  const std::vector<std::string> names{"SOME_TOKEN"};
  EXPECT_THAT(
      worker_environment(additions, names),
      AllOf(Contains("SOME_TOKEN=t=1"), Not(Contains(StartsWith("OTHER_TOKEN="))), Contains("TOUCHSTONE_SOME=4"),
            Not(Contains("TOUCHSTONE_SOME=3")), Contains("NEW=5"), Contains(StartsWith("PATH="))));
  for (const char* name : {"SOME_TOKEN", "OTHER_TOKEN", "TOUCHSTONE_SOME"}) ::unsetenv(name);
}

TEST(WorkerEnvironment, OfTheStartIsWhereTheKernelSaysIt) {
  const std::span<char> memory = initial_environment();
  EXPECT_EQ(std::string(memory.begin(), memory.end()), content_of("/proc/self/environ"));
  EXPECT_THAT(std::string(memory.begin(), memory.end()), testing::HasSubstr("PATH="));
}

}  // namespace
}  // namespace touchstone::conformance::worker_environment_test
