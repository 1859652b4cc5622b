#include "conformance/run/journal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>
#include <sstream>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/files/file_io.h"
#include "conformance/judge/digests.h"
#include "conformance/judge/oracle.h"
#include "conformance/run/journal_testing.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"

namespace touchstone::conformance::journal_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

RunInfo info() {
  RunInfo run;
  run.tool_version = "0.1.0";
  run.backend = {"fake", "1", "answers \"as told\""};
  run.suites = {"onnx", "generated"};
  run.tier = "standard";
  run.seed = 0xffffffffffffffff;
  run.filter = "*";
  run.plan_hash = std::string(64, 'a');
  run.cases = 3;
  run.sign_of_zero = true;
  run.host = "somewhere";
  run.backend_option = "fake --fast";
  run.data = "/some/tests";
  run.follow_symlinks = true;
  run.declared = {.element_types = {1, -7}, .opsets = {{"a,\n", 3, -2}}, .static_shapes_only = true};
  run.assumed = {.opsets = {{"ai.onnx", 10, 21}}, .constant_scales_only = true};
  run.lower_levels = {"ort", "ort:basic"};
  run.expectations = std::string(64, 'b');
  run.changed_limits = {{"rank", 8}};
  run.worker = {.cpu = "haswell",
                .timeout = 0.5,
                .memory_limit = 0xffffffffffffffff,
                .python = "python 3",
                .passed_variables = {"A_TOKEN", "B"},
                .in_sandbox = true,
                .without_sandbox = true,
                .shows_ids = true};
  return run;
}

CaseRecord record(const std::string& id) {
  const auto* version = spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, 22);
  CaseRecord made;
  made.id = id;
  made.verdict = Verdict::fail;
  made.reason = "1 of 6 elements differ\nand \"more\"";
  made.subject = {version, 22, spec::ElementType::int4};
  made.form = "initializers";
  made.cells = {legal_cells(*version).front(), legal_cells(*version).back()};
  made.clauses = {"ql-formula", "qdq-per-axis"};
  made.hypotheses = {"rounds-half-up", "rounds-half-up+ignores-zero-point",
                     "rounds-half-up+ignores-zero-point+ignores-axis"};
  made.elements = 6;
  made.masked = 1;
  made.digest = {{0xfe, 0xdc, 0xba}};
  made.time = {12};
  made.output_digest = 7;
  made.flaky = "pass when it was run again";
  made.output = "a warning\n\x01\n";
  made.data_set = 1;
  made.wrong_elements = {{.index = 4,
                          .x = ElementCode{spec::ElementType::float32, 0x7fc00001},
                          .scale = ElementCode{spec::ElementType::float16, 0x8000},
                          .zero_point = std::nullopt,
                          .expected = {spec::ElementType::int4, 0xf},
                          .actual = {spec::ElementType::int4, 0x8},
                          .position = {0, 4},
                          .scale_index = 3,
                          .block = 1}};
  return made;
}

CaseRecord rejection(const std::string& id) {
  CaseRecord made;
  made.id = id;
  made.verdict = Verdict::accepts_invalid;
  made.violated = spec::find_clause("qdq-axis-range");
  made.digest = {{0xba}};
  made.output_digest = 8;
  return made;
}

CaseRecord variant(const std::string& id) {
  CaseRecord made;
  made.id = id;
  made.verdict = Verdict::pass_variant;
  made.reason = "amb-nan-to-integer: maximum";
  made.readings = {{"amb-nan-to-integer", "maximum"}};
  made.digest = {{0xdc}};
  made.output_digest = 9;
  return made;
}

CaseRecord declined(const std::string& id) {
  CaseRecord made;
  made.id = id;
  made.verdict = Verdict::rejects_valid;
  made.reason = "no int4";
  made.declined = true;
  made.digest = {{0xab}};
  return made;
}

std::string bytes_of(const std::filesystem::path& path) { return read_bounded_file(path, 1'000'000); }

class Journals : public testing::Test {
 protected:
  Journals() {
    JournalWriter writer = JournalWriter::begin(path_, info());
    writer.write(std::vector{record("a"), rejection("b")});
  }

  TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_.path() / journal_name;
};

TEST_F(Journals, ReadBackWhatWasWritten) {
  const Journal journal = read_journal(path_);
  EXPECT_EQ(journal.run, info());
  EXPECT_EQ(journal.records, (std::vector{record("a"), rejection("b")}));
  EXPECT_EQ(journal.whole.bytes, std::filesystem::file_size(path_));
}

TEST_F(Journals, ReadBackWhatIsNotInEveryRecord) {
  JournalWriter::begin(path_, info()).write(std::vector{variant("a"), declined("b")});
  EXPECT_EQ(read_journal(path_).records, (std::vector{variant("a"), declined("b")}));
  std::string lines = lines_of_journal(path_);
  const std::string ambiguity = R"("ambiguity":"amb-nan-to-integer")";
  lines.replace(lines.find(ambiguity), ambiguity.size(), R"("ambiguity":"amb-nothing")");
  write_file(path_, compressed(with_checksums(lines)));
  EXPECT_THAT(failure_of([&] { read_journal(path_); }),
              HasSubstr("line 2: ambiguity: no such ambiguity as \"amb-nothing\""));
}

