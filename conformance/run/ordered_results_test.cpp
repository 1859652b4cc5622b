#include "conformance/run/ordered_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::conformance::ordered_results_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CaseRecord record(std::size_t place) {
  CaseRecord made;
  made.id = std::to_string(place);
  return made;
}

/// Ten cases, some of which are taken at first, and the ids of the records that were passed on.
struct Ten {
  std::vector<std::string> ids = {};
  OnRecord on_record = [this](const CaseRecord& passed) { return ids.push_back(passed.id), true; };
  OrderedResults cases{10, 4, 0, on_record};

  void take(int count) {
    for (int i = 0; i < count; ++i) cases.next(true);
  }
  void put(std::size_t place) { cases.put(place, record(place)); }
};

TEST(OrderedResults, PassesOnEachRecordOnceEarlierOnesExist) {
  Ten ten;
  ten.take(4);
  ten.put(1);
  EXPECT_THAT(ten.ids, IsEmpty());
  ten.put(0);
  EXPECT_THAT(ten.ids, ElementsAre("0", "1"));
  ten.put(2);
  EXPECT_THAT(ten.ids, ElementsAre("0", "1", "2"));
}

TEST(OrderedResults, NeverBlocksAThreadThatHoldsACase) {
  Ten ten;
  ten.take(4);
  EXPECT_EQ(ten.cases.next(/*holds_some=*/true), std::nullopt) << "four are ahead of what is passed on";
  ten.put(0);
  EXPECT_EQ(ten.cases.next(/*holds_some=*/true), 4U);
}

TEST(OrderedResults, ReservesTheLastCasesForIdleThreads) {
  const OnRecord on_record = [](const CaseRecord&) { return true; };
  OrderedResults cases(3, 100, 2, on_record);
  EXPECT_EQ(cases.next(/*holds_some=*/true), 0U);
  EXPECT_EQ(cases.next(/*holds_some=*/true), std::nullopt);
  EXPECT_EQ(cases.next(/*holds_some=*/false), 1U);
  EXPECT_EQ(cases.next(/*holds_some=*/false), 2U);
  EXPECT_EQ(cases.next(/*holds_some=*/false), std::nullopt);
}

TEST(OrderedResults, FinishesEarlierCasesWhenOneFails) {
  Ten ten;
  ten.take(4);
  ten.put(2);
  try {
    throw std::runtime_error("lost");
  } catch (const std::runtime_error&) {
    ten.cases.fail();
  }
  EXPECT_EQ(ten.cases.next(false), std::nullopt);
  EXPECT_TRUE(ten.cases.wants(0));
  EXPECT_TRUE(ten.cases.wants(1));
  EXPECT_FALSE(ten.cases.wants(3)) << "nothing after it is finished";
  ten.put(0);
  ten.put(1);
  EXPECT_THAT(ten.ids, ElementsAre("0", "1", "2"));
  EXPECT_THROW(ten.cases.rethrow(), std::runtime_error);
}

TEST(OrderedResults, StopsTakingCasesButPassesOnFinishedOnes) {
  Ten ten;
  ten.take(4);
  ten.put(2);
  ten.cases.stop();
  EXPECT_FALSE(ten.cases.wants(0));
  ten.put(0);  // which was being run
  EXPECT_THAT(ten.ids, ElementsAre("0"));
  ten.cases.rethrow();
}

TEST(OrderedResults, PassesOnNothingAfterTheRecordThatStopsIt) {
  std::vector<std::string> ids;
  const OnRecord stops_at_once = [&](const CaseRecord& passed) { return ids.push_back(passed.id), false; };
  OrderedResults cases(10, 4, 0, stops_at_once);
  for (int i = 0; i < 3; ++i) cases.next(true);
  cases.put(1, record(1));
  cases.put(0, record(0));
  cases.put(2, record(2));
  EXPECT_THAT(ids, ElementsAre("0"));
  EXPECT_EQ(cases.next(false), std::nullopt);
}

}  // namespace
}  // namespace touchstone::conformance::ordered_results_test
