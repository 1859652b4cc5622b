// For tests: models in ONNX's textual syntax.
#pragma once

#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "conformance/files/testing.h"

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

}  // namespace touchstone::conformance
