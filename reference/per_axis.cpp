#include "reference/per_axis.h"

#include "reference/model/shape.h"

namespace touchstone::reference {

using spec::Granularity;

namespace {

void cite_axis(const Signature& s, Interpretation& in) {
  if (!s.has_attribute("axis")) in.cite("qdq-axis-default");
  if (s.attribute("axis") < 0) in.cite("qdq-axis-negative");
}

/// "When the rank of the input is 1, per-tensor quantization is applied": cites the sentence for versions that have it.
void cite_rank_1(const Signature& s, Interpretation& in) {
  constexpr spec::ClauseRef clause = "qdq-rank-1-per-tensor";
  if (s.x.rank() == 1 && clause->applies.covers(s.version.domain, s.version.op, s.version.since_version))
    in.cite(clause);
}

}  // namespace

std::optional<std::size_t> dimension_of_axis(const Signature& s) {
  if (!s.has_attribute("axis") && !s.version.attribute("axis")->default_value) return std::nullopt;
  const std::int64_t axis = s.attribute("axis");
  const std::int64_t rank = s.x.rank();
  if (axis < -rank || axis >= rank) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

ParameterMap along_axis(const Signature& s, const Shape& parameters, std::size_t axis, Interpretation& in) {
  in.cite("qdq-per-axis");
  in.cite("qdq-per-axis-length");
  const std::int64_t length = s.x.shape()[axis];
  if (parameters[0] != length)
    in.reject("qdq-per-axis-length", "the scale has {} elements, x has {} along axis {}", parameters[0], length, axis);
  const Sharing sharing = one_for_each_along(s.x.shape(), axis);
  return {Granularity::per_axis, sharing, sharing};
}

std::size_t axis_in_range(const Signature& s, spec::ClauseRef clause, Interpretation& in) {
  in.cite(clause);
  if (const auto dimension = dimension_of_axis(s)) return *dimension;
  const std::int64_t axis = s.attribute("axis");
  const std::int64_t rank = s.x.rank();
  if (rank > 0 && in.reading<spec::AxisForPerTensor>() == spec::AxisForPerTensor::never_checked)
    return static_cast<std::size_t>((axis % rank + rank) % rank);
  in.reject(clause, "axis is {}, the rank of x {}", axis, rank);
}

std::size_t required_axis(const Signature& s, Interpretation& in) {
  cite_axis(s, in);
  return axis_in_range(s, "qdq-axis-range", in);
}

ParameterMap one_for_all_elements(const Signature& s, Interpretation& in) {
  in.cite("qdq-per-tensor");
  const Sharing sharing = one_for_all(s.x.shape());
  return {Granularity::per_tensor, sharing, sharing};
}

ParameterMap per_tensor(const Signature& s, Interpretation& in) {
  cite_rank_1(s, in);
  if (!s.has_attribute("axis")) return one_for_all_elements(s, in);
  in.cite("qdq-axis-unused");
  if (!dimension_of_axis(s) && in.reading<spec::AxisForPerTensor>() == spec::AxisForPerTensor::always_checked)
    in.reject("qdq-axis-range", "axis is out of range, though the scale is a scalar");
  return one_for_all_elements(s, in);
}

ParameterMap per_axis(const Signature& s, const Shape& parameters, Interpretation& in) {
  if (s.x.rank() == 1 && s.attribute("axis") == 1) {
    switch (in.reading<spec::Rank1DefaultAxis>()) {
      case spec::Rank1DefaultAxis::invalid: break;
      case spec::Rank1DefaultAxis::axis_0: return along_axis(s, parameters, 0, in);
      case spec::Rank1DefaultAxis::per_tensor: return per_tensor(s, in);
    }
  }
  if (s.x.rank() == 1 && dimension_of_axis(s)) {
    cite_rank_1(s, in);
    switch (in.reading<spec::Rank1Vector>()) {
      case spec::Rank1Vector::per_axis: break;
      case spec::Rank1Vector::invalid:
        in.reject("qdq-rank-1-per-tensor", "x has rank 1, and the scale the shape {}", to_text(parameters));
      case spec::Rank1Vector::per_tensor: return per_tensor(s, in);
    }
  }
  return along_axis(s, parameters, required_axis(s, in), in);
}

bool axis_has_length_1(const Signature& s) {
  const auto axis = dimension_of_axis(s);
  return axis && s.x.shape()[*axis] == 1;
}

ParameterMap per_tensor_or_single_axis(const Signature& s, const Shape& parameters, Interpretation& in) {
  // With fewer than two dimensions, or an axis that x does not have, only per-tensor quantization can be meant.
  const bool could_be_per_axis = s.x.rank() >= 2 && dimension_of_axis(s) && !axis_has_length_1(s);
  if (could_be_per_axis && in.reading<spec::OneElement1dScale>() == spec::OneElement1dScale::per_axis)
    return per_axis(s, parameters, in);
  return per_tensor(s, in);
}

}  // namespace touchstone::reference
