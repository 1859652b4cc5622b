#include "spec/ambiguities.h"

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace touchstone::spec {
namespace {

bool is_kebab_case(std::string_view id) {
  bool after_letter = false;
  for (char c : id) {
    if (c == '-' ? !after_letter
                 : !std::islower(static_cast<unsigned char>(c)) && !std::isdigit(static_cast<unsigned char>(c)))
      return false;
    after_letter = c != '-';
  }
  return after_letter;
}

/// The name of an enumerator. The compiler spells this function "... [Value = touchstone::spec::Ties::to_even]".
template <auto Value>
std::string enumerator_name() {
  const std::string_view function = __PRETTY_FUNCTION__;
  const std::string_view name = function.substr(0, function.find_first_of(";]", function.find("Value = ")));
  return std::string(name.substr(name.rfind(':') + 1));
}

template <AmbiguityStruct A, std::size_t... index>
void expect_same_names_and_order(std::index_sequence<index...>) {
  const std::array names{enumerator_name<static_cast<typename A::Reading>(index)>()...};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string id = names[i];
    for (char& c : id)
      if (c == '_') c = '-';
    EXPECT_EQ(id, A::readings[i].id) << A::row.id;
  }
}

template <AmbiguityStruct... A>
void expect_enumerators_name_readings(AmbiguityList<A...>) {
  (expect_same_names_and_order<A>(std::make_index_sequence<std::size(A::readings)>()), ...);
}

TEST(Ambiguities, IdsAreUniqueAndKebabCase) {
  std::set<std::string_view> ids;
  for (const Ambiguity* row : ambiguities) {
    EXPECT_TRUE(ids.insert(row->id).second) << row->id;
    EXPECT_TRUE(row->id.starts_with("amb-")) << row->id;
    EXPECT_TRUE(is_kebab_case(row->id)) << row->id;
  }
}

TEST(Ambiguities, NumbersAscendFromOneToSixtyNineWithoutGap) {
  int last = 0;
  for (const Ambiguity* row : ambiguities) {
    EXPECT_TRUE(row->number == last || row->number == last + 1) << row->id;
    last = row->number;
  }
  EXPECT_EQ(ambiguities.front()->number, 1);
  EXPECT_EQ(last, 69);
}

TEST(Ambiguities, OnlyTheFirstReadingIsPrimary) {
  for (const Ambiguity* row : ambiguities) {
    ASSERT_GE(row->readings.size(), 2u) << row->id;
    for (const ReadingInfo& reading : row->readings)
      EXPECT_EQ(reading.standing == Standing::primary, &reading == &row->readings.front())
          << row->id << ' ' << reading.id;
  }
}

TEST(Ambiguities, ReadingIdsAreUniqueAndKebabCase) {
  for (const Ambiguity* row : ambiguities) {
    std::set<std::string_view> ids;
    for (const ReadingInfo& reading : row->readings) {
      EXPECT_TRUE(ids.insert(reading.id).second) << row->id << ' ' << reading.id;
      EXPECT_TRUE(is_kebab_case(reading.id)) << row->id << ' ' << reading.id;
    }
  }
}

TEST(Ambiguities, EnumeratorsNameTheReadingsInOrder) { expect_enumerators_name_readings(AllAmbiguities{}); }

TEST(Ambiguities, TextsAreQuestionsAndSentences) {
  for (const Ambiguity* row : ambiguities) {
    EXPECT_TRUE(row->question.ends_with('?')) << row->id;
    EXPECT_FALSE(row->source.empty()) << row->id;
    for (const ReadingInfo& reading : row->readings)
      EXPECT_TRUE(reading.sentence.size() > 1 && reading.sentence.ends_with('.')) << row->id << ' ' << reading.id;
  }
}

TEST(Ambiguities, EachAppliesToSomeVersion) {
  constexpr std::array versions{10, 13, 19, 21, 23, 24, 25, 28};
  for (const Ambiguity* row : ambiguities) {
    bool applies = false;
    for (Operator op : {Operator::quantize_linear, Operator::dequantize_linear})
      for (int version : versions) applies = applies || row->applies.covers(ai_onnx, op, version);
    EXPECT_TRUE(applies) << row->id;
  }
}

template <class A>
concept HasIndex = requires { ambiguity_index<A>; };

TEST(Ambiguities, FoundByTypeAndById) {
  static_assert(ambiguity_index<NanToInteger> == 0);
  static_assert(ambiguity_index<SaturateWithFloat4> == ambiguities.size() - 1);
  static_assert(ambiguities[ambiguity_index<TailBlock>] == &TailBlock::row);
  static_assert(!HasIndex<Ambiguity>);
  for (const Ambiguity* row : ambiguities) EXPECT_EQ(find_ambiguity(row->id), row);
  EXPECT_EQ(find_ambiguity("amb-unheard-of"), nullptr);
}

}  // namespace
}  // namespace touchstone::spec
