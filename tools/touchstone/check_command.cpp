// touchstone check: whether a user's model is legal, and whether backends compute its parts right.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/causes/causes.h"
#include "conformance/check/legality.h"
#include "conformance/check/overview.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/files/attribute.h"
#include "conformance/files/file_io.h"
#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/causes_text.h"
#include "conformance/report/layout.h"
#include "conformance/run/runner.h"
#include "conformance/suites/suites.h"
#include "conformance/units/unit_cases.h"
#include "spec/ambiguities.h"
#include "spec/function_accuracy.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/emulation.h"
#include "tools/touchstone/run_command.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/terminal.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

constexpr std::size_t longest_name = 60;
constexpr std::size_t longest_complaint = 1000;
constexpr std::size_t longest_label = 44;

struct CheckOptions : RunCommandOptions {
  std::vector<std::string> backends;
};

// ---- without a backend

std::string node_text(const ExaminedNode& node) {
  return fmt::format("node {} {} {}", node.index, node.op_type, printable(node.name, longest_name));
}

using Nodes = std::vector<const ExaminedNode*>;

/// "node 7 QuantizeLinear x_QuantizeLinear, and 3 others"
std::string nodes_text(const Nodes& nodes) {
  const std::string first = node_text(*nodes.front());
  if (nodes.size() == 1) return first;
  return fmt::format("{}, and {} {}", first, nodes.size() - 1, nodes.size() == 2 ? "other" : "others");
}

void print_model(const ModelParts& parts, const std::string& path) {
  const onnx::ModelProto& model = parts.model().proto();
  std::set<std::string> used;
  for (const onnx::NodeProto& node : model.graph().node()) used.insert(canonical_domain(node.domain()));
  std::vector<std::string> opsets;
  for (const onnx::OperatorSetIdProto& import : model.opset_import())
    if (const std::string domain = canonical_domain(import.domain()); used.contains(domain))
      opsets.push_back(domain == spec::ai_onnx
                           ? fmt::format("opset {}", import.version())
                           : fmt::format("{} {}", printable(domain, longest_name), import.version()));
  fmt::print("{}\n  {}, IR {}, {} nodes, {} of them QuantizeLinear or DequantizeLinear\n", printable(path, longest_id),
             fmt::join(opsets, ", "), model.ir_version(), with_commas(parts.cut().all_nodes),
             parts.cut().quantization.size());
}

/// Returns whether the model is legal.
bool print_legality(const ModelParts& parts, const std::vector<ExaminedNode>& nodes) {
  std::map<std::pair<std::string_view, std::string>, Nodes> illegal;
  std::map<std::string, Nodes> unexamined;
  std::map<std::string_view, Nodes> by_ambiguity;
  std::size_t illegal_nodes = 0;
  for (const ExaminedNode& node : nodes) {
    if (node.illegal) {
      ++illegal_nodes;
      illegal[{node.illegal->clause->id, normalized_message(node.illegal->reason)}].push_back(&node);
    }
    if (!node.unexamined.empty()) unexamined[normalized_message(node.unexamined)].push_back(&node);
    for (const std::string_view id : node.ambiguities) by_ambiguity[id].push_back(&node);
  }
  const std::string& complaint = parts.model().complaint();
  const bool is_legal = illegal.empty() && complaint.empty();
  fmt::print("  {}\n", !illegal.empty()
                           ? fmt::format("ILLEGAL: {} of {} quantization nodes", illegal_nodes, nodes.size())
                       : !complaint.empty() ? "ILLEGAL, but not in its quantization nodes"
                       : unexamined.empty() ? "legal, also for ONNX's own checker"
                                            : "legal as far as it is known, also for ONNX's own checker");
  for (const auto& [key, of_nodes] : illegal)
    fmt::print("    violates {}: {}\n      {}\n", key.first, printable(of_nodes.front()->illegal->reason, longest_id),
               nodes_text(of_nodes));
  if (!complaint.empty())
    fmt::print("    ONNX's checker says:\n{}", indented(displayed(complaint.substr(0, longest_complaint)), "      "));
  for (const auto& [message, of_nodes] : unexamined)
    fmt::print("    not examined: {}\n      {}\n", printable(of_nodes.front()->unexamined, longest_id),
               nodes_text(of_nodes));
  for (const auto& [id, of_nodes] : by_ambiguity)
    fmt::print("    ! runtimes may differ by {}: {}\n      {}{}\n", id, spec::find_ambiguity(id)->question,
               nodes_text(of_nodes),
               of_nodes.front()->unusual_scales.empty() ? "" : ": " + of_nodes.front()->unusual_scales);
  return is_legal;
}

