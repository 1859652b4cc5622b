// Backends with one seeded defect each: wrong models of the bank, in chosen versions and granularities, and defects
// that no hypothesis needs. The suite must detect every one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <variant>

#include "conformance/diagnose/node_changes.h"
#include "conformance/diagnose/wrong_backend.h"
#include "conformance/mutant_testing.h"
#include "reference/host_numbers.h"

namespace touchstone::conformance::mutants_test {
namespace {

using reference::Node;
using reference::number_of;
using reference::Policy;
using reference::Tensor;
using spec::Operator;

Policy half_away() { return Policy{}.with<spec::Ties>(spec::Ties::away_from_zero); }

template <class A>
Defect always(typename A::Reading reading) {
  return {.policy = [reading](const Node&) { return Policy{}.with<A>(reading); }};
}

Defect half_away_if(const std::function<bool(const Node&)>& condition) {
  return {.policy = [condition](const Node& node) { return condition(node) ? half_away() : Policy{}; }};
}

void corrupt_last_of_odd(const Node&, Tensor& y) {
  if (y.size() % 16 == 15) y.set_code(y.size() - 1, y.code(y.size() - 1) ^ 1);
}

// ---- wrong for single values

/// Corrupts the outputs of inputs for which the condition holds. Only for nodes with a single scale.
Defect wrong_where(const std::function<bool(const Node& node, const Tensor& y, double x, double scale)>& condition) {
  return {.after = [condition](const Node& node, Tensor& y) {
    const Tensor& x = *node.inputs[0];
    const Tensor& scale = *node.inputs[1];
    if (scale.size() != 1 || x.size() != y.size()) return;
    const double of_all = number_of(scale.type(), scale.code(0));
    for (std::int64_t i = 0; i < x.size(); ++i)
      if (condition(node, y, number_of(x.type(), x.code(i)), of_all)) y.set_code(i, y.code(i) ^ 1);
  }};
}

/// Wrong between two quotients, on both sides of zero; for float8 only without saturation.
Defect wrong_between(spec::ElementType type, double low, double high) {
  return wrong_where([=](const Node& node, const Tensor& y, double x, double scale) {
    const bool may_saturate = spec::is_float8(type) && integer_attribute(node, spec::AttributeMeaning::saturate) != 0;
    const double quotient = std::abs(x / scale);
    return y.type() == type && !may_saturate && quotient > low && quotient < high;
  });
}

/// The power of two, or the float32 number next to it in one direction or the other.
double near_power(int exponent, int direction) {
  const float power = std::ldexp(1.0F, exponent);
  return direction == 0 ? power : std::nextafter(power, direction < 0 ? 0.0F : std::numeric_limits<float>::infinity());
}

Defect wrong_for_quotient(double quotient) {
  return wrong_where([=](const Node&, const Tensor&, double x, double scale) { return x / scale == quotient; });
}

Defect wrong_for_input(double input) {
  return wrong_where([=](const Node&, const Tensor&, double x, double scale) { return x == input && scale != 1; });
}

bool has_scales_of_1(const Node& node, spec::ElementType type) {
  const Tensor& scale = *node.inputs[1];
  bool found = scale.type() == type && scale.size() > 0 && !node.variable_inputs.contains(1);
  for (std::int64_t i = 0; i < scale.size(); ++i) found = found && number_of(type, scale.code(i)) == 1;
  return found;
}

/// Optimizes the division away: casts x, which truncates its fraction and loses its high bits.
void cast_if_scale_is_1(const Node& node, Tensor& y) {
  const Tensor& x = *node.inputs[0];
  const bool is_cast = node.inputs.size() == 2 || !node.inputs[2];
  if (!is_cast || !has_scales_of_1(node, spec::ElementType::float32) || !spec::is_integer(y.type())) return;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const double number = std::trunc(number_of(x.type(), x.code(i)));
    if (std::abs(number) < std::ldexp(1.0, 62)) y.set_code(i, static_cast<std::uint64_t>(std::int64_t(number)));
  }
}

Defect wrong_if_scale_is_1(spec::ElementType type) {
  return {.after = [type](const Node& node, Tensor& y) {
    if (has_scales_of_1(node, type))
      for (std::int64_t i = 0; i < y.size(); ++i) y.set_code(i, y.code(i) ^ 1);
  }};
}

// ---- wrong for single shapes and attributes

Defect corrupted_if(const std::function<bool(const Node&)>& condition) {
  return {.after = [condition](const Node& node, Tensor& y) {
    if (condition(node) && y.size() > 0) y.set_code(y.size() - 1, y.code(y.size() - 1) ^ 1);
  }};
}

bool has_largest_block(const Node& node) {
  return integer_attribute(node, spec::AttributeMeaning::block_size) == std::numeric_limits<std::int64_t>::max();
}

/// Groups of the default size along axis 1.
Defect wrong_for_default_groups(bool several) {
  return corrupted_if([several](const Node& node) {
    const Tensor& scale = *node.inputs[1];
    return !has_attribute(node, spec::AttributeMeaning::block_size) && scale.rank() == 2 && scale.shape()[0] > 1 &&
           (scale.shape()[1] > 1) == several && node.inputs[0]->shape()[1] == 128 * scale.shape()[1];
  });
}

Defect wrong_at_rank(std::int64_t rank) {
  return corrupted_if([rank](const Node& node) { return node.inputs[0]->rank() == rank; });
}

/// Requires the flag if there is a zero point, and refuses a node that contradicts itself.
void refuse_what_is_not_announced(Node& node, const Inputs&) {
  if (node.inputs.size() < 3 || !node.inputs[2] || integer_attribute(node, spec::AttributeMeaning::has_zero_point) != 0)
    return;
  node.inputs.pop_back();
  node.attributes["has_zeropoint"] = 1;
}

struct MutantRow {
  std::string name;
  std::string where;  ///< the cases of the tier `standard` to search, which saves time
  std::variant<Defect, const WrongModel*> defect;

