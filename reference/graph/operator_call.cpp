#include "reference/graph/operator_call.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "reference/graph/factors.h"
#include "reference/model/shape.h"

namespace touchstone::reference {

const Tensor& OperatorCall::input(std::size_t place) const {
  if (const Tensor* found = optional_input(place)) return *found;
  fail("input {} is absent", place);
}

const Tensor* OperatorCall::optional_input(std::size_t place) const {
  return place < inputs_.size() ? inputs_[place] : nullptr;
}

std::vector<std::int64_t> OperatorCall::integers_of_input(std::size_t place) const {
  const Tensor& given = input(place);
  if (given.type() != ElementType::int64 && given.type() != ElementType::int32)
    fail("input {} is of type {}, not int64 or int32", place, spec::name(given.type()));
  note_read(place);
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < given.size(); ++i)
    values.push_back(given.type() == ElementType::int32 ? static_cast<std::int32_t>(given.code(i))
                                                        : static_cast<std::int64_t>(given.code(i)));
  return values;
}

std::vector<const Tensor*> OperatorCall::inputs_of_one_type() const {
  std::vector<const Tensor*> all;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    all.push_back(&input(i));
    require_same_type(*all.front(), *all.back());
  }
  if (all.empty()) fail("there are no inputs");
  return all;
}

void OperatorCall::require_same_type(const Tensor& left, const Tensor& right) const {
  if (left.type() != right.type())
    fail("inputs of the types {} and {}; they must be the same", spec::name(left.type()), spec::name(right.type()));
}

void OperatorCall::require_float(const Tensor& given) const {
  if (spec::is_integer(given.type()) || spec::info(given.type()).bits < 16)
    fail("an input of type {}; float16, bfloat16, float32 or float64 is needed", spec::name(given.type()));
}

std::int64_t OperatorCall::integer(std::string_view name, std::int64_t default_value) const {
  const auto* value = find<std::int64_t>(name);
  return value != nullptr ? *value : default_value;
}

std::int64_t OperatorCall::integer(std::string_view name) const {
  if (const auto* value = find<std::int64_t>(name)) return *value;
  fail("attribute {} is absent", name);
}

float OperatorCall::number(std::string_view name, float default_value) const {
  const auto* value = find<float>(name);
  return value != nullptr ? *value : default_value;
}

std::string OperatorCall::text(std::string_view name, std::string_view default_value) const {
  const auto* value = find<std::string>(name);
  return value != nullptr ? *value : std::string(default_value);
}

std::vector<std::int64_t> OperatorCall::integers(std::string_view name, std::vector<std::int64_t> default_value) const {
  const auto* value = find<std::vector<std::int64_t>>(name);
  return value != nullptr ? *value : std::move(default_value);
}

void OperatorCall::require_integer(std::string_view name, std::int64_t value) const {
  if (const std::int64_t given = integer(name, value); given != value)
    fail("{} = {} is not supported; only {} is", name, given, value);
}

void OperatorCall::require_text(std::string_view name, std::string_view value) const {
  if (const std::string given = text(name, value); given != value)
    fail("{} = \"{}\" is not supported; only \"{}\" is", name, given, value);
}

std::size_t OperatorCall::axis(std::int64_t given, std::int64_t rank) const {
  if (given < -rank || given >= rank) invalid("the axis {} is out of range for rank {}", given, rank);
  if (given < 0 && opset_ < 11) fail("the axis {} is negative", given);
  return static_cast<std::size_t>(given < 0 ? given + rank : given);
}

std::int64_t OperatorCall::index(std::int64_t given, std::int64_t length) const {
  if (given < -length || given >= length)
    invalid("the index {} is out of range for an axis of length {}", given, length);
  if (given < 0 && opset_ < 11) fail("the index {} is negative", given);
  return given < 0 ? given + length : given;
}

void OperatorCall::check_rank(std::int64_t rank) const {
  if (rank > most_dimensions) fail("the result has {} dimensions; the limit is {}", rank, most_dimensions);
}

std::int64_t OperatorCall::product(const Shape& dimensions) const {
  if (const std::optional<std::int64_t> count = element_count(dimensions)) return *count;
  fail("a dimension of the result is too large: the product of {}", to_text(dimensions));
}

const Shape& OperatorCall::checked(const Shape& shape, std::optional<std::int64_t> terms_per_element) const {
  check_rank(std::ssize(shape));
  const std::optional<std::int64_t> elements = element_count(shape);
  if (!elements) fail("the shape of the result, {}, is invalid", to_text(shape));
  const std::int64_t terms = terms_per_element.value_or(most_terms_ + 1);
  if (*elements > 0 && terms > most_terms_ / *elements)
    throw TooManyTerms(fmt::format("{} terms for each of {} elements; the limit is {} in all",
                                   terms_per_element ? std::to_string(terms) : "too many", *elements, most_terms_));
  return shape;
}

void OperatorCall::note_wide_inputs() {
  for (std::size_t place = 0; place < inputs_.size(); ++place)
    if (!std::ranges::all_of(bounds(place), &Interval::is_point)) note_rounded("an input has bounds");
}

double OperatorCall::further_error(const FloatPrecision& precision) const {
  if (further_roundings_ == 0) return 0;
  // A factor that is rounded to a narrow type after it was multiplied differs from the product of the rounded factor.
  const NarrowType* narrow = treatment_of(reading<spec::FactorPrecision>()).type;
  return precision.gamma(further_roundings_) + (narrow == nullptr ? 0 : std::ldexp(4, -narrow->bits));
}

}  // namespace touchstone::reference
