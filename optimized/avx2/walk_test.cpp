// Each element gets its own scale and zero point, whatever path the AVX2 kernels take through the tensor. The portable
// kernels, which go from run to run, serve as the comparison.
#include <gtest/gtest.h>

#include <array>

#include "optimized/agreement_testing.h"
#include "optimized/call_testing.h"
#include "optimized/isa_testing.h"
#include "optimized/sample_testing.h"

namespace touchstone::optimized::walk_test {

namespace {

using enum ElementType;

// Inner extents and blocks smaller than a group, of every length with its own code path; periods that fit a tile, that
// need several tiles, and that end within a byte; so few elements that nothing repeats; and more elements than count as
// cached.
constexpr std::array geometries{
    Geometry{40, 64, 2, 0},   Geometry{700, 3, 2, 0},    Geometry{11, 64, 7, 0},    Geometry{5, 64, 16, 0},
    Geometry{6, 64, 49, 0},   Geometry{5, 100, 49, 0},   Geometry{70, 3, 49, 0},    Geometry{50, 33, 1, 0},
    Geometry{7, 5, 3, 0},     Geometry{4, 3, 343, 0},    Geometry{4, 343, 3, 0},    Geometry{1, 3000, 3, 0},
    Geometry{30, 64, 1, 2},   Geometry{30, 64, 1, 3},    Geometry{2, 4100, 1, 4},   Geometry{9, 200, 1, 5},
    Geometry{9, 203, 1, 6},   Geometry{9, 203, 1, 7},    Geometry{3, 1600, 1, 8},   Geometry{3, 1601, 1, 16},
    Geometry{30, 70, 1, 31},  Geometry{60, 5, 1, 9},     Geometry{4, 1001, 1, 143}, Geometry{5, 12, 3, 4},
    Geometry{3, 7, 301, 3},   Geometry{3, 40, 40, 8},    Geometry{2, 300, 33, 64},  Geometry{2, 40, 9, 1},
    Geometry{1, 4096, 8, 32}, Geometry{3, 90, 20, 32},   Geometry{2, 130, 2, 64},   Geometry{16, 4100, 1, 0},
    Geometry{13, 1700, 3, 0}, Geometry{1, 20, 4100, 17}, Geometry{3, 700, 2, 2},    Geometry{3, 701, 2, 3},
    Geometry{3, 701, 3, 2},   Geometry{2, 900, 3, 5},    Geometry{2, 803, 4, 4},    Geometry{2, 500, 5, 7},
    Geometry{3, 211, 7, 2},   Geometry{2, 600, 8, 8},    Geometry{1, 1200, 6, 16},  Geometry{2, 331, 8, 33},
    Geometry{2, 260, 9, 2},   Geometry{2, 101, 17, 4},   Geometry{3, 90, 31, 3},    Geometry{2, 90, 64, 7},
    Geometry{2, 41, 128, 3},  Geometry{2, 21, 129, 3},   Geometry{1, 900, 3, 333},  Geometry{5, 4, 3, 9},
    Geometry{1, 70, 33, 32},  Geometry{1, 4099, 2, 1},   Geometry{3, 606, 2, 2},    Geometry{1, 3000, 2, 12},
    Geometry{2, 404, 4, 2},   Geometry{5, 1040, 4, 8},   Geometry{3, 512, 2, 256},  Geometry{7, 130, 4, 130},
    Geometry{1, 6, 2, 2},     Geometry{3, 12, 2, 4},     Geometry{5, 402, 1, 2},    Geometry{1, 4096, 1, 16},
    Geometry{3, 48, 1, 24}};

struct Types {
  spec::Operator op;
  ElementType x;
  ElementType scale;
  ElementType y;
};

constexpr std::array types{Types{spec::Operator::quantize_linear, float32, float32, uint8},
                           Types{spec::Operator::quantize_linear, float32, float32, int4},
                           Types{spec::Operator::quantize_linear, bfloat16, float32, int16},
                           Types{spec::Operator::quantize_linear, float32, float32, float6e2m3},
                           Types{spec::Operator::dequantize_linear, uint8, float32, float32},
                           Types{spec::Operator::dequantize_linear, int4, float16, float16},
                           Types{spec::Operator::dequantize_linear, uint2, float32, float32},
                           Types{spec::Operator::dequantize_linear, float8e5m2, bfloat16, float32}};

TEST_F(Avx2, GivesEachElementItsParameters) {
  Random random(5);
  Sample sample;
  for (const Geometry& geometry : geometries)
    for (const auto& [op, x, scale, y] : types)
      for (const bool has_zero_point : {false, true}) {
        if (!sample.takes_next()) continue;
        const Example example{&newest_version(op), x, scale, y, geometry, has_zero_point};
        SCOPED_TRACE(to_text(example));
        const Data data = random_data(random, example);
        const Tensor portable = compute(example, data, Isa::portable, Edge::back);
        const Tensor avx2 = compute(example, data, Isa::avx2, has_zero_point ? Edge::back : Edge::front);
        for (std::int64_t i = 0; i < portable.size(); ++i)
          ASSERT_TRUE(same_element(y, avx2.code(i), portable.code(i))) << "element " << i;
      }
}

}  // namespace

}  // namespace touchstone::optimized::walk_test
