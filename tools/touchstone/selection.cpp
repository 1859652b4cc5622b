#include "tools/touchstone/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/plan/filter.h"
#include "conformance/plan/onnx_suite.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

void add_selection_options(CLI::App& command, Selection& selection) {
  command
      .add_option(
          "--suite", selection.suite,
          "The suite of cases: " +
              [] {
                std::string names;
                for (const conformance::SuiteInfo& suite : conformance::suites())
                  names += fmt::format("{} ({})", suite.name, suite.description);
                return names;
              }())
      ->capture_default_str();
  command.add_option(
      "--data", selection.data,
      "A directory of ONNX backend tests, or of directories of them; by default what tools/setup fetched");
  command
      .add_option("--filter", selection.filter,
                  "Only the cases whose id matches: patterns as GoogleTest has them, A:B-C for A and B without C, "
                  "with * for any text and ? for one character")
      ->capture_default_str();
}

std::vector<conformance::PlannedCase> plan(const Selection& selection) {
  const conformance::SuiteInfo* suite = conformance::find_suite(selection.suite);
  if (suite == nullptr) {
    std::vector<std::string_view> names;
    for (const conformance::SuiteInfo& row : conformance::suites()) names.push_back(row.name);
    throw Exit(usage, fmt::format("there is no suite '{}'; there is {}", selection.suite, fmt::join(names, ", ")));
  }
  const bool is_default = selection.data.empty();
  const std::filesystem::path data =
      is_default ? conformance::default_onnx_tests() : std::filesystem::path(selection.data);
  std::error_code error;
  if (!std::filesystem::is_directory(data, error))
    throw Exit(is_default ? broken : usage,
               is_default ? fmt::format("ONNX's tests are not in {}: run tools/setup, or name a directory with --data",
                                        data.string())
                          : fmt::format("--data {}: no such directory", data.string()));
  try {
    return suite->plan({data});
  } catch (const conformance::FileError& file_error) {
    throw Exit(broken, file_error.what());
  }
}

std::vector<conformance::PlannedCase> select(const Selection& selection) {
  std::vector<conformance::PlannedCase> cases = plan(selection);
  const std::size_t all = cases.size();
  const conformance::Filter filter(selection.filter);
  std::erase_if(cases, [&](const conformance::PlannedCase& planned) { return !filter.takes(planned.id); });
  if (cases.empty())
    throw Exit(nothing_selected,
               fmt::format("--filter '{}' selects none of the {} cases of the suite {}; touchstone list shows them",
                           selection.filter, all, selection.suite));
  return cases;
}

}  // namespace touchstone::tools
