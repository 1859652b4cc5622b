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
  const spec::ElementTypeInfo& type = spec::info(element.type);
  const auto code = static_cast<std::int64_t>(element.code);
  if (type.format->special_codes == spec::SpecialCodes::power_of_two) return code;  // no sign
  const std::int64_t sign = std::int64_t{1} << (type.bits - 1);
  return (code & sign) != 0 ? sign - code : code;
}

/// Packs numbers, most of which are small.
class Packer {
 public:
  explicit Packer(std::string& packed) : stream_(&packed), output_(&stream_) {}

  void add(std::uint64_t number) { output_.WriteVarint64(number); }
  void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
  void add(const ElementCode& element) {
    add(static_cast<std::uint64_t>(element.type));
    add(element.code);
  }
  template <class T>
  void add(const std::optional<T>& value) {
    add(std::uint64_t{value.has_value()});
    if (value) add(*value);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(std::uint64_t{values.size()});
    for (const T& value : values) add(value);
  }
  void add(const WrongElement& wrong) {
    add(wrong.index);
    add(wrong.x);
    add(wrong.scale);
    add(wrong.zero_point);
    add(wrong.expected);
    add(wrong.actual);
    add(wrong.position);
    add(wrong.scale_index);
    add(wrong.block);
  }

 private:
  google::protobuf::io::StringOutputStream stream_;
  google::protobuf::io::CodedOutputStream output_;
};

/// Unpacks what a Packer has packed.
class Unpacker {
 public:
  explicit Unpacker(std::string_view packed)
      : input_(reinterpret_cast<const std::uint8_t*>(packed.data()), static_cast<int>(packed.size())) {}

  void take(std::uint64_t& number) { input_.ReadVarint64(&number); }
  void take(std::int64_t& number) {
    std::uint64_t bits = 0;
    take(bits);
    number = static_cast<std::int64_t>(bits);
  }
  void take(ElementCode& element) {
    std::uint64_t type = 0;
    take(type);
    element.type = static_cast<spec::ElementType>(type);
    take(element.code);
  }
  template <class T>
  void take(std::optional<T>& value) {
    std::uint64_t has_value = 0;
    take(has_value);
    if (has_value != 0) take(value.emplace());
  }
  template <class T>
  void take(std::vector<T>& values) {
    std::uint64_t size = 0;
    take(size);
    values.resize(size);
    for (T& value : values) take(value);
  }
  void take(WrongElement& wrong) {
    take(wrong.index);
    take(wrong.x);
    take(wrong.scale);
    take(wrong.zero_point);
    take(wrong.expected);
    take(wrong.actual);
    take(wrong.position);
    take(wrong.scale_index);
    take(wrong.block);
  }

 private:
  google::protobuf::io::CodedInputStream input_;
};

}  // namespace

WrongElements::WrongElements(const std::vector<WrongElement>& elements) {
  if (elements.empty()) return;
  std::string packed;
  Packer(packed).add(elements);
  packed_ = packed;
}

WrongElements::WrongElements(std::initializer_list<WrongElement> elements)
    : WrongElements(std::vector<WrongElement>(elements)) {}

std::size_t WrongElements::size() const {
  std::uint64_t size = 0;
  if (!empty()) Unpacker(*packed_).take(size);
  return size;
}

std::vector<WrongElement> WrongElements::unpacked() const {
  std::vector<WrongElement> elements;
  if (!empty()) Unpacker(*packed_).take(elements);
  return elements;
}

std::string quotient(const CaseRecord& record, const WrongElement& wrong) {
  const bool is_quantized = record.subject && record.subject.version->op == spec::Operator::quantize_linear;
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
