#include "conformance/judge/digests.h"

#include <string>

#include "conformance/judge/alternatives.h"
#include "conformance/judge/compare.h"
#include "conformance/plan/content_hash.h"
#include "conformance/plan/digest.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

using reference::Tensor;

namespace {

void add(ContentHash& hash, const reference::Outcome& outcome) {
  if (const reference::Result* result = outcome.result()) {
    std::string open(result->unspecified.size(), '0');
    for (std::size_t i = 0; i < open.size(); ++i)
      if (result->unspecified[i]) open[i] = '1';
    hash.add("output").add(result->y).add(open);
  } else {
    hash.add("rejection").add(outcome.rejection()->clause->id);
  }
}

/// `open` is null if all elements count.
void add(Digest& digest, const Tensor& output, const std::vector<bool>* open, bool sign_of_zero) {
  digest.add_form(output);
  for (std::int64_t i = 0; i < output.size(); ++i)
    if (open == nullptr || !(*open)[static_cast<std::size_t>(i)])
      digest.add_word(representative(output.type(), output.code(i), sign_of_zero));
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
    for (const Choice& choice :
         alternatives(reference::operator_version(interpreted.front().node), consulted, /*choices=*/{})) {
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
    const reference::Result* result = i < interpreted.size() ? interpreted[i].outcome.result() : nullptr;
    for (const NamedTensor& output : *outputs) {
      const bool has_mask = result != nullptr && result->y.size() == output.value.size();
      add(digest, output.value, has_mask ? &result->unspecified : nullptr, sign_of_zero);
    }
  }
  return digest.value();
}

}  // namespace touchstone::conformance
