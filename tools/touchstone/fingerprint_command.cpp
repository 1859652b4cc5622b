// touchstone fingerprint: which readings the backend of a run follows.
#include <fmt/format.h>

#include "conformance/files/text.h"
#include "conformance/report/format.h"
#include "conformance/report/readings_text.h"
#include "conformance/session/output_directory.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

struct FingerprintOptions {
  std::string directory;
  std::string format = "text";
};

int fingerprint_command(const FingerprintOptions& options) {
  const Journal journal = read_run(options.directory);
  if (!journal.run.shard.is_whole())
    throw Exit(incomplete,
               fmt::format("{} is the shard {}, and only the run of all shards has a fingerprint: touchstone "
                           "merge makes it",
                           options.directory, to_string(journal.run.shard)));
  if (!journal.fingerprint)
    throw Exit(incomplete, fmt::format("{} has no fingerprint: the run was killed, or an older version made it; "
                                       "touchstone run --resume finishes it",
                                       options.directory));
  if (options.format == "json") {
    fmt::print("{}", json_fingerprint(*journal.fingerprint));
    return as_expected;
  }
  fmt::print("{}, tier {}: {}", displayed_line(title(journal.run.backend)), displayed_line(journal.run.tier),
             render_fingerprint(*journal.fingerprint));
  return as_expected;
}

}  // namespace

void add_fingerprint_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<FingerprintOptions>();
  CLI::App* command = app.add_subcommand("fingerprint", "Print which readings the backend of a run follows");
  command->add_option("directory", options->directory, "Where the run's journal is: touchstone run --output")
      ->type_name("DIR")
      ->required();
  add_choice_option(*command, "--format", options->format, "text, or json: the member of report.json",
                    {"text", "json"});
  command->footer(
      "For each ambiguity: the readings that explain the right cases, the number of cases that rule out a permitted "
      "reading, and the first of them. touchstone explain AMBIGUITY describes the readings.\n"
      "\n"
      "Exit codes: 0 the fingerprint was printed; 2 usage, or no journal; 3 the journal is corrupt; 4 the run has "
      "none.\n"
      "\n"
      "Examples:\n"
      "  touchstone fingerprint touchstone-report\n"
      "  touchstone fingerprint touchstone-report --format json\n");
  command->callback([options, &exit_code] { exit_code = fingerprint_command(*options); });
}

}  // namespace touchstone::tools
