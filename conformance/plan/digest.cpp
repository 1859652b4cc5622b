#include "conformance/plan/digest.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace touchstone::conformance {

namespace {

std::string form_of(const Tensor& tensor) {
  return fmt::format("{}[{}]", spec::name(tensor.type()), fmt::join(tensor.shape(), ","));
}

std::string_view bytes_of(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size()};
}

/// Empty if the data set repeats no other.
std::string repeated(const DataSet& data) { return data.repeats ? fmt::format("repeats {}", *data.repeats) : ""; }

}  // namespace

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

Digest& Digest::add_form(const Tensor& tensor) { return add(form_of(tensor)); }

Digest& Digest::add(const Tensor& tensor) { return add_form(tensor).add(bytes_of(tensor)); }

std::uint64_t digest_of(const Case& tested) {
  Digest digest;
  digest.add(tested.model.bytes);
  for (const DataSet& data : tested.data_sets) {
    for (const std::vector<NamedTensor>* tensors : {&data.inputs, &data.expected})
      for (const NamedTensor& tensor : *tensors) digest.add(tensor.name).add(tensor.value);
    digest.add(repeated(data));
  }
  return digest.value();
}

ContentHash& ContentHash::add(std::string_view bytes) {
  stream_.add(fmt::format("{}:", bytes.size())).add(bytes);
  return *this;
}

ContentHash& ContentHash::add_number(std::uint64_t number) { return add(fmt::format("{}", number)); }

ContentHash& ContentHash::add(const Tensor& tensor) { return add(form_of(tensor)).add(bytes_of(tensor)); }

ContentHash& ContentHash::add(const Case& content) {
  add(content.model.bytes).add_number(content.data_sets.size());
  for (const DataSet& data : content.data_sets) {
    for (const std::vector<NamedTensor>* tensors : {&data.inputs, &data.expected}) {
      add_number(tensors->size());
      for (const NamedTensor& tensor : *tensors) add(tensor.name).add(tensor.value);
    }
    add(repeated(data));
  }
  return *this;
}

}  // namespace touchstone::conformance
