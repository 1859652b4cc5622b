#include "conformance/files/limits.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "conformance/files/bounded_line.h"
#include "conformance/files/message.h"
#include "conformance/files/tensor_file.h"
#include "conformance/files/testing.h"
#include "conformance/run/journal.h"
#include "conformance/run/journal_testing.h"
#include "conformance/run/known_failures.h"

namespace touchstone::conformance::limits_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Restores the limits after each test.
class LimitsTest : public testing::Test {
 protected:
  ~LimitsTest() override {
    for (const LimitRow& row : limit_rows) set_limits(fmt::format("{}={}", row.name, before_.*row.value));
  }

  const Limits before_ = limits();
};

std::string refusal_of(const std::string& text) {
  try {
    set_limits(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST_F(LimitsTest, HaveOneRowEach) {
  EXPECT_EQ(limit_rows.size() * sizeof(std::uint64_t), sizeof(Limits));
  std::set<std::string_view> names;
  for (const LimitRow& row : limit_rows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_LE(Limits().*row.value, row.most) << row.name;
    set_limits(fmt::format("{}=7", row.name));
    for (const LimitRow& other : limit_rows)
      EXPECT_EQ(limits().*other.value, other.name == row.name ? 7 : before_.*other.value) << row.name << other.name;
    set_limits(fmt::format("{}={}", row.name, before_.*row.value));
  }
}

/// Those on journals decide only whether a journal is read.
TEST_F(LimitsTest, AreKnownIfTheyDecideVerdictsAndDifferFromTheDefaults) {
  EXPECT_TRUE(changed_limits().empty());
  set_limits("rank=8,nesting=32,journal_bytes=1,output_bytes=7,line_bytes=1");
  EXPECT_EQ(changed_limits(), (std::map<std::string, std::uint64_t>{{"output_bytes", 7}, {"rank", 8}}));
}

TEST_F(LimitsTest, CanBeSetTogether) {
  set_limits("rank=8,file_bytes=2147483647");
  EXPECT_EQ(limits().rank, 8U);
  EXPECT_EQ(limits().file_bytes, 2147483647U);
  set_limits("");
  EXPECT_EQ(limits().rank, 8U);
}

TEST_F(LimitsTest, AcceptOnlyKnownNamesAndWholeNumbers) {
  EXPECT_THAT(refusal_of("ranks=8"), AllOf(HasSubstr("TOUCHSTONE_LIMITS: unknown limit \"ranks\"; the limits are "),
                                           HasSubstr("file_bytes, "), HasSubstr(", rank, ")));
  for (const char* text : {"rank", "rank=9,,nesting=3", ",rank=9", "rank 9"})
    EXPECT_THAT(refusal_of(text), HasSubstr("is not NAME=NUMBER")) << text;
  for (const char* value : {"", "0", "-1", "+8", "8.0", "8x", " 8", "0x8", "1025", "18446744073709551616"})
    EXPECT_THAT(refusal_of(fmt::format("rank={}", value)), HasSubstr("is not a whole number from 1 to 1024")) << value;
  EXPECT_THAT(refusal_of("rank=\x1b[2J"), Not(HasSubstr("\x1b")));
  EXPECT_NE(refusal_of("rank=9,nosuch=1"), "");
  EXPECT_EQ(limits().rank, before_.rank) << "a text with a mistake changes nothing";
}

TEST_F(LimitsTest, ApplyWhenTheyAreSet) {
  set_limits("rank=2");
  EXPECT_THAT(failure_of([] {
                to_tensor(raw_tensor_proto(onnx::TensorProto::UINT8, {1, 1, 1}, "1"), "x.pb");
              }),
              HasSubstr("rank 3 is above the limit of 2"));
  set_limits("string_bytes=3");
  onnx::ModelProto model;
  model.set_producer_name("four");
  EXPECT_THAT(failure_of([&] { parse_message(model, model.SerializeAsString(), "model.onnx"); }),
              HasSubstr("onnx.ModelProto.producer_name has 4 bytes; the limit is 3"));
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "journal", compressed("a line\n"));
  set_limits("journal_bytes=6");
  EXPECT_THAT(failure_of([&] { read_journal(scratch.path() / "journal"); }),
              HasSubstr("longer than the limit of 6 bytes"));
  set_limits("line_bytes=5");
  EXPECT_THAT(failure_of([&] { read_journal(scratch.path() / "journal"); }),
              HasSubstr("line 1: longer than the limit of 5 bytes"));
  EXPECT_EQ(journal_state(scratch.path() / "journal"), JournalState::unknown);
}

TEST_F(LimitsTest, OfStringsApplyToBytesFieldsExceptData) {
  set_limits("string_bytes=3");
  onnx::AttributeProto text;
  text.set_s("four");
  onnx::AttributeProto texts;
  texts.add_strings("four");
  onnx::AttributeProto tensor;
  tensor.mutable_t()->add_string_data("four");
  const std::pair<onnx::AttributeProto, const char*> rows[] = {
      {text, "onnx.AttributeProto.s has 4 bytes; the limit is 3"},
      {texts, "onnx.AttributeProto.strings has 4 bytes; the limit is 3"},
      {tensor, "onnx.TensorProto.string_data has 4 bytes; the limit is 3"},
  };
  const auto parse = [](const onnx::AttributeProto& attribute) {
    onnx::AttributeProto parsed;
    parse_message(parsed, attribute.SerializeAsString(), "model.onnx");
    return parsed;
  };
  for (const auto& [attribute, message] : rows)
    EXPECT_THAT(failure_of([&attribute = attribute, &parse] { parse(attribute); }), HasSubstr(message));
  onnx::AttributeProto data;
  data.mutable_t()->set_raw_data("four");
  data.set_s("\xFF\xFF\xFF");
  EXPECT_EQ(parse(data).t().raw_data(), "four");
  EXPECT_EQ(parse(data).s(), "\xFF\xFF\xFF") << "bytes need not be UTF-8";
}

TEST_F(LimitsTest, OfExpectationsApplyToEntriesAndTheirPatterns) {
  set_limits("expectations=3");
  const auto file = [](const std::vector<std::string>& patterns) {
    std::string entries;
    for (const std::string& pattern : patterns)
      entries += fmt::format(R"({}{{"pattern": "{}", "verdict": "fail", "reason": "r", "issue": "i"}})",
                             entries.empty() ? "" : ",", pattern);
    return "{\"expectations\": [" + entries + "]}";
  };
  const auto failure = [](const std::string& content) {
    return failure_of([&] { parse_known_failures(content, "known.json"); });
  };
  EXPECT_EQ(parse_known_failures(file({"a", "b", "c"}), "known.json").size(), 3U);
  EXPECT_EQ(parse_known_failures(file({"a:b", "c"}), "known.json").size(), 2U);
  const char* too_many = "has more than the limit of 3 patterns (expectations); a pattern with * matches many cases";
  EXPECT_THAT(failure(file({"a", "b", "c", "d"})), AllOf(HasSubstr("known.json: "), HasSubstr(too_many)));
  EXPECT_THAT(failure(file({"a:b", "c-d:e"})), HasSubstr(too_many));
  // More values than three entries can have are rejected before they are parsed.
  for (const char* value : {"1", "[]", "{}"}) {
    std::string values = value;
    for (int i = 1; i < 40; ++i) values += std::string(",") + value;
    EXPECT_THAT(failure("{\"expectations\": [" + values + "]}"), HasSubstr(too_many)) << value;
    EXPECT_THAT(failure("[" + values + "]"), HasSubstr(too_many)) << value;
  }
}

TEST(Line, EndsWithANewlineOrTheFile) {
  std::istringstream text("one\n\ntwo");
  std::string line;
  EXPECT_EQ(read_line(text, line, 3), LineEnd::newline);
  EXPECT_EQ(line, "one");
  EXPECT_EQ(read_line(text, line, 3), LineEnd::newline);
  EXPECT_EQ(line, "");
  EXPECT_EQ(read_line(text, line, 3), LineEnd::end_of_file);
  EXPECT_EQ(line, "two");
  EXPECT_EQ(read_line(text, line, 3), LineEnd::end_of_file);
  EXPECT_EQ(line, "");
  std::istringstream longer("four\n");
  EXPECT_THROW(read_line(longer, line, 3), std::runtime_error);
}

/// A million levels, which a parser might accept, but which could not be copied.
TEST(JsonLimits, AreCheckedInAllFiles) {
  const TemporaryDirectory scratch;
  const std::string deep = "{\"journal\":" + std::string(1'000'000, '[');
  write_file(scratch.path() / "journal", compressed(deep + "\n"));
  write_file(scratch.path() / "expectations", deep);
  EXPECT_THAT(failure_of([&] { read_journal(scratch.path() / "journal"); }), HasSubstr("line 1: is nested deeper"));
  EXPECT_EQ(journal_state(scratch.path() / "journal"), JournalState::unknown);
  EXPECT_THAT(failure_of([&] { read_known_failures(scratch.path() / "expectations"); }), HasSubstr("nested deeper"));
}

/// "| `rank` | 32 | dimensions | a tensor |"
std::string documented() {
  std::string rows;
  for (const LimitRow& row : limit_rows)
    rows += fmt::format("| `{}` | {} | {} | {} |\n", row.name, Limits().*row.value, row.unit, row.bounds);
  return rows;
}

TEST(Limits, AreDocumented) {
  std::ifstream file(TOUCHSTONE_SOURCE_DIR "/SECURITY.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr(documented()));
}

TEST(Limits, AreShownInATable) {
  const std::string text = limits_text();
  EXPECT_THAT(text, HasSubstr("rank                           32 dimensions   a tensor\n"));
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), limit_rows.size());
}

}  // namespace
}  // namespace touchstone::conformance::limits_test
