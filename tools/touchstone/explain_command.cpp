// touchstone explain: a case, a clause or an ambiguity, in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "conformance/graphs/patterns.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/oracle.h"
#include "conformance/plan/number.h"
#include "conformance/report/details.h"
#include "conformance/run/runner.h"
#include "reference/interpreter.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/one_case.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/suggestion.h"

namespace touchstone::tools {

using namespace conformance;
using reference::Node;
using reference::Outcome;
using reference::Policy;

namespace {

struct ExplainOptions {
  std::string subject;
  std::int64_t elements = 16;
  RunInfo run;
};

// ---- clauses and ambiguities

std::string versions_text(const spec::Applicability& applies) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < applies.count; ++i) {
    const spec::VersionRange& range = applies.ranges[i];
    const std::string last = range.last == spec::and_later ? "and later" : fmt::format("to {}", range.last);
    const std::string op = spec::qualified_name(range.domain, range.op);
    parts.push_back(range.first == range.last ? fmt::format("{} {}", op, range.first)
                                              : fmt::format("{} {} {}", op, range.first, last));
  }
  for (const std::string_view other : applies.others)
    if (!other.empty()) parts.push_back(fmt::format("{} in graphs", other));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void explain(const spec::Clause& clause) {
  fmt::print("{}\n  {}\n  versions: {}\n  source: {}\n", clause.id, clause.sentence, versions_text(clause.applies),
             clause.source);
}

std::string_view name(spec::ReadingStatus status) {
  constexpr std::array<std::string_view, 3> names{"primary", "permitted", "rejected"};
  return names[static_cast<std::size_t>(status)];
}

std::string standing_text(const spec::ReadingInfo& reading) {
  if (reading.permitted_in.count == 0) return std::string(name(reading.status));
  return fmt::format("{} in {}", name(reading.status), versions_text(reading.permitted_in));
}

/// "AMB-22", "PMX-07": a number of the register, which several rows may share.
std::string number_of(const spec::Ambiguity& ambiguity) {
  return fmt::format("{}-{:02}", ambiguity.series, ambiguity.number);
}

void explain(const spec::Ambiguity& ambiguity) {
  fmt::print("{} ({})\n  {}\n  versions: {}\n  source: {}\n  readings:\n", ambiguity.id, number_of(ambiguity),
             ambiguity.question, versions_text(ambiguity.applies), ambiguity.source);
  std::size_t width = 0;
  for (const spec::ReadingInfo& reading : ambiguity.readings) width = std::max(width, standing_text(reading).size());
  for (const spec::ReadingInfo& reading : ambiguity.readings)
    fmt::print("    {:<{}}  {:<28} {}\n", standing_text(reading), width, reading.id, reading.sentence);
}

std::vector<const spec::Ambiguity*> ambiguities_of_number(const std::string& number) {
  std::vector<const spec::Ambiguity*> found;
  for (const spec::Ambiguity* row : spec::ambiguities)
    if (number_of(*row) == number) found.push_back(row);
  return found;
}

// ---- cases

/// A name or a reason, which may contain text from a file.
std::string shown(std::string_view text) { return printable(text, 1000); }

void print_model(const Case& explained, const CaseRecord& record) {
  fmt::print("{}\n", printable(explained.id, longest_id));
  const Node& node = explained.model.node;
  if (explained.model.graph != nullptr) {
    const std::string_view name = pattern_of(explained.id);
    if (const auto pattern = std::ranges::find(patterns(), name, &Pattern::name); pattern != patterns().end())
      fmt::print("  it shows an optimizer that {}\n", pattern->wrong_rewrite);
    fmt::print("{}", graph_text(*explained.model.graph, "  "));
    return;
  }
  const std::string version =
      record.subject ? fmt::format(", version {}", record.subject.version->since_version) : std::string();
  fmt::print("  {} of {}, opset {}{}\n", spec::name(node.op), node.domain, node.opset, version);
  if (!explained.form.empty()) fmt::print("  form {}\n", shown(explained.form));
  for (const Cell& cell : record.cells) fmt::print("  cell {}\n", to_string(cell));
  for (const auto& [attribute, value] : node.attributes)
    fmt::print("  attribute {} = {}\n", shown(attribute), attribute_text(value));
  for (std::size_t i = 0; i < explained.model.node_inputs.size(); ++i)
    if (node.inputs[i])
      fmt::print("  constant {}: {}\n", shown(explained.model.node_inputs[i]), tensor_text(*node.inputs[i]));
}

void print_clauses(const CaseRecord& record) {
  fmt::print("\nclauses that it exercises\n");
  for (std::string_view id : record.clauses) fmt::print("  {:<28} {}\n", id, spec::find_clause(id)->sentence);
}

bool same(const Outcome& left, const Outcome& right) {
  if (left.rejection() != nullptr || right.rejection() != nullptr)
    return left.rejection() != nullptr && right.rejection() != nullptr;
  return left.result()->unspecified == right.result()->unspecified &&
         compare(left.result()->y, right.result()->y).none();
}

spec::ReadingStatus status_in(const spec::OperatorVersion& version, const spec::ReadingInfo& reading) {
  const bool permitted = spec::is_permitted(reading, version.domain, version.op, version.since_version);
  return permitted ? reading.status : spec::ReadingStatus::rejected;
}

/// Prints the ambiguities whose readings give different outcomes for the node.
void print_ambiguities(const Node& node, const Outcome& primary) {
  const spec::OperatorVersion& version = reference::operator_version(node);
  fmt::print("\nambiguities on which its outcome depends\n");
  bool any = false;
  for (std::size_t a = 0; a < spec::ambiguities.size(); ++a) {
    if (!primary.consulted.test(a)) continue;
    for (std::size_t r = 1; r < spec::ambiguities[a]->readings.size(); ++r) {
      if (same(primary, reference::interpret(node, Policy().with(a, r)))) continue;
      const spec::ReadingInfo& reading = spec::ambiguities[a]->readings[r];
      fmt::print("  {}: {}, a {} reading, gives another outcome\n", spec::ambiguities[a]->id, reading.id,
                 name(status_in(version, reading)));
      any = true;
    }
  }
  if (!any) fmt::print("  none\n");
}

constexpr std::string_view open_element = "the specification leaves this open";

/// Prints the first elements of a tensor.
void print_elements(std::int64_t size, std::int64_t limit, const std::function<ElementRow(std::int64_t index)>& row) {
  std::vector<ElementRow> rows;
  for (std::int64_t i = 0; i < size && (limit <= 0 || i < limit); ++i) rows.push_back(row(i));
  fmt::print("{}", render_elements(rows));
  if (size > std::ssize(rows)) fmt::print("    ... {} elements in all: --elements 0 shows them\n", size);
}

/// Prints the output of a legal node.
void print_output(const DataSet& data, const Node& node, const reference::Result& result, std::int64_t limit) {
  const auto code = [](const reference::Tensor& tensor, std::int64_t i) {
    return ElementCode{tensor.type(), tensor.code(i)};
  };
  const auto alone = [](const reference::Tensor& tensor, std::int64_t i) {
    return reference::Tensor::from_codes(tensor.type(), {}, std::array{tensor.code(i)});
  };
  const reference::Tensor* zero_point = reference::zero_point_of(node, result);
  const reference::Tensor& expected = data.expected.empty() ? result.y : data.expected.front().value;
  const TensorDifference difference = compare(expected, result.y);
  if (!difference.form.empty()) fmt::print("  the reference gives another result: {}\n", shown(difference.form));
  print_elements(result.y.size(), limit, [&](std::int64_t i) {
    ElementRow row{.index = i, .x = code(result.x, i), .scale = code(*node.inputs[1], result.parameters.scale(i))};
    if (zero_point != nullptr) row.zero_point = code(*zero_point, result.parameters.zero_point(i));
    if (expected.shape() == result.y.shape()) row.expected = code(expected, i);
    if (result.unspecified[static_cast<std::size_t>(i)])
      row.note = open_element;
    else if (difference.form.empty() && !compare(alone(expected, i), alone(result.y, i)).none())
      row.note = fmt::format("the reference computes {} ({})", decimal(result.y.type(), result.y.code(i)),
                             hex(result.y.type(), result.y.code(i)));
    return row;
  });
}

/// Prints the outputs of a legal graph.
void print_outputs(const Case& explained, const reference::Result& result, std::int64_t limit) {
  for (std::size_t o = 0; o <= result.further.size(); ++o) {
    const reference::Tensor& y = o == 0 ? result.y : result.further[o - 1].value;
    const std::vector<bool>& open = *unspecified_of(result, o);
    fmt::print("  output {}: {}\n", shown(explained.model.graph_outputs[o]), tensor_text(y));
    print_elements(y.size(), limit, [&](std::int64_t i) {
      return ElementRow{.index = i,
                        .expected = ElementCode{y.type(), y.code(i)},
                        .note = std::string(open[static_cast<std::size_t>(i)] ? open_element : "")};
    });
  }
}

void explain(const Case& explained, std::int64_t elements) {
  const CaseRecord record = describe(explained);
  print_model(explained, record);
  if (!record.reason.empty()) {
    fmt::print("  {}\n", shown(*record.reason));
    return;
  }
  print_clauses(record);
  for (std::size_t i = 0; i < explained.data_sets.size(); ++i) {
    const DataSet& data = explained.data_sets[i];
    if (data.repeats) {
      fmt::print("\ndata set {}\n  the same inputs as data set {}: the outputs must be bit-identical\n", i,
                 *data.repeats);
      continue;
    }
    const bool is_graph = explained.model.graph != nullptr;
    const Node node = bind_inputs(explained.model, data.inputs);
    const Outcome outcome = is_graph ? interpret(explained, node) : reference::interpret(node);
    if (!is_graph) print_ambiguities(node, outcome);
    fmt::print("\ndata set {}\n", i);
    for (const NamedTensor& input : data.inputs)
      fmt::print("  input {}: {}\n", shown(input.name), tensor_text(input.value));
    for (const NamedTensor& output : data.expected)
      fmt::print("  expected {}: {}\n", shown(output.name), tensor_text(output.value));
    const reference::Result* result = outcome.result();
    if (result == nullptr)
      fmt::print("  not legal: {} ({})\n", shown(outcome.rejection()->reason), outcome.rejection()->clause->id);
    else if (is_graph)
      print_outputs(explained, *result, elements);
    else
      print_output(data, node, *result, elements);
  }
}

[[noreturn]] void throw_unknown(const std::string& subject, const std::vector<PlannedCase>& cases) {
  std::vector<std::string_view> known = ids_of(cases);
  for (const spec::Clause& clause : spec::clauses) known.push_back(clause.id);
  for (const spec::Ambiguity* ambiguity : spec::ambiguities) known.push_back(ambiguity->id);
  const std::string similar = did_you_mean(subject, known);
  throw Exit(nothing_selected, fmt::format("there is no case, clause or ambiguity '{}'{}", shown(subject),
                                           similar.empty() ? "; touchstone list shows them" : similar));
}

void explain(const CLI::App& command, ExplainOptions& options) {
  if (const spec::Clause* clause = spec::find_clause(options.subject)) {
    refuse_options(command, "a clause");
    return explain(*clause);
  }
  if (const spec::Ambiguity* ambiguity = spec::find_ambiguity(options.subject)) {
    refuse_options(command, "an ambiguity");
    return explain(*ambiguity);
  }
  if (const auto numbered = ambiguities_of_number(options.subject); !numbered.empty()) {
    refuse_options(command, "an ambiguity");
    for (const spec::Ambiguity* ambiguity : numbered) explain(*ambiguity);
    return;
  }
  const std::vector<PlannedCase> cases = plan(options.run);
  for (const PlannedCase& planned : cases) {
    if (planned.id == options.subject) return explain(planned.read(), options.elements);
  }
  throw_unknown(options.subject, cases);
}

}  // namespace

void add_explain_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain", "Explain a case (its clauses in words, its values decoded), a clause or an ambiguity");
  command
      ->add_option("CASE", options->subject,
                   "The id of a case, a clause or an ambiguity, or an ambiguity's number; touchstone list shows them")
      ->required();
  command->add_option("--elements", options->elements, "How many elements of each data set to show; 0 shows all")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str();
  add_plan_options(*command, options->run);
  command->footer(
      fmt::format("{}\n"
                  "Examples:\n"
                  "  touchstone explain onnx/1.22.0/test_quantizelinear_axis\n"
                  "  touchstone explain ql-round-half-even\n"
                  "  touchstone explain amb-nan-to-integer\n"
                  "  touchstone explain AMB-22\n",
                  exit_codes));
  command->callback([command, options, &exit_code] {
    explain(*command, *options);
    exit_code = as_expected;
  });
}

}  // namespace touchstone::tools
