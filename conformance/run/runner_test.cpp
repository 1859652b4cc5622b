#include "conformance/run/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <set>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/generate/form.h"
#include "conformance/generate/model_builder.h"
#include "conformance/judge/oracle.h"
#include "conformance/plan/number.h"
#include "conformance/report/matrix.h"
#include "conformance/report/summary.h"
#include "conformance/run/record_json.h"
#include "conformance/run/wrong_element.h"
#include "conformance/suites/suites.h"
#include "conformance/testing.h"
#include "reference/testing.h"

namespace touchstone::conformance::runner_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

PlannedCase planned(const std::string& id) {
  return {id, made_by({[id] { return per_axis_case(id); }})};
}

TEST(Runner, RecordsWhatACaseIs) {
  ReferenceBackend reference;
  const CaseRecord record = run_case(planned("a"), reference);
  EXPECT_EQ(record.verdict, Verdict::pass) << *record.reason;
  ASSERT_TRUE(record.subject);
  EXPECT_EQ(record.subject.version->since_version, 21);
  EXPECT_EQ(record.subject.quantized_type, spec::ElementType::uint8);
  ASSERT_EQ(record.cells.size(), 1U);
  EXPECT_EQ(to_string(record.cells[0]), "quantize_linear/21/f32-f32-u8/per_axis/zp");
  EXPECT_THAT(record.clauses, Contains("qdq-per-axis"));
  EXPECT_EQ(record.elements, 6);
  EXPECT_EQ(record.masked, 0);
}

TEST(Runner, DoesNotAskForOpsetsThatTheTablesDoNotHave) {
  const auto read = [] {
    Case made = per_axis_case("a");
    made.model = parse_model(operator_model("QuantizeLinear", {"x", "s", "z"}, 29).SerializeAsString(), "memory");
    return made;
  };
  ReferenceBackend reference;
  const CaseRecord record = run_case({"a", made_by({read})}, reference);
  EXPECT_EQ(record.answer_class(), AnswerClass::not_asked);
  const std::string reason = "unknown: opset 29 of ai.onnx is newer than the tables of this version, which end at 28";
  EXPECT_THAT(record.reason, HasSubstr(reason));
  EXPECT_EQ(record_from_json(to_json(record)), record);
  const Summary summary = summarize(1, {record});
  EXPECT_THAT(render_totals({}, summary, Color::never), HasSubstr("1 of 1 cases are not asked: " + reason));
  EXPECT_EQ(exit_code(summary), 5);
}

TEST(Runner, ShowsWrongElementsWithTheirParameters) {
  FakeBackend backend([] {
    Outputs outputs = per_axis_case().data_sets[0].expected;
    outputs[0].value.set_code(4, 99);
    return std::vector<Answer>{outputs};
  });
  const CaseRecord record = run_case(planned("a"), backend);
  EXPECT_EQ(record.verdict, Verdict::fail);
  ASSERT_EQ(record.wrong_elements.size(), 1U);
  const WrongElement& wrong = record.wrong_elements.front();
  EXPECT_EQ(wrong.index, 4);
  EXPECT_EQ(wrong.x->code, 0x40800000U);
  EXPECT_EQ(wrong.scale->code, 0x40000000U) << "of column 1";
  EXPECT_EQ(wrong.zero_point->code, 20U) << "of column 1";
  EXPECT_EQ(wrong.expected.code, 22U);
  EXPECT_EQ(wrong.actual.code, 99U);
  EXPECT_THAT(wrong.position, ElementsAre(1, 1));
  EXPECT_EQ(wrong.scale_index, 1);
  EXPECT_EQ(wrong.block, std::nullopt) << "there are no blocks";
  EXPECT_EQ(quotient(record, wrong), "2") << "4 / 2";
}

