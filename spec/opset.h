// The opsets of ai.onnx that have the quantization operators: one row each.
//
// Source: ONNX's version table (Versioning.md) and release notes.
#pragma once

#include <array>
#include <string_view>

namespace touchstone::spec {

struct Opset {
  int number;
  std::string_view release;  ///< the first ONNX release that has it
  int ir_version;            ///< of that release
};

inline constexpr std::array opsets{
    Opset{10, "1.5.0", 5},   Opset{11, "1.6.0", 6},   Opset{12, "1.7.0", 7},   Opset{13, "1.8.0", 7},
    Opset{14, "1.9.0", 7},   Opset{15, "1.10.0", 8},  Opset{16, "1.11.0", 8},  Opset{17, "1.12.0", 8},
    Opset{18, "1.13.0", 8},  Opset{19, "1.14.0", 9},  Opset{20, "1.15.0", 9},  Opset{21, "1.16.0", 10},
    Opset{22, "1.17.0", 10}, Opset{23, "1.18.0", 11}, Opset{24, "1.19.0", 12}, Opset{25, "1.20.0", 13},
    Opset{26, "1.21.0", 13}, Opset{27, "1.22.0", 13}, Opset{28, "1.23.0", 14},
};

inline constexpr int oldest_opset = opsets.front().number;
inline constexpr int newest_opset = opsets.back().number;

constexpr bool is_known_opset(int number) { return oldest_opset <= number && number <= newest_opset; }

}  // namespace touchstone::spec
