// What a backend supports, according to a run: right in all cases of a quantized type at an opset.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// The result of all these legal cases: "all right", "refused"; empty if they have different ones.
std::string_view common_result(const Counts& counts, std::size_t refused_other = 0);

struct Support {
  /// Consecutive opsets of the run with the same result. The refusal of another operator says nothing about these.
  struct Opsets {
    int first;
    int last;
    Counts counts;                ///< of their legal cases
    std::size_t refused_other{};  ///< of the refused ones: graphs in which the backend refuses another operator alone
  };

  std::string op;  ///< with its domain, except for ai.onnx; or "graphs"
  spec::ElementType type;
  std::vector<Opsets> opsets;
};

/// A row for each operator and each quantized type with a legal case that the backend was asked, and for the graphs. No
/// rows if every legal model that was asked is right.
std::vector<Support> supported(const Summary& summary);

/// "QuantizeLinear uint8: opset 10 to 25 all right; opset 28 refused",
/// "QuantizeLinear int4: opset 21 right in 0 of 269, wrong in 16",
/// "graphs int8: opset 10 refused (of another operator); opset 13 right in 3 of 9, refused 6 (2 of another operator)".
std::string in_words(const Support& support);

}  // namespace touchstone::conformance
