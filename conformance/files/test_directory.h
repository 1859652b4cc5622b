// Reads a directory of ONNX's backend tests: model.onnx, and test_data_set_*/input_*.pb with output_*.pb.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/case.h"

namespace touchstone::conformance {

// Files of a data set that ONNX's own tests do not have, and that its runner ignores.

/// Contains the violated clause, ": " and an explanation. Such a data set has no outputs.
inline constexpr std::string_view must_reject_name = "must_reject.txt";
/// The first line is the number of an earlier data set with the same inputs (DataSet::repeats); an explanation follows.
inline constexpr std::string_view repeats_name = "repeats.txt";

/// test_data_set_N
std::string data_set_name(std::size_t number);

/// The clause of a data set that is rejected for nonzero padding bits in its file, not for its node.
inline constexpr std::string_view float6_padding_clause = "onnx-6-bit-padding";

/// The directories at or below `root` that contain a model.onnx or a test_data_set_*, and the unreadable ones below it,
/// sorted. Incomplete tests are reported when they are read. Symbolic links to directories are not followed. Throws
/// FileError if `root` is not a readable directory.
std::vector<std::filesystem::path> find_test_directories(const std::filesystem::path& root);

/// Reads one such directory as the case `id`. If there are more inputs than graph inputs without a default value (an
/// initializer), they replace default values: they are the first ones of all graph inputs. Files are assigned to
/// OperatorModel::graph_inputs and graph_outputs by number, and the tensors get the graph's names instead of their own,
/// as in ONNX's own runner; some of ONNX's files need this. A data set with a file must_reject.txt has no outputs; the
/// reference decides what is expected. If the file names float6_padding_clause, the model is read without its padding
/// bits. Throws FileError for the reasons of read_model_file and read_tensor_file; for a missing model or data set; for
/// a gap in the numbers; for a missing or extra input or output file; for a tensor with the name of another graph
/// input; for a must_reject.txt about padding bits that are not set; for a repeats.txt that does not name an earlier
/// data set with the same inputs; for exceeded limits; and, if `root` is not empty, for a symbolic link in the
/// directory that leads out of `root`.
Case read_test_directory(const std::filesystem::path& directory, std::string id,
                         const std::filesystem::path& root = {});

}  // namespace touchstone::conformance
