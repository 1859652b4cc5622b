// Words that fuzzers insert into inputs: names that random bytes rarely contain.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace touchstone::fuzz {

struct TargetDictionary {
  std::string_view target;
  std::set<std::string> (*words)();
};

/// For targets that read models: the names in the tables of operators, each after its length, as protocol buffers
/// encode them. For targets that read JSON: the members in their seeds, and the verdicts.
std::span<const TargetDictionary> dictionaries();

/// The words in libFuzzer's format, one per line.
std::string dictionary_file(const std::set<std::string>& words);

}  // namespace touchstone::fuzz