/// Somebody who edits a verdict and computes the checksums again must also edit everything that contradicts it.
TEST_F(Journals, RefuseRecordsThatContradictThemselves) {
  const auto failure = [&](const CaseRecord& written, const std::function<void(CaseRecord&)>& edit,
                           bool strict = false) {
    RunInfo run = info();
    run.strict = strict;
    CaseRecord edited = written;
    edit(edited);
    JournalWriter::begin(path_, run).write({&edited, 1});
    return failure_of([&] { read_journal(path_); });
  };
  CaseRecord failed = record("a");
  failed.reason = "1 of 6 elements differ";
  const auto passes = [](CaseRecord& edited) { edited.verdict = Verdict::pass; };
  EXPECT_THAT(failure(failed, passes), HasSubstr("line 2: reason: no pass has this member"));
  failed.reason = "data set 0: 1 of 6 elements differ only in the sign of zero";
  EXPECT_THAT(failure(failed, passes), HasSubstr("wrong_elements: no pass has this member"));
  failed.wrong_elements = {};
  EXPECT_THAT(failure(failed, passes), HasSubstr("hypotheses: no pass has this member"));
  failed.hypotheses = {};
  EXPECT_THAT(failure(failed, passes), HasSubstr("flaky: no pass has this member"));
  failed.flaky = "";
  EXPECT_THAT(failure(failed, passes), HasSubstr("output: no pass has this member"));
  failed.output = "";
  failed.masked = 0;
  passes(failed);
  JournalWriter::begin(path_, info()).write({&failed, 1});
  EXPECT_NO_THROW(read_journal(path_)) << "nothing contradicts it any more";
  EXPECT_THAT(failure(failed, [](CaseRecord& edited) { edited.masked = edited.elements; }),
              HasSubstr("masked: is the number of all elements, so that no answer is a pass"));
  EXPECT_THAT(failure(variant("a"), [](CaseRecord& edited) { edited.verdict = Verdict::fail; }),
              HasSubstr("readings: no fail has this member"));
  EXPECT_THAT(failure(variant("a"), [](CaseRecord& edited) { edited.readings = {}; }), HasSubstr("readings: missing"));
  EXPECT_THAT(failure(
                  variant("a"), [](CaseRecord&) {}, /*strict=*/true),
              HasSubstr("readings: no other readings are permitted with --strict"));
  EXPECT_THAT(failure(variant("a"), [](CaseRecord& edited) { edited.digest = {}; }),
              HasSubstr("output_digest: no pass_variant has this member"));
  EXPECT_THAT(failure(variant("a"),
                      [](CaseRecord& edited) {
                        edited.digest = {};
                        edited.output_digest = 0;
                      }),
              HasSubstr("digest: a case that was not read cannot have the verdict pass_variant"));
  EXPECT_THAT(failure(declined("a"), [](CaseRecord& edited) { edited.output_digest = 1; }),
              HasSubstr("declined: no rejects_valid has this member"));
  EXPECT_THAT(failure(rejection("a"),
                      [](CaseRecord& edited) {
                        edited.violated = nullptr;
                        edited.form = "inputs";
                      }),
              HasSubstr("violated: missing"));
  EXPECT_THAT(failure(rejection("a"), [](CaseRecord& edited) { edited.hypotheses = {"rounds-half-up"}; }),
              HasSubstr("hypotheses: no accepts_invalid has this member"));
  const auto with_element = [](const std::function<void(WrongElement&)>& edit) {
    return [edit](CaseRecord& edited) {
      WrongElement wrong = edited.wrong_elements.front();
      edit(wrong);
      edited.wrong_elements = {wrong};
    };
  };
  EXPECT_THAT(failure(record("a"), with_element([](WrongElement& wrong) { wrong.actual = wrong.expected; })),
              HasSubstr("wrong_elements: element 4 is as expected"));
  EXPECT_THAT(failure(record("a"), with_element([](WrongElement& wrong) { wrong.index = 6; })),
              HasSubstr("wrong_elements: element 6 is beyond the 6 of the case"));
  for (const auto& edit : std::vector<std::function<void(WrongElement&)>>{
           [](WrongElement& wrong) {
             wrong.position = {0, 5};
           },
           [](WrongElement& wrong) { wrong.scale_index = 5; }, [](WrongElement& wrong) { wrong.block = 5; }})
    EXPECT_THAT(failure(record("a"), with_element(edit)),
                HasSubstr("element 4 has a position, a scale or a block beyond it"));
}

/// Those of a run in which nothing was found.
const Findings nothing{.inconsistencies = std::vector<Inconsistency>()};

TEST_F(Journals, AreNotFinishedWithoutTheirLastLine) {
  const auto write = [&](bool searches) {
    JournalWriter writer = JournalWriter::begin(path_, info());
    writer.write(std::vector{record("a"), rejection("b"), record("c")});
    EXPECT_FALSE(read_journal(path_).is_finished);
    EXPECT_EQ(journal_state(path_), JournalState::unfinished);
    writer.finish(searches ? nothing : Findings());
  };
  for (const bool searches : {false, true}) {
    write(searches);
    EXPECT_TRUE(read_journal(path_).is_finished);
    EXPECT_EQ(read_journal(path_).inconsistencies.has_value(), searches);
    EXPECT_EQ(journal_state(path_), JournalState::finished);
  }
  std::string lines = lines_of_journal(path_);
  lines.erase(lines.find(R"({"id":"c")"), lines.find(R"({"finished":)") - lines.find(R"({"id":"c")"));
  write_file(path_, compressed(with_checksums(lines)));
  EXPECT_THAT(failure_of([&] { read_journal(path_); }),
              HasSubstr("line 4: finished: is 3, but 2 cases come before it"));
}

TEST_F(Journals, SayWhyARunEndedEarly) {
  JournalWriter writer = JournalWriter::begin(path_, info());
  writer.write(std::vector{record("a")});
  writer.finish({.stopped = "interrupted"});
  EXPECT_EQ(read_journal(path_).stopped, "interrupted");
}

