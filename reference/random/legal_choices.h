// Matching choices for a legal node, from the tables of its version.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/model/node.h"
#include "spec/operator_version.h"

namespace touchstone::reference {

/// A few values, without heap allocation.
template <class T, std::size_t capacity>
class ChoiceList {
 public:
  void add(const T& value) { values_.at(size_++) = value; }
  std::size_t size() const { return size_; }
  const T& operator[](std::size_t place) const { return values_[place]; }

 private:
  std::array<T, capacity> values_{};
  std::size_t size_ = 0;
};

using TypeChoices = ChoiceList<ElementType, spec::element_types.size()>;
using NumberChoices = ChoiceList<std::optional<std::int64_t>, spec::element_types.size() + 4>;

/// The opsets that select the version.
const std::vector<int>& opsets(const spec::OperatorVersion& version);

/// Every type of a tensor.
const TypeChoices& all_types();

/// Every attribute of any version, and an invented one.
const std::vector<std::string>& attribute_names();

/// Which elements share a scale. Either derived from a node, or decoded to build one.
struct ParameterLayout {
  std::size_t granularity = 0;  ///< index into the version's list
  std::int64_t dimension = 0;   ///< a dimension of x
  std::int64_t block = 1;
};

inline constexpr std::int64_t largest_block = 256;

/// The shape of x after unpacking. Layouts refer to this shape.
Shape unpacked(const spec::OperatorVersion& version, ElementType type, Shape x);

/// The shape of scale and zero point; std::nullopt if they are scalars.
std::optional<Shape> parameter_shape(const spec::OperatorVersion& version, const ParameterLayout& layout,
                                     const Shape& x);

/// The layout that the attributes of the node and the shape of its scale determine, if they do.
ParameterLayout layout_of(const Node& node, const spec::OperatorVersion& version, const Shape& x, const Shape& scale);

/// The possible values of an attribute; std::nullopt represents absence.
NumberChoices axis_choices(const spec::OperatorVersion& version, const spec::Attribute& row,
                           const ParameterLayout& layout, std::int64_t rank);
NumberChoices block_size_choices(const spec::OperatorVersion& version, const spec::Attribute& row,
                                 const ParameterLayout& layout, std::int64_t rank);
/// `zero_point` is null if absent.
NumberChoices output_dtype_choices(const spec::OperatorVersion& version, ElementType scale,
                                   const ElementType* zero_point);
NumberChoices precision_choices(const spec::OperatorVersion& version);
NumberChoices flag_choices(bool may_be_false, bool may_be_true);

}  // namespace touchstone::reference
