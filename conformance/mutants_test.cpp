// Does the suite itself work? Backends that are the reference but for one defect: each must be found out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>

#include "conformance/backends/reference_backend.h"
#include "conformance/generate/generated_suite.h"
#include "conformance/plan/filter.h"
#include "conformance/report/summary.h"
#include "conformance/run/runner.h"
#include "reference/codec.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {
namespace {

using reference::Node;
using reference::Policy;
using reference::Tensor;
using spec::Operator;

using Inputs = std::vector<std::optional<Tensor>>;

/// What a defect changes: the policy for a node, the operands before and the output after.
struct Defect {
  std::function<Policy(const Node&)> policy = [](const Node&) { return Policy{}; };
  /// `first` are the operands of the model's first run.
  std::function<void(Node& node, const Inputs& first)> before = [](Node&, const Inputs&) {};
  std::function<void(const Node& node, Tensor& y)> after = [](const Node&, Tensor&) {};
};

class Mutant : public Backend {
 public:
  explicit Mutant(const Defect& defect) : defect_(defect) {}

  BackendIdentity identity() const override { return {"mutant", "1", ""}; }

  UnitAnswer run(const Unit& unit) override {
    const OperatorModel model = parse_model(std::string(unit.model), "model");
    std::vector<Answer> answers;
    Inputs first;
    for (const auto inputs : unit.inputs) {
      Node node = bind_inputs(model, inputs);
      if (answers.empty()) first = node.inputs;
      defect_.before(node, first);
      const reference::Outcome outcome = reference::interpret(node, defect_.policy(node));
      if (outcome.rejection() != nullptr) {
        answers.emplace_back(Refusal{outcome.rejection()->reason});
        continue;
      }
      Tensor y = outcome.result()->y;
      defect_.after(node, y);
      answers.emplace_back(Outputs{{"y", std::move(y)}});
    }
    return answers;
  }

