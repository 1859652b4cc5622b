// Peak memory for hostile files that take many times their size if they are parsed as a whole. Slow tests do not run
// under sanitizers, which take memory themselves.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/files/file_io.h"
#include "conformance/files/gzip_lines.h"
#include "conformance/run/journal.h"
#include "conformance/run/line_chain.h"
#include "tools/touchstone/packs_testing.h"

namespace touchstone::tools::memory_test {
namespace {

using testing::HasSubstr;

constexpr std::size_t megabyte = 1'000'000;

/// A program that reads nothing has 10 MB. The longest line that is read, its copies and its values take 90 MB.
constexpr long most_kib = 100'000;

/// What makes a file large: a text before the first occurrence of `place`, and before that another one, repeated.
struct Filling {
  std::string_view place;
  std::string_view begin;
  std::string repeated;
  std::size_t size;
  std::string_view end;
  std::string_view message;  ///< that refuses the file

  /// Passes the text with the filling to the sink. The test never has it as a whole: a program that it starts would
  /// begin with as much memory.
  void fill(std::string_view text, const conformance::Sink& sink) const {
    const std::size_t before = text.find(place);
    sink(text.substr(0, before));
    sink(begin);
    for (std::size_t filled = 0; filled < size; filled += repeated.size()) sink(repeated);
    sink(end);
    sink(text.substr(before));
  }
};

TEST(Memory, OfAManifestIsBounded) {
  const TemporaryDirectory scratch;
  export_two(scratch);
  const fs::path path = scratch.path() / "pack" / conformance::manifest_name;
  const std::string whole = content_of(path);
  const std::size_t begin = whole.find("{\"id\"");
  const std::string a_case = whole.substr(begin, whole.find(",\n") + 2 - begin);
  const Filling rows[]{
      {"\"seed\"", "\"more\":[", "[],", 15 * megabyte, "0],",
       "line 1: is not the manifest of a pack, or is damaged: has more values"},
      {"\"with_outputs\"", "\"more\":[", "[],", 15 * megabyte, "0],", "has more values than the limit of 262144"},
      {"\"digest\"", "\"more\":[", "[],", 15 * megabyte, "0],",
       "line 2: is not the manifest of a pack, or is damaged: has more values"},
      {"\"seed\"", "", "\"a\":0,", 15 * megabyte, "", "has an object with more members than the limit of 64"},
      {"\"seed\"", "\"more\":[", "[],", 200 * megabyte, "0],", "longer than the limit of 16777216 bytes"},
      {"{\"id\"", "", a_case, 200 * megabyte, "", "has more cases than the plan, which has 2"},
  };
  for (const Filling& row : rows) {
    conformance::write_file_whole(path, [&](const conformance::Sink& sink) { row.fill(whole, sink); });
    const Outcome judged = judge(scratch);
    EXPECT_EQ(judged.exit_code, 2);
    EXPECT_THAT(judged.error, HasSubstr(row.message));
    EXPECT_LT(judged.peak_kib, most_kib) << row.message;
  }
}

/// Many lines may be as long as the limit on one.
TEST(Memory, OfAManifestOfLongLinesIsBounded) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--suite", "generated", "--tier", "standard", "--filter",
                                 "quantize_linear/10/f32-f32-u8/per_tensor/zp/*"})
                .exit_code,
            0);
  fs::create_directories(scratch.path() / "answers");
  const fs::path path = scratch.path() / "pack" / conformance::manifest_name;
  std::istringstream lines(content_of(path));
  const std::string filling(3 * megabyte, 'x');
  std::size_t cases = 0;
  {
    std::ofstream file(path, std::ios::binary);
    for (std::string line; std::getline(lines, line); file << line << '\n') {
      if (!line.starts_with("{\"id\"")) continue;
      file << "{\"more\":\"" << filling << "\",";
      line.erase(0, 1);
      ++cases;
    }
  }
  EXPECT_GE(cases, 60U) << "almost 200 MB";
  const Outcome judged = judge(scratch, {"--jobs", "1"});
  EXPECT_EQ(judged.exit_code, 2);
  EXPECT_THAT(judged.error, HasSubstr("\"more\" is not what the plan makes"));
  EXPECT_LT(judged.peak_kib, most_kib);
}

/// The lines of the journal of a run of one case: the first with its checksum, the second without.
std::pair<std::string, std::string> lines_of_a_run(const TemporaryDirectory& scratch) {
  EXPECT_EQ(touchstone(scratch, {"run", "--suite", "generated", "--tier", "standard", "--filter", legal_id}).exit_code,
            0);
  std::istringstream lines(content_of(scratch.path() / "touchstone-report" / conformance::journal_name));
  std::string head, record;
  std::getline(lines, head);
  std::getline(lines, record);
  conformance::LineChain chain;
  chain.verify(head);
  return {head, chain.verify(record)};
}