/// The times are protected like the rest, but equal runs have equal sums, which reports show.
TEST_F(Journals, HaveTimesThatAreNoPartOfTheResults) {
  const auto write = [&](const std::string& started, std::int64_t microseconds, const std::string& finished) {
    CaseRecord one = record("a");
    one.time = {microseconds};
    JournalWriter writer = JournalWriter::begin(path_, info(), started);
    writer.write({&one, 1});
    const std::string sum = writer.sum();
    writer.finish(nothing, finished);
    return sum;
  };
  const std::string sum = write("2026-11-24T18:25:46Z", 1'250'000, "2026-11-24T18:27:00Z");
  const Journal read = read_journal(path_);
  EXPECT_EQ(read.sum, sum);
  EXPECT_EQ(read.times.started, "2026-11-24T18:25:46Z");
  EXPECT_EQ(read.times.finished, "2026-11-24T18:27:00Z");
  EXPECT_EQ(read.times.seconds(), 74);
  EXPECT_EQ(read.records.front().time.microseconds, 1'250'000);
  EXPECT_EQ(write("2025-01-01T00:00:00Z", 7, "2025-01-01T00:00:00Z"), sum);
  const std::string whole = lines_of_journal(path_);
  EXPECT_THAT(whole, HasSubstr(R"(,"time":7e-06,"checksum":)"));
  const auto failure_with = [&](const std::string& was, const std::string& is, bool has_checksums) {
    std::string changed = whole;
    changed.replace(changed.find(was), was.size(), is);
    write_file(path_, compressed(has_checksums ? with_checksums(changed) : changed));
    return failure_of([&] { read_journal(path_); });
  };
  EXPECT_THAT(failure_with("2025", "2026", false), AllOf(HasSubstr("line 1"), HasSubstr("this line was changed")));
  EXPECT_THAT(failure_with("7e-06", "8e-06", false), AllOf(HasSubstr("line 2"), HasSubstr("this line was changed")));
  EXPECT_THAT(failure_with("7e-06", "-1", true), HasSubstr("line 2: time: is not a number of seconds"));
  EXPECT_THAT(failure_with("7e-06", "1e99", true), HasSubstr("line 2: time: is not a number of seconds"));
  EXPECT_THAT(failure_with(R"(,"time":7e-06)", "", true), HasSubstr("line 2: time: is not a number of seconds"));
  for (const char* other : {"2025-13-01T00:00:00Z", "2025-01-01 00:00:00Z", "2025-01-01T00:00:00+01:00", ""})
    EXPECT_THAT(failure_with("2025-01-01T00:00:00Z", other, true), HasSubstr("line 1: time: is not a time in UTC"));
}

/// Between cases a and b.
Inconsistency inconsistency() {
  const auto* version = spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, 23);
  return {spec::SameFloatDivision::row.id,
          {version, spec::ElementType::float16, spec::ElementType::float16, spec::ElementType::int4,
           spec::ElementType::int4, spec::ElementType::float32, "inputs"},
          {{{{"in-float32"}, 2, "a"}, {{"in-scale-type"}, 1, "b"}}}};
}

TEST_F(Journals, ReadBackInconsistencies) {
  EXPECT_FALSE(read_journal(path_).inconsistencies) << "the run is not at its end";
  const std::uintmax_t unfinished = std::filesystem::file_size(path_);
  Inconsistency plain = inconsistency();
  plain.group.precision.reset();
  plain.group.form.clear();
  const std::vector<Contradictions> contradictions{{.hypothesis = "rounds-half-up", .checked = 5, .cases = {"b", "a"}}};
  for (const std::vector<Inconsistency>& rows : {{}, std::vector{inconsistency(), plain}}) {
    const Journal before = read_journal(path_);
    JournalWriter::resume(path_, before).finish({.inconsistencies = rows, .contradictions = contradictions});
    const Journal journal = read_journal(path_);
    EXPECT_TRUE(journal.inconsistencies == rows);
    EXPECT_TRUE(journal.contradictions == contradictions);
    EXPECT_EQ(journal.records, before.records);
    EXPECT_EQ(journal.whole.bytes, unfinished) << "a run that goes on replaces the line";
  }
  JournalWriter::resume(path_, read_journal(path_)).write(std::vector{record("c")});
  EXPECT_FALSE(read_journal(path_).inconsistencies);
  EXPECT_EQ(read_journal(path_).records.size(), 3U);
}

std::vector<FingerprintRow> fingerprint() {
  return {
      {spec::SameFloatDivision::row.id, Following::one_reading, {}, {{{}, {"in-float32"}, 2, "a"}}},
      {spec::ScaleDomain::row.id, Following::not_determined, {}, {{{}, {spec::ScaleDomain::readings[0].id}, 0, ""}}},
      {spec::SameFloatDivisionBefore23::row.id,
       Following::several,
       "x",
       {{{"float16"}, {"in-float32", "exact-quotient"}, 2, "a"}, {{"bfloat16", "a \""}, {"in-input-type"}, 1, "b"}}}};
}

TEST_F(Journals, ReadBackTheFingerprint) {
  EXPECT_FALSE(read_journal(path_).fingerprint);
  for (const std::vector<FingerprintRow>& rows : {{}, fingerprint()}) {
    JournalWriter::resume(path_, read_journal(path_)).finish({.fingerprint = rows});
    EXPECT_TRUE(read_journal(path_).fingerprint == rows);
  }
  JournalWriter::resume(path_, read_journal(path_)).finish(nothing);
  EXPECT_TRUE(read_journal(path_).inconsistencies);
  EXPECT_FALSE(read_journal(path_).fingerprint) << "as in a journal of a version that looked for none";
}

