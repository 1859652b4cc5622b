// touchstone doctor: whether a backend can be tested here; if not, whether the environment, the adapter or the runtime
// has to be mended.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/backends/builtin/builtin_backends.h"
#include "conformance/files/text.h"
#include "conformance/generate/form.h"
#include "conformance/generate/model_builder.h"
#include "conformance/report/replay_line.h"
#include "conformance/run/single_nodes.h"
#include "spec/element_type.h"
#include "spec/operator_version.h"
#include "spec/opset.h"
#include "tools/touchstone/backend_option.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/one_case.h"
#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

using namespace conformance;
using reference::Tensor;

namespace {

/// The result of one model.
struct Reply {
  enum class Result { right, wrong, refused, broken } result;
  std::string detail;  ///< why; empty if it is right
};

/// The answer to a unit with one set of inputs.
Answer only_answer(UnitAnswer answer) {
  if (auto* refusal = std::get_if<Refusal>(&answer)) return std::move(*refusal);
  if (auto* breakdown = std::get_if<Breakdown>(&answer)) return std::move(*breakdown);
  auto& answers = std::get<std::vector<Answer>>(answer);
  if (answers.size() != 1) return Breakdown{Breakdown::Kind::protocol, "it gave no answer, or several"};
  return std::move(answers.front());
}

Reply reply_of(UnitAnswer of_unit, const Tensor& expected) {
  const Answer answer = only_answer(std::move(of_unit));
  if (const auto* refusal = std::get_if<Refusal>(&answer)) return {Reply::Result::refused, refusal->reason};
  if (const auto* breakdown = std::get_if<Breakdown>(&answer)) return {Reply::Result::broken, breakdown->detail};
  const auto& outputs = std::get<Outputs>(answer);
  if (outputs.size() != 1) return {Reply::Result::broken, fmt::format("it gave {} outputs", outputs.size())};
  const Tensor& given = outputs.front().value;
  if (given == expected) return {Reply::Result::right, {}};
  return {Reply::Result::wrong, fmt::format("expected {} {}, got {} {}", tensor_text(expected), values_text(expected),
                                            tensor_text(given), values_text(given))};
}

/// The numbers 1, 2, 3 and 0 in float32, and in types of integers; the codes 1, 2, 3 and 0 in other types.
Tensor small_numbers(spec::ElementType type) {
  using Codes = std::vector<std::uint64_t>;
  if (type == spec::ElementType::float32)
    return Tensor::from_codes(type, {4}, Codes{0x3f800000, 0x40000000, 0x40400000, 0});
  if (type == spec::ElementType::boolean) return Tensor::from_codes(type, {4}, Codes{1, 0, 1, 0});
  return Tensor::from_codes(type, {4}, Codes{1, 2, 3, 0});
}

/// The oldest opset in which tensors of this type can be moved.
const spec::Opset* opset_with(spec::ElementType type) {
  for (const spec::OperatorVersion& row : spec::operator_versions)
    if (row.domain == spec::ai_onnx && constant_can_hold(type, row.since_version))
      return spec::find_opset(spec::ai_onnx, row.since_version);
  return nullptr;
}

/// For each operator, result and reason, the types or versions that were asked.
class Replies {
 public:
  void add(std::string_view op, std::string asked, const Reply& reply) {
    rows_[{std::string(op), reply.result, reply.detail}].push_back(std::move(asked));
  }
  bool has(Reply::Result result) const {
    return std::ranges::any_of(rows_, [&](const auto& row) { return std::get<Reply::Result>(row.first) == result; });
  }

  std::string text() const {
    static constexpr std::array<const char*, 4> marks{"ok", "WRONG", "refused", "BROKEN"};
    std::string text;
    for (const auto& [row, asked] : rows_) {
      const auto& [op, result, detail] = row;
      text += fmt::format("{:9}{} {}{}{}\n", marks[static_cast<std::size_t>(result)], op, fmt::join(asked, ", "),
                          detail.empty() ? "" : ": ", displayed_line(detail));
    }
    return text;
  }

 private:
  std::map<std::tuple<std::string, Reply::Result, std::string>, std::vector<std::string>> rows_;
};

Replies ask_identities(Backend& backend) {
  Replies replies;
  for (const spec::ElementTypeInfo& type : spec::element_types) {
    const spec::Opset* opset = type.carrier ? nullptr : opset_with(type.type);
    if (opset == nullptr) continue;
    const Tensor numbers = small_numbers(type.type);
    const SingleNode node = identity_node(opset->number, numbers);
    replies.add("Identity", std::string(type.name),
                reply_of(backend.run({.case_id = "doctor", .model = node.model, .inputs = {node.inputs}}), numbers));
  }
  return replies;
}

/// 1, 2, 3 and 0 with a scale of 1: every version and every reading gives the same numbers in the other type.
Replies ask_operators(Backend& backend) {
  Replies replies;
  const Form* form = &plain_form();
  for (const Form& one : forms())
    if (is_within(backend.declares().form_limits(), one) && !is_within(backend.declares().form_limits(), *form))
      form = &one;
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    if (version.domain != spec::ai_onnx) continue;
    const bool quantizes = version.op == spec::Operator::quantize_linear;
    const Tensor numbers = small_numbers(spec::ElementType::float32), codes = small_numbers(spec::ElementType::uint8);
    const Tensor one = Tensor::from_codes(spec::ElementType::float32, {}, std::vector<std::uint64_t>{0x3f800000});
    const reference::Node node{
        .op = version.op, .opset = version.since_version, .inputs = {quantizes ? numbers : codes, one}};
    const Tensor& expected = quantizes ? codes : numbers;
    const OperatorModel model = build_model(node, *form, expected.type(), expected.shape());
    const std::vector<NamedTensor> inputs = graph_inputs(node, *form);
    const auto declined = backend.declines(model);
    replies.add(spec::name(version.op), std::to_string(version.since_version),
                declined
                    ? Reply{Reply::Result::refused, declined->reason}
                    : reply_of(backend.run({.case_id = "doctor", .model = model.bytes, .inputs = {inputs}}), expected));
  }
  return replies;
}

