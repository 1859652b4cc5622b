#include "conformance/report/uses.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace touchstone::conformance {

namespace {

using enum spec::ElementType;

bool has_one_of(std::string_view pattern, std::initializer_list<std::string_view> operators) {
  return std::ranges::any_of(operators,
                             [&](std::string_view one) { return pattern.find(one) != std::string_view::npos; });
}

bool is_int8_cnn(std::string_view pattern, const GraphParameters& p) {
  return (p.quantized == int8 || p.quantized == uint8) && p.number == float32 &&
         has_one_of(pattern, {"conv", "pool", "gemm", "relu", "clip", "dq_add", "concat", "flatten"});
}

bool is_int4_llm(std::string_view pattern, const GraphParameters& p) {
  return (p.quantized == int4 || p.quantized == uint4) && pattern.find("blocked_dq") != std::string_view::npos;
}

bool has_float8(std::string_view, const GraphParameters& p) { return spec::name(p.quantized).starts_with("float8"); }

constexpr std::array table{Use{"int8 CNN", is_int8_cnn}, Use{"int4 weights of an LLM", is_int4_llm},
                           Use{"float8 activations", has_float8}};

}  // namespace

std::span<const Use> uses() { return table; }

}  // namespace touchstone::conformance
