#include "tools/touchstone/host.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>

namespace touchstone::tools {

namespace {

/// "model name : ..." of the first processor; empty where the system does not tell.
std::string processor() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

}  // namespace

std::string host_description() {
  utsname system{};
  if (::uname(&system) != 0) return "unknown";
  const std::string name = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  const std::string cpu = processor();
  return cpu.empty() ? name : name + ", " + cpu;
}

}  // namespace touchstone::tools
