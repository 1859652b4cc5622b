// A sweep: QuantizeLinear to integers over an interval of codes of x, divided by one scale or by an interval of scales.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/exhaustive/output_steps.h"
#include "conformance/files/case.h"
#include "conformance/plan/cell.h"
#include "reference/policy.h"

namespace touchstone::conformance {

struct Sweep {
  /// A cell with float32, float16 or bfloat16 inputs and a zero point. per_tensor: there is one scale. per_axis: every
  /// row of x has all codes of the interval, and its own scale.
  Cell cell;
  CodeInterval x;
  CodeInterval scale;
  std::uint64_t zero_point;

  CodeIntervals codes() const { return {x, scale, one_code(Operand::zero_point, cell.y, zero_point)}; }
  std::uint64_t elements() const { return x.size() * scale.size(); }
};

/// exhaustive/<cell>/scale=0x3dcccccd/zp=0x80/x=0x00000000..0x0fffffff; an interval of all codes is "all".
std::string id_of(const Sweep& sweep);

/// Some elements of the sweep as an ordinary case. It shows what the sweep covers, and whether the node is legal.
Case sample_of(const Sweep& sweep);

/// The steps of one row, from the reference under the policy. If x and the scale are both float16 or both bfloat16 and
/// all readings are primary, computes them with narrow_division.h.
/// Throws std::logic_error if the reference rejects the node.
std::vector<Step> expected_steps(const Sweep& sweep, std::uint64_t scale, const reference::Policy& policy = {});

}  // namespace touchstone::conformance