TEST_F(Journals, DescribeErrorsInAFingerprint) {
  JournalWriter::resume(path_, read_journal(path_)).finish({.fingerprint = fingerprint()});
  const std::string whole = lines_of_journal(path_);
  const auto failure = [&](const std::string& was, const std::string& is) {
    std::string changed = whole;
    changed.replace(changed.rfind(was), was.size(), is);
    write_file(path_, compressed(with_checksums(changed)));
    return failure_of([&] { read_journal(path_); });
  };
  EXPECT_THAT(failure(R"("case":"b")", R"("case":"c")"),
              AllOf(HasSubstr("line 4"), HasSubstr("no such case as \"c\"")));
  EXPECT_THAT(failure(R"(["in-float32"])", R"(["in-no-type"])"), HasSubstr("reading of this ambiguity"));
  EXPECT_THAT(failure(R"(["in-float32"])", "[]"), HasSubstr("readings: is empty"));
  EXPECT_THAT(failure("\"differs\"", "\"none\""), HasSubstr("result: no such kind of result as \"none\""));
  EXPECT_THAT(failure(R"("property":"x")", R"("property":"y")"), HasSubstr("no such property as \"y\""));
  EXPECT_THAT(failure(R"("values":["float16"])", R"("values":[16])"), HasSubstr("values: has another type"));
  EXPECT_THAT(failure(R"("cases":1,)", R"("cases":-1,)"), HasSubstr("cases: -1 is out of range"));
  EXPECT_THAT(failure(R"([{"readings":["in-float32"],"cases":2,"case":"a"}])", "[]"), HasSubstr("parts: is empty"));
}

TEST_F(Journals, DoNotCountInconsistenciesAsCases) {
  JournalWriter::resume(path_, read_journal(path_)).finish({.inconsistencies = {{inconsistency()}}});
  EXPECT_EQ(journal_state(path_), JournalState::unfinished) << "2 of 3 cases";
}

TEST_F(Journals, DescribeErrorsInInconsistencies) {
  JournalWriter::resume(path_, read_journal(path_)).finish({.inconsistencies = {{inconsistency()}}});
  const std::string whole = lines_of_journal(path_);
  const auto failure = [&](const std::string& was, const std::string& is) {
    std::string changed = whole;
    changed.replace(changed.rfind(was), was.size(), is);
    write_file(path_, compressed(with_checksums(changed)));
    return failure_of([&] { read_journal(path_); });
  };
  EXPECT_THAT(failure(R"("case":"b")", R"("case":"c")"),
              AllOf(HasSubstr("line 4"), HasSubstr("no such case as \"c\"")));
  EXPECT_THAT(failure("in-scale-type", "in-no-type"), HasSubstr("reading of this ambiguity as \"in-no-type\""));
  EXPECT_THAT(failure("amb-same-float-division", "amb-nothing"), HasSubstr("no such ambiguity as \"amb-nothing\""));
  EXPECT_THAT(failure(R"("version":23)", R"("version":22)"), HasSubstr("has no version 22"));
  EXPECT_THAT(failure(R"("y":"int4")", R"("y":"int5")"), HasSubstr("no such element type as \"int5\""));
  EXPECT_THAT(failure(R"("evidence":[)", R"("evidence":[{},)"), HasSubstr("evidence: has 3 elements, not 2"));
  EXPECT_THAT(failure(":[{\"ambiguity\"", ":[7,{\"ambiguity\""), HasSubstr("not an object"));
  write_file(path_, compressed(with_checksums(whole + whole.substr(whole.find('\n') + 1))));
  EXPECT_THAT(failure_of([&] { read_journal(path_); }), AllOf(HasSubstr("line 5"), HasSubstr("must be the last one")));
}

TEST_F(Journals, AreReadableWhereverTheyWereCutOff) {
  const std::string lines = lines_of_journal(path_);
  const std::string whole = bytes_of(path_);
  const std::size_t first_line = end_of_line(path_, 1), second_line = end_of_line(path_, 2);
  for (std::size_t length = first_line; length < whole.size(); ++length) {
    write_file(path_, whole.substr(0, length));
    const Journal journal = read_journal(path_);
    EXPECT_EQ(journal.records.size(), length < second_line ? 0U : 1U) << length;
    JournalWriter writer = JournalWriter::resume(path_, journal);
    writer.write(length < second_line ? std::vector{record("a"), rejection("b")} : std::vector{rejection("b")});
    ASSERT_EQ(without_times(lines_of_journal(path_)), without_times(lines))
        << "as if it had not been interrupted, cut off at " << length;
  }
}

TEST_F(Journals, WriteTheSameClausesOnce) {
  const std::vector<CaseRecord> records{record("a"), rejection("b"), record("c")};
  JournalWriter::begin(path_, info()).write(records);
  const std::string whole = lines_of_journal(path_);
  EXPECT_EQ(whole.find("ql-formula"), whole.rfind("ql-formula"));
  EXPECT_THAT(whole.substr(whole.find(R"("id":"c")")), HasSubstr(R"("clauses":2,)")) << "a is in the second line";
  EXPECT_EQ(read_journal(path_).records, records);
  const std::string bytes = bytes_of(path_);
  for (std::size_t length = end_of_line(path_, 1); length < bytes.size(); ++length) {
    write_file(path_, bytes.substr(0, length));
    const Journal journal = read_journal(path_);
    JournalWriter::resume(path_, journal).write(std::span(records).subspan(journal.records.size()));
    ASSERT_EQ(lines_of_journal(path_), whole) << "cut off at " << length;
  }
}

