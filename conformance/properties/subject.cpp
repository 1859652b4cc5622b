#include "conformance/properties/subject.h"

#include <fmt/format.h>

#include <exception>
#include <utility>
#include <variant>

#include "conformance/backends/builtin/optimized_node.h"

namespace touchstone::conformance {

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

}  // namespace touchstone::conformance
