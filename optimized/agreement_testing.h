// For tests: compares results with those of the reference.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "optimized/example_testing.h"
#include "optimized/guarded_memory_testing.h"
#include "optimized/isa_testing.h"
#include "optimized/status.h"
#include "reference/interpreter.h"

namespace touchstone::optimized {

/// Whether both codes are equal, or both are NaN.
inline bool same_element(ElementType type, std::uint64_t left, std::uint64_t right) {
  return left == right ||
         (!spec::is_integer(type) && reference::decode(type, left).is_nan() && reference::decode(type, right).is_nan());
}

/// Success, or a failure that names the first element that differs from the reference's result.
inline ::testing::AssertionResult agrees(const Data& data, const Tensor& y, const reference::Result& expected) {
  for (std::int64_t i = 0; i < y.size(); ++i) {
    if (expected.unspecified[static_cast<std::size_t>(i)] || same_element(y.type(), y.code(i), expected.y.code(i)))
      continue;
    const auto number = [](const Tensor& tensor, std::int64_t place) {
      return to_string(reference::decode(tensor.type(), tensor.code(place)));
    };
    const std::int64_t parameter = expected.parameters.scale(i);
    return ::testing::AssertionFailure() << "element " << i << ": x " << number(expected.x, i) << ", scale "
                                         << number(data.scale, parameter) << ", zero point "
                                         << (data.zero_point ? number(*data.zero_point, parameter) : "absent")
                                         << " gives " << number(y, i) << ", expected " << number(expected.y, i);
  }
  return ::testing::AssertionSuccess();
}

/// Expects the same result of random data from the reference and from every instruction set, with operands at either
/// end of a page. `SomeCall` is the class of a call with such an example.
template <class SomeCall, class SomeExample>
void expect_agreement(const SomeExample& example, Random& random) {
  SCOPED_TRACE(to_text(example));
  const Data data = random_data(random, example);
  const reference::Outcome outcome = reference::interpret(node_of(example, data));
  ASSERT_NE(outcome.result(), nullptr) << outcome.rejection()->reason;
  for (const Isa isa : available_isas())
    for (const Edge edge : {Edge::front, Edge::back}) {
      const SomeCall call(example, data, edge);
      const Status status = call(isa);
      ASSERT_EQ(status.error, Error::none) << describe(status.error);
      ASSERT_TRUE(agrees(data, call.y(), *outcome.result())) << name(isa);
    }
}

}  // namespace touchstone::optimized
