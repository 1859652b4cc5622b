// Seeds of the targets that read what comes from outside: files, and a worker's messages.
#pragma once

#include <span>

#include "fuzz/seeds/target_seeds.h"

namespace touchstone::fuzz {

std::span<const TargetSeeds> file_seeds();

}  // namespace touchstone::fuzz
