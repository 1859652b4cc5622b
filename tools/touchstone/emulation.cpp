#include "tools/touchstone/emulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <system_error>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/find_program.h"
#include "conformance/backends/workers/worker_process.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/suggestion.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

using conformance::BackendError;
using conformance::Program;
namespace fs = std::filesystem;

namespace {

/// QEMU has no AVX-512, so its models of newer processors have what haswell has.
constexpr std::array emulated_processors{
    Processor{"nehalem", Architecture::x86_64, "Nehalem", "SSE4.2", "AVX, F16C, AVX2, FMA, AVX-512, VNNI"},
    Processor{"sandybridge", Architecture::x86_64, "SandyBridge,-x2apic,-tsc-deadline", "SSE4.2, AVX",
              "F16C, AVX2, FMA, AVX-512, VNNI"},
    Processor{"haswell", Architecture::x86_64, "Haswell,-pcid,-x2apic,-tsc-deadline,-hle,-invpcid,-rtm",
              "SSE4.2, AVX, F16C, AVX2, FMA", "AVX-512, VNNI"},
    Processor{"zen", Architecture::x86_64,
              "EPYC,-rdseed,-sha-ni,-fxsr-opt,-misalignsse,-3dnowprefetch,-osvw,-topoext,-nrip-save,-xsavec",
              "SSE4.2, AVX, F16C, AVX2, FMA; by AMD", "AVX-512, VNNI"},
    Processor{"cortex-a53", Architecture::aarch64, "cortex-a53", "NEON; a little core",
              "FP16, dot product, BF16, i8mm, SVE"},
    Processor{"cortex-a72", Architecture::aarch64, "cortex-a72", "NEON", "FP16, dot product, BF16, i8mm, SVE"},
    Processor{"neoverse-n1", Architecture::aarch64, "neoverse-n1", "NEON, FP16, dot product", "BF16, i8mm, SVE"},
    Processor{"a64fx", Architecture::aarch64, "a64fx", "NEON, FP16, SVE of 512 bits", "dot product, BF16, i8mm, SVE2"},
    // Without SME, whose newer versions libraries expect with it.
    Processor{"armv9", Architecture::aarch64, "max,sme=off",
              "NEON, FP16, dot product, BF16, i8mm, SVE2; all that QEMU emulates, in no real processor", "SME"},
};

constexpr std::string_view known_shells = " bash dash ksh sh zsh ";

/// What QEMU and its control may take to run.
constexpr auto longest_control = std::chrono::minutes(2);

struct Emulator {
  const Processor& processor;
  std::vector<std::string> command;
  std::string words;
  std::vector<std::string> environment;  ///< what Program::environment needs
};

struct Finished {
  bool cleanly;
  std::string how;  ///< it ended, if not cleanly
  std::string output;
};

Finished run_to_end(const Program& program) {
  conformance::WorkerProcess process(program);
  const auto end = process.receive(0, conformance::WorkerProcess::Clock::now() + longest_control);
  const auto* breakdown = std::get_if<conformance::Breakdown>(&end);
  return {process.exited_cleanly(), breakdown != nullptr ? breakdown->detail : "", process.take_output()};
}

std::string own_program() { return fs::read_symlink("/proc/self/exe").string(); }

std::string find_qemu(Architecture architecture) {
  const std::string qemu = architecture == Architecture::aarch64 ? "qemu-aarch64" : "qemu-x86_64";
  for (const char* suffix : {"", "-static"}) try {
      return conformance::find_program(qemu + suffix);
    } catch (const BackendError&) {
    }
  throw Exit(broken, fmt::format("--cpu: the command {} is not in PATH; install QEMU's user-mode emulation (Debian "
                                 "package qemu-user)",
                                 qemu));
}

/// "7.2.22", from "qemu-x86_64 version 7.2.22 (Debian ...)".
std::string version_of(const std::string& qemu) {
  const Finished said = run_to_end({.arguments = {qemu, "--version"}});
  std::istringstream words(said.output);
  std::string word;
  while (words >> word && word != "version") continue;
  if (!said.cleanly || !(words >> word))
    throw Exit(broken, fmt::format("--cpu: {} --version does not print a version: {}{}", qemu, said.how, said.output));
  return word;
}

/// Where tools/backends/install.sh puts the Python and the libraries of another architecture.
fs::path sysroot_for(const Processor& processor) {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  fs::path directory = data != nullptr && *data == '/' ? fs::path(data)
                       : home != nullptr               ? fs::path(home) / ".local/share"
                                                       : fs::path();
  directory /= fs::path("touchstone/sysroots") / name(processor.architecture);
  std::error_code error;
  if (!fs::exists(directory / "processors" / processor.name / "proc/cpuinfo", error))
    throw Exit(broken, fmt::format("--cpu {0}: no sysroot with a Python for {1} in {2}: run touchstone backend install "
                                   "NAME --arch {1} with the name of the backend, for example ort",
                                   processor.name, name(processor.architecture), directory.string()));
  return directory;
}

Emulator start_emulator(const Processor& processor) {
#ifndef __x86_64__
  throw Exit(broken, fmt::format("--cpu {}: only a host with an x86-64 processor can emulate it", processor.name));
#endif
  const std::string qemu = find_qemu(processor.architecture);
  Emulator emulator{processor,
                    {qemu, "-cpu", std::string(processor.model)},
                    fmt::format("under QEMU {} as {}", version_of(qemu), processor.name),
                    {}};
  Program control{.arguments = emulator.command};
  if (processor.architecture == Architecture::aarch64) {
    const fs::path sysroot = sysroot_for(processor);
    emulator.environment = {fmt::format("QEMU_LD_PREFIX={}", (sysroot / "processors" / processor.name).string()),
                            fmt::format("TOUCHSTONE_SYSROOT={}", sysroot.string())};
    control.environment = emulator.environment;
    control.arguments.insert(control.arguments.end(), {(sysroot / "usr/bin/python3").string(), "-I", "-S", "-B",
                                                       (backends_directory() / "aarch64.py").string(), "control"});
  } else {
    control.arguments.insert(control.arguments.end(), {own_program(), "serve", "--control"});
  }
  const Finished finished = run_to_end(control);
  if (!finished.cleanly)
    throw Exit(broken, fmt::format("--cpu {}: plain sums, products and conversions {} are not exact, so nothing can be "
                                   "said about a backend: {}\n{}",
                                   processor.name, emulator.words, finished.how, finished.output));
  return emulator;
}

/// A worker may be started by several threads.
const Emulator& emulator_for(const std::string& cpu) {
  const auto* processor = std::ranges::find(emulated_processors, cpu, &Processor::name);
  if (processor == emulated_processors.end()) {
    std::vector<std::string_view> names;
    for (const Processor& row : emulated_processors) names.push_back(row.name);
    throw Exit(usage,
               fmt::format("--cpu {}: the processors are {}; without --cpu, a backend runs on that of this host{}", cpu,
                           fmt::join(names, ", "), did_you_mean(cpu, names)));
  }
  static std::mutex mutex;
  static std::map<std::string_view, Emulator> emulators;
  const std::lock_guard lock(mutex);
  const auto found = emulators.find(processor->name);
  return found != emulators.end() ? found->second
                                  : emulators.emplace(processor->name, start_emulator(*processor)).first->second;
}

std::string beginning_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string begin(256, '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(stream.gcount()));
  return begin;
}

/// The words of the first line of a script, without env, which would start the interpreter on this host's processor.
std::vector<std::string> interpreter_of(const std::string& begin) {
  std::istringstream line(begin.substr(2, begin.find('\n') - 2));
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  if (!words.empty() && fs::path(words.front()).filename() == "env") {
    words.erase(words.begin());
    if (!words.empty() && words.front() == "-S") words.erase(words.begin());
  }
  return words;
}

/// Throws Exit if the file is a program for another architecture, or no program at all.
void check_program(const std::string& file, const std::string& begin, Architecture wanted, const std::string& cpu) {
  constexpr std::size_t place_of_machine = 18;
  const unsigned char machine = wanted == Architecture::aarch64 ? 183 : 62;
  if (!begin.starts_with("\177ELF"))
    throw Exit(usage, fmt::format("--cpu {}: {} is neither a program nor a script with a first line like "
                                  "#!/usr/bin/env python3",
                                  cpu, file));
  if (begin.size() > place_of_machine && static_cast<unsigned char>(begin[place_of_machine]) == machine) return;
  if (file == own_program())
    throw Exit(usage, fmt::format("--cpu {}: a library or a built-in backend runs in touchstone itself, and {} is a "
                                  "program for another architecture than {}",
                                  cpu, file, name(wanted)));
  throw Exit(usage, fmt::format("--cpu {}: {} is a program for another architecture than {}", cpu, file, name(wanted)));
}

}  // namespace

