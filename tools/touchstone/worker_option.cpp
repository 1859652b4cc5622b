#include "tools/touchstone/worker_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>

#include "conformance/backends/backend.h"
#include "conformance/backends/builtin/builtin_backends.h"
#include "conformance/backends/workers/pipe.h"
#include "conformance/diagnose/wrong_backend.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/emulation.h"
#include "tools/touchstone/installation.h"
#include "tools/touchstone/shell_words.h"

namespace touchstone::tools {

using conformance::Program;
using conformance::WorkerOptions;
namespace fs = std::filesystem;

namespace {

struct Form {
  std::string_view prefix;
  std::string_view metavariable;
  std::string_view description;
  Program (*program)(const std::string& rest, const WorkerOptions& options);
};

/// The directory in the program's installation, or else in its source tree; empty if neither exists.
fs::path find_shared(const fs::path& installed, [[maybe_unused]] const fs::path& source) {
  if (fs::path place = find_installed(installed); !place.empty()) return place;
#ifdef TOUCHSTONE_SOURCE_DIR
  std::error_code error;
  const fs::path place = fs::path(TOUCHSTONE_SOURCE_DIR) / "tools" / source;
  if (fs::is_directory(place, error)) return place;
#endif
  return {};
}

Program command_line(const std::string& command, const WorkerOptions&) {
  try {
    return {.arguments = shell_words(command)};
  } catch (const std::exception& error) {
    throw Exit(usage, fmt::format("--backend exec:{}: {}", command, error.what()));
  }
}

/// Appends the package to PYTHONPATH.
Program python_worker(const std::vector<std::string>& arguments, const WorkerOptions& options) {
  const bool is_named = options.python != WorkerOptions{}.python;
  Program program{.arguments = {is_named ? options.python : default_python(), "-B", "-m", "touchstone.worker"}};
  program.arguments.insert(program.arguments.end(), arguments.begin(), arguments.end());
  const fs::path package = find_shared("python", "python/src");
  if (package.empty()) return program;
  const char* before = std::getenv("PYTHONPATH");
  const std::string path = before != nullptr && *before != '\0' ? std::string(before) + ':' : "";
  program.environment = {fmt::format("PYTHONPATH={}{}", path, package.string())};
  return program;
}

Program python_module(const std::string& name, const WorkerOptions& options) { return python_worker({name}, options); }

Program python_transform(const std::string& name, const WorkerOptions& options) {
  return python_worker({"--transform", name}, options);
}

/// This program in another process.
Program served(const std::string& backend) { return {.arguments = {"/proc/self/exe", "serve", "--backend", backend}}; }

Program library(const std::string& path, const WorkerOptions&) { return served("lib:" + path); }

constexpr std::array forms{
    Form{"exec:", "COMMAND", "a program that uses the worker protocol, with its arguments; no shell", command_line},
    Form{"lib:", "PATH", "a shared library with the functions of touchstone_backend.h", library},
    Form{"onnx:", "MODULE[:ATTR][@DEVICE]", "a Python backend with the interface onnx.backend.base.Backend",
         python_module},
    Form{transform_prefix, "MODULE:FUNCTION",
         "a Python function that rewrites an onnx.ModelProto; the reference runs what it returns", python_transform},
};

/// The program, before the options that do not depend on the form of the value are added.
std::optional<Program> program_of(const std::string& backend, const WorkerOptions& options) {
  for (const Form& form : forms) {
    if (!backend.starts_with(form.prefix)) continue;
    const std::string rest = backend.substr(form.prefix.size());
    if (form.prefix == transform_prefix && rest.find(':') == std::string::npos) continue;  // one that has a name
    if (rest.find_first_not_of(" \t\n") == std::string::npos)
      throw Exit(usage, fmt::format("--backend {}: {} is missing", backend, form.metavariable));
    return form.program(rest, options);
  }
  const std::size_t colon = backend.find(':');
  const std::string wanted = backend.substr(0, colon);
  for (const std::string& known : worker_names()) {
    if (known != wanted) continue;
    Program program{.arguments = {(backends_directory() / known / "worker").string()}};
    if (colon != std::string::npos) program.arguments.push_back(backend.substr(colon + 1));
    if (options.python != WorkerOptions{}.python) program.environment = {"TOUCHSTONE_PYTHON=" + options.python};
    return program;
  }
  const bool is_of_this_program =
      backend.starts_with(conformance::wrong_prefix) ||
      std::ranges::find(conformance::builtin_backends(), backend, &conformance::BackendInfo::name) !=
          conformance::builtin_backends().end();
  return is_of_this_program && !options.cpu.empty() ? std::optional(served(backend)) : std::nullopt;
}

/// Whether bubblewrap is installed, and the system and the container permit PID namespaces.
bool has_pid_namespaces() {
  static const bool has = [] {
    try {
      const conformance::FileDescriptor nothing = conformance::open_null();
      const conformance::ProcessTree attempt({.arguments = {"true"}, .in_pid_namespace = true},
                                             {nothing.get(), nothing.get(), nothing.get()});
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      while (!attempt.has_ended() && std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return attempt.exited_cleanly();
    } catch (const conformance::BackendError&) {
      return false;
    }
  }();
  return has;
}

/// The lines of a file in the directory of a named backend, without comments; none for another backend.
std::vector<std::string> lines_of(const std::string& backend, const char* file) {
  const fs::path directory = backends_directory();
  if (directory.empty()) return {};
  std::ifstream lines(directory / backend.substr(0, backend.find(':')) / file);
  std::vector<std::string> kept;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && !line.starts_with('#')) kept.push_back(line);
  return kept;
}

constexpr const char* levels_file = "levels";

/// The first word of a text, and what follows it.
std::pair<std::string, std::string> first_word(const std::string& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  return {text.substr(0, end), text.substr(std::min(text.find_first_not_of(' ', end), text.size()))};
}

/// The first word of each line, and what follows it.
std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& backend, const char* file) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& line : lines_of(backend, file))
    if (auto pair = first_word(line); !pair.second.empty()) pairs.push_back(std::move(pair));
  return pairs;
}

}  // namespace

