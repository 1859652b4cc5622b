#include "conformance/backends/workers/messages.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <variant>

#include "conformance/backends/workers/framing.h"
#include "conformance/backends/workers/worker.pb.h"
#include "conformance/files/limits.h"
#include "conformance/files/message.h"
#include "conformance/files/names.h"
#include "conformance/files/tensor_file.h"
#include "conformance/files/text.h"

namespace touchstone::conformance {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

namespace {

/// The data of the tensors in a received message, without the copy that Protocol Buffers would make.
class TensorData {
 public:
  /// `bytes` is a well-formed message of this type; the type is that of a tensor or contains tensors. The bytes must
  /// outlive this object.
  TensorData(std::string_view bytes, const google::protobuf::Descriptor& type) : message_(detach(bytes, type)) {}

  /// The message, with a key for `find` in place of each raw_data.
  const std::string& message() const { return message_; }
  /// The data for a raw_data of that message.
  std::string_view find(const std::string& raw_data) const;

 private:
  std::string detach(std::string_view bytes, const google::protobuf::Descriptor& type);

  std::vector<std::string_view> data_;
  std::string message_;
};

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

/// Room for data whose size does not depend on the inputs: dimensions, names, reasons, a scalar that is broadcast.
constexpr std::uint64_t least_response = std::uint64_t{16} << 20;
constexpr std::uint64_t bits_per_element = 64;

/// Builds a message from its own bytes and references to tensor data, so that the data is copied only once.
class Pieces {
 public:
  void add(std::string bytes) {
    size_ += bytes.size();
    pieces_.emplace_back(std::move(bytes));
  }
  void add(const google::protobuf::Message& fields) { add(fields.SerializeAsString()); }
  void add_data(std::span<const std::byte> data) {
    size_ += data.size();
    pieces_.emplace_back(std::string_view(reinterpret_cast<const char*>(data.data()), data.size()));
  }

  /// Appends the header of a field that contains bytes or another message.
  void begin_field(int number, std::size_t size) {
    std::string bytes;
    append_size(bytes, static_cast<std::uint64_t>(number) << 3 | length_delimited);
    append_size(bytes, size);
    add(std::move(bytes));
  }
  void add_field(int number, Pieces message) {
    begin_field(number, message.size_);
    size_ += message.size_;
    std::ranges::move(message.pieces_, std::back_inserter(pieces_));
  }

  /// The message, preceded by its size. Throws std::length_error.
  std::string frame() const {
    if (size_ > limits().message_bytes)
      throw std::length_error(
          fmt::format("a message of {} bytes; the limit for workers is {}", size_, limits().message_bytes));
    std::string stream;
    stream.reserve(size_ + 10);
    append_size(stream, size_);
    for (const auto& piece : pieces_) std::visit([&](const auto& bytes) { stream += bytes; }, piece);
    return stream;
  }

 private:
  static constexpr std::uint64_t length_delimited = 2;  // a wire type

