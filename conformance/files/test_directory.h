// A directory of ONNX's backend tests: model.onnx, and test_data_set_*/input_*.pb with output_*.pb.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/plan/case.h"

namespace touchstone::conformance {

/// The directories at or below `root` that hold a model.onnx or a test_data_set_*, and those below it that cannot be
/// read, sorted: one of them that is not a whole test is found out when it is read. Directories that are symbolic links
/// are not entered. Throws FileError if `root` is not a readable directory.
std::vector<std::filesystem::path> find_test_directories(const std::filesystem::path& root);

/// Reads one such directory as the case `id`. Files belong to OperatorModel::graph_inputs and graph_outputs by their
/// numbers, and the tensors get the graph's names, whatever theirs are: so does ONNX's own runner, and some of ONNX's
/// files need it. A data set with a file must_reject.txt has no outputs: what it demands is for the reference to say.
/// Throws FileError: what read_model_file and read_tensor_file throw; no model; no data set; a gap in
/// the numbers; a missing input or output file, or one too many; a tensor with the name of another graph input; a limit
/// exceeded.
Case read_test_directory(const std::filesystem::path& directory, std::string id);

}  // namespace touchstone::conformance
