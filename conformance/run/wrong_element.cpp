#include "conformance/run/wrong_element.h"

#include "reference/codec.h"
#include "reference/value.h"

namespace touchstone::conformance {

namespace {

/// The position of a number among those of its type. Both zeros have position 0.
std::int64_t position(const ElementCode& element) {
  const spec::ElementTypeInfo& type = spec::info(element.type);
  const auto code = static_cast<std::int64_t>(element.code);
  if (type.format->special_codes == spec::SpecialCodes::power_of_two) return code;  // no sign
  const std::int64_t sign = std::int64_t{1} << (type.bits - 1);
  return (code & sign) != 0 ? sign - code : code;
}

}  // namespace

std::string quotient(const CaseRecord& record, const WrongElement& wrong) {
  const bool is_quantized = record.subject && record.subject->version->op == spec::Operator::quantize_linear;
  if (!is_quantized || !wrong.x || !wrong.scale) return {};
  return reference::to_string(reference::divide(reference::decode(wrong.x->type, wrong.x->code),
                                                reference::decode(wrong.scale->type, wrong.scale->code)));
}

std::optional<std::int64_t> ulp_error(const WrongElement& wrong) {
  const spec::ElementTypeInfo& type = spec::info(wrong.expected.type);
  if (!type.format || type.bits > 32 || wrong.actual.type != wrong.expected.type) return std::nullopt;
  return position(wrong.actual) - position(wrong.expected);
}

}  // namespace touchstone::conformance
