// The opsets that have the quantization operators: one row for each version of each domain.
//
// Source: ONNX's version table (Versioning.md) and release notes; the other domains' pages.
#pragma once

#include <array>
#include <string_view>

#include "spec/applicability.h"

namespace touchstone::spec {

struct Opset {
  std::string_view domain;
  int number;
  std::string_view release;  ///< the first ONNX release with this opset; empty for other domains
  int ir_version;            ///< of that release; for other domains, one that supports all their element types
};

inline constexpr std::array opsets{
    Opset{ai_onnx, 10, "1.5.0", 5},   Opset{ai_onnx, 11, "1.6.0", 6},   Opset{ai_onnx, 12, "1.7.0", 7},
    Opset{ai_onnx, 13, "1.8.0", 7},   Opset{ai_onnx, 14, "1.9.0", 7},   Opset{ai_onnx, 15, "1.10.0", 8},
    Opset{ai_onnx, 16, "1.11.0", 8},  Opset{ai_onnx, 17, "1.12.0", 8},  Opset{ai_onnx, 18, "1.13.0", 8},
    Opset{ai_onnx, 19, "1.14.0", 9},  Opset{ai_onnx, 20, "1.15.0", 9},  Opset{ai_onnx, 21, "1.16.0", 10},
    Opset{ai_onnx, 22, "1.17.0", 10}, Opset{ai_onnx, 23, "1.18.0", 11}, Opset{ai_onnx, 24, "1.19.0", 12},
    Opset{ai_onnx, 25, "1.20.0", 13}, Opset{ai_onnx, 26, "1.21.0", 13}, Opset{ai_onnx, 27, "1.22.0", 13},
    Opset{ai_onnx, 28, "1.23.0", 14}, Opset{com_microsoft, 1, "", 10},  Opset{opmx, 1, "", 10},
};

/// The row of an opset, or null.
constexpr const Opset* find_opset(std::string_view domain, int number) {
  for (const Opset& row : opsets)
    if (row.domain == domain && row.number == number) return &row;
  return nullptr;
}

/// The first row of a domain, or null.
constexpr const Opset* oldest_of(std::string_view domain) {
  for (const Opset& row : opsets)
    if (row.domain == domain) return &row;
  return nullptr;
}

/// The last row of a domain, or null.
constexpr const Opset* newest_of(std::string_view domain) {
  const Opset* last = nullptr;
  for (const Opset& row : opsets)
    if (row.domain == domain) last = &row;
  return last;
}

/// The range of opsets of ai.onnx.
inline constexpr int oldest_opset = oldest_of(ai_onnx)->number;
inline constexpr int newest_opset = newest_of(ai_onnx)->number;

}  // namespace touchstone::spec
