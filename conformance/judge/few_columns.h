// Few columns of a large product, which show faster than all of them that no readings explain an output.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/files/case.h"
#include "conformance/judge/oracle.h"

namespace touchstone::conformance {

struct FewColumns {
  Case tested;
  std::vector<ReferenceOutcome> interpreted;
  std::vector<Answer> answers;
};

/// The case and its answers with only the first columns that are wrong under the primary readings, if the output of its
/// graph is that of a MatMul by many dequantized constants: then each column depends on no other. std::nullopt for
/// other cases, and for answers that are not outputs of the required form.
std::optional<FewColumns> few_columns(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                                      std::span<const Answer* const> answers);

}  // namespace touchstone::conformance