TEST_F(Journals, DescribeTheirErrors) {
  const std::string whole = lines_of_journal(path_);
  struct Row {
    std::string content;
    const char* message;
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    return text.replace(text.find(from), from.size(), to);
  };
  const auto with_experiment = [&](const std::string& members) {
    return whole + R"({"finished":2,"experiments":[{"case":"a","number":0,"change":"values",)" + members +
           R"(}],"time":"2026-11-24T18:25:46Z"})" + "\n";
  };
  const std::string nested = std::string(100'000, '[') + std::string(100'000, ']');
  const Row rows[] = {
      {"", "is empty"},
      {whole.substr(0, 20), "the file ends within its first line"},
      {"{\"lines\":3}\n", "line 1: is not the first line of a journal"},
      {replaced("\"journal\":6", "\"journal\":\"3\""), "line 1: is not the first line of a journal"},
      {replaced("\"journal\":6", "\"journal\":5"), "line 1: is of a journal of format 5, which another version"},
      {replaced("\"journal\":6", "\"journal\":7"), "this one reads format 6: run the cases again"},
      {replaced("\"id\":\"a\",", ""), "line 2: id: missing"},
      {replaced("\"elements\":6", "\"elements\":\"6\""), "line 2: elements: has another type"},
      {replaced("\"elements\":6", "\"elements\":6.5"), "line 2: elements: has another type"},
      {replaced("\"elements\":6", "\"elements\":-5"), "line 2: elements: -5 is not a count"},
      {replaced("\"elements\":6", "\"elements\":9223372036854775808"), "line 2: elements: 9223372036854775808 is out"},
      {replaced("\"masked\":1", "\"masked\":7"), "line 2: masked: 7 of 6 elements"},
      {replaced("\"masked\":1", "\"masked\":-1"), "line 2: masked: -1 is not a count"},
      {replaced("\"index\":4", "\"index\":-4"), "line 2: index: -4 is not a count"},
      {replaced("\"data_set\":1", "\"data_set\":-1"), "line 2: data_set: -1 is out of range"},
      {replaced("\"opset\":22", "\"opset\":4294967318"), "line 2: opset: 4294967318 is out of range"},
      {replaced("\"opset\":22", "\"opset\":10"), "line 2: opset: QuantizeLinear has another version"},
      {replaced("\"cases\":3", "\"cases\":-3"), "line 1: cases: -3 is out of range"},
      {replaced("\"seed\":18446744073709551615", "\"seed\":-1"), "line 1: seed: -1 is out of range"},
      {replaced("\"0xf\"", "\"0x1f\""), "line 2: code: 0x1f has more than the 4 bits of int4"},
      {replaced("\"0xf\"", "\"-0xf\""), "line 2: code: is not a hexadecimal number"},
      {replaced("\"form\"", "\"colour\""), "line 2: colour: unknown"},
      {replaced("\"code\"", "\"bits\""), "line 2: code: missing"},
      {replaced("\"index\":4", "\"index\":4,\"bits\":4"), "line 2: bits: unknown"},
      {replaced("\"tier\"", "\"more\":1,\"tier\""), "line 1: more: unknown"},
      {replaced("\"rank\":8", "\"ranks\":8"), "line 1: limits: no such limit as \"ranks\""},
      {replaced("\"rank\":8", "\"rank\":0"), "line 1: limits: rank=0 is out of range"},
      {replaced("\"digest\":\"fedc", "\"digest\":\"FEDC"), "line 2: digest: is not a SHA-256"},
      {replaced("\"elements\":6", R"("elements":6,"\u0065lements":6)"), "line 2: \"elements\" occurs twice"},
      {replaced("\"masked\":1", "\"masked\":0"), "line 2: masked: has the value of an absent member"},
      {replaced("\"clauses\":[],", "\"clauses\":3,"), "line 3: clauses: 3 is not the line of an earlier case"},
      {replaced("\"clauses\":[],", "\"clauses\":1,"), "line 3: clauses: 1 is not the line of an earlier case"},
      {replaced("\"clauses\":[],", "\"clauses\":-2,"), "line 3: clauses: -2 is not the line of an earlier case"},
      {replaced("\"clauses\":[],", "\"clauses\":2.5,"), "line 3: clauses: 2.5 is not the line of an earlier case"},
      {replaced("\"clauses\":[],", "\"clauses\":18446744073709551615,"), "line 3: clauses: 18446744073709551615 is"},
      {whole + "{\"finished\":2,\"inconsistencies\":[],\"more\":1}\n", "line 4: more: unknown"},
      {whole + "{\"finished\":2,\"stopped\":1}\n", "line 4: stopped: has another type than it should"},
      {whole + "{\"finished\":2,\"inconsistencies\":[],\"contradictions\":1}\n",
       "line 4: contradictions: is not an array"},
      {with_experiment(R"("outcome":"gone")"), "line 4: outcome: no such outcome as \"gone\""},
      {with_experiment(R"("outcome":"answered","verdict":"crash","tested":[],"consistent":[])"),
       "line 4: verdict: of an experiment is neither pass nor fail"},
      {with_experiment(R"("outcome":"answered","verdict":"fail","tested":["gone"],"consistent":[])"),
       "line 4: tested: no such hypothesis as \"gone\""},
      {replaced("rounds-half-up\"", "rounds-half-gone\""), "line 2: hypotheses: no such hypothesis as"},
      {replaced("\"fail\"", "\"fine\""), "line 2: verdict: no such verdict as \"fine\""},
      {replaced("ql-formula", "ql-nothing"), "line 2: clauses: no such clause as \"ql-nothing\""},
      {replaced("\"0xf\"", "\"fifteen\""), "line 2: code: is not a hexadecimal number"},
      {replaced("\"id\":\"b\"", "\"id\":\"a\""), "line 3: this case stands there before: a"},
      {replaced("{\"id\":\"a\"", "garbage{\"id\":\"a\""), "line 2: is not JSON: parse error"},
      {replaced("\"cases\":3", "\"cases\":1"), "line 3: is one case more than the 1 of its plan"},
      {replaced("\"elements\":0", "\"elements\":9223372036854775807"),
       "line 3: elements: 9223372036854775807 more than the 6 before cannot be counted"},
      {replaced("\"timeout\":0.5", "\"timeout\":1e300"), "line 1: timeout: 1e+300 is not between 0.001 and 1e+06"},
      {replaced("\"timeout\":0.5", "\"timeout\":-1"), "line 1: timeout: -1 is not between"},
      // A value with so many levels cannot be copied or printed, because each level uses stack space.
      {replaced("\"cells\":[", "\"cells\":[" + nested), "line 2: is nested deeper than the limit of 32"},
      {replaced("\"plan\":{", "\"plan\":" + nested + ",\"\":{"), "line 1: is nested deeper than the limit of 32"},
  };
  for (const Row& row : rows) {
    write_file(path_, compressed(with_checksums(row.content)));
    EXPECT_THAT(failure_of([&] { read_journal(path_); }), HasSubstr(row.message));
  }
  EXPECT_THAT(failure_of([&] { read_journal(directory_.path()); }), HasSubstr("cannot be read"));
  EXPECT_THAT(failure_of([&] { read_journal(directory_.path() / "none"); }), HasSubstr("cannot be read"));
  const std::filesystem::path fifo = directory_.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(failure_of([&] { read_journal(fifo); }), HasSubstr("cannot be read")) << "nobody writes to it";
}

/// Every text of a journal that a message quotes.
TEST_F(Journals, CannotBeginALineOfAMessage) {
  const std::string whole = lines_of_journal(path_);
  const std::string text = R"(\u001b[31m\n::error::)";
  const auto replaced = [](std::string content, const std::string& from, const std::string& to) {
    return content.replace(content.find(from), from.size(), to);
  };
  const std::pair<std::string, const char*> rows[] = {
      {replaced(whole, "\"fail\"", '"' + text + '"'), "no such verdict"},
      {replaced(whole, "ql-formula", text), "no such clause"},
      {replaced(whole, "\"elements\":6", R"("readings":[{"ambiguity":")" + text + R"("}],"elements":6)"),
       "no such ambiguity"},
      {replaced(whole, "\"operator\":\"QuantizeLinear", "\"operator\":\"" + text), "has no version"},
      {replaced(whole, "\"cells\":[\"", "\"cells\":[\"" + text), "no such cell"},
      {replaced(whole, "\"type\":\"", "\"type\":\"" + text), "no such element type"},
      {replaced(whole, "\"elements\":6", R"("covered":[{"operand":")" + text + R"("}],"elements":6)"),
       "no such operand"},
      {replaced(replaced(whole, "\"id\":\"a\"", "\"id\":\"" + text + '"'), "\"id\":\"b\"", "\"id\":\"" + text + '"'),
       "this case stands there before"},
  };
  for (const auto& [content, message] : rows) {
    write_file(path_, compressed(with_checksums(content)));
    EXPECT_THAT(failure_of([&] { read_journal(path_); }),
                AllOf(HasSubstr(message), HasSubstr(R"(\x1b[31m\x0a::error::)"), Not(HasSubstr("\n"))));
  }
}

/// Otherwise a journal that was edited by hand would give another report.
TEST_F(Journals, NameTheLineThatWasChanged) {
  JournalWriter writer = JournalWriter::begin(path_, info());
  writer.write(std::vector{record("a"), rejection("b"), record("c")});
  writer.finish({.inconsistencies = {{inconsistency()}}, .fingerprint = fingerprint()});
  std::vector<std::string> lines;
  std::istringstream content(lines_of_journal(path_));
  for (std::string line; std::getline(content, line);) lines.push_back(line + '\n');
  ASSERT_EQ(lines.size(), 5U);
  const auto failure = [&](const std::vector<std::string>& changed) {
    std::string all;
    for (const std::string& line : changed) all += line;
    write_file(path_, compressed(all));
    return failure_of([&] { read_journal(path_); });
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    SCOPED_TRACE(i);
    const auto is_named = [](std::size_t line) { return HasSubstr(fmt::format("line {}: ", line + 1)); };
    std::vector<std::string> changed = lines;
    changed[i].insert(changed[i].find('"') + 1, "x");
    EXPECT_THAT(failure(changed), is_named(i)) << "changed";
    changed = lines;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    EXPECT_THAT(failure(changed), is_named(i + 1)) << "repeated";
    if (i + 1 == lines.size()) continue;
    std::swap((changed = lines)[i], changed[i + 1]);
    EXPECT_THAT(failure(changed), is_named(i)) << "moved";
    changed = lines;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_THAT(failure(changed), is_named(i)) << "removed";
  }
}

/// From a fixed seed, so that a failure can be repeated.
TEST_F(Journals, AreRefusedAfterRandomDamage) {
  JournalWriter writer = JournalWriter::begin(path_, info());
  writer.write(std::vector{record("a"), rejection("b"), record("c")});
  writer.finish({.inconsistencies = {{inconsistency()}}, .fingerprint = fingerprint()});
  const Journal before = read_journal(path_);
  std::mt19937_64 random(7);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  const std::string lines = lines_of_journal(path_), bytes = bytes_of(path_);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const bool is_of_lines = i < 1000;  // otherwise of the compressed file
    const std::string& whole = is_of_lines ? lines : bytes;
    std::string damaged = whole;
    const std::size_t place = below(whole.size()), length = 1 + below(300), target = below(whole.size());
    switch (i % 4) {
      case 0: damaged[place] = static_cast<char>(damaged[place] ^ (1 << below(8))); break;
      case 1: damaged.erase(place, length); break;
      case 2: damaged.insert(target, whole.substr(place, length)); break;
      default: damaged.erase(place, length).insert(std::min(target, damaged.size()), whole.substr(place, length));
    }
    write_file(path_, is_of_lines ? compressed(damaged) : damaged);
    try {
      const Journal read = read_journal(path_);
      // A cut at the end is what a killed run leaves.
      EXPECT_TRUE(!is_of_lines || damaged.starts_with(lines.substr(0, read.whole.text_bytes))) << i;
      EXPECT_EQ(read.run, before.run);
      EXPECT_LE(read.records.size(), before.records.size());
      for (std::size_t k = 0; k < read.records.size(); ++k) EXPECT_EQ(read.records[k], before.records[k]);
    } catch (const FileError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1300);
}

TEST_F(Journals, AreUnfinishedUntilTheyHaveAllCases) {
  EXPECT_EQ(journal_state(path_), JournalState::unfinished) << "2 of 3";
  std::string whole = lines_of_journal(path_);
  write_file(path_, compressed(whole + "a line of another version"));
  EXPECT_EQ(journal_state(path_), JournalState::unfinished) << "not whole";
  write_file(path_, compressed(whole + "a line of another version\n"));
  EXPECT_EQ(journal_state(path_), JournalState::unfinished) << "no last line";
  const std::string format = fmt::format(R"("journal":{})", journal_format);
  whole.replace(whole.find(format), format.size(), R"("journal":5)");
  write_file(path_, compressed(whole + "a line of another version\n"));
  EXPECT_EQ(journal_state(path_), JournalState::finished) << "of a format that may have none";
}

TEST_F(Journals, AreDistinguishedFromDamagedOnes) {
  const std::string whole = lines_of_journal(path_);
  for (const char* content : {"{}", "{}\n", "[]\n", "no JSON\n", "\n", "{\"journal\": 2, \"plan\": 1}\n",
                              "{\"journal\": 2, \"plan\": {\"cases\": \"\"}}\n", "{\"plan\": {\"cases\": 0}}\n"}) {
    write_file(path_, compressed(content));
    EXPECT_EQ(journal_state(path_), JournalState::unknown) << content;
  }
  write_file(path_, "not compressed");
  EXPECT_EQ(journal_state(path_), JournalState::unknown);
  EXPECT_EQ(journal_state(directory_.path()), JournalState::unknown);
  const std::string bytes = compressed(whole.substr(0, whole.find('\n') + 1));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    write_file(path_, bytes.substr(0, size));
    EXPECT_EQ(journal_state(path_), JournalState::nothing) << "without a whole first line";
  }
  EXPECT_EQ(journal_state(directory_.path() / "none"), JournalState::nothing);
}

