#include "conformance/report/covered_spaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace touchstone::conformance::covered_spaces_test {
namespace {

using spec::ElementType;
using testing::ElementsAre;

Cell cell(const char* text) { return find_cell(text).value(); }

CaseRecord record(const Cell& cell, CodeInterval x, std::uint64_t scale, std::uint64_t zero_point) {
  CaseRecord made;
  made.cells = {cell};
  made.covered = {x, one_code(Operand::scale, cell.scale, scale), one_code(Operand::zero_point, cell.y, zero_point)};
  return made;
}

CodeInterval x(std::uint64_t first, std::uint64_t last) { return {Operand::x, ElementType::float32, first, last}; }
CodeInterval scale(std::uint64_t first, std::uint64_t last) {
  return {Operand::scale, ElementType::float32, first, last};
}
CodeInterval zero_point(std::uint64_t first, std::uint64_t last) {
  return {Operand::zero_point, ElementType::uint8, first, last};
}

const char* const f32_to_u8 = "quantize_linear/28/f32-f32-u8/per_tensor/zp";

TEST(CoveredSpaces, JoinIntervalsThatTouchAndKeepTheGaps) {
  const Cell one = cell(f32_to_u8);
  // In any order, and one of them twice.
  const std::vector<CaseRecord> records{
      record(one, x(0xf0000000, 0xffffffff), 1, 0), record(one, x(0x10000000, 0x1fffffff), 1, 0),
      record(one, x(0, 0x0fffffff), 1, 0), record(one, x(0xf0000000, 0xffffffff), 1, 0)};
  const std::vector<CoveredSpace> spaces = covered_spaces(records);
  ASSERT_EQ(spaces.size(), 1U);
  EXPECT_EQ(spaces.front().cell, one);
  EXPECT_THAT(spaces.front().x, ElementsAre(x(0, 0x1fffffff), x(0xf0000000, 0xffffffff)));
  EXPECT_THAT(spaces.front().scale, ElementsAre(scale(1, 1)));
  EXPECT_THAT(spaces.front().zero_point, ElementsAre(zero_point(0, 0)));
  EXPECT_EQ(spaces.front().elements(), 0x30000000U);
}

TEST(CoveredSpaces, CombineOnlyOperandsWithTheSameCodes) {
  const Cell one = cell(f32_to_u8);
  std::vector<CaseRecord> records;
  for (const std::uint64_t scale : {0x3f800000U, 0x3f800001U, 0x1U, 0x7f7fffffU})
    for (const std::uint64_t zero_point : {0x00U, 0x80U, 0xffU}) {
      const bool missing = scale == 0x1 && zero_point == 0xff;
      if (!missing) records.push_back(record(one, x(0, scale == 0x7f7fffff ? 9 : 99), scale, zero_point));
    }
  const std::vector<CoveredSpace> spaces = covered_spaces(records);
  ASSERT_EQ(spaces.size(), 3U);
  EXPECT_THAT(spaces[0].x, ElementsAre(x(0, 9)));
  EXPECT_THAT(spaces[0].scale, ElementsAre(scale(0x7f7fffff, 0x7f7fffff)));
  EXPECT_THAT(spaces[1].scale, ElementsAre(scale(1, 1)));
  EXPECT_THAT(spaces[1].zero_point, ElementsAre(zero_point(0, 0), zero_point(0x80, 0x80)));
  EXPECT_THAT(spaces[2].x, ElementsAre(x(0, 99)));
  EXPECT_THAT(spaces[2].scale, ElementsAre(scale(0x3f800000, 0x3f800001)));
  EXPECT_THAT(spaces[2].zero_point, ElementsAre(zero_point(0, 0), zero_point(0x80, 0x80), zero_point(0xff, 0xff)));
  EXPECT_EQ(spaces[2].elements(), 600U);
}

TEST(CoveredSpaces, OmitCodesThatWereNotCompared) {
  CaseRecord compared = record(cell(f32_to_u8), x(0, 9), 1, 0);
  compared.verdict = Verdict::fail;
  CaseRecord refused = record(cell(f32_to_u8), x(10, 19), 1, 0);
  refused.verdict = Verdict::rejects_valid;
  refused.covered = {};
  const std::vector<CoveredSpace> spaces = covered_spaces({compared, refused});
  ASSERT_EQ(spaces.size(), 1U);
  EXPECT_THAT(spaces.front().x, ElementsAre(x(0, 9)));
}

TEST(CoveredCodes, AreListedOnceForCellsThatShareThem) {
  const Cell u8 = cell(f32_to_u8);
  const Cell i8 = cell("quantize_linear/28/f32-f32-i8/per_tensor/zp");
  std::vector<CaseRecord> records;
  for (const Cell& one : {u8, i8})
    for (const std::uint64_t zero_point : {0x00U, 0x7fU, 0x80U})
      records.push_back(record(one, x(0, 9), 0x1, zero_point));
  records.push_back(record(i8, x(0, 9), 0x1, 0xff));
  const std::vector<CoveredCodes> others = covered_codes(covered_spaces(records));
  ASSERT_EQ(others.size(), 2U);
  EXPECT_THAT(others[0].types, ElementsAre("f32-f32-u8"));
  EXPECT_EQ(others[1].zero_point, "0x00, 0x7f..0x80, 0xff");
  records.pop_back();
  const std::vector<CoveredCodes> alike = covered_codes(covered_spaces(records));
  ASSERT_EQ(alike.size(), 1U);
  EXPECT_EQ(alike[0].version, "QuantizeLinear-28 per_tensor");
  EXPECT_THAT(alike[0].types, ElementsAre("f32-f32-u8", "f32-f32-i8"));
  EXPECT_EQ(alike[0].x, "0x00000000..0x00000009");
  EXPECT_EQ(alike[0].scale, "0x00000001");
  EXPECT_EQ(alike[0].zero_point, "0x00, 0x7f..0x80");
  EXPECT_EQ(alike[0].elements, 30U) << "of each";
}

}  // namespace
}  // namespace touchstone::conformance::covered_spaces_test
