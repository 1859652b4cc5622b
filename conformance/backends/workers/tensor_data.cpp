#include "conformance/backends/workers/tensor_data.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <cstddef>
#include <cstdint>

#include "conformance/backends/workers/framing.h"
#include "conformance/backends/workers/worker.pb.h"

namespace touchstone::conformance {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

std::string_view TensorData::find(const std::string& raw_data) const {
  return raw_data.empty() ? std::string_view() : data_.at(std::stoul(raw_data));
}

std::string TensorData::detach(std::string_view bytes, const Descriptor& type) {
  CodedInputStream input(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
  const auto position = [&] { return static_cast<std::size_t>(input.CurrentPosition()); };
  std::string message;
  std::size_t taken = 0;  // the number of bytes that were copied to `message`, or replaced with keys for `find`
  while (position() < bytes.size()) {
    const std::size_t start = position();
    const std::uint32_t tag = input.ReadTag();
    if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
      WireFormatLite::SkipField(&input, tag);
      continue;
    }
    std::uint32_t length = 0;
    input.ReadVarint32(&length);
    const std::string_view content = bytes.substr(position(), length);
    input.Skip(static_cast<int>(length));
    const FieldDescriptor* field = type.FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
    std::string instead;
    if (field == nullptr) continue;
    if (field->type() == FieldDescriptor::TYPE_MESSAGE) {
      instead = detach(content, *field->message_type());
    } else if (&type == worker::Tensor::descriptor() && field->number() == worker::Tensor::kRawDataFieldNumber) {
      instead = std::to_string(data_.size());
      data_.push_back(content);
    } else {
      continue;
    }
    message += bytes.substr(taken, start - taken);
    append_size(message, tag);
    append_size(message, instead.size());
    message += instead;
    taken = position();
  }
  return message += bytes.substr(taken);
}

}  // namespace touchstone::conformance
