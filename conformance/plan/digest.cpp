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

Digest& Digest::add_word(std::uint64_t word) {
  value_ = (value_ ^ word) * 0x100000001b3;
  value_ ^= value_ >> 32;  // multiplication never carries downwards
  return *this;
}

Digest& Digest::add_form(const reference::Tensor& tensor) {
  return add(fmt::format("{}[{}]", spec::name(tensor.type()), fmt::join(tensor.shape(), ",")));
}

Digest& Digest::add(const reference::Tensor& tensor) {
  return add_form(tensor).add({reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size()});
}

std::uint64_t digest_of(const Case& tested) {
  Digest digest;
  digest.add(tested.model.bytes);
  for (const DataSet& data : tested.data_sets) {
    for (const NamedTensor& input : data.inputs) digest.add(input.name).add(input.value);
    for (const NamedTensor& output : data.expected) digest.add(output.name).add(output.value);
    if (data.repeats) digest.add(fmt::format("repeats {}", *data.repeats));
  }
  return digest.value();
}

}  // namespace touchstone::conformance
