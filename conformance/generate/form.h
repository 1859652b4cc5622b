// Forms: the ways in which the same case reaches a backend. Compilers take different paths for constants and for
// symbolic shapes, and a bug may affect only one of them.
#pragma once

#include <span>
#include <string_view>

#include "conformance/generate/geometry.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/form_limits.h"

namespace touchstone::conformance {

/// How the node receives an operand.
enum class Source { graph_input, initializer, constant_node };

enum class Dimensions { fixed, symbolic };

/// How the tensors in the model store their elements.
enum class Storage { raw_data, typed_field, raw_data_with_garbage };

struct Form {
  std::string_view name;
  Source x;
  Source parameters;  ///< scale and zero point
  Dimensions dimensions;
  Storage storage;
  bool empty_name;  ///< an absent zero point has an empty name instead of being omitted
  std::string_view description;
};

std::span<const Form> forms();

/// The form of ONNX's own tests: everything is a graph input.
const Form& plain_form();

/// The form with this name, or null.
const Form* find_form(std::string_view name);

/// The form with this name. Throws std::out_of_range if there is none.
const Form& form_named(std::string_view name);

/// Whether Constant supports the type at this opset of ai.onnx, which must have the quantization operators.
bool constant_can_hold(ElementType type, int opset);

/// Whether a case of the cell can have the form with some geometry. An empty name needs an absent zero point. A
/// Constant node needs a type that Constant supports. Garbage needs a type with padding bits that may have any value,
/// and a tensor of this type in the model.
bool suits(const Form& form, const Cell& cell);

/// The same for this geometry. Garbage also needs a last byte that is not full.
bool suits(const Form& form, const Cell& cell, const Geometry& geometry);

/// Whether a backend with these limits supports the form with any shape.
bool is_within(const FormLimits& limits, const Form& form);

/// The same for this geometry. Operands without dimensions have no symbolic ones.
bool is_within(const FormLimits& limits, const Form& form, const Geometry& geometry);

/// Whether the form makes constant what the page expects to be constant. If it does not, an implementation may refuse
/// the model.
bool is_usual(const Form& form, const Cell& cell);

}  // namespace touchstone::conformance
