#include "conformance/exhaustive/chunk.h"

#include <gtest/gtest.h>

#include <map>

#include "conformance/exhaustive/testing.h"

namespace touchstone::conformance::chunk_test {
namespace {

/// Counts the chunks that contain each pair of a scale and an input.
std::map<std::pair<std::uint64_t, std::uint64_t>, int> elements_of(const Sweep& sweep, std::uint64_t most) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, int> seen;
  ChunkOperands operands(sweep);
  for (const Chunk& chunk : chunks_of(sweep, most)) {
    EXPECT_LE(chunk.columns, most);
    operands.set(chunk);
    const std::vector<NamedTensor>& inputs = operands.inputs();
    const reference::Tensor& x = inputs[0].value;
    EXPECT_EQ(x.shape(), operands.shape());
    for (std::int64_t i = 0; i < x.size(); ++i) {
      const auto row = static_cast<std::int64_t>(static_cast<std::uint64_t>(i) / chunk.columns);
      const std::uint64_t scale = inputs.size() > 1 ? inputs[1].value.code(row) : sweep.scale.first;
      ++seen[{scale, x.code(i)}];
    }
  }
  return seen;
}

TEST(Chunks, ContainEveryElementOnce) {
  Sweep one_scale = sweep_of("quantize_linear/28/f32-f32-u4/per_tensor/zp", 0x3f800000, 0, 0x80000010, 0x8000004c);
  Sweep short_rows = sweep_of("quantize_linear/28/f16-f16-u8/per_axis/zp", 0x3c00, 0, 0x0100, 0x0106);
  short_rows.scale.last = 0x3c0a;
  for (const Sweep& sweep : {one_scale, short_rows})
    for (const std::uint64_t most : {1U, 7U, 16U, 61U, 1000U}) {
      const auto seen = elements_of(sweep, most);
      EXPECT_EQ(seen.size(), sweep.elements());
      for (const auto& [element, times] : seen) {
        EXPECT_EQ(times, 1);
        EXPECT_TRUE(sweep.scale.first <= element.first && element.first <= sweep.scale.last);
        EXPECT_TRUE(sweep.x.first <= element.second && element.second <= sweep.x.last);
      }
    }
}

TEST(Chunks, OfOneShapeHaveOneModel) {
  const Sweep sweep = sweep_of("quantize_linear/28/f32-f32-u8/per_tensor/zp", 0x3f800000, 0x80, 0, 63);
  ChunkOperands operands(sweep);
  std::map<std::string, int> models;
  for (const Chunk& chunk : chunks_of(sweep, 16)) {
    operands.set(chunk);
    ++models[operands.model().bytes];
  }
  EXPECT_EQ(models.size(), 1U);
}

}  // namespace
}  // namespace touchstone::conformance::chunk_test
