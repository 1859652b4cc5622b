// The files that an input of the target pack_answers may have.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/packs/layout.h"

namespace touchstone::fuzz {

/// A pack's manifest, or answers to the case, of two data sets.
inline std::vector<std::string> paths_of_answers(const std::string& case_id) {
  using namespace conformance;
  const std::filesystem::path test = pack_path(case_id, false);
  const std::string refused(refused_name);
  std::vector<std::string> paths{std::string(manifest_name), std::string(answering_backend_name), test / refused};
  for (const char* set : {"test_data_set_0", "test_data_set_1"})
    for (const std::string& file : {output_name(0), output_name(1), refused}) paths.push_back(test / set / file);
  return paths;
}

}  // namespace touchstone::fuzz
