#include "conformance/properties/differential.h"

#include <fmt/format.h>

#include <utility>

#include "conformance/backends/assumptions.h"
#include "conformance/properties/random_examples.h"
#include "conformance/report/replay_line.h"

namespace touchstone::conformance {

std::optional<Failure> try_example(std::uint64_t seed, std::uint64_t number, const std::vector<Subject>& subjects,
                                   const JudgeOptions& options, const std::function<bool()>& is_stopped) {
  const rc::Random random(rc::Random::Key{seed, number, 0, 0});
  const Example example = any_example()(random).value();
  const Case tested = case_of(example);
  const std::vector<ReferenceOutcome> interpreted = interpret(tested);
  for (const Subject& subject : subjects)
    if (auto found = find_fault(subject, example, tested, interpreted, options)) {
      simplify(*found, options, is_stopped);
      return Failure{*std::move(found), seed, number};
    }
  return std::nullopt;
}

std::filesystem::path write_failure(const std::filesystem::path& directory, const Failure& failure,
                                    const JudgeOptions& options) {
  return write_fault(directory, failure, options,
                     to_text(failure) + "found, in its environment, by\n" +
                         search_line(failure.seed, failure.number, {failure.subject, 1}, options) + "\n");
}

std::string to_text(const Failure& failure) {
  return fmt::format("example {} of seed {}: {}", failure.number, failure.seed,
                     to_text(static_cast<const Fault&>(failure)));
}

std::string search_line(std::uint64_t seed, std::uint64_t number, std::span<const Subject> subjects,
                        const JudgeOptions& options) {
  std::string isas;
  for (const Subject& subject : subjects)
    if (subject.isa) isas += fmt::format("{}{}", isas.empty() ? " --isa " : ",", optimized::name(*subject.isa));
  std::string assumed;
  for (const std::string& text : assumptions(subjects.front().assumed))
    assumed += fmt::format(" --assume {}", shell_quoted(text));
  return fmt::format("touchstone-differential --backend {}{}{}{}{} --seed {} --first {} --examples 1",
                     shell_quoted(subjects.front().backend), isas, assumed, options.strict ? " --strict" : "",
                     options.sign_of_zero ? " --sign-of-zero" : "", seed, number);
}

}  // namespace touchstone::conformance
