// Seeds of the targets that read external data: files, and a worker's messages.
#pragma once

#include <span>

#include "fuzz/seeds/target_seeds.h"

namespace touchstone::fuzz {

std::span<const TargetSeeds> file_seeds();

}  // namespace touchstone::fuzz