  std::unique_ptr<Backend> backend() const {
    if (const auto* model = std::get_if<const WrongModel*>(&defect))
      return std::make_unique<WrongBackend>(std::vector{*model});
    return std::make_unique<Mutant>(std::get<Defect>(defect));
  }
};

/// A row of the bank.
const WrongModel* wrong(std::string_view name) {
  const WrongModel* model = find_wrong_model(name);
  if (model == nullptr) throw std::logic_error("no wrong model " + std::string(name));
  return model;
}

bool is_symmetric_int4(const Node& node) {
  return node.inputs.size() > 2 && node.inputs[2] && node.inputs[2]->type() == spec::ElementType::int4;
}

std::vector<MutantRow> single_mutants() {
  return {
      {"rounds half away from zero", "quantize_linear/*", wrong("rounds-half-away-from-zero")},
      {"wraps after adding the zero point", "quantize_linear/*", wrong("saturates-only-before-zero-point")},
      {"wraps in int32", "quantize_linear/*", wrong("wraps-sum-in-int32")},
      {"adds the zero point before rounding", "quantize_linear/*", wrong("rounds-after-zero-point")},
      {"multiplies by the reciprocal", "quantize_linear/*", wrong("multiplies-by-reciprocal")},
      {"misreads the tail block", "*/blocked/*", wrong("splits-tail-evenly")},
      {"ignores axis", "*/per_axis/*", wrong("ignores-axis")},
      {"ignores precision", "quantize_linear/*/precision=*", wrong("ignores-precision")},
      {"swaps nibbles", "quantize_linear/*4/*", wrong("swaps-nibbles-of-output")},
      {"lets NaN corrupt its vector", "quantize_linear/*", wrong("nan-spoils-vector")},
      {"caches the first scale", "*", wrong("keeps-scale-of-first-run")},
      {"is wrong only at version 13", "quantize_linear/13/*",
       half_away_if([](const Node& node) { return reference::operator_version(node).since_version == 13; })},
      {"is wrong only at opset 20", "quantize_linear/*/opset/20",
       half_away_if([](const Node& node) { return node.opset == 20; })},
      {"is wrong only for int4", "quantize_linear/21/*i4/*", half_away_if(is_symmetric_int4)},
      {"is wrong after element 65536", "*/large/*", wrong("stops-at-65536")},
      {"is wrong in the last lane", "*/length/*", Defect{.after = corrupt_last_of_odd}},
      {"reads axis as 1 in com.microsoft", "com.microsoft/*", wrong("takes-axis-1")},
      {"reads axis as 1 in opmx", "opmx/*", wrong("takes-axis-1")},
      {"ignores int32 zero points of com.microsoft", "com.microsoft/*", wrong("ignores-int32-zero-point")},
      {"reads the high nibble first", "opmx/*", wrong("reads-high-nibble-first")},
      {"takes rows with a stride", "opmx/*", wrong("reads-nibbles-of-strided-rows")},
      {"packs columns", "opmx/*", wrong("reads-nibbles-of-columns")},
      {"forgets the offset of 8", "opmx/*", always<spec::Int4WithoutZeroPoint>(spec::Int4WithoutZeroPoint::no_offset)},
      {"forgets the offset of 8 if there is a bias", "opmx/*",
       always<spec::Int4FloatZeroPoint>(spec::Int4FloatZeroPoint::no_offset)},
      {"does not mask zero points", "opmx/*", always<spec::Int4IntegerZeroPoint>(spec::Int4IntegerZeroPoint::unmasked)},
      {"counts groups of packed rows", "opmx/*", wrong("counts-groups-of-packed-rows")},
      {"offsets int8 by 128", "opmx/*", always<spec::Int8Codes>(spec::Int8Codes::offset_128)},
      {"takes transposed scales", "opmx/*/blocked/*", wrong("transposes-scales")},
      {"takes a short last group", "opmx/*must_reject*",
       always<spec::PartialGroup>(spec::PartialGroup::short_last_group)},
      {"takes opmx groups of the default size for something else", "opmx/*", wrong_for_default_groups(true)},
      {"takes one opmx group of the default size for something else", "opmx/*", wrong_for_default_groups(false)},
      {"is wrong for opmx tensors of rank 1", "opmx/*", wrong_at_rank(1)},
      {"is wrong for opmx tensors of rank 3", "opmx/*", wrong_at_rank(3)},
      {"is wrong for opmx tensors of rank 4", "opmx/*", wrong_at_rank(4)},
      {"refuses zero points that are not announced", "opmx/*", Defect{.before = refuse_what_is_not_announced}},
      {"is wrong for the largest block size", "quantize_linear/*/shape/*", corrupted_if(has_largest_block)},
      {"is wrong for the largest block size of DequantizeLinear", "dequantize_linear/*/shape/*",
       corrupted_if(has_largest_block)},
  };
}

/// One for each granularity.
void add_wrong_axes(std::vector<MutantRow>& rows) {
  const std::vector<std::pair<const char*, const char*>> defects{
      {"takes the first dimension that fits the scale", "guesses-first-axis-that-fits"},
      {"takes the last dimension that fits the scale", "guesses-last-axis-that-fits"},
      {"counts negative axes from one too far in front", "counts-negative-axis-one-too-low"},
      {"counts negative axes from one position too far", "counts-negative-axis-one-too-high"},
      {"takes 0 for the default axis", "takes-axis-0-by-default"},
      {"takes the last dimension for the default axis", "takes-last-axis-by-default"},
      {"takes another axis at rank 5 only", "takes-another-axis-at-rank-5"},
  };
  for (const char* granularity : {"per_axis", "blocked"})
    for (const auto& [name, defect] : defects)
      for (const char* op : {"quantize_linear", "dequantize_linear"})
        rows.push_back({fmt::format("{}, {} of {}", name, granularity, op),
                        fmt::format("{}/*/{}/*shape*", op, granularity), wrong(defect)});
  for (const char* domain : {"com.microsoft", "opmx"})
    for (const auto& [name, defect] : defects) {
      const bool is_matrix = std::string_view(domain) == "opmx";  // with an axis that is not negative
      const bool has_default = is_matrix;
      const std::string_view text = name;
      if (is_matrix && (text.find("negative") != text.npos || text.find("rank 5") != text.npos)) continue;
      if (!has_default && text.find("default") != text.npos) continue;
      if (is_matrix && text == "takes the last dimension for the default axis") continue;  // which is correct
      rows.push_back({fmt::format("{}, of {}", name, domain),
                      fmt::format("{0}/*/per_axis/*shape*:{0}/*/blocked/*shape*", domain), wrong(defect)});
    }
}

/// Every granularity of every version has a finite quotient of normal numbers that distinguishes the defect from all
/// permitted readings.
void add_int32_conversions(std::vector<MutantRow>& rows) {
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const spec::Granularity granularity : version.granularities)
      if (version.domain == spec::ai_onnx && version.op == Operator::quantize_linear)
        rows.push_back({fmt::format("converts large quotients to the smallest int32, {} {}", version.since_version,
                                    spec::name(granularity)),
                        fmt::format("{}/f32-f32-u8/{}/zp/values", id_of(version), spec::name(granularity)),
                        wrong("converts-huge-quotients-to-lowest-int32")});
}

