// For tests: backends that are wrong in one place only.
#pragma once

#include <functional>

#include "conformance/backends/builtin/optimized_backend.h"
#include "conformance/exhaustive/sweep.h"
#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// Returns the output for one element, given the right output y. Arguments and result are codes. The scale is 0 if it
/// is constant.
using Defect = std::function<std::uint64_t(std::uint64_t x, std::uint64_t scale, std::uint64_t y)>;

/// The backend `optimized` with a defect. For the models of sweeps: x [rows, columns] or x [n].
class DefectiveBackend : public OptimizedBackend {
 public:
  explicit DefectiveBackend(Defect defect) : defect_(std::move(defect)) {}

  UnitAnswer run(const Unit& unit) override {
    UnitAnswer answer = OptimizedBackend::run(unit);
    reference::Tensor& y = std::get<Outputs>(std::get<0>(answer).front()).front().value;
    const std::span<const NamedTensor> inputs = unit.inputs.front();
    const std::int64_t rows = inputs.size() > 1 ? inputs[1].value.size() : 1;
    for (std::int64_t i = 0; i < y.size(); ++i) {
      const std::uint64_t scale = inputs.size() > 1 ? inputs[1].value.code(i / (y.size() / rows)) : 0;
      const std::uint64_t right = y.code(i);
      if (const std::uint64_t now = defect_(inputs[0].value.code(i), scale, right); now != right) y.set_code(i, now);
    }
    return answer;
  }

 private:
  Defect defect_;
};

/// A cell of ai.onnx by its text.
inline Cell cell(const std::string& text) { return find_cell(text).value(); }

/// All codes of x, or an interval of them, divided by one scale.
inline Sweep sweep_of(const std::string& text, std::uint64_t scale, std::uint64_t zero_point) {
  const Cell found = cell(text);
  return {found, all_codes(Operand::x, found.x), one_code(Operand::scale, found.scale, scale), zero_point};
}

inline Sweep sweep_of(const std::string& text, std::uint64_t scale, std::uint64_t zero_point, std::uint64_t first,
                      std::uint64_t last) {
  Sweep sweep = sweep_of(text, scale, zero_point);
  sweep.x.first = first;
  sweep.x.last = last;
  return sweep;
}

}  // namespace touchstone::conformance
