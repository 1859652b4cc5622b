// Runs next to each other: what each backend gets right, what several do differently, and what only one does.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/compact_result.h"
#include "conformance/run/journal.h"

namespace touchstone::conformance {

/// A run to compare. The journal and the directory are those of a run directory.
struct ComparedRun {
  std::string origin;  ///< the path, as the user gave it
  CompactResult result;
  std::optional<Journal> journal = std::nullopt;
};

/// The run of a journal.
ComparedRun compared_run(std::string origin, Journal journal);

/// Can be moved, but not copied: it has pointers to the causes of its runs.
struct RunComparison {
  std::vector<ComparedRun> runs;
  std::vector<std::string> notes = {};  ///< sentences: what must be known to compare the numbers
  bool has_same_cases = true;           ///< otherwise the numbers are of different cases

  struct Row {
    ResultPath path;
    std::vector<std::optional<Counts>> counts;  ///< of each run; std::nullopt: no case
  };
  std::vector<Row> operators = {};    ///< operator, quantized type, granularity, which may be any_name
  std::vector<Row> versions = {};     ///< the same and versions, where the runs differ: "13", "19 to 21"
  std::vector<Row> float_types = {};  ///< type and operator, where the runs differ
  std::vector<Row> illegal = {};      ///< operator, where the runs differ
  std::vector<Row> uses = {};         ///< graphs of networks
  std::vector<Row> forms = {};        ///< where the runs differ
  std::vector<Row> graphs = {};       ///< pattern, where the runs differ

  /// A cause that some of the runs have: it has the same name, or without a name the same sentence and place.
  struct SharedCause {
    struct Part {
      std::size_t run;
      const ResultCause* cause;
      std::string reproducer = {};  ///< the directory, if there is one
    };
    std::vector<Part> parts;
  };
  std::vector<SharedCause> causes = {};  ///< wrong ones first, then those that the most runs have

  struct Readings {
    std::string ambiguity;
    std::vector<Json> readings;  ///< of each run, as in CompactResult::fingerprint; null: nothing is known
  };
  std::vector<Readings> fingerprint = {};  ///< where the runs differ

  /// Cases of run directories. Nothing if another run is not a directory, or there is only one.
  struct OnlyHere {
    std::size_t run;
    bool is_wrong;                 ///< wrong in this run, right in another one, and wrong in no other; or the opposite
    std::vector<std::string> ids;  ///< not empty
  };
  std::vector<OnlyHere> only_here = {};
};

/// The result of all of these cases: "all right", "wrong", "refused", "not asked", "all rejected"; empty if they have
/// different ones.
std::string_view result_word(const Counts& counts);

/// Takes only the cases that all runs have if they have different ones and all are directories.
RunComparison compare_runs(std::vector<ComparedRun> runs);

/// Whether two results are of the same run.
bool is_same_run(const CompactResult& one, const CompactResult& other);

/// For a terminal; lines of prose may be longer than it is wide. `most`: the cases in a list; 0: all.
std::string comparison_text(const RunComparison& comparison, std::size_t most);
std::string comparison_markdown(const RunComparison& comparison, std::size_t most);
/// In ASCII; with all cases.
std::string comparison_json(const RunComparison& comparison);

}  // namespace touchstone::conformance
