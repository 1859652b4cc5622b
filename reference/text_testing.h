// For tests: readable descriptions of tensors and nodes.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "reference/codec.h"
#include "reference/model/node.h"
#include "reference/model/shape.h"

namespace touchstone::reference {

/// "int8[2] -1 (0xff), 3 (0x3)"
inline std::string to_text(const Tensor& tensor) {
  std::string text = std::string(spec::name(tensor.type())) + to_text(tensor.shape());
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    text += fmt::format("{} {} (0x{:x})", i > 0 ? "," : "", to_string(decode(tensor.type(), tensor.code(i))),
                        tensor.code(i));
  return text;
}

/// The operator, and a line for each input and attribute, without a line feed at the end.
inline std::string to_text(const Node& node) {
  std::string text = fmt::format("{} of {} {}", spec::name(node.op), node.domain, node.opset);
  for (const std::optional<Tensor>& input : node.inputs) text += "\n  " + (input ? to_text(*input) : "absent");
  for (const auto& [name, value] : node.attributes) {
    text += fmt::format("\n  {} = ", name);
    if (const auto* number = std::get_if<std::int64_t>(&value)) text += std::to_string(*number);
    if (const auto* said = std::get_if<std::string>(&value)) text += *said;
    if (const auto* foreign = std::get_if<ForeignAttribute>(&value)) text += foreign->type;
  }
  return text;
}

}  // namespace touchstone::reference
