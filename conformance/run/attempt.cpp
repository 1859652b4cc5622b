#include "conformance/run/attempt.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "conformance/diagnose/hypotheses.h"
#include "conformance/judge/digests.h"
#include "reference/graph/positions.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

std::optional<ElementCode> element(const Tensor& tensor, std::int64_t index) {
  return ElementCode{tensor.type(), tensor.code(index)};
}

/// The number of the block along the dimension in which several consecutive elements share a scale. If every block has
/// one element, that is the axis which the node names.
std::optional<std::int64_t> block_of(const std::vector<std::int64_t>& position, const Node& node,
                                     const reference::ParameterMap& map) {
  if (map.granularity != Granularity::blocked) return std::nullopt;
  for (std::size_t d = 0; d < position.size(); ++d)
    if (const reference::DimensionSharing& dimension = map.scale.dimensions[d]; dimension.block > 1)
      return position[d] / dimension.block;
  const spec::Attribute* row = reference::operator_version(node).attribute(AttributeMeaning::axis);
  if (row == nullptr) return std::nullopt;
  const auto given = node.attributes.find(std::string(row->name));
  std::int64_t axis =
      given != node.attributes.end() ? std::get<std::int64_t>(given->second) : row->default_value.value();
  const auto rank = static_cast<std::int64_t>(position.size());
  if (axis < 0) axis += rank;
  return 0 <= axis && axis < rank ? std::optional(position[static_cast<std::size_t>(axis)]) : std::nullopt;
}

WrongElement unexplained(const ElementDifference& difference, ElementType y_type) {
  return {.index = difference.index, .expected = {y_type, difference.expected}, .actual = {y_type, difference.actual}};
}

WrongElement explain(const ElementDifference& difference, ElementType y_type, const Node& node,
                     const Outcome& outcome) {
  const std::int64_t i = difference.index;
  WrongElement wrong = unexplained(difference, y_type);
  const Result* result = outcome.result();
  if (result == nullptr || result->y.size() <= i) return wrong;
  wrong.x = element(result->x, i);
  wrong.scale = element(*node.inputs[1], result->parameters.scale(i));
  if (const Tensor* zero_point = reference::zero_point_of(node, *result))
    wrong.zero_point = element(*zero_point, result->parameters.zero_point(i));
  wrong.position = reference::position_of(i, result->x.shape());
  wrong.scale_index = result->parameters.scale(i);
  wrong.block = block_of(wrong.position, node, result->parameters);
  return wrong;
}

bool is_refused(const UnitAnswer& answer) {
  if (std::holds_alternative<Refusal>(answer)) return true;
  const auto* answers = std::get_if<std::vector<Answer>>(&answer);
  return answers != nullptr && std::all_of(answers->begin(), answers->end(),
                                           [](const Answer& one) { return std::holds_alternative<Refusal>(one); });
}

/// Whether every element of all outputs was compared with its expected value.
bool is_compared(const UnitAnswer& answer, const Judgement& judgement) {
  const auto* answers = std::get_if<std::vector<Answer>>(&answer);
  const bool has_outputs = answers != nullptr && std::all_of(answers->begin(), answers->end(), [](const Answer& one) {
                             return std::holds_alternative<Outputs>(one);
                           });
  const bool has_form = judgement.difference && judgement.difference->tensor.form.empty();
  return has_outputs && (is_pass(judgement.verdict) || has_form);
}

/// Whether outputs of a graph are right only if its products have another precision.
bool rests_on_precision(const Judgement& judgement) {
  return judgement.verdict == Verdict::pass_variant &&
         std::ranges::find(judgement.readings, spec::FactorPrecision::row.id, &ReadingId::ambiguity) !=
             judgement.readings.end();
}

/// No reading explains the refusal of a legal model.
void give_no_credit(CaseRecord& record) {
  record.verdict = Verdict::rejects_valid;
  record.readings = {};
  record.reason = record.reason->substr(0, record.reason->rfind(" ("));  // without the reading
}

}  // namespace

Attempt::Attempt(const PlannedCase& planned, Backend& backend, std::shared_ptr<const ReadCase> read)
    : planned_(planned), backend_(backend), case_(std::move(read)) {
  try {
    if (case_ == nullptr) case_ = std::make_shared<const ReadCase>(planned);
    record_ = case_->description;
    unit_ = {case_->tested.id, case_->tested.model.bytes, {}};
    for (const DataSet& data : case_->tested.data_sets) unit_.inputs.emplace_back(data.inputs);
    declined_ = backend.declines(case_->tested.model);
  } catch (const BackendError&) {
    throw;
  } catch (const reference::OpsetTooNew& error) {
    record_.id = planned.id;
    record_ = decline(std::move(record_), {fmt::format("{}{}", unknown_opset, error.what())});
  } catch (const std::exception& error) {  // FileError, NoSuchOperator; not enough memory for this one case
    fail(error);
    record_.id = planned.id;
  }
}