/// x = [[2, 4, 3, 1]] with a scale of 2 for the first block and of 3 for the second one: y = [[1, 2, 1, 0]].
TEST(Runner, ShowsTheBlocksOfWrongElements) {
  const reference::Node node =
      reference::quantize(21, reference::tensor(spec::ElementType::float32, {1, 4}, {2, 4, 3, 1}),
                          reference::tensor(spec::ElementType::float32, {1, 2}, {2, 3}),
                          reference::tensor(spec::ElementType::uint8, {1, 2}, {0, 0}), {{"block_size", 2}});
  Case tested;
  tested.id = "blocked";
  tested.model = build_model(node, plain_form(), spec::ElementType::uint8, {1, 4});
  tested.data_sets.push_back({graph_inputs(node, plain_form()), {}});
  FakeBackend backend([&] {
    return std::vector<Answer>{
        Outputs{{tested.model.graph_outputs.front(), tensor(spec::ElementType::uint8, {1, 4}, {1, 2, 1, 7})}}};
  });
  const CaseRecord record = run_case({"blocked", made_by({[&] { return tested; }})}, backend);
  ASSERT_EQ(record.wrong_elements.size(), 1U) << *record.reason;
  const WrongElement& wrong = record.wrong_elements.front();
  EXPECT_THAT(wrong.position, ElementsAre(0, 3));
  EXPECT_EQ(wrong.scale_index, 1);
  EXPECT_EQ(wrong.block, 1);
  EXPECT_EQ(quotient(record, wrong), "~0.3333333333333333") << "no double is 1 / 3";
}

/// Blocks of one element: the shapes do not determine the axis, which is the last one by attribute.
TEST(Runner, ShowsBlocksOfOneElement) {
  const reference::Node node = reference::quantize(
      21, reference::tensor(spec::ElementType::float32, {2, 3}, {1, 2, 3, 4, 5, 6}),
      reference::tensor(spec::ElementType::float32, {2, 3}, {1, 1, 1, 1, 1, 1}),
      reference::tensor(spec::ElementType::uint8, {2, 3}, {0, 0, 0, 0, 0, 0}), {{"block_size", 1}, {"axis", -1}});
  Case tested;
  tested.id = "blocks of one";
  tested.model = build_model(node, plain_form(), spec::ElementType::uint8, {2, 3});
  tested.data_sets.push_back({graph_inputs(node, plain_form()), {}});
  FakeBackend backend([&] {
    return std::vector<Answer>{
        Outputs{{tested.model.graph_outputs.front(), tensor(spec::ElementType::uint8, {2, 3}, {1, 2, 3, 4, 5, 9})}}};
  });
  const CaseRecord record = run_case({"blocks of one", made_by({[&] { return tested; }})}, backend);
  ASSERT_EQ(record.wrong_elements.size(), 1U) << *record.reason;
  EXPECT_THAT(record.wrong_elements.front().position, ElementsAre(1, 2));
  EXPECT_EQ(record.wrong_elements.front().block, 2);
}

/// opmx with a false has_zeropoint: a zero point without elements counts as absent.
TEST(Runner, ShowsNoZeroPointWithoutElements) {
  std::size_t seen = 0;
  for (const PlannedCase& row : plan_generated_suite({})) {
    if (!row.id->ends_with("/empty_zero_point")) continue;
    ++seen;
    const Case tested = row.read();
    FakeBackend backend([&] {
      const std::vector<ReferenceOutcome> interpreted = interpret(tested);
      std::vector<Answer> answers;
      for (const ReferenceOutcome& one : interpreted) {
        Outputs outputs{{tested.model.graph_outputs.front(), one.outcome.result()->y}};
        outputs[0].value.set_code(0, outputs[0].value.code(0) ^ 1);
        answers.emplace_back(std::move(outputs));
      }
      return answers;
    });
    const CaseRecord record = run_case(row, backend);
    EXPECT_EQ(record.verdict, Verdict::fail);
    ASSERT_FALSE(record.wrong_elements.empty());
    EXPECT_FALSE(record.wrong_elements.front().zero_point.has_value());
    ASSERT_FALSE(record.cells.empty());
    EXPECT_FALSE(record.cells[0].has_zero_point());
  }
  EXPECT_GT(seen, 0U);
}