void print_coverage(const CutModel& cut) {
  std::size_t units = 0;
  for (const ModelUnit& unit : cut.units) units += unit.stands_for;
  const std::size_t windows = cut.windows.size();
  fmt::print("  {} of {} nodes are checked, in {} different nodes and {} different units (of {}){}\n",
             with_commas(cut.in_units), with_commas(cut.all_nodes), cut.nodes.size(), cut.units.size(), units,
             windows == 0 ? "" : fmt::format(", and in {} windows of two or three units", windows));
  if (cut.too_large_windows > 0)
    fmt::print("    {} windows of more than {} nodes are left out\n", cut.too_large_windows, most_nodes_per_unit);
  for (const auto& [why, count] : cut.not_in_units) fmt::print("    not checked: {} ({} nodes)\n", why, count);
}

/// How far the user's inputs reach.
void print_inputs(const ModelParts& parts) {
  if (const std::size_t sets = parts.model().inputs().size(); sets > 0)
    fmt::print("  your {} of inputs reach{} {} of {} parts; all parts get random and extreme inputs, too\n",
               sets == 1 ? "set" : fmt::format("{} sets", sets), sets == 1 ? "es" : "", parts.parts_with_inputs(),
               parts.size());
}

// ---- with backends

struct BackendColumn {
  std::string name;
  FinishedRun run;
  std::map<std::string_view, const CaseRecord*> records = {};  ///< by id
};

Table::Field field_of(const CaseRecord* record) {
  if (record == nullptr) return {"not run", Tone::undecided};
  if (record->must_reject()) {
    const bool is_rejected = record->answer_class() == AnswerClass::rejected;
    return {is_rejected ? "rejects it" : "accepts it", is_rejected ? Tone::right : Tone::refused};
  }
  switch (record->answer_class()) {
    case AnswerClass::right: return {record->verdict == Verdict::pass ? "right" : "right *", Tone::right};
    case AnswerClass::wrong:
      return {record->verdict == Verdict::crash     ? "CRASH"
              : record->verdict == Verdict::timeout ? "TIMEOUT"
                                                    : "WRONG",
              Tone::wrong};
    case AnswerClass::refused: return {"refused", Tone::refused};
    case AnswerClass::not_asked: return {"not asked", Tone::refused};
    default: return {"undecided", Tone::undecided};
  }
}

std::string label_of(const ModelParts& parts, std::size_t number) {
  const ModelUnit& part = parts.part(number);
  std::string label =
      fmt::format("{} {} {}", parts.kind_of(number), part.first, fmt::join(operators_of(parts.model(), part), ", "));
  const onnx::NodeProto& first = parts.model().proto().graph().node(static_cast<int>(part.first));
  const std::string operand =
      parts.kind_of(number) != "node" && !part.inputs.empty() ? part.inputs.front() : first.input(0);
  if (const auto form = parts.model().form_of(operand))
    label += fmt::format(" {}[{}]", spec::name(form->type), fmt::join(form->shape, ","));
  label = printable(label, longest_label);
  return part.stands_for == 1 ? label : fmt::format("{} ×{}", label, part.stands_for);
}

void print_table(const ModelParts& parts, const std::vector<BackendColumn>& columns, Color color) {
  Table table{{{"", true}}, {}};
  for (const BackendColumn& column : columns) table.columns.push_back({column.name, true});
  std::vector<std::size_t> windows_right(columns.size(), 0);
  for (std::size_t number = 0; number < parts.size(); ++number) {
    const std::string id = parts.id_of(number);
    std::vector<Table::Field> row{{label_of(parts, number)}};
    const bool is_window = parts.kind_of(number) == "window";
    bool is_shown = !is_window;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto found = columns[c].records.find(id);
      row.push_back(field_of(found == columns[c].records.end() ? nullptr : found->second));
      const Tone tone = row.back().tone;
      if (is_window && tone == Tone::right) ++windows_right[c];
      is_shown = is_shown || (tone != Tone::right && tone != Tone::undecided);
    }
    if (is_shown) table.rows.push_back(std::move(row));
  }
  if (const std::size_t windows = parts.cut().windows.size(); windows > 0) {
    auto& row = table.rows.emplace_back(std::vector<Table::Field>{{fmt::format("all {} windows", windows)}});
    for (const std::size_t right : windows_right) row.push_back({fmt::format("{} right", right)});
  }
  fmt::print("\n{}", indented(render_text(table, color), "  "));
}

