#include "conformance/properties/differential.h"

#include <fmt/format.h>

#include <exception>
#include <utility>
#include <variant>

#include "conformance/backends/builtin/optimized_node.h"
#include "conformance/files/output_file.h"
#include "conformance/files/text.h"
#include "conformance/properties/simpler_examples.h"
#include "conformance/report/replay_line.h"
#include "conformance/run/reproducer.h"

namespace touchstone::conformance {

namespace {

/// The answer, or a judgement for an exception, because backends must not throw. Only BackendError, which means that
/// the backend is gone, is passed on.
std::variant<UnitAnswer, Judgement> answer_of(const Subject& subject, const Example& example, const Case& tested) {
  try {
    return subject.answer(tested, example.environment);
  } catch (const BackendError&) {
    throw;
  } catch (const std::exception& error) {
    return Judgement{Verdict::harness_error, fmt::format("it threw an exception: {}", error.what())};
  } catch (...) {
    return Judgement{Verdict::harness_error, "it threw an exception of an unknown type"};
  }
}

}  // namespace

Subject optimized_subject(optimized::Isa isa) {
  return {"optimized", isa, [isa](const Case& tested, const optimized::Environment& environment) -> UnitAnswer {
            const reference::Node node = bind_inputs(tested.model, tested.data_sets.front().inputs);
            std::optional<OptimizedAnswer> answer;
            std::exception_ptr thrown;  // passing through is_restored_by, it would leave the environment changed
            const bool is_restored = optimized::is_restored_by(environment, [&] {
              try {
                answer = run_optimized(node, isa);
              } catch (...) {
                thrown = std::current_exception();
              }
            });
            if (thrown) std::rethrow_exception(thrown);
            if (!is_restored)
              return Breakdown{Breakdown::Kind::crash, "the caller's floating-point environment is another afterwards"};
            if (auto* refusal = std::get_if<Refusal>(&*answer)) return std::move(*refusal);
            return std::vector<Answer>{
                Outputs{{tested.model.graph_outputs.front(), std::get<reference::Tensor>(*std::move(answer))}}};
          }};
}

Subject subject_of(std::string name, std::shared_ptr<Backend> backend) {
  return {std::move(name), std::nullopt,
          [asked = std::move(backend)](const Case& tested, const optimized::Environment&) -> UnitAnswer {
            if (auto refusal = asked->declines(tested.model)) return *std::move(refusal);
            return asked->run({tested.id, tested.model.bytes, {tested.data_sets.front().inputs}});
          }};
}

std::string name_of(const Subject& subject) {
  return subject.isa ? fmt::format("{} ({})", subject.backend, optimized::name(*subject.isa)) : subject.backend;
}

std::optional<Fault> find_fault(const Subject& subject, const Example& example, const Case& tested,
                                const std::vector<ReferenceOutcome>& interpreted, const JudgeOptions& options) {
  if (declined(subject.assumed, tested.model, assumption)) return std::nullopt;
  auto answer = answer_of(subject, example, tested);
  if (auto* thrown = std::get_if<Judgement>(&answer)) return Fault{&subject, example, std::move(*thrown)};
  Judgement judgement = judge(tested, interpreted, std::get<UnitAnswer>(answer), options);
  if (is_permitted(judgement.verdict)) return std::nullopt;
  return Fault{&subject, example, std::move(judgement)};
}

std::optional<Fault> find_fault(const Subject& subject, const Example& example, const JudgeOptions& options) {
  const Case tested = case_of(example);
  return find_fault(subject, example, tested, interpret(tested), options);
}

void simplify(Fault& fault, const JudgeOptions& options, const std::function<bool()>& is_stopped) {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (const Example& simpler : simpler_examples(fault.example)) {
      if (is_stopped()) {
        fault.is_simplest = false;
        return;
      }
      auto found = find_fault(*fault.subject, simpler, options);
      ++fault.tried;
      if (!found || found->judgement.verdict != fault.judgement.verdict) continue;
      fault.example = std::move(found->example);
      fault.judgement = std::move(found->judgement);
      goes_on = true;
      break;
    }
  }
}

std::optional<Fault> try_example(const Example& example, const std::vector<Subject>& subjects,
                                 const JudgeOptions& options, const std::function<bool()>& is_stopped) {
  const Case tested = case_of(example);
  const std::vector<ReferenceOutcome> interpreted = interpret(tested);
  for (const Subject& subject : subjects)
    if (auto found = find_fault(subject, example, tested, interpreted, options)) {
      simplify(*found, options, is_stopped);
      return found;
    }
  return std::nullopt;
}

std::filesystem::path write_fault(const std::filesystem::path& directory, const Fault& fault,
                                  const JudgeOptions& options, const std::string& notes) {
  const Case written = case_of(fault.example);
  const std::filesystem::path place = directory / written.id;
  write_reproducer(directory, written, written.id);
  std::string lines = replay_line(directory, written.id, *fault.subject, options) + "\n";
  for (std::size_t first = 0; first < notes.size();) {
    const std::size_t end = notes.find('\n', first);
    lines += "# " + notes.substr(first, end - first) + "\n";
    first = end + 1;
  }
  write_file_below(directory, std::filesystem::path(written.id) / "replay.txt", lines);
  return place;
}

std::string replay_line(const std::filesystem::path& directory, const std::string& id, const Subject& subject,
                        const JudgeOptions& options) {
  RunInfo run;
  run.backend_option = subject.backend;
  run.data = std::filesystem::absolute(directory).lexically_normal().string();
  run.strict = options.strict;
  run.sign_of_zero = options.sign_of_zero;
  run.assumed = subject.assumed;
  const std::string isa = subject.isa ? fmt::format("TOUCHSTONE_ISA={} ", optimized::name(*subject.isa)) : "";
  return isa + replay_line(run, "onnx/" + id);
}

std::string to_text(const Fault& fault) {
  return fmt::format("{}: {}: {}\n{}", name_of(*fault.subject), name(fault.judgement.verdict),
                     displayed_line(fault.judgement.reason), to_text(fault.example));
}

}  // namespace touchstone::conformance
