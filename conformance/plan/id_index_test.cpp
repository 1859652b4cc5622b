#include "conformance/plan/id_index.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace touchstone::conformance::id_index_test {
namespace {

/// A literal implementation of the definition in filter.h, without optimizations.
bool plainly_matches(std::string_view pattern, std::string_view id) {
  if (pattern.empty()) return id.empty();
  if (pattern.front() == '*')
    return plainly_matches(pattern.substr(1), id) || (!id.empty() && plainly_matches(pattern, id.substr(1)));
  return !id.empty() && (pattern.front() == '?' || pattern.front() == id.front()) &&
         plainly_matches(pattern.substr(1), id.substr(1));
}

/// Texts of few letters, so that many match.
rc::Gen<std::string> texts(const std::string& letters) {
  return rc::gen::resize(10, rc::gen::container<std::string>(rc::gen::elementOf(letters)));
}

RC_GTEST_PROP(Matches, AgreesWithThePlainDefinition, ()) {
  const std::string pattern = *texts("aab/*?");
  const std::string id = *texts("aab/");
  RC_ASSERT(matches(pattern, id) == plainly_matches(pattern, id));
}

bool is_unambiguous(const std::string& patterns) {
  try {
    return Filter(patterns).matches("") || true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

TEST(Matches, DoesNotTakeExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "*a";
  EXPECT_FALSE(matches(pattern + "*b", std::string(5000, 'a')));
  EXPECT_TRUE(matches(pattern + "*", std::string(5000, 'a')));
}

RC_GTEST_PROP(IdIndex, MatchesWhatTheFilterMatches, ()) {
  const auto ids = *rc::gen::container<std::vector<std::string>>(texts("aab-/\x02\x03"));
  const Filter filter(*rc::gen::suchThat(texts("aab-:/*?\x02"), is_unambiguous));
  const std::vector<std::string_view> views(ids.begin(), ids.end());
  const IdIndex index(views);
  PlaceSet odd;
  for (std::size_t i = 1; i < ids.size(); i += 2) odd.add(i);
  for (const PlaceSet& among : {PlaceSet::first(ids.size()), odd}) {
    std::vector<std::size_t> expected;
    for (const std::size_t place : among.places())
      if (filter.matches(ids[place])) expected.push_back(place);
    RC_ASSERT(index.taken(filter, among).places() == expected);
  }
}

TEST(PlaceSet, HasOnlyTheFirstPlaces) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{64}, PlaceSet::capacity}) {
    const auto places = PlaceSet::first(count).places();
    EXPECT_EQ(places.size(), count);
    EXPECT_EQ(PlaceSet::first(count).empty(), count == 0);
    EXPECT_TRUE(count == 0 || places.back() == count - 1);
  }
}

}  // namespace
}  // namespace touchstone::conformance::id_index_test
