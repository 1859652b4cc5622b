#include "conformance/properties/example.h"

#include <fmt/format.h>

#include <cfenv>
#include <map>
#include <sstream>

#include "conformance/generate/model_builder.h"
#include "conformance/plan/digest.h"
#include "reference/interpreter.h"
#include "reference/random_nodes.h"

namespace touchstone::conformance {

using reference::Tensor;

Case case_of(const Example& example) {
  const reference::Node& node = example.node;
  const reference::Outcome outcome = reference::interpret(node);
  // What a model declares of its output has to be something, also where there is none.
  const Tensor& y = outcome.result() != nullptr ? outcome.result()->y : *node.inputs.front();
  Case made;
  made.model = build_model(node, *example.form, y.type(), y.shape());
  made.data_sets.push_back({graph_inputs(node, *example.form), {}});
  made.form = example.form->name;
  made.id = fmt::format("{}-{}-{:016x}", spec::name(node.op), node.opset, digest_of(made));
  return made;
}

std::string to_text(const Example& example) {
  static const std::map<int, const char*> roundings{{FE_TONEAREST, "to nearest"},
                                                    {FE_DOWNWARD, "downwards"},
                                                    {FE_UPWARD, "upwards"},
                                                    {FE_TOWARDZERO, "towards zero"}};
  std::ostringstream text;
  reference::showValue(example.node, text);
  text << "\n  form " << example.form->name << "; the caller rounds " << roundings.at(example.environment.rounding);
  if (example.environment.flushes) text << ", flushes subnormals to zero";
  if (example.environment.traps) text << ", traps exceptions";
  text << '\n';
  return text.str();
}

void showValue(const Example& example, std::ostream& out) { out << to_text(example); }

}  // namespace touchstone::conformance
