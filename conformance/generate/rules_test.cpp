// The required must-reject rules, version by version. A missing rule fails here, and a new one must be entered.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/generate/illegal_cases.h"

namespace touchstone::conformance::rules_test {
namespace {

/// Rules by version, since ids begin with the version.
using Rules = std::map<std::string, std::set<std::string>>;

const Rules& generated_rules() {
  static const Rules rules = [] {
    Rules found;
    constexpr std::string_view separator = "/must_reject/";
    for (const IllegalCase& illegal : illegal_cases(0)) {
      found[std::string(illegal.id->substr(0, illegal.id->find(separator)))].emplace(illegal.rule());
    }
    return found;
  }();
  return rules;
}

/// Expands "a{b,c}" to ab and ac.
std::vector<std::string> expand(const std::string& pattern) {
  const std::size_t open = pattern.find('{');
  if (open == std::string::npos) return {pattern};
  const std::size_t close = pattern.find('}', open);
  std::vector<std::string> all;
  for (std::size_t begin = open + 1; begin <= close;) {
    const std::size_t end = std::min(pattern.find(',', begin), close);
    for (const std::string& rest : expand(pattern.substr(close + 1)))
      all.push_back(pattern.substr(0, open) + pattern.substr(begin, end - begin) + rest);
    begin = end + 1;
  }
  return all;
}

// ---- Rules that follow from the tables of types and attributes: the count for each family.

constexpr std::array<const char*, 5> families{"attribute", "attribute_type", "type", "binding", "output_dtype"};

struct CountRow {
  const char* version;
  std::array<std::size_t, families.size()> counts;  ///< in the order of `families`
};

constexpr CountRow count_rows[] = {
    {"quantize_linear/10", {12, 0, 70, 0, 0}},
    {"quantize_linear/13", {11, 2, 70, 0, 0}},
    {"quantize_linear/19", {10, 4, 61, 4, 0}},
    {"quantize_linear/21", {8, 8, 57, 4, 26}},
    {"quantize_linear/23", {7, 10, 56, 0, 26}},
    {"quantize_linear/24", {7, 10, 55, 0, 26}},
    {"quantize_linear/25", {7, 10, 53, 0, 26}},
    {"quantize_linear/28", {7, 10, 51, 0, 26}},
    {"dequantize_linear/10", {12, 0, 68, 3, 0}},
    {"dequantize_linear/13", {11, 2, 68, 3, 0}},
    {"dequantize_linear/19", {11, 2, 58, 7, 0}},
    {"dequantize_linear/21", {10, 4, 50, 11, 0}},
    {"dequantize_linear/23", {9, 6, 48, 12, 23}},
    {"dequantize_linear/24", {9, 6, 47, 12, 24}},
    {"dequantize_linear/25", {9, 6, 43, 14, 24}},
    {"dequantize_linear/28", {9, 6, 39, 16, 24}},
    {"com.microsoft/quantize_linear/1", {11, 2, 65, 2, 0}},
    {"com.microsoft/dequantize_linear/1", {11, 2, 59, 7, 0}},
    {"opmx/dequantize_linear/1", {6, 12, 68, 0, 0}},
};

std::string family_of(const std::string& rule) { return rule.substr(0, rule.find('/')); }

bool is_counted(const std::string& rule) {
  return std::find(families.begin(), families.end(), family_of(rule)) != families.end();
}

TEST(MustRejectRules, OfTheTablesAreComplete) {
  EXPECT_EQ(generated_rules().size(), std::size(count_rows));
  for (const CountRow& row : count_rows) {
    std::map<std::string, std::size_t> counts;
    for (const std::string& rule : generated_rules().at(row.version)) ++counts[family_of(rule)];
    for (std::size_t i = 0; i < families.size(); ++i)
      EXPECT_EQ(counts[families[i]], row.counts[i]) << row.version << ' ' << families[i];
  }
}

// ---- All others, by name.

struct NameRow {
  const char* versions;
  std::vector<const char*> rules;
};

constexpr const char* every = "{,de}quantize_linear/{10,13,19,21,23,24,25,28}";
constexpr const char* from_13 = "{,de}quantize_linear/{13,19,21,23,24,25,28}";
constexpr const char* from_21 = "{,de}quantize_linear/{21,23,24,25,28}";
constexpr const char* microsoft = "com.microsoft/{,de}quantize_linear/1";
constexpr const char* opmx = "opmx/dequantize_linear/1";

const NameRow name_rows[] = {
    {every, {"inputs/{only_x,four}", "scale/empty"}},
    {"{,de}quantize_linear/10", {"scale/along_axis_{0,1}", "shapes/zero_point_along_axis"}},
    {"{,de}quantize_linear/{10,13,19}", {"scale/of_x"}},
    {"{,de}quantize_linear/{13,19}", {"scale/{blocked,one_element_of_rank_2}"}},
    {from_13,
     {"axis/per_axis/{rank,below_minus_rank,greatest,least,default_of_rank_1}", "scale/{longer,shorter,of_other_axis}",
      "shapes/{scalar_zero_point,scalar_scale,longer_zero_point}"}},
    {from_21,
     {"axis/blocked/{rank,below_minus_rank,greatest,least,default_of_rank_1}",
      "block_size/{missing,zero,missing_with_one_element_of_rank_2,minus_one,least,one,too_small,whole_axis,greatest}",
      "scale/{of_rank_3,one_element_of_rank_3,other_axis_differs,two_blocked_axes,transposed,no_blocks}",
      "shapes/blocked_scale_{scalar,other}_zero_point"}},
    {from_21,
     {"axis/{per_axis,blocked}/{rank,below_minus_rank,greatest,least,default_of_rank_1}/4_bits",
      "block_size/{missing,zero,missing_with_one_element_of_rank_2,minus_one,least,one,too_small,whole_axis,greatest}/"
      "4_bits",
      "scale/{longer,shorter,of_other_axis,empty}/4_bits",
      "scale/{of_rank_3,one_element_of_rank_3,other_axis_differs,two_blocked_axes,transposed,no_blocks}/4_bits",
      "shapes/{scalar_zero_point,scalar_scale,longer_zero_point}/4_bits",
      "shapes/blocked_scale_{scalar,other}_zero_point/4_bits"}},
    {"{,de}quantize_linear/28", {"padding/{e2m3,e3m2}"}},
    {"dequantize_linear/{10,13,19,21,23,24,25,28}", {"int32_zero_point/per_tensor"}},
    {"dequantize_linear/{13,19,21,23,24,25,28}", {"int32_zero_point/per_axis"}},
    {"dequantize_linear/{21,23,24,25,28}", {"int32_zero_point/blocked"}},
    {microsoft,
     {"inputs/{only_x,four}", "scale/{empty,longer,shorter,of_other_axis}",
      "shapes/{scalar_zero_point,scalar_scale,longer_zero_point}",
      "without_axis/{along_axis_0,along_axis_1,longer,of_x,blocked,one_element_of_rank_2,empty,along_a_vector}",
      "with_axis/{1,0,-1}/scalar", "with_axis/{of_x,one_for_each_column,one_element_of_rank_2,one_element}",
      "axis/{missing,rank,below_minus_rank,greatest,least,1_of_a_vector}"}},
    {microsoft,
     {"scale/{empty,longer,shorter,of_other_axis}/4_bits",
      "shapes/{scalar_zero_point,scalar_scale,longer_zero_point}/4_bits",
      "without_axis/{along_axis_0,along_axis_1,longer,of_x,blocked,one_element_of_rank_2,empty,along_a_vector}/4_bits",
      "with_axis/{1,0,-1}/scalar/4_bits",
      "with_axis/{of_x,one_for_each_column,one_element_of_rank_2,one_element}/4_bits",
      "axis/{missing,rank,below_minus_rank,greatest,least,1_of_a_vector}/4_bits"}},
    {opmx,
     {"inputs/{only_x,four}", "attribute_missing/quant_data_type",
      "quant_data_type/{empty,int16,int4x4,INT4,Int8,uint8,float16,int4_of_int8,int8_of_int16}", "x/scalar",
      "quant_axis/{8x5,8x5_axis1,8x6_axis1_block3,12x5_axis0_block3}/{2,-1,-2,greatest,least}",
      "quant_axis/1_of_a_vector", "group_size/{int8,int4}/{minus_one,minus_128,least,4_of_6,12_of_6,128_of_6,greatest}",
      "group_size/{int8,int4}/{missing,missing_for_192,missing_for_groups_of_64}",
      "group_size/{int8,int4}/{short_last_group,short_last_group_of_rows,more_than_rows}",
      "shapes/blocked_scale_{scalar,other}_zero_point"}},
    {opmx,
     {"scale/int4/{8x6_axis1_block3/of_6_rows,8x5_axis1/of_6_rows,12x5_axis0_block3/of_9_rows}",
      "scale/{int8,int4}/8x6_axis1_block3/{scalar,one_element,one_dimension,transposed,of_packed_rows,of_x}",
      "scale/{int8,int4}/8x6_axis1_block3/{per_channel,one_row,of_rank_3,no_groups}",
      "scale/{int8,int4}/12x5_axis0_block3/{transposed,of_packed_rows,of_x,of_other_axis,one_dimension}",
      "scale/{int8,int4}/8x5/{along_rows,along_columns,one_element_of_rank_2,empty}",
      "scale/{int8,int4}/8x5_axis1/{of_other_axis,transposed,of_packed_rows,of_x,of_rank_3}",
      "zero_point/{8x5,8x5_axis1,8x6_axis1_block3,12x5_axis0_block3}/{omitted,empty_name,empty,announced_only}",
      "zero_point/{8x5,8x5_axis1,8x6_axis1_block3,12x5_axis0_block3}/{integer_with_float_zeropoint,of_other_shape}"}},
    {"dequantize_linear/{24,25,28}", {"output_dtype/missing_with_f8e8m0_scale"}},
};

TEST(MustRejectRules, WithNamesAreComplete) {
  Rules expected;
  for (const NameRow& row : name_rows)
    for (const std::string& version : expand(row.versions))
      for (const char* pattern : row.rules)
        for (const std::string& rule : expand(pattern)) expected[version].insert(rule);
  for (const auto& [version, rules] : generated_rules()) {
    for (const std::string& rule : expected[version]) EXPECT_TRUE(rules.contains(rule)) << version << " lost " << rule;
    for (const std::string& rule : rules)
      EXPECT_TRUE(is_counted(rule) || expected[version].contains(rule)) << version << " has, and no row: " << rule;
  }
  EXPECT_EQ(expected.size(), generated_rules().size());
}

}  // namespace
}  // namespace touchstone::conformance::rules_test
