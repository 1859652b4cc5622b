// Backends that lack a feature get no credit for their refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/effort_testing.h"
#include "conformance/mutant_testing.h"
#include "conformance/report/summary.h"
#include "conformance/run/controls.h"

namespace touchstone::conformance::missing_features_test {
namespace {

using reference::Node;

/// A missing feature that both the cases and their controls need.
struct LackRow {
  const char* name;
  std::function<bool(const Node&)> is_lacking;
  const char* where;  ///< the ids of those cases
};

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
      {"negative axes",
       [](const Node& node) {
         const std::int64_t axis = number_of(node, "axis");
         return axis < 0 && axis >= -node.inputs[0]->rank();
       },
       "quantize_linear/*/shape/*axis-*:dequantize_linear/*/shape/*axis-*"},
      {"explicit defaults",
       [](const Node& node) {
         const auto is_0 = [&](const char* name) {
           return node.attributes.contains(name) && number_of(node, name) == 0;
         };
         return is_0("block_size") || is_0("output_dtype");
       },
       "quantize_linear/21/*-u8/*/shape/*:quantize_linear/25/*-u8/*/shape/*:dequantize_linear/25/u8-*/shape/*"},
      {"int4", [](const Node& node) { return is_of_type(node, spec::ElementType::int4); },
       "quantize_linear/*?i4/*/zp*:dequantize_linear/*/i4-*"},
      {"float8", [](const Node& node) { return is_of_type(node, spec::ElementType::float8e4m3fn); },
       "quantize_linear/*?e4m3fn/*/zp*:dequantize_linear/*/e4m3fn-*"},
      {"float16", [](const Node& node) { return is_of_type(node, spec::ElementType::float16); },
       "quantize_linear/19/f16-f16-*:quantize_linear/21/f16-f16-*:quantize_linear/25/f16-f16-*:"
       "dequantize_linear/19/*-f16-*:dequantize_linear/21/*-f16-*:dequantize_linear/25/*-f16-*:-*/precision=*"},
  };
  return rows;
}

void PrintTo(const LackRow& row, std::ostream* out) { *out << row.name; }

/// Correct except for what it lacks.
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

std::vector<CaseRecord> records_of(const std::function<bool(const Node&)>& is_lacking,
                                   const std::vector<PlannedCase>& plan) {
  std::vector<CaseRecord> records;
  const auto make = [&] { return std::make_unique<Lacking>(is_lacking); };
  run(plan, make, {.judge = {}, .jobs = 2}, [&](CaseRecord record) {
    records.push_back(std::move(record));
    return true;
  });
  return records;
}

class Lacks : public testing::TestWithParam<LackRow> {};

TEST_P(Lacks, GiveNoCreditForRefusals) {
  const LackRow& row = GetParam();
  std::vector<PlannedCase> plan = cases_of(row.where);
  // A sample of the cases that no permitted reading rejects suffices; by day, also of the others.
  const auto is_ordinary = [](const std::string& id) {
    const auto has = [&](const char* part) { return id.find(part) != std::string::npos; };
    return !has("/scale/") && !has("/shape/") && !has("_zero_point") && !has("/must_reject/");
  };
  std::size_t ordinary = 0, others = 0;
  std::erase_if(plan, [&](const PlannedCase& planned) {
    return is_ordinary(planned.id) ? ordinary++ % 29 != 0 : !is_tried(others++, 5);
  });
  const bool is_everything = row.where == std::string_view("*");
  std::size_t refused = 0;
  std::size_t not_shown = 0;
  const std::vector<CaseRecord> records = records_of(row.is_lacking, plan);
  ASSERT_EQ(records.size(), plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const Case tested = plan[i].read();
    if (!row.is_lacking(bind_inputs(tested.model, tested.data_sets.front().inputs))) continue;
    const CaseRecord& record = records[i];
    ++refused;
    // The backend may lack the very feature that makes the model illegal; then its refusal is correct.
    if (record.verdict == Verdict::not_shown) {
      ++not_shown;
      EXPECT_TRUE(record.must_reject()) << *record.id;
    } else if (!record.must_reject() || is_everything) {
      EXPECT_EQ(record.verdict, Verdict::rejects_valid) << *record.id << ": " << *record.reason;
    }
  }
  EXPECT_GT(refused, 20U);
  const Summary summary = summarize(records.size(), records);
  const bool is_right = summary.all.legal[AnswerClass::right] + summary.all.illegal[AnswerClass::rejected] > 0;
  EXPECT_EQ(exit_code(summary), is_right ? 1 : 5);
  if (!is_everything) return;
  EXPECT_FALSE(is_right);
  EXPECT_GT(not_shown, is_nightly() ? 2000U : 400U);
  EXPECT_EQ(summary.all.legal[AnswerClass::refused], summary.all.legal.total());
  EXPECT_EQ(summary.all.illegal[AnswerClass::undecided], summary.all.illegal.total());
}

INSTANTIATE_TEST_SUITE_P(Conformance, Lacks, testing::ValuesIn(lacks()),
                         [](const testing::TestParamInfo<LackRow>& row) { return with_underscores(row.param.name); });

TEST(LackOfEverything, GivesNoCreditForGraphs) {
  const std::function<bool(const Node&)> is_lacking = [](const Node&) { return true; };
  const std::vector<PlannedCase> plan = plan_graphs_suite({.tier = Tier::smoke});
  const std::vector<CaseRecord> records = records_of(is_lacking, plan);
  const Summary summary = summarize(records.size(), records);
  EXPECT_GT(summary.all.legal.total(), 1000U);
  EXPECT_EQ(summary.all.legal[AnswerClass::refused], summary.all.legal.total());
  EXPECT_GT(summary.all.illegal.total(), 20U);
  EXPECT_EQ(summary.all.illegal[AnswerClass::undecided], summary.all.illegal.total());
  EXPECT_EQ(exit_code(summary), 5);
}

/// Permitted readings reject the shapes of some of ONNX's own tests.
TEST(LackOfEverything, GivesNoCreditForOnnxTests) {
  const std::filesystem::path data = default_onnx_tests();
  ASSERT_TRUE(std::filesystem::is_directory(data)) << data << " is missing: run tools/setup";
  const std::function<bool(const Node&)> is_lacking = [](const Node&) { return true; };
  Lacking backend(is_lacking);
  std::size_t refused = 0;
  for (const PlannedCase& planned : plan_onnx_suite({data})) {
    const CaseRecord record = run_case(planned, backend);
    EXPECT_EQ(record.verdict, Verdict::rejects_valid) << *record.id << ": " << *record.reason;
    ++refused;
  }
  EXPECT_EQ(refused, 145U);
}

/// Like a run of the smoke tier.
TEST(LackOfBlocks, IsDetectedByTheSmokeTier) {
  const std::function<bool(const Node&)> has_blocks = [](const Node& node) {
    return number_of(node, "block_size") != 0;
  };
  const std::vector<PlannedCase> plan = plan_generated_suite({.tier = Tier::smoke});
  const std::vector<CaseRecord> records = records_of(has_blocks, plan);
  EXPECT_EQ(exit_code(summarize(records.size(), records)), 1);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const CaseRecord& record = records[i];
    if (record.cells.empty() || record.cells.front().granularity != spec::Granularity::blocked) continue;
    // The groups of opmx are blocks without that attribute.
    const bool has_attribute =
        record.subject.version->attribute(spec::AttributeMeaning::block_size)->name == "block_size";
    EXPECT_EQ(record.verdict, has_attribute ? Verdict::rejects_valid : Verdict::pass) << *record.id;
  }
}

}  // namespace
}  // namespace touchstone::conformance::missing_features_test