TEST(Runner, RecordsOutputsOfAnotherTypeAsAJournalDoes) {
  Case made = per_axis_case();
  made.data_sets.push_back(made.data_sets.front());
  const NamedTensor right = made.data_sets.front().expected.front();
  const NamedTensor other{"y", reference::Tensor(spec::ElementType::int8, right.value.shape())};
  FakeBackend backend([&] { return std::vector<Answer>{Outputs{right}, Outputs{other}}; });
  const CaseRecord record = run_case({"per_axis", made_by({[&] { return made; }})}, backend);
  EXPECT_EQ(record.verdict, Verdict::fail);
  EXPECT_TRUE(record.wrong_elements.empty());
  EXPECT_EQ(record_from_json(to_json(record)), record);
}

TEST(Runner, DoesNotCoverACellWithoutSpecifiedElements) {
  Case tested = per_axis_case();
  tested.data_sets[0].expected.clear();
  for (std::int64_t i = 0; i < 6; ++i) tested.data_sets[0].inputs[0].value.set_code(i, 0x7fc00000);  // NaN
  ReferenceBackend reference;
  const CaseRecord record = run_case({"a", made_by({[&] { return tested; }})}, reference);
  EXPECT_EQ(record.masked, 6);
  EXPECT_TRUE(record.cells.empty());
}

TEST(Runner, HasNoCellForADisputedPrecision) {
  Case tested = per_axis_case();
  tested.model.node.opset = 23;
  tested.model.node.attributes["precision"] = static_cast<std::int64_t>(spec::ElementType::float64);
  ReferenceBackend reference;
  const CaseRecord record = run_case({"a", made_by({[&] { return tested; }})}, reference);
  EXPECT_EQ(record.verdict, Verdict::pass) << *record.reason;
  EXPECT_TRUE(record.cells.empty());
  EXPECT_EQ(record_from_json(to_json(record)), record);
}

TEST(Runner, ReportsUnreadableCasesAndThrowingBackendsAsHarnessErrors) {
  ReferenceBackend reference;
  const PlannedCase unreadable{"a", made_by({[]() -> Case { throw FileError("a/model.onnx", "not a model"); }})};
  EXPECT_EQ(run_case(unreadable, reference).verdict, Verdict::harness_error);
  EXPECT_EQ(run_case(unreadable, reference).reason, "a/model.onnx: not a model");
  FakeBackend throwing([]() -> UnitAnswer { throw std::runtime_error("out of luck"); });
  EXPECT_EQ(run_case(planned("b"), throwing).verdict, Verdict::harness_error);
  EXPECT_THAT(run_case(planned("b"), throwing).reason, HasSubstr("out of luck"));
}

TEST(Runner, NamesTheDomainThatLacksAnOperator) {
  struct Row {
    const char* domain;
    int opset;
    const char* reason;
    AnswerClass answer_class;
  };
  for (const Row& row : {Row{"com.microsoft", 2, "opset 2 of com.microsoft is newer than the tables of this version",
                             AnswerClass::not_asked},
                         Row{"opmx", 1, "opmx has no QuantizeLinear", AnswerClass::undecided}}) {
    onnx::ModelProto model = operator_model("QuantizeLinear", {"x", "s", "z"});
    model.mutable_graph()->mutable_node(0)->set_domain(row.domain);
    onnx::OperatorSetIdProto& import = *model.add_opset_import();
    import.set_domain(row.domain);
    import.set_version(row.opset);
    Case made = per_axis_case();
    made.model = parse_model(model.SerializeAsString(), "memory");
    ReferenceBackend reference;
    const CaseRecord record = run_case({"a", made_by({[&] { return made; }})}, reference);
    EXPECT_EQ(record.answer_class(), row.answer_class);
    EXPECT_THAT(record.reason, HasSubstr(row.reason));
    EXPECT_THAT(record.reason, HasSubstr("(onnx-opset-resolution)"));
  }
}

TEST(Runner, DoesNotAskABackendThatDeclines) {
  FakeBackend backend([]() -> UnitAnswer { throw std::logic_error("was asked"); });
  backend.declined = Refusal{"only constant scales"};
  const CaseRecord record = run_case(planned("a"), backend);
  EXPECT_EQ(record.verdict, Verdict::rejects_valid);
  EXPECT_EQ(record.reason, "only constant scales");
}

std::unique_ptr<Backend> make_reference() { return std::make_unique<ReferenceBackend>(); }

