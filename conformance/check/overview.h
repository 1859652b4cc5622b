// The results of all backends for a user's model: what every report of them says, and the reports as JSON, JUnit and an
// HTML page that draws the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/check/legality.h"
#include "conformance/judge/verdict.h"
#include "conformance/report/layout.h"
#include "conformance/units/unit_cases.h"

namespace touchstone::conformance {

/// What a backend makes of a part of a model.
struct PartResult {
  Verdict verdict = Verdict::not_run;
  AnswerClass answer_class = AnswerClass::undecided;
  std::string reason = {};      ///< what the report says of it
  std::string reproducer = {};  ///< a program that shows it, in the directory of the overview; empty if there is none

  bool is_expected = false;  ///< whether --expectations know the failure

  /// "right", "right *" by a permitted reading, "not run"
  std::string_view words() const;
  Tone tone() const;
};

/// What a backend makes of the parts of a model.
struct CheckedBackend {
  std::string name;
  std::string version;
  std::vector<PartResult> results;         ///< one for each part
  std::vector<std::string> causes = {};    ///< sentences on what it does differently
  std::vector<std::string> readings = {};  ///< sentences on parts that are right by permitted readings
  std::vector<std::string> fixes = {};     ///< settings that were tried, and with which wrong parts are right
  std::string report;                      ///< the directory of its reports, relative to that of the overview
  std::string unfinished = {};             ///< why not all parts were run; empty if they were
};

/// Parts of a model, or its nodes without constants: each is counted once.
struct ResultCounts {
  std::size_t right = 0;
  std::size_t wrong = 0;
  std::size_t refused = 0;
  std::size_t undecided = 0;    ///< could not be judged
  std::size_t not_run = 0;      ///< or the backend is declared not to support it
  std::size_t not_checked = 0;  ///< in no part

  std::size_t judged() const { return right + wrong; }
  void add(const PartResult& result);
};

/// "1 node", "1,234 nodes"
std::string counted(std::size_t count, std::string_view thing);

/// "540 of 553 nodes are judged: 538 right, 2 wrong; 8 undecided, 5 not checked". Of the others, only those that there
/// are.
std::string in_words(const ResultCounts& counts, std::string_view thing);

/// What is said of a model, and of which of its nodes.
struct Remark {
  std::string text;  ///< may have several lines
  std::vector<const ExaminedNode*> nodes = {};

  /// The first of the nodes, and the number of others.
  std::string nodes_text(std::size_t most) const;
};

struct Overview {
  std::string path;  ///< of the model
  const ModelParts& parts;
  const std::vector<ExaminedNode>& nodes;
  std::vector<ExaminedNode> invalid = {};  ///< nodes with other operators
  std::vector<CheckedBackend> backends = {};
  std::uint64_t seed = 0;

  bool is_legal() const;
  /// The number of quantization nodes of which it is not known whether they are legal.
  std::size_t unexamined() const;
  /// "legal, also for ONNX's own checker"
  std::string legality() const;
  /// What makes the model illegal or suspicious.
  std::vector<Remark> remarks() const;
  /// The cells of the legal nodes, see to_string(Cell), with the number of their nodes.
  std::map<std::string, std::size_t> cells() const;
  /// How much of the model is in parts, and why the rest is not: the first line, and then details.
  std::vector<std::string> coverage() const;
  /// What ONNX does not say, and results rest on.
  std::vector<std::string> assumptions() const;
  /// The worst result of each node for a backend, over all parts that have it; none if no part has it. What is
  /// undecided in a window is decided in its units.
  std::map<std::size_t, const PartResult*> results_by_node(const CheckedBackend& backend) const;
  /// Counts the nodes of the model by their worst results.
  ResultCounts count_nodes(const CheckedBackend& backend) const;
  ResultCounts count_parts(const CheckedBackend& backend) const;
  /// "Conv, Relu uint8[1,3,8,8] ×2": its operators, the form of its first operand, and how many like it there are.
  std::string label_of(std::size_t part) const;
  /// The numbers of the parts that are undecided for any of the backends, by the reason. One example stands for reasons
  /// that differ in numbers only.
  std::map<std::string, std::set<std::size_t>> undecided() const;
};

/// An object with "format": 1, documented in conformance/README.md.
std::string overview_json(const Overview& overview);

/// A suite for the model, which fails if it is illegal, and a suite for each backend with a test case for each part.
/// What is refused, not asked or undecided is skipped, and so are the nodes that are in no part.
std::string overview_junit(const Overview& overview);

/// A page without scripts and without references to other hosts: a table with a row for each part and a column for each
/// backend, what is said of the model, and the model as a drawing, see model_drawing.h.
std::string overview_html(const Overview& overview);

}  // namespace touchstone::conformance
