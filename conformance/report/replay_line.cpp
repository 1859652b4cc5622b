#include "conformance/report/replay_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "conformance/backends/assumptions.h"
#include "conformance/files/limits.h"
#include "conformance/files/text.h"
#include "conformance/plan/planned_case.h"
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

/// The options that affect answers and verdicts, for any source of cases.
std::string further_options(const RunInfo& run, const Capabilities& assumed) {
  std::string options;
  const WorkerOptions by_default;
  if (run.worker.timeout != by_default.timeout) options += fmt::format(" --timeout {}", run.worker.timeout);
  if (run.worker.memory_limit != by_default.memory_limit)
    options += fmt::format(" --memory-limit {}", run.worker.memory_limit);
  if (run.worker.python != by_default.python) options += fmt::format(" --python {}", shell_quoted(run.worker.python));
  for (const std::string& name : run.worker.passed_variables)
    options += fmt::format(" --pass-env {}", shell_quoted(name));
  if (run.worker.in_sandbox) options += " --sandbox";
  for (const std::string& text : assumptions(assumed)) options += fmt::format(" --assume {}", shell_quoted(text));
  if (run.strict) options += " --strict";
  if (run.sign_of_zero) options += " --sign-of-zero";
  return options;
}

}  // namespace

std::string shell_quoted(const std::string& text) {
  const std::string kept = valid_utf8(text);
  if (displayed_line(kept) != kept) return printed(kept);
  const bool is_a_word = !kept.empty() && std::all_of(kept.begin(), kept.end(), is_plain);
  return is_a_word ? kept : single_quoted(kept);
}

std::string replay_line(const RunInfo& run, const std::string& id) {
  return fmt::format("touchstone replay {} {}", shell_quoted(id), replay_options(run, id));
}

std::string replay_options(const RunInfo& run, const std::string& id) {
  const SuiteInfo& suite = suite_of(id);
  std::string options = fmt::format("--backend {} --suite {}", shell_quoted(run.backend_option), suite.name);
  if (!suite.reads_files)
    options += fmt::format(" --tier {} --seed {}", shell_quoted(run.tier), run.seed);
  else if (!run.data.empty())
    options += fmt::format(" --data {}", shell_quoted(run.data));
  if (suite.reads_files && run.follow_symlinks) options += " --follow-symlinks";
  return options + further_options(run, needed_for(run, suite));
}

std::string limits_prefix(const RunInfo& run) {
  std::string text;
  for (const auto& [name, value] : run.changed_limits)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  return text.empty() ? "" : fmt::format("{}={} ", limits_variable, shell_quoted(text));
}

std::string run_line(const RunInfo& run) {
  std::string line = fmt::format("{}touchstone run --backend {}", limits_prefix(run), shell_quoted(run.backend_option));
  for (const std::string& suite : run.suites) line += fmt::format(" --suite {}", shell_quoted(suite));
  line += fmt::format(" --tier {} --seed {}", shell_quoted(run.tier), run.seed);
  if (run.filter != "*") line += fmt::format(" --filter {}", shell_quoted(run.filter));
  if (!run.data.empty()) line += fmt::format(" --data {}", shell_quoted(run.data));
  if (run.follow_symlinks) line += " --follow-symlinks";
  line += further_options(run, run.assumed);
  for (const std::string& level : run.lower_levels) line += fmt::format(" --lower-level {}", shell_quoted(level));
  if (!run.require.empty()) line += fmt::format(" --require {}", shell_quoted(run.require));
  return line;
}

}  // namespace touchstone::conformance
