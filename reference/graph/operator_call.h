// One execution of a node that is not a quantization operator: its inputs and attributes, checked when they are read.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/graph/bounds.h"
#include "reference/model/graph.h"
#include "reference/model/tensor.h"
#include "reference/policy.h"

namespace touchstone::reference {

/// The most terms of all sums of one node in exact arithmetic, which takes about a second for as many, and the longest
/// dimension that an attribute can give.
inline constexpr std::int64_t most_exact_terms = std::int64_t{1} << 20;
/// The most dimensions of a value that a node computes.
inline constexpr std::int64_t most_dimensions = 32;

/// Exact arithmetic would take too long.
class TooManyTerms : public GraphError {
 public:
  using GraphError::GraphError;
};

class OperatorCall {
 public:
  /// A null input is absent. `opset` is the imported version of ai.onnx.
  OperatorCall(const GraphNode& node, int opset, std::vector<const Tensor*> inputs, const Policy& policy)
      : node_(node), opset_(opset), inputs_(std::move(inputs)), policy_(policy) {}

  int opset() const { return opset_; }
  std::size_t outputs() const { return node_.outputs.size(); }
  std::size_t inputs() const { return inputs_.size(); }

  template <class... Arguments>
  [[noreturn]] void fail(fmt::format_string<Arguments...> reason, Arguments&&... arguments) const {
    throw GraphError(fmt::format(reason, std::forward<Arguments>(arguments)...));
  }

  /// The same for a node that the operator's page forbids: throws InvalidNode, unless what was read of the inputs
  /// before is not constant.
  template <class... Arguments>
  [[noreturn]] void invalid(fmt::format_string<Arguments...> reason, Arguments&&... arguments) const {
    if (has_read_variable_) fail(reason, std::forward<Arguments>(arguments)...);
    throw InvalidNode(fmt::format(reason, std::forward<Arguments>(arguments)...));
  }

  // ---- inputs

  /// Throws GraphError if the input is absent.
  const Tensor& input(std::size_t place) const;
  /// Null if the input is absent.
  const Tensor* optional_input(std::size_t place) const;
  /// The elements of an int64 or int32 input. Throws GraphError if it is absent, or of another type.
  std::vector<std::int64_t> integers_of_input(std::size_t place) const;
  /// Records that elements of the input decide whether the node is valid.
  void note_read(std::size_t place) const {
    has_read_variable_ = has_read_variable_ || place >= is_constant_.size() || !is_constant_[place];
  }
  /// All inputs. Throws GraphError if one is absent, if there are none, or if their types differ.
  std::vector<const Tensor*> inputs_of_one_type() const;
  void require_same_type(const Tensor& left, const Tensor& right) const;
  /// Throws GraphError unless the type is float16, bfloat16, float32 or float64.
  void require_float(const Tensor& given) const;

  // ---- attributes; each throws GraphError for a value of another type

  bool has_attribute(std::string_view name) const { return find<void>(name) != nullptr; }
  std::int64_t integer(std::string_view name, std::int64_t default_value) const;
  std::int64_t integer(std::string_view name) const;  ///< also throws GraphError if it is absent
  float number(std::string_view name, float default_value) const;
  std::string text(std::string_view name, std::string_view default_value) const;
  std::vector<std::int64_t> integers(std::string_view name, std::vector<std::int64_t> default_value) const;
  /// Throws GraphError unless the attribute is absent or has this value, which is all that the interpreter supports.
  void require_integer(std::string_view name, std::int64_t value) const;
  void require_text(std::string_view name, std::string_view value) const;

  // ---- shapes

  /// The axis as a position in a shape of this rank: negative ones count from the back, since version 11 of the
  /// operators. Throws GraphError if it is out of range.
  std::size_t axis(std::int64_t given, std::int64_t rank) const;
  /// The same for an index into an axis of this length.
  std::int64_t index(std::int64_t given, std::int64_t length) const;
  /// Throws GraphError for a negative dimension, or for too many dimensions, and TooManyTerms for too many elements or
  /// terms of sums, where std::nullopt is too many.
  const Shape& checked(const Shape& shape, std::optional<std::int64_t> terms_per_element = 1) const;
  void check_rank(std::int64_t rank) const;
  /// The product of dimensions. Throws GraphError if it is too large for an std::int64_t, or a dimension is negative.
  std::int64_t product(const Shape& dimensions) const;

  // ---- readings

