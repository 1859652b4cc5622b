// The possible files in an input of the target pack_answers.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/packs/layout.h"
#include "fuzz/small_plan.h"

namespace touchstone::fuzz {

inline constexpr std::array packed_sets{"test_data_set_0", "test_data_set_1"};

/// The two cases: one requires an output, the other a rejection.
inline const conformance::PlannedCase& packed_case() { return small_plan()[0]; }
inline const conformance::PlannedCase& packed_illegal_case() { return small_plan()[1]; }

/// A pack's manifest, or answers to the two cases, of two data sets each.
inline std::vector<std::string> paths_of_answers() {
  using namespace conformance;
  const std::string refused(refused_name);
  std::vector<std::string> paths{std::string(manifest_name), std::string(answering_backend_name)};
  for (const std::filesystem::path& test :
       {pack_path(packed_case().id, false), pack_path(packed_illegal_case().id, true)}) {
    paths.push_back(test / refused);
    for (const char* set : packed_sets)
      for (const std::string& file : {output_name(0), output_name(1), refused}) paths.push_back(test / set / file);
  }
  return paths;
}

}  // namespace touchstone::fuzz