fs::path backends_directory() {
  if (const char* named = std::getenv("TOUCHSTONE_BACKENDS"); named != nullptr && *named != '\0') return named;
  return find_shared("backends", "backends");
}

void add_worker_options(CLI::App& command, WorkerOptions& options) {
  command
      .add_option(
          "--timeout", options.timeout,
          "Time limit in seconds for a case of a backend in its own process; the limit for its start is at least 60")
      ->check(CLI::Range(conformance::shortest_timeout, conformance::longest_timeout))
      ->capture_default_str();
  command
      .add_option("--memory-limit", options.memory_limit,
                  "Address space of a backend in its own process, for example 4GB; 0: no limit")
      ->transform(CLI::AsSizeValue(false))
      ->check(
          CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 60))  // CLI11 converts a negative number to a very large one
      ->capture_default_str();
  command
      .add_option(
          "--python", options.python,
          "The Python for onnx:MODULE or a named backend. By default that of the virtual environment that contains "
          "touchstone, or else python3; a named backend has its own")
      ->capture_default_str();
  command
      .add_option("--pass-env", options.passed_variables,
                  "An environment variable that a backend in its own process gets in addition to the usual ones, which "
                  "are the paths, the locale, and those of Python, of devices and of runtimes; may be given more than "
                  "once")
      ->type_name("NAME")
      ->allow_extra_args(false);
  CLI::Option* sandbox =
      command.add_flag("--sandbox", options.in_sandbox,
                       "Run a backend in its own process without network and devices, where it can write only to a "
                       "temporary directory; needs bubblewrap (bwrap)");
  command
      .add_flag("--no-sandbox", options.without_sandbox,
                "Let a backend in its own process see other processes. By default it runs in a PID namespace if "
                "bubblewrap is installed and the system permits it")
      ->excludes(sandbox);
  command.add_flag("--show-ids", options.shows_ids,
                   "For debugging: requests to a backend in its own process contain the ids of the cases, which tell "
                   "what must be refused. By default they contain numbers. Reports say that it was used");
}

std::vector<std::string> worker_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(backends_directory(), error))
    if (::access((entry.path() / "worker").c_str(), X_OK) == 0) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> lower_levels_of(const std::string& backend) {
  std::vector<std::string> levels = lines_of(backend, levels_file);
  const auto own = std::ranges::find(levels, backend);
  if (own == levels.end()) return {};
  levels.erase(own, levels.end());
  return levels;
}

std::string worker_description(const std::string& name) {
  std::vector<std::string> levels = lines_of(name, levels_file);
  std::erase(levels, name);
  return fmt::format("in its own process{}{}", levels.empty() ? "" : "; also ", fmt::join(levels, ", "));
}

std::string usual_level_of(const std::string& backend) {
  if (backend.find(':') != std::string::npos) return backend;
  const std::vector<std::string> levels = lines_of(backend, levels_file);
  return levels.empty() || levels.front() != backend ? backend : levels.back();
}

std::vector<Repair> repairs_of(const std::string& backend) {
  std::vector<Repair> repairs;
  for (auto& [variant, setting] : pairs_of(backend, "repairs")) repairs.push_back({variant, setting});
  return repairs;
}

std::vector<UpstreamReport> upstream_reports_of(const std::string& backend) {
  std::vector<UpstreamReport> reports;
  for (auto& [report, cause] : pairs_of(backend, "upstream")) reports.push_back({report, cause});
  return reports;
}

std::vector<MissingRelease> missing_releases_of(const std::string& backend) {
  std::vector<MissingRelease> releases;
  for (const auto& [variant, rest] : pairs_of(backend, "missing")) {
    const auto [version, reason] = first_word(rest);
    releases.push_back({variant, version, reason});
  }
  for (const auto& [requirement, hash] : pairs_of(backend, "releases.txt")) {
    const std::string version = requirement.substr(requirement.rfind('=') + 1);
    if (std::ranges::none_of(releases,
                             [&](const auto& one) { return one.backend == backend && one.version == version; }))
      releases.push_back({backend, version, "not run"});
  }
  return releases;
}

std::vector<std::string> worker_forms() {
  std::vector<std::string> texts;
  for (const Form& form : forms)
    texts.push_back(fmt::format("{}{} ({})", form.prefix, form.metavariable, form.description));
  return texts;
}

std::optional<Program> worker_program(const std::string& backend, const WorkerOptions& options) {
  std::optional<Program> program = program_of(backend, options);
  if (!program) return std::nullopt;
  if (!options.cpu.empty()) emulate(*program, options.cpu);
  for (const std::string& name : options.passed_variables)
    if (std::getenv(name.c_str()) == nullptr)
      throw Exit(usage, fmt::format("--pass-env {}: the environment has no variable of this name", name));
  program->passed_variables = options.passed_variables;
  program->in_sandbox = options.in_sandbox;
  program->in_pid_namespace = !options.in_sandbox && !options.without_sandbox && has_pid_namespaces();
  program->shows_ids = options.shows_ids;
  if (options.memory_limit > 0) program->memory_limit = options.memory_limit;
  return program;
}

}  // namespace touchstone::tools
