#include "conformance/report/causes_text.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>

#include "conformance/backends/assumptions.h"
#include "conformance/files/file_error.h"
#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/support.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t shown_causes = 12;
constexpr std::size_t longest_message = 100;

}  // namespace

std::string causes_headline(const Summary& summary) {
  const std::vector<Cause>& causes = summary.causes;
  if (causes.empty()) return "";
  std::size_t explained = 0;
  std::size_t problems = 0;
  for (const Cause& cause : causes) {
    problems += cause.cases.size();
    if (cause.is_explained) explained += cause.cases.size();
  }
  const auto known = std::ranges::count_if(causes, &Cause::is_explained);
  const auto wrong =
      std::ranges::count_if(causes, [](const Cause& cause) { return cause.is_explained && cause.is_wrong; });
  if (known == 0)
    return fmt::format("{} {} without a known cause", with_commas(problems), problems == 1 ? "problem" : "problems");
  return fmt::format("{} {} {} of {} problems; {} of them {}", known, known == 1 ? "cause explains" : "causes explain",
                     with_commas(explained), with_commas(problems), wrong,
                     wrong == 1 ? "is a wrong result" : "are wrong results");
}

std::string violated_clauses(const Cause& cause) {
  std::vector<std::string_view> clauses = cause.clauses;
  std::erase_if(clauses, [&](std::string_view clause) {
    return cause.sentence.find(clause) != std::string::npos || cause.where.find(clause) != std::string::npos;
  });
  if (clauses.empty()) return "";
  return fmt::format("{} {}", clauses.size() == 1 ? "clause" : "clauses", fmt::join(clauses, ", "));
}

std::string render_causes(const Summary& summary, Color color) {
  if (summary.causes.empty()) return "";
  std::string text = causes_headline(summary) + "\n\n";
  const std::size_t shown = std::min(summary.causes.size(), shown_causes);
  for (std::size_t i = 0; i < shown; ++i) {
    const Cause& cause = summary.causes[i];
    const fmt::text_style tone = color == Color::never ? fmt::text_style()
                                 : cause.is_wrong      ? fg(fmt::terminal_color::red)
                                                       : fg(fmt::terminal_color::yellow);
    text += fmt::format(
        "{:3}  {}  {:>7} {}  {}\n", i + 1, fmt::format(tone, "{:7}", cause.is_wrong ? "wrong" : "refused"),
        with_commas(cause.cases.size()), cause.cases.size() == 1 ? "case " : "cases", displayed_line(cause.sentence));
    const auto line = [&](const std::string& part) { text += fmt::format("{:29}{}\n", "", displayed_line(part)); };
    line(cause.where);
    if (!cause.tested.empty()) line(cause.tested);
    if (!cause.example_element.empty()) line(cause.example_element);
    if (!cause.message.empty() && cause.example_element.empty()) {
      line(fmt::format("\"{}\"", printable(cause.message, longest_message)));
      if (cause.other_messages > 0)
        line(fmt::format("and {} other {}", cause.other_messages, cause.other_messages == 1 ? "message" : "messages"));
    }
    if (const std::string clauses = violated_clauses(cause); !clauses.empty()) line(clauses);
    line(cause.example);
  }
  if (shown < summary.causes.size())
    text += fmt::format("\n... and {} more, in report.md\n", summary.causes.size() - shown);
  return text;
}

std::string assume_options(const Summary& summary) {
  std::vector<std::string> options;
  for (const std::string& text : assumptions(summary.limits)) options.push_back("--assume " + text);
  return fmt::format("{}", fmt::join(options, " "));
}

std::string render_support(const Summary& summary) {
  std::string text;
  for (const Support& row : supported(summary)) text += fmt::format("  {}\n", displayed_line(in_words(row)));
  if (text.empty()) return "";
  text.insert(0, "supported\n");
  if (const std::string options = assume_options(summary); !options.empty())
    text += fmt::format(
        "  a run with these options does not ask for types, opsets and forms that were always refused:\n    {}\n",
        options);
  return text;
}

}  // namespace touchstone::conformance
