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
  std::string reason = {};  ///< what the report says of it

  /// "right", "not run"
  std::string_view words() const { return verdict == Verdict::not_run ? "not run" : info(answer_class).words; }
  Tone tone() const;
};

/// What a backend makes of the parts of a model.
struct CheckedBackend {
  std::string name;
  std::string version;
  std::vector<PartResult> results;       ///< one for each part
  std::vector<std::string> causes = {};  ///< sentences on what it does differently
  std::vector<std::string> fixes = {};   ///< settings that were tried, and with which wrong parts are right
  std::string report;                    ///< the directory of its reports, relative to that of the overview
  std::string unfinished = {};           ///< why not all parts were run; empty if they were
};

/// The nodes of a model, without constants: each is counted once.
struct NodeCounts {
  std::size_t judged = 0;
  std::size_t undecided = 0;    ///< in a part that could not be judged
  std::size_t not_run = 0;      ///< in a part that was not run, or that the backend is declared not to support
  std::size_t not_checked = 0;  ///< in no part
};

/// "540 of 553 nodes are judged, 8 undecided, 0 not run, 5 not checked"
std::string in_words(const NodeCounts& counts);

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
  std::vector<CheckedBackend> backends = {};
  std::uint64_t seed = 0;

  bool is_legal() const;
  /// The number of quantization nodes of which it is not known whether they are legal.
  std::size_t unexamined() const;
  /// "legal, also for ONNX's own checker"
  std::string legality() const;
  /// What makes the model illegal or suspicious.
  std::vector<Remark> remarks() const;
  /// How much of the model is in parts, and why the rest is not: the first line, and then details.
  std::vector<std::string> coverage() const;
  /// What ONNX does not say, and results rest on.
  std::vector<std::string> assumptions() const;
  /// Counts the nodes of the model by their worst results.
  NodeCounts count_nodes(const CheckedBackend& backend) const;
  /// The numbers of the parts that are undecided for any of the backends, by the reason.
  std::map<std::string, std::set<std::size_t>> undecided() const;
};

/// An object with "format": 1, documented in conformance/README.md.
std::string overview_json(const Overview& overview);

/// A suite for the model, which fails if it is illegal, and a suite for each backend with a test case for each part.
/// What is refused, not asked or undecided is skipped, and so are the nodes that are in no part.
std::string overview_junit(const Overview& overview);

/// A page without scripts and without references to other hosts. Each node of the model is a row, from its first to its
/// last one; lines connect it with the nodes whose outputs it reads, and its color is the worst result of a part that
/// has it.
std::string overview_html(const Overview& overview);

}  // namespace touchstone::conformance
