#include "conformance/run/number.h"

#include <fmt/format.h>

#include "reference/codec.h"
#include "reference/value.h"

namespace touchstone::conformance {

std::string decimal(spec::ElementType type, std::uint64_t code) {
  return reference::to_string(reference::decode(type, code));
}

std::string hex(spec::ElementType type, std::uint64_t code) {
  return fmt::format("0x{:0{}x}", code, (spec::info(type).bits + 3) / 4);
}

std::string quotient(const CaseRecord& record, const WrongElement& wrong) {
  const bool is_quantized = record.subject && record.subject->version->op == spec::Operator::quantize_linear;
  if (!is_quantized || !wrong.x || !wrong.scale) return {};
  return reference::to_string(reference::divide(reference::decode(wrong.x->type, wrong.x->code),
                                                reference::decode(wrong.scale->type, wrong.scale->code)));
}

}  // namespace touchstone::conformance