  std::vector<std::variant<std::string, std::string_view>> pieces_;
  std::size_t size_ = 0;
};

/// The padding bits are cleared.
Pieces pieces_of(const NamedTensor& tensor) {
  const Tensor& value = tensor.value;
  worker::Tensor fields;
  fields.mutable_dims()->Add(value.shape().begin(), value.shape().end());
  fields.set_data_type(static_cast<std::int32_t>(value.type()));
  fields.set_name(valid_utf8(tensor.name));
  Pieces pieces;
  pieces.add(fields);
  const std::span<const std::byte> data = value.bytes();
  if (data.empty()) return pieces;
  pieces.begin_field(worker::Tensor::kRawDataFieldNumber, data.size());
  const auto used_bits = static_cast<int>(value.size() % 8 * spec::info(value.type()).bits % 8);
  if (used_bits == 0) {
    pieces.add_data(data);
  } else {
    pieces.add_data(data.first(data.size() - 1));
    pieces.add(std::string(1, static_cast<char>(static_cast<int>(data.back()) & ((1 << used_bits) - 1))));
  }
  return pieces;
}

NamedTensor tensor_of(const worker::Tensor& message, const TensorData& data, const std::string& origin) {
  onnx::TensorProto proto;
  *proto.mutable_dims() = message.dims();
  if (message.data_type() != 0) proto.set_data_type(message.data_type());
  return {message.name(), to_tensor(proto, data.find(message.raw_data()), origin)};
}

Pieces pieces_of(const Answer& answer) {
  Pieces pieces;
  worker::Answer fields;
  if (const auto* breakdown = std::get_if<Breakdown>(&answer)) {
    using Kind = Breakdown::Kind;
    if (breakdown->kind == Kind::crash || breakdown->kind == Kind::timeout || breakdown->kind == Kind::absent)
      throw std::runtime_error(breakdown->detail);
    fields.set_defect(valid_utf8(breakdown->detail));
    pieces.add(fields);
    return pieces;
  }
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    fields.set_refusal(valid_utf8(refusal->reason));
    pieces.add(fields);
    return pieces;
  }
  Pieces outputs;
  for (const NamedTensor& output : std::get<Outputs>(answer))
    outputs.add_field(worker::Outputs::kTensorsFieldNumber, pieces_of(output));
  pieces.add_field(worker::Answer::kOutputsFieldNumber, std::move(outputs));
  return pieces;
}

template <class Message>
struct Parsed {
  TensorData data;
  Message message;
};

template <class Message>
Parsed<Message> parsed(std::string_view bytes, const std::string& origin) {
  try {
    examine_message(*Message::descriptor(), bytes, origin, limits().message_bytes);
    Parsed<Message> result{TensorData(bytes, *Message::descriptor()), {}};
    parse_examined_message(result.message, result.data.message(), origin);
    return result;
  } catch (const FileError& error) {
    throw ProtocolError(error.what());
  }
}

Outputs outputs_of(const worker::Outputs& message, const TensorData& data, const std::string& origin) {
  Outputs outputs;
  for (int i = 0; i < message.tensors_size(); ++i)
    outputs.push_back(tensor_of(message.tensors(i), data, fmt::format("{}, output {}", origin, i)));
  return outputs;
}

Answer answer_of(const worker::Answer& message, const TensorData& data, const std::string& origin) {
  switch (message.outcome_case()) {
    case worker::Answer::kRefusal: return Refusal{message.refusal()};
    case worker::Answer::kOutputs: return outputs_of(message.outputs(), data, origin);
    case worker::Answer::kDefect:
      return Breakdown{Breakdown::Kind::protocol, fmt::format("{}: {}", origin, message.defect())};
    case worker::Answer::OUTCOME_NOT_SET: break;
  }
  throw ProtocolError(origin + ": neither outputs nor a refusal");
}

}  // namespace

std::string hello_frame(const Greeting& greeting) {
  worker::Hello hello;
  hello.set_protocol(protocol_version);
  hello.set_name(valid_utf8(greeting.identity.name));
  hello.set_version(valid_utf8(greeting.identity.version));
  hello.set_description(valid_utf8(greeting.identity.description));
  const Capabilities& can = greeting.capabilities;
  worker::Capabilities& message = *hello.mutable_capabilities();
  message.mutable_element_types()->Add(can.element_types.begin(), can.element_types.end());
  for (const OpsetRange& row : can.opsets) {
    worker::OpsetRange& range = *message.add_opsets();
    range.set_domain(row.domain);
    range.set_oldest(row.oldest);
    range.set_newest(row.newest);
  }
  message.set_constant_scales_only(can.constant_scales_only);
  message.set_static_shapes_only(can.static_shapes_only);
  Pieces pieces;
  pieces.add(hello);
  return pieces.frame();
}

