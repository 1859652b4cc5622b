#include "conformance/generate/distributed_inputs.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace touchstone::conformance::distributed_inputs_test {
namespace {

/// Codes below this one are spread inputs, others are not.
constexpr std::uint64_t first_other = 100;

DirectedValues row(std::size_t spread, std::size_t others) {
  DirectedValues made{.scale = 0, .zero_point = 0};
  made.x.resize(spread + others);
  std::iota(made.x.begin(), made.x.begin() + static_cast<std::ptrdiff_t>(spread), 0);
  std::iota(made.x.begin() + static_cast<std::ptrdiff_t>(spread), made.x.end(), first_other);
  made.first = spread;
  return made;
}

/// Two rows of four spread inputs, with three elements each. Two of three elements are spread, which uses all four
/// positions.
TEST(DistributedInputs, UseTheSpreadInputsOverAllRows) {
  const std::vector<DirectedValues> rows{row(4, 9), row(4, 9)};
  for (std::uint64_t start = 0; start < 20; ++start) {
    const std::vector<std::uint64_t> distributed = distribute_inputs(rows, {0, 1, 0, 1, 0, 1}, {}, start);
    EXPECT_EQ((std::set{distributed[0], distributed[1], distributed[4], distributed[5]}),
              (std::set<std::uint64_t>{0, 1, 2, 3}))
        << start;
  }
}

RC_GTEST_PROP(DistributedInputs, UseEverySpreadInputBeforeAnyTwice, ()) {
  const auto spread = *rc::gen::inRange<std::size_t>(1, 17);
  const auto number_of_rows = *rc::gen::inRange<std::size_t>(1, 8);
  const auto row_of = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, number_of_rows));
  const auto start = *rc::gen::arbitrary<std::uint64_t>();
  const std::vector<DirectedValues> rows(number_of_rows, row(spread, 40));
  const std::vector<std::uint64_t> distributed = distribute_inputs(rows, row_of, {}, start);
  std::size_t spread_elements = 0;
  for (std::size_t r = 0; r < number_of_rows; ++r)
    spread_elements += static_cast<std::size_t>(std::ranges::count(row_of, r) + 1) / 2;
  std::set<std::uint64_t> taken;
  for (const std::uint64_t code : distributed)
    if (code < first_other) taken.insert(code);
  RC_ASSERT(taken.size() >= std::min(spread, spread_elements));
}

}  // namespace
}  // namespace touchstone::conformance::distributed_inputs_test
