// Compares one answer with the required output or rejection.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/verdict.h"
#include "reference/outcome.h"

namespace touchstone::conformance {

/// An output of a graph after the first.
struct FurtherOutput {
  const Tensor* y;
  const std::vector<bool>* open;  ///< as in Demand
  const reference::CodeRange* range = nullptr;
};

/// The requirement of one data set: these outputs, or a rejection.
struct Demand {
  const Tensor* y = nullptr;                        ///< null: a rejection
  const std::vector<bool>* open = nullptr;          ///< elements that may have any value; null: none
  const reference::Rejection* rejection = nullptr;  ///< set if y is null
  bool sign_of_zero = true;
  std::vector<FurtherOutput> further = {};
  const reference::CodeRange* range = nullptr;  ///< codes that are right besides those of y; null: none
};

/// The requirement that follows from an outcome.
Demand demand_of(const reference::Outcome& outcome, bool sign_of_zero);

/// Begins the size of a difference at the end of a reason.
inline constexpr std::string_view size_mark = ", by up to ";

struct Mismatch {
  Verdict verdict;  ///< fail, accepts_invalid or rejects_valid
  std::string reason = {};
  std::optional<TensorDifference> tensor = std::nullopt;
  ElementType type = ElementType::float32;  ///< of `tensor`, as required
};

/// std::nullopt if the answer meets the requirement. `names` are those of the graph's outputs.
std::optional<Mismatch> mismatch(const Demand& demand, const Answer& answer, const std::vector<std::string>& names);

/// "3 of 8 elements differ only in the sign of zero", for an answer that meets the requirement; empty if none does.
std::string zero_signs(const Demand& demand, const Answer& answer);
/// Whether the text ends like that.
bool reports_zero_signs(std::string_view text);

}  // namespace touchstone::conformance
