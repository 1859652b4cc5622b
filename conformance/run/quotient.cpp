#include "conformance/run/quotient.h"

#include "reference/codec.h"
#include "reference/value.h"

namespace touchstone::conformance {

std::string quotient(const CaseRecord& record, const WrongElement& wrong) {
  const bool is_quantized = record.subject && record.subject->version->op == spec::Operator::quantize_linear;
  if (!is_quantized || !wrong.x || !wrong.scale) return {};
  return reference::to_string(reference::divide(reference::decode(wrong.x->type, wrong.x->code),
                                                reference::decode(wrong.scale->type, wrong.scale->code)));
}

}  // namespace touchstone::conformance
