// The choice of kernels.
#include "optimized/isa.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "optimized/call_testing.h"
#include "optimized/isa_testing.h"
#include "optimized/opmx_testing.h"

namespace touchstone::optimized::isa_test {

namespace {

using enum ElementType;

TEST(Isa, HasNames) {
  EXPECT_EQ(isa_from_name("portable"), Isa::portable);
  EXPECT_EQ(isa_from_name("avx2"), Isa::avx2);
  EXPECT_EQ(isa_from_name("avx"), std::nullopt);
  EXPECT_TRUE(is_available(Isa::portable));
}

// CTest also runs this with TOUCHSTONE_ISA set to a name and to an empty value.
TEST(Isa, IsSelectedByTheEnvironment) {
  const char* named = std::getenv("TOUCHSTONE_ISA");
  EXPECT_EQ(isa_of_environment(), named == nullptr ? "" : named);
  const Isa best = available_isas().back();
  const bool is_portable = named != nullptr && std::string(named) == "portable";
  EXPECT_EQ(default_isa(), is_portable ? Isa::portable : best);

  const float x = 2;
  const float scale = 1;
  std::byte y{};
  const auto bytes = [](const float& number) { return std::as_bytes(std::span(&number, 1)); };
  const Status status = quantize_linear({float32, bytes(x)}, {float32, bytes(scale)}, std::nullopt,
                                        {uint8, std::span(&y, 1)}, {1, 1, 1, 0});
  EXPECT_EQ(status.ran, default_isa());
  EXPECT_EQ(y, std::byte{2});
}

// For QuantizeLinear, AVX2 has no kernels for exact division or for int32 rounded to narrower types. For
// DequantizeLinear, it has none for int32 with a zero point or with a narrower y.
TEST(Isa, SelectsTheKernels) {
  Random random(1);
  for (const Example& example : every_combination({1, 1, 3, 0})) {
    SCOPED_TRACE(to_text(example));
    const bool narrow = example.quantizes() ? example.scale_type == float16 || example.scale_type == bfloat16
                                            : example.y_type != float32;
    const bool has_kernel = example.quantizes() ? example.scale_type != int32 && !(example.x_type == int32 && narrow)
                                                : example.x_type != int32 || (!example.has_zero_point && !narrow);
    const Data data = random_data(random, example);
    const Call call(example, data, Edge::back);
    EXPECT_EQ(call(Isa::portable).ran, Isa::portable);
    if (!is_available(Isa::avx2)) continue;
    EXPECT_EQ(call(Isa::avx2).ran, has_kernel ? Isa::avx2 : Isa::portable);
  }
}

TEST(Isa, SelectsTheKernelsOfOpmx) {
  Random random(2);
  for (const std::int64_t columns : {0, 5, 40})
    for (const OpmxExample& example : opmx_examples({4, columns, 1, spec::Granularity::per_axis, 1})) {
      SCOPED_TRACE(to_text(example));
      const Data data = random_data(random, example);
      const OpmxCall call(example, data, Edge::back);
      for (const Isa isa : available_isas()) EXPECT_EQ(call(isa).ran, columns > 0 ? isa : Isa::portable);
    }
}

}  // namespace

}  // namespace touchstone::optimized::isa_test
