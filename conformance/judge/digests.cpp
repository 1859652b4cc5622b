#include "conformance/judge/digests.h"

#include <optional>
#include <string>

#include "conformance/judge/alternatives.h"
#include "conformance/judge/compare.h"
#include "conformance/plan/digest.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

void add(ContentHash& hash, const Tensor& output, const std::vector<bool>& unspecified,
         const std::optional<reference::CodeRange>& range) {
  std::string open(unspecified.size(), '0');
  for (std::size_t i = 0; i < open.size(); ++i)
    if (unspecified[i]) open[i] = '1';
  hash.add("output").add(output).add(open);
  if (range) hash.add("range").add(range->lowest).add(range->highest);
}

void add(ContentHash& hash, const Outcome& outcome) {
  if (const Result* result = outcome.result()) {
    add(hash, result->y, result->unspecified, result->range);
    for (const reference::Output& output : result->further) add(hash, output.value, output.unspecified, output.range);
  } else {
    hash.add("rejection").add(outcome.rejection()->clause->id);
  }
}

/// `open` is null if all elements count. All codes in the range are one; it is null if there is none.
void add(Digest& digest, const Tensor& output, const std::vector<bool>* open, const reference::CodeRange* range,
         bool sign_of_zero) {
  digest.add_form(output);
  for (std::int64_t i = 0; i < output.size(); ++i) {
    if (open != nullptr && (*open)[static_cast<std::size_t>(i)]) continue;
    const std::uint64_t code =
        range != nullptr && is_in_range(*range, i, output.code(i)) ? range->lowest.code(i) : output.code(i);
    digest.add_word(representative(output.type(), code, sign_of_zero));
  }
}

}  // namespace

Sha256 case_digest(const Case& tested, const std::vector<ReferenceOutcome>& interpreted) {
  ContentHash hash;
  hash.add(tested);
  Consulted consulted;
  for (const ReferenceOutcome& row : interpreted) {
    add(hash, row.outcome);
    consulted |= row.outcome.consulted;
  }
  if (consulted.any())
    for (const Choice& choice : alternatives(operator_versions(tested), consulted, /*choices=*/{})) {
      const ReadingId permitted = id_of(choice);
      hash.add(permitted.ambiguity).add(permitted.reading);
    }
  return hash.finish();
}

std::uint64_t answer_digest(const UnitAnswer& answer, const std::vector<ReferenceOutcome>& interpreted,
                            bool sign_of_zero) {
  Digest digest;
  const auto* answers = std::get_if<std::vector<Answer>>(&answer);
  if (answers == nullptr) return digest.add("no answers").value();
  for (std::size_t i = 0; i < answers->size(); ++i) {
    const auto* outputs = std::get_if<Outputs>(&(*answers)[i]);
    if (outputs == nullptr) {
      digest.add("no outputs");
      continue;
    }
    const Result* result = i < interpreted.size() ? interpreted[i].outcome.result() : nullptr;
    for (std::size_t o = 0; o < outputs->size(); ++o) {
      const Tensor& output = (*outputs)[o].value;
      const std::vector<bool>* open = result != nullptr ? unspecified_of(*result, o) : nullptr;
      const bool has_mask = open != nullptr && std::cmp_equal(open->size(), output.size());
      const reference::CodeRange* range = has_mask ? range_of(*result, o) : nullptr;
      const bool has_range = range != nullptr && range->lowest.type() == output.type();
      add(digest, output, has_mask ? open : nullptr, has_range ? range : nullptr, sign_of_zero);
    }
  }
  return digest.value();
}

}  // namespace touchstone::conformance
