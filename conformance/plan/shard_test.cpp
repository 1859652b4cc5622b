#include "conformance/plan/shard.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/plan/covering_order.h"

namespace touchstone::conformance::shard_test {
namespace {

/// Cases that are never read.
std::vector<PlannedCase> plan_of(const std::vector<std::string>& ids) {
  std::vector<PlannedCase> plan;
  for (const std::string& id : ids) plan.push_back({id, made_by({})});
  return plan;
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(fmt::format("suite/{}/case", i));
  return ids;
}

std::vector<std::string> ids_of(const std::vector<PlannedCase>& plan) {
  std::vector<std::string> ids;
  for (const PlannedCase& planned : plan) ids.push_back(planned.id);
  return ids;
}

TEST(Shard, IsReadFromTwoNumbers) {
  EXPECT_EQ(parse_shard("3/16"), (Shard{3, 16}));
  EXPECT_EQ(parse_shard("1/1"), Shard());
  EXPECT_EQ(parse_shard("1000000/1000000"), (Shard{most_shards, most_shards}));
  for (const char* text : {"", "3", "/", "3/", "/16", "0/16", "17/16", "-1/16", "+3/16", "3/16/1", "3/ 16", "3.0/16",
                           "1/1000001", "1/99999999999999999999", "a/b"})
    EXPECT_EQ(parse_shard(text), std::nullopt) << text;
  EXPECT_EQ(to_string(Shard{3, 16}), "3/16");
}

/// Shards of different machines and versions must fit together, so these values must never change.
TEST(Shard, IsStable) {
  // FNV-1a of 64 bits, computed by hand: of "" 0xcbf29ce484222325, of "a" 0xaf63dc4c8601ec8c (published test vectors).
  EXPECT_EQ(assign_shards(plan_of({"", "a"}), 1000),
            (std::vector<std::size_t>{0xcbf29ce484222325 % 1000 + 1, 0xaf63dc4c8601ec8c % 1000 + 1}));
}

RC_GTEST_PROP(Shard, EachCaseIsInOneShardAndIdentityCasesAreInAll, ()) {
  const auto plan = plan_of(numbered(*rc::gen::inRange<std::size_t>(0, 200)));
  const auto count = *rc::gen::inRange<std::size_t>(1, 20);
  Durations durations;
  for (const PlannedCase& planned : plan)
    if (*rc::gen::arbitrary<bool>()) durations[planned.id] = *rc::gen::inRange<std::int64_t>(0, 1000);
  const Durations* by = *rc::gen::arbitrary<bool>() ? &durations : nullptr;
  std::set<std::string> everywhere;
  for (const std::size_t place : identity_places(plan)) everywhere.insert(plan[place].id);
  RC_ASSERT(everywhere.size() == std::min(plan.size(), most_identity_cases));
  std::map<std::string, std::size_t> times;
  for (std::size_t index = 1; index <= count; ++index) {
    const std::vector<std::string> ids = ids_of(cases_of({index, count}, plan, by));
    const std::vector<std::string> all = ids_of(plan);
    RC_ASSERT(std::ranges::is_sorted(ids, {}, [&](const std::string& id) { return std::ranges::find(all, id); }));
    for (const std::string& id : ids) ++times[id];
  }
  for (const PlannedCase& planned : plan) RC_ASSERT(times[planned.id] == (everywhere.contains(planned.id) ? count : 1));
}

RC_GTEST_PROP(Shard, DependsOnlyOnTheId, ()) {
  std::vector<std::string> ids = numbered(50);
  const std::vector<std::size_t> shards = assign_shards(plan_of(ids), 7);
  const std::vector<std::string> shuffled = *rc::gen::resize(50, rc::gen::just(ids));
  for (std::size_t i = 0; i < shuffled.size(); ++i)
    RC_ASSERT(assign_shards(plan_of({shuffled[i]}), 7).front() == shards[i]);
}

/// The longest shard has at most one case more than its share: the bound of this greedy algorithm.
RC_GTEST_PROP(Shard, TakesItsShareOfTheTime, ()) {
  const auto plan = plan_of(numbered(*rc::gen::inRange<std::size_t>(1, 200)));
  const auto count = *rc::gen::inRange<std::size_t>(1, 20);
  Durations durations;
  std::int64_t total = 0;
  std::int64_t longest = 0;
  for (const PlannedCase& planned : plan) {
    const auto time = *rc::gen::inRange<std::int64_t>(1, 100'000);
    durations[planned.id] = time;
    total += time;
    longest = std::max(longest, time);
  }
  std::vector<std::int64_t> loads(count);
  const std::vector<std::size_t> shards = assign_shards(plan, count, &durations);
  for (std::size_t i = 0; i < plan.size(); ++i) loads[shards[i] - 1] += durations[plan[i].id];
  RC_ASSERT(std::ranges::max(loads) <= total / static_cast<std::int64_t>(count) + longest);
}

RC_GTEST_PROP(CoveringOrder, HasEachCaseOnce, ()) {
  const std::vector<std::string> ids = numbered(*rc::gen::inRange<std::size_t>(0, 100));
  std::vector<std::string> ordered = ids_of(in_covering_order(plan_of(ids)));
  std::vector<std::string> expected = ids;
  std::ranges::sort(expected);
  std::ranges::sort(ordered);
  RC_ASSERT(ordered == expected);
}

/// The pairs of parts of an id of three parts, with their places.
std::set<std::string> pairs_of(const std::string& id) {
  const std::string parts[] = {id.substr(0, 1), id.substr(2, 1), id.substr(4)};
  return {"01" + parts[0] + parts[1], "02" + parts[0] + parts[2], "12" + parts[1] + parts[2]};
}

RC_GTEST_PROP(CoveringOrder, HasTheCaseWithMostNewPairsNext, ()) {
  std::set<std::string> ids;
  for (const int number : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 125)))
    ids.insert(fmt::format("{}/{}/{}", number / 25, number / 5 % 5, number % 5));
  const std::vector<std::string> ordered = ids_of(in_covering_order(plan_of({ids.begin(), ids.end()})));
  std::set<std::string> covered;
  const auto gain = [&](const std::string& id) {
    const std::set<std::string> pairs = pairs_of(id);
    return std::ranges::count_if(pairs, [&](const std::string& pair) { return !covered.contains(pair); });
  };
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    for (std::size_t later = i + 1; later < ordered.size(); ++later)
      RC_ASSERT(gain(ordered[i]) >= gain(ordered[later]));
    covered.merge(pairs_of(ordered[i]));
  }
}

