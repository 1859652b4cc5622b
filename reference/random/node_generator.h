// Generates nodes of every version of every domain from a source of choices. Most nodes are legal, because shapes,
// types and attributes are chosen to match the choices before them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reference/model/node.h"
#include "reference/random/choices.h"
#include "reference/random/legal_choices.h"
#include "spec/operator_version.h"

namespace touchstone::reference {

/// Generates one node; or, if the source records, finds the choices that lead to the given node.
class NodeGenerator {
 public:
  static constexpr std::size_t most_operands = 4;

  struct Operand {
    bool is_given = false;
    ElementType type{};
    Shape shape;
  };

  /// In a free node, every part may be anything instead of matching the parts before it.
  NodeGenerator(Choices& choices, Node& node, bool is_free) : choices_(choices), node_(node), is_free_(is_free) {}

  /// Chooses everything except the elements of tensors.
  void structure(std::span<const spec::OperatorVersion* const> versions);
  /// Chooses the elements of all operands.
  void elements();

  const spec::OperatorVersion& version() const { return *version_; }
  std::span<const Operand> operands() const { return operands_; }
  bool is_free() const { return is_free_; }

 private:
  void choose_version(std::span<const spec::OperatorVersion* const> table);
  void choose_operands();
  void type(std::size_t place);
  void any_shape(Shape& shape);
  void shape_of_x();
  void layout();
  void shape_of_parameter(std::size_t place);
  NumberChoices choices_of(const spec::Attribute& row) const;
  void attribute(const spec::Attribute& row);
  bool number(std::optional<AttributeValue>& value, const spec::Attribute& row);
  bool text(std::optional<AttributeValue>& value, const spec::Attribute& row);
  void any_value(std::optional<AttributeValue>& value, const spec::Attribute& row);
  void foreign_attributes();
  void elements(std::size_t place);

  Choices& choices_;
  Node& node_;
  const bool is_free_;
  const spec::OperatorVersion* version_ = nullptr;
  std::array<Operand, most_operands> operands_{};
  Shape unpacked_;  // the shape of x
  ParameterLayout layout_;
};

/// The versions of the domain.
std::vector<const spec::OperatorVersion*> versions_of(std::string_view domain);

/// A random node of one of the versions. One in three is free.
Node random_node(RandomChoices& choices, std::span<const spec::OperatorVersion* const> versions);

/// The last step of a random node: draws its values. An opset without the operator becomes that of its version.
void complete(RandomChoices& choices, const NodeGenerator& generator, Node& node);

}  // namespace touchstone::reference