/// Why parts are undecided, once for each reason.
void print_undecided(const std::vector<BackendColumn>& columns) {
  std::map<std::string, std::set<std::string>> ids;
  for (const BackendColumn& column : columns)
    for (const CaseRecord& record : column.run.session->records())
      if (record.answer_class() == AnswerClass::undecided)
        ids[std::string(message_of(record))].insert(std::string(*record.id));
  for (const auto& [reason, of_reason] : ids)
    fmt::print("  undecided in {} {}: {}\n", of_reason.size(), of_reason.size() == 1 ? "part" : "parts",
               printable(reason, longest_id));
}

/// What ONNX does not say, and verdicts rest on.
std::vector<std::string> assumptions_of(const ModelParts& parts) {
  std::set<std::string> operators;
  for (std::size_t number = 0; number < parts.size(); ++number)
    for (std::string& op_type : operators_of(parts.model(), parts.part(number))) operators.insert(std::move(op_type));
  std::vector<std::string> assumptions;
  for (const spec::FunctionAccuracy& row : spec::function_accuracies)
    if (operators.contains(std::string(row.op_type)))
      assumptions.push_back(
          fmt::format("{} errs by at most {} units in the last place{} ({})", row.op_type, row.ulps,
                      row.roundoffs == 0 ? "" : fmt::format(" and {} unit roundoffs of 1", row.roundoffs), row.source));
  return assumptions;
}

/// The hypotheses that explain single wrong parts. Right parts contradict them, so they are not causes of the run. But
/// optimizers may change only some places of a model. A single wrong element is explained by chance too often.
std::vector<std::string> local_explanations(const BackendColumn& column) {
  constexpr std::size_t fewest_wrong_elements = 2;
  const auto right_parts_against = [&](const std::string& hypothesis) {
    const auto& rows = column.run.summary.contradictions;
    const auto row = std::ranges::find(rows, hypothesis, &Contradictions::hypothesis);
    return row == rows.end() ? 0 : row->cases.size();
  };
  std::vector<std::string> found;
  for (const Cause& cause : column.run.summary.causes)
    if (cause.is_wrong && cause.name.empty())
      for (const std::size_t place : cause.cases) {
        const CaseRecord& record = column.run.session->records()[place];
        if (record.hypotheses->empty() || record.wrong_elements.size() < fewest_wrong_elements) continue;
        const std::string& hypothesis = record.hypotheses->front();
        found.push_back(fmt::format("{} alone: as if the backend {} (not so in {} right parts)", *record.id,
                                    sentence_of(hypothesis), right_parts_against(hypothesis)));
      }
  return found;
}

/// For which wrong parts not all hypotheses were tried.
void print_large(const ModelParts& parts, const BackendColumn& column) {
  std::size_t too_large = 0;
  for (std::size_t number = 0; number < parts.size(); ++number)
    if (const auto found = column.records.find(parts.id_of(number));
        found != column.records.end() && found->second->verdict == Verdict::fail &&
        is_too_large_for_all_hypotheses(parts.make_case(number, 0)))
      ++too_large;
  if (too_large > 0)
    fmt::print("  {} wrong {} more than {} elements: only the precision of factors was tried as the cause\n", too_large,
               too_large == 1 ? "part has" : "parts have", most_elements_for_all_hypotheses);
}

void print_backend(const ModelParts& parts, const BackendColumn& column, Color color) {
  const Summary& summary = column.run.summary;
  fmt::print("\n{}, {}: {}\n", column.name, printable(column.run.session->info().backend.version, longest_name),
             in_words(summary.all));
  fmt::print("{}", render_causes(summary, color));
  for (const std::string& explanation : local_explanations(column)) fmt::print("  {}\n", explanation);
  print_large(parts, column);
  for (const auto& [reading, count] : summary.readings)
    fmt::print("  * {} {} right by a permitted reading: {}={}\n", count, count == 1 ? "part is" : "parts are",
               reading.first, reading.second);
  fmt::print("  report: {}\n", (column.run.session->directory() / "report.html").string());
  if (!column.run.message.empty()) print_message(column.run.message);
}

