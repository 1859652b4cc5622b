#include "conformance/plan/number.h"

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

}  // namespace touchstone::conformance
