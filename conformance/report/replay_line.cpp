#include "conformance/report/replay_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>

#include "conformance/backends/builtin/optimized_backend.h"
#include "conformance/files/limits.h"
#include "conformance/files/text.h"
#include "conformance/suites/suites.h"

namespace touchstone::conformance {

namespace {

bool is_plain(char character) {
  constexpr std::string_view others = "%+,-./:=@_";
  const bool is_letter = ('a' <= character && character <= 'z') || ('A' <= character && character <= 'Z');
  return is_letter || ('0' <= character && character <= '9') || others.find(character) != std::string_view::npos;
}

std::string single_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char character : text)
    if (character == '\'')
      quoted += R"('\'')";
    else
      quoted += character;
  return quoted + '\'';
}

/// The shell removes line feeds at the end of a command's output, so a name that ends in one cannot be produced.
std::string printed(const std::string& text) {
  std::string quoted = "\"$(printf '";
  for (const char character : text)
    quoted += is_plain(character) && character != '%' && character != '-'
                  ? std::string(1, character)
                  : fmt::format("\\{:03o}", static_cast<unsigned char>(character));
  return quoted + "')\"";
}

/// The assumptions; for suites with forms, also the limits that the backend declares for forms, so that a backend that
/// does not declare them gets the same case.
Capabilities needed_for(const RunInfo& run, const SuiteInfo& suite) {
  Capabilities needed = run.assumed;
  if (suite.reads_files) return needed;
  needed.constant_scales_only = run.form_limits().constant_scales_only;
  needed.static_shapes_only = run.form_limits().static_shapes_only;
  return needed;
}

/// Those of the chosen options that differ from the default.
template <class IsChosen>
std::string options_text(const RunInfo& run, const IsChosen& is_chosen) {
  constexpr std::array<std::string_view, 3> always_shown{"--backend", "--tier", "--seed"};
  std::string text;
  const auto add = [&](const RunOption& option, const auto& value, const auto& by_default) {
    const bool is_needed = value != by_default || std::ranges::find(always_shown, option.name) != always_shown.end();
    if (!is_needed || !is_chosen(option)) return;
    if constexpr (std::is_same_v<decltype(value), const bool&>) {
      text += fmt::format(" {}", option.name);
    } else {
      for (const std::string& one : option_values(value)) text += fmt::format(" {} {}", option.name, shell_quoted(one));
    }
  };
  const RunInfo by_default;
  visit_run_options(add, run, by_default);
  return text.substr(1);
}

}  // namespace

std::string shell_quoted(const std::string& text) {
  const std::string kept = valid_utf8(text);
  if (displayed_line(kept) != kept) return printed(kept);
  const bool is_a_word = !kept.empty() && std::all_of(kept.begin(), kept.end(), is_plain);
  return is_a_word ? kept : single_quoted(kept);
}

std::string replay_line(const RunInfo& run, const std::string& id) {
  return fmt::format("{}touchstone replay {} {}", isa_prefix(run.backend), shell_quoted(id), replay_options(run, id));
}

std::string replay_options(const RunInfo& run, const std::string& id) {
  const SuiteInfo& suite = suite_of(id);
  RunInfo one = run;
  one.suites = {std::string(suite.name)};
  one.assumed = needed_for(run, suite);
  return options_text(one, [&](const RunOption& option) {
    const std::string_view name = option.name;
    if (name == "--tier" || name == "--seed") return !suite.reads_files;
    if (name == "--examples") return suite.name == random_suite;
    if (name == "--dim" || name == "--inputs") return suite.name == model_suite;
    if (name == "--data" || name == "--follow-symlinks") return suite.reads_files;
    return name != "--filter" && name != "--last-failed" && option.determines != Determines::results;
  });
}

std::string environment_prefix(const RunInfo& run) {
  std::string limits;
  for (const auto& [name, value] : run.changed_limits)
    limits += fmt::format("{}{}={}", limits.empty() ? "" : ",", name, value);
  if (!limits.empty()) limits = fmt::format("{}={} ", limits_variable, shell_quoted(limits));
  return limits + isa_prefix(run.backend);
}

std::string run_line(const RunInfo& run) {
  return fmt::format("{}touchstone run {}", environment_prefix(run),
                     options_text(run, [](const RunOption&) { return true; }));
}

}  // namespace touchstone::conformance