/// Runs the parts that are wrong or refused with other configurations of the runtime, and prints and returns which are
/// right with them.
std::vector<std::string> try_repairs(const BackendColumn& column, const CheckOptions& options) {
  std::vector<std::string> found_repairs;
  std::vector<const PlannedCase*> wrong, refused;
  for (const PlannedCase& planned : column.run.session->cases())
    if (const auto found = column.records.find(planned.id); found != column.records.end()) {
      if (found->second->answer_class() == AnswerClass::wrong) wrong.push_back(&planned);
      if (found->second->answer_class() == AnswerClass::refused) refused.push_back(&planned);
    }
  if (wrong.empty() && refused.empty()) return {};
  for (const Repair& repair : repairs_of(column.name)) {
    if (repair.backend == column.name || stop_requested()) continue;
    try {
      const std::unique_ptr<Backend> backend = open_backend(repair.backend, options.run.worker, options.run.assumed);
      std::vector<std::string> results;
      const auto run = [&](const std::vector<const PlannedCase*>& cases, std::string_view kind) {
        const auto right = std::ranges::count_if(cases, [&](const PlannedCase* planned) {
          return !stop_requested() &&
                 is_right(run_case(*planned, *backend, options.run.judge_options()).answer_class());
        });
        if (right > 0) results.push_back(fmt::format("{} of {} {} parts", right, cases.size(), kind));
      };
      run(wrong, "wrong");
      run(refused, "refused");
      if (results.empty()) continue;
      found_repairs.push_back(fmt::format("{}: right in {} (tried)", repair.setting, fmt::join(results, " and in ")));
      fmt::print("  Fix: {}\n", found_repairs.back());
    } catch (const BackendError& error) {
      fmt::print("  {} could not be tried: {}\n", repair.setting, printable(error.what(), longest_id));
    }
  }
  return found_repairs;
}

/// A name for a directory: "ort:optimized" becomes "ort-optimized".
std::string directory_name(const std::string& backend) {
  std::string name = backend;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; }, '-');
  return name.substr(0, longest_name);
}

CheckedBackend checked(const ModelParts& parts, const BackendColumn& column, std::vector<std::string> repairs) {
  CheckedBackend made{.name = column.name,
                      .version = column.run.session->info().backend.version,
                      .results = {},
                      .reasons = {},
                      .causes = {},
                      .fixes = std::move(repairs),
                      .report = column.run.session->directory().filename().string()};
  for (std::size_t number = 0; number < parts.size(); ++number) {
    const auto found = column.records.find(parts.id_of(number));
    const CaseRecord* record = found == column.records.end() ? nullptr : found->second;
    made.results.push_back(record == nullptr ? AnswerClass::undecided : record->answer_class());
    made.reasons.emplace_back(record == nullptr ? "not run" : message_of(*record));
  }
  for (const Cause& cause : column.run.summary.causes)
    made.causes.push_back(fmt::format("{} (in {} parts)", cause.sentence, cause.cases.size()));
  std::ranges::move(local_explanations(column), std::back_inserter(made.causes));
  return made;
}

void write_overview(const std::filesystem::path& directory, const Overview& overview) {
  write_file_whole(directory / "check.json", overview_json(overview));
  write_file_whole(directory / "check.junit.xml", overview_junit(overview));
  write_file_whole(directory / "check.html", overview_html(overview));
  fmt::print("\nall backends, and the model as a drawing: {}\n", (directory / "check.html").string());
}

/// Parts that could not be judged are undecided, and printed as such: they are no failure of the infrastructure.
int code_of(const BackendColumn& column) {
  const int code = exit_code(column.run.summary);
  const std::vector<CaseRecord>& records = column.run.session->records();
  if (code != broken || records.size() != column.run.session->cases().size()) return code;
  const bool is_any_right =
      std::ranges::any_of(records, [](const CaseRecord& record) { return is_right(record.answer_class()); });
  return is_any_right ? as_expected : nothing_selected;
}

/// The exit code of two that says more: a failed backend, then an unfinished run, then what was found.
int graver(int one, int other) {
  constexpr std::array order{as_expected, nothing_selected, unexpected_result, incomplete, broken};
  return std::ranges::find(order, one) < std::ranges::find(order, other) ? other : one;
}