std::string request_frame(std::uint64_t number, const Unit& unit) {
  worker::Request fields;
  fields.set_number(number);
  fields.set_case_id(valid_utf8(std::string(unit.case_id)));
  Pieces request;
  request.add(fields);
  request.begin_field(worker::Request::kModelFieldNumber, unit.model.size());
  request.add_data(std::as_bytes(std::span(unit.model)));
  for (const std::span<const NamedTensor> inputs : unit.inputs) {
    Pieces input_set;
    for (const NamedTensor& input : inputs) input_set.add_field(worker::InputSet::kInputsFieldNumber, pieces_of(input));
    request.add_field(worker::Request::kInputSetsFieldNumber, std::move(input_set));
  }
  return request.frame();
}

std::string response_frame(std::uint64_t number, const UnitAnswer& answer) {
  if (const auto* breakdown = std::get_if<Breakdown>(&answer)) throw std::runtime_error(breakdown->detail);
  worker::Response fields;
  fields.set_number(number);
  Pieces response;
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    fields.set_refusal(valid_utf8(refusal->reason));
    response.add(fields);
    return response.frame();
  }
  response.add(fields);
  Pieces answers;
  for (const Answer& one : std::get<std::vector<Answer>>(answer))
    answers.add_field(worker::Answers::kAnswersFieldNumber, pieces_of(one));
  response.add_field(worker::Response::kAnswersFieldNumber, std::move(answers));
  return response.frame();
}

Greeting read_hello(std::string_view message) {
  const worker::Hello hello = parsed<worker::Hello>(message, "its Hello").message;
  if (hello.protocol() != protocol_version)
    throw ProtocolError(
        fmt::format("its Hello has protocol version {}; this touchstone needs {}", hello.protocol(), protocol_version));
  if (hello.name().empty()) throw ProtocolError("its Hello does not name the backend");
  Capabilities can;
  const worker::Capabilities& declared = hello.capabilities();
  can.element_types.assign(declared.element_types().begin(), declared.element_types().end());
  for (const worker::OpsetRange& row : declared.opsets())
    can.opsets.push_back({row.domain(), row.oldest(), row.newest()});
  can.constant_scales_only = declared.constant_scales_only();
  can.static_shapes_only = declared.static_shapes_only();
  return {{hello.name(), hello.version(), hello.description()}, std::move(can)};
}

ReceivedRequest read_request(std::string_view message) {
  auto [data, request] = parsed<worker::Request>(message, "a request");
  ReceivedRequest received{request.number(), request.case_id(), std::move(*request.mutable_model()), {}};
  try {
    for (const worker::InputSet& inputs : request.input_sets()) {
      std::vector<NamedTensor>& tensors = received.input_sets.emplace_back();
      for (const worker::Tensor& tensor : inputs.inputs())
        tensors.push_back(tensor_of(tensor, data, fmt::format("input '{}' of a request", tensor.name())));
    }
  } catch (const FileError& error) {
    throw ProtocolError(error.what());
  }
  return received;
}

UnitAnswer read_response(std::string_view message, std::uint64_t number, std::size_t input_sets) try {
  const auto [data, response] = parsed<worker::Response>(message, "its response");
  if (response.number() != number) throw ProtocolError("its response is to another request");
  switch (response.outcome_case()) {
    case worker::Response::kRefusal: return Refusal{response.refusal()};
    case worker::Response::kAnswers: break;
    case worker::Response::OUTCOME_NOT_SET: throw ProtocolError("its response has neither answers nor a refusal");
  }
  const worker::Answers& messages = response.answers();
  if (static_cast<std::size_t>(messages.answers_size()) != input_sets)
    throw ProtocolError(
        fmt::format("its response has {} answers to {} input sets", messages.answers_size(), input_sets));
  std::vector<Answer> answers;
  for (int i = 0; i < messages.answers_size(); ++i)
    answers.push_back(answer_of(messages.answers(i), data, fmt::format("its answer to input set {}", i)));
  return answers;
} catch (const FileError& error) {
  throw ProtocolError(error.what());
}

std::uint64_t longest_response(std::uint64_t request_bytes) {
  return std::min(limits().message_bytes, least_response + bits_per_element * request_bytes);
}

}  // namespace touchstone::conformance
