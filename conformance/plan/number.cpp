#include "conformance/plan/number.h"

#include <fmt/format.h>

#include "reference/codec.h"
#include "reference/value.h"

namespace touchstone::conformance {

std::string decimal(ElementType type, std::uint64_t code) {
  return reference::to_string(reference::decode(type, code));
}

std::string hex(ElementType type, std::uint64_t code) {
  return fmt::format("0x{:0{}x}", code, (spec::info(type).bits + 3) / 4);
}

std::string with_commas(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t end = text.size(); end > 3;) text.insert(end -= 3, ",");
  return text;
}

}  // namespace touchstone::conformance
