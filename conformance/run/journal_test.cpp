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
#include "conformance/run/journal_samples_testing.h"
#include "conformance/run/journal_testing.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"

namespace touchstone::conformance::journal_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(Journals, ReadBackWhatWasWritten) {
  const Journal journal = read_journal(path_);
  EXPECT_EQ(journal.run, sample_info());
  EXPECT_EQ(journal.records, (std::vector{sample_record("a"), sample_rejection("b")}));
  EXPECT_EQ(journal.whole.bytes, std::filesystem::file_size(path_));
}

TEST_F(Journals, ReadBackWhatIsNotInEveryRecord) {
  JournalWriter::begin(path_, sample_info()).write(std::vector{sample_variant("a"), sample_declined("b")});
  EXPECT_EQ(read_journal(path_).records, (std::vector{sample_variant("a"), sample_declined("b")}));
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
    RunInfo run = sample_info();
    run.strict = strict;
    CaseRecord edited = written;
    edit(edited);
    JournalWriter::begin(path_, run).write({&edited, 1});
    return failure_of([&] { read_journal(path_); });
  };
  CaseRecord failed = sample_record("a");
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
  JournalWriter::begin(path_, sample_info()).write({&failed, 1});
  EXPECT_NO_THROW(read_journal(path_)) << "nothing contradicts it any more";
  EXPECT_THAT(failure(failed, [](CaseRecord& edited) { edited.masked = edited.elements; }),
              HasSubstr("masked: is the number of all elements, so that no answer is a pass"));
  EXPECT_THAT(failure(sample_variant("a"), [](CaseRecord& edited) { edited.verdict = Verdict::fail; }),
              HasSubstr("readings: no fail has this member"));
  EXPECT_THAT(failure(sample_variant("a"), [](CaseRecord& edited) { edited.readings = {}; }),
              HasSubstr("readings: missing"));
  EXPECT_THAT(failure(
                  sample_variant("a"), [](CaseRecord&) {}, /*strict=*/true),
              HasSubstr("readings: no other readings are permitted with --strict"));
  EXPECT_THAT(failure(sample_variant("a"), [](CaseRecord& edited) { edited.digest = {}; }),
              HasSubstr("output_digest: no pass_variant has this member"));
  EXPECT_THAT(failure(sample_variant("a"),
                      [](CaseRecord& edited) {
                        edited.digest = {};
                        edited.output_digest = 0;
                      }),
              HasSubstr("digest: a case that was not read cannot have the verdict pass_variant"));
  EXPECT_THAT(failure(sample_declined("a"), [](CaseRecord& edited) { edited.output_digest = 1; }),
              HasSubstr("declined: no rejects_valid has this member"));
  EXPECT_THAT(failure(sample_rejection("a"),
                      [](CaseRecord& edited) {
                        edited.violated = nullptr;
                        edited.form = "inputs";
                      }),
              HasSubstr("violated: missing"));
  EXPECT_THAT(failure(sample_rejection("a"), [](CaseRecord& edited) { edited.hypotheses = {"rounds-half-up"}; }),
              HasSubstr("hypotheses: no accepts_invalid has this member"));
  const auto with_element = [](const std::function<void(WrongElement&)>& edit) {
    return [edit](CaseRecord& edited) {
      WrongElement wrong = edited.wrong_elements.front();
      edit(wrong);
      edited.wrong_elements = {wrong};
    };
  };
  EXPECT_THAT(failure(sample_record("a"), with_element([](WrongElement& wrong) { wrong.actual = wrong.expected; })),
              HasSubstr("wrong_elements: element 4 is as expected"));
  EXPECT_THAT(failure(sample_record("a"), with_element([](WrongElement& wrong) { wrong.index = 6; })),
              HasSubstr("wrong_elements: element 6 is beyond the 6 of the case"));
  for (const auto& edit : std::vector<std::function<void(WrongElement&)>>{
           [](WrongElement& wrong) {
             wrong.position = {0, 5};
           },
           [](WrongElement& wrong) { wrong.scale_index = 5; }, [](WrongElement& wrong) { wrong.block = 5; }})
    EXPECT_THAT(failure(sample_record("a"), with_element(edit)),
                HasSubstr("element 4 has a position, a scale or a block beyond it"));
}

