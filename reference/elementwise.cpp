#include "reference/elementwise.h"

#include <algorithm>
#include <utility>

#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::reference {

using spec::ElementType;

namespace {

bool is_wide(ElementType type) {
  return type == ElementType::float32 || type == ElementType::bfloat16 || type == ElementType::float8e8m0;
}

Shape output_shape(const Tensor& x, Interpretation& in) {
  in.cite("qdq-output-shape");
  if (x.rank() == 0 && in.reading<spec::Rank0Input>() == spec::Rank0Input::rank_1_output) return {1};
  return x.shape();
}

}  // namespace

bool is_subnormal(const Value& value, ElementType type) {
  if (value.kind() != Value::Kind::number || spec::is_integer(type)) return false;
  // A power of two has no subnormal form of its own; it is one when it becomes float32.
  const spec::FloatFormat& format = *spec::info(type == ElementType::float8e8m0 ? ElementType::float32 : type).format;
  return binade(value.magnitude()) < smallest_exponent(format);
}

Value flushed(const Value& value, ElementType type, Interpretation& in) {
  if (!is_subnormal(value, type)) return value;
  const bool has_negative_zero = spec::info(type).format->special_codes != spec::SpecialCodes::fnuz;
  const Value zero = Value::zero(value.is_negative() && has_negative_zero);
  switch (in.reading<spec::Subnormals>()) {
    case spec::Subnormals::gradual_underflow: break;
    case spec::Subnormals::flushes_wide_types: return is_wide(type) ? zero : value;
    case spec::Subnormals::flushes_all_types: return zero;
  }
  return value;
}

std::vector<Value> operands(const Tensor& tensor, Interpretation& in) {
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(tensor.size()));
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    values.push_back(flushed(decode(tensor.type(), tensor.code(i)), tensor.type(), in));
  return values;
}

Result for_each_element(const Signature& s, const ParameterMap& map, ElementType y_type, Interpretation& in,
                        const ElementStep& step) {
  const std::vector<Value> scales = operands(s.scale, in);
  const std::vector<Value> zero_points = s.zero_point != nullptr ? operands(*s.zero_point, in) : std::vector<Value>{};

  const auto size = static_cast<std::size_t>(s.x.size());
  Result result{Tensor(y_type, output_shape(s.x, in)), std::vector<bool>(size), map};
  for (std::int64_t i = 0; i < s.x.size(); ++i) {
    const Value x = flushed(decode(s.x.type(), s.x.code(i)), s.x.type(), in);
    const Value& scale = scales[static_cast<std::size_t>(map.scale(i))];
    const Value* zero_point =
        s.zero_point != nullptr ? &zero_points[static_cast<std::size_t>(map.zero_point(i))] : nullptr;
    if (const std::optional<Value> y = step(x, scale, zero_point))
      result.y.set_code(i, encode(y_type, *y));
    else
      result.unspecified[static_cast<std::size_t>(i)] = true;
  }
  return result;
}

}  // namespace touchstone::reference
