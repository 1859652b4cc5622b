#include <touchstone/conformance/plan/cell.h>
#include <touchstone/reference/interpreter.h>

using namespace touchstone;

int main() {
  reference::Node node{.op = spec::Operator::dequantize_linear, .opset = 10, .inputs = {}, .attributes = {}};
  node.inputs = {reference::Tensor(spec::ElementType::uint8, {3}), reference::Tensor(spec::ElementType::float32, {})};
  const bool legal = reference::interpret(node).result() != nullptr;
  return legal && conformance::count_legal_cells() > 0 ? 0 : 1;
}
