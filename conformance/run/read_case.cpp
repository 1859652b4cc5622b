#include "conformance/run/read_case.h"

#include <algorithm>
#include <bitset>
#include <utility>

#include "conformance/files/threads.h"
#include "conformance/judge/digests.h"
#include "reference/interpreter.h"
#include "reference/interruption.h"

namespace touchstone::conformance {

namespace {

std::vector<std::string_view> ids_of(const std::bitset<spec::clauses.size()>& cited) {
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < spec::clauses.size(); ++i)
    if (cited.test(i)) ids.push_back(spec::clauses[i].id);
  return ids;
}

/// The quantized type of an illegal node, as far as its inputs show it.
ElementType quantized_type(const OperatorVersion& version, const Node& node) {
  const std::size_t typed_input = version.op == Operator::quantize_linear ? 2 : 0;
  if (node.inputs.size() <= typed_input || !node.inputs[typed_input]) return ElementType::uint8;
  const ElementType given = node.inputs[typed_input]->type();
  for (const ElementType type : version.inputs[typed_input].types)
    if (spec::tensor_type(type) == given) return type;
  return given;
}

/// Counts those of all outputs of a graph.
void count_elements(const Case& described, const std::vector<ReferenceOutcome>& interpreted, CaseRecord& record) {
  for (const ReferenceOutcome& row : interpreted) {
    const Result* result = row.outcome.result();
    if (result == nullptr) {
      if (described.data_sets.front().expected.empty()) record.violated = &*row.outcome.rejection()->clause;
      continue;
    }
    for (std::size_t o = 0; o <= result->further.size(); ++o) {
      const std::vector<bool>& open = *unspecified_of(*result, o);
      record.elements += std::ssize(open);
      record.masked += std::count(open.begin(), open.end(), true);
    }
  }
}

}  // namespace

ReadCase::ReadCase(Case read, const SharedText& id)
    : tested(std::move(read)), interpreted(interpret(tested)), description(describe(tested, interpreted)) {
  description.id = id;
  description.digest = case_digest(tested, interpreted);
}

CaseRecord describe(const Case& described, const std::vector<ReferenceOutcome>& interpreted) {
  CaseRecord record;
  record.id = described.id;
  record.form = described.form;
  const Node& model_node = described.model.node;
  std::map<std::string, std::int64_t> attributes;
  for (const auto& [name, value] : model_node.attributes)
    if (const auto* number = std::get_if<std::int64_t>(&value)) attributes.emplace(name, *number);
  record.attributes = std::move(attributes);
  if (!interpreted.empty())
    if (const auto& inputs = interpreted.front().node.inputs; !inputs.empty() && inputs.front())
      record.shape = inputs.front()->shape();
  std::bitset<spec::clauses.size()> cited;
  for (const ReferenceOutcome& row : interpreted) cited |= row.outcome.cited;
  record.clauses = ids_of(cited);
  if (described.model.graph != nullptr) {
    count_elements(described, interpreted, record);
    return record;
  }
  const OperatorVersion& version = reference::operator_version(model_node);
  std::vector<Cell> cells;
  for (const auto& [node, outcome] : interpreted) {
    if (const Result* result = outcome.result()) {
      const Cell cell = cell_of(node, version, *result);
      const auto masked = std::count(result->unspecified.begin(), result->unspecified.end(), true);
      record.subject = {&version, node.opset, cell.quantized_type()};
      record.elements += result->y.size();
      record.masked += masked;
      // A cell without any specified element is not covered.
      const bool asserted = masked == 0 || masked < result->y.size();
      if (asserted && is_in_lattice(cell)) cells.push_back(cell);
    } else if (described.data_sets.front().expected.empty()) {
      record.violated = &*outcome.rejection()->clause;
    }
  }
  if (!record.subject && !interpreted.empty())
    record.subject = {&version, model_node.opset, quantized_type(version, interpreted.front().node)};
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  record.cells = std::move(cells);
  return record;
}

CaseRecord describe(const Case& described) {
  try {
    return describe(described, interpret(described));
  } catch (const reference::NoSuchOperator& error) {
    CaseRecord record;
    record.id = described.id;
    record.reason = error.what();
    return record;
  }
}

void ExaminationOptions::for_each(std::size_t count, const std::function<void(std::size_t)>& work) const {
  for_each_in_threads(jobs, count, [&](std::size_t i) {
    const reference::Interruptible interruptible(stop);
    reference::Interruptible::ask();
    work(i);
  });
}

}  // namespace touchstone::conformance
