#include "reference/elementwise.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reference/codec.h"
#include "reference/interruption.h"
#include "reference/rounding.h"

namespace touchstone::reference {

namespace {

bool has_exponents_of_float32(ElementType type) {
  return type == ElementType::float32 || type == ElementType::bfloat16 || type == ElementType::float8e8m0;
}

bool flushes_operands(ElementType type, Interpretation& in) {
  switch (in.reading<spec::Subnormals>()) {
    case spec::Subnormals::gradual_underflow:
    case spec::Subnormals::flushes_wide_results:
    case spec::Subnormals::flushes_results: break;
    case spec::Subnormals::flushes_wide_types:
    case spec::Subnormals::flushes_wide_operands: return has_exponents_of_float32(type);
    case spec::Subnormals::flushes_float32_and_bfloat16:
      return has_exponents_of_float32(type) && type != ElementType::float8e8m0;
    case spec::Subnormals::flushes_float16_too: return has_exponents_of_float32(type) || type == ElementType::float16;
    case spec::Subnormals::flushes_float16_only: return type == ElementType::float16;
    case spec::Subnormals::flushes_all_types: return true;
  }
  return false;
}

bool flushes_results(ElementType type, Interpretation& in) {
  if (type == ElementType::float8e8m0) return false;  // it has no zero
  switch (in.reading<spec::Subnormals>()) {
    case spec::Subnormals::gradual_underflow:
    case spec::Subnormals::flushes_wide_operands: break;
    case spec::Subnormals::flushes_wide_types:
    case spec::Subnormals::flushes_float32_and_bfloat16:
    case spec::Subnormals::flushes_wide_results: return has_exponents_of_float32(type);
    case spec::Subnormals::flushes_float16_too:
    case spec::Subnormals::flushes_results: return has_exponents_of_float32(type) || type == ElementType::float16;
    case spec::Subnormals::flushes_float16_only: return type == ElementType::float16;
    case spec::Subnormals::flushes_all_types: return true;
  }
  return false;
}

/// The zero to which a subnormal number is flushed.
Value zero_of(const Value& subnormal, ElementType type) {
  const bool has_negative_zero = spec::format_of(type).special_codes != spec::SpecialCodes::fnuz;
  return Value::zero(subnormal.is_negative() && has_negative_zero);
}

/// Reads the scales or the zero points one at a time, because there may be as many as x has elements. Keeps the last
/// one, because neighbours in x mostly share it.
class Parameters {
 public:
  /// `tensor` is null if the input is absent.
  Parameters(const Tensor* tensor, Interpretation& in) : tensor_(tensor), in_(in) {}

  /// Null if the input is absent.
  const Value* at(std::int64_t index) {
    if (tensor_ == nullptr) return nullptr;
    if (index != index_) value_ = operand(*tensor_, index, in_);
    index_ = index;
    return &value_;
  }

 private:
  const Tensor* tensor_;
  Interpretation& in_;
  std::int64_t index_ = -1;
  Value value_ = Value::nan();
};

/// The codes of y for all codes of an x of at most 8 bits under each scale, with the zero point with which it was last
/// used: equal operands have equal results. Keeps those of one scale alone if x has few elements for each of them.
class KnownResults {
 public:
  KnownResults(const Tensor& x, const Tensor& scale) {
    constexpr int most_bits = 8;
    constexpr std::int64_t most_results = std::int64_t{1} << 22;
    const int bits = spec::info(x.type()).bits;
    if (bits > most_bits) return;
    codes_ = std::int64_t{1} << bits;
    const bool keeps_all = scale.size() <= std::min(x.size(), most_results) / codes_;
    scales_.resize(keeps_all ? static_cast<std::size_t>(scale.size()) : 1, {-1, -1});
    results_.resize(scales_.size() * static_cast<std::size_t>(codes_));
  }

  /// Calls compute() for the result unless it is known. std::nullopt is for a value that the specification leaves open.
  template <class Compute>
  std::optional<std::uint64_t> at(std::uint64_t code, std::int64_t scale, std::int64_t zero_point,
                                  const Compute& compute) {
    if (results_.empty()) return compute();
    const std::size_t row = scales_.size() == 1 ? 0 : static_cast<std::size_t>(scale);
    const std::span of_scale =
        std::span(results_).subspan(row * static_cast<std::size_t>(codes_), static_cast<std::size_t>(codes_));
    if (scales_[row] != std::pair(scale, zero_point)) std::ranges::fill(of_scale, Entry{});
    scales_[row] = {scale, zero_point};
    Entry& entry = of_scale[static_cast<std::size_t>(code)];
    if (!entry.is_known) {
      const std::optional<std::uint64_t> y = compute();
      entry = {y.value_or(0), true, !y.has_value()};
    }
    return entry.is_open ? std::nullopt : std::optional(entry.y);
  }

