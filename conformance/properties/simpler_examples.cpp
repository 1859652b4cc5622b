#include "conformance/properties/simpler_examples.h"

#include <cfenv>
#include <utility>

#include "conformance/generate/parts.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

using reference::Node;

namespace {

/// Collects simpler variants of an example.
class Simpler {
 public:
  explicit Simpler(const Example& example)
      : example_(example), node_(example.node), complexity_(conformance::complexity(example)) {}

  std::vector<Example> make() {
    circumstances();
    const reference::Outcome outcome = reference::interpret(node_);
    if (const reference::Result* result = outcome.result()) {
      for (const auto& of : {single_elements, per_tensor, parts, smaller_blocks, fewer_dimensions})
        add(of(node_, *result));
    } else {
      add(other_shapes(node_));
    }
    add(fewer_operands(node_, outcome.result()));
    add(simpler_attributes(node_));
    for (std::size_t operand = node_.inputs.size(); operand-- > 0;) add(simpler_values(node_, operand));
    add(simpler_quotients(node_));
    return std::move(found_);
  }

 private:
  void add(Example example) {
    if (conformance::complexity(example) < complexity_) found_.push_back(std::move(example));
  }

  void add(std::vector<Node> nodes) {
    for (Node& node : nodes) add(Example{std::move(node), example_.form, example_.environment});
  }

  void circumstances() {
    add(Example{node_, &simplest_form(node_), example_.environment});
    add(Example{node_, example_.form, {}});
    for (const auto& simplify : {+[](optimized::Environment& environment) { environment.rounding = FE_TONEAREST; },
                                 +[](optimized::Environment& environment) { environment.flushes = false; },
                                 +[](optimized::Environment& environment) { environment.traps = false; }}) {
      Example simpler = example_;
      simplify(simpler.environment);
      add(std::move(simpler));
    }
  }

  const Example& example_;
  const Node& node_;
  const Complexity complexity_;
  std::vector<Example> found_;
};

}  // namespace

Complexity complexity(const Example& example) {
  Complexity sum = complexity(example.node, *example.form);
  const optimized::Environment& environment = example.environment;
  sum.circumstances +=
      (environment.rounding != FE_TONEAREST ? 1 : 0) + (environment.flushes ? 1 : 0) + (environment.traps ? 1 : 0);
  return sum;
}

std::vector<Example> simpler_examples(const Example& example) { return Simpler(example).make(); }

}  // namespace touchstone::conformance
