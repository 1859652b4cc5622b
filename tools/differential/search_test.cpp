// The output for defective backends: every failure, the path of its reproducer, and an exit code.
#include "tools/differential/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>

#include "conformance/backends/builtin/builtin_backends.h"
#include "conformance/files/test_directory.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::search_test {
namespace {

using namespace conformance;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Answers with the result of another function.
Subject answering(const std::function<UnitAnswer()>& answer) {
  return {"defective", std::nullopt, [answer](const Case&, const optimized::Environment&) { return answer(); }};
}

Subject refusing() {
  return answering([] { return Refusal{"anything"}; });
}

struct Printed {
  int exit_code;
  std::string out;
};

Printed printed_by(const TemporaryDirectory& scratch, const Search& search, const Subject& subject,
                   const SearchEvents& events = {}) {
  const fs::path out = scratch.path() / "out";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(out.c_str(), "wb"), std::fclose);
  const int exit_code = run_search(search, {subject}, events, file.get());
  std::fflush(file.get());
  return {exit_code, content_of(out)};
}

TEST(Search, NamesExistingReproducers) {
  const TemporaryDirectory scratch;
  const fs::path directory = scratch.path() / "not" / "yet";
  const Printed printed = printed_by(scratch, {.examples = 100, .reproducers = directory, .failures = 2}, refusing());
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_THAT(printed.out,
              AllOf(HasSubstr("defective: rejects_valid: "), HasSubstr(", defective: 2 failed; the requested number"),
                    HasSubstr("the rest: --seed 0 --first ")));
  const std::regex written("; written to (.*)\n");
  int reproducers = 0;
  for (std::sregex_iterator found(printed.out.begin(), printed.out.end(), written), end; found != end; ++found) {
    const fs::path place = (*found)[1].str();
    EXPECT_EQ(place.parent_path(), directory);
    EXPECT_EQ(read_test_directory(place, "onnx/again").data_sets.size(), 1U);
    EXPECT_THAT(content_of(place / "replay.txt"),
                HasSubstr("\n# touchstone-differential --backend defective --seed 0 --first "));
    ++reproducers;
  }
  EXPECT_EQ(reproducers, 2);
}

TEST(Search, SkipsExamplesThatExceedTheAssumptions) {
  const TemporaryDirectory scratch;
  Subject subject = refusing();
  // About one in twelve examples is of ai.onnx 21, and some of these are nodes that a reading permits to refuse.
  const Search search{.examples = 500, .reproducers = scratch.path() / "reproducers", .failures = 1000};
  subject.assumed.opsets = {{.domain = "", .oldest = 1, .newest = 9}};
  EXPECT_EQ(printed_by(scratch, search, subject).exit_code, 5) << "nothing was asked";
  subject.assumed.opsets = {{.domain = "", .oldest = 21, .newest = 21}};
  const Printed printed = printed_by(scratch, search, subject);
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_THAT(printed.out, AllOf(HasSubstr("of ai.onnx 21\n"), Not(HasSubstr("of ai.onnx 13\n")),
                                 Not(HasSubstr("of com.microsoft"))));
  EXPECT_THAT(search_line({}, 1, {&subject, 1}), HasSubstr(" --assume opsets=ai.onnx:21 "));
}

TEST(Search, PrintsTheCommandForASingleExample) {
  const std::vector<Subject> both{optimized_subject(optimized::Isa::portable), optimized_subject(optimized::Isa::avx2)};
  EXPECT_EQ(
      search_line({.seed = 3, .judge = {.strict = true, .sign_of_zero = true}}, 5, both),
      "touchstone-differential --backend optimized --isa portable,avx2 --strict --sign-of-zero --seed 3 --first 5 "
      "--examples 1");
  const Subject defective = refusing();
  EXPECT_EQ(search_line({}, 1, {&defective, 1}),
            "touchstone-differential --backend defective --seed 0 --first 1 --examples 1");
}

