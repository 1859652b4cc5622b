// What is installed together with the program.
#pragma once

#include <filesystem>
#include <string>

namespace touchstone::tools {

/// The directory share/touchstone/NAME next to the program's bin/; empty if it does not exist.
std::filesystem::path find_installed(const std::filesystem::path& name);

/// The Python of the virtual environment in which the program is installed; "python3" if it is not in one.
std::string default_python();

/// Uses the node tests that are installed together with the program, unless TOUCHSTONE_DATA names others.
void use_installed_node_tests();

}  // namespace touchstone::tools