struct Conclusion {
  ExitCode code;
  std::string text;
};

Conclusion conclude(const Replies& identities, const Replies& operators) {
  if (identities.has(Reply::Result::wrong))
    return {unexpected_result,
            "mend the adapter, or else the runtime: a model that only returns its input returns other elements"};
  if (operators.has(Reply::Result::right) && !operators.has(Reply::Result::wrong) &&
      !operators.has(Reply::Result::broken))
    return {as_expected, "ready"};
  if (operators.has(Reply::Result::wrong))
    return {unexpected_result, operators.has(Reply::Result::right)
                                   ? "the runtime is wrong in some versions; all versions go through the same adapter"
                                   : "look at the adapter first: does it keep the order and the types of the inputs?"};
  const bool runs_others = identities.has(Reply::Result::right);
  if (operators.has(Reply::Result::broken))
    return {broken, runs_others ? "mend the runtime: it runs models without quantization, and these end it"
                                : "mend the adapter, or the installation of the runtime: it gives no answers"};
  return {unexpected_result, runs_others
                                 ? "the runtime lacks both operators: it runs models without quantization"
                                 : "mend the adapter, or the installation of the runtime: it refuses every model"};
}

/// Why the backend does not start, and what to do.
Conclusion conclude(const BackendError& error) {
  const std::string_view text = error.what();
  const auto names = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const std::string_view from_backend = text.substr(std::min(text.find("the backend "), text.size()));
  const std::string_view line = from_backend.substr(0, from_backend.find('\n'));
  if (line.find("is not installed") != line.npos) return {broken, fmt::format("mend the environment: {}", line)};
  constexpr std::string_view before_variants = "it has: ";
  if (const std::size_t found = line.find(before_variants); names("has no variant") && found != line.npos)
    return {broken, fmt::format("mend the name: the variants, after a colon, are: {}",
                                line.substr(found + before_variants.size()))};
  if (names("choose another one with --python") || names("No module named") || names("cannot open shared object") ||
      names("does not exist"))
    return {broken, "mend the environment: something that the adapter needs is missing"};
  return {broken, "mend the adapter: run its command in a shell; it has to write a Hello and then wait for requests"};
}

/// Prints what it finds if `prints`.
Conclusion examine(const std::string& name, const WorkerOptions& options, bool prints) {
  const auto before = std::chrono::steady_clock::now();
  try {
    const std::unique_ptr<Backend> backend = open_backend(name, options);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - before;
    if (prints)
      fmt::print("{}", in_lines(fmt::format("ok       it starts in {:.1f} s: {}\n", seconds.count(),
                                            displayed_line(title(backend->identity())))));
    const Replies identities = ask_identities(*backend);
    if (prints) fmt::print("{}", in_lines(identities.text()));
    const Replies operators = ask_operators(*backend);
    if (prints) fmt::print("{}", in_lines(operators.text()));
    return conclude(identities, operators);
  } catch (const BackendError& error) {
    if (prints) fmt::print("BROKEN   {}", displayed(error.what()));
    return conclude(error);
  }
}

struct DoctorOptions {
  std::string backend;
  WorkerOptions worker;
};

int doctor_command(const DoctorOptions& options) {
  if (!options.backend.empty()) {
    const Conclusion conclusion = examine(options.backend, options.worker, true);
    const bool is_ready = conclusion.code == as_expected;
    const std::string next =
        fmt::format(":\n  touchstone run --backend {} --tier smoke", shell_quoted(options.backend));
    fmt::print("{}", in_lines(fmt::format("\n{}{}\n", conclusion.text, is_ready ? next : "")));
    return conclusion.code;
  }
  std::vector<std::string> names;
  for (const BackendInfo& row : builtin_backends()) names.emplace_back(row.name);
  const std::size_t of_this_program = names.size();
  for (const std::string& name : worker_names())
    if (!transform_prefix.starts_with(name)) names.push_back(name);  // tools that rewrite models: each has a name more
  ExitCode code = as_expected;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Conclusion conclusion = examine(names[i], options.worker, false);
    if (i < of_this_program && conclusion.code != as_expected) code = broken;
    fmt::print("{:16} {}\n", names[i], conclusion.text);
    std::fflush(stdout);
  }
  return code;
}

}  // namespace

void add_doctor_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command = app.add_subcommand(
      "doctor", "Try a backend with the simplest models, and say what to mend: environment, adapter, or runtime");
  command->add_option("BACKEND", options->backend, "A value of run --backend; without it, all that have a name");
  add_worker_options(*command, options->worker);
  command->footer(
      "It starts the backend, lets it return a tensor of each type with Identity, and asks each version of both "
      "operators for 1, 2, 3 and 0 with a scale of 1.\n"
      "\n"
      "Exit codes: 0 the backend can be tested: some version is right and none is wrong; 1 it refuses everything or "
      "is wrong; 2 usage; 3 it does not start, or ends. Without BACKEND, only the backends of this program count.\n"
      "\n"
      "Examples:\n"
      "  touchstone doctor ort\n"
      "  touchstone doctor 'exec:./my_worker'\n");
  command->callback([options, &exit_code] { exit_code = doctor_command(*options); });
}

}  // namespace touchstone::tools