TEST(Search, ReportsFailuresThatCannotBeWrittenAndWhy) {
  const TemporaryDirectory scratch;
  const fs::path directory = scratch.path() / "reproducers";
  const auto become_a_file = [&](std::uint64_t) { write_file(directory, "somebody else's"); };
  const Printed printed = printed_by(scratch, {.examples = 100, .reproducers = directory, .failures = 2}, refusing(),
                                     {.before_example = become_a_file});
  EXPECT_EQ(printed.exit_code, 3);
  EXPECT_THAT(printed.out,
              AllOf(HasSubstr("defective: rejects_valid: "), HasSubstr("; not written: " + directory.string()),
                    HasSubstr("cannot be opened as a directory"), HasSubstr("2 failed"), Not(HasSubstr("written to"))));
}

TEST(Search, ReportsExceptions) {
  const TemporaryDirectory scratch;
  const Search search{.examples = 1, .reproducers = scratch.path() / "reproducers"};
  const Printed printed =
      printed_by(scratch, search, answering([]() -> UnitAnswer { throw std::runtime_error("no room"); }));
  EXPECT_EQ(printed.exit_code, 3);
  EXPECT_THAT(printed.out, AllOf(HasSubstr("harness_error: it threw an exception: no room\n"),
                                 HasSubstr("; written to "), Not(HasSubstr("crash"))));
  const Printed other = printed_by(scratch, search, answering([]() -> UnitAnswer { throw 1; }));
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.out, HasSubstr("it threw an exception of an unknown type\n"));
}

TEST(Search, ChecksTheReproducerDirectoryFirstWithoutTraces) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "a-file", "");
  fs::create_directory_symlink("nowhere", scratch.path() / "dangling");
  struct Row {
    fs::path directory;
    const char* message;
  };
  const Row rows[] = {
      {scratch.path() / "a-file", "a-file: not a directory"},
      {scratch.path() / "a-file" / "below" / "it", "a-file: not a directory"},
      {scratch.path() / "dangling", "not a directory"},
      {scratch.path() / std::string(300, 'x') / "y", "File name too long"},
      {"/proc", "cannot be written to"},
      {"", "--reproducers : "},
  };
  const auto never = [](std::uint64_t number) { FAIL() << number; };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.directory);
    try {
      printed_by(scratch, {.examples = 1, .reproducers = row.directory}, refusing(), {.before_example = never});
      FAIL() << "not refused";
    } catch (const Exit& exit) {
      EXPECT_EQ(exit.code, usage);
      EXPECT_THAT(exit.what(), AllOf(HasSubstr("--reproducers " + row.directory.string()), HasSubstr(row.message)));
    }
  }
  const auto passing = subject_of("reference", make_backend("reference"));
  EXPECT_EQ(printed_by(scratch, {.examples = 1, .reproducers = scratch.path() / "a" / "b/"}, passing).exit_code, 0);
  fs::remove(scratch.path() / "out");
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), {}), 2);
}

TEST(Search, FinishesTheExampleWhenItIsStopped) {
  const TemporaryDirectory scratch;
  const fs::path directory = scratch.path() / "reproducers";
  bool is_stopped = false;
  SearchEvents events;
  events.before_example = [&](std::uint64_t number) { is_stopped = number == 12; };
  events.is_stopped = [&] { return is_stopped; };
  const auto reference = subject_of("reference", make_backend("reference"));
  for (const Search& search : {Search{.first = 10}, Search{.first = 10, .minutes = 60}}) {
    is_stopped = false;
    const Printed printed = printed_by(scratch, search, reference, events);
    EXPECT_EQ(printed.exit_code, 4);
    EXPECT_THAT(printed.out, AllOf(HasSubstr("3 examples from 10 of seed 0"), HasSubstr("0 failed; stopped\n"),
                                   HasSubstr("the rest: --seed 0 --first 13\n")));
  }
  // A failure after the stop is not simplified, but still reported and written.
  is_stopped = false;
  const Subject late = answering([&]() -> UnitAnswer {
    is_stopped = true;
    throw std::runtime_error("late");
  });
  events.before_example = [](std::uint64_t) {};
  const Printed printed = printed_by(scratch, {.reproducers = directory}, late, events);
  EXPECT_EQ(printed.exit_code, 3);
  EXPECT_THAT(printed.out, AllOf(HasSubstr("interrupted, so perhaps not the simplest, after trying 0 simpler ones"),
                                 HasSubstr("written to " + directory.string()), HasSubstr("1 examples")));
}

}  // namespace
}  // namespace touchstone::tools::search_test
