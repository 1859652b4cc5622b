// A run in numbers, every one with its denominator.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

#include "conformance/judge/verdict.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

struct Tally {
  std::size_t passed = 0;
  std::size_t total = 0;
};

struct Summary {
  std::size_t cases = 0;
  std::array<std::size_t, verdicts.size()> by_verdict{};  ///< in the order of `verdicts`
  std::size_t legal_cells = 0;
  std::size_t covered_cells = 0;  ///< touched by a case that was run, whatever came of it

  /// By operator, opset and quantized element type; only those that a case touches.
  std::map<std::tuple<spec::Operator, int, spec::ElementType>, Tally> matrix;

  std::size_t count(Verdict verdict) const { return by_verdict[static_cast<std::size_t>(verdict)]; }
  std::size_t passed() const { return count(Verdict::pass) + count(Verdict::pass_variant); }
};

Summary summarize(const std::vector<CaseRecord>& records);

/// The program's exit code for a run that came to its end: 0 as expected, 1 an unexpected result, 3 only the harness
/// failed, 4 incomplete, 5 nothing selected.
int exit_code(const Summary& summary);

}  // namespace touchstone::conformance
