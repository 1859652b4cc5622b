// A directory of ONNX's backend tests: model.onnx, and test_data_set_*/input_*.pb with output_*.pb.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/case.h"

namespace touchstone::conformance {

/// Files of a data set that ONNX's own tests do not have, and that its runner does not see.
/// The clause that is violated, then ": " and words; such a data set has no outputs.
inline constexpr std::string_view must_reject_name = "must_reject.txt";
/// The number of an earlier data set with the same inputs, on a line of its own, then words: DataSet::repeats.
inline constexpr std::string_view repeats_name = "repeats.txt";

/// test_data_set_N
std::string data_set_name(std::size_t number);

/// The clause of a data set that is rejected for nonzero padding bits in its file, not for its node.
inline constexpr std::string_view float6_padding_clause = "onnx-6-bit-padding";

/// The directories at or below `root` that hold a model.onnx or a test_data_set_*, and those below it that cannot be
/// read, sorted: one of them that is not a whole test is found out when it is read. Directories that are symbolic links
/// are not entered. Throws FileError if `root` is not a readable directory.
std::vector<std::filesystem::path> find_test_directories(const std::filesystem::path& root);

/// Reads one such directory as the case `id`. Files belong to OperatorModel::graph_inputs and graph_outputs by their
/// numbers, and the tensors get the graph's names, whatever theirs are: so does ONNX's own runner, and some of ONNX's
/// files need it. A data set with a file must_reject.txt has no outputs: what it demands is for the reference to say,
/// unless the file names float6_padding_clause: then the model is read without its padding bits.
/// Throws FileError: what read_model_file and read_tensor_file throw; no model; no data set; a gap in
/// the numbers; a missing input or output file, or one too many; a tensor with the name of another graph input; a
/// must_reject.txt about padding bits that are not set; a repeats.txt that names no earlier data set with the same
/// inputs; a limit exceeded.
Case read_test_directory(const std::filesystem::path& directory, std::string id);

}  // namespace touchstone::conformance
