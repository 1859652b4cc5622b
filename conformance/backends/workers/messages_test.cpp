#include "conformance/backends/workers/messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/backends/workers/testing.h"
#include "conformance/backends/workers/worker.pb.h"
#include "conformance/files/limits.h"
#include "conformance/testing.h"

namespace touchstone::conformance::messages_test {
namespace {

/// The byte blocks in the README, without comments.
std::vector<std::string> documented_frames() {
  std::ifstream readme(TOUCHSTONE_SOURCE_DIR "/conformance/backends/workers/README.md");
  std::vector<std::string> frames;
  bool inside = false;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("```")) {
      inside = line == "```hex";
      if (inside) frames.emplace_back();
    } else if (inside) {
      std::istringstream bytes(line.substr(0, line.find('#')));
      for (std::string byte; bytes >> byte;) frames.back() += static_cast<char>(std::stoi(byte, nullptr, 16));
    }
  }
  return frames;
}

TEST(Messages, CanHaveDataLongerThanTheLimitForStrings) {
  const std::uint64_t before = limits().string_bytes;
  set_limits("string_bytes=100");
  const std::string model(101, 'm');
  const std::vector<NamedTensor> inputs{{"x", {spec::ElementType::uint8, {101}}}};
  const ReceivedRequest request = read_request(message_in(request_frame(1, {"id", model, {inputs}})));
  set_limits("string_bytes=" + std::to_string(before));
  EXPECT_EQ(request.model, model);
  EXPECT_EQ(request.input_sets.at(0).at(0).value.size(), 101);
}

TEST(Messages, MatchTheBytesInTheReadme) {
  const std::vector<std::string> frames = documented_frames();
  ASSERT_EQ(frames.size(), 4U);
  const Greeting greeting = read_hello(message_in(frames[0]));
  EXPECT_EQ(greeting.identity, (BackendIdentity{"example", "1.0", ""}));

  const ReceivedRequest request = read_request(message_in(frames[1]));
  EXPECT_EQ(request.number, 1U);
  EXPECT_EQ(request.case_id, "1");
  ASSERT_EQ(request.input_sets.size(), 1U);
  Unit unit{request.case_id, request.model, {request.input_sets[0]}};
  EXPECT_EQ(request_frame(1, unit), frames[1]);

  EXPECT_EQ(response_frame(1, ReferenceBackend().run(unit)), frames[2]) << "the result of QuantizeLinear";
  const UnitAnswer answer = read_response(message_in(frames[2]), 1, 1);
  const auto& y = std::get<Outputs>(std::get<std::vector<Answer>>(answer).at(0)).at(0);
  EXPECT_EQ(y.name, "y");
  EXPECT_EQ(y.value.type(), spec::ElementType::uint8);
  EXPECT_EQ(y.value.shape(), reference::Shape{2});
  EXPECT_EQ(y.value.code(0), 2U);
  EXPECT_EQ(y.value.code(1), 5U);

  EXPECT_EQ(std::get<Refusal>(read_response(message_in(frames[3]), 1, 1)).reason, "no kernel for FLOAT");
  EXPECT_EQ(response_frame(1, Refusal{"no kernel for FLOAT"}), frames[3]);
}

TEST(Messages, KeepTensorsOfEveryType) {
  for (const spec::ElementTypeInfo& type : spec::element_types) {
    if (!spec::element_type_from_code(static_cast<std::int32_t>(type.type))) continue;  // not a type of ONNX
    const std::vector<std::uint64_t> codes{1, 0, 3};
    const std::vector<NamedTensor> inputs{{"x", tensor(type.type, {3, 1}, codes)}, {"", tensor(type.type, {0}, {})}};
    const ReceivedRequest request = read_request(message_in(request_frame(7, {"id", "model", {inputs}})));
    ASSERT_EQ(request.input_sets.at(0).size(), 2U) << type.name;
    const NamedTensor& x = request.input_sets[0][0];
    EXPECT_EQ(x.name, "x");
    EXPECT_EQ(x.value.type(), type.type);
    EXPECT_EQ(x.value.shape(), (reference::Shape{3, 1}));
    for (std::size_t i = 0; i < codes.size(); ++i)
      EXPECT_EQ(x.value.code(static_cast<std::int64_t>(i)), codes[i]) << type.name;
    EXPECT_EQ(request.input_sets[0][1].value.shape(), reference::Shape{0});
  }
}

