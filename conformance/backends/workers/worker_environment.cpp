#include "conformance/backends/workers/worker_environment.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>

namespace touchstone::conformance {

namespace {

/// Names of variables, separated by spaces. A name that ends in * matches all names with this prefix.
constexpr std::array<std::string_view, 8> passed{
    // The user, the system, the loader and the allocator
    "PATH HOME USER LOGNAME SHELL HOSTNAME LANG LANGUAGE LC_* TZ TMPDIR XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME "
    "XDG_RUNTIME_DIR LD_LIBRARY_PATH LD_PRELOAD LD_BIND_NOW LD_DEBUG* GLIBC_TUNABLES MALLOC_*",
    // Languages
    "PYTHON* VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV JAVA_HOME RUST_BACKTRACE RUST_LOG",
    // Compilers, which some backends call
    "CC CXX CPATH LIBRARY_PATH LLVM_*",
    // Sanitizers and coverage
    "ASAN_* LSAN_* MSAN_* TSAN_* UBSAN_* GCOV_*",
    // Threads, and libraries of kernels
    "OMP_* GOMP_* KMP_* TBB_* MKL_* OPENBLAS_* BLIS_* DNNL_* ONEDNN_*",
    // Devices and their emulators
    "ADSP_* ASCEND_* CUBLAS_* CUDA_* CUDNN_* HAILO* HIP_* HSA_* MIOPEN_* NEURON_* NVIDIA_* OCL_* ONEAPI_* OPENCL_* "
    "QEMU_* QNN_* ROCM_* ROCR_* SYCL_* TPU_* TRT_* VK_* XILINX_* XLNX_* ZE_*",
    // Runtimes
    "INTEL_OPENVINO_DIR IREE_* ONNX_* OPENVINO_* ORT_* OV_* TF_* TORCH_* TVM_* XLA_*",
    // Touchstone
    "TOUCHSTONE_*",
};

/// Parts of the names of secrets. A name that ends in * does not match names with such a part.
constexpr std::array<std::string_view, 8> secret{"AUTH",   "CREDENTIAL", "KEY",    "PASSPHRASE",
                                                 "PASSWD", "PASSWORD",   "SECRET", "TOKEN"};

bool contains(std::string_view names, std::string_view name) {
  const bool may_be_secret =
      std::ranges::any_of(secret, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
  while (!names.empty()) {
    const std::string_view next = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(next.size() + 1, names.size()));
    if (name == next) return true;
    if (next.ends_with('*') && !may_be_secret && name.starts_with(next.substr(0, next.size() - 1))) return true;
  }
  return false;
}

std::string_view name_in(std::string_view variable) { return variable.substr(0, variable.find('=')); }

}  // namespace

bool is_passed_by_default(std::string_view name) {
  return std::ranges::any_of(passed, [&](std::string_view names) { return contains(names, name); });
}

std::vector<std::string> worker_environment(std::span<const std::string> additions,
                                            std::span<const std::string> names) {
  std::vector<std::string> all(additions.begin(), additions.end());
  for (char** row = environ; *row != nullptr; ++row) {
    const std::string_view name = name_in(*row);
    if (!is_passed_by_default(name) && std::ranges::find(names, name) == names.end()) continue;
    if (std::ranges::none_of(additions, [&](const auto& addition) { return name_in(addition) == name; }))
      all.emplace_back(*row);
  }
  return all;
}

std::span<char> initial_environment() {
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text, '\0');
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));  // after the program's name
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  for (int number = 3; number < 50; ++number) fields >> text;
  if (!(fields >> begin >> end) || end < begin) return {};
  return {reinterpret_cast<char*>(begin), end - begin};
}

void hide_environment() {
  // Never destroyed: getenv may be called until the end.
  static auto& variables = *new std::vector<std::string>;
  static auto& pointers = *new std::vector<char*>;
  for (char** row = environ; *row != nullptr; ++row) variables.emplace_back(*row);
  for (std::string& variable : variables) pointers.push_back(variable.data());
  pointers.push_back(nullptr);
  environ = pointers.data();
  std::ranges::fill(initial_environment(), '\0');
}

}  // namespace touchstone::conformance