std::vector<PlannedCase> long_plan() {
  std::vector<PlannedCase> plan;
  for (std::size_t i = 0; i < 163; ++i) plan.push_back(planned(std::to_string(i)));
  return plan;
}

TEST(Runner, GivesTheRecordsInTheOrderOfThePlanForAnyNumberOfJobs) {
  const std::vector<PlannedCase> plan = long_plan();
  for (const unsigned jobs : {0U, 1U, 3U, 64U}) {
    std::vector<std::string> ids;
    run(plan, make_reference, {.judge = {}, .jobs = jobs}, [&](const CaseRecord& record) {
      ids.push_back(record.id);
      return true;
    });
    ASSERT_EQ(ids.size(), plan.size());
    for (std::size_t i = 0; i < plan.size(); ++i) EXPECT_EQ(ids[i], plan[i].id);
  }
}

/// While an object lives, threads cannot be created, because they ask for more memory than the address space has.
class NoThreads {
 public:
  NoThreads() {
    ::pthread_getattr_default_np(&before_);
    pthread_attr_t none = before_;
    ::pthread_attr_setstacksize(&none, std::size_t{1} << 50);
    ::pthread_setattr_default_np(&none);
  }
  ~NoThreads() { ::pthread_setattr_default_np(&before_); }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_;
};

TEST(Runner, WorksWithFewerThreadsThanJobs) {
  const NoThreads no_threads;
  ASSERT_THROW(std::jthread([] {}), std::system_error);
  const std::vector<PlannedCase> plan = long_plan();
  std::size_t passed = 0;
  run(plan, make_reference, {.judge = {}, .jobs = 4}, [&](const CaseRecord& record) {
    passed += record.verdict == Verdict::pass ? 1 : 0;
    return true;
  });
  EXPECT_EQ(passed, plan.size());
}

TEST(Runner, DescribesCasesInTheOrderOfThePlan) {
  std::vector<PlannedCase> plan = long_plan();
  plan[1].source = made_by({[]() -> Case { throw FileError("1/model.onnx", "not a model"); }});
  std::vector<CaseRecord> records;
  describe(plan, 3, [&](CaseRecord record) {
    records.push_back(std::move(record));
    return true;
  });
  ASSERT_EQ(records.size(), plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) EXPECT_EQ(records[i].id, plan[i].id);
  EXPECT_EQ(records[0].cells.size(), 1U);
  EXPECT_EQ(records[0].verdict, Verdict::not_run);
  EXPECT_EQ(records[1].verdict, Verdict::harness_error);
  EXPECT_EQ(records[1].reason, "1/model.onnx: not a model");
}

TEST(Runner, EndsWithTheRecordThatStopsIt) {
  std::size_t records = 0;
  run(long_plan(), make_reference, {.judge = {}, .jobs = 2}, [&](const CaseRecord&) { return ++records < 64; });
  EXPECT_EQ(records, 64U);
}

TEST(Runner, ChecksForAStopBetweenCases) {
  std::size_t asked = 0;
  std::size_t records = 0;
  run(long_plan(), make_reference, {.judge = {}, .jobs = 1, .stop = [&] { return ++asked > 1 + 2 * 5; }},
      [&](const CaseRecord&) { return ++records > 0; });
  EXPECT_EQ(records, 5U) << "before the backend starts, before each case, and before it would be looked at again";
}

/// A thousand workers can take longer to start than a run may last.
TEST(Runner, StartsNoBackendAfterAStopOrAFailure) {
  std::atomic<std::size_t> started = 0;
  std::atomic<bool> stop = false;
  const auto make = [&] {
    if (++started > 1) stop.wait(false);  // the second one takes longer than the first case
    return make_reference();
  };
  const auto end = [&](const CaseRecord&) {
    stop = true;
    stop.notify_all();
    return true;
  };
  run(long_plan(), make, {.judge = {}, .jobs = 64, .stop = [&] { return stop.load(); }}, end);
  EXPECT_LE(started, 2U);

  std::atomic<std::size_t> failed = 0;
  const auto no_backend = [&]() -> std::unique_ptr<Backend> { throw BackendError(std::to_string(++failed)); };
  EXPECT_THROW(run(long_plan(), no_backend, {.judge = {}, .jobs = 64}, [](const CaseRecord&) { return true; }),
               BackendError);
  EXPECT_EQ(failed, 1U);
}

