#include "conformance/workers/messages.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "conformance/files/message.h"
#include "conformance/report/text.h"
#include "conformance/workers/framing.h"
#include "conformance/workers/worker.pb.h"

namespace touchstone::conformance {

namespace {

/// What a case has that does not follow from its inputs' size: dimensions, names, reasons, a scalar that is spread.
constexpr std::uint64_t least_response = std::uint64_t{16} << 20;
constexpr std::uint64_t bits_per_element = 64;

void set(worker::Tensor& message, const NamedTensor& tensor) {
  onnx::TensorProto proto = to_tensor_proto(tensor.value, tensor.name);
  *message.mutable_dims() = std::move(*proto.mutable_dims());
  message.set_data_type(proto.data_type());
  message.set_name(tensor.name);
  *message.mutable_raw_data() = std::move(*proto.mutable_raw_data());
}

/// Takes the data out of the message.
NamedTensor tensor_of(worker::Tensor& message, const std::string& origin) {
  onnx::TensorProto proto;
  *proto.mutable_dims() = std::move(*message.mutable_dims());
  if (message.data_type() != 0) proto.set_data_type(message.data_type());
  *proto.mutable_raw_data() = std::move(*message.mutable_raw_data());
  return {message.name(), to_tensor(proto, origin)};
}

std::string frame(const google::protobuf::Message& message) {
  std::string stream;
  const std::size_t size = message.ByteSizeLong();
  if (size > longest_request)
    throw std::length_error(
        fmt::format("a message of {} bytes; {} are the most that workers take", size, longest_request));
  append_size(stream, size);
  message.AppendToString(&stream);
  return stream;
}

template <class Message>
Message parsed(std::string_view bytes, const std::string& origin) {
  Message message;
  try {
    parse_message(message, bytes, origin, longest_request);
  } catch (const FileError& error) {
    throw ProtocolError(error.what());
  }
  return message;
}

Outputs outputs_of(worker::Outputs& message, const std::string& origin) {
  Outputs outputs;
  for (int i = 0; i < message.tensors_size(); ++i)
    outputs.push_back(tensor_of(*message.mutable_tensors(i), fmt::format("{}, output {}", origin, i)));
  return outputs;
}

Answer answer_of(worker::Answer& message, const std::string& origin) {
  switch (message.outcome_case()) {
    case worker::Answer::kRefusal: return Refusal{std::move(*message.mutable_refusal())};
    case worker::Answer::kOutputs: return outputs_of(*message.mutable_outputs(), origin);
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
  return frame(hello);
}

std::string request_frame(std::uint64_t number, const Unit& unit) {
  worker::Request request;
  request.set_number(number);
  request.set_case_id(valid_utf8(std::string(unit.case_id)));
  request.set_model(std::string(unit.model));
  for (const std::span<const NamedTensor> inputs : unit.inputs) {
    worker::InputSet& set_of_inputs = *request.add_input_sets();
    for (const NamedTensor& input : inputs) set(*set_of_inputs.add_inputs(), input);
  }
  return frame(request);
}

std::string response_frame(std::uint64_t number, const UnitAnswer& answer) {
  worker::Response response;
  response.set_number(number);
  if (const auto* breakdown = std::get_if<Breakdown>(&answer)) throw std::runtime_error(breakdown->detail);
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    response.set_refusal(valid_utf8(refusal->reason));
    return frame(response);
  }
  worker::Answers& answers = *response.mutable_answers();
  for (const Answer& one : std::get<std::vector<Answer>>(answer)) {
    worker::Answer& message = *answers.add_answers();
    if (const auto* breakdown = std::get_if<Breakdown>(&one)) throw std::runtime_error(breakdown->detail);
    if (const auto* refusal = std::get_if<Refusal>(&one)) {
      message.set_refusal(valid_utf8(refusal->reason));
      continue;
    }
    worker::Outputs& outputs = *message.mutable_outputs();
    for (const NamedTensor& output : std::get<Outputs>(one)) set(*outputs.add_tensors(), output);
  }
  return frame(response);
}

Greeting read_hello(std::string_view message) {
  const auto hello = parsed<worker::Hello>(message, "its Hello");
  if (hello.protocol() != protocol_version)
    throw ProtocolError(fmt::format("its Hello is of protocol {}; this is touchstone of protocol {}", hello.protocol(),
                                    protocol_version));
  if (hello.name().empty()) throw ProtocolError("its Hello has no name of the backend");
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
  auto request = parsed<worker::Request>(message, "a request");
  ReceivedRequest received{request.number(), request.case_id(), std::move(*request.mutable_model()), {}};
  try {
    for (worker::InputSet& inputs : *request.mutable_input_sets()) {
      std::vector<NamedTensor>& tensors = received.input_sets.emplace_back();
      for (worker::Tensor& tensor : *inputs.mutable_inputs())
        tensors.push_back(tensor_of(tensor, fmt::format("request {}, input '{}'", received.number, tensor.name())));
    }
  } catch (const FileError& error) {
    throw ProtocolError(error.what());
  }
  return received;
}

UnitAnswer read_response(std::string_view message, std::uint64_t number, std::size_t input_sets) try {
  auto response = parsed<worker::Response>(message, "its response");
  if (response.number() != number)
    throw ProtocolError(fmt::format("its response is to request {}; that to {} was due", response.number(), number));
  switch (response.outcome_case()) {
    case worker::Response::kRefusal: return Refusal{std::move(*response.mutable_refusal())};
    case worker::Response::kAnswers: break;
    case worker::Response::OUTCOME_NOT_SET: throw ProtocolError("its response has neither answers nor a refusal");
  }
  worker::Answers& messages = *response.mutable_answers();
  if (static_cast<std::size_t>(messages.answers_size()) != input_sets)
    throw ProtocolError(
        fmt::format("its response has {} answers to {} input sets", messages.answers_size(), input_sets));
  std::vector<Answer> answers;
  for (int i = 0; i < messages.answers_size(); ++i)
    answers.push_back(answer_of(*messages.mutable_answers(i), fmt::format("its answer to input set {}", i)));
  return answers;
} catch (const FileError& error) {
  throw ProtocolError(error.what());
}

std::uint64_t longest_response(std::uint64_t request_bytes) {
  return std::min(longest_request, least_response + bits_per_element * request_bytes);
}

}  // namespace touchstone::conformance
