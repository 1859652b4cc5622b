// Compares runs with the definition of Geometry, element by element.
#include "optimized/portable/parameter_runs.h"

#include <gtest/gtest.h>

#include <vector>

namespace touchstone::optimized::parameter_runs_test {

namespace {

std::vector<std::int64_t> by_runs(const Geometry& geometry, std::int64_t most) {
  const auto count = static_cast<std::size_t>(geometry.outer * geometry.axis * geometry.inner);
  std::vector<std::int64_t> parameters;
  ParameterRuns runs(geometry);
  while (parameters.size() < count) {
    const ParameterRun run = runs.next(most);
    EXPECT_TRUE(run.count() >= 1 && run.count() <= most) << run.count();
    for (std::int64_t i = 0; i < run.count(); ++i) parameters.push_back(run.parameter + i / run.times);
  }
  return parameters;
}

std::vector<std::int64_t> by_definition(const Geometry& geometry) {
  const auto& [outer, axis, inner, block] = geometry;
  std::vector<std::int64_t> parameters;
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t a = 0; a < axis; ++a)
      for (std::int64_t i = 0; i < inner; ++i) {
        const std::int64_t blocks = block > 0 ? (axis + block - 1) / block : 0;
        parameters.push_back(block > 0 ? (o * blocks + a / block) * inner + i : a);
      }
  return parameters;
}

TEST(ParameterRuns, FollowTheDefinition) {
  for (std::int64_t outer = 0; outer <= 3; ++outer)
    for (std::int64_t axis = 0; axis <= 7; ++axis)
      for (std::int64_t inner = 0; inner <= 3; ++inner)
        for (std::int64_t block = 0; block <= axis + 1; ++block) {
          const Geometry geometry{outer, axis, inner, block};
          for (const std::int64_t most : {1, 2, 3, 5, 1000})
            EXPECT_EQ(by_runs(geometry, most), by_definition(geometry))
                << outer << " " << axis << " " << inner << ", blocks of " << block << ", at most " << most;
        }
}

}  // namespace

}  // namespace touchstone::optimized::parameter_runs_test