PlannedCase planned(const std::string& id) {
  return {.id = id, .source = made_by({[id] { return per_axis_case(id); }}), .is_from_files = id.starts_with("onnx/")};
}

Journal journal_of(const std::vector<PlannedCase>& plan) {
  Journal journal;
  journal.run = info();
  journal.run.plan_hash = plan_hash(plan, journal.run.tier, journal.run.seed, journal.run.settings());
  for (const PlannedCase& row : plan) {
    CaseRecord done;
    done.id = row.id;
    done.verdict = Verdict::pass;
    done = ReadCase(row).description;
    done.verdict = Verdict::pass;
    journal.records.push_back(done);
  }
  return journal;
}

TEST(CheckSameCases, NamesTheDifference) {
  const std::vector<PlannedCase> plan{planned("onnx/a"), planned("onnx/b"), planned("generated/c")};
  const Journal journal = journal_of(plan);
  const auto check = [](const Journal& with, const std::vector<PlannedCase>& now) {
    return failure_of([&] { check_same_cases("j", with.run, with.records, now); });
  };
  EXPECT_NO_THROW(check_same_cases("j", journal.run, journal.records, plan));
  EXPECT_THAT(check(journal, {plan[0], plan[1]}), HasSubstr("generated/c, and the plan now ends before it"));
  EXPECT_THAT(check(journal, {plan[0], plan[2]}), HasSubstr("onnx/b where the plan now has generated/c"));
  std::vector<PlannedCase> longer = plan;
  longer.push_back(planned("d"));
  Journal hostile = journal;
  hostile.records[0].id = "a\n::error::";
  EXPECT_THAT(check(hostile, plan), HasSubstr(R"(the case a\x0a::error:: where the plan)"));
  hostile = journal;
  hostile.run.plan_hash = "0\n::error::";
  EXPECT_THAT(check(hostile, plan), HasSubstr(R"(with the hash 0\x0a::error::; now)"));
  EXPECT_THAT(check(journal, longer), HasSubstr("plan of 3 cases"));
  EXPECT_THAT(check(journal, longer), HasSubstr("now there are 4"));

  std::vector<PlannedCase> unreadable = plan;
  unreadable[1].source = made_by({[]() -> Case { throw FileError("b/model.onnx", "missing"); }});
  EXPECT_THAT(check(journal, unreadable), HasSubstr("onnx/b"));
  EXPECT_THAT(check(journal, unreadable), HasSubstr("b/model.onnx: missing"));
  Journal changed = journal;
  changed.records[1].digest.bytes[0] ^= 1;
  EXPECT_THAT(check(changed, plan), HasSubstr("onnx/b is another case"));
  changed = journal;
  changed.records[2].digest.bytes[0] ^= 1;
  EXPECT_THAT(check(changed, plan), HasSubstr("generated/c is another case"));
}

