// What the program `touchstone-differential` does: one example after the other, and what is told of them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "conformance/properties/differential.h"

namespace touchstone::tools {

struct Search {
  std::uint64_t seed = 0;
  std::uint64_t first = 0;                     ///< the number of the first example
  std::optional<std::uint64_t> examples = {};  ///< how many; if neither this nor `minutes` is given, default_examples
  std::optional<double> minutes = {};          ///< at most so long; it does not cut examples short
  std::filesystem::path reproducers = "touchstone-reproducers";
  std::uint64_t failures = 10;  ///< after so many it ends
  conformance::JudgeOptions judge = {};
};

inline constexpr std::uint64_t default_examples = 100'000;

/// What surrounds a search.
struct SearchEvents {
  std::function<void(std::uint64_t number)> before_example = [](std::uint64_t) {};
  std::function<bool()> is_stopped = [] { return false; };  ///< from outside; the example is finished first
};

/// Prints every failure as it is found, and its reproducer's place, and in the end a line with what was tried; how far
/// it is goes to standard error. Returns the program's exit code: nothing_selected also if no example was asked. Throws
/// Exit, before anything is tried, if there are no such examples, or reproducers could not be written to their
/// directory; and at an example that cannot be made.
int run_search(const Search& search, const std::vector<conformance::Subject>& subjects, const SearchEvents& events = {},
               std::FILE* out = stdout);

}  // namespace touchstone::tools
