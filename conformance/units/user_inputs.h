// The inputs that a user gives for a model of their own: files of tensors.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "conformance/files/tensor_file.h"

namespace touchstone::conformance {

struct UserInput {
  std::string name;
  Tensor value;
  std::string file;  ///< where it is from, for messages
};

/// One for each input of the model, in its order.
using UserInputs = std::vector<UserInput>;

/// Reads a directory, or an archive of numpy.savez (.npz), with one file for each of these inputs: NAME.npy or NAME.pb,
/// or input_N or arr_N with these suffixes, where N is the position of the input. If a directory has directories
/// or archives instead, such as test_data_set_0 of ONNX's backend tests, each of them is a set of inputs, in the order
/// of their names. Other files are ignored, and symbolic links below the directory are refused. For a model with one
/// input, `path` may be its file. Throws FileError for a file that is missing, malformed or larger than the limits.
std::vector<UserInputs> read_user_inputs(const std::filesystem::path& path, std::span<const std::string> names);

/// Reads the content of a NumPy file: a little-endian array, of a type that NumPy has. Throws
/// FileError.
Tensor parse_npy(std::string_view content, const std::string& origin);

}  // namespace touchstone::conformance