  template <spec::AmbiguityStruct A>
  typename A::Reading reading() const {
    return policy_.reading<A>();
  }
  /// Records that permitted readings of the ambiguity may give different results.
  template <spec::AmbiguityStruct A>
  void note_consulted() {
    consulted_.push_back(spec::ambiguity_index<A>);
  }
  /// The indices of these ambiguities, some of them more than once.
  const std::vector<std::size_t>& consulted() const { return consulted_; }

  // ---- exactness

  /// Records that a result depends on what the page leaves open.
  void note_inexact(std::string why) {
    if (!unbounded_) unbounded_ = why;
    note_rounded(std::move(why));
  }
  /// Records that a result depends on how an implementation rounds, or on the order of operations, which bounds
  /// contain.
  void note_rounded(std::string why) {
    if (!inexact_) inexact_ = std::move(why);
  }
  /// The first of both.
  const std::optional<std::string>& inexact() const { return inexact_; }
  const std::optional<std::string>& unbounded() const { return unbounded_; }

  /// The caller discards a tensor with a rounded element, so that its other elements need not be computed.
  void set_needs_exact() { needs_exact_ = true; }
  bool is_discarded() const { return needs_exact_ && inexact_ && !unbounded_; }

  // ---- bounds

  /// Permits more terms than most_exact_terms, for functions without exact arithmetic.
  void set_most_terms(std::int64_t terms) { most_terms_ = terms; }
  /// One for each input; null: its elements are exact.
  void set_bounds(std::vector<std::shared_ptr<const Bounds>> bounds, std::vector<bool> is_computed) {
    bounds_ = std::move(bounds);
    is_computed_ = std::move(is_computed);
  }
  void set_constant(std::vector<bool> is_constant) { is_constant_ = std::move(is_constant); }
  void set_scales(std::vector<double> scales, std::vector<bool> is_weight) {
    scales_ = std::move(scales);
    is_weight_ = std::move(is_weight);
  }
  /// Whether the input is a constant of the graph.
  bool is_constant(std::size_t place) const { return place < is_constant_.size() && is_constant_[place]; }
  /// Whether the input is a dequantized constant, or computed from such and other constants.
  bool is_weight(std::size_t place) const { return place < is_weight_.size() && is_weight_[place]; }
  /// That with which DequantizeLinear gave all elements of the input; 0 if there is none.
  double scale(std::size_t place) const { return place < scales_.size() ? scales_[place] : 0; }
  /// Those of an input, which is not absent.
  Bounds bounds(std::size_t place) const {
    const bool is_exact = place >= bounds_.size() || bounds_[place] == nullptr;
    return is_exact ? exact_bounds(input(place)) : *bounds_[place];
  }
  /// Records that the result is rounded unless every evaluation has the same finite inputs: fused kernels skip the
  /// rounding of DequantizeLinear.
  void note_wide_inputs();
  /// Records that each term of a sum may be rounded more often, because other nodes become part of the sum.
  void set_further_roundings(double roundings) { further_roundings_ = roundings; }
  double further_roundings() const { return further_roundings_; }
  /// What that adds to the error of the sum, relative to the magnitudes of the terms.
  double further_error(const FloatPrecision& precision) const;
  /// Whether a node computes the input, which is an input of the graph or a constant otherwise.
  bool is_computed(std::size_t place) const { return place < is_computed_.size() && is_computed_[place]; }

 private:
  /// The value as a T (for void: of any type), or null.
  template <class T>
  const std::conditional_t<std::is_void_v<T>, GraphAttribute, T>* find(std::string_view name) const {
    const auto found = node_.attributes.find(std::string(name));
    if (found == node_.attributes.end()) return nullptr;
    if constexpr (std::is_void_v<T>) {
      return &found->second;
    } else {
      if (const T* value = std::get_if<T>(&found->second)) return value;
      fail("attribute {} has a value of another type", name);
    }
  }

  const GraphNode& node_;
  int opset_;
  std::vector<const Tensor*> inputs_;
  Policy policy_;
  std::vector<std::size_t> consulted_;
  std::optional<std::string> inexact_;
  std::optional<std::string> unbounded_;
  std::vector<std::shared_ptr<const Bounds>> bounds_;
  std::vector<bool> is_computed_;
  std::vector<bool> is_constant_;
  std::vector<bool> is_weight_;
  std::vector<double> scales_;
  mutable bool has_read_variable_ = false;
  std::int64_t most_terms_ = most_exact_terms;
  bool needs_exact_ = false;
  double further_roundings_ = 0;
};

}  // namespace touchstone::reference
