#include "conformance/run/runner.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "conformance/judge/judge.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

using reference::Node;
using reference::Outcome;

namespace {

std::optional<ElementCode> element(const reference::Tensor& tensor, std::int64_t index) {
  return ElementCode{tensor.type(), tensor.code(index)};
}

WrongElement explain(const ElementDifference& difference, spec::ElementType y_type, const Node& node,
                     const Outcome& outcome) {
  const std::int64_t i = difference.index;
  WrongElement wrong{.index = i,
                     .x = {},
                     .scale = {},
                     .zero_point = {},
                     .expected = {y_type, difference.expected},
                     .actual = {y_type, difference.actual}};
  const reference::Result* result = outcome.result();
  if (result == nullptr || result->y.size() <= i) return wrong;
  wrong.x = element(*node.inputs[0], i);
  wrong.scale = element(*node.inputs[1], result->parameters.scale(i));
  if (node.inputs.size() > 2 && node.inputs[2].has_value())
    wrong.zero_point = element(*node.inputs[2], result->parameters.zero_point(i));
  return wrong;
}

std::vector<std::string_view> ids_of(const std::bitset<spec::clauses.size()>& cited) {
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < spec::clauses.size(); ++i)
    if (cited.test(i)) ids.push_back(spec::clauses[i].id);
  return ids;
}

/// The node and the reference's view of it, for each data set. Throws NoSuchOperator.
using Interpreted = std::vector<std::pair<Node, Outcome>>;

Interpreted interpret_all(const Case& tested) {
  Interpreted interpreted;
  for (const DataSet& data : tested.data_sets) {
    Node node = bind_inputs(tested.model, data.inputs);
    Outcome outcome = reference::interpret(node);
    interpreted.emplace_back(std::move(node), std::move(outcome));
  }
  return interpreted;
}

CaseRecord describe(const Case& described, const Interpreted& interpreted) {
  CaseRecord record;
  record.id = described.id;
  const spec::OperatorVersion& version = reference::operator_version(described.model.node);
  std::bitset<spec::clauses.size()> cited;
  for (const auto& [node, outcome] : interpreted) {
    cited |= outcome.cited;
    if (const reference::Result* result = outcome.result()) {
      record.cells.push_back(cell_of(node, version, *result));
      record.subject = {&version, node.opset, record.cells.back().quantized_type()};
    }
  }
  std::sort(record.cells.begin(), record.cells.end());
  record.cells.erase(std::unique(record.cells.begin(), record.cells.end()), record.cells.end());
  record.clauses = ids_of(cited);
  return record;
}

void try_case(const Case& tested, Backend& backend, CaseRecord& record) {
  const Interpreted interpreted = interpret_all(tested);
  record = describe(tested, interpreted);

  if (const auto refusal = backend.declines(tested.model)) {
    record.verdict = Verdict::rejects_valid;
    record.reason = refusal->reason;
    return;
  }
  Unit unit{tested.id, tested.model.bytes, {}};
  for (const DataSet& data : tested.data_sets) unit.inputs.emplace_back(data.inputs);
  const Judgement judgement = judge(tested, backend.run(unit));

  record.verdict = judgement.verdict;
  record.reason = judgement.reason;
  if (!judgement.difference) return;
  const auto& [data_set, output, tensor] = *judgement.difference;
  const auto& [node, outcome] = interpreted[data_set];
  const spec::ElementType y_type = tested.data_sets[data_set].expected[output].value.type();
  record.data_set = data_set;
  for (const ElementDifference& difference : tensor.first)
    record.wrong_elements.push_back(explain(difference, y_type, node, outcome));
}

CaseRecord run_case(const PlannedCase& planned, Backend& backend) {
  CaseRecord record;
  record.id = planned.id;
  try {
    try_case(planned.read(), backend, record);
  } catch (const std::exception& error) {  // FileError, NoSuchOperator; not enough memory for this one case
    record.id = planned.id;
    record.verdict = Verdict::harness_error;
    record.reason = error.what();
  }
  return record;
}

}  // namespace

std::vector<CaseRecord> run(const std::vector<PlannedCase>& plan, Backend& backend, const OnRecord& on_record) {
  std::vector<CaseRecord> records;
  records.reserve(plan.size());
  for (const PlannedCase& planned : plan) {
    records.push_back(run_case(planned, backend));
    if (!on_record(records.back())) break;
  }
  for (std::size_t i = records.size(); i < plan.size(); ++i) {
    records.emplace_back();
    records.back().id = plan[i].id;
    records.back().reason = "the run was stopped before";
  }
  return records;
}

CaseRecord describe(const Case& described) {
  try {
    return describe(described, interpret_all(described));
  } catch (const reference::NoSuchOperator& error) {
    CaseRecord record;
    record.id = described.id;
    record.reason = error.what();
    return record;
  }
}

}  // namespace touchstone::conformance