 private:
  struct Entry {
    std::uint64_t y = 0;
    bool is_known = false;
    bool is_open = false;
  };

  std::int64_t codes_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> scales_;  ///< the scale and the zero point of each row of results
  std::vector<Entry> results_;
};

Shape output_shape(const Tensor& x, Interpretation& in) {
  in.cite("qdq-output-shape");
  if (x.rank() == 0 && in.reading<spec::Rank0Input>() == spec::Rank0Input::rank_1_output) return {1};
  return x.shape();
}

}  // namespace

bool is_subnormal(const Value& value, ElementType type) {
  if (value.kind() != Value::Kind::number || spec::is_integer(type)) return false;
  // A float8e8m0 number has no subnormal form of its own, but may become subnormal in float32.
  const spec::FloatFormat& format = spec::format_of(type == ElementType::float8e8m0 ? ElementType::float32 : type);
  return binade(value.magnitude()) < smallest_exponent(format);
}

Value operand(const Tensor& tensor, std::int64_t index, Interpretation& in) {
  const ElementType type = tensor.type();
  const Value value = decode(type, tensor.code(index));
  return is_subnormal(value, type) && flushes_operands(type, in) ? zero_of(value, type) : value;
}

Value converted_operand(const Value& value, ElementType type, Interpretation& in) {
  const bool may_be_flushed = type == ElementType::float16 && is_subnormal(value, type);
  return may_be_flushed && flushes_operands(type, in) ? zero_of(value, type) : value;
}

Value flushed(const Value& value, ElementType type, Interpretation& in) {
  return is_subnormal(value, type) && flushes_results(type, in) ? zero_of(value, type) : value;
}

bool rounds_int32_through_float32(ElementType type, Interpretation& in) {
  return type == ElementType::bfloat16 && in.reading<spec::Int32ToBfloat16>() == spec::Int32ToBfloat16::through_float32;
}

Value rounded_operand(const Value& value, ElementType type, bool through_float32) {
  return round_to_type(through_float32 ? round_to_type(value, ElementType::float32) : value, type);
}

void check_scales(const Signature& s, spec::ClauseRef formula, Interpretation& in) {
  const ElementType type = s.scale.type();
  for (std::int64_t i = 0; i < s.scale.size(); ++i) {
    const Value scale = operand(s.scale, i, in);
    const bool finite_number = scale.kind() == Value::Kind::number;
    const bool ordinary = finite_number && !scale.is_negative() && !is_subnormal(scale, type);
    if (ordinary) continue;
    switch (in.reading<spec::ScaleDomain>()) {
      case spec::ScaleDomain::ieee_division: continue;
      case spec::ScaleDomain::zero_or_non_finite_invalid:
        if (finite_number) continue;
        break;
      case spec::ScaleDomain::non_positive_invalid: break;
    }
    in.reject(formula, "a scale of type {} is {}", spec::name(type), to_string(scale));
  }
}

Result for_each_element(const Signature& s, const ParameterMap& map, ElementType y_type, Interpretation& in,
                        const ElementStep& step) {
  Parameters scales(&s.scale, in);
  Parameters zero_points(s.zero_point, in);
  cite_storage(y_type, in);
  const auto size = static_cast<std::size_t>(s.x.size());
  const std::optional<Elements>& some = in.elements();
  Result result{Tensor(y_type, output_shape(s.x, in)), s.x, std::vector<bool>(size, some.has_value()), map};
  KnownResults known(s.x, s.scale);
  ParameterCursor scale_of(map.scale), zero_point_of(map.zero_point);
  const auto compute = [&](std::int64_t i) {
    const std::int64_t scale = scale_of.at(i), zero_point = zero_point_of.at(i);
    const auto y = known.at(s.x.code(i), scale, zero_point, [&]() -> std::optional<std::uint64_t> {
      const std::optional<Value> value = step(operand(s.x, i, in), *scales.at(scale), zero_points.at(zero_point));
      return value ? std::optional(encode(y_type, *value)) : std::nullopt;
    });
    constexpr std::int64_t in_one_step = 4096;
    if (i % in_one_step == in_one_step - 1) Interruptible::note_work(in_one_step);
    if (y) result.y.set_code(i, *y);
    result.unspecified[static_cast<std::size_t>(i)] = !y.has_value();
  };
  if (some)
    for (const std::int64_t i : *some) compute(i);
  else
    for (std::int64_t i = 0; i < s.x.size(); ++i) compute(i);
  return result;
}

}  // namespace touchstone::reference
