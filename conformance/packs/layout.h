// A pack: cases on disk for a device that no host program can reach, and the location of its answers.
//
//   DIR/manifest.json                                describes the pack; written last
//   DIR/README.txt                                   the same, for people
//   DIR/cases/TEST/model.onnx                        in the layout of ONNX's backend tests
//   DIR/cases/TEST/data.json                         for ONNX's own runner: no tolerances
//   DIR/cases/TEST/test_data_set_N/input_K.pb
//   DIR/cases/TEST/test_data_set_N/output_K.pb       under the primary readings
//   DIR/cases/TEST/test_data_set_N/permitted/R.output_K.pb  under another permitted reading, if different
//   DIR/must_reject/TEST/...                         models that must be refused; they have no outputs
//   DIR/controls/TEST/...                            models that must be accepted for a refusal to count; the line of a
//                                                    case in the manifest has its control, which cases may share
//
// Answers have the same paths below a directory of their own:
//
//   A/cases/TEST/test_data_set_N/output_K.pb
//   A/cases/TEST/test_data_set_N/refused.txt         instead of outputs: why this data set was refused
//   A/cases/TEST/refused.txt                         why the whole model was refused
//   A/backend.txt                                    the backend, in up to three lines: name, version, description
//
// Runners search for tests only to this depth, so the path of a test is a single name: see test_name.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace touchstone::conformance {

inline constexpr std::string_view manifest_name = "manifest.json";
/// Exists while a pack is written, and after an incomplete export.
inline constexpr std::string_view unfinished_name = "unfinished.txt";
inline constexpr std::string_view pack_readme_name = "README.txt";
inline constexpr std::string_view permitted_name = "permitted";
inline constexpr std::string_view refused_name = "refused.txt";
inline constexpr std::string_view answering_backend_name = "backend.txt";

/// The parts of a pack. Runners assume that a test must give outputs, so models that must be refused are in a separate
/// folder.
inline constexpr std::string_view cases_part = "cases";
inline constexpr std::string_view must_reject_part = "must_reject";
inline constexpr std::string_view controls_part = "controls";
inline constexpr std::array pack_parts{cases_part, must_reject_part, controls_part};

/// The name of a case as a test of ONNX's runner. It is also a valid function name: quantize_linear/21/f32-f32-u8/zp is
/// test_quantizelinear_21_f32_f32_u8_zp. It has only letters, digits and underscores; two ids may have the same name. A
/// name of more than 250 bytes is truncated and ends in a digest of the id, since file systems allow 255.
std::string test_name(const std::string& id);

/// The folder of a case, or of a control, relative to a pack and to its answers.
std::filesystem::path pack_path(const std::string& id, bool must_reject);

/// "output_K.pb"
std::string output_name(std::size_t number);

}  // namespace touchstone::conformance
