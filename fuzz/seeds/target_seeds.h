// What a fuzz target begins with.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace touchstone::fuzz {

using SeedContents = std::map<std::string, std::string>;  ///< by the names of their files

struct TargetSeeds {
  std::string_view target;
  SeedContents (*make)();
};

}  // namespace touchstone::fuzz
