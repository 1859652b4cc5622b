#include "conformance/report/columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace touchstone::conformance::columns_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Counts counts_of(std::initializer_list<std::pair<AnswerClass, std::size_t>> numbers) {
  Counts counts;
  for (const auto& [answer, number] : numbers) counts.by_class[static_cast<std::size_t>(answer)] = number;
  return counts;
}

CompactResult result_of(const std::string& command, const std::string& version) {
  CompactResult result;
  result.backend = {"Runtime", version, ""};
  result.command = command;
  result.plan = {{"cases", 10}};
  return result;
}

Json badge_of(const CompactResult& result, const std::string& path) {
  const CompactResult* const one = &result;
  for (const Badge& badge : badges({&one, 1}))
    if (badge.path == path) return badge.content;
  return {};
}

TEST(Columns, CountCasesWithAllTheirProperties) {
  CompactResult result = result_of("npu", "1.0");
  const Counts one = counts_of({{AnswerClass::right, 1}});
  result.operators = {{{"QuantizeLinear", "uint8", "per_tensor", "19"}, one},
                      {{"DequantizeLinear", "int8", "per_tensor", "21"}, one},
                      {{"DequantizeLinear", "int8", "per_axis", "21"}, one},
                      {{"DequantizeLinear", "int4", "blocked", "25"}, one},
                      {{"QuantizeLinear", "int4", "blocked", "25"}, one},
                      {{"com.microsoft.DequantizeLinear", "int4", "blocked", "1"}, one}};
  result.float_types = {{{"bfloat16", "QuantizeLinear", "21"}, one}, {{"float", "QuantizeLinear", "21"}, one}};
  result.uses = {{{"int8 CNN"}, one}};
  result.graphs = {{{"ql_dq", "types", "int8"}, one}, {{"dq_ql", "types", "int4"}, one}};
  result.total.illegal = counts_of({{AnswerClass::rejected, 4}});
  std::vector<std::pair<std::string_view, std::size_t>> totals;
  for (const ResultColumn& column : result_columns())
    if (const std::size_t total = counts_in(column, result).total(); total > 0) totals.emplace_back(column.id, total);
  using testing::Pair;
  EXPECT_THAT(totals, ElementsAre(Pair("cnn", 1), Pair("int8", 2), Pair("channel", 1), Pair("int4", 1),
                                  Pair("bfloat16", 1), Pair("opset21", 4), Pair("graphs", 2), Pair("illegal", 4)));
}

TEST(Badges, SayWhatACellSays) {
  CompactResult result = result_of("npu:fast", "2026.4.1-22982-e213a147257");
  result.cpu = "haswell";
  const ResultPath row{"QuantizeLinear", "uint8", "per_tensor", "19"};
  using enum AnswerClass;
  const std::tuple<Counts, const char*, const char*> cells[] = {
      {counts_of({{right, 1200}}), "all 1,200 right", "brightgreen"},
      {counts_of({{right, 3}, {refused, 1}}), "3 of 4 right", "yellow"},
      {counts_of({{right, 3}, {wrong, 1}}), "1 wrong, 3 of 4 right", "red"},
      {counts_of({{refused, 4}}), "refused", "lightgrey"},
      {counts_of({{not_asked, 4}}), "not asked", "lightgrey"},
      {counts_of({{undecided, 4}}), "undecided", "lightgrey"},
      {Counts{}, "no result", "lightgrey"},
  };
  for (const auto& [counts, message, color] : cells) {
    result.operators[row] = counts;
    EXPECT_EQ(badge_of(result, "npu-fast-haswell/int8.json"), Json({{"schemaVersion", 1},
                                                                    {"label", "npu:fast 2026.4.1 on haswell, int8"},
                                                                    {"message", message},
                                                                    {"color", color}}));
  }
  result.operators[row] = counts_of({{right, 3}});
  result.not_run = 1;
  EXPECT_EQ(badge_of(result, "npu-fast-haswell/int8.json")["message"], "3 of 3 right, unfinished");
  result.total.illegal = counts_of({{rejected, 2}, {permitted, 1}, {not_rejected, 1}});
  EXPECT_EQ(badge_of(result, "npu-fast-haswell/illegal.json")["message"], "1 accepted, 3 of 4 rejected");
}

TEST(Badges, AreOfTheNewestVersion) {
  const std::vector<CompactResult> results{result_of("npu", "1.9"), result_of("npu", "1.10rc2"),
                                           result_of("npu", "1.10.0.post1"), result_of("npu", "1.10.0"),
                                           result_of("npu", "1.10.0.dev3")};
  for (std::size_t count : {2U, 3U, 5U}) {
    std::vector<const CompactResult*> given;
    for (std::size_t i = 0; i < count; ++i) given.push_back(&results[i]);
    const std::vector<Badge> found = badges(given);
    ASSERT_EQ(found.size(), result_columns().size());
    EXPECT_EQ(found[0].content["label"], count == 2 ? "npu 1.10rc2, int8 CNN" : "npu 1.10.0.post1, int8 CNN");
  }
  EXPECT_THAT(badges({}), IsEmpty());
}

TEST(Badges, StayInTheirDirectory) {
  for (const char* command : {"..", "../up", "exec:/bin/x ../y", "", "/etc"}) {
    const CompactResult result = result_of(command, "");
    const CompactResult* const one = &result;
    for (const Badge& badge : badges({&one, 1})) {
      EXPECT_EQ(std::ranges::count(badge.path, '/'), 1) << badge.path;
      EXPECT_FALSE(badge.path.starts_with('/') || badge.path.starts_with('.')) << badge.path;
    }
  }
}

}  // namespace
}  // namespace touchstone::conformance::columns_test
