// The causes of a run's problems: what a backend does differently, and where.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/contradictions.h"
#include "conformance/run/experiment.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

struct Cause {
  bool is_wrong = false;  ///< a wrong output, an accepted invalid model, a crash or a timeout; otherwise a refusal
  std::string name = {};  ///< of the hypothesis that explains the outputs; empty: there is none
  /// Several hypotheses, the first of which is `name`, if no experiment separates them.
  std::vector<std::string> one_of = {};
  std::string sentence = {};  ///< what the backend does
  std::string where = {};     ///< for which cases; see rules.h. Of graphs also from which level of optimizations on
  /// The right cases elsewhere in which the hypothesis would show. None of them meets `where`.
  std::size_t contradicted_by = 0;
  /// The message that is most typical of these cases, as the first case has it; empty for accepted models.
  std::string message = {};
  std::size_t other_messages = 0;              ///< their number, ignoring numbers, names and types
  std::vector<std::size_t> cases = {};         ///< positions in the records, in ascending order
  std::vector<std::string_view> clauses = {};  ///< that the cases violate
  bool is_by_message = false;  ///< the message distinguishes the cases; `where` is only what they have in common
  bool is_explained = true;    ///< false for cases that neither a rule nor a message distinguishes
  std::string example = {};    ///< the id of the case that shows it best, see example.h
  /// Its element that does: "x 65504, scale 1e-06, zero point 0: expected 127, got -128". Empty if it has none.
  std::string example_element = {};
  std::size_t experiments = 0;  ///< that could have refuted it, and did not
  /// What experiments say: "confirmed by 14 experiments", "not tested: ...", or what they refute. Empty if the cause
  /// claims nothing that could be tested.
  std::string tested = {};
};

/// The causes of all problems among the records: each problem has exactly one. Wrong ones come first, then those with
/// the most cases. Depends only on the arguments and their order.
///
/// Wrong outputs are explained by as few hypotheses as possible. The other wrong outputs, refusals, crashes and
/// timeouts are grouped by rules that hold for no case that the backend answered, and cases that no rule covers by
/// their message. Graphs with a refused operator that is not a quantization operator are grouped by that. Accepted
/// invalid models are grouped by the violated clause, with rules that hold for no such model that the backend rejects.
/// Clauses with few such cases share a cause.
///
/// A hypothesis that an experiment refutes explains no case of the cause that the experiment varies, nor does its
/// combination with other causes. What explains these cases next takes its place.
std::vector<Cause> find_causes(std::span<const CaseRecord> records, std::span<const Contradictions> contradictions = {},
                               std::span<const Experiment> experiments = {});

/// The hypotheses that explain all cases of a cause, alone or together with other causes: its own first, then those
/// that explain the most cases of the run.
std::vector<std::string> rivals(const Cause& cause, std::span<const Cause> causes, std::span<const CaseRecord> records);

/// "x 65504, scale 1e-06, zero point 0: expected 127, got -128"
std::string element_in_words(const WrongElement& wrong);

}  // namespace touchstone::conformance
