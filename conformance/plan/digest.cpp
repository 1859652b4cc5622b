#include "conformance/plan/digest.h"

#include <fmt/format.h>

namespace touchstone::conformance {

Digest& Digest::add(std::string_view bytes) {
  for (const char byte : bytes) {
    value_ ^= static_cast<unsigned char>(byte);
    value_ *= 0x100000001b3;
  }
  return *this;
}

Digest& Digest::add(const reference::Tensor& tensor) {
  add(fmt::format("{}[{}]", spec::name(tensor.type()), fmt::join(tensor.shape(), ",")));
  return add({reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size()});
}

}  // namespace touchstone::conformance
