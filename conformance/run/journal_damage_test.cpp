// Journals that were cut off, changed or damaged.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>
#include <sstream>

#include "conformance/files/file_io.h"
#include "conformance/run/journal.h"
#include "conformance/run/journal_samples_testing.h"
#include "conformance/run/journal_testing.h"

namespace touchstone::conformance::journal_damage_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(Journals, AreReadableWhereverTheyWereCutOff) {
  const std::string lines = lines_of_journal(path_);
  const std::string whole = bytes_of(path_);
  const std::size_t first_line = end_of_line(path_, 1), second_line = end_of_line(path_, 2);
  for (std::size_t length = first_line; length < whole.size(); ++length) {
    write_file(path_, whole.substr(0, length));
    const Journal journal = read_journal(path_);
    EXPECT_EQ(journal.records.size(), length < second_line ? 0U : 1U) << length;
    JournalWriter writer = JournalWriter::resume(path_, journal);
    writer.write(length < second_line ? std::vector{sample_record("a"), sample_rejection("b")}
                                      : std::vector{sample_rejection("b")});
    ASSERT_EQ(without_times(lines_of_journal(path_)), without_times(lines))
        << "as if it had not been interrupted, cut off at " << length;
  }
}

TEST_F(Journals, WriteTheSameClausesOnce) {
  const std::vector<CaseRecord> records{sample_record("a"), sample_rejection("b"), sample_record("c")};
  JournalWriter::begin(path_, sample_info()).write(records);
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
  JournalWriter writer = JournalWriter::begin(path_, sample_info());
  writer.write(std::vector{sample_record("a"), sample_rejection("b"), sample_record("c")});
  writer.finish({.inconsistencies = {{sample_inconsistency()}}, .fingerprint = sample_fingerprint()});
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
  JournalWriter writer = JournalWriter::begin(path_, sample_info());
  writer.write(std::vector{sample_record("a"), sample_rejection("b"), sample_record("c")});
  writer.finish({.inconsistencies = {{sample_inconsistency()}}, .fingerprint = sample_fingerprint()});
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

}  // namespace
}  // namespace touchstone::conformance::journal_damage_test
