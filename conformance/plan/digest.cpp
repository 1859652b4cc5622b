#include "conformance/plan/digest.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace touchstone::conformance {

Digest& Digest::add(std::string_view bytes) {
  for (const char byte : bytes) {
    value_ ^= static_cast<unsigned char>(byte);
    value_ *= 0x100000001b3;
  }
  return *this;
}

Digest& Digest::add_words(std::span<const std::byte> bytes) {
  constexpr std::uint64_t prime = 0x100000001b3;
  // Uses four lanes, because each step waits for the previous one. Multiplication never carries downwards, hence the
  // shift.
  std::array<std::uint64_t, 4> lanes{value_, value_ + 1, value_ + 2, value_ + 3};
  const std::size_t whole = bytes.size() / sizeof(lanes) * sizeof(lanes);
  for (std::size_t i = 0; i < whole; i += sizeof(lanes)) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), bytes.data() + i, sizeof(words));
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      lanes[k] = (lanes[k] ^ words[k]) * prime;
      lanes[k] ^= lanes[k] >> 32;
    }
  }
  add({reinterpret_cast<const char*>(lanes.data()), sizeof(lanes)});
  return add({reinterpret_cast<const char*>(bytes.data()) + whole, bytes.size() - whole});
}

Digest& Digest::add(const reference::Tensor& tensor) {
  add(fmt::format("{}[{}]", spec::name(tensor.type()), fmt::join(tensor.shape(), ",")));
  return add({reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size()});
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
