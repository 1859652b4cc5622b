#include "conformance/exhaustive/exhaustive_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "conformance/exhaustive/chunk.h"
#include "conformance/exhaustive/elements_case.h"
#include "conformance/generate/form.h"
#include "conformance/generate/model_builder.h"
#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/picker.h"
#include "conformance/plan/number.h"

namespace touchstone::conformance {

using reference::Rational;

// ---- scales

namespace {

std::vector<std::uint64_t> powers_of_two() {
  std::vector<std::uint64_t> codes;
  for (const int exponent : {0, -7, 7, -25, -127, -126, 126, 127})
    codes.push_back(nearest_code(ElementType::float8e8m0, power_of_two(exponent)));
  return codes;
}

std::vector<std::uint64_t> fixed_scales(ElementType type) {
  if (type == ElementType::float8e8m0) return powers_of_two();
  const spec::FloatFormat& format = spec::format_of(type);
  const auto power = [&](int exponent) {
    return static_cast<std::uint64_t>(format.exponent_bias + exponent) << format.fraction_bits;
  };
  const auto nearest = [&](const Rational& number) { return nearest_code(type, number); };
  std::vector<std::uint64_t> codes{
      power(0), power(-7), nearest(Rational(1, 3)), nearest(Rational(1, 10)), nearest(Rational(-1, 10)),
      nearest(Rational(1, 255)),
      // The significands nearest to 2 from below and to 1 from both sides. With the first of them, the approximate
      // quotient of P. Markstein's division ("Computation of elementary functions on the IBM RISC System/6000
      // processor", 1990) is furthest from the exact one, and the exact one is nearest to a midpoint.
      power(1) - 1, power(0) - 1, power(0) + 1,
      1,                                                // the smallest subnormal number
      power(1 - format.exponent_bias) - 1,              // the largest one
      power(1 - format.exponent_bias),                  // the smallest normal number
      power(format.exponent_bias),                      // whose reciprocal is subnormal
      static_cast<std::uint64_t>(highest_place(type)),  // the largest number
  };
  if (type != ElementType::float32) return codes;
  // Where the remainder of a division, or an earlier step, may begin to lose bits.
  for (const std::uint64_t code : {power(-99) - 1, power(-100) - 1, power(100) + 1}) codes.push_back(code);
  // Significands next to 8-bit numbers. Quotients lie close to the neighbours of an 8-bit tie, but not on them, where a
  // reciprocal of two words is most at risk (N. Brisebarre, J.-M. Muller, S. K. Raina, "Accelerating correctly rounded
  // floating-point division when the divisor is known in advance", IEEE Trans. Computers 53 (8), 2004).
  for (const std::uint64_t code : {power(0) + 0x250001, power(0) + 0x5bffff}) codes.push_back(code);
  return codes;
}

std::vector<std::uint64_t> random_scales(ElementType type, std::uint64_t seed) {
  Picker picker("scales of exhaustive sweeps", seed);
  const auto highest = static_cast<std::size_t>(highest_place(type));
  if (type == ElementType::float8e8m0) return {picker.below(highest + 1)};
  const spec::FloatFormat& format = spec::format_of(type);
  const std::size_t binade = std::size_t{1} << format.fraction_bits;
  const std::size_t one = static_cast<std::size_t>(format.exponent_bias) * binade;
  // Two scales of the order of 1, and two of any order.
  return {one - 8 * binade + picker.below(16 * binade), one - 8 * binade + picker.below(16 * binade),
          1 + picker.below(highest), 1 + picker.below(highest)};
}

}  // namespace

std::vector<std::uint64_t> hard_scales(ElementType type, std::uint64_t seed) {
  std::vector<std::uint64_t> codes = fixed_scales(type);
  for (const std::uint64_t code : random_scales(type, seed))
    if (std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(code);
  return codes;
}

// ---- sweeps

namespace {

/// The number of parts of a sweep. Each part is a separate case, so that --jobs and --resume work and progress is
/// visible.
constexpr std::uint64_t parts_of_a_sweep = 16;

/// How types are bound to each other. Versions of an operator with the same bindings divide or multiply in the same
/// types.
struct TypeBindings {
  bool scale_is_fixed;
  bool scale_is_as_x;
  bool y_is_as_scale;

  bool operator==(const TypeBindings&) const = default;
};

TypeBindings bindings_of(const OperatorVersion& version) {
  const auto& [x, scale, zero_point] = version.inputs;
  const bool fixed = scale.type_variable.empty();
  return {fixed, scale.type_variable == x.type_variable, !fixed && scale.type_variable == version.output.type_variable};
}

/// For versions with the same type bindings, only the newest one, because it has the types of the others too.
std::vector<const OperatorVersion*> versions_to_sweep(Operator op) {
  std::vector<const OperatorVersion*> versions;
  for (const OperatorVersion& version : spec::operator_versions) {
    if (version.domain != spec::ai_onnx || version.op != op) continue;
    if (!versions.empty() && bindings_of(*versions.back()) == bindings_of(version)) versions.pop_back();
    versions.push_back(&version);
  }
  return versions;
}

std::vector<Cell> cells_of(const OperatorVersion& version, Granularity granularity) {
  std::vector<Cell> cells;
  for (const Cell& cell : legal_cells(version))
    if (cell.granularity == granularity && cell.has_zero_point() && !cell.precision && !cell.saturate)
      cells.push_back(cell);
  return cells;
}

/// The lowest, the middle and the highest number of the type.
std::vector<std::uint64_t> zero_points(ElementType type) {
  const std::int64_t low = lowest_place(type);
  const std::int64_t high = highest_place(type);
  return {code_at(type, low), code_at(type, low + (high - low + 1) / 2), code_at(type, high)};
}

/// Part `i` of an interval.
CodeInterval part_of(const CodeInterval& whole, std::uint64_t i) {
  const std::uint64_t size = whole.size() / parts_of_a_sweep;
  return {whole.operand, whole.type, whole.first + i * size, whole.first + i * size + size - 1};
}

void add_float32_sweeps(std::vector<PlannedCase>& cases, std::uint64_t seed) {
  const CodeInterval all = all_codes(Operand::x, ElementType::float32);
  // float32 is divided by float32 in every version, whatever the type bindings. Sweeps the first and the newest
  // version.
  const std::vector<const OperatorVersion*> versions = versions_to_sweep(Operator::quantize_linear);
  for (const OperatorVersion* version : {versions.front(), versions.back()})
    for (const Cell& cell : cells_of(*version, Granularity::per_tensor)) {
      if (cell.x != ElementType::float32 || cell.scale != ElementType::float32 || !spec::is_integer(cell.y)) continue;
      for (const std::uint64_t scale : hard_scales(cell.scale, seed))
        for (const std::uint64_t zero_point : zero_points(cell.y))
          for (std::uint64_t i = 0; i < parts_of_a_sweep; ++i)
            cases.push_back(
                planned_sweep({cell, part_of(all, i), one_code(Operand::scale, cell.scale, scale), zero_point}));
    }
}

void add_narrow_sweeps(std::vector<PlannedCase>& cases) {
  for (const OperatorVersion* version : versions_to_sweep(Operator::quantize_linear))
    for (const Cell& cell : cells_of(*version, Granularity::per_axis)) {
      const bool narrow = cell.x == ElementType::float16 || cell.x == ElementType::bfloat16;
      const bool to_bytes = cell.y == ElementType::int8 || cell.y == ElementType::uint8;
      if (!narrow || cell.scale != cell.x || !to_bytes) continue;
      const CodeInterval scales = all_codes(Operand::scale, cell.scale);
      const std::vector<std::uint64_t> choice = zero_points(cell.y);
      for (const std::uint64_t zero_point : {choice[0], choice[1]})
        for (std::uint64_t i = 0; i < parts_of_a_sweep; ++i)
          cases.push_back(planned_sweep({cell, all_codes(Operand::x, cell.x), part_of(scales, i), zero_point}));
    }
}

void add_grids(std::vector<PlannedCase>& cases, std::uint64_t seed, const FormLimits& limits) {
  for (const OperatorVersion* version : versions_to_sweep(Operator::dequantize_linear))
    for (const Cell& cell : cells_of(*version, Granularity::per_axis))
      if (spec::info(cell.x).bits <= 8)
        for (const std::uint64_t scale : hard_scales(cell.scale, seed))
          cases.push_back(planned_grid(cell, scale, limits));
}

/// The first chunk of the sweep with scales from 1 on. They are finite: a sweep has at most 4,096 of
/// them, of float16, bfloat16 or float32.
Case ordinary_part(Sweep sweep) {
  const std::uint64_t scales = sweep.scale.size();
  sweep.scale.first = nearest_code(sweep.cell.scale, Rational(1));
  sweep.scale.last = sweep.scale.first + scales - 1;
  ChunkOperands operands(sweep);
  operands.set(chunks_of(sweep).front());
  Case made;
  made.model = operands.model();
  made.data_sets.push_back({operands.inputs(), {}});
  made.form = form_of(sweep.cell).name;
  return made;
}

/// x [zero points, codes]: every row has all codes, and its own zero point.
Case grid_case(const std::string& id, const Cell& cell, const Form& form, std::uint64_t scale) {
  const std::int64_t codes = std::int64_t{1} << spec::info(cell.x).bits;
  Tensor x(cell.x, {codes, codes});
  Tensor scales(cell.scale, {codes});
  Tensor zero_points(cell.x, {codes});
  for (std::int64_t i = 0; i < x.size(); ++i) x.set_code(i, static_cast<std::uint64_t>(i % codes));
  for (std::int64_t i = 0; i < codes; ++i) {
    scales.set_code(i, scale);
    zero_points.set_code(i, static_cast<std::uint64_t>(i));
  }
  const Node node = node_of(cell, x, scales, zero_points);
  Case made;
  made.id = id;
  made.model = build_model(node, form, cell.y, x.shape());
  made.data_sets.push_back({graph_inputs(node, form), {}});
  made.form = form.name;
  return made;
}

}  // namespace

PlannedCase planned_sweep(const Sweep& sweep) {
  const auto shared = std::make_shared<const Sweep>(sweep);
  return {
      .id = id_of(sweep),
      .source = made_by({.read = [shared] { return sample_of(*shared); },
                         .offer_control_candidates = [shared](const TakeCase& take) { take(ordinary_part(*shared)); },
                         .value_space = ValueSpace{.codes = sweep.codes(),
                                                   .reduce =
                                                       [shared](const std::vector<ChosenElement>& elements) {
                                                         return elements_case(id_of(*shared), shared->cell, elements);
                                                       },
                                                   .sweep = shared}})};
}

PlannedCase planned_grid(const Cell& cell, std::uint64_t scale, const FormLimits& limits) {
  const bool has_other_form = limits.constant_scales_only && form_of(cell).parameters == Source::graph_input;
  const Form& form = has_other_form ? form_named("initializers") : form_of(cell);
  const std::string id = fmt::format("exhaustive/{}/scale={}/zp=all/x=all", to_string(cell), hex(cell.scale, scale));
  return {
      .id = id,
      .source = made_by({.read = [=, &form] { return grid_case(id, cell, form, scale); },
                         .offer_control_candidates =
                             [=, &form](const TakeCase& take) {
                               take(grid_case({}, cell, form, nearest_code(cell.scale, Rational(1))));
                             },
                         .other_form = has_other_form ? form.name : std::string_view(),
                         .value_space = ValueSpace{.codes = {all_codes(Operand::x, cell.x),
                                                             one_code(Operand::scale, cell.scale, scale),
                                                             all_codes(Operand::zero_point, cell.x)},
                                                   .reduce = [=, &form](const std::vector<ChosenElement>& elements) {
                                                     return elements_case(id, cell, form, elements);
                                                   }}})};
}

std::vector<PlannedCase> plan_exhaustive(std::uint64_t seed, const FormLimits& limits) {
  std::vector<PlannedCase> cases;
  add_grids(cases, seed, limits);
  add_narrow_sweeps(cases);
  add_float32_sweeps(cases, seed);
  return cases;
}

}  // namespace touchstone::conformance
