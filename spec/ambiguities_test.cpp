#include "spec/ambiguities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "spec/clauses.h"
#include "spec/operator_version.h"

namespace touchstone::spec::ambiguities_test {
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

/// "amb-" for AMB.
std::string prefix_of(std::string_view series) {
  std::string prefix;
  for (char c : series) prefix += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return prefix + '-';
}

TEST(Ambiguities, IdsAreUniqueAndKebabCase) {
  std::set<std::string_view> ids;
  for (const Ambiguity* row : ambiguities) {
    EXPECT_TRUE(ids.insert(row->id).second) << row->id;
    EXPECT_TRUE(row->id.starts_with(prefix_of(row->series))) << row->id;
    EXPECT_TRUE(is_kebab_case(row->id)) << row->id;
    EXPECT_EQ(find_clause(row->id), nullptr) << row->id << ": some series have the prefix of clauses";
  }
}

/// Numbers of other series without a row, because a row of AMB applies to their domain.
const std::map<std::string_view, std::set<int>> numbers_that_are_amb{{"MS", {4, 7}}};

TEST(Ambiguities, NumbersOfASeriesAscendFromOneWithoutGap) {
  std::map<std::string_view, int> last;
  for (std::size_t i = 0; i < ambiguities.size(); ++i) {
    const Ambiguity& row = *ambiguities[i];
    const bool starts_its_series = i == 0 || ambiguities[i - 1]->series != row.series;
    EXPECT_EQ(starts_its_series, !last.contains(row.series)) << row.id;
    int& number = last[row.series];
    const auto gaps = numbers_that_are_amb.find(row.series);
    int next = number + 1;
    while (gaps != numbers_that_are_amb.end() && gaps->second.contains(next)) ++next;
    EXPECT_TRUE((number > 0 && row.number == number) || row.number == next) << row.id;
    number = row.number;
  }
  EXPECT_EQ(ambiguities.front()->series, "AMB");
}

TEST(Ambiguities, OnlyTheFirstReadingIsPrimary) {
  for (const Ambiguity* row : ambiguities) {
    ASSERT_GE(row->readings.size(), 2u) << row->id;
    for (const ReadingInfo& reading : row->readings)
      EXPECT_EQ(reading.status == ReadingStatus::primary, &reading == &row->readings.front())
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

TEST(Ambiguities, EachAppliesToSomeVersionOrToOtherOperators) {
  for (const Ambiguity* row : ambiguities)
    EXPECT_NE(std::any_of(operator_versions.begin(), operator_versions.end(),
                          [&](const OperatorVersion& version) {
                            return row->applies.covers(version.domain, version.op, version.since_version);
                          }),
              !row->applies.others.front().empty())
        << row->id;
}

template <AmbiguityStruct A>
bool permitted(typename A::Reading reading, Operator op, int version, std::string_view domain = ai_onnx) {
  return is_permitted(A::readings[reading], domain, op, version);
}

TEST(Readings, ArePermittedWhereTheirVersionLeavesThePointOpen) {
  constexpr auto quantize_linear = Operator::quantize_linear;
  using F = Float32Division;  // AMB-05: permitted for versions 10 to 21 only
  EXPECT_TRUE(permitted<F>(F::exact_quotient, quantize_linear, 10));
  EXPECT_TRUE(permitted<F>(F::exact_quotient, quantize_linear, 21));
  EXPECT_FALSE(permitted<F>(F::exact_quotient, quantize_linear, 23));
  EXPECT_FALSE(permitted<F>(F::exact_quotient, quantize_linear, 28));
  EXPECT_FALSE(permitted<F>(F::exact_quotient, Operator::dequantize_linear, 21));
  EXPECT_TRUE(permitted<F>(F::exact_quotient, quantize_linear, 1, com_microsoft));
  EXPECT_FALSE(permitted<F>(F::exact_quotient, Operator::dequantize_linear, 1, com_microsoft));
  using I =
      Int32InputDivision;  // AMB-11: float64 holds both operands; only versions 10 to 21 permit the exact quotient
  EXPECT_TRUE(permitted<I>(I::in_float64, quantize_linear, 13));
  EXPECT_TRUE(permitted<I>(I::in_float64, quantize_linear, 21));
  EXPECT_TRUE(permitted<I>(I::in_float64, quantize_linear, 28));
  EXPECT_TRUE(permitted<I>(I::exact_quotient, quantize_linear, 10));
  EXPECT_TRUE(permitted<I>(I::exact_quotient, quantize_linear, 21));
  EXPECT_FALSE(permitted<I>(I::exact_quotient, quantize_linear, 23));
  EXPECT_FALSE(permitted<I>(I::exact_quotient, quantize_linear, 28));
  EXPECT_FALSE(is_permitted(F::readings[F::exact_quotient], "org.example", quantize_linear, 21));
}

TEST(Readings, PrimaryOnesArePermittedAlwaysAndRejectedOnesNever) {
  for (const Ambiguity* row : ambiguities)
    for (const ReadingInfo& reading : row->readings)
      for (const OperatorVersion& version : operator_versions) {
        if (reading.permitted_in.count > 0) continue;
        EXPECT_EQ(is_permitted(reading, version.domain, version.op, version.since_version),
                  reading.status != ReadingStatus::rejected)
            << row->id << ' ' << reading.id;
      }
}

TEST(Readings, ArePermittedInVersionsThatHaveTheAmbiguity) {
  for (const Ambiguity* row : ambiguities)
    for (const ReadingInfo& reading : row->readings) {
      if (reading.permitted_in.count == 0) continue;
      EXPECT_EQ(reading.status, ReadingStatus::permitted) << row->id << ' ' << reading.id;
      for (const OperatorVersion& version : operator_versions)
        EXPECT_TRUE(!reading.permitted_in.covers(version.domain, version.op, version.since_version) ||
                    row->applies.covers(version.domain, version.op, version.since_version))
            << row->id << ' ' << reading.id;
    }
}

template <class A>
concept HasIndex = requires { ambiguity_index<A>; };

TEST(Ambiguities, FoundByTypeAndById) {
  static_assert(ambiguity_index<NanToInteger> == 0);
  static_assert(ambiguities[ambiguity_index<SaturateWithFloat4>] == &SaturateWithFloat4::row);
  static_assert(ambiguities[ambiguity_index<TailBlock>] == &TailBlock::row);
  static_assert(!HasIndex<Ambiguity>);
  for (const Ambiguity* row : ambiguities) EXPECT_EQ(find_ambiguity(row->id), row);
  EXPECT_EQ(find_ambiguity("amb-unheard-of"), nullptr);
}

}  // namespace
}  // namespace touchstone::spec::ambiguities_test