void add_wrong_values(std::vector<MutantRow>& rows) {
  using enum spec::ElementType;
  struct Range {
    spec::ElementType y;
    double low, high;
  };
  // From the number at which rounding overflows to double the largest number, and up to four times the largest number;
  // for uint8 also a range that has only few of the other inputs.
  for (const auto& [y, low, high] : std::vector<Range>{{float8e4m3fn, 465, 699},
                                                       {float8e4m3fn, 900, 1790},
                                                       {float8e4m3fnuz, 248, 480},
                                                       {float8e4m3fnuz, 480, 960},
                                                       {float8e5m2, 61440, 81920},
                                                       {float8e5m2, 114688, 229376},
                                                       {float8e5m2fnuz, 61440, 81920},
                                                       {float8e5m2fnuz, 114688, 229376},
                                                       {float6e2m3, 7.75, 8},
                                                       {float6e2m3, 15, 30},
                                                       {float6e3m2, 30, 32},
                                                       {float6e3m2, 56, 112},
                                                       {uint8, 256.5, 299},
                                                       {uint8, 512, 640},
                                                       {int8, 129, 140},
                                                       {uint16, 66000, 80000},
                                                       {int16, 33000, 40000},
                                                       {uint4, 16.5, 20},
                                                       {int4, 8.5, 10},
                                                       {uint2, 4.5, 6},
                                                       {int2, 2.5, 3},
                                                       {float4e2m1, 7, 8},
                                                       {float4e2m1, 12, 24}})
    rows.push_back({fmt::format("is wrong for {} between {} and {}", spec::name(y), low, high),
                    "quantize_linear/*/beyond_range", wrong_between(y, low, high)});
  for (const spec::ElementType scale : {float32, float16, bfloat16, int32, float8e8m0})
    rows.push_back({fmt::format("is wrong where a constant scale is 1 in {}", spec::name(scale)),
                    "quantize_linear/24/*/scale/one", wrong_if_scale_is_1(scale)});
  for (const spec::ElementType scale : {float32, float16, bfloat16, float8e8m0})
    rows.push_back({fmt::format("is wrong where a constant scale is 1 in {} of DequantizeLinear", spec::name(scale)),
                    "dequantize_linear/24/*/scale/one", wrong_if_scale_is_1(scale)});
  for (const char* granularity : {"per_tensor", "per_axis", "blocked"})
    rows.push_back({fmt::format("casts where a constant scale is 1, {}", granularity),
                    fmt::format("quantize_linear/21/*/{}/*scale/one", granularity),
                    Defect{.after = cast_if_scale_is_1}});
}

