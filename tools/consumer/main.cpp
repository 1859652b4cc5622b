#include <touchstone/conformance/plan/cell.h>
#include <touchstone/optimized/dequantize_linear.h>
#include <touchstone/reference/interpreter.h>

#include <array>
#include <span>

using namespace touchstone;

int main() {
  reference::Node node{.op = spec::Operator::dequantize_linear, .opset = 10, .inputs = {}, .attributes = {}};
  node.inputs = {reference::Tensor(spec::ElementType::uint8, {3}), reference::Tensor(spec::ElementType::float32, {})};
  const bool legal = reference::interpret(node).result() != nullptr;

  using enum spec::ElementType;
  constexpr std::array<unsigned char, 3> x{0, 1, 255};
  constexpr float scale = 0.5F;
  std::array<float, 3> y{};
  const optimized::Status status =
      optimized::dequantize_linear({uint8, std::as_bytes(std::span(x))}, {float32, std::as_bytes(std::span(&scale, 1))},
                                   std::nullopt, {float32, std::as_writable_bytes(std::span(y))}, {.inner = 3});
  const bool computed = status.error == optimized::Error::none && y == std::array{0.0F, 0.5F, 127.5F};

  return legal && computed && conformance::count_legal_cells() > 0 ? 0 : 1;
}
