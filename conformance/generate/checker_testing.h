// For tests: ONNX's checker, with strict inference of types and shapes.
#pragma once

#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

#include <exception>
#include <string>

namespace touchstone::conformance {

/// The checker's error message for a model; empty if it accepts the model.
inline std::string complaint(const std::string& bytes) {
  onnx::ModelProto model;
  if (!model.ParseFromString(bytes)) return "no model";
  try {
    onnx::checker::check_model(model, /*full_check=*/true);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace touchstone::conformance