 private:
  const Defect& defect_;
};

Policy half_away() { return Policy{}.with<spec::Ties>(spec::Ties::away_from_zero); }

template <class A>
Defect always(typename A::Reading reading) {
  return {.policy = [reading](const Node&) { return Policy{}.with<A>(reading); }};
}

Defect half_away_if(const std::function<bool(const Node&)>& condition) {
  return {.policy = [condition](const Node& node) { return condition(node) ? half_away() : Policy{}; }};
}

void ignore_axis(Node& node, const Inputs&) { node.attributes.erase("axis"); }

/// Axis 1, whatever the attribute says, under each of its names.
void take_axis_1(Node& node, const Inputs&) {
  for (const char* name : {"axis", "quant_axis"})
    if (const auto given = node.attributes.find(name); given != node.attributes.end()) given->second = 1;
}

/// Reads scales as if their rows were their columns, in a tensor of the same shape.
void transpose_scales(Node& node, const Inputs&) {
  Tensor& scale = *node.inputs[1];
  if (scale.rank() != 2) return;
  const Tensor given = scale;
  const std::int64_t rows = scale.shape()[0];
  const std::int64_t columns = scale.shape()[1];
  for (std::int64_t i = 0; i < scale.size(); ++i) scale.set_code(i, given.code(i % columns * rows + i / columns));
}

void swap_nibbles(const Node&, Tensor& y) {
  if (spec::info(y.type()).bits != 4) return;
  for (std::int64_t i = 0; i + 1 < y.size(); i += 2) {
    const std::uint64_t first = y.code(i);
    y.set_code(i, y.code(i + 1));
    y.set_code(i + 1, first);
  }
}

/// As a vector instruction might: eight elements share their fate.
void spoil_vectors(const Node& node, Tensor& y) {
  const Tensor& x = *node.inputs[0];
  if (node.op != Operator::quantize_linear || spec::is_integer(x.type())) return;
  for (std::int64_t start = 0; start < x.size(); start += 8) {
    const std::int64_t end = std::min(start + 8, x.size());
    bool has_nan = false;
    for (std::int64_t i = start; i < end; ++i) has_nan = has_nan || reference::decode(x.type(), x.code(i)).is_nan();
    for (std::int64_t i = start; has_nan && i < end; ++i) y.set_code(i, 0);
  }
}

void keep_first_scale(Node& node, const Inputs& first) { node.inputs[1] = first[1]; }

void spoil_late_elements(const Node&, Tensor& y) {
  if (y.size() > 65536) y.set_code(65536, y.code(65536) ^ 1);
}

void spoil_last_of_odd(const Node&, Tensor& y) {
  if (y.size() % 16 == 15) y.set_code(y.size() - 1, y.code(y.size() - 1) ^ 1);
}

struct MutantRow {
  const char* name;
  const char* where;  ///< cases of the tier `standard` in which it is looked for, to find it sooner
  Defect defect;
};

bool is_symmetric_int4(const Node& node) {
  return node.inputs.size() > 2 && node.inputs[2] && node.inputs[2]->type() == spec::ElementType::int4;
}

const std::vector<MutantRow>& mutants() {
  static const std::vector<MutantRow> rows{
      {"rounds half away from zero", "quantize_linear/*", always<spec::Ties>(spec::Ties::away_from_zero)},
      {"wraps after adding the zero point", "quantize_linear/*",
       always<spec::RoundingOrder>(spec::RoundingOrder::round_saturate_add)},
      {"wraps in int32", "quantize_linear/*", always<spec::ZeroPointAddition>(spec::ZeroPointAddition::wrapping_int32)},
      {"adds the zero point before rounding", "quantize_linear/*",
       always<spec::RoundingOrder>(spec::RoundingOrder::add_round_saturate)},
      {"multiplies by the reciprocal", "quantize_linear/*",
       always<spec::Float32Division>(spec::Float32Division::reciprocal_multiplication)},
      {"misreads the tail block", "*/blocked/*", always<spec::TailBlock>(spec::TailBlock::even_split)},
      {"ignores axis", "*/per_axis/*", {.before = ignore_axis}},
      {"ignores precision", "quantize_linear/*/precision=*",
       always<spec::PrecisionValues>(spec::PrecisionValues::ignored)},
      {"swaps nibbles", "quantize_linear/*4/*", {.after = swap_nibbles}},
      {"lets NaN spoil its vector", "quantize_linear/*", {.after = spoil_vectors}},
      {"caches the first scale", "*", {.before = keep_first_scale}},
      {"is wrong only at version 13", "quantize_linear/13/*",
       half_away_if([](const Node& node) { return reference::operator_version(node).since_version == 13; })},
      {"is wrong only at opset 20", "quantize_linear/*/opset/20",
       half_away_if([](const Node& node) { return node.opset == 20; })},
      {"is wrong only for int4", "quantize_linear/21/*i4/*", half_away_if(is_symmetric_int4)},
      {"is wrong behind element 65536", "*/large/*", {.after = spoil_late_elements}},
      {"is wrong in the last lane", "*/length/*", {.after = spoil_last_of_odd}},
      {"ignores int32 zero points", "*must_reject/int32*", always<spec::Int32ZeroPoint>(spec::Int32ZeroPoint::ignored)},
      {"reads axis as 1 in com.microsoft", "com.microsoft/*", {.before = take_axis_1}},
      {"reads axis as 1 in opmx", "opmx/*", {.before = take_axis_1}},
      {"ignores int32 zero points of com.microsoft", "com.microsoft/*",
       always<spec::Int32ZeroPointOfMicrosoft>(spec::Int32ZeroPointOfMicrosoft::ignored)},
      {"reads the high nibble first", "opmx/*", always<spec::NibbleOrder>(spec::NibbleOrder::high_nibble_first)},
      {"takes rows with a stride", "opmx/*", always<spec::NibbleOrder>(spec::NibbleOrder::strided_rows)},
      {"packs columns", "opmx/*", always<spec::NibbleOrder>(spec::NibbleOrder::columns)},
      {"forgets the offset of 8", "opmx/*", always<spec::Int4WithoutZeroPoint>(spec::Int4WithoutZeroPoint::no_offset)},
      {"forgets the offset of 8 beside a bias", "opmx/*",
       always<spec::Int4FloatZeroPoint>(spec::Int4FloatZeroPoint::no_offset)},
      {"does not mask zero points", "opmx/*", always<spec::Int4IntegerZeroPoint>(spec::Int4IntegerZeroPoint::unmasked)},
      {"counts groups of packed rows", "opmx/*", always<spec::GroupIndex>(spec::GroupIndex::packed_row)},
      {"offsets int8 by 128", "opmx/*", always<spec::Int8Codes>(spec::Int8Codes::offset_128)},
      {"takes transposed scales", "opmx/*/blocked/*", {.before = transpose_scales}},
      {"takes a short last group", "opmx/*must_reject*",
       always<spec::PartialGroup>(spec::PartialGroup::short_last_group)},
  };
  return rows;
}

void PrintTo(const MutantRow& row, std::ostream* out) { *out << row.name; }

class Mutants : public testing::TestWithParam<MutantRow> {};

TEST_P(Mutants, AreFoundOutByTheStandardTier) {
  const MutantRow& row = GetParam();
  Mutant mutant(row.defect);
  const Filter where(row.where);
  for (const PlannedCase& planned : plan_generated_suite({})) {
    if (!where.takes(planned.id)) continue;
    const CaseRecord record = run_case(planned, mutant);
    ASSERT_NE(record.verdict, Verdict::harness_error) << record.id << ": " << record.reason;
    if (!is_pass(record.verdict)) return;
  }
  ADD_FAILURE() << "a backend that " << row.name << " passes every case of " << row.where;
}

std::string with_underscores(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char character) { return std::isalnum(character) == 0; }, '_');
  return text;
}

