// Describes the machine of a run.
#pragma once

#include <string>

namespace touchstone::tools {

/// System, machine and processor: "Linux 6.1.0 x86_64, Intel(R) Xeon(R) ...". Contains no host or user name.
std::string host_description();

}  // namespace touchstone::tools
