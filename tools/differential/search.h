// The search of the program `touchstone-differential`: tries one example after the other, and reports failures.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/properties/differential.h"

namespace touchstone::tools {

struct Search {
  std::uint64_t seed = 0;
  std::uint64_t first = 0;                     ///< the number of the first example
  std::optional<std::uint64_t> examples = {};  ///< default_examples if neither this nor `minutes` is given
  std::optional<double> minutes = {};          ///< the time limit, which does not interrupt an example
  std::filesystem::path reproducers = "touchstone-reproducers";
  std::uint64_t failures = 10;  ///< the search ends after this many
  conformance::JudgeOptions judge = {};
};

inline constexpr std::uint64_t default_examples = 100'000;

/// Hooks into a search.
struct SearchEvents {
  std::function<void(std::uint64_t number)> before_example = [](std::uint64_t) {};
  std::function<bool()> is_stopped = [] { return false; };  ///< set from outside; the current example is still finished
};

/// Prints every failure as it is found, with the path of its reproducer, and finally a summary line. Progress goes to
/// standard error. Returns the program's exit code, which is nothing_selected if no example was run. Before trying any
/// example, throws Exit if the requested examples do not exist or reproducers cannot be written to their directory.
/// Also throws Exit if an example cannot be built.
int run_search(const Search& search, const std::vector<conformance::Subject>& subjects, const SearchEvents& events = {},
               std::FILE* out = stdout);

/// The command, with its environment variables, that tries only this example with subjects of one backend.
std::string search_line(const Search& search, std::uint64_t number, std::span<const conformance::Subject> subjects);

}  // namespace touchstone::tools