std::string test_name(const testing::TestParamInfo<MutantRow>& row) { return with_underscores(row.param.name); }

INSTANTIATE_TEST_SUITE_P(Conformance, Mutants, testing::ValuesIn(mutants()), test_name);

// ---- a backend that lacks something gets no credit for its refusals

/// Where the case is what a backend lacks, and so is its control.
struct LackRow {
  const char* name;
  std::function<bool(const Node&)> is_lacking;
  const char* where;  ///< the ids of those cases
};

bool is_of_type(const Node& node, spec::ElementType type) {
  return std::ranges::any_of(node.inputs, [&](const auto& input) { return input && input->type() == type; });
}

std::int64_t number_of(const Node& node, const char* attribute) {
  const auto found = node.attributes.find(attribute);
  const auto* number = found == node.attributes.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  return number != nullptr ? *number : 0;
}

const std::vector<LackRow>& lacks() {
  static const std::vector<LackRow> rows{
      {"everything", [](const Node&) { return true; }, "*"},
      {"opsets from 23 on", [](const Node& node) { return node.opset >= 23; },
       "quantize_linear/23/*:quantize_linear/28/*:dequantize_linear/23/*:dequantize_linear/28/*"},
      {"blocks", [](const Node& node) { return number_of(node, "block_size") != 0; },
       "quantize_linear/*/blocked/*:dequantize_linear/*/blocked/*"},
      {"negative axes", [](const Node& node) { return number_of(node, "axis") < 0; },
       "quantize_linear/*/shape/*axis-*:dequantize_linear/*/shape/*axis-*:-*_scale1_*"},
      {"int4", [](const Node& node) { return is_of_type(node, spec::ElementType::int4); },
       "quantize_linear/*?i4/*/zp*:dequantize_linear/*/i4-*"},
      {"float8", [](const Node& node) { return is_of_type(node, spec::ElementType::float8e4m3fn); },
       "quantize_linear/*?e4m3fn/*/zp*:dequantize_linear/*/e4m3fn-*"},
  };
  return rows;
}

void PrintTo(const LackRow& row, std::ostream* out) { *out << row.name; }

/// Right, but for what it lacks.
class Lacking : public ReferenceBackend {
 public:
  explicit Lacking(const std::function<bool(const Node&)>& is_lacking) : is_lacking_(is_lacking) {}

