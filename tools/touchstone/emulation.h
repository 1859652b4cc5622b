// --cpu: backends on processors that QEMU emulates.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/workers/process_tree.h"

namespace touchstone::tools {

enum class Architecture { x86_64, aarch64 };

std::string_view name(Architecture architecture);

struct Processor {
  std::string_view name;  ///< a value of --cpu
  Architecture architecture;
  std::string_view model;  ///< as QEMU's option -cpu takes it, without the features that QEMU does not emulate
  std::string_view has;    ///< of what kernels are chosen by, as QEMU emulates it
  std::string_view lacks;
};

std::span<const Processor> processors();

/// What --cpu calls this host's own processor in a list.
inline constexpr std::string_view host_processor = "host";

CLI::Option* add_cpu_option(CLI::App& command, std::string& cpu);

/// The processors in a list with commas, `host` first, after the emulator of each has been started. Throws Exit as
/// `emulate` does, and for a processor that is named twice.
std::vector<std::string> start_emulators(const std::string& list);

/// Makes the program run on this processor. A script for a shell gets the command of the emulator in the environment
/// variable TOUCHSTONE_EMULATOR, and the directory of aarch64's Python in TOUCHSTONE_SYSROOT. The first call for a
/// processor starts QEMU twice: to get its version, and to test its arithmetic. Throws Exit for an unknown processor,
/// and for a program of another architecture. Throws Exit, too, if QEMU or the sysroot is missing, or QEMU computes
/// wrong.
void emulate(conformance::Program& program, const std::string& cpu);

/// Computes the kinds of sums, products and conversions that kernels consist of, on this processor. Returns what
/// differs from values that the compiler computed; empty if nothing does.
std::string wrong_arithmetic();

}  // namespace touchstone::tools