int check(const CLI::App& command, CheckOptions& options) {
  check_selection(options.run);
  std::set<std::string> directories;
  for (const std::string& backend : options.backends) {
    check_backend(usual_level_of(backend), options.run.worker);
    if (!directories.insert(directory_name(backend)).second)
      throw Exit(usage, fmt::format("--backend {} is given twice", backend));
  }
  const std::string path = options.run.data;
  const ModelParts parts(path, lengths_of(options.run.dimensions), options.run.inputs);
  print_model(parts, path);
  const std::vector<ExaminedNode> nodes = examine(parts);
  const bool is_legal = print_legality(parts, nodes);
  print_coverage(parts.cut());
  print_inputs(parts);
  if (parts.size() == 0)
    throw Exit(is_legal ? nothing_selected : unexpected_result,
               fmt::format("{} has no QuantizeLinear or DequantizeLinear node outside of branches and loops", path));
  std::vector<BackendColumn> columns;
  for (const std::string& backend : options.backends) {
    CheckOptions of_backend = options;
    of_backend.run.backend_option = usual_level_of(backend);
    of_backend.output = (std::filesystem::path(options.output) / directory_name(backend)).string();
    BackendColumn column{of_backend.run.backend_option, run_cases(command, of_backend), {}};
    column.run.session->write_results(column.run.summary, options.reproducers);
    for (const CaseRecord& record : column.run.session->records()) column.records.emplace(record.id, &record);
    columns.push_back(std::move(column));
  }
  int code = is_legal ? as_expected : unexpected_result;
  if (!columns.empty()) print_table(parts, columns, color_for(options.color));
  print_undecided(columns);
  Overview overview{.path = path,
                    .parts = parts,
                    .nodes = nodes,
                    .backends = {},
                    .seed = options.run.seed,
                    .assumptions = assumptions_of(parts)};
  if (!columns.empty())
    for (const std::string& assumption : overview.assumptions) fmt::print("  assumed: {}\n", assumption);
  for (const BackendColumn& column : columns) {
    print_backend(parts, column, color_for(options.color));
    overview.backends.push_back(checked(parts, column, try_repairs(column, options)));
    code = graver(code, code_of(column));
  }
  if (!columns.empty() || command.count("--output") > 0) write_overview(options.output, overview);
  return code;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CheckOptions>();
  options->asks_backend = true;
  options->experiments = 0;  // its reports are about this model, and not about the backend elsewhere
  options->output = "touchstone-check";
  options->run.suites = {std::string(model_suite)};
  CLI::App* command =
      app.add_subcommand("check", "Check a model of your own: is it legal, and does a runtime compute it right?");
  command->add_option("MODEL", options->run.data, "An ONNX file, with external data next to it, if it has any")
      ->required();
  command
      ->add_option("--backend", options->backends,
                   "A backend that runs the parts of the model; may be given more than once. A named backend runs with "
                   "the optimizations that it has by default, and what is wrong also with fewer; see touchstone list "
                   "backends. Without it, only the model is examined, and files are written only if --output is given")
      ->type_name("BACKEND")
      ->allow_extra_args(false);
  add_inputs_option(*command, "--data", options->run);
  add_dimension_option(*command, options->run);
  command->add_option("--seed", options->run.seed, "A different seed gives the parts different inputs")
      ->check(whole_number())
      ->capture_default_str();
  add_assume_option(*command, options->run.assumed);
  add_cpu_option(*command, options->run.worker.cpu);
  add_worker_options(*command, options->run.worker);
  add_output_options(*command, *options);
  command->get_option("--output")->description("The directory that gets a directory of reports for each backend");
  add_judge_options(*command, options->run.strict, options->run.sign_of_zero);
  command->footer(
      "Exit codes: 0 the model is legal, and nothing is wrong or refused; 1 it is illegal, or something is; 2 usage; "
      "3 the model cannot be read, or a backend failed; 4 incomplete; 5 the model has no quantization operators, or "
      "nothing is right.\n"
      "\n"
      "Each QuantizeLinear and DequantizeLinear node runs on its own, and each unit: the operators between quantized "
      "tensors, with the nodes that dequantize their inputs; and each window of two or three units, across which "
      "optimizers work. Parts with equal operators, attributes, types and shapes run once. The inputs are random and "
      "extreme values, and with --data what your inputs give. Exact results are compared bit for bit; where sums "
      "round, "
      "a result must be one that some order of rounding gives. What cannot be decided is reported as undecided, and "
      "operators that are not checked are counted.\n"
      "\n"
      "Examples:\n"
      "  touchstone check model.onnx\n"
      "  touchstone check model.onnx --backend ort --backend openvino\n"
      "  touchstone check model.onnx --data inputs/ --backend ort\n"
      "  touchstone check model.onnx --dim batch=1 --backend onnx:my_runtime.backend\n"
      "  touchstone replay --suite model --data model.onnx model/model/unit/4/Conv --backend ort:optimized\n");
  command->callback([command, options, &exit_code] { exit_code = check(*command, *options); });
}

}  // namespace touchstone::tools
