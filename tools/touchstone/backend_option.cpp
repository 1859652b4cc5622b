#include "tools/touchstone/backend_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <vector>

#include "conformance/backends/builtin/builtin_backends.h"
#include "conformance/backends/builtin/transform_backend.h"
#include "conformance/backends/limited_backend.h"
#include "conformance/backends/workers/worker_backend.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/diagnose/wrong_backend.h"
#include "conformance/packs/answers_backend.h"
#include "optimized/isa.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/suggestion.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

/// An unavailable instruction set is an error, because the library would silently use another one.
void check_isa() {
  const std::string_view named = optimized::isa_of_environment();
  if (named.empty() || named == optimized::name(optimized::default_isa())) return;
  std::vector<std::string_view> names;
  for (const optimized::Isa isa : {optimized::Isa::portable, optimized::Isa::avx2})
    if (optimized::is_available(isa)) names.push_back(optimized::name(isa));
  throw Exit(usage, fmt::format("TOUCHSTONE_ISA is '{}'; this CPU has {}; unset it to use the best", named,
                                fmt::join(names, ", ")));
}

std::unique_ptr<Backend> wrong_backend(const std::string& name) {
  if (auto models = find_hypothesis(name); !models.empty()) return std::make_unique<WrongBackend>(std::move(models));
  std::vector<std::string_view> names;
  for (const auto& models : {wrong_models(), wrong_graphs()})
    for (const WrongModel& model : models) names.push_back(model.name);
  throw Exit(usage, fmt::format("unknown wrong model '{}'; touchstone list wrong-models prints their names{}", name,
                                did_you_mean(name, names)));
}

/// What the name of a file probably means: "\ndid you mean onnx:my_runtime?" for my_runtime.py; empty if nothing.
std::string did_you_mean_file(const std::string& name) {
  const std::filesystem::path path(name);
  const std::string here = path.has_parent_path() ? name : "./" + name;
  std::error_code error;
  std::string meant;
  if (path.extension() == ".py" || std::filesystem::exists(name + ".py", error)) {
    meant = "onnx:" + path.stem().string();
    if (path.has_parent_path()) meant += fmt::format(" with PYTHONPATH={}", path.parent_path().string());
  } else if (path.filename().string().find(".so") != std::string::npos) {
    meant = "lib:" + here;
  } else if (std::filesystem::is_regular_file(path, error) && ::access(name.c_str(), X_OK) == 0) {
    meant = "exec:" + here;
  }
  return meant.empty() ? "" : fmt::format("\ndid you mean {}?", meant);
}

std::unique_ptr<Backend> backend_in_this_process(const std::string& name) {
  if (name.starts_with(wrong_prefix)) return wrong_backend(name.substr(wrong_prefix.size()));
  if (name.starts_with(answers_prefix)) return std::make_unique<AnswersBackend>(name.substr(answers_prefix.size()));
  if (name == "optimized") check_isa();
  return make_backend(name);
}

}  // namespace

void add_backend_option(CLI::App& command, std::string& backend) {
  std::string help = "The backend to test:";
  for (const BackendInfo& row : builtin_backends()) help += fmt::format("\n  {} ({})", row.name, row.description);
  for (const std::string& name : worker_names()) help += fmt::format("\n  {} ({})", name, worker_description(name));
  help += fmt::format("\n  {}", fmt::join(worker_forms(), "\n  "));
  help += fmt::format("\n  {}DIR (answers to the cases of a pack, as read by touchstone judge)", answers_prefix);
  help += fmt::format(
      "\n  {}NAME (a backend with a known defect: a wrong model of touchstone list wrong-models, or a "
      "rejected reading, AMBIGUITY:READING)",
      wrong_prefix);
  command.add_option("--backend", backend, help)->capture_default_str();
}

void refuse_sandbox(const std::string& backend) {
  throw Exit(usage, fmt::format("--sandbox has no meaning for --backend {}, which runs in this process", backend));
}

void add_judge_options(CLI::App& command, bool& strict, bool& sign_of_zero) {
  command.add_flag("--strict", strict, "Accept only the primary readings of the specification");
  command.add_flag(
      "--sign-of-zero", sign_of_zero,
      "Compare the sign of zero: +0 differs from -0, in generated cases and in those of --data, but not in "
      "graphs, where other operators leave it open");
}

void check_backend(const std::string& name, const WorkerOptions& options) {
  if (!worker_program(name, options)) open_backend(name, options);
}

std::unique_ptr<Backend> open_backend(const std::string& name, const WorkerOptions& options,
                                      const Capabilities& assumed) try {
  std::unique_ptr<Backend> backend = backend_in_this_process(name);
  if (const bool is_emulated = !options.cpu.empty() && !name.starts_with(answers_prefix);
      backend != nullptr && !is_emulated) {
    if (!options.cpu.empty() && name.starts_with(answers_prefix))
      throw Exit(usage, fmt::format("--cpu has no meaning for --backend {}: the answers exist already", name));
    if (options.in_sandbox) refuse_sandbox(name);
    return limited(std::move(backend), assumed);
  }
  if (auto program = worker_program(name, options)) {
    WorkerTimes times;
    times.per_unit =
        std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(options.seconds_for_case()));
    times.start = std::max(times.start, times.per_unit);
    backend = std::make_unique<WorkerBackend>(*std::move(program), times);
    if (name.starts_with(transform_prefix)) backend = std::make_unique<TransformBackend>(std::move(backend));
    return limited(std::move(backend), assumed);
  }
  const std::vector<std::string> workers = worker_names();
  std::vector<std::string_view> names;
  for (const BackendInfo& row : builtin_backends()) names.push_back(row.name);
  names.insert(names.end(), workers.begin(), workers.end());
  throw Exit(usage, fmt::format("unknown backend '{}'; the backends are {}; or\n{}{}{}", name, fmt::join(names, ", "),
                                fmt::join(worker_forms(), "\n"), did_you_mean(name.substr(0, name.find(':')), names),
                                did_you_mean_file(name)));
} catch (const FileError& error) {
  throw Exit(usage, fmt::format("--backend {}: {}", name, error.what()));
}

}  // namespace touchstone::tools