void Attempt::announce() try {
  if (is_asked()) backend_.announce(unit_);
} catch (const BackendError&) {
  throw;
} catch (const std::exception& error) {
  fail(error);
}

CaseRecord Attempt::finish(const JudgeOptions& options, Controls& controls, const CaseRecord* earlier) {
  if (case_ == nullptr) return std::move(record_);
  if (declined_) return decline(std::move(record_), *declined_);
  try {
    const UnitAnswer answer = backend_.run(unit_);
    record_.output_digest = answer_digest(answer, case_->interpreted, options.sign_of_zero);
    if (earlier != nullptr && earlier->output_digest == record_.output_digest && !is_refused(answer))
      record_.verdict = earlier->verdict;
    else
      judge_answer(answer, options);
    if (is_refused(answer) && is_permitted(record_.verdict))
      judge_control(record_, controls.outcome_of(planned_), planned_.is_from_files);
    const bool refuses_legal = record_.verdict == Verdict::rejects_valid || record_.verdict == Verdict::rejects_variant;
    if (refuses_legal && case_->tested.model.graph != nullptr)
      judge_refused_node(controls.refused_node_of(case_->tested));
  } catch (const BackendError&) {
    throw;
  } catch (const std::exception& error) {
    fail(error);
  }
  std::string output = backend_.take_output();
  if (explains_output(record_.verdict)) record_.output = std::move(output);
  return std::move(record_);
}

void Attempt::judge_answer(const UnitAnswer& answer, const JudgeOptions& options) {
  const Judgement judgement = judge(case_->tested, case_->interpreted, answer, options);
  record_.verdict = judgement.verdict;
  record_.reason = judgement.reason;
  record_.readings = judgement.readings;
  if (const ValueSpace* space = planned_.value_space(); space != nullptr && is_compared(answer, judgement))
    record_.covered = space->codes;
  const bool is_wrong = judgement.verdict == Verdict::fail;
  if (options.explains && (is_wrong || rests_on_precision(judgement)) &&
      reference_agrees(case_->tested, case_->interpreted))
    record_.hypotheses = explaining_hypotheses(case_->tested, case_->interpreted, answer,
                                               {.sign_of_zero = options.sign_of_zero, .tries_nodes = is_wrong});
  if (!judgement.difference) return;
  const auto& [data_set, y_type, tensor] = *judgement.difference;
  const auto& [node, outcome] = case_->interpreted[data_set];
  const bool is_graph = case_->tested.model.graph != nullptr;
  std::vector<WrongElement> wrong;
  for (const ElementDifference& difference : tensor.first)
    wrong.push_back(is_graph ? unexplained(difference, y_type) : explain(difference, y_type, node, outcome));
  record_.wrong_elements = std::move(wrong);
  if (!record_.wrong_elements.empty())
    record_.data_set = static_cast<std::uint32_t>(data_set);  // otherwise a journal does not record it
}

void Attempt::judge_refused_node(const std::string& name) {
  if (name.empty()) return;
  record_.refused_operator = name;
  if (record_.verdict == Verdict::rejects_variant) give_no_credit(record_);
}

void Attempt::fail(const std::exception& error) {
  record_.verdict = Verdict::harness_error;
  record_.reason = error.what();
  record_.readings = {};
  record_.covered = {};
  record_.wrong_elements = {};
  record_.hypotheses = {};
  case_ = nullptr;
}

CaseRecord decline(CaseRecord record, const Refusal& refusal) {
  record.declined = true;
  record.verdict = Verdict::rejects_valid;
  record.reason = record.must_reject() ? refusal.reason + "; whether it sees what is wrong with the model is not known"
                                       : refusal.reason;
  return record;
}

void judge_control(CaseRecord& record, const ControlOutcome& outcome, bool is_from_files) {
  using Kind = ControlOutcome::Kind;
  if (outcome.kind == Kind::accepted) return;
  const bool is_mended = record.must_reject() && !is_from_files;
  const std::string control = is_mended ? "the model without the violation" : "a similar, undisputed model";
  const std::string unknown = record.must_reject()
                                  ? "whether the backend sees what is wrong with the model is not known: there is no "
                                    "similar legal model to compare with"
                                  : "whether a permitted reading is the reason is not known: there is no similar model "
                                    "to compare with that every reading allows";
  const std::string what =
      outcome.kind == Kind::absent ? unknown : fmt::format("the backend {} {}: {}", outcome.does, control, outcome.why);
  if (record.verdict == Verdict::pass) {
    record.verdict = Verdict::not_shown;
    record.reason = what;
  } else {
    give_no_credit(record);
    record.reason = fmt::format("{}; {}", *record.reason, what);
  }
}

bool explains_output(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::crash || verdict == Verdict::timeout ||
         verdict == Verdict::harness_error;
}

}  // namespace touchstone::conformance
