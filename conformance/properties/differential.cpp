#include "conformance/properties/differential.h"

#include <fmt/format.h>

#include <exception>
#include <utility>
#include <variant>

#include "conformance/backends/optimized_node.h"
#include "conformance/files/file_io.h"
#include "conformance/properties/random_examples.h"
#include "conformance/report/replay_line.h"
#include "conformance/report/text.h"
#include "conformance/run/reproducer.h"

namespace touchstone::conformance {

namespace {

/// An answer; or an exception, which no backend is to throw.
std::variant<UnitAnswer, Judgement> answer_of(const Subject& subject, const Example& example, const Case& tested) {
  try {
    return subject.answer(tested, example.environment);
  } catch (const std::exception& error) {
    return Judgement{Verdict::harness_error, fmt::format("it threw an exception: {}", error.what())};
  } catch (...) {
    return Judgement{Verdict::harness_error, "it threw an exception of an unknown type"};
  }
}

/// What is wrong; nothing if it passes.
std::optional<Judgement> fault(const Subject& subject, const Example& example, const Case& tested,
                               const std::vector<Interpreted>& interpreted, const JudgeOptions& options) {
  auto answer = answer_of(subject, example, tested);
  if (auto* thrown = std::get_if<Judgement>(&answer)) return std::move(*thrown);
  Judgement judgement = judge(tested, interpreted, std::get<UnitAnswer>(answer), options);
  if (is_pass(judgement.verdict)) return std::nullopt;
  return judgement;
}

/// Goes from one to a simpler one that fails in the same way, until there is none.
void simplify(rc::Shrinkable<Example> shrinkable, const JudgeOptions& options, const std::function<bool()>& is_stopped,
              Failure& failure) {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    auto simpler_ones = shrinkable.shrinks();
    while (const auto simpler = simpler_ones.next()) {
      if (is_stopped()) {
        failure.is_simplest = false;
        return;
      }
      const Example example = simpler->value();
      const Case tested = case_of(example);
      auto found = fault(*failure.subject, example, tested, interpret(tested), options);
      ++failure.tried;
      if (!found || found->verdict != failure.judgement.verdict) continue;
      failure.example = example;
      failure.judgement = *std::move(found);
      shrinkable = *simpler;
      goes_on = true;
      break;
    }
  }
}

}  // namespace

Subject optimized_subject(optimized::Isa isa) {
  return {"optimized", isa, [isa](const Case& tested, const optimized::Environment& environment) -> UnitAnswer {
            const reference::Node node = bind_inputs(tested.model, tested.data_sets.front().inputs);
            std::optional<OptimizedAnswer> answer;
            std::exception_ptr thrown;  // past is_restored_by, the example's environment would become the program's
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
  return {std::move(name), std::nullopt, [backend](const Case& tested, const optimized::Environment&) -> UnitAnswer {
            if (auto refusal = backend->declines(tested.model)) return *std::move(refusal);
            return backend->run({tested.id, tested.model.bytes, {tested.data_sets.front().inputs}});
          }};
}

std::optional<Failure> try_example(std::uint64_t seed, std::uint64_t number, const std::vector<Subject>& subjects,
                                   const JudgeOptions& options, const std::function<bool()>& is_stopped) {
  const rc::Random random(rc::Random::Key{seed, number, 0, 0});
  const rc::Shrinkable<Example> shrinkable = any_example()(random);
  const Example example = shrinkable.value();
  const Case tested = case_of(example);
  const std::vector<Interpreted> interpreted = interpret(tested);
  for (const Subject& subject : subjects)
    if (auto found = fault(subject, example, tested, interpreted, options)) {
      Failure failure{seed, number, &subject, example, *std::move(found), 0};
      simplify(shrinkable, options, is_stopped, failure);
      return failure;
    }
  return std::nullopt;
}

std::filesystem::path write_failure(const std::filesystem::path& directory, const Failure& failure,
                                    const JudgeOptions& options) {
  Case written = case_of(failure.example);
  const std::filesystem::path place = directory / written.id;
  write_reproducer(place, written);
  RunInfo run;
  run.backend_option = failure.subject->backend;
  run.data = std::filesystem::absolute(directory).lexically_normal().string();
  run.strict = options.strict;
  run.sign_of_zero = options.sign_of_zero;
  std::string lines =
      failure.subject->isa ? fmt::format("TOUCHSTONE_ISA={} ", optimized::name(*failure.subject->isa)) : std::string();
  lines += replay_line(run, "onnx/" + written.id) + "\n";
  const std::string text = to_text(failure) + "found, in its environment, by\n" +
                           search_line(failure.seed, failure.number, {failure.subject, 1}, options) + "\n";
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = text.find('\n', first);
    lines += "# " + text.substr(first, end - first) + "\n";
    first = end + 1;
  }
  write_file_whole(place / "replay.txt", lines);
  return place;
}

std::string to_text(const Failure& failure) {
  return fmt::format("example {} of seed {}: {}: {}: {}\n{}", failure.number, failure.seed, name_of(*failure.subject),
                     name(failure.judgement.verdict), displayed_line(failure.judgement.reason),
                     to_text(failure.example));
}

std::string name_of(const Subject& subject) {
  return subject.isa ? fmt::format("{} ({})", subject.backend, optimized::name(*subject.isa)) : subject.backend;
}

std::string search_line(std::uint64_t seed, std::uint64_t number, std::span<const Subject> subjects,
                        const JudgeOptions& options) {
  std::string isas;
  for (const Subject& subject : subjects)
    if (subject.isa) isas += fmt::format("{}{}", isas.empty() ? " --isa " : ",", optimized::name(*subject.isa));
  return fmt::format("touchstone-differential --backend {}{}{}{} --seed {} --first {} --examples 1",
                     shell_quoted(subjects.front().backend), isas, options.strict ? " --strict" : "",
                     options.sign_of_zero ? " --sign-of-zero" : "", seed, number);
}

}  // namespace touchstone::conformance
