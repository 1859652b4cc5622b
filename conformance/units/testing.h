// For tests: models in ONNX's textual syntax, and their parts.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/files/testing.h"
#include "conformance/units/unit_cases.h"
#include "conformance/units/units.h"

namespace touchstone::conformance {

inline onnx::ModelProto model_of_text(const std::string& text) {
  onnx::ModelProto model;
  if (const auto status = onnx::OnnxParser::Parse(model, text.c_str()); !status.IsOK())
    throw std::runtime_error(status.ErrorMessage());
  return model;
}

/// A model of opset 21 with this graph.
inline onnx::ModelProto model_of_graph(const std::string& graph) {
  return model_of_text(R"(<ir_version: 10, opset_import: ["": 21]> )" + graph);
}

/// The file of such a model in the directory.
inline std::filesystem::path file_of_graph(const TemporaryDirectory& scratch, const std::string& graph) {
  const std::filesystem::path path = scratch.path() / "net.onnx";
  write_file(path, model_of_graph(graph));
  return path;
}

/// The error that reading gives; empty if there is none.
template <class Read>
std::string error_of(const Read& read) {
  try {
    read();
    return "";
  } catch (const FileError& error) {
    return error.what();
  }
}

/// Two layers with one scale and zero point.
inline constexpr const char* two_layers = R"(g (uint8[2,4] x) => (uint8[2,4] z) <float s = {0.5}, uint8 p = {3}> {
  a = DequantizeLinear(x, s, p)
  b = Relu(a)
  y = QuantizeLinear(b, s, p)
  c = DequantizeLinear(y, s, p)
  d = Sigmoid(c)
  z = QuantizeLinear(d, s, p)
})";

/// Three operators of uint8 between the quantization operators, one of which has a constant.
inline constexpr const char* moved_codes = R"(g (float[1,2,2,2] x) => (float[1,2,2,1] y)
    <float s = {0.5}, uint8[1,2,1,1] w = {7, 9}, int64[1] begin = {1}, int64[1] end = {3}, int64[1] axis = {2}> {
  q = QuantizeLinear(x, s)
  m = MaxPool <kernel_shape = [1, 2]> (q)
  c = Concat <axis = 2> (m, w)
  t = Slice(c, begin, end, axis)
  d = DequantizeLinear(t, s)
  y = Relu(d)
})";

/// The parts of a model, in the file net.onnx.
class Parts {
 public:
  explicit Parts(const std::string& graph, const DimensionLengths& lengths = {})
      : parts_(file_of_graph(scratch_, graph), lengths) {}

  const ModelParts* operator->() const { return &parts_; }

  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < parts_.size(); ++i) all.push_back(parts_.id_of(i));
    return all;
  }

 private:
  TemporaryDirectory scratch_;
  ModelParts parts_;
};

inline std::vector<std::string> unit_operators(const Parts& parts) {
  std::vector<std::string> texts;
  for (const ModelUnit& unit : parts->cut().units)
    texts.push_back(fmt::format("{}", fmt::join(operators_of(parts->model(), unit), "+")));
  return texts;
}

}  // namespace touchstone::conformance
