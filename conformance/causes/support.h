// What a backend supports, according to a run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/backends/capabilities.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Whether the backend gave an output, right or wrong, for a legal case.
bool is_answered(const CaseRecord& record);

/// Which parts of an operator a backend supports. A value is supported if the backend gave an output, right or wrong,
/// for a legal case that has it, and refused if it refused all of them.
struct Support {
  struct Values {
    std::string dimension;  ///< "opset", "x", "scale", "y" or "granularity"
    std::vector<std::string> supported;
    std::vector<std::string> refused;
  };

  std::string op;              ///< with its domain, except for ai.onnx
  std::vector<Values> values;  ///< in this order; consecutive opsets are one value: "10 to 25"

  bool is_nothing() const { return values.front().supported.empty(); }
};

/// A row for each operator with a legal case that the backend was asked, in the order of the specification's table.
std::vector<Support> find_support(std::span<const CaseRecord> records);

/// Limits within which the backend would not be asked what it refused, as far as `Capabilities` can express that: a
/// type, an opset, all scales from graph inputs, or all symbolic dimensions, without an answer. Every answered case is
/// within them. No limits if nothing was answered.
Capabilities find_limits(std::span<const CaseRecord> records);

/// "QuantizeLinear: opset 10 to 25; x float, float16; scale float; y uint8, int8; per tensor, per axis. Not: opset 28;
/// x int32"
std::string in_words(const Support& support);

}  // namespace touchstone::conformance
