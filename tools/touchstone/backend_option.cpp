#include "tools/touchstone/backend_option.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "conformance/packs/answers_backend.h"
#include "optimized/isa.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

/// The library would take another instruction set than the one that is named; a run is of what was asked for.
void check_isa() {
  const char* named = std::getenv("TOUCHSTONE_ISA");
  if (named == nullptr || named == optimized::name(optimized::default_isa())) return;
  std::vector<std::string_view> names;
  for (const optimized::Isa isa : {optimized::Isa::portable, optimized::Isa::avx2})
    if (optimized::is_available(isa)) names.push_back(optimized::name(isa));
  throw Exit(usage, fmt::format("TOUCHSTONE_ISA is '{}'; there is {} here; unset it to have the best", named,
                                fmt::join(names, ", ")));
}

}  // namespace

void add_backend_option(CLI::App& command, std::string& backend) {
  std::string help = "What is tested:";
  for (const BackendInfo& row : builtin_backends()) help += fmt::format(" {} ({})", row.name, row.description);
  help += fmt::format(" {}DIR (what touchstone judge reads: answers to the cases of a pack)", answers_prefix);
  command.add_option("--backend", backend, help)->capture_default_str();
}

void add_judge_options(CLI::App& command, JudgeOptions& judge) {
  command.add_flag("--strict", judge.strict, "Let only the primary readings of the specification pass");
  command.add_flag("--sign-of-zero", judge.sign_of_zero,
                   "Tell +0 and -0 apart in generated cases, where the specification decides the sign");
}

std::unique_ptr<Backend> open_backend(const std::string& name) try {
  if (name == "optimized") check_isa();
  std::unique_ptr<Backend> backend = make_backend(name);
  if (backend != nullptr) return backend;
  std::vector<std::string_view> names;
  for (const BackendInfo& row : builtin_backends()) names.push_back(row.name);
  throw Exit(usage, fmt::format("there is no backend '{}'; there is {}", name, fmt::join(names, ", ")));
} catch (const FileError& error) {
  throw Exit(usage, fmt::format("--backend {}: {}", name, error.what()));
}

}  // namespace touchstone::tools
