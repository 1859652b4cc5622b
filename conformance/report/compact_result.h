// A compact result: what is kept of a run, in one small JSON file that follows result.schema.json.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/json_text.h"
#include "conformance/report/summary.h"

namespace touchstone::conformance {

/// The version of the format.
inline constexpr int compact_result_format = 1;

/// The most bytes of a compact result.
inline constexpr std::size_t compact_result_bytes = 20'000;

/// The most bytes of the texts in it.
inline constexpr std::size_t longest_result_name = 60;
inline constexpr std::size_t longest_result_text = 200;

/// The names of a row: {"QuantizeLinear", "uint8", "per_tensor", "21"}.
using ResultPath = std::vector<std::string>;

/// The order of the tables of the specification, and of forms; numbers by value; other names by their letters.
struct InSpecOrder {
  bool operator()(const ResultPath& left, const ResultPath& right) const;
};

/// Counts of legal or of illegal models, without verdicts.
using ResultRows = std::map<ResultPath, Counts, InSpecOrder>;

/// &AnswerClassInfo::is_of_legal or &AnswerClassInfo::is_of_illegal.
using OfModels = bool AnswerClassInfo::*;

/// The counts of the classes of legal or of illegal models, in their order, without zeros at the end.
Json counts_json(const Counts& counts, OfModels of_models);

/// The granularity of cases, or the pattern of graphs, of which it is not known.
inline constexpr const char* any_name = "any";
/// The graphs of all patterns that have no row of their own because each of their cases is right.
inline constexpr const char* right_patterns = "all right";
/// The graphs of the patterns that have no row of their own because the file would be too large.
inline constexpr const char* other_patterns = "other patterns";

struct ResultCause {
  bool is_wrong = false;  ///< otherwise it is a refusal
  std::string name = {};  ///< of the hypothesis; may be empty
  std::string sentence = {};
  std::string where = {};
  std::size_t cases = 0;
  std::string example = {};  ///< the id of a case
  std::string element = {};  ///< its first wrong element; may be empty
  std::string from = {};     ///< the lowest level of optimizations that has it; empty if not known
};

struct CompactResult {
  std::string program;  ///< the version of Touchstone
  BackendIdentity backend;
  std::string command;              ///< the value of --backend
  std::string cpu;                  ///< the emulated processor; empty: none
  std::vector<std::string> assume;  ///< the values of --assume
  std::string host;
  std::string finished;   ///< in UTC; empty if not known
  Json plan;              ///< as in report.json: suites, tier, seed, filter, hash, cases
  Json judge;             ///< as in report.json: strict, sign_of_zero
  std::string content;    ///< Summary::content
  std::string journal;    ///< Summary::journal
  Tally total;            ///< of what was run; without verdicts
  std::size_t not_run{};  ///< cases of the plan that are not in the total, or only as undecided
  std::string not_run_reason;

  ResultRows operators;  ///< legal models of one node: operator, quantized type, granularity, version
  ResultRows
      float_types;     ///< the same: type of x of QuantizeLinear or the scale of DequantizeLinear, operator, version
  ResultRows illegal;  ///< illegal models: operator or "graphs", version
  ResultRows graphs;   ///< legal graphs: pattern, "types", quantized type
  ResultRows uses;     ///< legal graphs of what people run: the name of the use
  ResultRows forms;    ///< legal generated cases: form
  std::vector<ResultCause> causes;
  std::size_t more_causes = 0;          ///< that were left out
  std::vector<std::string> more_names;  ///< of these, in their order; not all have one
  /// By ambiguity: the reading that is followed; an array if several explain the results; or an object with the
  /// property that decides ("type": {"uint8, int8": "zero"}), or "differs" or "inconsistent" with an array of these.
  /// Without ambiguities of which nothing is known.
  Json fingerprint = Json::object();

  /// The name that follows that of the backend in the command: "optimized" in "ort:optimized". Empty if there is none,
  /// or if it is a path or a command.
  std::string variant() const;
  bool has_granularities() const;
};

CompactResult compact_result(const RunInfo& run, const Summary& summary, std::span<const CaseRecord> records);

/// The result of report.json or summary.json, which have no granularities and patterns. Throws std::runtime_error.
CompactResult result_of_report(const Json& report);

/// The rows of CompactResult::operators with the granularity any_name.
ResultRows without_granularities(const ResultRows& operators);

/// In ASCII, with at most compact_result_bytes. For that, long texts are cut; graphs share rows; and causes are left
/// out, the last ones first. Only if that is not enough, operators have no granularities, and ambiguities are left out.
std::string to_text(CompactResult result);

/// Reads a compact result, report.json or summary.json. Throws std::runtime_error if the text is neither, has another
/// version, or a member that is missing or wrong.
CompactResult read_result(std::string_view text);

}  // namespace touchstone::conformance
