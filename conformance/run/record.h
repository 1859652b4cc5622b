// The record of a case: everything that reports are made of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/sha256.h"
#include "conformance/judge/verdict.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/code_interval.h"
#include "conformance/plan/shared.h"
#include "conformance/run/wrong_element.h"
#include "spec/clause.h"

namespace touchstone::conformance {

/// The time that a case took. It does not belong to the result, so any two are equal.
struct CaseTime {
  std::int64_t microseconds = 0;

  bool operator==(const CaseTime&) const { return true; }
};

struct CaseRecord {
  SharedText id;
  Verdict verdict = Verdict::not_run;
  bool declined = false;       ///< not asked, because the backend is declared or assumed not to support such models
  std::uint32_t data_set = 0;  ///< of the wrong elements
  SharedText reason;           ///< one line; empty for a pass

  /// The operator version and opset of the model. False if the model is a graph or could not be read.
  struct Subject {
    const OperatorVersion* version = nullptr;
    int opset = 0;
    ElementType quantized_type = {};

    explicit operator bool() const { return version != nullptr; }
    bool operator==(const Subject&) const = default;
  };
  Subject subject;
  Shared<std::vector<std::int64_t>> shape;                 ///< of x in the first data set; empty for a scalar
  Shared<std::map<std::string, std::int64_t>> attributes;  ///< that the model's node has, if they are integers
  SharedText form;                                         ///< for a generated case: how its operands reach the backend
  Shared<std::vector<Cell>> cells;  ///< the lattice's cells that the data sets cover; empty for a must-reject case
  Shared<std::vector<std::string_view>> clauses;  ///< ids of the clauses that the case exercises
  const spec::Clause* violated = nullptr;         ///< for a must-reject case
  /// For a pass_variant or rejects_variant: the readings that explain the answers.
  Shared<std::vector<ReadingId>> readings;

  Shared<CodeIntervals>
      covered;  ///< for a case of the tier exhaustive whose outputs were compared: all these codes, combined

  std::int64_t elements = 0;  ///< of all outputs that the specification requires
  std::int64_t masked = 0;    ///< those whose value the specification leaves open
  Sha256 digest = {};  ///< see case_digest: the same id with another digest is another case; zero if it could not
                       ///< be read
  std::uint64_t output_digest = 0;  ///< of the backend's answer, see answer_digest; 0 if it was not asked

  WrongElements wrong_elements;  ///< the first ones

  /// For a `fail`: the names of the hypotheses that explain all outputs, see diagnose/hypotheses.h; the simplest first.
  /// For a `pass_variant` by another precision of products: those of graphs.
  Shared<std::vector<std::string>> hypotheses;

  /// For a refused graph: an operator in it, between the quantization operators, that the backend also refuses alone,
  /// with its types; see single_nodes.h.
  SharedText refused_operator;

  /// For a wrong graph: the lowest level of optimizations from which on the backend gives this answer, and the level
  /// below, which gives another one. Empty if not known; the latter also if all levels give this answer.
  SharedText lowest_level;
  SharedText level_below;
  bool wrong_below = false;  ///< the answer of `level_below` is another wrong one

  /// For a wrong case of an emulated processor: its name, if the backend gives another answer on the host itself.
  SharedText only_as;

  SharedText flaky;   ///< the result of running the case again, if it differs
  SharedText output;  ///< the end of what the backend printed during the case, if the case failed
  CaseTime time;      ///< only in the journal

  bool must_reject() const { return violated != nullptr; }
  /// The id of the clause that a must-reject case violates; otherwise empty.
  std::string_view violated_id() const { return violated != nullptr ? violated->id : std::string_view(); }
  AnswerClass answer_class() const { return conformance::answer_class(verdict, must_reject(), declined); }
  /// Whether the case is wrong or refused, or could not be run or judged.
  bool is_problem() const { return !declined && !is_permitted(verdict); }
  bool operator==(const CaseRecord&) const = default;
};

/// Lists of clauses that records share.
using ClauseLists = Pool<Shared<std::vector<std::string_view>>>;

/// Lets records that are kept together share what they have in common.
class RecordPool {
 public:
  void share(CaseRecord& record) {
    reasons_.share(record.reason);
    shapes_.share(record.shape);
    attributes_.share(record.attributes);
    forms_.share(record.form);
    cells_.share(record.cells);
    clauses_.share(record.clauses);
    readings_.share(record.readings);
    hypotheses_.share(record.hypotheses);
    operators_.share(record.refused_operator);
    levels_.share(record.lowest_level);
    levels_.share(record.level_below);
    levels_.share(record.only_as);
  }

 private:
  Pool<SharedText> reasons_;
  Pool<Shared<std::vector<std::int64_t>>> shapes_;
  Pool<Shared<std::map<std::string, std::int64_t>>> attributes_;
  Pool<SharedText> forms_;
  Pool<Shared<std::vector<Cell>>> cells_;
  ClauseLists clauses_;
  Pool<Shared<std::vector<ReadingId>>> readings_;
  Pool<Shared<std::vector<std::string>>> hypotheses_;
  Pool<SharedText> operators_;
  Pool<SharedText> levels_;
};

}  // namespace touchstone::conformance
