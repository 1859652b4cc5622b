#include "conformance/run/requirement.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace touchstone::conformance::requirement_test {
namespace {

CaseRecord record(Verdict verdict, bool declined = false) {
  CaseRecord made;
  made.id = "quantize_linear/21/f32-f32-u8";
  made.verdict = verdict;
  made.declined = declined;
  return made;
}

struct Row {
  const char* text;
  bool refused;
  bool not_asked;
};

TEST(Requirement, IsMissedByRefusedCasesAndIfExplicitByUnaskedCases) {
  const Row rows[] = {
      {"", true, false},
      {"all", true, true},
      {"none", false, false},
      {"quantize_linear/*", true, true},
      {"*-*/28/*", true, true},
      {"dequantize_linear/*", false, false},
      {"-quantize_linear/*", false, false},
  };
  for (const Row& row : rows) {
    const Requirement requirement(row.text);
    EXPECT_EQ(requirement.is_missed_by(record(Verdict::rejects_valid)), row.refused) << row.text;
    EXPECT_EQ(requirement.is_missed_by(record(Verdict::rejects_valid, true)), row.not_asked) << row.text;
    for (const VerdictInfo& other : verdicts) {
      if (other.verdict == Verdict::rejects_valid) continue;
      EXPECT_FALSE(requirement.is_missed_by(record(other.verdict))) << row.text << ' ' << other.name;
    }
  }
}

TEST(Requirement, IsAFilterUnlessItIsAWord) {
  for (const char* word : {"", "all", "none"}) EXPECT_FALSE(Requirement(word).is_filter()) << word;
  EXPECT_TRUE(Requirement("*").is_filter());
  EXPECT_THROW(Requirement("*/*-*-u8/*"), std::invalid_argument);
}

}  // namespace
}  // namespace touchstone::conformance::requirement_test
