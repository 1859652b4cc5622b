#include "conformance/plan/content_hash.h"

#include <fmt/format.h>

#include <vector>

namespace touchstone::conformance {

ContentHash& ContentHash::add(std::string_view bytes) {
  stream_.add(fmt::format("{}:", bytes.size())).add(bytes);
  return *this;
}

ContentHash& ContentHash::add_number(std::uint64_t number) { return add(fmt::format("{}", number)); }

ContentHash& ContentHash::add(const reference::Tensor& tensor) {
  add(fmt::format("{}[{}]", spec::name(tensor.type()), fmt::join(tensor.shape(), ",")));
  return add({reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size()});
}

ContentHash& ContentHash::add(const Case& content) {
  add(content.model.bytes).add_number(content.data_sets.size());
  for (const DataSet& data : content.data_sets) {
    for (const std::vector<NamedTensor>* tensors : {&data.inputs, &data.expected}) {
      add_number(tensors->size());
      for (const NamedTensor& tensor : *tensors) add(tensor.name).add(tensor.value);
    }
    add(data.repeats ? fmt::format("repeats {}", *data.repeats) : "");
  }
  return *this;
}

}  // namespace touchstone::conformance