TEST(CoveringOrder, BeginsWithAllPairsOfParts) {
  std::vector<std::string> ids;
  for (const char* op : {"q", "d"})
    for (const char* type : {"u8", "i8", "i4"})
      for (const char* form : {"inputs", "initializers"})
        for (int i = 0; i < 20; ++i) ids.push_back(fmt::format("{}/{}/{}/{}", op, type, form, i % 2));
  const std::vector<std::string> ordered = ids_of(in_covering_order(plan_of(ids)));
  std::set<std::string> pairs;
  std::size_t needed = 0;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const std::string& id = ordered[i];
    const std::size_t before = pairs.size();
    const std::size_t first = id.find('/');
    const std::size_t second = id.find('/', first + 1);
    const std::size_t third = id.find('/', second + 1);
    const std::string parts[] = {id.substr(0, first), id.substr(first + 1, second - first - 1),
                                 id.substr(second + 1, third - second - 1), id.substr(third + 1)};
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) pairs.insert(fmt::format("{}{}{}{}", a, b, parts[a], parts[b]));
    if (pairs.size() > before) needed = i + 1;
  }
  // 6 + 4 + 4 + 6 + 6 + 4 pairs; each of the first cases has a new one, and no later case has any.
  EXPECT_EQ(pairs.size(), 30U);
  EXPECT_LE(needed, 30U);
  EXPECT_LT(needed, ordered.size() / 4);
}

}  // namespace
}  // namespace touchstone::conformance::shard_test
