// Forms: the ways in which the same case reaches a backend. Compilers take other paths for constants and for symbolic
// shapes, and bugs hide in one of them.
#pragma once

#include <span>
#include <string_view>

#include "conformance/generate/geometry.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/form_limits.h"

namespace touchstone::conformance {

/// How an operand is given to the node.
enum class Source { graph_input, initializer, constant_node };

enum class Dimensions { fixed, symbolic };

/// How the tensors in the model hold their elements.
enum class Storage { raw_data, typed_field, raw_data_with_garbage };

struct Form {
  std::string_view name;
  Source x;
  Source parameters;  ///< scale and zero point
  Dimensions dimensions;
  Storage storage;
  bool empty_name;  ///< an absent zero point is named, by the empty name, instead of omitted
  std::string_view description;
};

std::span<const Form> forms();

/// The form that ONNX's own tests have: everything is a graph input.
const Form& plain_form();

/// The form with this name; null if there is none.
const Form* find_form(std::string_view name);

/// The same. Throws std::out_of_range if there is none.
const Form& form_named(std::string_view name);

/// Whether Constant can hold a tensor of the type, at an opset of ai.onnx that has the quantization operators.
bool constant_can_hold(spec::ElementType type, int opset);

/// Whether a case of the cell can have the form, with some geometry: an empty name needs an absent zero point; a
/// Constant node needs a type that Constant has; garbage needs a type with padding bits that may hold anything, and a
/// tensor of it in the model.
bool suits(const Form& form, const Cell& cell);

/// And whether it can with this one: garbage also needs a last byte that is not full.
bool suits(const Form& form, const Cell& cell, const Geometry& geometry);

/// Whether a backend with these limits can take it with this geometry: what has no dimensions has no symbolic ones.
bool is_within(const FormLimits& limits, const Form& form, const Geometry& geometry);

/// Whether the form gives as constants what the page wants to be constant. Where it does not, an implementation may
/// refuse the model.
bool is_usual(const Form& form, const Cell& cell);

}  // namespace touchstone::conformance