TEST(Messages, KeepAnswersToEachSetOfInputs) {
  const Outputs outputs{{"y", tensor(spec::ElementType::int4, {2}, {1, 15})}};
  const UnitAnswer given = std::vector<Answer>{outputs, Refusal{"not these"}, Outputs{}};
  const UnitAnswer kept = read_response(message_in(response_frame(3, given)), 3, 3);
  const auto& answers = std::get<std::vector<Answer>>(kept);
  EXPECT_EQ(std::get<Outputs>(answers.at(0)).at(0).value.code(1), 15U);
  EXPECT_EQ(std::get<Refusal>(answers.at(1)).reason, "not these");
  EXPECT_TRUE(std::get<Outputs>(answers.at(2)).empty());
}

/// A field of bytes or of another message.
std::string field(int number, const std::string& content) {
  std::string bytes;
  append_size(bytes, static_cast<std::uint64_t>(number) << 3 | 2);
  append_size(bytes, content.size());
  return bytes + content;
}

// The data is not read by Protocol Buffers, but must be the same as if it were.
TEST(Messages, GiveTheDataThatProtocolBuffersWouldRead) {
  worker::Tensor shape;
  shape.add_dims(1);
  shape.set_data_type(static_cast<std::int32_t>(spec::ElementType::uint8));
  const std::string head = shape.SerializeAsString();
  const auto raw = [](const std::string& data) { return field(worker::Tensor::kRawDataFieldNumber, data); };
  const std::string twice = head + raw("1") + raw("B");  // the last one counts
  const std::string before_the_shape = raw("C") + head;
  const std::string unknown = head + field(900, raw("2")) + raw("D");
  const std::string superseded = field(worker::Answer::kRefusalFieldNumber, "3");
  std::string outputs;
  for (const std::string& one : {twice, before_the_shape, unknown})
    outputs += field(worker::Outputs::kTensorsFieldNumber, one);
  const std::string answers =
      field(worker::Answers::kAnswersFieldNumber, superseded + field(worker::Answer::kOutputsFieldNumber, outputs));
  const UnitAnswer answer = read_response("\x08\x05" + field(worker::Response::kAnswersFieldNumber, answers), 5, 1);
  const auto& read = std::get<Outputs>(std::get<std::vector<Answer>>(answer).at(0));
  ASSERT_EQ(read.size(), 3U);
  for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i].value.code(0), std::uint64_t{'B'} + i);
}

TEST(Messages, DropThePaddingOfHalfBytesAndRefuseThatOfFloat6) {
  const auto response_of = [](std::int32_t type, const std::string& bytes) {
    worker::Response response;
    response.set_number(1);
    worker::Tensor& tensor = *response.mutable_answers()->add_answers()->mutable_outputs()->add_tensors();
    tensor.add_dims(1);
    tensor.set_data_type(type);
    tensor.set_raw_data(bytes);
    return response.SerializeAsString();
  };
  const auto code = static_cast<std::int32_t>(spec::ElementType::uint4);
  const UnitAnswer answer = read_response(response_of(code, "\xF5"), 1, 1);
  const auto& y = std::get<Outputs>(std::get<std::vector<Answer>>(answer).at(0)).at(0);
  EXPECT_EQ(y.value.bytes()[0], std::byte{0x05});
  const auto float6 = static_cast<std::int32_t>(spec::ElementType::float6e2m3);
  EXPECT_THROW(read_response(response_of(float6, "\xF5"), 1, 1), ProtocolError);
}

TEST(Messages, AreWrittenForAnswersOnly) {
  EXPECT_THROW(response_frame(1, Breakdown{Breakdown::Kind::crash, "gone"}), std::runtime_error);
  EXPECT_THROW(response_frame(1, std::vector<Answer>{Breakdown{Breakdown::Kind::crash, "gone"}}), std::runtime_error);
}

TEST(Messages, CanHoldTheLargestOutputOfTheInputs) {
  const std::uint64_t two_bit_elements = std::uint64_t{4} << 20;
  EXPECT_GE(longest_response(two_bit_elements / 4), two_bit_elements * sizeof(double));
  EXPECT_EQ(longest_response(std::uint64_t{1} << 30), limits().message_bytes);
}

}  // namespace
}  // namespace touchstone::conformance::messages_test
