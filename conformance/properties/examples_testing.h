// For tests: random examples for rapidcheck.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <ostream>

#include "conformance/properties/example_generator.h"
#include "conformance/properties/simpler_examples.h"

namespace touchstone::conformance {

inline void showValue(const Example& example, std::ostream& out) { out << to_text(example); }

inline rc::Gen<Example> any_example() {
  const auto seeds = rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
  return rc::gen::shrink(rc::gen::map(seeds, [](std::uint64_t seed) { return random_example(seed, 0); }),
                         [](const Example& example) { return rc::seq::fromContainer(simpler_examples(example)); });
}

}  // namespace touchstone::conformance