/// Those of a run in which nothing was found.
const Findings nothing{.inconsistencies = std::vector<Inconsistency>()};

TEST_F(Journals, AreNotFinishedWithoutTheirLastLine) {
  const auto write = [&](bool searches) {
    JournalWriter writer = JournalWriter::begin(path_, sample_info());
    writer.write(std::vector{sample_record("a"), sample_rejection("b"), sample_record("c")});
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
  JournalWriter writer = JournalWriter::begin(path_, sample_info());
  writer.write(std::vector{sample_record("a")});
  writer.finish({.stopped = "interrupted"});
  EXPECT_EQ(read_journal(path_).stopped, "interrupted");
}

/// The times are protected like the rest, but equal runs have equal sums, which reports show.
TEST_F(Journals, HaveTimesThatAreNoPartOfTheResults) {
  const auto write = [&](const std::string& started, std::int64_t microseconds, const std::string& finished) {
    CaseRecord one = sample_record("a");
    one.time = {microseconds};
    JournalWriter writer = JournalWriter::begin(path_, sample_info(), started);
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
TEST_F(Journals, ReadBackInconsistencies) {
  EXPECT_FALSE(read_journal(path_).inconsistencies) << "the run is not at its end";
  const std::uintmax_t unfinished = std::filesystem::file_size(path_);
  Inconsistency plain = sample_inconsistency();
  plain.group.precision.reset();
  plain.group.form.clear();
  const std::vector<Contradictions> contradictions{{.hypothesis = "rounds-half-up", .checked = 5, .cases = {"b", "a"}}};
  for (const std::vector<Inconsistency>& rows : {{}, std::vector{sample_inconsistency(), plain}}) {
    const Journal before = read_journal(path_);
    JournalWriter::resume(path_, before).finish({.inconsistencies = rows, .contradictions = contradictions});
    const Journal journal = read_journal(path_);
    EXPECT_TRUE(journal.inconsistencies == rows);
    EXPECT_TRUE(journal.contradictions == contradictions);
    EXPECT_EQ(journal.records, before.records);
    EXPECT_EQ(journal.whole.bytes, unfinished) << "a run that goes on replaces the line";
  }
  JournalWriter::resume(path_, read_journal(path_)).write(std::vector{sample_record("c")});
  EXPECT_FALSE(read_journal(path_).inconsistencies);
  EXPECT_EQ(read_journal(path_).records.size(), 3U);
}

TEST_F(Journals, ReadBackTheFingerprint) {
  EXPECT_FALSE(read_journal(path_).fingerprint);
  for (const std::vector<FingerprintRow>& rows : {{}, sample_fingerprint()}) {
    JournalWriter::resume(path_, read_journal(path_)).finish({.fingerprint = rows});
    EXPECT_TRUE(read_journal(path_).fingerprint == rows);
  }
  JournalWriter::resume(path_, read_journal(path_)).finish(nothing);
  EXPECT_TRUE(read_journal(path_).inconsistencies);
  EXPECT_FALSE(read_journal(path_).fingerprint) << "as in a journal of a version that looked for none";
}

TEST_F(Journals, DescribeErrorsInAFingerprint) {
  JournalWriter::resume(path_, read_journal(path_)).finish({.fingerprint = sample_fingerprint()});
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
  JournalWriter::resume(path_, read_journal(path_)).finish({.inconsistencies = {{sample_inconsistency()}}});
  EXPECT_EQ(journal_state(path_), JournalState::unfinished) << "2 of 3 cases";
}

TEST_F(Journals, DescribeErrorsInInconsistencies) {
  JournalWriter::resume(path_, read_journal(path_)).finish({.inconsistencies = {{sample_inconsistency()}}});
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

TEST(JournalWriter, NamesTheFileThatItCannotWrite) {
  EXPECT_THAT(failure_of([] { JournalWriter::begin("/dev/full", sample_info()); }), HasSubstr("cannot be written"));
  EXPECT_THAT(failure_of([] { JournalWriter::begin("no/such/directory", sample_info()); }),
              HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace touchstone::conformance::journal_test
