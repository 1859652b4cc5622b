#include "fuzz/seeds/dictionaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "conformance/judge/verdict.h"
#include "fuzz/seeds/file_seeds.h"
#include "spec/operator_version.h"

namespace touchstone::fuzz {

namespace {

/// A name as protocol buffers encode it: its length in one byte, and the name itself.
std::string with_length(std::string_view name) { return static_cast<char>(name.size()) + std::string(name); }

std::set<std::string> words_of_models() {
  // Operands can also be Constant nodes: the operator, and its attributes for numbers.
  std::set<std::string> words;
  for (const std::string_view name :
       {"Constant", "value", "sparse_value", "value_float", "value_floats", "value_int", "value_ints"})
    words.insert(with_length(name));
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    words.insert(with_length(spec::name(version.op)));
    if (!version.domain.empty()) words.insert(with_length(version.domain));
    for (const spec::Attribute& row : version.attributes) words.insert(with_length(row.name));
  }
  return words;
}

void add_members(const nlohmann::json& json, std::set<std::string>& words) {
  if (json.is_object())
    for (const auto& [name, value] : json.items()) words.insert('"' + name + "\":");
  if (json.is_structured())
    for (const nlohmann::json& value : json) add_members(value, words);
}

/// The words in seeds that are JSON or have lines of JSON.
template <const std::string_view& target>
std::set<std::string> words_of_json() {
  std::set<std::string> words;
  for (const conformance::VerdictInfo& row : conformance::verdicts) words.insert(fmt::format("\"{}\"", row.name));
  const auto seeds = std::ranges::find(file_seeds(), target, &TargetSeeds::target)->make();
  for (const auto& [name, content] : seeds) {
    add_members(nlohmann::json::parse(content, nullptr, /*allow_exceptions=*/false), words);
    std::istringstream lines(content);
    for (std::string line; std::getline(lines, line);)
      add_members(nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false), words);
  }
  return words;
}

constexpr std::string_view expectations = "expectations";
constexpr std::string_view journal = "journal";

constexpr std::array table{
    TargetDictionary{expectations, words_of_json<expectations>},
    TargetDictionary{journal, words_of_json<journal>},
    TargetDictionary{"model_file", words_of_models},
    TargetDictionary{"test_directory", words_of_models},
    TargetDictionary{"user_model", words_of_models},
};

}  // namespace

std::span<const TargetDictionary> dictionaries() { return table; }

std::string dictionary_file(const std::set<std::string>& words) {
  std::string file;
  for (const std::string& word : words) {
    file += '"';
    for (const char letter : word) {
      const bool is_plain = ' ' < letter && letter <= '~' && letter != '"' && letter != '\\';
      file += is_plain ? std::string(1, letter) : fmt::format("\\x{:02x}", static_cast<unsigned char>(letter));
    }
    file += "\"\n";
  }
  return file;
}

}  // namespace touchstone::fuzz
