// Quantizes two channels of three numbers to int8 and back.
#include <touchstone/optimized/typed_calls.h>

#include <cstdio>
#include <vector>

using namespace touchstone::optimized;

int main() {
  const std::vector<float> x{-1.0F, 0.5F, 0.25F, 10.0F, 30.0F, 2000.0F};
  const std::vector<float> scale{0.5F, 10.0F};
  const std::vector<std::int8_t> zero_point{0, 5};
  std::vector<std::int8_t> q(x.size());
  std::vector<float> y(x.size());
  const Geometry geometry = Geometry::per_axis({2, 3}, 0);
  Status status = quantize<float, std::int8_t>(x, scale, zero_point, q, geometry);
  if (status.error == Error::none) status = dequantize<std::int8_t, float>(q, scale, zero_point, y, geometry);
  if (status.error != Error::none) return std::printf("%s\n", describe(status.error).data()), 1;
  for (std::size_t i = 0; i < x.size(); ++i) std::printf("%g -> %d -> %g\n", x[i], q[i], y[i]);
}
