// QuantizeLinear of all domains: compares the library optimized/ with the reference.
#include <cstddef>
#include <cstdint>

#include "fuzz/differential.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  touchstone::fuzz::compare_with_reference({data, size}, touchstone::fuzz::Operators::quantize_linear);
  return 0;
}
