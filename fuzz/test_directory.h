// The possible files in an input of the target test_directory.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace touchstone::fuzz {

inline std::vector<std::string> paths_of_test_directory() {
  std::vector<std::string> paths{"model.onnx"};
  for (const char* set : {"test_data_set_0/", "test_data_set_1/", "test_data_set_2/", "test_data_set_x/"})
    for (const char* file : {"input_0.pb", "input_1.pb", "input_2.pb", "input_3.pb", "output_0.pb", "output_1.pb",
                             "must_reject.txt", "repeats.txt"})
      paths.push_back(std::string(set) + file);
  return paths;
}

}  // namespace touchstone::fuzz
