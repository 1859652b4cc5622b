#include "conformance/run/wrong_element.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "conformance/run/record.h"
#include "reference/codec.h"
#include "reference/value.h"

namespace touchstone::conformance {

namespace {

/// The position of a number among those of its type. Both zeros have position 0.
std::int64_t position(const ElementCode& element) {
  const ElementTypeInfo& type = spec::info(element.type);
  const auto code = static_cast<std::int64_t>(element.code);
  if (type.format->special_codes == spec::SpecialCodes::power_of_two) return code;  // no sign
  const std::int64_t sign = std::int64_t{1} << (type.bits - 1);
  return (code & sign) != 0 ? sign - code : code;
}

/// Packs numbers, most of which are small.
class Packer {
 public:
  static constexpr bool reads = false;

  explicit Packer(std::string& packed) : stream_(&packed), output_(&stream_) {}
  void operator()(std::uint64_t& number) { output_.WriteVarint64(number); }

 private:
  google::protobuf::io::StringOutputStream stream_;
  google::protobuf::io::CodedOutputStream output_;
};

/// Unpacks what a Packer has packed.
class Unpacker {
 public:
  static constexpr bool reads = true;

  explicit Unpacker(std::string_view packed)
      : input_(reinterpret_cast<const std::uint8_t*>(packed.data()), static_cast<int>(packed.size())) {}
  void operator()(std::uint64_t& number) { input_.ReadVarint64(&number); }

 private:
  google::protobuf::io::CodedInputStream input_;
};

/// Passes all numbers in a value to a packer, or those of an unpacker to a value.
template <class Io, class T>
void pass(Io& io, T& value) {
  if constexpr (requires { value.index; }) {
    pass(io, value.index);
    pass(io, value.x);
    pass(io, value.scale);
    pass(io, value.zero_point);
    pass(io, value.expected);
    pass(io, value.actual);
    pass(io, value.position);
    pass(io, value.scale_index);
    pass(io, value.block);
  } else if constexpr (requires { value.code; }) {
    pass(io, value.type);
    pass(io, value.code);
  } else if constexpr (requires { value.has_value(); }) {
    bool has_value = value.has_value();
    pass(io, has_value);
    if constexpr (Io::reads)
      if (has_value) value.emplace();
    if (has_value) pass(io, *value);
  } else if constexpr (requires { value.size(); }) {
    std::size_t size = value.size();
    pass(io, size);
    if constexpr (Io::reads) value.resize(size);
    for (auto& one : value) pass(io, one);
  } else {
    auto number = static_cast<std::uint64_t>(value);
    io(number);
    if constexpr (Io::reads) value = static_cast<T>(number);
  }
}

}  // namespace

WrongElements::WrongElements(const std::vector<WrongElement>& elements) {
  if (elements.empty()) return;
  std::string packed;
  {
    Packer packer(packed);
    pass(packer, elements);
  }  // writes the rest
  packed_ = packed;
}

WrongElements::WrongElements(std::initializer_list<WrongElement> elements)
    : WrongElements(std::vector<WrongElement>(elements)) {}

std::size_t WrongElements::size() const {
  std::uint64_t size = 0;
  if (empty()) return size;
  Unpacker unpacker(*packed_);
  unpacker(size);
  return size;
}

std::vector<WrongElement> WrongElements::unpacked() const {
  std::vector<WrongElement> elements;
  if (empty()) return elements;
  Unpacker unpacker(*packed_);
  pass(unpacker, elements);
  return elements;
}

std::string quotient(const CaseRecord& record, const WrongElement& wrong) {
  const bool is_quantized = record.subject && record.subject.version->op == Operator::quantize_linear;
  if (!is_quantized || !wrong.x || !wrong.scale) return {};
  return reference::to_string(reference::divide(reference::decode(wrong.x->type, wrong.x->code),
                                                reference::decode(wrong.scale->type, wrong.scale->code)));
}

std::optional<std::int64_t> ulp_error(const WrongElement& wrong) {
  const ElementTypeInfo& type = spec::info(wrong.expected.type);
  if (!type.format || type.bits > 32 || wrong.actual.type != wrong.expected.type) return std::nullopt;
  return position(wrong.actual) - position(wrong.expected);
}

}  // namespace touchstone::conformance
