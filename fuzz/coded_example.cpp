#include "fuzz/coded_example.h"

#include <array>
#include <utility>

#include "conformance/generate/random_node.h"
#include "fuzz/byte_choices.h"

namespace touchstone::fuzz {

using spec::OperatorVersion;

namespace {

/// Generates an example of one of the versions; or, if the source records, finds the choices that lead to the given
/// example. In a free example, every part may be anything instead of matching the parts before it.
void choose_example(reference::Choices& choices, Example& example, bool is_free,
                    std::span<const OperatorVersion* const> versions) {
  static const auto environments = optimized::environments();
  reference::NodeGenerator generator(choices, example.node, is_free);
  generator.structure(versions);
  conformance::choose_form(choices, generator, example.node.inputs.size(), example.form);
  choices.choose(example.environment, environments, false);
  generator.elements();
}

std::optional<std::vector<std::uint8_t>> encode(Example example, Operators operators, bool is_free) {
  ByteWriter writer;
  writer.number(is_free, 0, 1);
  choose_example(writer, example, is_free, versions(operators));
  if (!writer.can_be_written()) return std::nullopt;
  return writer.written();
}

}  // namespace

std::span<const OperatorVersion* const> versions(Operators operators) {
  static const auto lists = [] {
    std::array<std::vector<const OperatorVersion*>, 3> all;
    for (const OperatorVersion& row : spec::operator_versions) {
      const auto one =
          row.op == spec::Operator::quantize_linear ? Operators::quantize_linear : Operators::dequantize_linear;
      for (const Operators list : {one, Operators::both}) all[static_cast<std::size_t>(list)].push_back(&row);
    }
    return all;
  }();
  return lists[static_cast<std::size_t>(operators)];
}

Example decode(std::span<const std::uint8_t> bytes, Operators operators) {
  Example example{{}, nullptr};
  ByteReader reader(bytes);
  bool is_free = false;
  reader.number(is_free, 0, 1);
  choose_example(reader, example, is_free, versions(operators));
  return example;
}

std::optional<std::vector<std::uint8_t>> encode(const Example& example, Operators operators) {
  Example given = example;
  auto& inputs = given.node.inputs;
  if (given.form->empty_name && inputs.size() == 3 && !inputs[2]) inputs.pop_back();
  if (inputs.empty() || inputs.size() > reference::NodeGenerator::most_operands || !inputs[0]) return std::nullopt;
  auto bytes = encode(given, operators, false);
  return bytes ? bytes : encode(given, operators, true);
}

}  // namespace touchstone::fuzz
