// The initial inputs of a fuzz target.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace touchstone::fuzz {

using SeedContents = std::map<std::string, std::string>;  ///< by file name

struct TargetSeeds {
  std::string_view target;
  SeedContents (*make)();
};

}  // namespace touchstone::fuzz
