#include "conformance/files/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/files/limits.h"
#include "conformance/files/testing.h"

namespace touchstone::conformance::message_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr auto origin = "some.onnx";

std::string failure_to_parse(std::string_view bytes) {
  return failure_of([&] {
    onnx::ModelProto model;
    parse_message(model, bytes, origin);
  });
}

/// A field of wire type 2. `length` must be below 2^14, and may be wrong.
std::string delimited(int number, std::string_view content, std::size_t length) {
  const auto tag = static_cast<char>(number << 3 | 2);
  std::string field{tag};
  for (; length >= 0x80; length >>= 7) field += static_cast<char>((length & 0x7F) | 0x80);
  return field + static_cast<char>(length) + std::string(content);
}

std::string delimited(int number, std::string_view content) { return delimited(number, content, content.size()); }

TEST(ParseMessage, ReadsAMessage) {
  const onnx::ModelProto model = operator_model("QuantizeLinear", {"x", "scale"});
  onnx::ModelProto parsed;
  parse_message(parsed, model.SerializeAsString(), origin);
  EXPECT_EQ(parsed.SerializeAsString(), model.SerializeAsString());
}

TEST(ParseMessage, NamesTheOrigin) { EXPECT_THAT(failure_to_parse(""), HasSubstr(origin)); }

TEST(ParseMessage, RefusesEmptyInput) { EXPECT_THAT(failure_to_parse(""), HasSubstr("empty")); }

TEST(ParseMessage, RefusesBytesThatAreNotTheWireFormat) {
  for (const std::string_view bytes : {"plain text, no message", "\xFF\xFF\xFF\xFF\xFF\xFF", "\x07", "\x08", "\x3A\x7F",
                                       "\x09\x01", "\x02\x00", "\x04"})
    EXPECT_THAT(failure_to_parse(bytes), HasSubstr("not a protocol buffer message"));
}

TEST(ParseMessage, RefusesWireTypesThatContradictTheMessage) {
  // A packed opset version whose last varint never ends: the outer message is well-formed, the inner one is not.
  EXPECT_THAT(failure_to_parse(delimited(7, delimited(5, delimited(1, "\xFF")))), HasSubstr("not a"));
}

TEST(ParseMessage, RefusesGroups) { EXPECT_THAT(failure_to_parse("\x0B\x0C"), HasSubstr("not a protocol buffer")); }

TEST(ParseMessage, RefusesStringsThatAreNotUtf8) {
  constexpr int producer_name = 2;
  for (const std::string_view text : {"\x80", "\xC0\x80", "\xC3", "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                      "\xF8\x88\x80\x80\x80", "\xE0\x80\x80", "\xF0\x80\x80\x80", "a\xFF"})
    EXPECT_THAT(failure_to_parse(delimited(producer_name, text)),
                AllOf(HasSubstr("onnx.ModelProto.producer_name"), HasSubstr("UTF-8")));
}

TEST(ParseMessage, AcceptsEveryKindOfUtf8Sequence) {
  for (const std::string_view text : {"plain", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEF\xBF\xBD",
                                      "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    onnx::ModelProto model;
    EXPECT_NO_THROW(parse_message(model, delimited(2, text), origin));
    EXPECT_EQ(model.producer_name(), text);
  }
}

TEST(ParseMessage, BoundsTheNumberOfFields) {
  std::string nodes;
  for (std::uint64_t i = 0; i <= limits().fields_per_message; ++i) nodes += delimited(1, "");
  EXPECT_THAT(failure_to_parse(delimited(7, nodes)), HasSubstr("more fields than the limit"));
}

/// An entry of one byte takes eight bytes in memory.
TEST(ParseMessage, CountsTheEntriesOfPackedLists) {
  const auto dims = [](std::uint64_t entries) { return delimited(1, std::string(entries, '\1')); };
  onnx::TensorProto tensor;
  EXPECT_NO_THROW(parse_message(tensor, dims(limits().fields_per_message - 1), origin));
  EXPECT_THAT(failure_of([&] { parse_message(tensor, dims(limits().fields_per_message), origin); }),
              HasSubstr("more fields than the limit"));
  constexpr int int32_data = 5;
  EXPECT_NO_THROW(parse_message(tensor, delimited(int32_data, std::string(limits().fields_per_message, '\1')), origin));
}

TEST(ParseMessage, BoundsTheDepth) {
  // A graph in an attribute of a node of a graph, and so on.
  std::string graph;
  for (std::uint64_t i = 0; i < limits().nesting; ++i) graph = delimited(1, delimited(5, delimited(6, graph)));
  EXPECT_THAT(failure_to_parse(delimited(7, graph)), HasSubstr("nested deeper than the limit"));
}

struct PrintableRow {
  std::string_view text;
  std::size_t limit;
  std::string_view printed;
};

constexpr PrintableRow printable_rows[] = {
    {"plain", 100, "plain"},
    {"", 0, ""},
    {"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC", 100, "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC"},
    {"\033[31mred\n", 100, R"(\x1b[31mred\x0a)"},
    {std::string_view("a\0b\x7F", 4), 100, R"(a\x00b\x7f)"},
    {"\xC2\x9B"
     "31m",
     100, R"(\xc2\x9b31m)"},
    {"\xE2\x80\xAE"
     "txt",
     100, R"(\xe2\x80\xaetxt)"},
    {"\xE3\x85\xA4\xEF\xB8\x8F\xF3\xA0\x87\xAF", 100, R"(\xe3\x85\xa4\xef\xb8\x8f\xf3\xa0\x87\xaf)"},
    {"a\xFF\xC3", 100, R"(a\xff\xc3)"},
    {"12345", 5, "12345"},
    {"123456", 5, "12..."},
    {"1\xC3\xBC"
     "3456",
     5, "1..."},  // characters are not split
    {"1\n", 4, "1..."},
    {"1234", 2, ".."},
    {"1", 0, ""},
};

TEST(Printable, EscapesAndBounds) {
  for (const PrintableRow& row : printable_rows) EXPECT_EQ(printable(row.text, row.limit), row.printed);
  EXPECT_EQ(in_quotes("x"), "\"x\"");
  EXPECT_LE(in_quotes(std::string(1'000'000, '\n')).size(), 102u);
}

TEST(ParseMessage, WritesNothingToStandardError) {
  ::testing::internal::CaptureStderr();
  failure_to_parse("plain text, no message");
  failure_to_parse(delimited(2, "\xFF"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace touchstone::conformance::message_test