TEST(CheckSameCases, ComparesEveryCase) {
  std::vector<PlannedCase> plan{planned("onnx/a")};
  for (int i = 0; i < 120; ++i) plan.push_back(planned("generated/" + std::to_string(i)));
  Journal journal = journal_of(plan);
  EXPECT_NO_THROW(check_same_cases("j", journal.run, journal.records, plan));
  for (std::size_t changed = 0; changed < plan.size(); ++changed) {
    Journal other = journal;
    other.records[changed].digest.bytes[0] ^= 1;
    EXPECT_THAT(failure_of([&] { check_same_cases("j", other.run, other.records, plan); }),
                HasSubstr(std::string(plan[changed].id) + " is another case"));
  }
  for (const std::size_t changed : {17U, 18U, 90U}) journal.records[changed].digest.bytes[0] ^= 1;
  std::size_t compared = 0;
  const CaseComparison comparison{.jobs = 4, .on_case = [&](std::string_view) { ++compared; }};
  EXPECT_THAT(failure_of([&] { check_same_cases("j", journal.run, journal.records, plan, "", comparison); }),
              HasSubstr(std::string(plan[17].id) + " is another case"))
      << "the first one, with any number of threads";
  EXPECT_EQ(compared, plan.size());
  journal.records.resize(17);
  EXPECT_NO_THROW(check_same_cases("j", journal.run, journal.records, plan));
  const std::function<void(CaseRecord&)> edits[]{
      [](CaseRecord& row) { row.violated = &spec::clauses.front(); },
      [](CaseRecord& row) { row.elements = 100000; },
      [](CaseRecord& row) { row.masked = 1; },
      [](CaseRecord& row) {
        row.shape = {7, 7, 7};
      },
      [](CaseRecord& row) { row.subject.quantized_type = spec::ElementType::int8; },
      [](CaseRecord& row) { row.cells = {}; },
      [](CaseRecord& row) { row.clauses = {}; },
      [](CaseRecord& row) { row.form = "nonsense"; },
      [](CaseRecord& row) {
        row.attributes = {{"axis", 7}};
      },
  };
  for (const auto& edit : edits) {
    Journal other = journal;
    edit(other.records[3]);
    EXPECT_THAT(failure_of([&] { check_same_cases("j", other.run, other.records, plan); }),
                HasSubstr("its types, shape, form, cells, clauses or numbers of elements are others now"));
  }
}

