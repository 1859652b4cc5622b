// For tests: small cases in memory, and backends with scripted answers.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/files/case.h"
#include "conformance/files/testing.h"

namespace touchstone::conformance {

inline reference::Tensor tensor(spec::ElementType type, reference::Shape shape, std::vector<std::uint64_t> codes) {
  return reference::Tensor::from_codes(type, std::move(shape), codes);
}

/// x = [[0, 1, 2], [3, 4, 5]], scale = [1, 2, 4], zero point = [10, 20, 30] along axis 1: the quotients are rounded to
/// even, so that y = [[10, 20, 30], [13, 22, 31]].
inline Case per_axis_case(std::string id = "per_axis") {
  const std::vector<std::uint64_t> x{0, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000};
  Case made;
  made.id = std::move(id);
  made.model = parse_model(operator_model("QuantizeLinear", {"x", "s", "z"}).SerializeAsString(), "memory");
  made.data_sets.push_back({
      {{"x", tensor(spec::ElementType::float32, {2, 3}, x)},
       {"s", tensor(spec::ElementType::float32, {3}, {0x3f800000, 0x40000000, 0x40800000})},
       {"z", tensor(spec::ElementType::uint8, {3}, {10, 20, 30})}},
      {{"y", tensor(spec::ElementType::uint8, {2, 3}, {10, 20, 30, 13, 22, 31})}},
  });
  return made;
}

class FakeBackend : public Backend {
 public:
  explicit FakeBackend(std::function<UnitAnswer()> answer) : answer_(std::move(answer)) {}
  BackendIdentity identity() const override { return {"fake", "1", "gives scripted answers"}; }
  std::optional<Refusal> declines(const OperatorModel&) const override { return declined; }
  UnitAnswer run(const Unit&) override { return answer_(); }

  std::optional<Refusal> declined;

 private:
  std::function<UnitAnswer()> answer_;
};

}  // namespace touchstone::conformance
