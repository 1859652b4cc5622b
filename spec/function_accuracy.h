// How exactly implementations compute functions that IEEE 754 does not require to be rounded correctly. ONNX is silent,
// so this is an assumption, and reports name it.
#pragma once

#include <array>
#include <string_view>

namespace touchstone::spec {

/// A result is right if it differs from the exact one by at most so many units in the last place, and besides by so
/// many unit roundoffs of 1.
struct FunctionAccuracy {
  std::string_view op_type;
  double ulps;
  double roundoffs;
  std::string_view source;
};

inline constexpr std::string_view opencl =
    "The OpenCL C Specification, Relative Error as ULPs: single precision, full profile";

// clang-format off
inline constexpr std::array function_accuracies{
    FunctionAccuracy{"Div", 2.5, 0, opencl},
    FunctionAccuracy{"Reciprocal", 2.5, 0, opencl},
    FunctionAccuracy{"Sqrt", 3, 0, opencl},
    FunctionAccuracy{"Exp", 3, 0, opencl},
    FunctionAccuracy{"Pow", 16, 0, opencl},
    // Rational approximations and Abramowitz and Stegun's formula 7.1.26 bound the absolute error, the latter by 1.5e-7.
    FunctionAccuracy{"Erf", 16, 32, opencl},
    // (exp(2x) - 1) / (exp(2x) + 1) and 2 / (1 + exp(-2x)) - 1 cancel near zero.
    FunctionAccuracy{"Tanh", 5, 32, opencl},
    // By exp with its error, or as (1 + tanh(x / 2)) / 2.
    FunctionAccuracy{"Sigmoid", 0, 32, "follows from Exp, Tanh and Div"},
};
// clang-format on

/// An operator of several steps. Its bounds contain its usual algorithms, which ONNX does not name.
struct ComposedAccuracy {
  std::string_view op_type;
  std::string_view sentence;                       ///< what is assumed: a predicate
  std::array<std::string_view, 2> functions = {};  ///< op_types of function_accuracies with whose accuracy it computes
};

inline constexpr std::string_view mean_by_division = "divides the sum by the count, or multiplies by its reciprocal";

inline constexpr std::array composed_accuracies{
    ComposedAccuracy{"Softmax", "subtracts the maximum or the logarithm of the sum before Exp", {"Exp", "Div"}},
    ComposedAccuracy{"Gelu", "multiplies in any order, with the error of Erf or Tanh", {"Erf", "Tanh"}},
    ComposedAccuracy{"HardSigmoid", "multiplies by alpha, or divides by its reciprocal"},
    ComposedAccuracy{"HardSwish", "multiplies by 1 / 6, or divides by 6"},
    ComposedAccuracy{"ReduceMean", mean_by_division},
    ComposedAccuracy{"AveragePool", mean_by_division},
    ComposedAccuracy{"GlobalAveragePool", mean_by_division},
    ComposedAccuracy{"Resize", "computes coordinates in float32"},
    ComposedAccuracy{"LayerNormalization",
                     "computes the variance in one pass or in two, and its inverse root by any "
                     "of the usual instructions"},
    ComposedAccuracy{"BatchNormalization",
                     "computes the inverse root of the variance by any of the usual instructions"},
};

/// The row of an operator. There must be one.
consteval const FunctionAccuracy& function_accuracy(std::string_view op_type) {
  for (const FunctionAccuracy& row : function_accuracies)
    if (row.op_type == op_type) return row;
  throw std::string_view("an operator without a row");
}

}  // namespace touchstone::spec
