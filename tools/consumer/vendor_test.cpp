// A vendor's own test program: a backend that supports a part of DequantizeLinear 10, and a test for each of its cases.
#include <gtest/gtest.h>
#include <touchstone/conformance/googletest/register_cases.h>

#include <bit>
#include <cstdio>
#include <exception>
#include <memory>

namespace {

using namespace touchstone::conformance;
using touchstone::reference::Tensor;
using touchstone::spec::ElementType;

class VendorBackend : public Backend {
 public:
  BackendIdentity identity() const override { return {"vendor", "1.0", "uint8 to float32, per tensor"}; }

  UnitAnswer run(const Unit& unit) override {
    // A vendor's library would read the model's bytes itself; this one lets Touchstone parse them.
    const OperatorModel model = parse_model(std::string(unit.model), std::string(unit.case_id));
    std::vector<Answer> answers;
    for (const auto inputs : unit.inputs) answers.push_back(answer(bind_inputs(model, inputs), model));
    return answers;
  }

 private:
  static Answer answer(const touchstone::reference::Node& node, const OperatorModel& model) {
    if (node.op != touchstone::spec::Operator::dequantize_linear || node.opset != 10 || !node.attributes.empty() ||
        node.inputs.size() < 2 || node.inputs.size() > 3)
      return Refusal{"only DequantizeLinear 10"};
    for (const auto& [place, type] :
         {std::pair(0U, ElementType::uint8), std::pair(1U, ElementType::float32), std::pair(2U, ElementType::uint8)})
      if (place < node.inputs.size() && node.inputs[place] &&
          (node.inputs[place]->type() != type || (place > 0 && node.inputs[place]->size() != 1)))
        return Refusal{"only uint8 to float32, per tensor"};
    const Tensor& x = *node.inputs[0];
    const auto scale = std::bit_cast<float>(static_cast<std::uint32_t>(node.inputs[1]->code(0)));
    const auto zero_point = node.inputs.size() > 2 && node.inputs[2] ? static_cast<int>(node.inputs[2]->code(0)) : 0;
    Tensor y(ElementType::float32, x.shape());
    for (std::int64_t i = 0; i < x.size(); ++i)
      y.set_code(i, std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<int>(x.code(i)) - zero_point) * scale));
    return Outputs{{model.graph_outputs.front(), y}};
  }
};

}  // namespace

int main(int argc, char** argv) try {
  testing::InitGoogleTest(&argc, argv);
  register_conformance_tests(
      [] { return std::make_unique<VendorBackend>(); },
      {.tier = Tier::standard, .filter = "dequantize_linear/10/u8-f32-f32/per_tensor/*-*/opset/*"});
  return RUN_ALL_TESTS();
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
