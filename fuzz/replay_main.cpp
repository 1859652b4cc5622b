// The main function of a target without libFuzzer: runs each given input once.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* argc, char*** argv);

namespace {

namespace fs = std::filesystem;

enum ExitCode { as_expected = 0, usage = 2, broken = 3, nothing_selected = 5 };

constexpr std::string_view help =
    "Usage: {0} [--verbose] FILE|DIRECTORY...\n"
    "\n"
    "Runs the files, and all files in and below the directories, as inputs of the target. The target crashes at an\n"
    "input that shows a defect, and prints its name. --verbose prints the name of each input before it is run.\n"
    "\n"
    "Exit codes: 0 no input crashed, 2 usage, 3 an input cannot be read, 5 no inputs; otherwise that of the signal.\n";

// ---- report the current input in case of a crash

std::array<char, 5000> current{};

void set_current(const std::string& name) {
  const std::size_t length = std::min(name.size(), current.size() - 1);
  std::copy_n(name.begin(), length, current.begin());
  current[length] = '\0';
}

/// Calls only what is safe in a signal handler. Then the program crashes as it would have without the handler.
void on_crash(int signal) {
  const auto say = [](std::string_view text) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  };
  say("\ncrashed at ");
  say({current.data(), static_cast<std::size_t>(std::find(current.begin(), current.end(), '\0') - current.begin())});
  say("\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// ---- the inputs

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Lists the files in the same order on every machine.
std::vector<fs::path> files_of(const fs::path& given) {
  std::error_code error;
  if (!fs::exists(given, error)) throw Error(fmt::format("{} does not exist", given.string()));
  if (!fs::is_directory(given, error)) return {given};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(given))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::vector<std::uint8_t> content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<std::uint8_t> content{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw Error(fmt::format("{} cannot be read", file.string()));
  return content;
}

int run(const std::vector<std::string>& arguments, bool is_verbose) {
  std::vector<fs::path> files;
  for (const std::string& argument : arguments)
    for (fs::path& file : files_of(argument)) files.push_back(std::move(file));
  if (files.empty()) {
    fmt::print(stderr, "{} contains no input\n", arguments.front());
    return nothing_selected;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, on_crash);
  for (const fs::path& file : files) {
    const std::vector<std::uint8_t> content = content_of(file);
    set_current(file.string());
    if (is_verbose) fmt::print(stderr, "{}\n", file.string());
    LLVMFuzzerTestOneInput(content.data(), content.size());
  }
  fmt::print("{} inputs, and none crashed\n", files.size());
  return as_expected;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool is_verbose = std::erase(arguments, "--verbose") > 0;
  const std::string usage_text = fmt::format(help, fs::path(argv[0]).filename().string());
  const auto is_help = [](const std::string& argument) { return argument == "-h" || argument == "--help"; };
  if (std::ranges::any_of(arguments, is_help)) {
    fmt::print("{}", usage_text);
    return as_expected;
  }
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  const auto is_option = [](const std::string& argument) { return argument.starts_with("-"); };
  if (arguments.empty() || std::ranges::any_of(arguments, is_option)) {
    fmt::print(stderr, "{}", usage_text);
    return usage;
  }
  try {
    return run(arguments, is_verbose);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
  } catch (const fs::filesystem_error& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  return broken;
}