/// Passes `cases` cases, and then throws BackendError.
std::unique_ptr<Backend> lost_after(int cases) {
  return std::make_unique<FakeBackend>([cases]() mutable -> UnitAnswer {
    if (cases-- == 0) throw BackendError("the device is lost");
    return std::vector<Answer>{per_axis_case().data_sets[0].expected};
  });
}

TEST(Runner, PassesOnCasesFinishedBeforeTheBackendIsLost) {
  std::vector<std::string> ids;
  const auto run_it = [&] {
    run(
        long_plan(), [] { return lost_after(5); }, {},
        [&](const CaseRecord& record) {
          ids.push_back(record.id);
          return true;
        });
  };
  EXPECT_THROW(run_it(), BackendError);
  EXPECT_EQ(ids, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
}

/// With few cases, too: each may take minutes.
TEST(Runner, GivesCasesToAllJobs) {
  std::latch all_are_at_one(3);
  const auto make = [&] {
    return std::make_unique<FakeBackend>([&]() -> UnitAnswer {
      all_are_at_one.count_down();
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      while (!all_are_at_one.try_wait() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
      if (!all_are_at_one.try_wait()) return Refusal{"alone"};
      return std::vector<Answer>{per_axis_case().data_sets[0].expected};
    });
  };
  std::size_t passed = 0;
  run(std::vector{planned("a"), planned("b"), planned("c")}, make, {.judge = {}, .jobs = 3},
      [&](const CaseRecord& record) { return passed += record.verdict == Verdict::pass, true; });
  EXPECT_EQ(passed, 3U);
}

TEST(Runner, PassesOnExceptions) {
  const auto full_disk = [](const CaseRecord&) -> bool { throw FileError("journal", "disk full"); };
  EXPECT_THROW(run(long_plan(), make_reference, {.judge = {}, .jobs = 2}, full_disk), FileError);
  const auto no_backend = []() -> std::unique_ptr<Backend> { throw std::runtime_error("no such device"); };
  EXPECT_THROW(run(long_plan(), no_backend, {.judge = {}, .jobs = 2}, [](const CaseRecord&) { return true; }),
               std::runtime_error);
}

TEST(ReferenceBackend, RefusesWithTheViolatedClause) {
  Case illegal = per_axis_case();
  illegal.data_sets[0].inputs[1].value = tensor(spec::ElementType::float32, {2}, {0x3f800000, 0x3f800000});
  ReferenceBackend reference;
  const Unit unit{illegal.id, illegal.model.bytes, {illegal.data_sets[0].inputs}};
  const auto answers = std::get<std::vector<Answer>>(reference.run(unit));
  EXPECT_THAT(std::get<Refusal>(answers.at(0)).reason, HasSubstr("qdq-same-shape"));
  EXPECT_TRUE(std::holds_alternative<Refusal>(reference.run({"x", "not a model", {}})));
}

// The test data from ONNX's authors.
TEST(Reference, PassesTheNodeTestsOfTenReleases) {
  const auto data = default_onnx_tests();
  ASSERT_TRUE(std::filesystem::is_directory(data)) << data << " is missing: run tools/setup";
  ReferenceBackend reference;
  std::vector<CaseRecord> records;
  for (const PlannedCase& test : plan_onnx_suite({data})) records.push_back(run_case(test, reference));
  EXPECT_EQ(records.size(), 145U);
  std::set<std::pair<spec::Operator, int>> versions;
  for (const CaseRecord& record : records) {
    EXPECT_EQ(record.verdict, Verdict::pass) << *record.id << ": " << *record.reason;
    if (record.subject) versions.emplace(record.subject.version->op, record.subject.version->since_version);
  }
  EXPECT_EQ(versions.size(), 16U) << "every version of both operators of ai.onnx";
  EXPECT_EQ(summarize(records.size(), records).covered_cells, 137U);
}

}  // namespace
}  // namespace touchstone::conformance::runner_test