const std::vector<MutantRow>& mutants() {
  static const std::vector<MutantRow> rows = [] {
    std::vector<MutantRow> all = single_mutants();
    add_wrong_axes(all);
    add_wrong_values(all);
    add_int32_conversions(all);
    return all;
  }();
  return rows;
}

void PrintTo(const MutantRow& row, std::ostream* out) { *out << row.name; }

class Mutants : public testing::TestWithParam<MutantRow> {};

bool is_found_out(Backend& mutant, const std::vector<PlannedCase>& cases) {
  return std::any_of(cases.begin(), cases.end(), [&](const PlannedCase& planned) {
    const CaseRecord record = run_case(planned, mutant);
    EXPECT_NE(record.verdict, Verdict::harness_error) << *record.id << ": " << *record.reason;
    return !is_pass(record.verdict);
  });
}

TEST_P(Mutants, AreDetectedByTheStandardTier) {
  const MutantRow& row = GetParam();
  EXPECT_TRUE(is_found_out(*row.backend(), cases_of(row.where)))
      << "a backend that " << row.name << " passes every case of " << row.where;
}

/// In a version with integer types only, so that no floating-point type reveals the defect.
TEST(MutantsOfOneNumber, AreDetectedByTheStandardTier) {
  const std::vector<PlannedCase> cases = cases_of("quantize_linear/10/*powers_of_two");
  for (const int exponent : {15, 16, 31, 32, 63})
    for (const int direction : {-1, 0, 1})
      for (const double sign : {1.0, -1.0}) {
        const double number = sign * near_power(exponent, direction);
        for (const auto& [name, defect] :
             {std::pair("quotient", wrong_for_quotient(number)), {"input", wrong_for_input(number)}}) {
          Mutant mutant(defect);
          EXPECT_TRUE(is_found_out(mutant, cases)) << "the " << name << " " << number;
        }
      }
}
std::string test_name(const testing::TestParamInfo<MutantRow>& row) { return with_underscores(row.param.name); }

INSTANTIATE_TEST_SUITE_P(Conformance, Mutants, testing::ValuesIn(mutants()), test_name);

}  // namespace
}  // namespace touchstone::conformance::mutants_test
