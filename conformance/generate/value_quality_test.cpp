// The values of every cell's case reveal defects: nearly all outputs lie between the ends of the type, and known
// defects change the output. The defects are computed by host_model.h, which shares no arithmetic with the interpreter.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "conformance/generate/host_model.h"
#include "conformance/generate/legal_cases.h"
#include "conformance/generate/listed_inputs.h"
#include "conformance/generate/ordered_codes.h"
#include "conformance/judge/oracle.h"

namespace touchstone::conformance::value_quality_test {
namespace {

using enum spec::ElementType;
using spec::ElementType;

bool quantizes(const Cell& cell) { return cell.version->op == spec::Operator::quantize_linear; }
bool quantizes_to_integer(const Cell& cell) { return quantizes(cell) && spec::is_integer(cell.y); }
bool quantizes_to_float(const Cell& cell) { return quantizes(cell) && !spec::is_integer(cell.y); }
bool adds_zero_point(const Cell& cell) { return quantizes_to_integer(cell) && cell.has_zero_point(); }
/// int32 zero points must be zero, and floating-point ones are.
bool subtracts_zero_point(const Cell& cell) {
  return !quantizes(cell) && cell.has_zero_point() && spec::is_integer(*cell.zero_point) && cell.x != int32;
}
/// A floating-point zero point of integers is added to the product.
bool has_bias(const Cell& cell) {
  return !quantizes(cell) && spec::is_integer(cell.x) && cell.has_zero_point() && !spec::is_integer(*cell.zero_point);
}
bool has_saturate(const Cell& cell) { return cell.saturate.has_value(); }
bool does_not_saturate(const Cell& cell) { return cell.saturate == std::optional(false); }

double smallest_number(ElementType type) { return spec::is_integer(type) ? 1 : number_of(type, 1); }

// ---- where two divisions always agree

Arithmetic division_without_precision(Cell cell) {
  cell.precision = std::nullopt;
  return permitted_arithmetic(cell).front();
}

bool ignoring_precision_shows(const Cell& cell) {
  if (!cell.precision || division_without_precision(cell) == Arithmetic(cell.precision)) return false;
  // x, which is a number of both types, is divided by a power of two, so its bits do not change. bfloat16 has the
  // exponents of float32; float32's smallest subnormal numbers, which it lacks, are zero in every output.
  if (cell.scale == float8e8m0 && cell.x == bfloat16 && cell.precision == bfloat16) return false;
  // The exact quotient of 11 bits and an integer differs from a threshold t by at least 1 part in 2^11 if x is so
  // coarse. Otherwise x and t * scale are multiples of the last bit of t, and below 2^17, so the difference is at least
  // 1 part in 2^22. Float32 has 24 bits, so the quotient stays on its side if float32 can represent the scale. From
  // 2^24 on it may not; then no quotient exceeds 65504 / 2^24, and below the first threshold all results are zero.
  const double first_threshold = smallest_number(cell.y) / 2;
  if (cell.scale == int32 && cell.x == float16 && cell.precision == float32)
    return first_threshold <= std::ldexp(65504, -24);
  return true;
}

bool dividing_in_float32_shows(const Cell& cell) {
  return cell.precision && cell.precision != float32 && division_without_precision(cell) != Arithmetic(float32);
}

/// Permitted if the type of x is the wider one.
bool dividing_in_type_of_x_shows(const Cell& cell) {
  const bool is_division = cell.x == float16 || cell.x == bfloat16;
  const bool other_float = cell.scale != cell.x && cell.scale != int32 && cell.scale != float8e8m0;
  return quantizes(cell) && !cell.precision && is_division && other_float;
}

bool multiplying_by_reciprocal_shows(const Cell& cell) {
  const bool in_float32 = cell.precision.value_or(float32) == float32;
  return quantizes(cell) && cell.x == float32 && cell.scale == float32 && in_float32;
}

// ---- where two multiplications always agree

/// The significant bits of all numbers of a floating-point type, or of integers and their differences.
int significant_bits(ElementType type) { return spec::info(type).format->fraction_bits + 1; }

int bits_of_differences(const Cell& cell) {
  if (!spec::is_integer(cell.x)) return significant_bits(cell.x);
  const spec::ElementTypeInfo& row = spec::info(cell.x);
  const bool has_sign = row.kind == spec::NumberKind::signed_integer;
  // -2^n, the only number with n bits besides its sign, is a power of two. Differences have twice the range.
  return row.bits - (has_sign && !subtracts_zero_point(cell) ? 1 : 0);
}

int bits_of_product(int left, int right) { return left == 1 ? right : right == 1 ? left : left + right; }

/// Whether every product of a difference and a scale is a number of y, once both are numbers of the type of the
/// multiplication.
bool products_are_exact(const Cell& cell) {
  const ElementType type = *permitted_arithmetic(cell).front();
  const int most = significant_bits(type);
  const int bits =
      bits_of_product(std::min(bits_of_differences(cell), most), std::min(significant_bits(cell.scale), most));
  const double smallest_scale = std::max(smallest_number(cell.scale), smallest_number(type));
  // One bit that is too small is at most half of the smallest number, which rounds to zero.
  const bool may_be_too_small = bits > 1 && smallest_number(cell.x) * smallest_scale < smallest_number(cell.y);
  return bits <= significant_bits(cell.y) && !may_be_too_small;
}

bool truncating_shows(const Cell& cell) { return !quantizes(cell) && !products_are_exact(cell); }

/// Float16 has a smaller range of exponents than any other type, so scales or products are outside of it.
bool multiplying_in_float16_shows(const Cell& cell) { return !quantizes(cell) && cell.y != float16; }

/// Bfloat16 has the exponents of float32, but not its smallest subnormal numbers.
bool multiplying_in_bfloat16_shows(const Cell& cell) {
  if (quantizes(cell) || cell.y == bfloat16) return false;
  const int bits = bits_of_product(bits_of_differences(cell), significant_bits(cell.scale));
  const bool is_too_small =
      cell.y == float32 && smallest_number(cell.x) * smallest_number(cell.scale) < smallest_number(bfloat16);
  return bits > significant_bits(bfloat16) || is_too_small;
}

// ---- defects

struct Defect {
  const char* name;
  std::function<bool(const Cell&)> shows;  ///< with some value; otherwise none distinguishes it from what is permitted
  std::function<double(const Cell&, const Operands&)> result;
};

Defect quantizing(const char* name, std::function<bool(const Cell&)> shows, const QuantizeSteps& steps) {
  return {name, std::move(shows), [=](const Cell& cell, const Operands& operands) {
            const Arithmetic division = permitted_arithmetic(cell).front();
            return quantized(cell, quotient(operands, division), operands.zero_point, steps);
          }};
}

Defect dividing(const char* name, std::function<bool(const Cell&)> shows,
                const std::function<Arithmetic(const Cell&)>& division) {
  return {name, std::move(shows), [=](const Cell& cell, const Operands& operands) {
            return quantized(cell, quotient(operands, division(cell)), operands.zero_point);
          }};
}

Defect dequantizing(const char* name, std::function<bool(const Cell&)> shows, const DequantizeSteps& steps) {
  return {name, std::move(shows), [=](const Cell& cell, const Operands& operands) {
            return dequantized(cell, operands, permitted_arithmetic(cell).front(), steps);
          }};
}

Defect multiplying(const char* name, std::function<bool(const Cell&)> shows, ElementType type) {
  return {name, std::move(shows),
          [=](const Cell& cell, const Operands& operands) { return dequantized(cell, operands, type); }};
}

double by_reciprocal(const Cell& cell, const Operands& operands) {
  const double reciprocal = round_to_type(1 / operands.scale, float32);
  return quantized(cell, round_to_type(operands.x * reciprocal, float32), operands.zero_point);
}

const std::vector<Defect>& defects() {
  static const std::vector<Defect> rows{
      quantizing("rounds ties away from zero", quantizes, {.rounding = Rounding::half_away}),
      quantizing("rounds ties upwards", quantizes, {.rounding = Rounding::half_upwards}),
      quantizing("rounds ties towards zero", quantizes, {.rounding = Rounding::half_towards_zero}),
      quantizing("truncates", quantizes, {.rounding = Rounding::towards_zero}),
      quantizing("rounds downwards", quantizes, {.rounding = Rounding::downwards}),
      quantizing("adds the zero point before rounding", adds_zero_point, {.adds_before_rounding = true}),
      quantizing("wraps instead of saturating", quantizes_to_integer, {.wraps = true}),
      quantizing("saturates before adding the zero point", adds_zero_point, {.saturates_before_adding = true}),
      quantizing("rounds to an integer first", quantizes_to_float, {.rounds_to_integer = true}),
      quantizing("ignores saturate", has_saturate, {.ignores_saturate = true}),
      quantizing("tests for overflow before rounding", does_not_saturate, {.tests_before_rounding = true}),
      dividing("ignores precision", ignoring_precision_shows, division_without_precision),
      dividing("divides in float32", dividing_in_float32_shows, [](const Cell&) { return Arithmetic(float32); }),
      dividing("divides in the type of x", dividing_in_type_of_x_shows,
               [](const Cell& cell) { return Arithmetic(cell.x); }),
      {"multiplies by the reciprocal", multiplying_by_reciprocal_shows, by_reciprocal},
      dequantizing("ignores the zero point", subtracts_zero_point, {.ignores_zero_point = true}),
      dequantizing("wraps the difference", subtracts_zero_point, {.wraps = true}),
      dequantizing("truncates the product", truncating_shows, {.rounding = Rounding::towards_zero}),
      multiplying("multiplies in float16", multiplying_in_float16_shows, float16),
      multiplying("multiplies in bfloat16", multiplying_in_bfloat16_shows, bfloat16),
  };
  return rows;
}

// ---- walking through a case

struct Element {
  Operands operands;
  std::uint64_t code;  ///< of y, by the reference
  double y;
};

/// The elements of a data set whose result the specification defines.
std::vector<Element> elements(const Cell& cell, const ReferenceOutcome& data) {
  const reference::Result& result = *data.outcome.result();
  const auto& inputs = data.node.inputs;
  std::vector<Element> found;
  for (std::int64_t i = 0; i < result.y.size(); ++i) {
    if (result.unspecified[static_cast<std::size_t>(i)]) continue;
    const auto number = [&](std::size_t operand, std::int64_t place) {
      return number_of(inputs[operand]->type(), inputs[operand]->code(place));
    };
    const double x = number_of(cell.x, result.x.code(i));
    const double scale = number(1, result.parameters.scale(i));
    const double zero_point = cell.has_zero_point() ? number(2, result.parameters.zero_point(i)) : 0;
    const bool is_subtracted = !has_bias(cell) && (cell.has_zero_point() || !spec::info(cell.x).carrier);
    const double offset = spec::info(cell.x).carrier ? 8 : 0;
    const std::uint64_t code = result.y.code(i);
    found.push_back({{x, scale, is_subtracted ? zero_point : offset, has_bias(cell) ? zero_point : 0},
                     code,
                     number_of(cell.y, code)});
  }
  return found;
}

/// The number of distinct outputs strictly between the ends of the type's range.
std::size_t distinct_results(const Cell& cell, const std::vector<Element>& elements) {
  const double low = number_of(cell.y, code_at(cell.y, lowest_place(cell.y)));
  const double high = number_of(cell.y, code_at(cell.y, highest_place(cell.y)));
  std::set<std::uint64_t> codes;
  for (const Element& element : elements)
    if (element.y > low && element.y < high) codes.insert(element.code);
  return codes.size();
}

/// The required number of distinct outputs. With 48 or more elements, a case shows both values of a 2-bit type between
/// the ends, half of about 14 values of a 4-bit type, and more values of wider types. For DequantizeLinear, it is the
/// number of values of x if there are so few.
std::size_t fewest_results(const Cell& cell) {
  if (quantizes(cell)) {
    switch (spec::info(cell.y).bits) {
      case 2: return 2;
      case 4: return 7;
      case 6: return 12;
      default: return 8;
    }
  }
  switch (spec::info(cell.x).bits) {
    case 2: return 4;
    case 4: return 16;
    case 6: return 20;
    case 8: return 80;
    default: return 16;
  }
}

bool is_revealed(const Defect& defect, const Cell& cell, const std::vector<Element>& elements) {
  return std::any_of(elements.begin(), elements.end(), [&](const Element& element) {
    const double y = defect.result(cell, element.operands);
    return !same_output(y, element.y) && !permitted_results(cell, element.operands).contain(y);
  });
}

std::size_t missing_special_inputs(const Cell& cell, const reference::Result& result) {
  std::set<std::uint64_t> missing;
  for (const std::uint64_t code : special_inputs(cell.x)) missing.insert(code);
  for (std::int64_t i = 0; i < result.x.size(); ++i) missing.erase(result.x.code(i));
  return missing.size();
}

struct Count {
  std::size_t cells = 0;
  std::vector<std::string> unrevealed;
};

/// Parameterized by the seed.
class ValuesOfEveryCell : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ValuesOfEveryCell, GiveManyResultsAndRevealEveryVisibleDefect) {
  std::vector<Count> counts(defects().size());
  for (const Recipe& recipe : cell_recipes(GetParam())) {
    const Cell& cell = recipe.cell;
    std::vector<std::size_t> open;
    for (std::size_t d = 0; d < defects().size(); ++d)
      if (defects()[d].shows(cell)) open.push_back(d), ++counts[d].cells;
    bool is_first = true;
    const Case made = make_case(recipe);
    for (const DataSet& data : made.data_sets) {
      if (data.repeats) continue;
      const reference::Node node = bind_inputs(made.model, data.inputs);
      const ReferenceOutcome interpreted{node, interpret(made, node)};
      const std::vector<Element> known = elements(cell, interpreted);
      for (const Element& element : known)
        ASSERT_TRUE(same_output(element.y, primary_result(cell, element.operands)))
            << *recipe.id << ": the reference gives " << element.y << " for x = " << element.operands.x;
      if (is_first) {
        EXPECT_GE(distinct_results(cell, known), fewest_results(cell)) << *recipe.id;
        EXPECT_EQ(missing_special_inputs(cell, *interpreted.outcome.result()), 0U) << *recipe.id;
      }
      is_first = false;
      std::erase_if(open, [&](std::size_t d) { return is_revealed(defects()[d], cell, known); });
    }
    for (const std::size_t d : open) counts[d].unrevealed.push_back(recipe.id);
  }
  for (std::size_t d = 0; d < defects().size(); ++d) {
    const Count& count = counts[d];
    std::string some;
    for (std::size_t i = 0; i < std::min<std::size_t>(count.unrevealed.size(), 100); ++i)
      some += "\n  " + count.unrevealed[i];
    fmt::print("{}: revealed in {} of {} cells\n", defects()[d].name, count.cells - count.unrevealed.size(),
               count.cells);
    EXPECT_TRUE(count.unrevealed.empty()) << "a backend that " << defects()[d].name << " is not detected in "
                                          << count.unrevealed.size() << " of " << count.cells << " cells:" << some;
    EXPECT_GT(count.cells, 0U) << defects()[d].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ValuesOfEveryCell, testing::Values(0, 1, 2));

}  // namespace
}  // namespace touchstone::conformance::value_quality_test
