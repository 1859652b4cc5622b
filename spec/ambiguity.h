// Defines an ambiguity: a point that the specification leaves open, and every way in which it has been read.
//
// The ambiguities themselves are in spec/ambiguities/, one struct each:
//
//   struct NanToInteger : AmbiguityBase {
//     enum Reading { undefined, minimum, zero_point, maximum, zero };
//     static constexpr ReadingInfo readings[zero + 1]{{"undefined", primary, "..."}, ...};   // same order
//     static constexpr Ambiguity row{"amb-nan-to-integer", "AMB", 1, quantize(10), "question?", "source", readings};
//   };
//
// The interpreter asks its policy for a reading by the struct: `policy.reading<NanToInteger>()`.
#pragma once

#include <span>
#include <string_view>

#include "spec/applicability.h"

namespace touchstone::spec {

enum class ReadingStatus {
  primary,    ///< the default of the literal interpreter
  permitted,  ///< a defensible reading: an implementation may follow it if it does so consistently
  rejected,   ///< found in implementations, but contradicted by the text
};

struct ReadingInfo {
  std::string_view id;  ///< kebab-case, unique within its ambiguity
  ReadingStatus status;
  std::string_view sentence;  ///< what an implementation with this reading does
  /// The versions that permit this reading, if it is permitted in only some of the versions that have the ambiguity.
  Applicability permitted_in = {};
};

struct Ambiguity {
  std::string_view id;                    ///< the series and the topic, kebab-case; never reused or renumbered
  std::string_view series = "AMB";        ///< AMB for ai.onnx, MS for com.microsoft, PMX for opmx
  int number;                             ///< its number in the series (AMB-01 ...)
  Applicability applies;                  ///< the operators and versions that have the ambiguity
  std::string_view question;              ///< the open point, as a question
  std::string_view source;                ///< where the text is silent or contradicts itself
  std::span<const ReadingInfo> readings;  ///< the first is the primary one
};

/// The base of all ambiguities, so that their rows need not qualify a status.
struct AmbiguityBase {
  using enum ReadingStatus;
};

/// Whether an implementation of this version may follow the reading.
constexpr bool is_permitted(const ReadingInfo& reading, std::string_view domain, Operator op, int since_version) {
  if (reading.status != ReadingStatus::permitted) return reading.status == ReadingStatus::primary;
  return reading.permitted_in.count == 0 || reading.permitted_in.covers(domain, op, since_version);
}

}  // namespace touchstone::spec