  UnitAnswer run(const Unit& unit) override try {
    const OperatorModel model = parse_model(std::string(unit.model), "model");
    if (is_lacking_(bind_inputs(model, unit.inputs.front()))) return Refusal{"not implemented"};
    return ReferenceBackend::run(unit);
  } catch (const FileError& error) {
    return Refusal{error.what()};
  }

 private:
  const std::function<bool(const Node&)>& is_lacking_;
};

class Lacks : public testing::TestWithParam<LackRow> {};

TEST_P(Lacks, GiveNoCreditForRefusals) {
  const LackRow& row = GetParam();
  const Filter where(row.where);
  std::vector<PlannedCase> plan = plan_generated_suite({});
  std::erase_if(plan, [&](const PlannedCase& planned) { return !where.takes(planned.id); });
  // Of those that no permitted reading rejects, some will do.
  const auto is_ordinary = [](const std::string& id) {
    const auto has = [&](const char* part) { return id.find(part) != std::string::npos; };
    return !has("/scale/") && !has("/shape/") && !has("_zero_point") && !has("/must_reject/");
  };
  std::size_t place = 0;
  std::erase_if(plan, [&](const PlannedCase& planned) { return is_ordinary(planned.id) && place++ % 29 != 0; });
  const bool is_everything = row.where == std::string_view("*");
  std::size_t refused = 0;
  std::size_t not_shown = 0;
  std::vector<CaseRecord> records;
  const auto make = [&] { return std::make_unique<Lacking>(row.is_lacking); };
  run(plan, make, {.judge = {}, .jobs = 2}, [&](CaseRecord record) {
    records.push_back(std::move(record));
    return true;
  });
  ASSERT_EQ(records.size(), plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Case tested = plan[i].read();
    if (!row.is_lacking(bind_inputs(tested.model, tested.data_sets.front().inputs))) continue;
    const CaseRecord& record = records[i];
    ++refused;
    // What breaks a model may be what the backend lacks: then its refusal is to the point.
    if (record.verdict == Verdict::not_shown) {
      ++not_shown;
    } else if (!record.must_reject() || is_everything) {
      EXPECT_EQ(record.verdict, Verdict::rejects_valid) << record.id << ": " << record.reason;
    }
  }
  EXPECT_GT(refused, 20U);
  EXPECT_EQ(exit_code(summarize(records.size(), records)), 1);
  if (is_everything) {
    EXPECT_GT(not_shown, 2000U);
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, Lacks, testing::ValuesIn(lacks()),
                         [](const testing::TestParamInfo<LackRow>& row) { return with_underscores(row.param.name); });

/// As a run of the tier smoke.
TEST(LackOfBlocks, IsFoundOutByTheSmokeTier) {
  const std::function<bool(const Node&)> has_blocks = [](const Node& node) {
    return number_of(node, "block_size") != 0;
  };
  const std::vector<PlannedCase> plan = plan_generated_suite({.tier = Tier::smoke});
  std::vector<CaseRecord> records;
  run(
      plan, [&] { return std::make_unique<Lacking>(has_blocks); }, {},
      [&](CaseRecord record) {
        records.push_back(std::move(record));
        return true;
      });
  EXPECT_EQ(exit_code(summarize(records.size(), records)), 1);
  for (const CaseRecord& record : records) {
    if (record.cells.front().granularity != spec::Granularity::blocked) continue;
    // The groups of opmx are blocks without that attribute.
    const bool has_attribute =
        record.subject->version->attribute(spec::AttributeMeaning::block_size)->name == "block_size";
    EXPECT_EQ(record.verdict, has_attribute ? Verdict::rejects_valid : Verdict::pass) << record.id;
  }
}

// ---- and what is permitted is not found wanting

struct ReadingRow {
  const char* where;
  std::string_view ambiguity;
  Policy policy;
};

template <class A>
ReadingRow reading(const char* where, typename A::Reading one) {
  return {where, A::row.id, Policy{}.with<A>(one)};
}

const std::vector<ReadingRow>& permitted_readings() {
  static const std::vector<ReadingRow> rows{
      reading<spec::ScaleDomain>("quantize_linear/2?/*/scale/*", spec::ScaleDomain::zero_or_non_finite_invalid),
      reading<spec::Float8ZeroPointDequantize>("dequantize_linear/19/*/zp/*", spec::Float8ZeroPointDequantize::invalid),
      reading<spec::E8m0ScaleWithoutPrecision>("quantize_linear/24/*?e8m0-*/per_tensor/*",
                                               spec::E8m0ScaleWithoutPrecision::invalid),
      reading<spec::VectorsWithoutAxis>("com.microsoft/*", spec::VectorsWithoutAxis::axis_1),
      reading<spec::ScalarsWithAxis>("com.microsoft/*", spec::ScalarsWithAxis::per_tensor),
      reading<spec::OneElementWithAxis>("com.microsoft/*", spec::OneElementWithAxis::per_tensor),
      reading<spec::Int32ZeroPointOfMicrosoft>("com.microsoft/*", spec::Int32ZeroPointOfMicrosoft::invalid),
      reading<spec::TypesBeyondThePage>("com.microsoft/*", spec::TypesBeyondThePage::invalid),
      reading<spec::ZeroPointThatMustBe>("com.microsoft/*", spec::ZeroPointThatMustBe::required),
      reading<spec::Int4WithoutZeroPoint>("opmx/*", spec::Int4WithoutZeroPoint::twos_complement),
      reading<spec::Int4FloatZeroPoint>("opmx/*", spec::Int4FloatZeroPoint::twos_complement),
      reading<spec::Int4IntegerZeroPoint>("opmx/*", spec::Int4IntegerZeroPoint::twos_complement),
      reading<spec::BiasPrecision>("opmx/*", spec::BiasPrecision::in_scale_type),
      reading<spec::BiasPrecision>("opmx/*", spec::BiasPrecision::fused),
      reading<spec::BiasPrecision>("opmx/*", spec::BiasPrecision::promoted),
      reading<spec::MixedFloatZeroPoint>("opmx/*", spec::MixedFloatZeroPoint::rounded_to_scale_type),
      reading<spec::PerChannelShape>("opmx/*", spec::PerChannelShape::one_dimension_too),
      reading<spec::PerChannelOfAxis0>("opmx/*", spec::PerChannelOfAxis0::invalid),
      reading<spec::GivenQuantMethod>("opmx/*", spec::GivenQuantMethod::invalid),
      reading<spec::BooleanValues>("opmx/*", spec::BooleanValues::only_one_is_true),
      reading<spec::BooleanValues>("opmx/*", spec::BooleanValues::other_values_invalid),
      reading<spec::FloatTypedZeroPoint>("opmx/*", spec::FloatTypedZeroPoint::invalid),
      reading<spec::VariableParameters>("opmx/*", spec::VariableParameters::invalid),
  };
  return rows;
}

void PrintTo(const ReadingRow& row, std::ostream* out) { *out << row.ambiguity; }

class PermittedReadings : public testing::TestWithParam<ReadingRow> {};

TEST_P(PermittedReadings, PassAndAreNamed) {
  const ReadingRow& row = GetParam();
  const Defect defect{.policy = [&](const Node&) { return row.policy; }};
  Mutant backend(defect);
  const Filter where(row.where);
  std::size_t named = 0;
  for (const PlannedCase& planned : plan_generated_suite({})) {
    if (!where.takes(planned.id)) continue;
    const CaseRecord record = run_case(planned, backend);
    EXPECT_TRUE(is_permitted(record.verdict)) << record.id << ": " << record.reason;
    named +=
        static_cast<std::size_t>(std::count_if(record.readings.begin(), record.readings.end(),
                                               [&](const ReadingId& id) { return id.ambiguity == row.ambiguity; }));
  }
  EXPECT_GT(named, 0U) << "no case tells the reading from the primary one";
}

INSTANTIATE_TEST_SUITE_P(Conformance, PermittedReadings, testing::ValuesIn(permitted_readings()),
                         [](const testing::TestParamInfo<ReadingRow>& row) {
                           return with_underscores(fmt::format("{}_{}", row.param.ambiguity, row.index));
                         });

}  // namespace
}  // namespace touchstone::conformance
