#include "conformance/files/message.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/message.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <array>

#include "conformance/files/characters.h"

namespace touchstone::conformance {

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// Fields that contain data: they can be as long as their message.
constexpr std::array<std::string_view, 8> data_fields{
    "onnx.TensorProto.raw_data",         "onnx.TensorProto.float_data",    "onnx.TensorProto.int32_data",
    "onnx.TensorProto.int64_data",       "onnx.TensorProto.uint64_data",   "onnx.TensorProto.double_data",
    "touchstone.worker.Tensor.raw_data", "touchstone.worker.Request.model"};

bool holds_data(const FieldDescriptor& field) {
  return std::find(data_fields.begin(), data_fields.end(), std::string_view(field.full_name())) != data_fields.end();
}

/// Checks a message before it is parsed. Protobuf's parser would allocate without bound, and would report invalid UTF-8
/// in strings only on stderr, and only in some builds.
class Examination {
 public:
  Examination(const Descriptor& type, std::string_view bytes, const std::string& origin)
      : type_(type), bytes_(bytes), origin_(origin) {}

  void examine() { examine(type_, bytes_, 1); }

 private:
  void examine(const Descriptor& type, std::string_view bytes, std::uint64_t depth) {
    if (depth > limits().nesting)
      throw FileError(origin_, "messages nested deeper than the limit of " + std::to_string(limits().nesting));
    CodedInputStream input(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
    while (input.CurrentPosition() < static_cast<int>(bytes.size())) {
      const std::uint32_t tag = input.ReadTag();
      count_fields(1);
      switch (WireFormatLite::GetTagWireType(tag)) {
        case WireFormatLite::WIRETYPE_LENGTH_DELIMITED: {
          std::uint32_t length = 0;
          if (!input.ReadVarint32(&length)) fail_malformed();
          const auto start = static_cast<std::size_t>(input.CurrentPosition());
          if (length > bytes.size() - start) fail_malformed();
          examine_field(type, WireFormatLite::GetTagFieldNumber(tag), bytes.substr(start, length), depth);
          input.Skip(static_cast<int>(length));
          break;
        }
        case WireFormatLite::WIRETYPE_START_GROUP:  // ONNX's messages have no groups; unknown ones could be nested
                                                    // deeply
          fail_malformed();
        default:
          if (!WireFormatLite::SkipField(&input, tag)) fail_malformed();
      }
    }
  }

  void examine_field(const Descriptor& type, int number, std::string_view bytes, std::uint64_t depth) {
    const FieldDescriptor* field = type.FindFieldByNumber(number);
    if (field == nullptr) return;
    if (field->type() == FieldDescriptor::TYPE_MESSAGE) examine(*field->message_type(), bytes, depth + 1);
    // A packed list has at most an entry for each byte, and an entry takes eight bytes in memory.
    if (field->is_packable() && !holds_data(*field)) count_fields(bytes.size());
    const bool is_text = field->type() == FieldDescriptor::TYPE_STRING;
    const bool is_string = is_text || (field->type() == FieldDescriptor::TYPE_BYTES && !holds_data(*field));
    if (!is_string) return;
    if (bytes.size() > limits().string_bytes)
      throw FileError(origin_, std::string(field->full_name()) + " has " + std::to_string(bytes.size()) +
                                   " bytes; the limit is " + std::to_string(limits().string_bytes));
    if (is_text && !is_utf8(bytes))
      throw FileError(origin_, std::string(field->full_name()) + " is " + in_quotes(bytes) + ", which is not UTF-8");
  }

  void count_fields(std::uint64_t count) {
    fields_ += count;
    if (fields_ > limits().fields_per_message)
      throw FileError(origin_, "more fields than the limit of " + std::to_string(limits().fields_per_message));
  }

  [[noreturn]] void fail_malformed() const {
    throw FileError(origin_,
                    "not a protocol buffer message of type " + std::string(type_.full_name()) + ", or a truncated one");
  }

  const Descriptor& type_;
  std::string_view bytes_;
  const std::string& origin_;
  std::uint64_t fields_ = 0;
};

}  // namespace

void examine_message(const Descriptor& type, std::string_view bytes, const std::string& origin, std::uint64_t longest) {
  if (bytes.empty()) throw FileError(origin, "empty");
  if (bytes.size() > longest) throw FileError(origin, "longer than the limit of " + std::to_string(longest) + " bytes");
  Examination(type, bytes, origin).examine();
}

void parse_examined_message(google::protobuf::Message& message, std::string_view bytes, const std::string& origin) {
  if (!message.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size())))
    throw FileError(origin, "not a message of type " + std::string(message.GetDescriptor()->full_name()));
}

void parse_message(google::protobuf::Message& message, std::string_view bytes, const std::string& origin,
                   std::uint64_t longest) {
  examine_message(*message.GetDescriptor(), bytes, origin, longest);
  parse_examined_message(message, bytes, origin);
}

}  // namespace touchstone::conformance