TEST(Memory, OfAJournalIsBounded) {
  const TemporaryDirectory scratch;
  const auto [head, record] = lines_of_a_run(scratch);
  const fs::path path = scratch.path() / "touchstone-report" / conformance::journal_name;
  const Filling rows[]{
      {"\"digest\"", "\"more\":[", "[],", 15 * megabyte, "0],", "line 2: has more values than the limit of 262144"},
      {"\"digest\"", "\"more\":{", "\"a\":0,", 15 * megabyte, "},", "line 2: has an object with more members"},
      {"],\"form\"", "", ",0", megabyte / 3, "", "line 2: shape: has 16"},
  };
  for (const Filling& row : rows) {
    std::string changed;
    row.fill(record, [&](std::string_view part) { changed += part; });
    conformance::LineChain again;
    again.verify(head);
    write_file(path, conformance::compressed(fmt::format("{}\n{}\n", head, again.append(changed))));
    const Outcome reported = touchstone(scratch, {"report", "touchstone-report"});
    EXPECT_EQ(reported.exit_code, 3);
    EXPECT_THAT(reported.error, HasSubstr(row.message));
    EXPECT_LT(reported.peak_kib, most_kib) << row.message;
  }
}

/// However well the line is compressed, it is refused before it is read as a whole.
TEST(Memory, OfALongLineOfAJournalIsBounded) {
  const TemporaryDirectory scratch;
  const auto [head, record] = lines_of_a_run(scratch);
  std::string many;
  while (many.size() < megabyte) many += "[],";
  const Filling row{"\"digest\"", "\"more\":[", many, 200 * megabyte, "0],", ""};
  {
    std::ofstream file(scratch.path() / "touchstone-report" / conformance::journal_name, std::ios::binary);
    conformance::GzipLineWriter gzip;
    file << gzip.add(head + "\n");
    row.fill(record + "\n", [&](std::string_view part) { file << gzip.add(part); });
    file << gzip.finish();
  }
  const Outcome reported = touchstone(scratch, {"report", "touchstone-report"});
  EXPECT_EQ(reported.exit_code, 3);
  EXPECT_THAT(reported.error, HasSubstr("line 2: longer than the limit of 16777216 bytes"));
  EXPECT_LT(reported.peak_kib, most_kib);
}

/// Writes a journal of many right cases. `head` and `record` are those of lines_of_a_run.
void write_journal(const fs::path& path, std::string head, const std::string& record, std::size_t cases) {
  head = conformance::LineChain().verify(head);
  const std::string_view number = "\"cases\":1}";
  head.replace(head.find(number), number.size(), "\"cases\":" + std::to_string(cases) + "}");
  const std::size_t end_of_id = record.find("\",\"verdict\"");
  const std::size_t clauses = record.find("[", record.find("\"clauses\""));
  const std::string others = std::string(record).replace(clauses, record.find("]", clauses) + 1 - clauses, "2");
  conformance::LineChain chain;
  conformance::GzipLineWriter gzip;
  conformance::write_file_whole(path, [&](const conformance::Sink& sink) {
    sink(gzip.add(chain.append(head) + '\n'));
    sink(gzip.add(chain.append(record) + '\n'));
    for (std::size_t i = 1; i < cases; ++i)
      sink(gzip.add(chain.append(std::string(others).insert(end_of_id, "/" + std::to_string(i))) + '\n'));
    sink(gzip.add(chain.append(fmt::format(R"({{"finished":{},"time":"2026-01-01T00:00:00Z"}})", cases)) + '\n'));
  });
}

/// A report takes less than 400 bytes for each right case.
TEST(Memory, OfReportsIsSmallForEachCase) {
  const TemporaryDirectory scratch;
  const auto [head, record] = lines_of_a_run(scratch);
  std::vector<long> peaks;
  for (const std::size_t cases : {std::size_t{1'000}, std::size_t{101'000}}) {
    write_journal(scratch.path() / "touchstone-report" / conformance::journal_name, head, record, cases);
    const Outcome reported = touchstone(scratch, {"report", "touchstone-report", "--format",
                                                  "json,junit,html,csv,markdown", "--output", ".", "--all-cases"});
    EXPECT_EQ(reported.exit_code, 0) << reported.error;
    peaks.push_back(reported.peak_kib);
  }
  EXPECT_LT(peaks[1] - peaks[0], 100'000L * 400 / 1024);
}

/// A list takes 20 MB, and less than 500 bytes for each of 68,000 cases.
TEST(Memory, OfAPlanIsSmallForEachCase) {
  const TemporaryDirectory scratch;
  const Outcome listed = touchstone(scratch, {"list", "--suite", "generated", "--tier", "standard"});
  EXPECT_EQ(listed.exit_code, 0);
  EXPECT_GT(std::ranges::count(listed.out, '\n'), 60'000);
  EXPECT_LT(listed.peak_kib, 55'000);
}

TEST(Memory, OfATensorIsBounded) {
  const TemporaryDirectory scratch;
  const fs::path test = copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
  const std::size_t size = 60 * megabyte;
  std::string tensor = "\x0a";  // the packed field dims, and its length
  for (std::size_t length = size; length > 0; length >>= 7)
    tensor += static_cast<char>((length & 0x7F) | (length >= 0x80 ? 0x80 : 0));
  conformance::write_file_whole(test / "test_data_set_0" / "input_0.pb", [&](const conformance::Sink& sink) {
    sink(tensor);
    sink(std::string(size, '\1'));
  });
  const Outcome run = touchstone(scratch, {"run", "--data", "tests", "--output", "out"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out, HasSubstr("input_0.pb: more fields than the limit of 262144"));
  EXPECT_LT(run.peak_kib, most_kib + static_cast<long>(size / 1024)) << "the file itself is in memory";
}

}  // namespace
}  // namespace touchstone::tools::memory_test
