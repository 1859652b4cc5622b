// Where a run took place, in a few words.
#pragma once

#include <string>

namespace touchstone::tools {

/// System, machine and processor: "Linux 6.1.0 x86_64, Intel(R) Xeon(R) ...". No name of a host or a user.
std::string host_description();

}  // namespace touchstone::tools
