// Tests backends that follow non-primary readings. They pass if the readings are permitted, one alone or two together,
// unless the answer shows nothing. Whatever they follow, they get a verdict.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/files/text.h"
#include "conformance/judge/judge.h"
#include "fuzz/coded_example.h"
#include "fuzz/law.h"
#include "fuzz/reading_choices.h"
#include "reference/interpreter.h"
#include "spec/opset.h"

namespace {

using namespace touchstone::conformance;
using namespace touchstone::fuzz;

bool are_permitted(const std::vector<Choice>& choices, const touchstone::spec::OperatorVersion& version) {
  return std::ranges::all_of(choices, [&](const Choice& choice) {
    const auto& readings = touchstone::spec::ambiguities[choice.ambiguity]->readings;
    return touchstone::spec::is_permitted(readings[choice.reading], version.domain, version.op, version.since_version);
  });
}

bool is_as_expected(Verdict verdict, bool must_pass) {
  if (is_permitted(verdict)) return true;
  switch (verdict) {
    case Verdict::fail:
    case Verdict::accepts_invalid:
    case Verdict::rejects_valid: return !must_pass;
    default: return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(data, size);
  const std::span readings = bytes.first(std::min(size, most_readings));
  const Example example = decode(bytes.subspan(readings.size()), Operators::both);
  // A model cannot be built without an operator.
  if (touchstone::spec::find_opset(example.node.domain, example.node.opset) == nullptr) return -1;
  const Case tested = case_of(example);
  const std::vector<ReferenceOutcome> interpreted = interpret(tested);
  const std::vector<Choice> choices = decode_readings(readings, tested, interpreted.front());
  ReferenceBackend follower(policy_of(choices));
  const UnitAnswer answer = follower.run({tested.id, tested.model.bytes, {tested.data_sets.front().inputs}});
  const Judgement found = judge(tested, interpreted, answer, {});
  const bool must_pass = are_permitted(choices, touchstone::reference::operator_version(interpreted.front().node));
  if (is_as_expected(found.verdict, must_pass)) return 0;
  fmt::print(stderr, "\nThe backend reference, following");
  for (const Choice& choice : choices) fmt::print(stderr, " {}={}", id_of(choice).ambiguity, id_of(choice).reading);
  fmt::print(stderr, ": {}: {}\n{}", name(found.verdict), displayed_line(found.reason), to_text(example));
  std::abort();
}
