// The files with which backends in other languages are written.
#pragma once

#include <array>
#include <string_view>

namespace touchstone::tools {

struct InterfaceFile {
  std::string_view name;
  std::string_view content;
};

extern const std::array<InterfaceFile, 3> interface_files;

}  // namespace touchstone::tools