TEST(CheckSameCases, ComparesExpectedOutputs) {
  PlannedCase other = planned("onnx/a");
  other.source = made_by({[] {
    Case made = per_axis_case("onnx/a");
    made.data_sets[0].expected[0].value.set_code(0, 11);
    return made;
  }});
  Journal journal = journal_of({planned("onnx/a"), planned("onnx/b")});
  EXPECT_THAT(failure_of([&] {
                check_same_cases("j", journal.run, journal.records, std::vector{other, planned("onnx/b")});
              }),
              HasSubstr("onnx/a is another case"));
  // It was not run yet, but would be judged by other outputs than the run that began.
  const PlannedCase b{.id = "onnx/b", .source = other.source, .is_from_files = true};
  journal.records.resize(1);
  EXPECT_THAT(failure_of([&] {
                check_same_cases("j", journal.run, journal.records, std::vector{planned("onnx/a"), b});
              }),
              HasSubstr("some were added, removed, renamed or changed"));
}

/// For example because there was not enough memory for it.
TEST(CheckSameCases, AcceptsAGeneratedCaseThatCouldNotBeMade) {
  const std::vector<PlannedCase> plan{planned("generated/a")};
  Journal journal = journal_of(plan);
  CaseRecord failed;
  failed.id = plan[0].id;
  failed.verdict = Verdict::harness_error;
  failed.reason = "std::bad_alloc";
  journal.records[0] = failed;
  EXPECT_NO_THROW(check_same_cases("j", journal.run, journal.records, plan));
}

TEST(CheckSameCases, AcceptsACaseThatStillCannotBeRead) {
  PlannedCase unreadable = planned("onnx/a");
  unreadable.source = made_by({[]() -> Case { throw FileError("a/model.onnx", "missing"); }});
  Journal journal = journal_of({planned("onnx/a")});
  journal.run.plan_hash = plan_hash({unreadable}, journal.run.tier, journal.run.seed, journal.run.settings());
  ReferenceBackend reference;
  journal.records[0] = run_case(unreadable, reference);
  EXPECT_EQ(journal.records[0].verdict, Verdict::harness_error);
  EXPECT_NO_THROW(check_same_cases("j", journal.run, journal.records, std::vector{unreadable}));
  EXPECT_THAT(failure_of([&] { check_same_cases("j", journal.run, journal.records, std::vector{planned("onnx/a")}); }),
              HasSubstr("it can be read now, and could not: a/model.onnx: missing"));
}

TEST(JournalWriter, NamesTheFileThatItCannotWrite) {
  EXPECT_THAT(failure_of([] { JournalWriter::begin("/dev/full", info()); }), HasSubstr("cannot be written"));
  EXPECT_THAT(failure_of([] { JournalWriter::begin("no/such/directory", info()); }), HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace touchstone::conformance::journal_test