std::string_view name(Architecture architecture) {
  return architecture == Architecture::aarch64 ? "aarch64" : "x86-64";
}

std::span<const Processor> processors() { return emulated_processors; }

CLI::Option* add_cpu_option(CLI::App& command, std::string& cpu) {
  return command
      .add_option("--cpu", cpu,
                  "Run the backend in its own process on this processor, which QEMU emulates; touchstone list cpus "
                  "prints the names. Takes about ten times as long, and --timeout is ten times as long")
      ->type_name("NAME");
}

std::vector<std::string> start_emulators(const std::string& list) {
  std::vector<std::string> names = CLI::detail::split(list, ',');
  std::ranges::stable_partition(names, [](const std::string& cpu) { return cpu == host_processor; });
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name)
      throw Exit(usage, fmt::format("--cpu {}: {} is named twice", list, *name));
    if (*name != host_processor) emulator_for(*name);
  }
  return names;
}

void emulate(Program& program, const std::string& cpu) {
  const Emulator& emulator = emulator_for(cpu);
  std::vector<std::string>& arguments = program.arguments;
  std::string file = conformance::find_program(arguments.empty() ? "" : arguments.front());
  if (file == "/proc/self/exe") file = own_program();  // QEMU would be this program
  arguments.front() = file;
  std::string begin = beginning_of(file);
  const std::vector<std::string> interpreter =
      begin.starts_with("#!") ? interpreter_of(begin) : std::vector<std::string>();
  program.emulator = emulator.command.front();
  program.processor = emulator.words;
  program.lacking = emulator.processor.lacks;
  program.environment.insert(program.environment.end(), emulator.environment.begin(), emulator.environment.end());
  if (!interpreter.empty()) {
    const std::string name = fs::path(interpreter.front()).filename().string();
    if (known_shells.find(fmt::format(" {} ", name)) != std::string_view::npos) {
      program.environment.push_back(fmt::format("TOUCHSTONE_EMULATOR={}", fmt::join(emulator.command, " ")));
      return;
    }
    arguments.insert(arguments.begin(), interpreter.begin(), interpreter.end());
    arguments.front() = conformance::find_program(interpreter.front());
    begin = beginning_of(arguments.front());
  }
  check_program(arguments.front(), begin, emulator.processor.architecture, cpu);
  arguments.insert(arguments.begin(), emulator.command.begin(), emulator.command.end());
}

}  // namespace touchstone::tools
