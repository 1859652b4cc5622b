#include "tools/differential/search.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "conformance/backends/assumptions.h"
#include "conformance/files/file_error.h"
#include "conformance/properties/example_generator.h"
#include "conformance/report/replay_line.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

using namespace conformance;
namespace fs = std::filesystem;

namespace {

constexpr double seconds_between_lines = 60;
constexpr double seconds_between_changes_of_the_line = 0.5;

/// All available numbers if only the time is limited.
std::uint64_t number_of_examples(const Search& search) {
  constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t most = last - std::max<std::uint64_t>(search.first, 1) + 1;
  const std::uint64_t examples = search.examples.value_or(search.minutes ? most : std::min(most, default_examples));
  if (examples == 0) throw Exit(nothing_selected, "--examples 0 tries no example");
  if (examples > most)
    throw Exit(usage, fmt::format("--examples {}: from --first {} on there are {}, up to number {}", examples,
                                  search.first, most, last));
  return examples;
}

/// Checks the existing part of the path, because the directory is created only with the first failure. The check
/// creates a directory, because permissions do not show that a file system is read-only.
void check_reproducers_can_be_written(const fs::path& directory) {
  const auto refuse = [&](const fs::path& place, const std::string& why) {
    const std::string in = place == directory ? "" : place.string() + ": ";
    throw Exit(usage, fmt::format("--reproducers {}: {}{}", directory.string(), in, why));
  };
  std::error_code error;
  fs::path present = fs::absolute(directory, error).lexically_normal();
  if (error) refuse(directory, error.message());
  const auto is_missing = [&] {
    const fs::file_type type = fs::symlink_status(present, error).type();
    if (type == fs::file_type::none) refuse(present, error.message());
    return type == fs::file_type::not_found;
  };
  while (present.has_relative_path() && is_missing()) present = present.parent_path();
  if (!fs::is_directory(present, error)) refuse(present, "not a directory");
  std::string probe = (present / ".probe.XXXXXX").string();
  if (::mkdtemp(probe.data()) == nullptr)
    refuse(present, fmt::format("cannot be written to: {}", std::strerror(errno)));
  fs::remove(probe, error);
}

/// On a terminal, a line that is rewritten; elsewhere an occasional new line, because logs of a search may cover hours.
class Progress {
 public:
  void show(double seconds, std::uint64_t tried, std::uint64_t failed) {
    if (seconds - shown_ < (line_.is_shown() ? seconds_between_changes_of_the_line : seconds_between_lines)) return;
    shown_ = seconds;
    const std::string text = fmt::format("{:.1f} min: {} examples, {} failed", seconds / 60, tried, failed);
    line_.is_shown() ? line_.show(text) : print_message(text);
  }

  void make_way() const { line_.show(""); }

 private:
  ProgressLine line_;
  double shown_ = 0;
};

/// An exception here comes from building the example. An exception from a backend would be a failure.
std::optional<Fault> try_number(const Search& search, std::uint64_t number, const std::vector<Subject>& subjects,
                                const SearchEvents& events) try {
  return try_example(random_example(search.seed, number), subjects, search.judge, events.is_stopped);
} catch (const std::exception& error) {
  throw Exit(broken, fmt::format("example {} cannot be tried: {}\nalone: {}", number, error.what(),
                                 search_line(search, number, subjects)));
}

/// Writes the failure before printing it, so that the printed path exists. Prints it even if writing fails. Returns
/// whether it was written.
bool report(const Fault& fault, const Search& search, std::uint64_t number, std::FILE* out) {
  const std::string text = fmt::format("example {} of seed {}: {}", number, search.seed, to_text(fault));
  const std::string notes =
      text + "found, in its environment, by\n" + search_line(search, number, {fault.subject, 1}) + "\n";
  std::string place;
  bool is_written = true;
  try {
    place = "written to " + write_fault(search.reproducers, fault, search.judge, notes).string();
  } catch (const FileError& error) {
    is_written = false;
    place = fmt::format("not written: {}", error.what());
  }
  fmt::print(out, "{}  {} after trying {} simpler ones; {}\n\n", text,
             fault.is_simplest ? "found" : "interrupted, so perhaps not the simplest,", fault.tried,
             printable(place, longest_id));
  std::fflush(out);
  return is_written;
}

}  // namespace

int run_search(const Search& search, const std::vector<Subject>& subjects, const SearchEvents& events, std::FILE* out) {
  const std::uint64_t examples = number_of_examples(search);
  check_reproducers_can_be_written(search.reproducers);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const auto is_late = [&] { return search.minutes && seconds() >= *search.minutes * 60; };

  bool is_asked = false;
  std::vector<Subject> watched = subjects;
  for (Subject& subject : watched)
    subject.answer = [&is_asked, answer = subject.answer](const auto&... of) {
      is_asked = true;
      return answer(of...);
    };

  Progress progress;
  std::uint64_t tried = 0;
  std::uint64_t asked = 0;
  std::uint64_t failed = 0;
  bool has_wrong_answer = false;
  bool is_all_written = true;
  bool is_stopped = false;
  while (tried < examples && failed < search.failures && !is_late()) {
    is_stopped = events.is_stopped();
    if (is_stopped) break;
    const std::uint64_t number = search.first + tried;
    events.before_example(number);
    is_asked = false;
    const std::optional<Fault> fault = try_number(search, number, watched, events);
    ++tried;
    if (is_asked) ++asked;
    if (fault) {
      ++failed;
      has_wrong_answer = has_wrong_answer || fault->judgement.verdict != Verdict::harness_error;
      progress.make_way();
      if (!report(*fault, search, number, out)) is_all_written = false;
    }
    progress.show(seconds(), tried, failed);
  }
  progress.make_way();
  std::vector<std::string> names;
  for (const Subject& subject : subjects) names.push_back(name_of(subject));
  const bool is_left_off = tried < examples && (search.examples || !search.minutes || is_stopped || tried == 0);
  std::string_view why = "";
  if (is_stopped)
    why = "; stopped";
  else if (tried < examples)
    why = failed >= search.failures ? "; the requested number of failures was found" : "; the time limit was reached";
  const std::string not_asked = asked < tried ? fmt::format(", {} not asked (--assume)", tried - asked) : std::string();
  fmt::print(out, "{} examples from {} of seed {} in {:.1f} s, {}: {} failed{}{}\n", tried, search.first, search.seed,
             seconds(), fmt::join(names, ", "), failed, not_asked, why);
  if (is_left_off) fmt::print(out, "the rest: --seed {} --first {}\n", search.seed, search.first + tried);
  if (!is_all_written) return broken;
  if (failed > 0) return has_wrong_answer ? unexpected_result : broken;
  if (is_left_off) return incomplete;
  return asked > 0 ? as_expected : nothing_selected;
}

std::string search_line(const Search& search, std::uint64_t number, std::span<const Subject> subjects) {
  std::string isas;
  for (const Subject& subject : subjects)
    if (subject.isa) isas += fmt::format("{}{}", isas.empty() ? " --isa " : ",", optimized::name(*subject.isa));
  std::string assumed;
  for (const std::string& text : assumptions(subjects.front().assumed))
    assumed += fmt::format(" --assume {}", shell_quoted(text));
  return fmt::format("touchstone-differential --backend {}{}{}{}{} --seed {} --first {} --examples 1",
                     shell_quoted(subjects.front().backend), isas, assumed, search.judge.strict ? " --strict" : "",
                     search.judge.sign_of_zero ? " --sign-of-zero" : "", search.seed, number);
}

}  // namespace touchstone::tools
